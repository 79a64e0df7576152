// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../guarded/pages.hpp"

#include <cstring>
#include <span>
#include <vector>

#if defined(__x86_64__) && defined(__linux__)

/// Memory of a process, as a driver gets it in a call that an application makes. The process may give it back at any
/// moment, so a driver reads it under exception protection (SPL-17): an access that finds it gone is an exception of
/// the driver's own frame, never one of this library's.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::user_space {

/// A piece of such memory; the byte past its end belongs to nobody.
class user_memory {
public:
    explicit user_memory(std::span<std::byte const> content)
        : pages_(content.size(), 1, guarded_source::own), size_(content.size()) {
        static_cast<void>(pages_.allow(pages_.begin(), pages_.size(), guarded_access::write));
        if (!content.empty()) {
            std::memcpy(data(), content.data(), content.size());
        }
        everything().push_back(this);
    }
    user_memory(user_memory const&) = delete;
    user_memory& operator=(user_memory const&) = delete;
    ~user_memory() { std::erase(everything(), this); }

    [[nodiscard]] std::byte* data() const { return pages_.begin() + (pages_.size() - size_); }

    /// The process gives it back. @return false: this host cannot make it inaccessible
    bool give_back() {
        is_gone_ = pages_.allow(pages_.begin(), pages_.size(), guarded_access::none);
        return is_gone_;
    }

    /// All pieces that there are.
    [[nodiscard]] static std::vector<user_memory*>& everything() {
        static std::vector<user_memory*> all;
        return all;
    }
    /// Whether an access to these bytes meets memory that is gone, or what follows a piece.
    [[nodiscard]] bool faults(void const* address, std::size_t bytes) const {
        auto const at = reinterpret_cast<std::uintptr_t>(address);
        auto const begin = reinterpret_cast<std::uintptr_t>(pages_.begin());
        auto const end = begin + pages_.size();
        return bytes != 0 && at < end + pages_.guard() && at + bytes > (is_gone_ ? begin : end);
    }

private:
    guarded_pages pages_;
    std::size_t size_;
    bool is_gone_ = false;
};

/// Whether an access to these bytes is one to memory of a process, and faults.
[[nodiscard]] inline bool faults(void const* address, std::size_t bytes) {
    for (user_memory const* const each : user_memory::everything()) {
        if (each->faults(address, bytes)) {
            return true;
        }
    }
    return false;
}

}  // namespace wddmcore::testing::kernel_parts::user_space

#endif

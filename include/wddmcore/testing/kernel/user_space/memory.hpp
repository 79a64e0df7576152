// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../guarded/pages.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#if defined(__x86_64__) && defined(__linux__)

/// Memory of a process, as a driver gets it in a call that an application makes. The process may give it back at any
/// moment, so a driver reads it under exception protection (SPL-17): an access that finds it gone is an exception of
/// the driver's own frame, never one of this library's.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::user_space {

/// A piece of such memory. It begins at a page, as a command buffer does, or where its size allows it ends at one, so
/// that whoever reads past its end meets nothing.
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

    [[nodiscard]] std::byte* data() const {
        return pages_.begin() + (size_ % alignment == 0 ? pages_.size() - size_ : 0);
    }

    /// The process gives it back, all of it or what lies behind the page of its first byte.
    /// @return false: this host cannot make it inaccessible, or there is nothing of it
    [[nodiscard]] bool give_back(bool behind_first_page) {
        std::size_t const kept = behind_first_page ? page : 0;
        std::byte* const first = pages_.begin() + kept;
        if (pages_.size() <= kept || !pages_.allow(first, pages_.size() - kept, guarded_access::none)) {
            return false;
        }
        gone_from_ = first;
        return true;
    }

    /// Each access faults from now on, or no longer: of what the process still has.
    void close() {
        is_closed_ = true;
        static_cast<void>(pages_.allow(pages_.begin(), pages_.size(), guarded_access::none));
    }
    void open() { static_cast<void>(pages_.allow(pages_.begin(), pages_.size(), guarded_access::write)); }
    [[nodiscard]] bool is_closed() const { return is_closed_; }
    [[nodiscard]] bool holds(std::uintptr_t address) const { return address - number(data()) < size_; }

    /// All pieces that there are.
    [[nodiscard]] static std::vector<user_memory*>& everything() {
        static std::vector<user_memory*> all;
        return all;
    }
    /// The first of these bytes that lies in what is gone, or follows the piece.
    [[nodiscard]] std::optional<std::uintptr_t> fault_of(void const* address, std::size_t bytes) const {
        auto const at = reinterpret_cast<std::uintptr_t>(address);
        auto const limit = number(pages_.begin()) + pages_.size() + pages_.guard();
        std::uintptr_t const first = gone_from_ != nullptr ? number(gone_from_) : number(data()) + size_;
        if (bytes == 0 || at >= limit || (at < first && bytes <= first - at)) {
            return std::nullopt;
        }
        return std::max(at, first);
    }
    /// Whether the process has given this byte back; else it follows the piece.
    [[nodiscard]] bool has_given_back(std::uintptr_t at) const {
        return gone_from_ != nullptr && at >= number(gone_from_) && at < number(data()) + size_;
    }

private:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t alignment = 16;
    [[nodiscard]] static std::uintptr_t number(void const* at) { return reinterpret_cast<std::uintptr_t>(at); }

    guarded_pages pages_;
    std::size_t size_;
    std::byte* gone_from_ = nullptr;
    bool is_closed_ = false;
};

/// An access to memory of a process that faults: the first byte of it that does.
struct user_fault {
    std::uintptr_t address = 0;
    bool is_given_back = false;  ///< else it follows what the driver was given
};
[[nodiscard]] inline std::optional<user_fault> fault_of(void const* address, std::size_t bytes) {
    for (user_memory const* const each : user_memory::everything()) {
        if (auto const at = each->fault_of(address, bytes); at) {
            return user_fault{*at, each->has_given_back(*at)};
        }
    }
    return std::nullopt;
}

}  // namespace wddmcore::testing::kernel_parts::user_space

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <algorithm>
#    include <cstddef>
#    include <string>
#    include <utility>
#    include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

/// What a driver has set up in memory of its own and must take down again: lookaside lists, resources. In the order in
/// which that happened, so that reports are the same wherever the memory lies.
class owed_objects {
public:
    struct object {
        void const* at;
        std::size_t bytes;
        std::string words;
    };

    /// @return false: there is one at this place already
    bool add(void const* at, std::size_t bytes, std::string words) {
        if (find(at) != nullptr) {
            return false;
        }
        all_.push_back({at, bytes, std::move(words)});
        return true;
    }
    /// @return false: there is none at this place
    bool remove(void const* at) {
        return std::erase_if(all_, [at](object const& o) { return o.at == at; }) != 0;
    }
    [[nodiscard]] object const* find(void const* at) const { return inside(at, 1); }
    /// The first one that begins in these bytes; nullptr: none does.
    [[nodiscard]] object const* inside(void const* begin, std::size_t bytes) const {
        auto const* const from = static_cast<std::byte const*>(begin);
        auto const found = std::find_if(all_.begin(), all_.end(), [&](object const& o) {
            auto const* const at = static_cast<std::byte const*>(o.at);
            return at >= from && at < from + bytes;
        });
        return found == all_.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::vector<object> const& all() const { return all_; }

private:
    std::vector<object> all_;
};

}  // namespace wddmcore::testing::kernel_parts

#endif

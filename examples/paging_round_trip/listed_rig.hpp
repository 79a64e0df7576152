// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "walking_rig.hpp"

namespace wddmcore::examples {

/// A walking adapter whose driver keeps a list of pages for each allocation and two addresses for each fence, in the
/// adapter's own memory.
class listed_rig : public walking_rig {
protected:
    static constexpr u32 list_count = 512;
    static constexpr u32 list_pages = 256;
    static constexpr u64 list_bytes = list_pages * 8;
    static_assert(own_memory::lists + list_count * list_bytes <= own_memory::stream);

    [[nodiscard]] static constexpr u64 list_at(u32 index) { return own_memory::lists + index * list_bytes; }
    [[nodiscard]] static constexpr u64 fence_at(u32 index) { return own_memory::fences + u64{index} * 16; }

    /// @param first_address  the address of the memory segment's first byte, as the lists count
    void observe(testing::vidmm_options& o, u64 first_address) {
        o.handle_of = [this](u32 number) -> void* { return &handles_[number % list_count]; };
        // One list serves whole allocations and single pages, because the system uses only one kind of notice.
        o.notices.residency_of = [this, first_address](void* allocation) {
            return listed(allocation, 0, first_address);
        };
        o.notices.page_residency_of = [this, first_address](void* allocation, u64 page) {
            return listed(allocation, page, first_address);
        };
        o.notices.fence_value_of = [this](void* fence, u32 which) {
            auto const index = static_cast<u32>(static_cast<int*>(fence) - fence_handles_.data());
            u64 const bus = own_.word(fence_at(index) + which * 8);
            return bus == 0 ? std::nullopt : std::optional(location_of(bus));
        };
    }

    /// Where page `page` of an allocation is: an address and b0, or 0.
    [[nodiscard]] std::optional<testing::vidmm_location> listed(void* allocation, u64 page, u64 first_address) const {
        auto const index = static_cast<u32>(static_cast<int*>(allocation) - handles_.data());
        u64 const entry = own_.word(list_at(index) + page * 8);
        return (entry & 1) == 0
                   ? std::nullopt
                   : std::optional(testing::vidmm_location{memory_segment, (entry & ~u64{1}) - first_address});
    }

    std::vector<int> handles_ = std::vector<int>(list_count);
};

}  // namespace wddmcore::examples

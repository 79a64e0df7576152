// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"
#include "wddm2_request.hpp"

/// Requests of operation 22 and the hardware that hears of them.
namespace wddmcore::inline WDDMCORE_ABI::testing::notices {

[[nodiscard]] constexpr engine_shape notified(u32 grain) {
    engine_shape shape{};
    shape.caps = {
        .version = wddm::v3_2, .addresses = paging_addresses::gpu_virtual, .allocation_notification = claim::yes};
    shape.grain = grain;
    return shape;
}
inline constexpr engine_shape grain_1 = notified(1);
inline constexpr engine_shape grain_2 = notified(2);
inline constexpr engine_shape grain_3 = notified(3);
inline constexpr engine_shape grain_5 = notified(5);

inline u32 some_allocation = 0;
inline u32 some_process = 0;

/// A notice without an event.
[[nodiscard]] inline latest_arguments notice(u64 offset, u64 size, u64 place) {
    latest_arguments args{};
    args.Operation = 22;
    args.NotifyAllocation = {};
    args.NotifyAllocation.hAllocation = &some_allocation;
    args.NotifyAllocation.Flags.Value = 0;
    args.NotifyAllocation.OffsetInBytes = offset;
    args.NotifyAllocation.SizeInBytes = size;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = place;
    return args;
}

[[nodiscard]] inline latest_arguments eviction(u64 offset, u64 size, u64 place) {
    latest_arguments args = notice(offset, size, place);
    args.NotifyAllocation.Flags.Eviction = 1;
    return args;
}

[[nodiscard]] inline latest_arguments iommu_unmap(u64 offset, u64 size, u64 place) {
    latest_arguments args = notice(offset, size, place);
    args.NotifyAllocation.Flags.IoMmuUnmap = 1;
    args.NotifyAllocation.hKmdProcessHandle = &some_process;
    return args;
}

/// Hears of unmaps at once.
struct unmap_at_once_part {
    told_log* log = nullptr;
    constexpr void notify_iommu_unmap(hw::alloc_notice const& told) {
        log->add(record_kind::iommu_unmap, {handle_bits(told.allocation), handle_bits(told.process), told.offset,
                                            told.place.n, told.size.n, static_cast<u64>(told.event)});
    }
};

/// Says whether there is work.
struct work_part {
    bool working = true;
    u32* asked = nullptr;
    [[nodiscard]] constexpr bool has_work(hw::alloc_notice const&) const {
        if (asked != nullptr) {
            ++*asked;
        }
        return working;
    }
};

/// Numbers from a seed.
class random_numbers {
public:
    explicit constexpr random_numbers(u64 seed) : state_(seed * 2 + 1) {}
    constexpr u64 next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_;
    }
    constexpr u64 below(u64 end) { return next() % end; }

private:
    u64 state_;
};

}  // namespace wddmcore::testing::notices

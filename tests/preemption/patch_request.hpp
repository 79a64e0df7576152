// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "patch_lists.hpp"

#include <vector>

/// A patch request that is good, for tests that change one thing at a time.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr preemption::patch_rules usual_rules{.slots = 4};

/// Entry 0 unbinds (SPL-04), 1 and 2 are resident, 3 is not.
inline entry const allocations[] = {
    entry_of(nullptr, 0, 0),
    entry_of(&some_allocation, 1, 0x1'0000'0000),
    entry_of(&some_allocation, 2, 0x8000'0000),
    entry_of(&some_allocation, 0, ~u64{0}),
};

/// An allocation list of nothing but the entry that unbinds.
inline constexpr entry nothing[] = {entry_of(nullptr, 0, 0)};

/// A buffer of 64 dwords, its list and a request for a part of both, made with DXGKARG_PATCH of one version.
template <class Args = mirror::v2_0::dxgkarg_patch>
struct request {
    using entry_type = meta::bare<decltype(*Args{}.pAllocationList)>;
    std::vector<u32> buffer = std::vector<u32>(64, 0xCCCC'CCCC);
    std::vector<element> list = {
        element_of(1, 0, 0x10, 0x08, 0x00),  // before the window
        element_of(1, 0, 0x20, 0x40, 0x40), element_of(2, 1, 0, 0x50, 0x40),
        element_of(0, 2, 0, 0x60, 0x60),    element_of(2, 1, 0x30, 0x88, 0x80),  // past the window
    };
    std::vector<entry_type> entries;
    Args args{};

    request() {
        for (entry const& one : allocations) {
            entry_type made{};
            made.hDeviceSpecificAllocation = one.hDeviceSpecificAllocation;
            made.SegmentId = one.SegmentId;
            made.PhysicalAddress = one.PhysicalAddress;
            entries.push_back(made);
        }
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.PatchLocationListSubmissionStart = 1;
        args.PatchLocationListSubmissionLength = 3;
        args.SubmissionFenceId = 77;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
    }

    preemption::patch_answer run(preemption::patch_rules const& with = usual_rules) {
        args.pDmaBuffer = buffer.data();
        args.pAllocationList = entries.data();
        args.AllocationListSize = static_cast<u32>(entries.size());
        args.pPatchLocationList = list.data();
        args.PatchLocationListSize = static_cast<u32>(list.size());
        return again(with);
    }
    preemption::patch_answer again(preemption::patch_rules const& with = usual_rules) const {
        return preemption::patch(args, with,
                                 preemption::address_writer{.buffer = static_cast<u32*>(args.pDmaBuffer),
                                                            .address_bytes = with.address_bytes,
                                                            .unbound = 0xDEAD'0000'BEEF});
    }
    bool untouched() const { return buffer == std::vector<u32>(64, 0xCCCC'CCCC); }
};

}  // namespace wddmcore::testing

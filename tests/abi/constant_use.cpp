// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "wddmcore/ddi/interface_version.hpp"
#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/ddi/ntstatus.hpp"
#include "wddmcore/ddi/operation.hpp"

/// The mirrors as an algorithm's test uses them: in the compiler's evaluator, where a wrong union member is an error.

using namespace wddmcore;

namespace {

template <class Args>
constexpr Args arguments(paging_operation operation) {
    Args args{};
    args.Operation = static_cast<u32>(operation);
    return args;
}

template <class Args>
constexpr bool each_operation() {
    Args fill = arguments<Args>(paging_operation::fill);
    fill.Fill.FillSize = 4096;
    fill.Fill.Destination.SegmentAddress.QuadPart = -1;

    Args transfer = arguments<Args>(paging_operation::transfer);
    mirror::vista::mdl list{};
    list.ByteCount = 8192;
    transfer.Transfer.Source.pMdl = &list;
    transfer.Transfer.Flags.TransferStart = 1;
    transfer.Transfer.Destination.SegmentId = 3;

    return fill.Operation == 1 && fill.Fill.Destination.SegmentAddress.QuadPart == -1 && transfer.Operation == 0 &&
           transfer.Transfer.Source.pMdl->ByteCount == 8192 && transfer.Transfer.Flags.TransferStart == 1;
}

static_assert(each_operation<mirror::vista::dxgkarg_buildpagingbuffer>());
static_assert(each_operation<mirror::v1_3::dxgkarg_buildpagingbuffer>());
static_assert(each_operation<mirror::v2_0::dxgkarg_buildpagingbuffer>());
static_assert(each_operation<mirror::v3_2::dxgkarg_buildpagingbuffer>());

constexpr u64 second_entry() {
    mirror::v2_9::dxgk_pte entries[2]{};
    entries[1].Flags = 0x21;
    entries[1].PageAddress = 0x12345;
    auto args = arguments<mirror::v2_9::dxgkarg_buildpagingbuffer>(paging_operation::update_page_table);
    args.UpdatePageTable.NumPageTableEntries = 2;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000;
    args.UpdatePageTable.pPageTableEntries = entries;
    return args.UpdatePageTable.pPageTableEntries[1].PageAddress + args.UpdatePageTable.pPageTableEntries[1].Flags;
}
static_assert(second_entry() == 0x12345 + 0x21);

constexpr usize last_page() {
    usize const pages[] = {7, 9, 11};
    auto args = arguments<mirror::v3_0::dxgkarg_buildpagingbuffer>(paging_operation::map_aperture_segment2);
    args.MapApertureSegment2.Adl.PageCount = 3;
    args.MapApertureSegment2.Adl.Pages = pages;
    return args.MapApertureSegment2.Adl.Pages[args.MapApertureSegment2.Adl.PageCount - 1];
}
static_assert(last_page() == 11);

// An operation's arguments appear in the mirror at the version that `since` names, and not one layout earlier.
template <class Args>
constexpr bool has_notify_allocation = requires(Args args) { args.NotifyAllocation.Flags.Eviction; };
template <class Args>
constexpr bool has_aperture2 = requires(Args args) { args.MapApertureSegment2.Adl.PageCount; };
template <class Args>
constexpr bool has_virtual_fill = requires(Args args) { args.FillVirtual.DestinationVirtualAddress; };

static_assert(since(paging_operation::notify_alloc) == wddm::v3_2);
static_assert(has_notify_allocation<mirror::v3_2::dxgkarg_buildpagingbuffer>);
static_assert(!has_notify_allocation<mirror::v3_1::dxgkarg_buildpagingbuffer>);
static_assert(since(paging_operation::map_aperture_segment2) == wddm::v2_9);
static_assert(has_aperture2<mirror::v2_9::dxgkarg_buildpagingbuffer>);
static_assert(!has_aperture2<mirror::v2_8::dxgkarg_buildpagingbuffer>);
static_assert(since(paging_operation::virtual_fill) == wddm::v2_0);
static_assert(has_virtual_fill<mirror::v2_0::dxgkarg_buildpagingbuffer>);
static_assert(!has_virtual_fill<mirror::v1_3_path_independent_rotation::dxgkarg_buildpagingbuffer>);

constexpr bool ascending() {
    for (usize k = 1; k < sizeof interface_versions / sizeof interface_versions[0]; ++k) {
        wddm const older = interface_versions[k - 1];
        if (!at_least(interface_versions[k], older) || at_least(older, interface_versions[k])) {
            return false;
        }
    }
    return true;
}
static_assert(ascending());
static_assert(within(wddm::v2_4, wddm::v2_0, wddm::v2_9) && !within(wddm::v3_0, wddm::v2_0, wddm::v2_9));
static_assert(interface_version_of(0x700a) == wddm::v2_2 && interface_version_of(0x5022) == wddm::v2_0);
static_assert(interface_version_of(0x5022) == wddm::v2_0 && interface_version_of(0x5023) == wddm::v2_0);
static_assert(interface_version_of(0x5021) == wddm::v1_3_path_independent_rotation);
static_assert(interface_version_of(0) == wddm::vista && interface_version_of(0xffffffff) == wddm::v3_2);

constexpr bool equal(char const* a, char const* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

constexpr bool names_differ() {
    for (u32 a = 0; a <= paging_operation_count; ++a) {
        for (u32 b = 0; b < a; ++b) {
            if (equal(name(static_cast<paging_operation>(a)), name(static_cast<paging_operation>(b)))) {
                return false;
            }
        }
    }
    return equal(name(paging_operation::notify_alloc), "notify_alloc");
}
static_assert(names_differ());

static_assert(succeeded(status::success) && succeeded(status::pending) && !succeeded(status::graphics_allocation_busy));
static_assert(sizeof(ntstatus) == 4);

}  // namespace

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/interface_version.hpp"
#include "../../../ddi/mirror/mirror.hpp"
#include "../../../ddi/ntstatus.hpp"
#include "../../driver_table.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The structures of flips of each interface version, and the choice of one of them at run time.
namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// Those of one layout.
template <class SourceAddress, class Present>
struct flip_types {
    using source_address = SourceAddress;
    using present = Present;
};

#define WDDMCORE_FLIP_TYPES(version) \
    flip_types<mirror::version::dxgkarg_setvidpnsourceaddress, mirror::version::dxgkarg_present>
using flip_types_win8 = WDDMCORE_FLIP_TYPES(win8);
using flip_types_v1_3 = WDDMCORE_FLIP_TYPES(v1_3);
using flip_types_v2_0 = WDDMCORE_FLIP_TYPES(v2_0);
using flip_types_v2_1 = WDDMCORE_FLIP_TYPES(v2_1);
#undef WDDMCORE_FLIP_TYPES

/// Calls `use` with an object of the types that `version` has; win8 or later (PRE-01).
template <class Use>
decltype(auto) with_flip_types(wddm version, Use&& use) {
    if (at_least(version, wddm::v2_1)) {
        return use(flip_types_v2_1{});
    }
    if (at_least(version, wddm::v2_0)) {
        return use(flip_types_v2_0{});
    }
    return at_least(version, wddm::v1_3) ? use(flip_types_v1_3{}) : use(flip_types_win8{});
}

/// A flip on its way to the driver.
struct flip_arguments {
    std::uint32_t source = 0;
    std::uint32_t segment = 0;
    std::uint64_t address = 0;   ///< in the segment, its base included
    void* allocation = nullptr;  ///< the driver's own handle
    void* context = nullptr;     ///< that has rendered to it
    bool immediate = false;
    bool patches = false;  ///< the context's buffers are patched
};

/// What DxgkDdiPresent has made of a flip.
struct present_answer {
    ntstatus status = 0;
    bool is_untouched = false;  ///< it has written no commands, and says so
};

/// What the simulator does with the structures, for one version chosen at run time.
struct flip_calls {
    ntstatus (*set_address)(wddmcore_driver_table const&, flip_arguments const&);
    present_answer (*present)(wddmcore_driver_table const&, flip_arguments const&);
    std::size_t source_address_size;
    std::size_t present_size;
};

/// Arguments with room behind them, as larger structures of newer headers would have.
template <class Args>
struct roomy {
    Args args{};
    std::byte behind[2048]{};
};

template <class Args>
ntstatus call_set_address(wddmcore_driver_table const& table, flip_arguments const& f) {
    roomy<Args> whole;
    Args& args = whole.args;
    args.VidPnSourceId = f.source;
    args.PrimarySegment = f.segment;
    args.PrimaryAddress.QuadPart = static_cast<i64>(f.address);
    args.hAllocation = f.allocation;
    args.ContextCount = 1;
    args.Context[0] = f.context;
    args.Flags.FlipImmediate = f.immediate ? 1 : 0;
    args.Flags.FlipOnNextVSync = f.immediate ? 0 : 1;
    return table.set_vidpn_source_address(table.adapter, &args);
}

template <class Args>
present_answer call_present(wddmcore_driver_table const& table, flip_arguments const& f) {
    roomy<Args> whole;
    Args& args = whole.args;
    // The source is in place 1 (DXGK_PRESENT_SOURCE_INDEX); whoever patches nothing gets the other form of the list.
    std::remove_pointer_t<decltype(args.pAllocationList)> list[3]{};
    std::remove_pointer_t<decltype(args.pAllocationInfo)> information[3]{};
    list[1].SegmentId = f.segment & 31U;
    list[1].PhysicalAddress.QuadPart = static_cast<i64>(f.address);
    information[1].SegmentId = static_cast<decltype(information[1].SegmentId)>(f.segment);
    information[1].PhysicalAddress.QuadPart = static_cast<i64>(f.address);
    if (f.patches) {
        args.pAllocationList = list;
    } else {
        args.pAllocationInfo = information;
    }
    args.FlipInterval = f.immediate ? 0 : 1;
    args.Flags.Flip = 1;
    if constexpr (requires { args.NumSrcAllocations; }) {
        args.NumSrcAllocations = 1;
    }
    ntstatus const status = table.present(table.adapter, f.context, &args);
    bool const is_untouched = args.pDmaBuffer == nullptr && args.pDmaBufferPrivateData == nullptr &&
                              args.pPatchLocationListOut == nullptr && args.MultipassOffset == 0;
    return {status, is_untouched};
}

/// The functions for a version.
[[nodiscard]] inline flip_calls flip_calls_for(wddm version) {
    return with_flip_types(version, [](auto chosen) {
        using types = decltype(chosen);
        return flip_calls{&call_set_address<typename types::source_address>, &call_present<typename types::present>,
                          sizeof(typename types::source_address), sizeof(typename types::present)};
    });
}

/// One function of the table for each way in which a driver's member is called.
template <class Driver, class Types>
struct flip_thunks {
    static int WDDMCORE_DRIVER_CALL set_address(void* a, void const* args) {
        return static_cast<Driver*>(a)->set_vidpn_source_address(
            *static_cast<typename Types::source_address const*>(args));
    }
    static int WDDMCORE_DRIVER_CALL set_visibility(void* a, wddmcore_source_visibility const* args) {
        return static_cast<Driver*>(a)->set_vidpn_source_visibility(*args);
    }
    static int WDDMCORE_DRIVER_CALL present(void* a, void* context, void* args) {
        return static_cast<Driver*>(a)->present(context, *static_cast<typename Types::present*>(args));
    }
};

/// Fills what the driver has of set_vidpn_source_address, set_vidpn_source_visibility and present.
template <class Driver>
void bind_flips(Driver& driver, wddm version, wddmcore_driver_table& table) {
    with_flip_types(version, [&](auto chosen) {
        using types = decltype(chosen);
        using to = flip_thunks<Driver, types>;
        if constexpr (requires(typename types::source_address const& args) { driver.set_vidpn_source_address(args); }) {
            table.set_vidpn_source_address = &to::set_address;
            table.set_vidpn_source_address_size = static_cast<unsigned>(sizeof(typename types::source_address));
        }
        if constexpr (requires(wddmcore_source_visibility const& args) { driver.set_vidpn_source_visibility(args); }) {
            table.set_vidpn_source_visibility = &to::set_visibility;
        }
        if constexpr (requires(typename types::present& args) { driver.present(nullptr, args); }) {
            table.present = &to::present;
            table.present_size = static_cast<unsigned>(sizeof(typename types::present));
        }
    });
}

}  // namespace wddmcore::testing::scheduler::parts

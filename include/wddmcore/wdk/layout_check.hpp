// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bind.hpp"

/// Compares the DDI header that the driver included with the layouts that the library was measured against.
///
///     #include <d3dkmddi.h>
///     #include <wddmcore/wdk/layout_check.hpp>    // in one source file of the driver, or of a test of it
///
/// Sizes, alignments, places of members, values of enumerators and statuses are static assertions: a difference is one
/// sentence that names the structure and the member. What an older header does not have yet is no difference; where one
/// has an older shape under the same name, a member that only the newer shape has tells them apart. C++ has no offset
/// of a bit-field, so `wdk::moved_bit()` looks at bits when it is called: in DriverEntry of a checked build, or in a
/// test on the build machine.

#include "layout_check/display.hpp"
#include "layout_check/enumerators.hpp"
#include "layout_check/hardware_queues.hpp"
#include "layout_check/objects.hpp"
#include "layout_check/paging.hpp"
#include "layout_check/queries.hpp"
#include "layout_check/scheduling_1.hpp"
#include "layout_check/scheduling_2.hpp"
#include "layout_check/statuses.hpp"

#include "layout_check/bits/display.hpp"
#include "layout_check/bits/hardware_queues.hpp"
#include "layout_check/bits/objects.hpp"
#include "layout_check/bits/paging.hpp"
#include "layout_check/bits/queries.hpp"
#include "layout_check/bits/scheduling.hpp"

#undef WDDMCORE_PLACE_OF
#undef WDDMCORE_PLACE_IF
#undef WDDMCORE_HAS
#undef WDDMCORE_ROW
#undef WDDMCORE_ROW_OF
#undef WDDMCORE_ROW_NUMBERED
#undef WDDMCORE_RECORD
#undef WDDMCORE_RECORD_UNLESS
#undef WDDMCORE_MEMBER
#undef WDDMCORE_MEMBER_IF
#undef WDDMCORE_CONSTANT
#undef WDDMCORE_STATUS
#undef WDDMCORE_BIT

namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// The first bit-field of the included header that lies elsewhere than the library knows.
///
/// @return "_DXGK_STRUCTURE.Member", or nullptr when every bit is where it was measured
/// IRQL PASSIVE_LEVEL, pageable where its caller is; any WDDM version. Optimised, nothing of it is left where the
/// header is right; unoptimised its frame holds the largest structure and has about 650 bytes, more than law 8 allows
/// on the DDI's own paths. Source: the numbers of tests/abi.
[[nodiscard]] inline char const* moved_bit() noexcept {
    using bits = char const* (*)() noexcept;
    constexpr bits groups[] = {detail::moved_bits_of_paging,  detail::moved_bits_of_scheduling,
                               detail::moved_bits_of_objects, detail::moved_bits_of_queries,
                               detail::moved_bits_of_display, detail::moved_bits_of_hardware_queues};
    for (bits const group : groups) {
        if (char const* const name = group()) {
            return name;
        }
    }
    return nullptr;
}

}  // namespace wddmcore::wdk

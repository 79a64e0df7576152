// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hw/promises/capabilities.hpp"
#include "../hw/promises/cpu_paging.hpp"
#include "operations.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// What an operation wants of a hardware type that it can reach.
template <paging_operation Operation>
struct operation_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!reachable(Hw::caps, Operation)) {
            return true;
        } else if constexpr (hw::left_to_cpu<Hw>(Operation)) {
            return wants::segment_map_promise::kept<Hw, Aloud>();
        } else {
            return operation<Operation>::template kept<Hw, Aloud>();
        }
    }
};

/// That the included header has the arguments of an operation that can come.
template <paging_operation Operation, class Args>
struct arguments_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!reachable(Hw::caps, Operation) || operation<Operation>::template carried_by<Args>) {
            return true;
        } else if constexpr (Operation == paging_operation::notify_fence_residency &&
                             members::map_aperture_segment2<Args>) {
            // Operation 17 begins with the same version as the fences' notice: where it is there, the version is right
            // and the header's generation too old.
            static_assert(
                !Aloud,
                "capabilities: `native_fences` is claimed, but DXGKARG_BUILDPAGINGBUFFER of the included header has no "
                "NotifyFenceResidency: headers have it from build 26100 on, whatever version they declare");
            return false;
        } else {
            static_assert(
                !Aloud,
                "capabilities: `version` is newer than the DXGKDDI_INTERFACE_VERSION of the included header: an "
                "operation that the capabilities claim has no arguments there");
            return false;
        }
    }
};

/// What every hardware type says, whatever can reach it.
struct basic_promises
    : wants::all_of<wants::capabilities_promise, wants::fault_hook_promise, wants::submission_recorder_promise,
                    wants::busy_reporter_promise, wants::dma_size_promise, wants::cpu_paging_promise> {};

/// What one operation wants of the hardware type and of the included header.
template <class Args>
struct with_arguments {
    template <paging_operation Operation>
    struct promise : wants::all_of<operation_promise<Operation>, arguments_promise<Operation, Args>> {};
};

template <class Hw, template <paging_operation> class Promise, u32... Codes>
[[nodiscard]] consteval u32 count_kept(meta::numbers<Codes...>) {
    u32 count = 0;
    static_cast<void>(((Promise<static_cast<paging_operation>(Codes)>::template kept<Hw>() && ++count != 0) && ...));
    return count;
}

/// A promise for each operation; aloud, only the first broken one is asked, so that the compiler's notes stay short.
template <template <paging_operation> class Promise>
struct every_operation {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr u32 first_broken = count_kept<Hw, Promise>(meta::count_to<paging_operation_count>{});
        if constexpr (first_broken != paging_operation_count) {
            return Promise<static_cast<paging_operation>(first_broken)>::template kept<Hw, Aloud>();
        } else {
            return true;
        }
    }
};

/// What all operations that can come want of a hardware type.
using operation_promises = every_operation<operation_promise>;

}  // namespace wddmcore::paging::detail

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks a hardware type against everything that its capabilities make reachable, at compile time.
///
/// A broken promise is one compile error: a sentence that names the member, its form and its unit. The entry points
/// make the same check, and instantiate nothing else when it fails.
///
/// @tparam Hw    the hardware type
/// @tparam Args  DXGKARG_BUILDPAGINGBUFFER of the included header, or one of its mirrors
/// @return true when every promise is kept
template <class Hw, class Args>
[[nodiscard]] consteval bool check_hardware() {
    return paging::detail::wants::keeps<
        Hw, true, paging::detail::basic_promises,
        paging::detail::every_operation<paging::detail::with_arguments<Args>::template promise>>();
}

}  // namespace wddmcore

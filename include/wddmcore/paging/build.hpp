// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "smallest_paging_buffer.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

namespace paging::detail {

/// Builds one operation, if it can come and the hardware does it.
template <paging_operation Operation, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_operation(Hw& hw, Args& args) noexcept {
    // What the CPU does must not be acknowledged here: nobody has done it.
    if constexpr (reachable(Hw::caps, Operation) && !hw::left_to_cpu<Hw>(Operation)) {
        return operation<Operation>::build(hw, args);
    } else {
        if constexpr (Operation == paging_operation::transfer && !reachable(Hw::caps, Operation)) {
            // The news, after an adapter reset, that an allocation left its segment: it comes to every driver, whatever
            // way it moves memory, and asks for nothing (OP00-09, AMB-02).
            if (args.Transfer.TransferSize == 0) {
                return status::success;
            }
        }
        return fault(hw, Operation, found(paging_rule::operation_not_claimed, static_cast<u32>(Operation)));
    }
}

/// Decodes the operation once and goes to its builder.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus dispatch(Hw& hw, Args& args) noexcept {
    u32 const code = static_cast<u32>(args.Operation);
    return visit_operation(
        code, [&]<paging_operation Operation>() { return build_operation<Operation>(hw, args); },
        [&] {
            return fault(hw, static_cast<paging_operation>(code),
                         found(paging_rule::unknown_operation, code, paging_operation_count));
        });
}

/// Whether what a build commits can be stored: pDmaBuffer, the private data and MultipassOffset are [in, out].
template <class Args>
[[nodiscard]] consteval bool can_be_committed() {
    constexpr bool writable = !meta::is_const<Args>;
    static_assert(writable, "build_paging_buffer: the arguments are const, but pDmaBuffer, pDmaBufferPrivateData and "
                            "MultipassOffset have to be written: hand over DXGKARG_BUILDPAGINGBUFFER&");
    return writable;
}

}  // namespace paging::detail

/// DxgkDdiBuildPagingBuffer, all of it: decodes the request, judges it, writes commands, commits.
///
/// What can be told from the arguments is found before the first store. What a list or an array says (pages, entries,
/// ranges, writes) is judged while commands are written for it, in the pass that comes to it, and what that pass wrote
/// is then not committed. A pass resumes from MultipassOffset alone, writes whole
/// commands, pads to the stream's grain, then commits pDmaBuffer, the private-data pointer and MultipassOffset together
/// (PGB-02, PGB-04). No [in] member is written; DmaSize stays as it came (AMB-06). hAllocation may be NULL (PGB-21).
/// The arguments, an MDL, an address descriptor list and every array are read during this call only: of an MDL no page
/// says how long it may be read, so that nothing here relies on more, and the commands hold what they need (AMB-60).
/// A wrong hardware type, or const arguments, are one compile error: a sentence.
///
/// @param hw    the hardware: its encoders, its state, its fault hook
/// @param args  DXGKARG_BUILDPAGINGBUFFER, the header's own or a mirror
/// @return STATUS_SUCCESS: the operation is complete in the commands written so far.
///         STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER: the buffer, or its private data, is full; call again with another
///         and the same arguments. Never without a buffer (OBS-02).
///         STATUS_GRAPHICS_ALLOCATION_BUSY: operations 0, 2 and 7, while AllocationIsIdle is clear and the hardware's
///         busy_reporter says so (PGB-09).
///         STATUS_INVALID_PARAMETER: a malformed request, and the fault hook said stop; this pass committed nothing;
///         the system bugchecks (0x10E or 0x119; OBS-01).
/// IRQL PASSIVE_LEVEL; may be pageable, touches no OS state, and calls the hardware's encoders and hooks at the same
/// level. One call at a time per adapter (PGB-17). WDDM 1.0 to 3.2.
/// Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus build_paging_buffer(Hw& hw, Args& args) noexcept {
    if constexpr (!paging::detail::can_be_committed<Args>()) {
        return status::invalid_parameter;
    } else if constexpr (check_hardware<Hw, Args>()) {
        return paging::detail::dispatch(hw, args);
    } else {
        return status::invalid_parameter;
    }
}

}  // namespace wddmcore

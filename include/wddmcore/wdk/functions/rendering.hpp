// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../preemption/buffers/patch_list.hpp"
#include "../../preemption/buffers/render_pass.hpp"
#include "device.hpp"

struct _DXGKARG_RENDER;

/// DMA buffers with physical addresses: they are made from command buffers, and patched before each submission.
///
/// All functions here: PASSIVE_LEVEL, pageable, no lock.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// One pass of DxgkDdiRender as the driver's `translate` finds it and leaves it.
///
/// Members are written by the driver where they say so; `patches` is used by its add().
template <class Args>
struct render_pass {
    /// An element of the output patch list.
    using element = meta::bare<decltype(*Args::pPatchLocationListOut)>;
    /// An element of the allocation list.
    using entry = meta::bare<decltype(*Args::pAllocationList)>;

    /// The output patch list. Each use of an allocation is added once its place in the buffer is written:
    /// `pass.patches.add(use, pass.addresses)`; `full` is answered with `done` false.
    preemption::patch_list<element, entry> patches;
    preemption::address_writer addresses;  ///< stores addresses in the buffer
    u32 token;      ///< [in, out] how far the work has come, in the driver's own count; 0 in the first pass (SPL-19)
    u32 dma_bytes;  ///< [out] bytes written to the buffer, at most DmaSize
    bool done;      ///< [out] the whole command buffer is translated
};

namespace detail {

template <class Gpu>
concept has_patching = requires(Gpu const& hw) {
    { hw.patching } -> meta::same_as<preemption::patch_rules const&>;
};

template <class Gpu>
concept has_translation = requires(Gpu& hw, void* own, _DXGKARG_RENDER& args, render_pass<_DXGKARG_RENDER>& pass) {
    { hw.translate(own, args, pass) } noexcept -> meta::same_as<ntstatus>;
};

/// The usual writer of a buffer's addresses, as the driver's rules have them.
template <class Gpu>
[[nodiscard]] preemption::address_writer addresses_of(Gpu const& hw, void* buffer) noexcept {
    return {static_cast<u32*>(buffer), hw.patching.address_bytes};
}

/// Whether a render request has each array that it gives a length to.
template <class Args>
[[nodiscard]] bool has_its_arrays(Args const& args) noexcept {
    bool const buffer = args.pDmaBuffer != nullptr || args.DmaSize == 0;
    bool const allocations = args.pAllocationList != nullptr || args.AllocationListSize == 0;
    bool const patches = args.pPatchLocationListOut != nullptr || args.PatchLocationListOutSize == 0;
    return buffer && allocations && patches;
}

}  // namespace detail

/// What render() and patch() ask of a driver's adapter, besides check_device(). A driver with physical addresses
/// asserts it once, after the DDI header:
///
///     preemption::patch_rules patching           what its hardware wants of patches: a constant, or a member
///     patch_writer(pDmaBuffer)                   optional: its own preemption::patch_writer of a buffer
///     ntstatus translate(own, args, pass)        DXGKARG_RENDER and a render_pass of it: commands become commands of
///                                                the hardware, uses of allocations become elements of pass.patches.
///                                                Application memory, pCommand and pPatchLocationListIn, is read once
///                                                and in its own `__try` (preemption::take_user_list, SPL-17)
///
/// Pageable, called at PASSIVE_LEVEL, `translate` in the application's process.
///
/// @return true, or it does not compile: the error names what is missing, has other types or may throw
template <class Gpu>
consteval bool check_rendering() {
    static_assert(detail::has_patching<Gpu>, "wdk: the adapter needs `patching`, a wddmcore::preemption::patch_rules");
    static_assert(
        detail::has_translation<Gpu>,
        "wdk: the adapter needs translate(own, DXGKARG_RENDER&, render_pass<DXGKARG_RENDER>&), noexcept, which "
        "returns a status");
    return true;
}

/// DxgkDdiRender: the application's command buffer becomes commands in a DMA buffer and a list of patches.
///
/// The next pass comes with the same arguments and a fresh buffer, so the token is all that tells it where to go on
/// (SPL-19).
///
/// @param handle  hContext
/// @param args    DXGKARG_RENDER; pDmaBuffer, pPatchLocationListOut and MultipassOffset are written
/// @return success: all is translated. graphics_insufficient_dma_buffer: the buffer or its patch list is full, and
///         another pass is needed. invalid_parameter, with nothing committed: an array is NULL that has a length, or
///         the driver's pass went back, made no progress, or wrote more than there is room for. What else the driver's
///         `translate` returned, also with nothing committed: no_memory, invalid_user_buffer, invalid_handle, or
///         STATUS_ILLEGAL_INSTRUCTION and STATUS_PRIVILEGED_INSTRUCTION for commands that it does not execute
/// PASSIVE_LEVEL (IRQ-01), pageable. WDDM 1.0. Source: nc-d3dkmddi-dxgkddi_render.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus render(void* handle, Args* args) noexcept {
    if (!detail::has_its_arrays(*args)) {
        return status::invalid_parameter;
    }
    context const& of = *detail::context_of(handle);
    Gpu& hw = adapter_of<Gpu>(of.adapter);
    render_pass<Args> pass{{{args->pPatchLocationListOut, args->PatchLocationListOutSize},
                            {args->pAllocationList, args->AllocationListSize},
                            args->DmaSize,
                            hw.patching},
                           detail::addresses_of(hw, args->pDmaBuffer),
                           args->MultipassOffset,
                           0,
                           false};
    ntstatus const translated = hw.translate(of.own, *args, pass);
    if (!succeeded(translated)) {
        return translated;
    }
    return preemption::commit_render(*args, {pass.done, pass.token, pass.dma_bytes, pass.patches.used});
}

/// DxgkDdiPatch: addresses are stored into the portion of a DMA buffer that is submitted next.
///
/// A paging buffer has no lists, so nothing is stored there (AMB-01).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_PATCH
/// @return success. invalid_parameter, with nothing stored: the lists are not what DxgkDdiRender accepted, and the
///         system stops, as it does after any failure of this function (SPL-15). To submit the buffer instead would let
///         the hardware use addresses that nobody gave it
/// PASSIVE_LEVEL (IRQ-01), pageable. WDDM 1.0. Source: nc-d3dkmddi-dxgkddi_patch.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus patch(void* handle, Args const* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    preemption::patch_answer answer{};
    if constexpr (requires { hw.patch_writer(args->pDmaBuffer); }) {
        answer = preemption::patch(*args, hw.patching, hw.patch_writer(args->pDmaBuffer));
    } else {
        answer = preemption::patch(*args, hw.patching, detail::addresses_of(hw, args->pDmaBuffer));
    }
    return answer == preemption::nothing_wrong ? status::success : status::invalid_parameter;
}

}  // namespace wddmcore::wdk

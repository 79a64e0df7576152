// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../../base/units.hpp"

/// Flips by memory-mapped registers. They are no packets: the engine machine does not know them, and a preemption
/// leaves them alone. The scheduler preempts even while flips are pending (FLP-01). Flips at every vsync and immediate
/// ones have to work whatever FlipInterval says (FLP-07).
///
/// With FlipOnVSyncMmIo, DxgkDdiSetVidPnSourceAddress runs at device IRQL, without it at PASSIVE_LEVEL (FLP-03). All
/// functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code.
/// DDI: WDDM 1.0. Source: ns-d3dkmddi-_dxgk_flipcaps.md, nc-d3dkmddi-dxgkddi_setvidpnsourceaddress.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What DxgkDdiPresent has to do.
enum class present_work : u32 {
    write_commands,  ///< into the DMA buffer
    nothing,         ///< the flip comes later, through DxgkDdiSetVidPnSourceAddress
};

/// What DxgkDdiPresent has to do: a flip by registers comes without a DMA buffer and writes none (FLP-02).
///
/// @param is_flip             DXGK_PRESENTFLAGS.Flip
/// @param flip_on_vsync_mmio  whether the driver declared FlipOnVSyncMmIo
/// @param dma_buffer          pDmaBuffer
/// @return the work. missing: there are commands to write, but no buffer. inconsistent: a flip by registers with a
/// buffer Source: ns-d3dkmddi-_dxgk_flipcaps.md.
[[nodiscard]] constexpr result<present_work> work_of_present(bool is_flip, bool flip_on_vsync_mmio,
                                                             void const* dma_buffer) noexcept {
    if (is_flip && flip_on_vsync_mmio) {
        return dma_buffer == nullptr ? good(present_work::nothing) : refused<present_work>(errc::inconsistent);
    }
    return dma_buffer != nullptr ? good(present_work::write_commands) : refused<present_work>(errc::missing);
}

/// When the display takes a new address.
enum class flip_timing : u32 { at_next_vsync, immediately };

/// When a monitor of a source in clone view takes the address of a flip (FLP-06).
///
/// @param asked    the timing of the flip
/// @param monitor  index of the target among those that show the source
/// @return `asked` for the first monitor; immediately for the others, whose vsyncs come at other times
/// Source: nc-d3dkmddi-dxgkddi_setvidpnsourceaddress.md.
[[nodiscard]] constexpr flip_timing timing_in_clone_view(flip_timing asked, u32 monitor) noexcept {
    return monitor == 0 ? asked : flip_timing::immediately;
}

/// The address of a primary, as DxgkDdiSetVidPnSourceAddress gives it: an address in the named segment (FLP-04).
struct primary_address {
    segment_id segment;
    segment_address address;
    friend constexpr bool operator==(primary_address, primary_address) = default;
};

/// The bits of DXGK_SETVIDPNSOURCEADDRESS_FLAGS that are read here.
namespace detail::source_address_flag {
inline constexpr u32 mode_change = 1u << 0;
inline constexpr u32 flip_immediate = 1u << 1;
}  // namespace detail::source_address_flag

/// The timing and the address that a call asks for.
struct flip_request {
    primary_address primary;
    flip_timing timing;
    bool mode_change;  ///< ModeChange: the address belongs to a mode that is about to be set
    friend constexpr bool operator==(flip_request const&, flip_request const&) = default;
};

/// Reads PrimarySegment, PrimaryAddress and Flags of DXGKARG_SETVIDPNSOURCEADDRESS.
///
/// Source: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddress.md.
/// @return the address, in its segment, and when it is to be taken
template <class Args>
[[nodiscard]] constexpr flip_request flip_of(Args const& args) noexcept {
    namespace flag = detail::source_address_flag;
    u32 const flags = args.Flags.Value;
    return {{{args.PrimarySegment}, {static_cast<u64>(args.PrimaryAddress.QuadPart)}},
            (flags & flag::flip_immediate) != 0 ? flip_timing::immediately : flip_timing::at_next_vsync,
            (flags & flag::mode_change) != 0};
}

/// The flips of one VidPN source: what was programmed, and what is scanned out.
///
/// Preemptions, engine resets and paging do not appear here: the display goes on (FLP-01). The driver programs the
/// hardware in the same call, before the next vsync, and calls vsync() before it reports one.
class pending_flip {
public:
    /// DxgkDdiSetVidPnSourceAddress: the address to program now. Interrupt lock.
    ///
    /// A flip that has not latched is replaced: the display shows the newest. Ask the display whether the last one has
    /// latched: it may be scanned out although its interrupt was not served yet.
    ///
    /// @param primary       the address, in its segment
    /// @param last_latched  whether the display has taken the address that was programmed before this one
    /// @return none: program the address before you leave. missing: it is NULL, which no vsync report may carry
    ///         (FLP-05); nothing changes. A segment with a primary must not start at 0
    [[nodiscard]] constexpr errc programmed(primary_address primary, bool last_latched) noexcept {
        if (primary.address.n == 0) {
            return errc::missing;
        }
        vsync(last_latched);
        programmed_ = primary;
        pending_ = true;
        return errc::none;
    }

    /// A vsync, or an immediate flip that took effect. Interrupt lock.
    ///
    /// @param latched  whether the display's status says that it has taken the address programmed last; false when none
    ///                 was programmed since
    constexpr void vsync(bool latched) noexcept {
        if (latched && pending_) {
            scanned_ = programmed_;
            pending_ = false;
        }
    }

    /// Whether a flip waits for its vsync. @return true: programmed and not latched
    [[nodiscard]] constexpr bool pending() const noexcept { return pending_; }

    /// Whether a vsync can be reported. @return false until the first address has latched
    [[nodiscard]] constexpr bool reports() const noexcept { return scanned_.address.n != 0; }

    /// The address to report with a vsync; only when reports().
    /// @return the address that is really scanned out (FLP-04), even while the source is blanked; never NULL (FLP-05)
    [[nodiscard]] constexpr primary_address scanned_out() const noexcept {
        promise(reports());
        return scanned_;
    }

private:
    primary_address programmed_{};
    primary_address scanned_{};
    bool pending_ = false;
};

}  // namespace wddmcore::preemption

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../../base/units.hpp"
#include "../irql.hpp"

/// Flips by memory-mapped registers: they are no packets, so the engine machine does not know them, and a preemption
/// does not touch them. The scheduler preempts even while flips are pending (FLP-01).
///
/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code (FLP-03).
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The level at which DxgkDdiSetVidPnSourceAddress runs (FLP-03).
///
/// @param flip_on_vsync_mmio  whether the driver declared FlipOnVSyncMmIo
/// Source: ns-d3dkmddi-_dxgk_flipcaps.md, nc-d3dkmddi-dxgkddi_setvidpnsourceaddress.md.
[[nodiscard]] constexpr call_level source_address_level(bool flip_on_vsync_mmio) noexcept {
    return flip_on_vsync_mmio ? call_level::device : call_level::passive;
}

/// What DxgkDdiPresent has to do.
enum class present_work : u32 {
    write_commands,  ///< into the DMA buffer
    nothing,         ///< the flip comes later, through DxgkDdiSetVidPnSourceAddress
};

/// What DxgkDdiPresent has to do: a flip by registers has no DMA buffer, and none may be written to (FLP-02).
///
/// @param is_flip             DXGK_PRESENTFLAGS.Flip
/// @param flip_on_vsync_mmio  whether the driver declared FlipOnVSyncMmIo
/// @param dma_buffer          pDmaBuffer
/// @return the work; missing: no buffer, but commands to write; inconsistent: a flip by registers with a buffer
/// Source: ns-d3dkmddi-_dxgk_flipcaps.md.
[[nodiscard]] constexpr result<present_work> work_of_present(bool is_flip, bool flip_on_vsync_mmio,
                                                             void const* dma_buffer) noexcept {
    if (is_flip && flip_on_vsync_mmio) {
        return dma_buffer == nullptr ? good(present_work::nothing) : refused<present_work>(errc::inconsistent);
    }
    return dma_buffer != nullptr ? good(present_work::write_commands) : refused<present_work>(errc::missing);
}

/// The values of D3DDDI_FLIPINTERVAL_TYPE.
enum class flip_interval : u32 {
    immediate = 0,
    one = 1,
    two = 2,
    three = 3,
    four = 4,
    immediate_allow_tearing = 5,  ///< from the header of build 15063
};

/// Whether a driver must be able to flip at an interval: every vsync and immediately always, others by the cap
/// (FLP-07).
///
/// @param flip_interval_cap  the FlipInterval bit that the driver declared
/// Source: ns-d3dkmddi-_dxgk_flipcaps.md.
[[nodiscard]] constexpr bool must_support(flip_interval interval, bool flip_interval_cap) noexcept {
    switch (interval) {
        case flip_interval::immediate:
        case flip_interval::immediate_allow_tearing:
        case flip_interval::one: return true;
        case flip_interval::two:
        case flip_interval::three:
        case flip_interval::four: return flip_interval_cap;
    }
    return false;
}

/// When the display takes a new address.
enum class flip_timing : u32 { at_next_vsync, immediately };

/// When a monitor of a source in clone view takes the address of a flip at vsync: the first one at its vsync, the
/// others at once, since their vsyncs come at other times (FLP-06). An immediate flip is immediate on all.
///
/// @param monitor  index of the target among those that show the source
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
namespace source_address_flag {
inline constexpr u32 mode_change = 1u << 0;
inline constexpr u32 flip_immediate = 1u << 1;
}  // namespace source_address_flag

/// The timing and the address that a call asks for.
struct flip_request {
    primary_address primary;
    flip_timing timing;
    bool mode_change;  ///< ModeChange: the address belongs to a mode that is about to be set
    friend constexpr bool operator==(flip_request const&, flip_request const&) = default;
};

/// Reads DXGKARG_SETVIDPNSOURCEADDRESS: members VidPnSourceId, PrimarySegment, PrimaryAddress, Flags.
///
/// IRQL: device, nonpaged. Source: ns-d3dkmddi-_dxgkarg_setvidpnsourceaddress.md.
template <class Args>
[[nodiscard]] constexpr flip_request flip_of(Args const& args) noexcept {
    namespace flag = source_address_flag;
    u32 const flags = args.Flags.Value;
    return {{{args.PrimarySegment}, {static_cast<u64>(args.PrimaryAddress.QuadPart)}},
            (flags & flag::flip_immediate) != 0 ? flip_timing::immediately : flip_timing::at_next_vsync,
            (flags & flag::mode_change) != 0};
}

/// The flips of one VidPN source: what was programmed, and what is scanned out.
///
/// Preemptions, engine resets and paging do not appear here: the display goes on (FLP-01). The driver programs the
/// hardware in the same call, before the next vsync, and tells each vsync to this before it reports it.
class pending_flip {
public:
    /// DxgkDdiSetVidPnSourceAddress: the address to program now. Interrupt lock.
    ///
    /// A flip that has not latched is replaced: the display shows the newest. Ask the display whether the last one
    /// has: it may have latched without its interrupt having been served, and is scanned out then.
    ///
    /// @param last_latched  whether the display has taken the address that was programmed before this one
    /// @return none: program it before leaving; missing: the address is NULL, which no vsync report may carry
    ///         (FLP-05), so a segment with a primary in it must not start at 0; nothing is changed
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
    /// @param latched  whether the display has taken the address that was programmed last: what its status says, not
    ///                 that it was programmed; false when nothing was programmed since
    constexpr void vsync(bool latched) noexcept {
        if (latched && pending_) {
            scanned_ = programmed_;
            pending_ = false;
        }
    }

    /// Whether a flip waits for its vsync.
    [[nodiscard]] constexpr bool pending() const noexcept { return pending_; }

    /// Whether a vsync can be reported: not before the first address has latched.
    [[nodiscard]] constexpr bool reports() const noexcept { return scanned_.address.n != 0; }

    /// The address to report with a vsync: the one that is really scanned out (FLP-04), also while the source is
    /// blanked, never NULL (FLP-05). Only when reports().
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

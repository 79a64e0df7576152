// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "check.hpp"
#include "memory.hpp"

/// Queries of WDDM 3.2: MMUs, the reserve for virtual GPUs, dirty bits.
///
/// AMB-11: QUERYMMUCOUNT and QUERYMMUS have no page; their members' names and layout are all that is known.
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// QUERYMMUCOUNT.
///
/// @return answered; refused: input_missing, input_size, output_missing, output_size,
///         no_such_adapter; not_mine: not_described, not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_mmu_count(Hw const& hw, Args const& args) noexcept {
    if constexpr (!requires { hw.mmus(u32{0}); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        using input = typename Binding::querymmucountin;
        return for_adapter<input, typename Binding::querymmucountout>(
            args, adapters_of(hw), [&](u32 index, auto& output) {
                output.MmuCount = static_cast<u16>(hw.mmus(index).count);
                return query_answered;
            });
    }
}

/// QUERYMMUS: the array is as long as QUERYMMUCOUNT said, which nothing here can check.
///
/// @return answered; refused: input_missing, input_size, output_missing, output_size,
///         no_such_adapter; not_mine: not_described, not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_mmus(Hw const& hw, Args const& args) noexcept {
    if constexpr (!requires { hw.mmus(u32{0}); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        using input = typename Binding::querymmusin;
        return for_adapter<input, typename Binding::querymmusout>(args, adapters_of(hw), [&](u32 index, auto& output) {
            span<mmu_description const> const mmus = hw.mmus(index);
            if (mmus.count != 0 && output.MmuDescriptors == nullptr) {
                return query_refused(query_reason::output_missing);
            }
            for (usize i = 0; i < mmus.count; ++i) {
                output.MmuDescriptors[i].Flags.Value = 0;
                output.MmuDescriptors[i].Size = mmus[i].size.n;
            }
            if constexpr (requires { hw.display_mmu(index); }) {
                output.DisplayMmuId = hw.display_mmu(index);
            } else {
                output.DisplayMmuId = 0;
            }
            return query_answered;
        });
    }
}

/// Whether an id names local memory: scatter reserves and dirty bits are of such segments only.
[[nodiscard]] constexpr bool is_local_segment(segment::view const& table, u32 id) noexcept {
    segment::entry const* const row = segment::find(table, {id});
    return row != nullptr && !segment::is_aperture(*row);
}

/// SCATTER_RESERVE: the page size of what is set aside for virtual GPUs in a segment. The query names no physical
/// adapter: its segment is one of adapter 0. Source page: ns-d3dkmddi-dxgk_queryscatterreservein.md.
///
/// @return answered; refused: input_missing, input_size, output_missing, output_size,
///         no_such_segment; not_mine: not_described, not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_scatter_reserve(Hw const& hw, Args const& args) noexcept {
    if constexpr (!requires { hw.vgpu_resources_page_size(segment_id{1}); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        using input_type = typename Binding::queryscatterreservein;
        return with_input<input_type, typename Binding::queryscatterreserveout>(
            args, [&](auto const& input, auto& output) {
                if (!is_local_segment(segments_of(hw, 0), input.SegmentId)) {
                    return query_refused(query_reason::no_such_segment);
                }
                output.SetVGPUResourcesPageSize = hw.vgpu_resources_page_size(segment_id{input.SegmentId});
                return query_answered;
            });
    }
}

/// The `Value` of DXGK_DIRTY_BIT_TRACKING_CAPS where dirty bits are tracked: bit 0, and bit 1 where that costs little.
template <class Hw>
[[nodiscard]] consteval u32 dirty_bit_tracking_caps_of() {
    if constexpr (requires { Hw::dirty_bits_performant; }) {
        return Hw::dirty_bits_performant ? 3 : 1;
    } else {
        return 1;
    }
}

/// DIRTYBITTRACKINGCAPS, from `dirty_bit_tracking` of the scheduling claims (HWS-13). Source page:
/// ns-d3dkmddi-dxgk_dirty_bit_tracking_caps.md.
///
/// @return answered; refused: output_missing, output_size; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_dirty_bit_caps(Hw const& hw, Args const& args) noexcept {
    return with_output<typename Binding::dirty_bit_tracking_caps>(args, [&](auto& output) {
        output.Value = scheduling_of(hw).dirty_bit_tracking == claim::yes ? dirty_bit_tracking_caps_of<Hw>() : 0;
        return query_answered;
    });
}

/// DIRTYBITTRACKINGSEGMENTCAPS: the bytes that a bit stands for in the segment whose id is the input, one UINT.
///
/// @return answered; refused: STATUS_NOT_IMPLEMENTED for a segment without dirty bits, as its page says; inconsistent:
///         a size that is no power of two from 4 KiB; no_such_segment; input_missing, input_size, output_missing,
///         output_size; not_mine: not_described, not_in_header
/// Source page: ns-d3dkmddi-dxgk_dirty_bit_tracking_segment_caps.md.
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_dirty_bit_segment(Hw const& hw, Args const& args) noexcept {
    constexpr query_answer none_there{query_outcome::refused, status::not_implemented, query_reason::not_claimed};
    if constexpr (!requires { hw.dirty_bit_page_size(segment_id{1}); }) {
        return query_not_mine(query_reason::not_described);
    } else {
        return with_input<u32, typename Binding::dirty_bit_tracking_segment_caps>(
            args, [&](u32 const& id, auto& output) {
                if (!is_local_segment(segments_of(hw, 0), id)) {
                    return query_refused(query_reason::no_such_segment);
                }
                u32 const page = hw.dirty_bit_page_size(segment_id{id});
                if (page == 0 || scheduling_of(hw).dirty_bit_tracking != claim::yes) {
                    return none_there;
                }
                if (!is_power_of_two(page) || page < page_bytes) {
                    return query_refused(query_reason::inconsistent);
                }
                output.PageSize = page;
                return query_answered;
            });
    }
}

}  // namespace wddmcore::adapter_info::detail

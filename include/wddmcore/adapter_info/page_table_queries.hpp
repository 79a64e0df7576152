// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpuva/level_desc.hpp"
#include "../gpuva/paging_process/space.hpp"
#include "check.hpp"
#include "memory.hpp"

/// The queries about page tables: GPUMMUCAPS, PAGETABLELEVELDESC, PAGINGPROCESSGPUVASIZE. A driver without page tables
/// of its own refuses them.
///
/// All functions here: PASSIVE_LEVEL like DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// Whether a driver may ever have page tables of its own.
template <class Hw>
inline constexpr bool may_have_page_tables = may_be_yes(Hw::caps.gpu_mmu) && Hw::caps.version >= wddm::v2_0;

/// Answers with `answer(hw)`, which is instantiated only for a driver that may ever have page tables of its own.
///
/// @return what it answers; refused: not_claimed; not_mine: not_in_header
template <class Output, class Hw, class Answer>
[[nodiscard]] constexpr query_answer with_page_tables(Hw const& hw, Answer answer) noexcept {
    if constexpr (!present<Output>) {
        return query_not_mine(query_reason::not_in_header);
    } else if constexpr (may_have_page_tables<Hw>) {
        return has_gpu_mmu(chosen_of(hw)) ? answer(hw) : query_refused(query_reason::not_claimed);
    } else {
        return query_refused(query_reason::not_claimed);
    }
}

/// GPUMMUCAPS; the update mode is that of `chosen` (GVA-35). Source page: ns-d3dkmddi-_dxgk_gpummucaps.md.
///
/// @return answered; refused: not_claimed, input_missing, input_size, output_missing, output_size,
///         no_such_adapter; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_gpu_mmu_caps(Hw const& hw, Args const& args) noexcept {
    using input_type = typename Binding::querygpummucapsin;
    using output_type = typename Binding::gpummucaps;
    return with_page_tables<output_type>(hw, [&args](auto const& gpu) {
        return for_adapter<input_type, output_type>(args, adapters_of(gpu), [&gpu](u32, auto& output) {
            capabilities const& chosen = chosen_of(gpu);
            gpuva::gpu_mmu_capabilities claims = gpu.mmu_caps;
            claims.mode = update_mode_of(chosen.page_tables);
            gpuva::fill_gpu_mmu_caps(hw::geometry_of(gpu), claims, chosen.version, output);
            return query_answered;
        });
    });
}

/// Fills the descriptor of a level after checking where its adapter's tables lie (SEG-05, SEG-10, GVA-06, GVA-07,
/// GVA-40).
///
/// @return answered; refused: inconsistent, with nothing written
template <class Hw, class Output>
[[nodiscard]] WDDMCORE_NOINLINE constexpr query_answer fill_level(Hw const& hw, u32 adapter, u32 level,
                                                                  Output& output) noexcept {
    segment::view const table = segments_of(hw, adapter);
    gpuva::page_table_segments const ids = table_segments_of(hw, adapter);
    gpuva::page_table_placement const placement = gpuva::placement_of(table, ids);
    // A placement does not know whether its segments are reported and hold bits, so their ids are checked first.
    if (gpuva::judge_table_segments(table, hw::geometry_of(hw), ids) != segment::no_rule_broken ||
        gpuva::judge_placement(hw::geometry_of(hw), placement, chosen_of(hw).page_tables) != gpuva::no_rule_broken) {
        return query_refused(query_reason::inconsistent);
    }
    gpuva::fill_page_table_level_desc(hw::geometry_of(hw), placement, level, output);
    return query_answered;
}

/// PAGETABLELEVELDESC (GVA-38). Source pages: ns-d3dkmddi-_dxgk_querypagetableleveldescin.md,
/// ns-d3dkmddi-_dxgk_page_table_level_desc.md.
///
/// AMB-24: the page swaps the descriptions of the input's two members. Their names count: LevelIndex comes first.
///
/// @return answered; refused: not_claimed, input_missing, input_size, output_missing, output_size,
///         no_such_adapter, no_such_level, inconsistent (see fill_level); not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_level_desc(Hw const& hw, Args const& args) noexcept {
    using input_type = typename Binding::querypagetableleveldescin;
    using output_type = typename Binding::page_table_level_desc;
    return with_page_tables<output_type>(hw, [&args](auto const& gpu) {
        return with_input<input_type, output_type>(args, [&gpu](auto const& input, auto& output) {
            if (input.PhysicalAdapterIndex >= adapters_of(gpu)) {
                return query_refused(query_reason::no_such_adapter);
            }
            if (input.LevelIndex >= hw::geometry_of(gpu).level_count) {  // AMB-63
                return query_refused(query_reason::no_such_level);
            }
            return fill_level(gpu, input.PhysicalAdapterIndex, input.LevelIndex, output);
        });
    });
}

/// PAGINGPROCESSGPUVASIZE: two UINTs, the second in megabytes (CHK-01); 0 leaves the size to the system (CHK-02),
/// which is the answer where the hardware type has no `paging_space`. Source page: allocation-notification.md.
///
/// @return answered; refused: not_claimed, input_missing, input_size, output_missing, output_size,
///         no_such_adapter
template <class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_paging_space(Hw const& hw, Args const& args) noexcept {
    return with_page_tables<u32>(hw, [&args](auto const& gpu) {
        // Exactly one UINT each way: anything else is another query of the same number.
        if (args.InputDataSize > sizeof(u32)) {
            return query_refused(query_reason::input_size);
        }
        if (args.OutputDataSize > sizeof(u32)) {
            return query_refused(query_reason::output_size);
        }
        return with_input<u32, u32>(args, [&gpu](u32 const& index, u32& size) {
            if (index >= adapters_of(gpu)) {
                return query_refused(query_reason::no_such_adapter);
            }
            if constexpr (requires { gpu.paging_space(index); }) {
                size = gpuva::paging_process_space(hw::geometry_of(gpu), gpu.paging_space(index)).answer.n;
            } else {
                size = 0;
            }
            return query_answered;
        });
    });
}

}  // namespace wddmcore::adapter_info::detail

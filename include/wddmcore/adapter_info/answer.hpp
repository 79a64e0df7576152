// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/adapter_query.hpp"
#include "iommu_queries.hpp"
#include "later_queries.hpp"
#include "page_table_queries.hpp"
#include "physical_adapter_caps.hpp"
#include "segment_queries.hpp"

/// DxgkDdiQueryAdapterInfo: the queries about memory and scheduling, each answered from one description.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// The binding of a call: the one that is named, or the one that belongs to the argument structure.
template <class Binding, class Args>
struct binding_of {
    using type = Binding;
};
template <class Args>
    requires requires { typename types_of<Args>::type; }
struct binding_of<of_args, Args> {
    using type = typename types_of<Args>::type;
};

/// DRIVERCAPS: no size is refused.
///
/// @return partly; refused: output_missing, not_placed, too_large; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_driver_caps(Hw const& hw, Args const& args) noexcept {
    return with_output<typename Binding::drivercaps, room_for::part_of_it>(
        args, [&](auto& output) { return fill_driver_caps(hw, args.OutputDataSize, output); });
}

/// PHYSICALADAPTERCAPS: likewise.
///
/// @return partly; refused: output_missing, input_missing, input_size, no_such_adapter; not_mine: not_in_header
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer answer_physical_adapter_caps(Hw const& hw, Args const& args) noexcept {
    using input = typename Binding::queryphysicaladaptercapsin;
    return for_adapter<input, typename Binding::physicaladaptercaps, room_for::part_of_it>(
        args, adapters_of(hw),
        [&](u32, auto& output) { return fill_physical_adapter_caps(hw, args.OutputDataSize, output); });
}

/// Checks everything that was chosen at AddDevice.
///
/// @return none; number_out_of_range; undecided; more_than_claimed; inconsistent: what was chosen contradicts itself,
///         or a highest visible address is not the last byte of a page
template <class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr query_reason judge_choices(Hw const& hw) noexcept {
    if (check_numbers(hw) != no_number_broken) {
        return query_reason::number_out_of_range;
    }
    capabilities const& chosen = chosen_of(hw);
    query_reason const of_caps = judge_choice(chosen, Hw::caps);
    if (of_caps != query_reason::none) {
        return of_caps;
    }
    if (!iommu::is_decided(chosen_iommu_of(hw))) {
        return query_reason::undecided;
    }
    if (!iommu::narrows(chosen_iommu_of(hw), iommu_claims_of<Hw>())) {
        return query_reason::more_than_claimed;
    }
    if (iommu::judge(chosen, iommu_of(hw)) != iommu::no_rule_broken) {
        return query_reason::inconsistent;
    }
    if (!reaches_whole_pages(hw)) {
        return query_reason::inconsistent;
    }
    preemption::broken_rule const scheduling = preemption::detail::judge_chosen(hw, scheduling_of(hw));
    return scheduling == preemption::no_rule_broken                        ? query_reason::none
           : scheduling.what == preemption::rule::chosen_undecided         ? query_reason::undecided
           : scheduling.what == preemption::rule::chosen_more_than_claimed ? query_reason::more_than_claimed
                                                                           : query_reason::inconsistent;
}

/// Hands a query to the function that answers it. It is not inlined, so that its frame is not part of the caller's.
///
/// @param hw    a hardware type that check_adapter accepts, whose choices judge_choices accepts
/// @param type  any; what no function here answers is not_mine
/// @return what the function that answers it returns; not_mine: unknown_type
template <class Binding, class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr query_answer dispatch(Hw const& hw, adapter_query type,
                                                                Args const& args) noexcept {
    using enum adapter_query;
    using segment::memory_ranges;
    using segment_in = typename Binding::querysegmentin;
    switch (type) {
        case drivercaps: return answer_driver_caps<Binding>(hw, args);
        case querysegment: return answer_segments<segment_in, typename Binding::querysegmentout>(hw, args);
        case querysegment3: return answer_segments<segment_in, typename Binding::querysegmentout3>(hw, args);
        case querysegment4: return answer_segments4<Binding>(hw, args);
        case segmentmemorystate: return answer_memory_state<memory_ranges::invalid, Binding>(hw, args);
        case uefiframebufferranges: return answer_memory_state<memory_ranges::uefi_frame_buffer, Binding>(hw, args);
        case gpummucaps: return answer_gpu_mmu_caps<Binding>(hw, args);
        case pagetableleveldesc: return answer_level_desc<Binding>(hw, args);
        case physicaladaptercaps: return answer_physical_adapter_caps<Binding>(hw, args);
        case framebuffersavesize: return answer_save_size<Binding>(hw, args);
        case hardwarereservedranges:
        case hardwarereservedranges2: return answer_reserved_ranges<Binding>(hw, args);
        case physical_memory_caps: return answer_physical_memory_caps<Binding>(hw, args);
        case iommu_caps: return answer_iommu_caps<Binding>(hw, args);
        case dirtybittrackingcaps: return answer_dirty_bit_caps<Binding>(hw, args);
        case dirtybittrackingsegmentcaps: return answer_dirty_bit_segment<Binding>(hw, args);
        case scatter_reserve: return answer_scatter_reserve<Binding>(hw, args);
        case querypagingbufferinfo: return answer_paging_buffer_info<Binding>(hw, args);
        case querysegmentcount: return answer_segment_count<Binding>(hw, args);
        case querysegment5: return answer_segments5<Binding>(hw, args);
        case querymmucount: return answer_mmu_count<Binding>(hw, args);
        case querymmus: return answer_mmus<Binding>(hw, args);
        case pagingprocessgpuvasize: return answer_paging_space(hw, args);
        default: return query_not_mine(query_reason::unknown_type);
    }
}

/// Refuses a query, unless the driver's own switch answers it.
///
/// To learn whose it is, it is dispatched without memory: a query of the library's is refused for that, and writes
/// nothing.
///
/// @return refused, for the reason given; not_mine, whatever was chosen
template <class Binding, class Hw, class Args>
[[nodiscard]] constexpr query_answer refuse_ours(Hw const& hw, adapter_query type, Args args,
                                                 query_reason why) noexcept {
    args.pInputData = nullptr;
    args.pOutputData = nullptr;
    query_answer const whose = dispatch<Binding>(hw, type, args);
    return whose.done() ? query_refused(why) : whose;
}

}  // namespace wddmcore::adapter_info::detail

namespace wddmcore::inline WDDMCORE_ABI {

/// DxgkDdiQueryAdapterInfo: answers the queries about memory and scheduling from the hardware type's description.
///
///     if (query->Type == DXGKQAITYPE_DRIVERCAPS) { ... fill the driver's own members ... }
///     auto const answer = wddmcore::answer_query_adapter_info(hw, *query);
///     return answer.done() ? answer.status : ... the driver's own switch ...;
///
/// DRIVERCAPS and PHYSICALADAPTERCAPS have two owners: a driver fills its own members first, and may zero the structure
/// before; the members that are set here are listed in adapter_info/driver_caps.hpp and
/// adapter_info/physical_adapter_caps.hpp.
/// What is wrong with the hardware type is one compile error, a sentence; see adapter_info/description.hpp.
///
/// @tparam Binding  the structures that the void pointers point to: of_args finds those of the included header; on a
///                  host mirror_binding<version>
/// @param hw    the hardware: what was chosen at AddDevice, its segments as StartDevice placed them
/// @param args  DXGKARG_QUERYADAPTERINFO, the header's own or a mirror; nothing of it is written but what its pointers
///              name
/// @return answered: everything is written, STATUS_SUCCESS. partly: DRIVERCAPS, PHYSICALADAPTERCAPS, STATUS_SUCCESS.
///         refused: nothing is written; STATUS_INVALID_PARAMETER, STATUS_NOT_SUPPORTED for what is not claimed, or
///         STATUS_NOT_IMPLEMENTED for a segment without dirty bits. not_mine: for the driver's own switch.
/// IRQL PASSIVE_LEVEL; may be pageable, touches no OS state. WDDM 1.0 to 3.2.
/// Source pages: nc-d3dkmddi-dxgkddi_queryadapterinfo.md, ne-d3dkmddi-_dxgk_queryadapterinfotype.md.
template <class Binding = of_args, class Hw, members::query_adapter_info Args>
[[nodiscard]] constexpr query_answer answer_query_adapter_info(Hw const& hw, Args const& args) noexcept {
    using binding = typename adapter_info::detail::binding_of<Binding, Args>::type;
    constexpr bool has_binding = !meta::same_as<binding, of_args>;
    static_assert(has_binding, "adapter: nothing says which structures the void pointers of these arguments are: a "
                               "driver includes the binding of its DDI header, a host names "
                               "`wddmcore::mirror_binding<version>` as first template argument");
    if constexpr (!has_binding) {
        return query_refused(query_reason::not_in_header);
    } else if constexpr (check_adapter<Hw, binding>()) {
        auto const type = static_cast<adapter_query>(static_cast<u32>(args.Type));
        query_reason const against = adapter_info::detail::judge_choices(hw);
        return against == query_reason::none ? adapter_info::detail::dispatch<binding>(hw, type, args)
                                             : adapter_info::detail::refuse_ours<binding>(hw, type, args, against);
    } else {
        return query_refused(query_reason::inconsistent);
    }
}

}  // namespace wddmcore

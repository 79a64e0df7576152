// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../table/judge.hpp"
#include "descriptor.hpp"

/// What all forms of the segment query have in common: which rows are reported, and whether they may be.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// The size of a paging buffer and of its private data, as the driver reports them (SEG-41).
struct paging_buffer_sizes {
    bytes buffer{0};        ///< at least smallest_paging_buffer
    bytes private_data{0};  ///< 0: none
};

/// What a query is answered from.
struct query_subject {
    view table;                    ///< of the physical adapter that is asked for
    wddm version = wddm::vista;    ///< the version that the driver registers with
    paging_buffer_sizes paging{};  ///< not used by form 5
};

namespace detail {

/// How many rows are reported: an AGP row only if the system has such an aperture (SEG-11). It is the last row, so that
/// no other id moves.
[[nodiscard]] constexpr u32 reported_count(view const& table, agp_range const& agp) noexcept {
    usize const rows = table.reported.count;
    bool const without_last =
        rows != 0 && table.reported.data[rows - 1].kind == kind::agp_aperture && agp.size == bytes{0};
    return static_cast<u32>(without_last ? rows - 1 : rows);
}

/// Checks for mistakes of a hand-made table that would make the report untrue: the number of rows and their ids
/// (SEG-05, SEG-06), their order (SEG-11, OBS-04), kinds that do not match the flags, hidden rows among the others, a
/// paging-buffer segment that is no aperture (SEG-40), and a hibernation end without its flag or the reverse (SEG-21).
///
/// @param version  the interface version that the driver registers with, which limits the number of ids
[[nodiscard]] constexpr bool is_reportable(view const& table, wddm version) noexcept {
    if (judge_ids(table, version) != no_rule_broken || judge_order(table) != no_rule_broken) {
        return false;
    }
    for (entry const& e : table.reported) {
        if (kind_of(e.flags) != e.kind || judge_system_memory_end(e, 0) != no_rule_broken) {
            return false;
        }
    }
    return judge_paging_buffer(table, version) == no_rule_broken;
}

/// Whether all rows can be reported in a form: none, or the first reason why not.
template <members::segment_descriptor Descriptor>
[[nodiscard]] constexpr query_reason judge_rows(view const& table, wddm version, agp_range const& agp) noexcept {
    if (!is_reportable(table, version)) {
        return query_reason::inconsistent;
    }
    u32 const count = reported_count(table, agp);
    for (u32 i = 0; i < count; ++i) {
        query_reason const found = judge_descriptor<Descriptor>(table.reported.data[i], version, agp);
        if (found != query_reason::none) {
            return found;
        }
    }
    return query_reason::none;
}

/// Fills the three members about paging buffers, as forms 1, 3 and 4 do in the second call.
template <members::query_segment_out Output>
constexpr void fill_paging_buffer(query_subject const& subject, Output& output) noexcept {
    output.PagingBufferSegmentId = subject.table.paging_buffer.n;
    output.PagingBufferSize = static_cast<u32>(subject.paging.buffer.n);
    output.PagingBufferPrivateDataSize = static_cast<u32>(subject.paging.private_data.n);
}

}  // namespace detail

}  // namespace wddmcore::segment

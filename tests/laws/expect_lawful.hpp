// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rigs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

/// All laws over one rig.
namespace law_rigs {

using lists = std::vector<std::vector<law>>;

/// Runs all laws over a rig; those in `exercised` must have had their occasion.
template <class Rig>
void expect_lawful(lists const& exercised, law_options options = {}) {
    options.seed = seed_of_run();
    int some_allocation = 0;
    options.allocation = &some_allocation;
    INFO("WDDMCORE_SEED=" << options.seed);
    Rig rig;
    if constexpr (requires { rig.prepare(options); }) {
        rig.prepare(options);
    }
    law_report report;
    laws{rig.hw, options}.check(report, rig.play);
    CHECK_MESSAGE(report.kept(), report.text());
    for (std::vector<law> const& list : exercised) {
        for (law const l : list) {
            CHECK_MESSAGE(report.times_exercised(l) != 0, std::string(name(l)) << " was not exercised");
        }
    }
    unsigned asked = 0;
    for (unsigned i = 0; i != law_count; ++i) {
        asked += report.times_exercised(static_cast<law>(i)) != 0 ? 1U : 0U;
    }
    auto const idle = report.not_exercised();
    CHECK(idle.size() == law_count - asked);
    CHECK(std::all_of(idle.begin(), idle.end(), [&report](law l) { return report.times_exercised(l) == 0; }));
    std::string const verdict = report.verdict();
    std::string const kept =
        "kept, " + std::to_string(asked) + " of " + std::to_string(law_count) + " put to the test\n";
    CHECK(verdict.substr(0, kept.size()) == kept);
    CHECK(static_cast<std::size_t>(std::count(verdict.begin(), verdict.end(), '\n')) == 1 + report.left_out().size());
}

inline std::vector<law> const always{law::honest_sizes,       law::every_dword,          law::nothing_from_memory,
                                     law::same_words_again,   law::distinct_sizes,       law::distinct_patterns,
                                     law::distinct_addresses, law::addable_addresses,    law::legal_statuses,
                                     law::room_is_kept,       law::whole_grains,         law::inputs_stay,
                                     law::honest_records,     law::passes_advance,       law::same_in_any_buffer,
                                     law::commands_execute,   law::nothing_else_changes, law::sums_equal_the_request,
                                     law::copies_arrive,      law::fills_arrive,         law::overlap_as_promised};
inline std::vector<law> const physical{law::linear_pages, law::linear_segments, law::known_segments};
inline std::vector<law> const accesses{law::access_in_place};
inline std::vector<law> const in_process{law::linear_virtual};
inline std::vector<law> const apertures{law::entries_arrive};
inline std::vector<law> const entries{law::distinct_entries};
inline std::vector<law> const layouts{law::layouts_return, law::distinct_layouts};
inline std::vector<law> const largest{law::largest_commands};
inline std::vector<law> const padding{law::padding_executes};
inline std::vector<law> const tables{law::entries_fit,   law::distinct_leaves, law::page_sizes_grow,
                                     law::leaf_or_table, law::distinct_values, law::tables_hold_entries,
                                     law::fences_arrive};
inline std::vector<law> const runs{law::runs_as_entries, law::generated_runs};
inline std::vector<law> const notices{law::distinct_notices};
inline std::vector<law> const told{law::notices_arrive};

}  // namespace law_rigs

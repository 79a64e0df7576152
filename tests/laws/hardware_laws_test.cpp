// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "rigs.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace law_rigs;
using lists = std::vector<std::vector<law>>;

/// Runs all laws over a rig; those in `exercised` must have had their occasion.
template <class Rig>
void expect_lawful(lists const& exercised, law_options options = {}) {
    options.seed = seed_of_run();
    int some_allocation = 0;
    options.allocation = &some_allocation;
    INFO("WDDMCORE_SEED=" << options.seed);
    Rig rig;
    law_report report;
    laws{rig.hw, options}.check(report, rig.play);
    CHECK_MESSAGE(report.kept(), report.text());
    for (std::vector<law> const& list : exercised) {
        for (law const l : list) {
            CHECK_MESSAGE(report.times_exercised(l) != 0, name(l) << " was not exercised");
        }
    }
}

std::vector<law> const always{law::honest_sizes,    law::every_dword,        law::nothing_from_memory,
                              law::same_words_again, law::distinct_sizes,     law::distinct_patterns,
                              law::distinct_addresses, law::addable_addresses, law::legal_statuses,
                              law::room_is_kept,    law::whole_grains,       law::inputs_stay,
                              law::honest_records,  law::passes_advance,     law::same_in_any_buffer,
                              law::commands_execute, law::nothing_else_changes, law::sums_equal_the_request,
                              law::copies_arrive,   law::fills_arrive,       law::overlap_as_promised};
std::vector<law> const physical{law::linear_pages, law::linear_segments, law::known_segments};
std::vector<law> const accesses{law::access_in_place};
std::vector<law> const in_process{law::linear_virtual};
std::vector<law> const apertures{law::entries_arrive};
std::vector<law> const entries{law::distinct_entries};
std::vector<law> const layouts{law::layouts_return, law::distinct_layouts};
std::vector<law> const largest{law::largest_commands};
std::vector<law> const padding{law::padding_executes};

}  // namespace

TEST_CASE("laws: the cpu example, physical") {
    expect_lawful<cpu_rig<examples::cpu::physical_paging>>({always, physical, accesses, apertures, entries});
}

TEST_CASE("laws: the cpu example, virtual") {
    expect_lawful<cpu_rig<examples::cpu::virtual_paging>>({always, in_process, apertures, entries});
}

TEST_CASE("laws: amd gfx10, physical") {
    expect_lawful<amd_rig<examples::amd::physical_paging>>({always, physical, accesses, apertures, entries, largest, padding});
}

TEST_CASE("laws: amd gfx10, virtual") {
    expect_lawful<amd_rig<examples::amd::virtual_paging>>({always, in_process, apertures, entries, largest, padding});
}

TEST_CASE("laws: the mock, WDDM 1.0") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::vista>>>(
        {always, physical, accesses, apertures, entries, layouts, largest, padding});
}

TEST_CASE("laws: the mock, WDDM 1.3 without an aperture") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::bare>>>({always, physical, accesses, layouts, largest, padding});
}

TEST_CASE("laws: the mock, virtual with the older aperture form") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::first_virtual>>>({always, in_process, apertures, entries, largest, padding});
}

TEST_CASE("laws: the mock, virtual with ADLs") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::adl_virtual>>>({always, in_process, apertures, entries, largest, padding});
}

TEST_CASE("laws: the mock that may be everything, WDDM 3.2") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::everything>>>(
        {always, physical, in_process, accesses, apertures, entries, layouts, largest, padding});
}

TEST_CASE("laws: the small mock, WDDM 1.0") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::vista>>>({always, physical, accesses, apertures, largest, padding});
}

TEST_CASE("laws: the small mock, WDDM 1.3 without an aperture") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::bare>>>({always, physical, accesses, largest, padding});
}

TEST_CASE("laws: the small mock, virtual with the older aperture form") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::first_virtual>>>({always, in_process, apertures, largest, padding});
}

TEST_CASE("laws: the small mock, virtual with ADLs") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::adl_virtual>>>({always, in_process, apertures, largest, padding});
}

TEST_CASE("laws: the small mock that may be everything, WDDM 3.2") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::everything>>>(
        {always, physical, in_process, accesses, apertures, largest, padding});
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"

#include <hardware/cpu/test_bus.hpp>
#include <slow_build.hpp>

#include <doctest/doctest.h>

namespace sequences {

/// Operations of one sequence; fewer where programs run slowly.
inline constexpr unsigned steps = slow_build ? 300 : 1000;

/// Each form of a request that can come has come, and no other.
inline void check_shapes(player const& all) {
    for (std::size_t i = 0; i != shape_count; ++i) {
        auto const s = static_cast<shape>(i);
        CAPTURE(i);
        CHECK((all.can_meet(s) || all.times(s) == 0));
        CHECK((slow_build || !all.can_meet(s) || all.times(s) != 0));  // a short sequence need not meet them all
    }
}

/// Plays so many operations on a rig.
///
/// @tparam Rig   an adapter but for its calls of the library
/// @tparam Args  of the version
/// @param smallest  whether all buffers are the smallest legal ones
/// @param judge     called with the player and the rig when all was as the model says
template <class Rig, class Args, class Judge>
void check_one_sequence(layout const& where, bool smallest, unsigned operations, Judge const& judge) {
    std::uint64_t const seed = decoder_tests::seed_of_run() + (smallest ? 1 : 0);
    std::string const which = say("WDDMCORE_SEED=", seed - (smallest ? 1 : 0), smallest ? ", smallest buffers" : "");
    INFO(which);
    machine m(where);
    versioned<Rig, Args> rig(m);
    player all(rig, m, seed, smallest, reachable(Rig::hardware::caps, paging_operation::update_page_table), 2);
    std::string const wrong = all.play(operations);
    REQUIRE_MESSAGE(wrong.empty(), wrong);
    judge(all, rig);
}

/// Plays a sequence on a rig, once with buffers of any size and once with the smallest legal one throughout.
///
/// @param operations  what must have happened often enough to mean something
template <class Rig, class Args>
void check_sequence(layout const& where, std::vector<paging_operation> const& operations) {
    auto const judge = [&](player const& all, adapter const& rig) {
        for (paging_operation const operation : operations) {
            CAPTURE(static_cast<unsigned>(operation));
            CHECK((slow_build || all.times(operation) > 3));  // a short sequence need not meet them all
        }
        CHECK((slow_build || all.shared_buffers() > 3));
        check_shapes(all);
        bool const may_use_aperture = rig.known().aperture_moves && rig.observes(paging_operation::transfer) &&
                                      rig.observes(paging_operation::unmap_aperture_segment);
        CHECK((may_use_aperture || all.through_aperture() == 0));
        CHECK((slow_build || !may_use_aperture || all.through_aperture() > 3));
        for (std::size_t mode = 0; mode != 3; ++mode) {
            CAPTURE(mode);
            CHECK((all.updates(mode) != 0) == ((static_cast<u32>(Rig::hardware::caps.page_tables) >> mode & 1) != 0));
        }
    };
    for (bool const smallest : {false, true}) {
        if (!slow_build || smallest || Rig::hardware::caps.version == wddm::v3_2) {
            check_one_sequence<Rig, Args>(where, smallest, steps, judge);
        }
    }
}

}  // namespace sequences

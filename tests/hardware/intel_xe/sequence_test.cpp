// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "xe_rig.hpp"

#include <hardware/cpu/test_bus.hpp>
#include <hardware/nvidia_ampere/paging_sequence.hpp>
#include <slow_build.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace intel_sequence_test {

namespace {

namespace intel = wddmcore::examples::intel;
using namespace wddmcore;
using enum paging_operation;

constexpr unsigned steps = slow_build ? 400 : 1000;

/// Everything that the oldest systems send, operation 7 as well.
constexpr capabilities vista{
    .version = wddm::vista, .aperture = aperture_forms::mdl, .alternate_address_lock = claim::yes};
constexpr capabilities first_virtual{
    .version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::mdl};
/// WDDM 3.2 that may also run as 1.3: both kinds of addresses, either form of aperture.
constexpr capabilities everything{.version = wddm::v3_2,
                                  .oldest = wddm::v1_3,
                                  .addresses = paging_addresses::both,
                                  .aperture = aperture_forms::either,
                                  .alternate_address_lock = claim::at_run_time};

/// The same engine for a driver that wants short commands: limits that are no whole pages, so that a command takes 3
/// and 2 (law 7), and operations need many passes.
template <capabilities Caps>
struct short_commands : intel::xe<Caps> {
    static constexpr bytes copy_max{3 * page_bytes + 192};
    static constexpr bytes fill_max{2 * page_bytes + 4};
};

template <class Hardware>
void expect_sequence(std::vector<paging_operation> const& operations, unsigned least_passes = steps) {
    std::uint64_t const seed = decoder_tests::seed_of_run();
    INFO("WDDMCORE_SEED=" << seed);
    paging_sequence::player<xe_test::rig<Hardware>> player(seed);
    std::string const wrong = player.play(steps);
    CHECK_MESSAGE(wrong.empty(), wrong);
    for (paging_operation const operation : operations) {
        CAPTURE(static_cast<unsigned>(operation));
        CHECK(player.times(operation) > steps / 200);
    }
    CHECK(player.passes() > least_passes);
    CHECK((player.remaps() != 0) == contains(Hardware::caps.addresses, paging_addresses::gpu_virtual));
}

}  // namespace

TEST_CASE("OP00, OP01, OP05, OP06, OP07: random physical paging on Intel Xe leaves the bytes of a model") {
    expect_sequence<intel::xe<vista>>({transfer, fill, discard_content, read_physical, write_physical,
                                       map_aperture_segment, unmap_aperture_segment, special_lock_transfer});
    expect_sequence<short_commands<intel::physical_paging>>(
        {transfer, fill, discard_content, read_physical, write_physical, map_aperture_segment, unmap_aperture_segment},
        steps * 3 / 2);
}

TEST_CASE("OP06, OP08, OP09, OP17: random virtual paging through Intel page tables leaves the bytes of a model") {
    expect_sequence<intel::xe<first_virtual>>(
        {discard_content, unmap_aperture_segment, virtual_transfer, virtual_fill, map_aperture_segment});
    expect_sequence<short_commands<intel::virtual_paging>>(
        {discard_content, unmap_aperture_segment, virtual_transfer, virtual_fill, map_aperture_segment2},
        steps * 3 / 2);
}

TEST_CASE("OP00 to OP09, OP17: random paging of both kinds on Intel Xe leaves the bytes of a model") {
    expect_sequence<intel::xe<everything>>({transfer, fill, discard_content, read_physical, write_physical,
                                            map_aperture_segment, unmap_aperture_segment, special_lock_transfer,
                                            virtual_transfer, virtual_fill, map_aperture_segment2});
}

}  // namespace intel_sequence_test

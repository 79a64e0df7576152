// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "reachable_table.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

namespace reachable_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr claim claims[] = {claim::no, claim::yes, claim::at_run_time};
constexpr paging_addresses address_sets[] = {paging_addresses::physical, paging_addresses::gpu_virtual,
                                             paging_addresses::both};
constexpr aperture_forms form_sets[] = {aperture_forms::none, aperture_forms::mdl, aperture_forms::adl,
                                        aperture_forms::either};

constexpr paging_operation operation_of(operation_row const& row) { return static_cast<paging_operation>(row.code); }

/// The same answer to every claim that is a yes, a no or a perhaps.
constexpr capabilities with_all_claims(capabilities caps, claim all) {
    caps.gpu_mmu = caps.alternate_address_lock = caps.context_allocations = caps.tiled_resources = all;
    caps.residency_notification = caps.monitored_fence_signal = caps.native_fences = all;
    caps.mmu_mapping = caps.allocation_notification = all;
    return caps;
}

/// The claim that an operation asks for, if it asks for one of that kind.
constexpr claim capabilities::* claim_of(precondition needs) {
    switch (needs) {
        case precondition::alternate_address_lock: return &capabilities::alternate_address_lock;
        case precondition::context_allocations: return &capabilities::context_allocations;
        case precondition::page_tables: return &capabilities::gpu_mmu;
        case precondition::tiled_resources: return &capabilities::tiled_resources;
        case precondition::residency_notification: return &capabilities::residency_notification;
        case precondition::fence_signal: return &capabilities::monitored_fence_signal;
        case precondition::native_fences: return &capabilities::native_fences;
        case precondition::mmu_mapping: return &capabilities::mmu_mapping;
        case precondition::allocation_notification: return &capabilities::allocation_notification;
        case precondition::nothing:
        case precondition::physical_addresses:
        case precondition::paging_process_addresses:
        case precondition::aperture_by_mdl:
        case precondition::aperture:
        case precondition::aperture_by_adl: break;
    }
    return nullptr;
}

std::string described(capabilities const& caps, operation_row const& row) {
    return std::string(name(operation_of(row))) + " at " + std::to_string(static_cast<u32>(caps.oldest)) + " to " +
           std::to_string(static_cast<u32>(caps.version)) + ", addresses " +
           std::to_string(static_cast<u32>(caps.addresses)) + ", aperture " +
           std::to_string(static_cast<u32>(caps.aperture)) + ", page tables " +
           std::to_string(static_cast<u32>(caps.page_tables));
}

/// Compares one operation with the table, for every kind of addresses, aperture and page table.
///
/// @return how many sets it looked at
u64 compare(capabilities caps, operation_row const& row, u64& wrong) {
    u64 looked_at = 0;
    for (paging_addresses const addresses : address_sets) {
        for (aperture_forms const form : form_sets) {
            for (u32 modes = 0; modes != 8; ++modes) {
                caps.addresses = addresses;
                caps.aperture = form;
                caps.page_tables = static_cast<update_modes>(modes);
                ++looked_at;
                if (reachable(caps, operation_of(row)) != can_arrive(caps, row) && wrong++ < 5) {
                    FAIL_CHECK(described(caps, row));
                }
            }
        }
    }
    return looked_at;
}

}  // namespace

TEST_CASE("AMB-02: the table has every operation once, in the order of its codes") {
    u32 code = 0;
    for (operation_row const& row : operation_rows) {
        CHECK(row.code == code++);
        CHECK(row.first <= row.last);
        CHECK(since(operation_of(row)) == row.first);
    }
    CHECK(code == paging_operation_count);
}

TEST_CASE("AMB-02: below WDDM 2.0 requests name places, whatever is claimed of addresses") {
    capabilities asked{.version = wddm::v1_3, .oldest = wddm::v1_3, .addresses = paging_addresses::gpu_virtual};
    CHECK(names_places(asked));
    CHECK_FALSE(names_virtual_addresses(asked));
    asked.version = wddm::v2_0;
    CHECK(names_places(asked));
    CHECK(names_virtual_addresses(asked));
    asked.oldest = wddm::v2_0;
    CHECK_FALSE(names_places(asked));
    CHECK(names_virtual_addresses(asked));
}

TEST_CASE("AMB-02: every operation arrives exactly at the versions and claims of the table") {
    u64 looked_at = 0;
    u64 wrong = 0;
    for (operation_row const& row : operation_rows) {
        for (wddm const version : interface_versions) {
            for (claim const all : claims) {
                looked_at += compare(with_all_claims({.version = version}, all), row, wrong);
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(looked_at == u64{paging_operation_count} * 21 * 3 * 3 * 4 * 8);
}

TEST_CASE("AMB-02: a driver that may also declare less gets what the lesser versions send") {
    u64 looked_at = 0;
    u64 wrong = 0;
    for (operation_row const& row : operation_rows) {
        for (wddm const version : interface_versions) {
            for (wddm const oldest : interface_versions) {
                if (oldest > version) {
                    break;
                }
                looked_at += compare(with_all_claims({.version = version, .oldest = oldest}, claim::yes), row, wrong);
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(looked_at == u64{paging_operation_count} * (21 * 22 / 2) * 3 * 4 * 8);
}

TEST_CASE("AMB-02: no operation listens to a claim that is not its own") {
    for (operation_row const& row : operation_rows) {
        claim capabilities::* const own = claim_of(row.needs);
        for (wddm const version : {wddm::v1_3, wddm::v2_0, wddm::v2_2, wddm::v2_9, wddm::v3_2}) {
            capabilities const base{
                .version = version, .addresses = paging_addresses::both, .aperture = aperture_forms::either};
            for (claim const others : claims) {
                capabilities caps = with_all_claims(base, others);
                if (own != nullptr) {
                    caps.*own = claim::no;
                }
                capabilities alone = base;
                CAPTURE(name(operation_of(row)));
                CHECK(reachable(caps, operation_of(row)) == reachable(alone, operation_of(row)));
            }
        }
    }
}

TEST_CASE("law 5: what AddDevice decides is reachable as long as it may become a yes") {
    for (operation_row const& row : operation_rows) {
        for (wddm const version : interface_versions) {
            capabilities const base{.version = version, .aperture = aperture_forms::either};
            CHECK(reachable(with_all_claims(base, claim::at_run_time), operation_of(row)) ==
                  reachable(with_all_claims(base, claim::yes), operation_of(row)));
        }
    }
    CHECK(may_be_yes(claim::yes));
    CHECK(may_be_yes(claim::at_run_time));
    CHECK_FALSE(may_be_yes(claim::no));
}

TEST_CASE("law 5: a code that no table knows can never arrive") {
    capabilities const everything = with_all_claims({.version = wddm::v3_2,
                                                     .oldest = wddm::vista,
                                                     .addresses = paging_addresses::both,
                                                     .aperture = aperture_forms::either},
                                                    claim::yes);
    u32 reached = 0;
    for (u32 code = 0; code != paging_operation_count; ++code) {
        reached += reachable(everything, static_cast<paging_operation>(code));
    }
    CHECK(reached == paging_operation_count);
    for (u32 const code : {paging_operation_count, paging_operation_count + 1, 31u, 0x8000'0000u, 0xFFFF'FFFFu}) {
        CHECK_FALSE(reachable(everything, static_cast<paging_operation>(code)));
    }
}

}  // namespace reachable_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Every promise of a GPU with virtual memory, over the example hardware and the mock.
#include "expect_lawful.hpp"
#include "virtual_rigs.hpp"

namespace virtual_test {

using namespace law_rigs;
namespace amd = examples::amd;
namespace cpu = examples::cpu;
namespace intel = examples::intel;
namespace nvidia = examples::nvidia;

namespace {

constexpr update_modes every_mode = update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical;

// Memory that is compared after each request is much of the time, so there are fewer of them.
constexpr unsigned few = 10;

}  // namespace

TEST_CASE("laws: the mock's page tables, notices and contexts, every update mode") {
    expect_lawful<mock_table_rig<mock_gpu<mock::every_promise(wddm::v3_2)>>>(
        {always, in_process, tables, notices, told}, law_options{.rounds = few});
    expect_lawful<mock_table_rig<mock_gpu<mock::every_promise(wddm::v3_2, every_mode, paging_addresses::both)>>>(
        {always, physical, in_process, tables, notices, told}, law_options{.rounds = few});
}

TEST_CASE("laws: the mock's page tables, WDDM 2.0, by place and by the CPU only") {
    expect_lawful<mock_table_rig<mock_gpu<mock::every_promise(
        wddm::v2_0, update_modes::cpu_virtual | update_modes::gpu_physical, paging_addresses::both)>>>(
        {physical, {law::tables_hold_entries, law::page_sizes_grow}}, law_options{.rounds = few});
    expect_lawful<mock_table_rig<mock_gpu<mock::every_promise(wddm::v2_0, update_modes::cpu_virtual)>>>(
        {in_process, {law::tables_hold_entries, law::page_sizes_grow}}, law_options{.rounds = few});
}

TEST_CASE("laws: flushes at once, beside commands and in their place (OP12-01, OP12-03)") {
    using both = flushes_at_once<mock_gpu<mock::every_promise(wddm::v3_2)>>;
    using alone = only_flushes_at_once<mock_gpu<mock::every_promise(wddm::v2_0, update_modes::cpu_virtual)>>;
    static_assert(hw::ranged_tlb<both> && hw::ranged_tlb_at_once<both>);
    static_assert(!hw::tlb_by_command<alone> && hw::ranged_tlb_at_once<alone>);
    expect_lawful<telling_rig<both>>({told}, law_options{.rounds = few});
    expect_lawful<telling_rig<alone>>({told}, law_options{.rounds = few});
}

TEST_CASE("laws: the cpu example with page tables") {
    expect_lawful<cpu_table_rig<cpu::virtual_processor<>>>({always, in_process, tables, runs, notices, told},
                                                           law_options{.rounds = few});
    expect_lawful<
        cpu_table_rig<cpu::virtual_processor<cpu::every_promise(wddm::v3_2, every_mode, paging_addresses::both)>>>(
        {always, physical, tables, runs, notices, told}, law_options{.rounds = few});
}

TEST_CASE("laws: amd gfx10 with page tables") {
    expect_lawful<amd_table_rig<amd::gfx10_virtual<>>>({always, in_process, tables, runs, notices, told},
                                                       law_options{.rounds = few});
    expect_lawful<amd_table_rig<amd::gfx10_virtual<amd::whole_memory>>>({always, physical, tables, runs, notices, told},
                                                                        law_options{.rounds = few});
    expect_lawful<amd_table_rig<amd::gfx10_virtual<amd::physical_memory>>>(
        {physical, runs, told, {law::tables_hold_entries}}, law_options{.rounds = few});
}

TEST_CASE("laws: intel xe with page tables") {
    expect_lawful<intel_table_rig<intel::xe_virtual<>>>({always, in_process, tables, notices, told},
                                                        law_options{.rounds = 5});
    expect_lawful<intel_table_rig<intel::xe_virtual<intel::whole_memory>>>({always, physical, tables, notices, told},
                                                                           law_options{.rounds = 5});
}

TEST_CASE("laws: nvidia ampere with page tables") {
    expect_lawful<nvidia_table_rig<nvidia::ampere_virtual<>>>({always, in_process, tables, told},
                                                              law_options{.rounds = 5});
    expect_lawful<nvidia_table_rig<
        nvidia::ampere_virtual<nvidia::every_promise(wddm::v3_2, every_mode, paging_addresses::both)>>>(
        {always, physical, tables, told}, law_options{.rounds = 5});
}

}  // namespace virtual_test

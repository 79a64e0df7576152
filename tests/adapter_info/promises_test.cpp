// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// What a hardware type has to say of its adapter, one member and one claim at a time: the type that keeps a promise, and
// those beside it that do not. What the compiler then says is in tests/compile_fail.

#include <wddmcore/adapter_info/check.hpp>
#include <wddmcore/adapter_info/promises.hpp>

#include "../hw/keeps.hpp"
#include "../hw/plain_gpu.hpp"

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace adapter_promises_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace promises = wddmcore::adapter_info::detail;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

/// A type of which only the claims are asked, or what is added to it.
template <capabilities Caps, scheduling_capabilities Scheduling = scheduling_capabilities{}>
struct claims {
    static constexpr capabilities caps = Caps;
    static constexpr scheduling_capabilities scheduling = Scheduling;
};
using says_nothing = claims<capabilities{.version = wddm::v3_2}>;
constexpr capabilities open{.version = wddm::v3_2, .gpu_mmu = claim::at_run_time};
constexpr scheduling_capabilities open_scheduling{.multi_engine_aware = claim::at_run_time};

template <class Hw>
struct has_chosen : Hw {
    capabilities chosen{};
    scheduling_capabilities chosen_scheduling{};
    iommu::capabilities chosen_iommu{};
};
template <class Hw>
struct wrong_chosen : Hw {
    u32 chosen = 0;
    u32 chosen_scheduling = 0;
    u32 chosen_iommu = 0;
};

struct by_view {
    segment::view segments{};
};
struct by_function {
    static segment::view segments(u32) { return {}; }
};
struct by_number {
    u32 segments = 0;
};
struct by_nothing {};

template <class Hw>
struct with_geometry : Hw {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{9, 8}, {9, 8}, {9, 8}}};
};
template <class Hw>
struct with_mmu_caps : with_geometry<Hw> {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
};
template <class Hw>
struct with_tables : with_mmu_caps<Hw> {
    static constexpr gpuva::page_table_segments table_segments{};
};
template <class Hw>
struct with_table_function : with_mmu_caps<Hw> {
    static gpuva::page_table_segments table_segments(u32) { return {}; }
};
template <wddm Version, claim GpuMmu, claim IoMmu = claim::no, paging_addresses Addresses = paging_addresses::physical>
using mmus = claims<capabilities{.version = Version, .addresses = Addresses, .gpu_mmu = GpuMmu, .io_mmu = IoMmu}>;

template <class Hw>
struct in_system_memory : with_mmu_caps<Hw> {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{11, 8}, {9, 8}, {9, 8}}};
    static constexpr gpuva::page_table_segments table_segments{};
};
template <class Hw>
struct with_one_level : with_tables<Hw> {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 1, .levels = {{9, 8}}};
};
/// A claim that the geometry does not carry: 64-KiB pages without tables of them.
template <class Hw>
struct with_wrong_features : with_tables<Hw> {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.system_memory_64k_pages = true};
};
template <class Hw, bool Meant>
struct means_both : Hw {
    static constexpr bool both_mmus_on_one_adapter = Meant;
};

template <iommu::capabilities Claims>
struct with_iommu : says_nothing {
    static constexpr iommu::capabilities iommu = Claims;
};
struct wrong_iommu : says_nothing {
    static constexpr u32 iommu = 0;
};

using plain = plain_gpu<>;
template <u64 Bytes>
struct with_buffer : plain {
    static constexpr bytes paging_buffer_size{Bytes};
};
struct wrong_buffer : plain {
    static constexpr u32 paging_buffer_size = 0x10000;
};
template <u64 Record>
struct with_record : plain {
    static constexpr bytes record_bytes{Record};
    static void encode_record(void*, paging_record const&) {}
};
template <u64 Bytes>
struct with_private_data : with_record<16> {
    static constexpr bytes paging_private_data_size{Bytes};
};
struct wrong_private_data : with_record<16> {
    static constexpr u32 paging_private_data_size = 16;
};

}  // namespace types

using namespace types;

TEST_CASE("law 5: a version is one of the header's") {
    using promise = promises::version_promise<mirror_binding<wddm::v2_9>>;
    expect_both(keeps<promise, claims<capabilities{.version = wddm::v2_9}>>);
    expect_both(keeps<promise, claims<capabilities{.version = wddm::v2_8}>>);
    expect_both(!keeps<promise, claims<capabilities{.version = wddm::v3_0}>>);
}

TEST_CASE("law 5: what is left to AddDevice has a member for the choice, of the right type") {
    using promises::chosen_promise;
    expect_both(keeps<chosen_promise, says_nothing> && !keeps<chosen_promise, claims<open>>);
    expect_both(keeps<chosen_promise, has_chosen<says_nothing>> && keeps<chosen_promise, has_chosen<claims<open>>>);
    expect_both(!keeps<chosen_promise, wrong_chosen<says_nothing>> &&
                !keeps<chosen_promise, wrong_chosen<claims<open>>>);
    using promises::scheduling_promise;
    using open_claims = claims<capabilities{.version = wddm::v3_2}, open_scheduling>;
    expect_both(keeps<scheduling_promise, says_nothing> && !keeps<scheduling_promise, open_claims>);
    expect_both(keeps<scheduling_promise, has_chosen<says_nothing>> &&
                keeps<scheduling_promise, has_chosen<open_claims>>);
    expect_both(!keeps<scheduling_promise, wrong_chosen<says_nothing>> &&
                !keeps<scheduling_promise, wrong_chosen<open_claims>>);
    using promises::iommu_promise;
    using decided = with_iommu<iommu::capabilities{.isolation = claim::yes}>;
    using undecided = with_iommu<iommu::capabilities{.isolation = claim::at_run_time}>;
    expect_both(keeps<iommu_promise, says_nothing> && keeps<iommu_promise, decided>);
    expect_both(!keeps<iommu_promise, undecided> && keeps<iommu_promise, has_chosen<undecided>>);
    expect_both(keeps<iommu_promise, has_chosen<says_nothing>> && !keeps<iommu_promise, wrong_chosen<says_nothing>>);
    expect_both(!keeps<iommu_promise, wrong_chosen<undecided>> && !keeps<iommu_promise, wrong_iommu>);
}

TEST_CASE("law 5: segments are a view, a table or a function") {
    using promises::segments_promise;
    expect_both(keeps<segments_promise, by_view> && keeps<segments_promise, by_function>);
    expect_both(!keeps<segments_promise, by_number> && !keeps<segments_promise, by_nothing>);
}

TEST_CASE(
    "GVA-35: a GPU MMU that may be claimed has tables, capabilities and segments; without the claim it has none") {
    using promises::page_tables_promise;
    using claimed = mmus<wddm::v2_0, claim::yes>;
    expect_both(!keeps<page_tables_promise, claimed> && !keeps<page_tables_promise, with_geometry<claimed>>);
    expect_both(!keeps<page_tables_promise, with_mmu_caps<claimed>>);
    expect_both(keeps<page_tables_promise, with_tables<claimed>> &&
                keeps<page_tables_promise, with_table_function<claimed>>);
    using later = mmus<wddm::v2_0, claim::at_run_time>;
    expect_both(!keeps<page_tables_promise, later> && keeps<page_tables_promise, with_tables<later>>);
    // Before WDDM 2.0 nothing is claimed, whatever the type has.
    using earlier = mmus<wddm::v1_3, claim::yes>;
    expect_both(keeps<page_tables_promise, earlier> && keeps<page_tables_promise, with_tables<earlier>>);
    using forgotten = mmus<wddm::v2_0, claim::no>;
    expect_both(keeps<page_tables_promise, forgotten> && !keeps<page_tables_promise, with_tables<forgotten>>);
    expect_both(keeps<page_tables_promise, with_tables<mmus<wddm::v1_3, claim::no>>>);
}

TEST_CASE("GVA-35: GPU virtual addresses need an MMU of either kind, from WDDM 2.0 on") {
    using promises::page_tables_promise;
    constexpr paging_addresses addresses = paging_addresses::gpu_virtual;
    expect_both(!keeps<page_tables_promise, mmus<wddm::v2_0, claim::no, claim::no, addresses>>);
    expect_both(!keeps<page_tables_promise, mmus<wddm::v2_0, claim::no, claim::no, paging_addresses::both>>);
    expect_both(keeps<page_tables_promise, mmus<wddm::v2_0, claim::no, claim::yes, addresses>>);
    expect_both(keeps<page_tables_promise, mmus<wddm::v2_0, claim::no, claim::at_run_time, addresses>>);
    expect_both(keeps<page_tables_promise, with_tables<mmus<wddm::v2_0, claim::yes, claim::no, addresses>>>);
    expect_both(keeps<page_tables_promise, mmus<wddm::v1_3, claim::no, claim::no, addresses>>);
    expect_both(keeps<page_tables_promise, mmus<wddm::v2_0, claim::no>>);
}

TEST_CASE(
    "law 5: scheduling by virtual addresses needs an MMU, and what computes alone says so twice, from WDDM 2.6 on") {
    using promises::scheduling_promise;
    constexpr scheduling_capabilities addresses{.virtual_addressing = claim::yes};
    constexpr scheduling_capabilities addresses_later{.virtual_addressing = claim::at_run_time};
    constexpr capabilities none{.version = wddm::v3_2};
    constexpr capabilities gpu{.version = wddm::v3_2, .gpu_mmu = claim::yes};
    constexpr capabilities io{.version = wddm::v3_2, .io_mmu = claim::at_run_time};
    expect_both(!keeps<scheduling_promise, claims<none, addresses>> &&
                keeps<scheduling_promise, claims<gpu, addresses>>);
    expect_both(keeps<scheduling_promise, claims<io, addresses>>);
    expect_both(!keeps<scheduling_promise, has_chosen<claims<none, addresses_later>>> &&
                keeps<scheduling_promise, has_chosen<claims<io, addresses_later>>>);
    constexpr scheduling_capabilities computes{.kind = adapter_kind::compute_only};
    constexpr capabilities compute{.version = wddm::v2_6, .compute_only = true};
    constexpr capabilities before{.version = wddm::v2_5, .compute_only = true};
    expect_both(keeps<scheduling_promise, claims<compute, computes>> &&
                !keeps<scheduling_promise, claims<before, computes>>);
    expect_both(!keeps<scheduling_promise, claims<compute>> && !keeps<scheduling_promise, claims<none, computes>>);
}

TEST_CASE("law 7: a paging buffer holds the longest group of commands, and fits 32 bits; so does its private data") {
    using promises::paging_buffer_promise;
    constexpr u64 smallest = smallest_paging_buffer<plain>.n;
    expect_both(keeps<paging_buffer_promise, plain> && promises::paging_buffer_size_of<plain>() == 64 * kib);
    expect_both(keeps<paging_buffer_promise, with_buffer<smallest>> &&
                !keeps<paging_buffer_promise, with_buffer<smallest - 1>>);
    expect_both(promises::paging_buffer_size_of<with_buffer<smallest>>() == bytes{smallest});
    expect_both(keeps<paging_buffer_promise, with_buffer<0xFFFF'FFFF>> &&
                !keeps<paging_buffer_promise, with_buffer<0x1'0000'0000>>);
    expect_both(!keeps<paging_buffer_promise, wrong_buffer>);
    expect_both(promises::paging_private_data_size_of<plain>() == bytes{0});
    expect_both(!keeps<paging_buffer_promise, with_record<16>> && !keeps<paging_buffer_promise, with_private_data<15>>);
    expect_both(keeps<paging_buffer_promise, with_private_data<16>> &&
                keeps<paging_buffer_promise, with_private_data<0xFFFF'FFFF>>);
    expect_both(!keeps<paging_buffer_promise, with_private_data<0x1'0000'0000>>);
    expect_both(!keeps<paging_buffer_promise, wrong_private_data>);
}

}  // namespace adapter_promises_test

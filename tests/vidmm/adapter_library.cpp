// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/host_aperture.hpp>
#include <wddmcore/testing/vidmm/adapter/run.hpp>
#include <wddmcore/testing/vidmm/adapter/start.hpp>

#include <hardware/cpu_virtual.hpp>
#include <wddmcore/adapter_info.hpp>

#include <doctest/doctest.h>

#include <map>

namespace toy::library_answers {

using namespace wddmcore;

using segment::entry;
using segment::flag;
using segment::flags;
using segment::kind;

inline constexpr entry aperture_row{.kind = kind::aperture,
                                    .id = {1},
                                    .base = {0x10'0000'0000},
                                    .size = 512 * mib,
                                    .commit_limit = 300 * mib,
                                    .flags = flags{}.with(flag::aperture).with(flag::cache_coherent)};
inline constexpr entry visible_row{.kind = kind::cpu_visible_memory,
                                   .id = {2},
                                   .base = {0x20'0000'0000},
                                   .size = 3 * gib,
                                   .commit_limit = 3 * gib,
                                   .flags = flags{}.with(flag::cpu_visible),
                                   .cpu = {0x38'0000'0000}};
inline constexpr segment::memory_range holes[] = {{{0x10'0000}, 64 * kib}, {{0x20'0000}, 128 * kib}};
inline constexpr entry window_row{
    .kind = kind::memory_behind_host_aperture,
    .id = {2},
    .base = {0x20'0000'0000},
    .size = 5 * gib,
    .commit_limit = 5 * gib,
    .flags = flags{}.with(flag::use_64kb_pages).with(flag::supports_cpu_host_aperture).with(flag::vpr_supported),
    .host_aperture = {{0xE000'0000}, 0x1234},
    .vpr = {{0x4000'0000}, 256 * mib, 0x1'0000, 3, 0x20'0000},
    .invalid = {holes, 2}};
inline constexpr entry plain_rows[] = {aperture_row, visible_row};
inline constexpr entry window_rows[] = {aperture_row, window_row};
inline constexpr segment::view plain_table{{plain_rows, 2}, {nullptr, 0}, {1}};
inline constexpr segment::view window_table{{window_rows, 2}, {nullptr, 0}, {1}};
inline constexpr iommu::physical_memory_range two_ranges[] = {{0x1000'0000, 2 * mib}, {0x8000'0000, 64 * kib}};

/// What the driver claims where it registers with this version: page tables from WDDM 2.0 on, ADLs from 2.9.
constexpr capabilities claimed(wddm version) {
    bool const v2 = version >= wddm::v2_0;
    return {.version = version,
            .oldest = version,
            .addresses = paging_addresses::both,
            .aperture = version >= wddm::v2_9 ? aperture_forms::adl : aperture_forms::mdl,
            .gpu_mmu = v2 ? claim::yes : claim::no,
            .page_tables = v2 ? update_modes::gpu_virtual : update_modes::none,
            .highest_visible_address = (u64{1} << 44) - 1};
}

/// The processor of the examples with segments, one engine and an IOMMU.
template <wddm Version>
struct gpu_of : examples::cpu::virtual_processor<claimed(Version)> {
    static constexpr scheduling_capabilities scheduling{.dirty_bit_tracking =
                                                            Version >= wddm::v3_2 ? claim::yes : claim::no};
    static constexpr mmu_description two_mmus[2] = {{4 * gib}, {1 * gib}};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::dma_buffer_boundary}}};
    static constexpr iommu::capabilities iommu{.isolation = Version >= wddm::v2_4 ? claim::yes : claim::no,
                                               .dma_remapping = Version >= wddm::v2_9 ? claim::yes : claim::no};
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{2}, segment_id{2});
    static constexpr bytes paging_buffer_size{0x3'5000};

    segment::view table = window_table;
    u32 link = 1;

    [[nodiscard]] constexpr segment::view segments(u32) const { return table; }
    [[nodiscard]] constexpr u32 physical_adapters() const { return link; }
    [[nodiscard]] constexpr span<mmu_description const> mmus(u32) const { return {two_mmus, 2}; }
    [[nodiscard]] constexpr u64 vgpu_resources_page_size(segment_id) const { return (2 * mib).n; }
    [[nodiscard]] constexpr u32 dirty_bit_page_size(segment_id) const { return 0x1'0000; }
    [[nodiscard]] constexpr bytes frame_buffer_save_size() const { return 5 * mib + bytes{1}; }
    [[nodiscard]] constexpr span<wddmcore::iommu::physical_memory_range const> reserved_ranges() const {
        return {two_ranges, 2};
    }
};

/// A driver that leaves every answer to the library.
template <wddm Version>
struct library_driver {
    gpu_of<Version> gpu;
    std::map<u64, u64> shown;  // pages of the segment by physical adapter's segment and page of the aperture

    library_driver() {
        if (Version < wddm::v2_0) {
            gpu.table = plain_table;  // forms 1 and 3 cannot say a CPU host aperture
        }
    }

    template <class Binding, class Args>
    ntstatus query_adapter_info(Args const& args) {
        query_answer const answer = answer_query_adapter_info<Binding>(gpu, args);
        return answer.done() ? answer.status : status::not_supported;
    }

    ntstatus map_cpu_host_aperture(mirror::v2_0::dxgkarg_mapcpuhostaperture const& args) {
        return segment::map_cpu_host_aperture(gpu.table, *this, args);
    }
    ntstatus unmap_cpu_host_aperture(mirror::v2_0::dxgkarg_unmapcpuhostaperture const& args) {
        return segment::unmap_cpu_host_aperture(gpu.table, *this, args);
    }
    void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page) {
        shown[aperture_page] = memory_page;
    }
    void clear_host_aperture_entry(segment_id, u32 aperture_page) { shown.erase(aperture_page); }

    ntstatus begin_exclusive_access(mirror::v2_4::dxgkarg_beginexclusiveaccess const&) { return status::success; }
    ntstatus end_exclusive_access(mirror::v2_4::dxgkarg_endexclusiveaccess const&) { return status::success; }
};

// The window of these tables is before a segment of 64-KiB pages.
template <wddm Version>
int WDDMCORE_DRIVER_CALL target_of(void* adapter, unsigned, unsigned, unsigned long long offset,
                                   unsigned long long* found) {
    auto const& shown = static_cast<library_driver<Version>*>(adapter)->shown;
    auto const at = shown.find(offset / 65536);
    *found = at == shown.end() ? 0 : at->second * 65536 + offset % 65536;
    return at == shown.end() ? 1 : 0;
}

template <wddm Version>
[[nodiscard]] wddmcore_driver_table table_of(library_driver<Version>& driver) {
    wddmcore_driver_table t{};
    t.size = static_cast<unsigned>(sizeof t);
    t.adapter = &driver;
    testing::add_adapter_functions<Version>(driver, t);
    t.host_aperture_target = &target_of<Version>;
    return t;
}

template <wddm Version>
void check_start(testing::vidmm_adapter_options const& options = {}) {
    INFO("version ", static_cast<u32>(Version));
    library_driver<Version> driver;
    driver.gpu.link = options.physical_adapters;
    testing::vidmm_adapter system(table_of(driver), options);
    bool const started = system.start();
    INFO(system.refusal());
    INFO(system.report().text());
    CHECK(started);
    CHECK(system.exclusive_access() == at_least(Version, wddm::v2_4));
    CHECK(system.stop());
    CHECK(system.report().passed());
    CHECK(system.description().adapters.size() == options.physical_adapters);
    for (auto const rule : {testing::vidmm_rule::hws_14, testing::vidmm_rule::amb_66, testing::vidmm_rule::amb_67}) {
        CHECK((system.report().times_exercised(rule) != 0) == at_least(Version, wddm::v3_2));
    }
    CHECK(system.description().adapters[0].mmu_sizes.size() == (at_least(Version, wddm::v3_2) ? 2 : 0));
}

TEST_CASE("the library's own answers start an adapter at every kind of version") {
    check_start<wddm::vista>();
    check_start<wddm::win8>();
    check_start<wddm::v2_0>();
    check_start<wddm::v2_4>();
    check_start<wddm::v2_9>({.remaps = true});
    check_start<wddm::v3_2>({.remaps = true});
    check_start<wddm::v3_2>({.physical_adapters = 2});
    check_start<wddm::v3_2>({.form5 = true, .older_system = wddm::v2_0});
}

}  // namespace toy::library_answers

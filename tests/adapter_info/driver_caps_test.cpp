// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "../base/expect_both.hpp"

namespace driver_caps_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr auto drivercaps = adapter_query::drivercaps;

/// A type of which only the claims of scheduling are asked.
template <scheduling_capabilities Claims>
struct scheduling_only {
    static constexpr scheduling_capabilities scheduling = Claims;
};

/// DXGK_WDDMVERSION by abi/: DXGKDDI_WDDMv1_2 0x1200 ... DXGKDDI_WDDMv3_2 0x3200.
constexpr u32 wddm_number(wddm version) {
    constexpr u32 numbers[] = {0,      0,      0,      0x1200, 0x1300, 0x1300, 0x2000, 0x2100, 0x2105, 0x2106, 0x2200,
                               0x2300, 0x2400, 0x2500, 0x2600, 0x2700, 0x2800, 0x2900, 0x3000, 0x3100, 0x3200};
    u32 index = 0;
    while (interface_versions[index] != version) {
        ++index;
    }
    return numbers[index];
}

/// Bits of DXGK_VIDMMCAPS by abi/: 5 VirtualAddressingSupported, 6 GpuMmuSupported, 7 IoMmuSupported, 11
/// IoMmuSecureModeSupported (from WDDM 2.4), 13 IoMmuSecureModeRequired (2.7), 14 MapAperture2Supported (2.9).
constexpr u32 owned_memory_bits = 0x68E0;
constexpr u32 memory_bits(wddm version) {
    return (version >= wddm::v2_0 ? 0x60u : 0) | (version >= wddm::v2_4 ? 0x800u : 0) |
           (version >= wddm::v2_7 ? 0x2000u : 0) | (version >= wddm::v2_9 ? 0x4000u : 0);
}

/// Owned bits of DXGK_VIDSCHCAPS and what everything_chosen makes of them: 0, from Windows 8 2 to 4 (3 needs virtual
/// addressing), from WDDM 2.0 5 and 6, from 2.3 a packet cap of 12 at 7, from 3.1 11 and 12.
constexpr u32 scheduling_bits(wddm version) {
    return 1u | (version >= wddm::win8 ? 0x14u : 0) | (version >= wddm::v2_0 ? 0x68u : 0) |
           (version >= wddm::v2_3 ? 12u << 7 : 0) | (version >= wddm::v3_1 ? 0x1800u : 0);
}
constexpr u32 owned_scheduling_bits(wddm version) {
    return 1u | (version >= wddm::win8 ? 0x1Cu : 0) | (version >= wddm::v2_0 ? 0x60u : 0) |
           (version >= wddm::v2_3 ? 15u << 7 : 0) | (version >= wddm::v3_1 ? 0x1800u : 0);
}

/// What the structure must be when it held a pattern before: members by the mirror, every other byte as it was.
template <class Caps>
void expect_members(Caps& caps, wddm version) {
    caps.HighestAcceptableAddress.QuadPart = 0xFFF'FFFF'FFFF;
    caps.ApertureSegmentCommitLimit = 300 * mib.n;
    caps.SchedulingCaps.Value =
        (caps.SchedulingCaps.Value & ~owned_scheduling_bits(version)) | scheduling_bits(version);
    caps.MemoryManagementCaps.Value = (caps.MemoryManagementCaps.Value & ~owned_memory_bits) | memory_bits(version);
    if (version < wddm::v2_0) {
        caps.MemoryManagementCaps.PagingNode = 2;
    }
    caps.GpuEngineTopology.NbAsymetricProcessingNodes = 3;
    if constexpr (requires { caps.WDDMVersion; }) {
        caps.WDDMVersion = wddm_number(version);
    }
    if constexpr (requires { caps.PreemptionCaps; }) {
        caps.PreemptionCaps.GraphicsPreemptionGranularity = 400;  // pixel
        caps.PreemptionCaps.ComputePreemptionGranularity = 200;   // dispatch: the coarser of two engines
        caps.SupportPerEngineTDR = 1;
    }
    if constexpr (requires { caps.MiscCaps.ComputeOnly; }) {
        caps.MiscCaps.ComputeOnly = 0;
    }
}

template <class Caps>
Caps filled_with(int pattern) {
    Caps caps;
    std::memset(&caps, pattern, sizeof caps);
    return caps;
}

/// The owned members of the newest structure: what a shorter output may hold.
struct member {
    usize offset, size;
};
using newest = mirror::v3_2::dxgk_drivercaps;

/// An adapter that computes only; it may register with older versions.
struct compute_gpu : examples::cpu::processor<capabilities{.version = wddm::v3_2,
                                                           .oldest = wddm::vista,
                                                           .addresses = paging_addresses::physical,
                                                           .highest_visible_address = reach,
                                                           .compute_only = true}> {
    static constexpr preemption_engine engines[] = {{.compute = {compute_preemption_granularity::dma_buffer_boundary}}};
    static constexpr scheduling_capabilities scheduling{.kind = adapter_kind::compute_only,
                                                        .multi_engine_aware = claim::yes,
                                                        .preemption_aware = claim::yes,
                                                        .low_irql_preempt_command = claim::yes,
                                                        .flips = flip_caps::none};
    capabilities chosen = caps;
    segment::view segments{};
};
constexpr member owned[] = {
    {offsetof(newest, HighestAcceptableAddress), 8},
    {offsetof(newest, ApertureSegmentCommitLimit), sizeof(usize)},
    {offsetof(newest, SchedulingCaps), 4},
    {offsetof(newest, MemoryManagementCaps), 8},
    {offsetof(newest, GpuEngineTopology), 4},
    {offsetof(newest, WDDMVersion), 4},
    {offsetof(newest, PreemptionCaps), 8},
    {offsetof(newest, SupportPerEngineTDR), 1},
    {offsetof(newest, MiscCaps), 4},
};

}  // namespace

TEST_CASE("IOM-04: DRIVERCAPS at every version, byte for byte: owned bits to 0 and to 1, every other byte as it was") {
    for_each_version([]<wddm Version>() {
        using caps_type = typename mirror_binding<Version>::drivercaps;
        CAPTURE(static_cast<u32>(Version));
        gpu_of<Version> const gpu{};
        for (int pattern : {0x00, 0xFF, 0xA5, 0x5A}) {
            CAPTURE(pattern);
            caps_type answer = filled_with<caps_type>(pattern);
            caps_type wanted = filled_with<caps_type>(pattern);
            expect_members(wanted, Version);
            query_answer const said = ask<Version>(gpu, drivercaps, answer);
            CHECK(said == query_partly);
            CHECK(said.done());
            CHECK(std::memcmp(&answer, &wanted, sizeof answer) == 0);
        }
    });
}

TEST_CASE("GVA-35: a bit that the driver set itself is lost where the claim says no") {
    described_gpu gpu{};
    gpu.chosen.gpu_mmu = claim::no;
    gpu.chosen.page_tables = update_modes::none;
    gpu.chosen.aperture = aperture_forms::mdl;
    gpu.chosen_iommu = {};
    gpu.chosen_scheduling = least_chosen;
    newest caps = filled_with<newest>(0xFF);
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK(caps.MemoryManagementCaps.Value == ~owned_memory_bits);
    CHECK(caps.MemoryManagementCaps.PagingNode == ~0u);  // PHYSICALADAPTERCAPS has it from WDDM 2.0
    gpu.chosen.io_mmu = claim::yes;
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK(caps.MemoryManagementCaps.Value == ((~owned_memory_bits) | 0xA0));
}

TEST_CASE("AMB-44: WDDMVersion names the version that the driver registers with, not that of its header") {
    for (wddm const version : interface_versions) {
        CAPTURE(static_cast<u32>(version));
        described_gpu gpu{};
        gpu.chosen = chosen_at(version);
        newest caps = filled_with<newest>(0x77);
        CHECK(ask(gpu, drivercaps, caps) == query_partly);
        // Windows Vista has no such member: it stays the driver's.
        CHECK(caps.WDDMVersion == (version < wddm::win7 ? 0x7777'7777 : wddm_number(version)));
        bool const has_preemption = version >= wddm::win8;
        CHECK(caps.PreemptionCaps.GraphicsPreemptionGranularity == (has_preemption ? 400 : 0x7777'7777));
        CHECK(caps.SupportPerEngineTDR == (has_preemption ? 1 : 0x77));
    }
}

TEST_CASE("IOM-04: a system older than the header gives less room, and no byte behind it is written") {
    described_gpu const gpu{};
    newest whole = filled_with<newest>(0x3C);
    REQUIRE(ask(gpu, drivercaps, whole) == query_partly);
    unsigned char const* const full = reinterpret_cast<unsigned char const*>(&whole);
    for (u32 size = 0; size <= sizeof(newest); size += size < 48 || (size > 90 && size < 110) ? 1 : 4) {
        CAPTURE(size);
        alignas(newest) unsigned char answer[sizeof(newest)];
        unsigned char wanted[sizeof(newest)];
        std::memset(answer, 0x3C, sizeof answer);
        std::memset(wanted, 0x3C, sizeof wanted);
        for (member const& one : owned) {
            if (one.offset + one.size <= size) {
                std::memcpy(wanted + one.offset, full + one.offset, one.size);
            }
        }
        CHECK(ask_raw(gpu, drivercaps, nullptr, 0, answer, size) == query_partly);
        CHECK(std::memcmp(answer, wanted, sizeof answer) == 0);
    }
    static_assert(336 % 4 == 0 && 336 < sizeof(newest));  // the structure of Windows Vista is among the sizes
    CHECK(why(ask_raw(gpu, drivercaps, nullptr, 0, nullptr, sizeof(newest))) == query_reason::output_missing);
}

TEST_CASE("IOM-03: HighestAcceptableAddress is the smallest of the link, as PHYSICAL_MEMORY_CAPS has it") {
    described_gpu gpu{};
    gpu.link = 2;
    gpu.reaches[1] = (u64{1} << 40) - 1;
    newest caps{};
    mirror::v2_9::dxgk_physical_memory_caps memory{};
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK(ask(gpu, adapter_query::physical_memory_caps, memory) == query_answered);
    CHECK(caps.HighestAcceptableAddress.QuadPart == 0xFF'FFFF'FFFF);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFF'FFFF'FFFF);
    gpu.reaches[1] = ~u64{0};
    CHECK(ask(gpu, adapter_query::physical_memory_caps, memory) == query_answered);
    CHECK(memory.HighestVisibleAddress.QuadPart == 0xFFF'FFFF'FFFF);
}

TEST_CASE("AMB-55: ApertureSegmentCommitLimit is the sum over one physical adapter's apertures, never over a link") {
    described_gpu gpu{};
    gpu.link = 2;
    newest caps{};
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK(caps.ApertureSegmentCommitLimit == 300 * mib.n);
    // Two apertures of one adapter, below WDDM 2.0: 300 and 512 - 300 MiB.
    entry two[] = {aperture_row, aperture_row};
    two[1].id = {2};
    two[1].commit_limit = 212 * mib;
    gpu_of<wddm::win7> old{};
    old.tables[0] = {{two, 2}, {nullptr, 0}, {1}};
    mirror::win7::dxgk_drivercaps old_caps{};
    CHECK(ask<wddm::win7>(old, drivercaps, old_caps) == query_partly);
    CHECK(old_caps.ApertureSegmentCommitLimit == 512 * mib.n);
    // Adapters that differ: what holds on each of them, whichever comes first.
    entry small[] = {aperture_row, visible_row};
    small[0].commit_limit = 64 * mib;
    for (u32 const which : {0u, 1u}) {
        gpu.tables[which] = {{small, 2}, {nullptr, 0}, {1}};
        gpu.tables[1 - which] = window_table;
        CHECK(ask(gpu, drivercaps, caps) == query_partly);
        CHECK(caps.ApertureSegmentCommitLimit == 64 * mib.n);
        // One without a place is told wherever it is.
        small[0].commit_limit = segment::at_start;
        CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::not_placed);
        small[0].commit_limit = 64 * mib;
    }
}

TEST_CASE("MiscCaps.ComputeOnly says what `compute_only` claims, from WDDM 2.6, and no other bit changes") {
    // ComputeOnly is bit 3 of MiscCaps, by abi/. The page of MCDM: such a driver sets it (AMB-04).
    for (wddm const version : interface_versions) {
        for (bool const only : {false, true}) {
            for (u32 const before : {0u, ~0u}) {
                CAPTURE(static_cast<u32>(version));
                compute_gpu gpu{};
                described_gpu other{};
                gpu.chosen.version = gpu.chosen.oldest = version;
                other.chosen = chosen_at(version);
                newest caps{};
                caps.MiscCaps.Value = before;
                CHECK((only ? ask(gpu, drivercaps, caps) : ask(other, drivercaps, caps)) == query_partly);
                CHECK(caps.MiscCaps.Value == (version < wddm::v2_6 ? before : (before & ~8u) | (only ? 8u : 0u)));
            }
        }
    }
}

TEST_CASE("SEG-23: ApertureSegmentCommitLimit needs every limit placed, and a sum that fits") {
    described_gpu gpu{};
    gpu.link = 2;
    newest caps{};
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    entry rows[] = {aperture_row, visible_row};
    gpu.tables[1] = {{rows, 2}, {nullptr, 0}, {1}};
    rows[0].commit_limit = segment::at_start;
    newest before = caps;
    CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::not_placed);
    rows[0].commit_limit = {~u64{0} - 1};
    rows[1] = aperture_row;  // its 300 MiB more than 64 bits hold
    CHECK(why(ask(gpu, drivercaps, caps)) == query_reason::too_large);
    CHECK(std::memcmp(&before, &caps, sizeof caps) == 0);
}

TEST_CASE("SEG-23: an AGP aperture counts with the limit of its row; without one there is no limit for the sum") {
    entry rows[] = {aperture_row, old_rows[2]};
    rows[1].id = {2};
    gpu_of<wddm::win7> old{};
    old.tables[0] = {{rows, 2}, {nullptr, 0}, {1}};
    mirror::win7::dxgk_drivercaps caps{};
    rows[1].commit_limit = 64 * mib;
    CHECK(ask<wddm::win7>(old, drivercaps, caps) == query_partly);
    CHECK(caps.ApertureSegmentCommitLimit == 364 * mib.n);
    rows[1].commit_limit = {0};
    CHECK(ask<wddm::win7>(old, drivercaps, caps) == query_partly);
    // All whole pages that SIZE_T can count.
    CHECK(caps.ApertureSegmentCommitLimit == ~usize{0} - 4095);
    rows[0].commit_limit = segment::at_start;
    CHECK(why(ask<wddm::win7>(old, drivercaps, caps)) == query_reason::not_placed);
    rows[0].commit_limit = {0};  // of another aperture it is the size
    rows[1].commit_limit = 1 * mib;
    CHECK(ask<wddm::win7>(old, drivercaps, caps) == query_partly);
    CHECK(caps.ApertureSegmentCommitLimit == 513 * mib.n);
    // From WDDM 2.0 on no query reports it.
    described_gpu gpu{};
    gpu.tables[0] = old.tables[0];
    newest later{};
    CHECK(ask(gpu, drivercaps, later) == query_partly);
    CHECK(later.ApertureSegmentCommitLimit == 512 * mib.n);
}

TEST_CASE("HWS-11: a native fence and a packet cap of an earlier answer do not stay where the source may claim them") {
    described_gpu gpu{};
    gpu.chosen_scheduling.native_gpu_fence = claim::no;
    gpu.chosen_scheduling.optimized_native_fence_signaled_interrupt = claim::no;
    gpu.chosen_scheduling.hw_queue_packet_cap = 0;
    newest caps = filled_with<newest>(0xFF);
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK((caps.SchedulingCaps.Value & 0x1F80) == 0);
    // Nor where the driver registers with a version that has not the bits.
    gpu = {};
    gpu.chosen = chosen_at(wddm::v2_2);
    caps = filled_with<newest>(0xFF);
    CHECK(ask(gpu, drivercaps, caps) == query_partly);
    CHECK((caps.SchedulingCaps.Value & 0x1F80) == 0);
}

TEST_CASE("HWS-11: what the source may claim is cleared before it is claimed, and everything else left as it was") {
    constexpr scheduling_capabilities all{.hw_queue_packet_cap = 1, .native_gpu_fence = claim::at_run_time};
    mirror::v3_2::dxgk_vidschcaps answer{};
    answer.Value = ~0u;
    adapter_info::detail::clear_claimable_scheduling<scheduling_only<scheduling_capabilities{}>>(answer);
    CHECK(answer.Value == ~0u);
    adapter_info::detail::clear_claimable_scheduling<scheduling_only<all>>(answer);
    mirror::v3_2::dxgk_vidschcaps others{};
    others.Value = ~0u;
    others.HwQueuePacketCap = others.NativeGpuFence = others.OptimizedNativeFenceSignaledInterrupt = 0;
    CHECK(answer.Value == others.Value);
    // A structure without these members is left alone.
    mirror::v2_0::dxgk_vidschcaps earlier{};
    earlier.Value = ~0u;
    adapter_info::detail::clear_claimable_scheduling<scheduling_only<all>>(earlier);
    CHECK(earlier.Value == ~0u);
}

}  // namespace driver_caps_test

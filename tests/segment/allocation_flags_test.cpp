// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "allocation_samples.hpp"

#include <wddmcore/iommu/capabilities.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace allocation_flags_test {

using namespace wddmcore;
using namespace allocation_samples;
using segment::allocation;
using segment::allocation_is_good;
using segment::prefer;
using segment::set_of;
using rule = segment::allocation_rule;
using broken = segment::broken_allocation_rule;
using flag = segment::allocation_flag_wddm2;
using earlier_flag = segment::allocation_flag;
using flag2 = segment::allocation_flag2;

namespace {

constexpr broken with(segment::allocation_flags_wddm2 flags, segment::allocation_profile const& of = newest) {
    return judged([flags](allocation& a) { a.flags_wddm2 = flags; }, of);
}

constexpr broken with2(segment::allocation_flags2 flags, segment::allocation_profile const& of = newest) {
    return judged([flags](allocation& a) { a.flags2 = flags; }, of);
}

constexpr segment::allocation_profile at_version(wddm version) {
    segment::allocation_profile of = newest;
    of.version = version;
    return of;
}

/// The first version that names a bit of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, by tests/abi/ddi_abi.json; 0: none does.
constexpr u32 since_wddm2(u32 bit) {
    switch (bit) {
        case 10: return 0x6003;
        case 13: return 0xE003;
        case 11:
        case 12: return 0;
        default: return bit <= 18 ? 0x5023 : 0;
    }
}

constexpr segment::allocation_flags_wddm2 flags_of(std::initializer_list<flag> all) {
    segment::allocation_flags_wddm2 made{};
    for (flag const one : all) {
        made = made.with(one);
    }
    return made;
}

}  // namespace

TEST_CASE("PREF-10: below WDDM 2.0 the older word is filled, from there on the newer one") {
    static constexpr auto older = [](allocation& a) { a.flags = a.flags.with(earlier_flag::cpu_visible); };
    static constexpr auto newer = [](allocation& a) { a.flags_wddm2 = a.flags_wddm2.with(flag::cpu_visible); };
    expect_both(judged_earlier(older) == allocation_is_good);
    expect_both(judged_earlier(newer) == broken{rule::flags_wddm2_before_v2_0, 0, 1});
    expect_both(judged_earlier([](allocation& a) { a.flags2.value = 1; }).what == rule::flags_wddm2_before_v2_0);
    expect_both(judged(newer) == allocation_is_good);
    expect_both(judged(older) == broken{rule::flags_from_v2_0, 0, 1});
}

TEST_CASE("PREF-10: bits that a version does not name stay 0") {
    for (u32 bit = 0; bit < 32; ++bit) {
        CAPTURE(bit);
        u32 const word = u32{1} << bit;
        for (wddm const version : interface_versions) {
            bool const known = since_wddm2(bit) != 0 && static_cast<u32>(version) >= since_wddm2(bit);
            bool const known2 = version >= (bit == 0 ? wddm::v3_0 : wddm::v3_2) && bit < 6;
            if (version < wddm::v2_0) {
                CHECK((judged_earlier([word](allocation& a) { a.flags.value = word; }, {.version = version}).what ==
                       rule::flags_of_later_version) == (bit >= 15));
            } else {
                CHECK((with({word}, at_version(version)) == broken{rule::flags_of_later_version, 0, word}) == !known);
                CHECK((with2({word}, at_version(version)) == broken{rule::flags2_of_later_version, 0, word}) ==
                      !known2);
            }
        }
    }
}

TEST_CASE("PREF-11: what an engine addresses physically has AccessedPhysically") {
    static constexpr auto physical = [](allocation& a) { a.engine_addresses_physically = true; };
    expect_both(judged(physical).what == rule::accessed_physically);
    expect_both(judged([](allocation& a) {
                    a.engine_addresses_physically = true;
                    a.flags_wddm2 = a.flags_wddm2.with(flag::accessed_physically);
                }) == allocation_is_good);
    expect_both(judged(physical, at_version(wddm::v2_0)).what == rule::accessed_physically);
    // Below WDDM 2.0 there is no such flag.
    expect_both(judged_earlier(physical) == allocation_is_good);
}

TEST_CASE("PREF-13: ExplicitResidencyNotification needs AccessedPhysically") {
    expect_both(with(flags_of({flag::explicit_residency_notification})).what == rule::residency_notification);
    expect_both(with(flags_of({flag::explicit_residency_notification, flag::accessed_physically})) ==
                allocation_is_good);
}

TEST_CASE("PREF-14: MapApertureCpuVisible needs MapAperture2Supported") {
    segment::allocation_profile without = newest;
    without.map_aperture2 = false;
    CHECK(with(flags_of({flag::map_aperture_cpu_visible}), without).what == rule::map_aperture2_missing);
    CHECK(with(flags_of({flag::map_aperture_cpu_visible})) == allocation_is_good);
}

TEST_CASE("PREF-15: a CPU address in MAP_APERTURE_SEGMENT2 takes the capability and two flags, all three") {
    for (u32 which = 0; which < 8; ++which) {
        segment::allocation_profile of = newest;
        of.map_aperture2 = (which & 1) != 0;
        segment::allocation_flags_wddm2 flags{};
        flags = (which & 2) != 0 ? flags.with(flag::map_aperture_cpu_visible) : flags;
        flags = (which & 4) != 0 ? flags.with(flag::accessed_physically) : flags;
        CHECK(segment::brings_cpu_address(flags, of) == (which == 7));
        broken const found = judged(
            [flags](allocation& a) {
                a.wants_cpu_address = true;
                a.flags_wddm2 = flags;
            },
            of);
        CHECK((found == allocation_is_good) == (which == 7));
        CHECK((which == 7 || found.what == (of.map_aperture2 ? rule::cpu_address_flags : rule::map_aperture2_missing)));
    }
    expect_both(segment::brings_cpu_address(segment::with_cpu_address({}), newest));
    expect_both(segment::brings_cpu_address(segment::with_cpu_address({}), at_version(wddm::v2_9)));
    expect_both(!segment::brings_cpu_address(segment::with_cpu_address({}), at_version(wddm::v2_8)));
    expect_both(segment::with_cpu_address({1}).value == (1u | 1u << 13 | 1u << 15));
    expect_both(judged_earlier([](allocation& a) { a.wants_cpu_address = true; }).what == rule::cpu_address_flags);
}

TEST_CASE("PREF-16: Cached and PermanentSysMem need CpuVisible") {
    for (flag const one : {flag::cached, flag::permanent_sys_mem}) {
        CHECK(with(flags_of({one})).what == rule::not_cpu_visible);
        CHECK(with(flags_of({one, flag::cpu_visible})) == allocation_is_good);
    }
    expect_both(with(flags_of({flag::cached}), at_version(wddm::v2_0)).what == rule::not_cpu_visible);
    expect_both(judged_earlier([](allocation& a) { a.flags = a.flags.with(earlier_flag::cached); }).what ==
                rule::not_cpu_visible);
}

TEST_CASE("PREF-16: a primary is neither cached nor protected nor in memory of another kind") {
    for (flag const one : {flag::cached, flag::permanent_sys_mem, flag::protected_content, flag::existing_sys_mem,
                           flag::existing_kernel_sys_mem}) {
        auto const primary = [one](allocation& a) {
            a.is_primary = true;
            a.flags_wddm2 = flags_of({one, flag::cpu_visible});
        };
        CHECK(judged(primary) == broken{rule::not_of_primary, 0, static_cast<u32>(one)});
        CHECK(with(flags_of({one, flag::cpu_visible})) == allocation_is_good);
    }
    expect_both(judged([](allocation& a) {
                    a.is_primary = true;
                    a.flags_wddm2 = a.flags_wddm2.with(flag::cpu_visible, flag::accessed_physically);
                }) == allocation_is_good);
}

TEST_CASE("PREF-17: at most one of Protected, PermanentSysMem, ExistingSysMem, ExistingKernelSysMem") {
    constexpr u32 bits[] = {3, 1, 4, 5};
    for (u32 which = 0; which < 16; ++which) {
        u32 word = 1;
        u32 count = 0;
        for (u32 i = 0; i < 4; ++i) {
            if ((which >> i & 1) != 0) {
                word |= u32{1} << bits[i];
                ++count;
            }
        }
        CHECK(with({word}) == (count < 2 ? allocation_is_good : broken{rule::two_of_a_kind, 0, word & ~1u}));
    }
}

TEST_CASE("PREF-19: a backing store shared with the driver") {
    constexpr segment::allocation shared = [] {
        allocation a = texture;
        a.is_shared = true;
        a.supported = set_of(gart);
        a.preferred = prefer(gart);
        a.flags2 = a.flags2.with<8>(flag2::share_backing_store_with_kmd);
        return a;
    }();
    static constexpr auto verdict = [](allocation const& a, segment::allocation_profile const& of = newest) {
        return segment::judge_allocation(a, discrete.all(), of).what;
    };
    CHECK(verdict(shared) == rule::none);
    CHECK(verdict(shared, at_version(wddm::v3_0)) == rule::none);
    allocation changed = shared;
    changed.is_shared = false;
    CHECK(verdict(changed) == rule::share_needs_shared);
    changed = shared;
    changed.supported = set_of(gart, vram);
    CHECK(verdict(changed) == rule::share_needs_aperture);
    for (flag const existing : {flag::existing_sys_mem, flag::existing_kernel_sys_mem}) {
        changed = shared;
        changed.flags_wddm2 = changed.flags_wddm2.with(existing);
        CHECK(verdict(changed) == rule::share_of_existing_memory);
    }
    segment::allocation_profile disabled = newest;
    disabled.share_backing_store = false;
    CHECK(verdict(shared, disabled) == rule::share_not_enabled);
}

TEST_CASE("PREF-20: a history buffer is CpuVisible, Cached exactly with a coherent aperture, and nothing else") {
    auto const in = [](segment::view const& table, u32 word) {
        allocation a = texture;
        a.supported = set_of(gart);
        a.preferred = prefer(gart);
        a.flags_wddm2.value = word;
        return segment::judge_allocation(a, table, newest).what;
    };
    constexpr u32 history = 1u << 14;
    constexpr u32 visible = 1;
    constexpr u32 cached = 4;
    CHECK(in(integrated.all(), history | visible | cached) == rule::none);
    allocation notified = texture;
    notified.supported = set_of(gart);
    notified.preferred = prefer(gart);
    notified.flags_wddm2.value = history | visible;
    notified.flags2.value = 1u << 4;  // NotifyEviction
    CHECK(segment::judge_allocation(notified, discrete.all(), newest) ==
          segment::broken_allocation_rule{rule::history_buffer, 0, 0x10});
    notified.flags_wddm2.value = visible;
    CHECK(segment::judge_allocation(notified, discrete.all(), newest) == segment::allocation_is_good);
    CHECK(in(integrated.all(), history | visible) == rule::history_buffer);
    CHECK(in(discrete.all(), history | visible) == rule::none);
    CHECK(in(discrete.all(), history | visible | cached) == rule::history_buffer);
    CHECK(in(discrete.all(), history) == rule::history_buffer);
    for (u32 bit = 5; bit < 19; ++bit) {
        if (bit != 14 && since_wddm2(bit) != 0) {
            CHECK(in(discrete.all(), history | visible | u32{1} << bit) == rule::history_buffer);
        }
    }
}

TEST_CASE("NTF-02: the notify flags need the capability, and a 64-bit system") {
    segment::allocation_profile silent = newest;
    silent.allocation_notification = false;
    for (flag2 const one : {flag2::notify_eviction, flag2::notify_io_mmu_unmap}) {
        segment::allocation_flags2 const flags = segment::allocation_flags2{}.with<8>(one);
        CHECK(with2(flags) == allocation_is_good);
        CHECK(with2(flags, silent) == broken{rule::notification_not_claimed, 0, static_cast<u32>(one)});
        CHECK(with2(flags, at_version(wddm::v3_1)).what == rule::flags2_of_later_version);
    }
    expect_both(with2(segment::allocation_flags2{}.with<8>(flag2::no_implicit_synchronization)) == allocation_is_good);
}

TEST_CASE("NTF-11: NotifyIoMmuUnmap needs the GpuVaIoMmu or the GpuVaIoMmuGlobal model, NotifyEviction does not") {
    segment::allocation_profile without = newest;
    without.gpu_va_iommu = false;
    auto const unmap = segment::allocation_flags2{}.with<8>(flag2::notify_io_mmu_unmap);
    auto const eviction = segment::allocation_flags2{}.with<8>(flag2::notify_eviction);
    CHECK(with2(unmap, without) == broken{rule::iommu_unmap_impossible, 0, 0x20});  // bit 5, by abi/
    CHECK(with2({unmap.value | eviction.value}, without) == broken{rule::iommu_unmap_impossible, 0, 0x30});
    CHECK(with2(unmap) == allocation_is_good);
    CHECK(with2(eviction, without) == allocation_is_good);
    // What the claims about the IOMMU make of it.
    constexpr capabilities caps{.version = wddm::v3_2, .allocation_notification = claim::yes};
    expect_both(!segment::allocation_profile_of(caps).gpu_va_iommu);
    expect_both(!segment::allocation_profile_of(caps, iommu::has_gpu_va_iommu({})).gpu_va_iommu);
    expect_both(segment::allocation_profile_of(caps, iommu::has_gpu_va_iommu({.gpu_va_iommu_required = claim::yes}))
                    .gpu_va_iommu);
    expect_both(iommu::has_gpu_va_iommu({.gpu_va_iommu_global_required = claim::at_run_time}));
    expect_both(!iommu::has_gpu_va_iommu({.isolation = claim::yes, .dma_remapping = claim::yes}));
}

TEST_CASE("PREF-14: the profile of capabilities claims what their sets leave open, in the version that has it") {
    constexpr capabilities caps{
        .version = wddm::v3_2, .aperture = aperture_forms::either, .allocation_notification = claim::at_run_time};
    constexpr segment::allocation_profile of = segment::allocation_profile_of(caps);
    expect_both(of.version == wddm::v3_2 && of.map_aperture2 && of.allocation_notification);
    expect_both(!of.share_backing_store && !of.mmu_set_in_use);
    constexpr capabilities first{.version = wddm::v2_9, .aperture = aperture_forms::adl};
    expect_both(segment::allocation_profile_of(first).map_aperture2);
    constexpr capabilities before{
        .version = wddm::v2_8, .aperture = aperture_forms::adl, .allocation_notification = claim::yes};
    expect_both(!segment::allocation_profile_of(before).map_aperture2);
    expect_both(!segment::allocation_profile_of(before).allocation_notification);
    expect_both(
        !segment::allocation_profile_of({.version = wddm::v3_2, .aperture = aperture_forms::mdl}).map_aperture2);
}

}  // namespace allocation_flags_test

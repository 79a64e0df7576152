// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/gpuva/paging_process/reservation.hpp>
#include <wddmcore/gpuva/placement/root_table.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace root_table_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::root_size_for;

namespace {

/// 16-byte entries in the root, addresses of 40 bits: the root has up to 2^19 entries.
constexpr page_table_geometry wide_root{.level_count = 2, .levels = {{9, 8}, {0, 16}}, .virtual_address_bits = 40};
static_assert(check_page_tables<wide_root>());

constexpr bytes small_page{4096};
constexpr bytes large_page{65536};

mirror::v2_0::dxgkarg_setrootpagetable root_at(u32 segment, u64 offset, u32 entries) {
    mirror::v2_0::dxgkarg_setrootpagetable args{};
    args.Address.SegmentId = segment;
    args.Address.SegmentOffset = offset;
    args.NumEntries = entries;
    return args;
}

constexpr errc reserved(u64 size, u64 alignment, u64 base, page_table_geometry const& g = two_levels) {
    return gpuva::judge_reservation(g, {{size}, {alignment}, false, {base}}, true);
}

constexpr errc reserved_anywhere(u64 size, u64 alignment, page_table_geometry const& g = two_levels) {
    return gpuva::judge_reservation(g, {{size}, {alignment}, true, {0}}, true);
}

constexpr u64 unit = 4 * mib.n;  ///< what an entry of the root of `two_levels` covers

}  // namespace

TEST_CASE("GVA-26: a root is the smallest multiple of its segment's page that holds the entries asked for") {
    for (bytes page : {small_page, large_page}) {
        for (u64 entries :
             {u64{0}, u64{1}, u64{2}, u64{255}, u64{256}, u64{257}, u64{4096}, u64{4097}, u64{70'000}, u64{1} << 19}) {
            CAPTURE(page.n);
            CAPTURE(entries);
            gpuva::root_size const found = root_size_for(wide_root, entries, page).get();
            u64 const at_least = entries == 0 ? 1 : entries;
            CHECK(found.size.n % page.n == 0);
            CHECK(found.size.n >= at_least * 16);
            CHECK(found.size.n - page.n < at_least * 16);
            CHECK(found.entries >= entries);
            CHECK(found.entries == found.size.n / 16);
        }
    }
}

TEST_CASE("GVA-26: a root never has more entries than an address can name") {
    // A root of 1024 entries of 4 bytes fills 4096 bytes; in a page of 64 KiB there would be room for more.
    expect_both(root_size_for(two_levels, 1024, small_page).get().entries == 1024);
    expect_both(root_size_for(two_levels, 3, large_page).get().entries == 1024);
    expect_both(root_size_for(two_levels, 3, large_page).get().size == large_page);
    expect_both(root_size_for(two_levels, 1025, small_page).error == errc::out_of_range);
    expect_both(root_size_for(wide_root, (u64{1} << 19) + 1, small_page).error == errc::out_of_range);
}

TEST_CASE("GVA-26: only a root of two levels has a size to ask for") {
    expect_both(root_size_for(amd_gpuvm, 16, small_page).error == errc::inconsistent);
    expect_both(root_size_for(six_levels, 1, small_page).error == errc::inconsistent);
    expect_both(root_size_for(two_levels, 1, bytes{8192}).error == errc::misaligned);
    expect_both(root_size_for(two_levels, 1, bytes{0}).error == errc::misaligned);
}

TEST_CASE("GVA-26: the answer is the size, and the actual number of entries in the argument") {
    mirror::v2_0::dxgkarg_getrootpagetablesize args{};
    args.NumberOfPte = 257;
    CHECK(gpuva::answer_root_page_table_size(wide_root, small_page, args).get() == bytes{8192});
    CHECK(args.NumberOfPte == 512);
    args.NumberOfPte = (1u << 19) + 1;
    CHECK(gpuva::answer_root_page_table_size(wide_root, small_page, args).error == errc::out_of_range);
    CHECK(args.NumberOfPte == (1u << 19) + 1);
    args.NumberOfPte = 1;
    CHECK(gpuva::answer_root_page_table_size(nvidia_v2, small_page, args).error == errc::inconsistent);
    CHECK(args.NumberOfPte == 1);
}

TEST_CASE("GVA-26: a root grows with the entries that a range needs in it") {
    u64 before = 0;
    for (u64 end = 1; end <= u64{1} << 28; end *= 2) {
        u64 const covered = gpuva::entry_coverage(wide_root, 1).n;
        u64 const entries = (end * 4096 + covered - 1) / covered;
        gpuva::root_size const size = root_size_for(wide_root, entries, small_page).get();
        CHECK(size.size.n >= before);
        CHECK(size.entries * covered >= end * 4096);
        before = size.size.n;
    }
    CHECK(before == u64{16} << 19);
}

TEST_CASE("GVA-27: an index of the root that is not below NumEntries faults") {
    gpuva::root_table root{{2}, 16, {0x4000}};
    expect_both(!gpuva::faults_at_root(two_levels, {{2}, 16, {0}}, {16 * unit - 1}));
    expect_both(gpuva::faults_at_root(two_levels, {{2}, 16, {0}}, {16 * unit}));
    CHECK(gpuva::faults_at_root(two_levels, root, {~u64{0}}));
    CHECK_FALSE(gpuva::faults_at_root(two_levels, root, {0}));
    root.entries = 0;
    CHECK(gpuva::faults_at_root(two_levels, root, {0}));
    root.entries = 4;
    CHECK_FALSE(gpuva::faults_at_root(nvidia_v2, root, {(u64{1} << 49) - 1}));
    CHECK(gpuva::faults_at_root(nvidia_v2, root, {u64{1} << 49}));
}

TEST_CASE("GVA-28: a root may be set again, moved or resized, and says what a context must forget") {
    gpuva::root_table root{};
    CHECK_FALSE(root.is_set());
    auto const set = [&root](mirror::v2_0::dxgkarg_setrootpagetable const& args, bool idle = true) {
        result<gpuva::root_change> const found = gpuva::set_root(two_levels, root, args, idle);
        if (found.ok()) {
            root = found.get().now;
        }
        return found;
    };
    // The first one moves from nowhere, wherever it is.
    CHECK(set(root_at(0, 0, 16)).get().moved);
    CHECK(root.is_set());
    CHECK_FALSE(set(root_at(0, 0, 16)).get().any());
    result<gpuva::root_change> const moved = set(root_at(2, 0x4000, 16));
    CHECK((moved.get().moved && !moved.get().resized && moved.get().any()));
    result<gpuva::root_change> const grown = set(root_at(2, 0x4000, 1024));
    CHECK((!grown.get().moved && grown.get().resized && grown.get().any()));
    CHECK(set(root_at(2, 0x8000, 16)).get().moved);
    CHECK(set(root_at(3, 0x8000, 16)).get().moved);
    CHECK(root == gpuva::root_table{{3}, 16, {0x8000}});
}

TEST_CASE("GVA-28: a root is set only while the context is idle, with entries that an address can name") {
    gpuva::root_table const root{};
    CHECK(gpuva::set_root(two_levels, root, root_at(0, 0, 16), false).error == errc::inconsistent);
    CHECK(gpuva::set_root(two_levels, root, root_at(0, 0, 0), true).error == errc::out_of_range);
    CHECK(gpuva::set_root(two_levels, root, root_at(0, 0, 1025), true).error == errc::out_of_range);
    CHECK(gpuva::set_root(two_levels, root, root_at(0, 0, 1024), true).ok());
    CHECK(gpuva::set_root(nvidia_v2, root, root_at(1, 0, 4), true).ok());
    CHECK(gpuva::set_root(nvidia_v2, root, root_at(1, 0, 5), true).error == errc::out_of_range);
}

TEST_CASE("GVA-30: a driver reserves from entry 1 of the root on: entry 0 is always invalid") {
    expect_both(reserved(unit, unit, 0) == errc::out_of_range);
    expect_both(reserved(unit, unit, unit) == errc::none);
    expect_both(reserved(1023 * unit, unit, unit) == errc::none);
    expect_both(reserved_anywhere(1023 * unit, unit) == errc::none);
    expect_both(reserved_anywhere(1024 * unit, unit) == errc::out_of_range);
}

TEST_CASE("GVA-31: whole entries of the root, aligned to a power of two of at least one, while a process is created") {
    expect_both(gpuva::judge_reservation(two_levels, {{unit}, {unit}, false, {unit}}, false) == errc::inconsistent);
    expect_both(reserved(0, unit, unit) == errc::misaligned);
    expect_both(reserved(unit / 2, unit, unit) == errc::misaligned);
    expect_both(reserved(unit + 4096, unit, unit) == errc::misaligned);
    expect_both(reserved(unit, unit / 2, unit) == errc::misaligned);
    expect_both(reserved(unit, 3 * unit, 3 * unit) == errc::misaligned);
    expect_both(reserved(unit, 0, unit) == errc::misaligned);
    expect_both(reserved(unit, 2 * unit, unit) == errc::misaligned);
    expect_both(reserved(unit, 2 * unit, 2 * unit) == errc::none);
    expect_both(reserved(unit, unit, unit + 4096) == errc::misaligned);
}

TEST_CASE("GVA-31: a reservation ends inside the address space") {
    expect_both(reserved(unit, unit, 1023 * unit) == errc::none);
    expect_both(reserved(2 * unit, unit, 1023 * unit) == errc::out_of_range);
    expect_both(reserved(unit, unit, 1024 * unit) == errc::out_of_range);
    expect_both(reserved(0 - unit, unit, unit) == errc::out_of_range);
    expect_both(reserved_anywhere(unit, 1024 * unit) == errc::out_of_range);
    expect_both(reserved_anywhere(unit, 512 * unit) == errc::none);
    // Where the system chooses, the base says nothing.
    expect_both(gpuva::judge_reservation(two_levels, {{unit}, {unit}, true, {unit + 4096}}, true) == errc::none);
    // The last entry of a space of all 64 bits.
    constexpr u64 widest_unit = u64{1} << 55;
    expect_both(reserved(widest_unit, widest_unit, 511 * widest_unit, widest) == errc::none);
    expect_both(reserved(2 * widest_unit, widest_unit, 511 * widest_unit, widest) == errc::out_of_range);
}

}  // namespace root_table_test

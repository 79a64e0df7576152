// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adl_random.hpp"

#include <wddmcore/testing/guarded/buffer.hpp>

namespace source_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

// An address descriptor list whose union is two members: reading the one that the flag excludes would be seen.
struct twin_flags {
    u32 Contiguous;
};
struct twin_adl {
    u32 PageCount;
    twin_flags Flags;
    usize BasePageNumber;
    usize const* Pages;
};

constexpr usize three_pages[] = {7, 9, 8};

// The DDI's form as a literal: constant evaluation refuses to read the inactive member of a union.
constexpr mirror::v2_9::dxgk_adl literal_adl(u32 count, bool contiguous) {
    mirror::v2_9::dxgk_adl adl{};
    adl.PageCount = count;
    adl.Flags.Contiguous = contiguous;
    if (contiguous) {
        adl.BasePageNumber = 0x100;
    } else {
        adl.Pages = three_pages;
    }
    return adl;
}

}  // namespace

TEST_CASE("ADL-01: the flag decides which member of the union is read") {
    static_assert(adl::from_adl(literal_adl(3, true)).get().at(2) == page_number{0x102});
    static_assert(adl::from_adl(literal_adl(3, false)).get().at(2) == page_number{8});

    // The other member holds what would be taken for pages.
    twin_adl const contiguous{3, {1}, 0x500, three_pages};
    twin_adl const scattered{3, {0}, 0x500, three_pages};
    CHECK(page_by_page(adl::from_adl(contiguous).get()) == std::vector<u64>{0x500, 0x501, 0x502});
    CHECK(page_by_page(adl::from_adl(scattered).get()) == std::vector<u64>{7, 9, 8});
    CHECK(adl::from_adl(contiguous).get().contiguous());
    CHECK_FALSE(adl::from_adl(scattered).get().contiguous());
}

TEST_CASE("ADL-01: a list holds exactly PageCount numbers, and none behind them is read") {
    constexpr usize count = 5;
    guarded_buffer memory(count * sizeof(usize));
    auto* const list = reinterpret_cast<usize*>(memory.data());
    for (usize i = 0; i < count; ++i) {
        list[i] = 0x40 + i;
    }
    twin_adl const adl_list{count, {0}, 0, list};
    adl::source const from = adl::from_adl(adl_list).get();
    CHECK(from.count == count);
    // One run up to the last number: looking one further would fault.
    CHECK(adl::walk(from).next_run(pages{100}).length == pages{count});
    CHECK(by_runs(from, pages{2}) == page_by_page(from));
}

TEST_CASE("ADL-01: a list form without a list is refused, unless it claims no page") {
    CHECK(adl::from_adl(twin_adl{3, {0}, 0x500, nullptr}).error == errc::missing);
    CHECK(adl::from_adl(twin_adl{0, {0}, 0x500, nullptr}).ok());
    CHECK(adl::from_array(nullptr, 1).error == errc::missing);
    CHECK(adl::from_array(nullptr, 0).ok());
}

TEST_CASE("ADL-02: a page number becomes an address by a shift of 12, whatever its value") {
    static_assert(byte_address(page_number{0x000F'FFFF'FFFF'FFFF}) == 0xFFFF'FFFF'FFFF'F000);
    // Logical numbers need no memory behind them: pages that no machine has are handed on as they are.
    usize const logical[] = {0x000F'FFFF'FFFF'FFFE, 0, 0xDEAD'BEEF};
    adl::source const from = adl::from_array(logical, 3).get();
    CHECK(page_by_page(from) == std::vector<u64>{0x000F'FFFF'FFFF'FFFE, 0, 0xDEAD'BEEF});
    CHECK(byte_address(from.at(2)) == 0xDEA'DBEE'F000);
}

TEST_CASE("ADL-03: the page-number type has pointer width") {
    mirror::v2_9::dxgk_adl adl{};
    static_assert(sizeof adl.BasePageNumber == sizeof(void*));
    static_assert(sizeof *adl.Pages == sizeof(void*));
    static_assert(sizeof(usize) == sizeof(void*));
    // The whole width is kept, not 32 bits of it.
    adl = contiguous_adl(static_cast<usize>(0x0007'0000'0000'0001), 1);
    CHECK(adl::from_adl(adl).get().at(0) == page_number{0x0007'0000'0000'0001});
}

TEST_CASE("ADL-04: offsets count 4-KiB pages whatever the GPU's page is") {
    std::vector<usize> list;
    for (usize i = 0; i < 64; ++i) {
        list.push_back(0x1000 + i);
    }
    adl::source const from = adl::from_adl(scattered_adl(list)).get();
    adl::source const part = adl::window(from, pages{3}, pages{40}).get();
    CHECK(part.at(0) == page_number{0x1003});
    // 16 system pages are one 64-KiB page; the index of the window is still 3, and alignment is the page number's.
    CHECK_FALSE(adl::walk(part).at_gpu_page(4));
    CHECK(adl::walk(part, pages{13}).at_gpu_page(4));
}

TEST_CASE("ADL-05: a window lies within PageCount, computed without 32-bit wrap") {
    constexpr u64 two_to_32 = u64{1} << 32;
    adl::source const from = adl::from_range(page_number{0x10}, pages{two_to_32 - 1}).get();
    CHECK(adl::window(from, pages{two_to_32 - 2}, pages{1}).ok());
    CHECK(adl::window(from, pages{two_to_32 - 1}, pages{0}).ok());
    // Each of these sums is small or zero in 32 bits.
    CHECK(adl::window(from, pages{two_to_32 - 1}, pages{1}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{two_to_32 - 2}, pages{2}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{two_to_32}, pages{1}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{1}, pages{two_to_32 - 1}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{two_to_32 + 5}, pages{1}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{5}, pages{two_to_32 + 1}).error == errc::out_of_range);
}

TEST_CASE("ADL-05: nor with a wrap of 64 bits") {
    constexpr u64 all_ones = ~u64{0};
    adl::source const from = adl::from_range(page_number{0}, pages{100}).get();
    CHECK(adl::window(from, pages{all_ones}, pages{1}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{all_ones}, pages{all_ones}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{1}, pages{all_ones}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{2}, pages{all_ones}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{50}, pages{all_ones - 49}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{u64{1} << 63}, pages{u64{1} << 63}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{100}, pages{0}).ok());
    CHECK(adl::window(from, pages{101}, pages{0}).error == errc::out_of_range);
    CHECK(adl::window(from, pages{0}, pages{100}).get().count == 100);
}

TEST_CASE("ADL-05: every window of a small list is what the list says, or is refused") {
    usize const list[] = {5, 9, 4, 3, 77, 12};
    adl::source const forms[] = {adl::from_array(list, 6).get(), adl::from_range(page_number{40}, pages{6}).get()};
    for (adl::source const& from : forms) {
        for (u64 first = 0; first < 9; ++first) {
            for (u64 length = 0; length < 9; ++length) {
                CAPTURE(first);
                CAPTURE(length);
                result<adl::source> const part = adl::window(from, pages{first}, pages{length});
                REQUIRE(part.ok() == (first + length <= 6));
                if (part.ok()) {
                    REQUIRE(part.get().count == length);
                    for (u64 i = 0; i < length; ++i) {
                        REQUIRE(part.get().at(i) == from.at(first + i));
                    }
                }
            }
        }
    }
}

TEST_CASE("ADL-06: base + count may end at the end of the address space, and not wrap behind it") {
    constexpr u64 end = u64{1} << 52;  // page numbers of 64-bit addresses
    CHECK(adl::from_range(page_number{end - 3}, pages{3}).ok());
    CHECK(adl::from_range(page_number{end - 1}, pages{1}).get().at(0) == page_number{end - 1});
    CHECK(adl::from_range(page_number{end - 3}, pages{4}).error == errc::overflow);
    CHECK(adl::from_range(page_number{end}, pages{1}).error == errc::overflow);
    CHECK(adl::from_range(page_number{~u64{0}}, pages{1}).error == errc::overflow);
    CHECK(adl::from_range(page_number{~u64{0}}, pages{2}).error == errc::overflow);
    CHECK(adl::from_range(page_number{2}, pages{~u64{0}}).error == errc::overflow);
    CHECK(adl::from_adl(contiguous_adl(static_cast<usize>(end - 2), 3)).error == errc::overflow);
    CHECK(adl::from_adl(contiguous_adl(static_cast<usize>(end - 2), 2)).ok());
}

TEST_CASE("ADL-06: the last page that the device reaches is reached, the next is not") {
    auto const reaches = [](u64 base, u64 count, u64 last) {
        return adl::within_reach(adl::source{nullptr, base, count}, page_number{last});
    };
    CHECK(reaches(0x100, 0x10, 0x10F));
    CHECK_FALSE(reaches(0x100, 0x10, 0x10E));
    CHECK_FALSE(reaches(0x100, 1, 0xFF));
    CHECK(reaches(0x100, 1, 0x100));
    CHECK(reaches(0, 1, 0));
    CHECK_FALSE(reaches(1, 1, 0));
    CHECK_FALSE(reaches(0, 2, 0));
    // The last page of the whole space, where base + count is 2^52.
    constexpr u64 last = (u64{1} << 52) - 1;
    CHECK(reaches(last, 1, last));
    CHECK(reaches(last - 7, 8, last));
    CHECK_FALSE(reaches(last - 7, 8, last - 1));
    CHECK_FALSE(reaches(last, 2, last));
    // Sums that would wrap.
    CHECK_FALSE(reaches(1, ~u64{0}, ~u64{0} - 1));
    CHECK_FALSE(reaches(~u64{0}, 2, ~u64{0}));
    CHECK(reaches(~u64{0}, 1, ~u64{0}));
}

TEST_CASE("ADL-06: a range without a page is always within reach") {
    CHECK(adl::within_reach(adl::source{nullptr, 0x1000, 0}, page_number{0}));
    static_assert(adl::no_pages.list == nullptr && adl::no_pages.base == 0 && adl::no_pages.count == 0);
    CHECK(adl::within_reach(adl::no_pages, page_number{0}));
}

TEST_CASE("ADL-09: zero pages give nothing, whatever the pointer is") {
    auto* const guard = reinterpret_cast<usize const*>(alignof(usize));  // an address nobody may read
    for (usize const* const list : {static_cast<usize const*>(nullptr), guard}) {
        for (u32 const contiguous : {0u, 1u}) {
            result<adl::source> const from = adl::from_adl(twin_adl{0, {contiguous}, ~usize{0}, list});
            REQUIRE(from.ok());
            CHECK(from.get().count == 0);
            CHECK(page_by_page(from.get()).empty());
            CHECK(by_runs(from.get(), pages{16}).empty());
        }
        CHECK(adl::from_array(list, 0).get().count == 0);
    }
}

TEST_CASE("OP17-02: page k of a request is the list's element AdlOffset + k, in both forms") {
    seeded_numbers random(seed_of_run());
    for (u64 round = 0; round < 2000 / slow_build_factor; ++round) {
        u64 const count = 1 + random.below(60);
        std::vector<usize> const list = random_list(random, count, 3);
        usize const base = static_cast<usize>(random.below(u64{1} << 51));
        u64 const offset = random.below(count + 1);
        u64 const asked = random.below(count - offset + 1);
        CAPTURE(round);
        adl::source const part =
            adl::window(adl::from_adl(scattered_adl(list)).get(), pages{offset}, pages{asked}).get();
        adl::source const run =
            adl::window(adl::from_adl(contiguous_adl(base, static_cast<u32>(count))).get(), pages{offset}, pages{asked})
                .get();
        REQUIRE(part.count == asked);
        REQUIRE(run.count == asked);
        for (u64 k = 0; k < asked; ++k) {
            REQUIRE(part.at(k).n == list[offset + k]);
            REQUIRE(run.at(k).n == base + offset + k);
        }
    }
}

TEST_CASE("OP17-03: AdlOffset + NumberOfPages does not exceed PageCount") {
    adl::source const list = adl::from_adl(contiguous_adl(0x200, 10)).get();
    CHECK(adl::window(list, pages{4}, pages{6}).ok());
    CHECK(adl::window(list, pages{4}, pages{7}).error == errc::out_of_range);
    CHECK(adl::window(list, pages{10}, pages{1}).error == errc::out_of_range);
    CHECK(adl::window(list, pages{0xFFFF'FFFF}, pages{1}).error == errc::out_of_range);
}

TEST_CASE("OP17-04: both forms give one kind of source, told apart at every list") {
    usize const list[] = {0x300, 0x301, 0x302};
    // The same pages in both forms: the same walk, page by page and by runs.
    adl::source const scattered = adl::from_adl(twin_adl{3, {0}, 0, list}).get();
    adl::source const contiguous = adl::from_adl(twin_adl{3, {1}, 0x300, nullptr}).get();
    CHECK(page_by_page(scattered) == page_by_page(contiguous));
    for (u64 limit = 1; limit <= 4; ++limit) {
        CHECK(by_runs(scattered, pages{limit}) == by_runs(contiguous, pages{limit}));
    }
}

TEST_CASE("OP00-10: an MDL has one page number for each 4 KiB that its bytes touch") {
    struct expectation {
        u32 byte_offset;
        u32 byte_count;
        u64 count;
    };
    constexpr expectation cases[] = {
        {0, 1, 1},
        {0, 4096, 1},
        {0, 4097, 2},
        {1, 4096, 2},
        {4095, 1, 1},
        {4095, 2, 2},
        {0, 8192, 2},
        {1, 8191, 2},
        {0, 0xFFFF'F000, 0xFFFFF},
        {0, 0xFFFF'FFFF, 0x10'0000},
        {4095, 0xFFFF'FFFF, 0x10'0001},
        {0, 0, 0},
    };
    usize const array[] = {1, 2, 3};
    for (expectation const& one : cases) {
        mirror::vista::mdl header{};
        header.ByteOffset = one.byte_offset;
        header.ByteCount = one.byte_count;
        CAPTURE(one.byte_offset);
        CAPTURE(one.byte_count);
        REQUIRE(adl::from_mdl(header, array).ok());
        CHECK(adl::from_mdl(header, array).get().count == one.count);
        CHECK(adl::from_mdl(header, nullptr).ok() == (one.count == 0));
    }
}

// An integer of usize's width and another name, as PFN_NUMBER is on 32-bit x86.
using other_pfn = meta::conditional_t<meta::same_as<usize, unsigned long>, unsigned long long, unsigned long>;

TEST_CASE("OP00-10: an MDL's page numbers may have another type than usize, of its width") {
    // A template, so that a machine whose other integer is narrower instantiates nothing.
    constexpr auto look = []<class Pfn>(Pfn const(&array)[3]) {
        CHECK(sizeof(Pfn) <= sizeof(usize));
        if constexpr (sizeof(Pfn) == sizeof(usize)) {
            mirror::vista::mdl header{};
            header.ByteCount = 3 * 4096;
            result<adl::source> const found = adl::from_mdl(header, array);
            REQUIRE(found.ok());
            CHECK(found.get().count == 3);
            CHECK(found.get().at(0) == page_number{7});
            CHECK(found.get().at(2) == page_number{8});
        }
    };
    look({other_pfn{7}, other_pfn{9}, other_pfn{8}});
}

TEST_CASE("AMB-19: three pages from base 0x100 are the addresses 0x100000 up to, not including, 0x103000") {
    adl::source const from = adl::from_adl(contiguous_adl(0x100, 3)).get();
    CHECK(byte_address(from.at(0)) == 0x10'0000);
    CHECK(byte_address(from.at(2)) == 0x10'2000);  // where the last page begins
    adl::run const run = adl::walk(from).next_run(pages{16});
    CHECK(byte_address(run.first) == 0x10'0000);
    CHECK(byte_address(run.first + run.length) == 0x10'3000);
    CHECK(adl::within_reach(from, page_number{0x102}));
    CHECK_FALSE(adl::within_reach(from, page_number{0x101}));
}

TEST_CASE("ADL-01: a list has no base, nor has a part of one; without pages a range has none either") {
    usize const list[] = {5, 6, 9};
    adl::source const whole = adl::from_array(list, 3).get();
    CHECK(whole.base == 0);
    CHECK(adl::window(whole, pages{1}, pages{2}).get().base == 0);
    mirror::v2_9::dxgk_adl none{};
    none.Flags.Contiguous = 1;
    none.BasePageNumber = 77;
    CHECK(adl::from_adl(none).get().base == 0);
    // How long a list is says nothing about where its pages are.
    CHECK(adl::within_reach(whole, page_number{1}));
}

}  // namespace source_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Addresses and places that are wrong in one way each.
#include "expect_broken.hpp"

namespace broken_addresses_test {

using namespace law_rigs;

namespace {

using whole = mock_gpu<mock::vista>;
using small = mock_small_copies<mock::vista>;
using in_process = mock_gpu<mock::adl_virtual>;

struct pages_of_32_bits : whole {
    static constexpr address from_page(page_number page) { return whole::from_page(page_number{page.n & 0xFFFFF}); }
};

struct offsets_of_64_kib : whole {
    static constexpr address from_segment(segment_id id, segment_offset offset) {
        return whole::from_segment(id, segment_offset{offset.n & 0xFFFF});
    }
};

struct addresses_of_40_bits : in_process {
    static constexpr address from_virtual(gpu_virtual_address va) {
        return in_process::from_virtual(gpu_virtual_address{va.n & 0xFF'FFFF'FFFF});
    }
};

struct without_carry : mock_small::address {
    friend constexpr without_carry operator+(without_carry a, bytes b) {
        a.low += static_cast<u32>(b.n);
        a.high += static_cast<u32>(b.n >> 32);
        return a;
    }
};

struct loses_the_carry : small {
    using address = without_carry;
    static constexpr address from_page(page_number page) { return {small::from_page(page)}; }
    constexpr address from_segment(segment_id id, segment_offset offset) const {
        return {small::from_segment(id, offset)};
    }
    static constexpr address from_virtual(gpu_virtual_address va) { return {small::from_virtual(va)}; }
};

struct interleaved_pages : whole {
    static constexpr address from_page(page_number page) {
        return whole::from_page(page_number{page.n ^ (page.n >> 4 & 1)});
    }
};

struct scattered_pages_one_by_one : small {
    static constexpr address from_page(page_number page) {
        return small::from_page(page_number{page.n ^ (page.n >> 4 & 1)});
    }
};

struct base_added_to_some : small {
    constexpr address from_segment(segment_id id, segment_offset offset) const {
        return small::from_segment(id, segment_offset{offset.n + (offset.n >= 0x8000 ? place(id).base.n : 0)});
    }
};

struct tagged_addresses : in_process {
    static constexpr address from_virtual(gpu_virtual_address va) {
        return in_process::from_virtual(gpu_virtual_address{va.n ^ (va.n >> 20 & 1) << 60});
    }
};

struct ids_of_8_bits : whole {
    constexpr segment_place place(segment_id id) const { return whole::place(segment_id{id.n & 0xFF}); }
};

struct a_place_for_nobody : small {
    constexpr segment_place place(segment_id id) const {
        return id.n == 0 ? segment_place{{0}, {4096}} : small::place(id);
    }
};

struct segment_that_wraps : whole {
    constexpr segment_place place(segment_id id) const {
        return id.n == 3 ? segment_place{{~u64{0} - 0xFFF}, {0x2000}} : whole::place(id);
    }
};

struct segment_of_odd_size : whole {
    constexpr segment_place place(segment_id id) const {
        return id.n == 3 ? segment_place{{0x4000'0000}, {0x1800}} : whole::place(id);
    }
};

struct no_aperture_at_all : whole {
    constexpr bool is_aperture(segment_id) const { return false; }
};

}  // namespace

TEST_CASE("law distinct_addresses: pages, offsets and virtual addresses that are cut") {
    expect_broken_addresses<pages_of_32_bits>(law::distinct_addresses, "page number 0x0 and 0x100000");
    expect_broken_addresses<offsets_of_64_kib>(law::distinct_addresses, "segment 1, offset 0x0 and 0x10000");
    expect_broken_addresses<addresses_of_40_bits>(law::distinct_addresses, "virtual address 0x0 and 0x10000000000");
}

TEST_CASE("law addable_addresses: a carry that gets lost") {
    expect_broken_addresses<loses_the_carry, mock_small_rig<loses_the_carry>>(law::addable_addresses, " is not ");
}

TEST_CASE("law linear_pages: neighbours that are none (OP00-10)") {
    expect_broken_addresses<interleaved_pages>(law::linear_pages, "page 0x10 is not where page 0xf + 4096 is");
    law_options options = options_of_run();
    options.linear_pages = false;
    // An engine that takes two pages at once would be given runs of them, whatever the caller says.
    expect_broken_addresses<interleaved_pages>(law::linear_pages, "copy_max is 10000 bytes", options);
    mock_small_rig<scattered_pages_one_by_one> rig;
    law_report report;
    laws{rig.hw, options}.check_addresses(report);
    CHECK_MESSAGE(report.kept(), report.text());
    CHECK(report.times_exercised(law::linear_pages) == 1);
}

TEST_CASE("law linear_segments: a base that is added twice from some offset on (SEG-28)") {
    expect_broken_addresses<base_added_to_some, mock_small_rig<base_added_to_some>>(law::linear_segments,
                                                                                    "segment 1, offset 0x");
}

TEST_CASE("law linear_virtual: a bit that comes out of the middle") {
    expect_broken_addresses<tagged_addresses>(law::linear_virtual, "virtual address 0x");
}

TEST_CASE("law known_segments: ids and places that nobody reported (OP00-01, SEG-05, SEG-10)") {
    expect_broken_addresses<ids_of_8_bits>(law::known_segments,
                                           "id 0x101 was never reported and has a place of 0x40000 bytes");
    expect_broken_addresses<a_place_for_nobody, mock_small_rig<a_place_for_nobody>>(law::known_segments,
                                                                                    "id 0x0 was never reported");
    expect_broken_addresses<segment_that_wraps>(law::known_segments,
                                                "segment 3 of 0x2000 bytes at 0xfffffffffffff000 wraps");
    expect_broken_addresses<segment_of_odd_size>(law::known_segments,
                                                 "segment 3 of 0x1800 bytes at 0x40000000 is not made of whole pages");
    expect_broken_addresses<no_aperture_at_all>(law::known_segments, "no segment is an aperture");
}

}  // namespace broken_addresses_test

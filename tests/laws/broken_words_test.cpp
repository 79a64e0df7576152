// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Encoders that are wrong in one way each.
#include "expect_broken.hpp"

namespace broken_words_test {

using namespace law_rigs;

namespace {

using whole = mock_gpu<mock::vista>;
using small = mock_small_copies<mock::vista>;

struct writes_one_more : whole {
    static void encode_copy(u32* at, address destination, address source, bytes size) {
        whole::encode_copy(at, destination, source, size);
        at[copy_dwords.n] = 0;
    }
};

struct writes_one_before : small {
    static void encode_padding(u32* at, dwords n) {
        small::encode_padding(at, n);
        at[-1] = 0;
    }
};

struct leaves_one_out : whole {
    static void encode_discard(u32* at, address place, void* allocation) {
        u32 words[discard_dwords.n];
        whole::encode_discard(words, place, allocation);
        for (u32 i = 0; i != discard_dwords.n; ++i) {
            if (i != 5) {
                at[i] = words[i];
            }
        }
    }
};

struct sets_a_bit_only : whole {
    static void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        u32 const before = at[5];
        whole::encode_fill(at, destination, size, pattern);
        at[5] |= before & 0x8000'0000u;
    }
};

struct counts_commands : small {
    mutable u32 count = 0;
    void encode_read(u32* at, address place) const {
        small::encode_read(at, place);
        at[3] ^= ++count;
    }
};

struct writes_the_head_last : whole {
    static void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page, bool coherent) {
        u32 words[aperture_entry_dwords.n];
        whole::encode_aperture_entry(words, id, index, page, coherent);
        u32 volatile* const to = at;
        for (u32 i = 1; i != aperture_entry_dwords.n; ++i) {
            to[i] = words[i];
        }
        to[0] = words[0];
    }
};

struct reads_back : small {
    static void encode_write(u32* at, address place) {
        u32 volatile* const to = at;
        to[0] = 0;
        u32 words[access_dwords.n];
        small::encode_write(words, place);
        words[0] += to[0];
        for (u32 i = 0; i != access_dwords.n; ++i) {
            to[i] = words[i];
        }
    }
};

struct narrow_copy_size : whole {
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) {
        whole::encode_copy(at, destination, source, bytes{size.n & 0x1FFF});
    }
};

struct size_in_kibibytes : small {
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        small::encode_fill(at, destination, bytes{round_up(size.n, u64{8}).value}, pattern);
    }
};

struct narrow_pattern : small {
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        small::encode_fill(at, destination, size, pattern & 0xFFFF);
    }
};

struct counts_one_of_two : fills_by_two<whole> {
    static constexpr dwords fill_dwords_of(address, bytes, u32) { return {7}; }
};

struct takes_more_than_the_most : fills_by_two<whole> {
    static constexpr dwords fill_dwords_most{7};
};

struct one_layout_only : whole {
    template <class Hw>
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<Hw> copy) {
        copy.direction = hw::swizzle::to_swizzled;
        whole::encode_swizzled_copy(at, copy);
    }
};

struct narrow_page : whole {
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page, bool coherent) {
        whole::encode_aperture_entry(at, id, index, page_number{page.n & 0xFFFF'FFFF}, coherent);
    }
};

struct narrow_index : whole {
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page, bool coherent) {
        whole::encode_aperture_entry(at, id, index & 0x1F, page, coherent);
    }
};

struct never_coherent : whole {
    static constexpr void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page, bool) {
        whole::encode_aperture_entry(at, id, index, page, false);
    }
};

struct long_record : whole {
    static void encode_record(void* at, paging_record const& record) {
        whole::encode_record(at, record);
        static_cast<u8*>(at)[record_bytes.n] = 0;
    }
};

struct short_record : whole {
    static constexpr bytes record_bytes{28};
    static void encode_record(void* at, paging_record const& record) { whole::encode_record(at, record); }
};

template <class Hardware>
void expect_small(law l, std::string const& part, law_options options = options_of_run()) {
    expect_broken_words<Hardware, mock_small_rig<Hardware>>(l, part, options);
}

}  // namespace

TEST_CASE("law honest_sizes: a fill whose length is not that of its command, or more than its most") {
    expect_broken_words<counts_one_of_two>(law::honest_sizes, " declares 7 dwords and changes dword 7");
    expect_broken_words<takes_more_than_the_most>(law::honest_sizes, " declares 14 dwords, and at most 7");
}

TEST_CASE("law honest_sizes: a dword behind a copy, a dword before padding") {
    expect_broken_words<writes_one_more>(law::honest_sizes, "declares 11 dwords and changes dword 11");
    expect_small<writes_one_before>(law::honest_sizes, "changes dword -1");
}

TEST_CASE("law every_dword: a dword that is believed to be zero") {
    expect_broken_words<leaves_one_out>(law::every_dword, "discard declares 7 dwords and does not write dword 5");
}

TEST_CASE("law nothing_from_memory: a bit that is set but never cleared") {
    expect_broken_words<sets_a_bit_only>(law::nothing_from_memory, "leaves bits 0x80000000 of dword 5");
}

TEST_CASE("law same_words_again: a serial number in a command") {
    expect_small<counts_commands>(law::same_words_again, "read gives other words the second time");
}

TEST_CASE("law stores_ascend: a head written last, a word read back") {
    law_options options = options_of_run();
    options.watch_stores = true;
    options.rounds = 2;
    if (watched_buffer::available()) {
        expect_broken_words<writes_the_head_last>(law::stores_ascend, "aperture entry", options);
        expect_small<reads_back>(law::stores_ascend, "write", options);
    }
    // Nothing that is in order is suspected, and where stores cannot be watched nothing is said to be known.
    mock_gpu_rig<whole> rig;
    law_report report;
    laws{rig.hw, options}.check_encoders(report);
    CHECK((report.times_exercised(law::stores_ascend) != 0) == watched_buffer::available());
}

TEST_CASE("law distinct_sizes: a field that is too narrow, a unit that is too large") {
    expect_broken_words<narrow_copy_size>(law::distinct_sizes, "copies of 16 and of 8208 bytes are the same words");
    expect_small<size_in_kibibytes>(law::distinct_sizes, "fills of 4 and of 8 bytes are the same words");
}

TEST_CASE("law distinct_patterns: half of a pattern") {
    expect_small<narrow_pattern>(law::distinct_patterns, "fills with 0x0 and with 0x10000 are the same words");
}

TEST_CASE("law distinct_layouts: one direction only") {
    expect_broken_words<one_layout_only>(law::distinct_layouts, "the same words in both directions");
}

TEST_CASE("law distinct_entries: page, index or coherency cut off (OP05-01, OP05-03)") {
    expect_broken_words<narrow_page>(law::distinct_entries, "for pages 0x0 and 0x100000000");
    expect_broken_words<narrow_index>(law::distinct_entries, "of index 0 and 32");
    expect_broken_words<never_coherent>(law::distinct_entries, "coherent");
    law_options without = options_of_run();
    without.coherent_apertures = false;
    mock_gpu_rig<never_coherent> rig;
    law_report report;
    laws{rig.hw, without}.check_encoders(report);
    CHECK_MESSAGE(report.kept(), report.text());
}

TEST_CASE("law honest_records: a byte too many, bytes too few (PGB-13)") {
    expect_broken_words<long_record>(law::honest_records, "a record of 24 bytes changes byte 24");
    expect_broken_words<short_record>(law::honest_records, "does not write all of byte 24");
}

}  // namespace broken_words_test

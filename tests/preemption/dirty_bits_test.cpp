// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/preemption/buffers/dirty_bits.hpp"

#include <random>
#include <vector>

namespace dirty_bits_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

// A bit plane whose pages get dirty between any two accesses, and how often each word was accessed.
struct plane {
    std::vector<u32> words;
    std::vector<u32> accesses;
    u64 disturb = ~u64{0};  // a page that gets dirty before every access

    explicit plane(u64 pages) : words(pages / 32), accesses(pages / 32) {}

    bool is_dirty(u64 page) const { return (words[page / 32] >> page % 32 & 1) != 0; }
    void set(u64 page) { words[page / 32] |= 1u << page % 32; }
    u32 fetch_and(u64 word, u32 mask) {
        if (disturb != ~u64{0}) {
            set(disturb);
        }
        u32 const old = words[word];
        words[word] = old & mask;
        ++accesses[word];
        return old;
    }
};

std::vector<u8> read(plane& bits, dirty_range range, dirty_read how) {
    std::vector<u8> output;
    read_dirty_bits(
        range, how, [&](u64 word, u32 mask) { return bits.fetch_and(word, mask); },
        [&](u64 index, u8 value) {
            CHECK(index == output.size());
            output.push_back(value);
        });
    return output;
}

constexpr bool reads_across_words() {
    u32 words[2] = {0xA000'0001u, 0x0000'0003u};
    u8 output[2] = {};
    read_dirty_bits(
        dirty_range{28, 9}, dirty_read::copy_and_clear,
        [&](u64 word, u32 mask) {
            u32 const old = words[word];
            words[word] = old & mask;
            return old;
        },
        [&](u64 index, u8 value) { output[index] = value; });
    return output[0] == 0b0011'1010 && output[1] == 0 && words[0] == 1 && words[1] == 0;
}

}  // namespace

TEST_CASE("HWS-14: one bit stands for the reported page size") {
    expect_both(dirty_range_of(0, 0, 0x10000, 0x10000).get() == dirty_range{0, 1});
    expect_both(dirty_range_of(0x40000, 0x20000, 0x30000, 0x10000).get() == dirty_range{6, 3});
    expect_both(dirty_range_of(0, 0x1000, 0x10000, 0x10000).error == errc::misaligned);
    expect_both(dirty_range_of(0, 0, 0x1000, 0x10000).error == errc::misaligned);
    expect_both(dirty_range_of(0x800, 0, 0x1000, 0x1000).error == errc::misaligned);
    expect_both(dirty_range_of(0, 0, 0x3000, 0x3000).error == errc::misaligned);
    expect_both(dirty_range_of(~u64{0} - 0xFFF, 0x1000, 0, 0x1000).error == errc::overflow);
    expect_both(dirty_range_of(0, 0x1000, ~u64{0} - 0xFFF, 0x1000).error == errc::overflow);
    expect_both(bitmap_bytes({0, 0}) == 0u);
    expect_both(bitmap_bytes({5, 8}) == 1u);
    expect_both(bitmap_bytes({5, 9}) == 2u);
}

TEST_CASE("HWS-14: reading and clearing is one atomic step a word, and touches no bit of another range") {
    expect_both(reads_across_words());
    constexpr u64 pages = 96;
    std::mt19937 random(1);
    for (u64 first = 0; first != pages; ++first) {
        for (u64 count = 0; first + count <= pages; ++count) {
            plane bits(pages);
            for (u32& word : bits.words) {
                word = static_cast<u32>(random());
            }
            plane const before = bits;
            dirty_range const range{first, count};
            dirty_read const how = random() % 2 == 0 ? dirty_read::copy : dirty_read::copy_and_clear;
            std::vector<u8> const output = read(bits, range, how);
            bool good = output.size() == bitmap_bytes(range);
            for (u64 page = 0; page != pages; ++page) {
                bool const inside = page >= first && page - first < count;
                if (inside) {
                    bool const told = (output[(page - first) / 8] >> (page - first) % 8 & 1) != 0;
                    good = good && told == before.is_dirty(page);
                }
                bool const cleared = inside && how == dirty_read::copy_and_clear;
                good = good && bits.is_dirty(page) == (before.is_dirty(page) && !cleared);
            }
            for (u64 bit = count; bit < output.size() * 8; ++bit) {
                good = good && (output[bit / 8] >> bit % 8 & 1) == 0;
            }
            for (u32 const accesses : bits.accesses) {
                good = good && accesses <= 1;
            }
            if (!good) {
                FAIL("first " << first << ", count " << count);
            }
        }
    }
}

TEST_CASE("HWS-14: a page that gets dirty while it is read is in this answer or in the next") {
    constexpr u64 pages = 96;
    for (u64 page = 0; page != pages; ++page) {
        plane bits(pages);
        bits.disturb = page;
        std::vector<u8> const first = read(bits, {0, pages}, dirty_read::copy_and_clear);
        bits.disturb = ~u64{0};
        std::vector<u8> const second = read(bits, {0, pages}, dirty_read::copy_and_clear);
        CHECK(((first[page / 8] | second[page / 8]) >> page % 8 & 1) == 1);
    }
}

}  // namespace dirty_bits_test

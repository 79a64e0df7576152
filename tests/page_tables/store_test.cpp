// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_requests.hpp"

namespace store_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

/// One store by the CPU: how wide, which word of the table, what.
struct store_seen {
    u32 bytes;
    u64 offset;
    u64 value;
    friend bool operator==(store_seen const&, store_seen const&) = default;
};

/// A GPU that notes every store in order.
template <class Gpu>
struct watching : Gpu {
    unsigned char* table = nullptr;
    std::vector<store_seen>* seen = nullptr;

    void store_entry_word(u64* at, u64 value) {
        seen->push_back({8, static_cast<u64>(reinterpret_cast<unsigned char*>(at) - table), value});
        *at = value;
    }
    void store_entry_word(u32* at, u32 value) {
        seen->push_back({4, static_cast<u64>(reinterpret_cast<unsigned char*>(at) - table), value});
        *at = value;
    }
    void finish_entry_stores() { seen->push_back({0, 0, 0}); }
};

template <class Gpu>
std::vector<store_seen> stores_of(model_request const& request) {
    std::vector<store_seen> seen;
    alignas(16) static unsigned char table[8192];
    watching<Gpu> gpu = with_segments<watching<Gpu>>();
    gpu.table = table;
    gpu.seen = &seen;
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    CHECK(build(gpu, args) == status::success);
    return seen;
}

}  // namespace

TEST_CASE("OP11-11: every entry of 4 and 8 bytes is one store of its width, ascending, and the end is said once") {
    model_request request;
    request.start = 2;
    request.count = 21;
    for (u64 i = 0; i != 21; ++i) {
        request.entries.push_back({1 | (i < 16 ? 1u : 3u) << 5, 0x100 + i * 3});
    }
    std::vector<store_seen> const wide = stores_of<plain_gpu>(request);
    std::vector<store_seen> const narrow = stores_of<narrow_gpu>(request);
    REQUIRE(wide.size() == 22);
    REQUIRE(narrow.size() == 22);
    for (u64 i = 0; i != 21; ++i) {
        CHECK(wide[i].bytes == 8);
        CHECK(wide[i].offset == (2 + i) * 8);
        CHECK(narrow[i].bytes == 4);
        CHECK(narrow[i].offset == (2 + i) * 4);
    }
    CHECK(wide[21].bytes == 0);
    CHECK(narrow[21].bytes == 0);
}

TEST_CASE("OP11-11: of 16 bytes the word with the valid bit comes last for a valid entry, first for one that is not") {
    model_request request;
    request.start = 4;
    request.count = 8;
    for (u64 i = 0; i != 8; ++i) {
        request.entries.push_back({i < 4 ? 1 | 1 << 5 : 0u, 0x100});
    }
    // The valid bit of the odd format is in its high word.
    std::vector<store_seen> const odd = stores_of<odd_page_gpu>(request);
    REQUIRE(odd.size() == 5);
    CHECK(odd[0] == store_seen{8, 16, 0x100});
    CHECK(odd[1] == store_seen{8, 24, 0x8000'0000'0000'0100});
    CHECK(odd[2] == store_seen{8, 40, 0});
    CHECK(odd[3] == store_seen{8, 32, 0});
    // That of the dual directory in its low one.
    request.level = 1;
    std::vector<store_seen> const dual = stores_of<dual_gpu>(request);
    REQUIRE(dual.size() == 17);
    CHECK(dual[0].offset == 4 * 16 + 8);
    CHECK(dual[1].offset == 4 * 16);
    CHECK(dual[8].offset == 8 * 16);
    CHECK(dual[9].offset == 8 * 16 + 8);
}

TEST_CASE("GVA-12: a dual entry whose 64-KiB half alone is valid becomes valid") {
    model_request request;
    request.level = 1;
    request.count = 1;
    request.entries = {{0, 0}};
    request.entries_64k = {{1 | 1 << 5, 0x44}};
    std::vector<store_seen> const seen = stores_of<dual_gpu>(request);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0].offset == 8);
    CHECK(seen[1].offset == 0);
}

TEST_CASE("OP11-04 PGB-04: a token from the system is honoured by the CPU too, and at the end nothing is stored") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request request;
    request.count = 30;
    for (u64 i = 0; i != 30; ++i) {
        request.entries.push_back({1 | 1 << 5, i * 9});
    }
    request_arrays const arrays(request);
    for (u32 token = 0; token <= 30; ++token) {
        alignas(8) unsigned char table[4096] = {};
        unsigned char should[4096] = {};
        apply<plain_gpu>(request, should);
        std::memset(should, 0, token * 8);
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        args.MultipassOffset = token;
        gpu.finishes = 0;
        CHECK(build(gpu, args) == status::success);
        CHECK(args.MultipassOffset == 30);
        CHECK(std::memcmp(table, should, sizeof table) == 0);
        CHECK(gpu.finishes == (token == 30 ? 0 : 1));
    }
}

TEST_CASE("OP11-11: the machine sees the words of a table in the width that its entries have") {
    alignas(8) u64 words[2] = {0x1122'3344'5566'7788, 0};
    CHECK(casts::table_words<u64>(words) == words);
    CHECK(static_cast<void*>(casts::table_words<u32>(words)) == words);
    CHECK(static_cast<void*>(casts::table_words<u32>(static_cast<void*>(words))) == words);
}

}  // namespace store_test

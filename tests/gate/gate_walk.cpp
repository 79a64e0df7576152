// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates count: walks of 1 GiB that begin inside a table, four levels of 512 entries. The visitor
// keeps each chunk, as an emitter would use it: nothing of the walk can be left out. Inputs are made outside.

#include <wddmcore/gpuva/promotion.hpp>

#include <cstdlib>

namespace {

using namespace wddmcore;

constexpr gpuva::page_table_geometry four_levels{.level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}}};
static_assert(check_page_tables<four_levels>());

constexpr gpuva::gpu_mmu_capabilities large{.large_pages = true};

// Page 0x123 of a leaf table; 1 GiB needs 513 of them, and of its directory's tables 2.
constexpr gpuva::page_range unaligned{0x4'0000'0123, 0x4'0000'0123 + (gib.n >> page_shift_lg2)};

/// What a command for a chunk needs.
struct mapped_chunk {
    gpuva::table_chunk chunk;
    page_number first;
    u64 level;
};

gpuva::table_chunk chunks[1024];
mapped_chunk mapped[1024];

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

}  // namespace

extern "C" {

[[gnu::noinline]] u64 measured_walk_leaf(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    gpuva::walk_level<four_levels, 0>(range, [&at](gpuva::table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<u64>(at - chunks);
}

[[gnu::noinline]] u64 measured_walk_all(gpuva::page_range range) {
    gpuva::table_chunk* at = chunks;
    gpuva::walk_all<four_levels, gpuva::walk_order::bottom_up>(range, [&at](auto, gpuva::table_chunk chunk) {
        *at++ = chunk;
        return true;
    });
    return static_cast<u64>(at - chunks);
}

[[gnu::noinline]] u64 measured_walk_promote(gpuva::promotion const& plan) {
    mapped_chunk* at = mapped;
    gpuva::walk_promoted<four_levels>(plan, [&at](auto kind, gpuva::table_chunk chunk, page_number first) {
        *at++ = {chunk, first, decltype(kind)::level};
        return true;
    });
    return static_cast<u64>(at - mapped);
}
}

int main() {
    require(measured_walk_leaf(unaligned) == 513);
    require(chunks[0] == gpuva::table_chunk{0x200'0000, 0x123, 512 - 0x123});
    require(chunks[512] == gpuva::table_chunk{0x200'0200, 0, 0x123});

    require(measured_walk_all(unaligned) == 513 + 2 + 1 + 1);

    // Both addresses are 1 page before a multiple of 2 MiB, and 1 GiB ends 1 page before one.
    gpuva::page_range const aligned{0x4'0000'01FF, 0x4'0000'01FF + (gib.n >> page_shift_lg2)};
    result<gpuva::promotion> const plan =
        gpuva::plan_promotion(four_levels, large, aligned, page_number{0x1'23FF}, {false, false});
    require(plan.ok());
    require(measured_walk_promote(plan.get()) == 3);
    require(mapped[0].chunk == gpuva::table_chunk{0x200'0000, 0x1FF, 1} && mapped[0].first.n == 0x1'23FF);
    require(mapped[1].chunk == gpuva::table_chunk{0x1'0000, 1, 511} && mapped[1].first.n == 0x1'2400);
    require(mapped[2].chunk == gpuva::table_chunk{0x200'0200, 0, 511} && mapped[2].first.n == 0x5'2200);
    require(mapped[0].level == 0 && mapped[1].level == 1 && mapped[2].level == 0);
    return 0;
}

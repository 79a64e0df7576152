// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Copies through a page window by chips that differ in their largest copy: each as a type of its own.
#include "window_shapes.hpp"

#include <wddmcore/ddi/mirror/wddm1/v1_3.hpp>

#include <doctest/doctest.h>

#include <new>
#include <random>
#include <vector>

namespace chosen_window_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using base = window_shapes::common_gpu;
using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

template <u64 Pages>
struct constant_gpu : base {
    static constexpr bytes copy_max{Pages * page_bytes};
};

template <u64 Least, u64 Most>
struct chosen_gpu : base {
    bytes limit{0};
    static constexpr chosen_within copy_max{bytes{Least * page_bytes}, bytes{Most * page_bytes}, &chosen_gpu::limit};
};

std::vector<unsigned char> scattered_list(u32 count) {
    std::vector<unsigned char> memory(sizeof(mirror::v1_3::mdl) + count * sizeof(usize));
    auto* const mdl = new (memory.data()) mirror::v1_3::mdl{};
    mdl->ByteCount = count * 4096;
    auto* const pages = reinterpret_cast<usize*>(memory.data() + sizeof(mirror::v1_3::mdl));
    std::mt19937 random(0x317D);
    usize page = 5;
    for (u32 i = 0; i != count; ++i) {
        page += random() % 5 == 0 ? 2 + random() % 9 : 1;
        // A stretch without neighbours, and one that is contiguous.
        page += i > 400 && i < 500 ? 3 : 0;
        pages[i] = page;
    }
    return memory;
}

struct written {
    std::vector<u32> words;
    std::vector<u32> tokens;
    bool operator==(written const&) const = default;
};

template <class Hw>
written play(Hw hw, std::vector<unsigned char>& list, u32 count, u32 room) {
    written all;
    arguments args{};
    args.Operation = 0;
    args.Transfer = {};
    args.Transfer.TransferSize = u64{count} * page_bytes;
    args.Transfer.Source.pMdl = reinterpret_cast<mirror::v1_3::mdl*>(list.data());
    args.Transfer.Destination.SegmentId = local_memory;
    args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(hw.places[local_memory].base.n);
    ntstatus status = status::graphics_insufficient_dma_buffer;
    for (u32 pass = 0; pass != 2000 && status == status::graphics_insufficient_dma_buffer; ++pass) {
        std::vector<u32> buffer(room);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = room * 4;
        status = build_paging_buffer(hw, args);
        all.words.insert(all.words.end(), buffer.data(), static_cast<u32*>(args.pDmaBuffer));
        all.tokens.push_back(args.MultipassOffset);
    }
    CHECK(status == status::success);
    return all;
}

template <class Range, u64 Pages>
void expect_same_as_constant() {
    constexpr u32 count = 700;
    std::vector<unsigned char> list = scattered_list(count);
    Range chip = window_gpu_with_segments<Range>();
    chip.limit = {Pages * page_bytes};
    REQUIRE(check_numbers(chip) == no_number_broken);
    for (u32 const room : {11u, 12u, 40u, 137u, 200u, 1024u, 16'384u}) {
        CAPTURE(room);
        REQUIRE(play(chip, list, count, room) ==
                play(window_gpu_with_segments<constant_gpu<Pages>>(), list, count, room));
    }
}

}  // namespace

TEST_CASE("OP00-10: a chip copies through the window as its own largest copy says") {
    expect_same_as_constant<chosen_gpu<1, 1000>, 1>();
    expect_same_as_constant<chosen_gpu<1, 1000>, 3>();
    expect_same_as_constant<chosen_gpu<1, 1000>, 64>();
    expect_same_as_constant<chosen_gpu<1, 1000>, 1000>();
    // Copies that never end within a chunk.
    expect_same_as_constant<chosen_gpu<64, 1000>, 64>();
    expect_same_as_constant<chosen_gpu<64, 1000>, 777>();
}

}  // namespace chosen_window_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The mocks as hardware types: which promises they keep, their words as numbers, and a whole build in constant evaluation.
#include "mock_engine.hpp"
#include "mock_gpu.hpp"
#include "mock_small_copies.hpp"
#include "mock_small_engine.hpp"

#include "../cpu/test_bus.hpp"

#include <doctest/doctest.h>

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

namespace mock_gpu_test {

namespace {

using namespace wddmcore;
using namespace wddmcore::testing;

template <class Hw>
inline constexpr bool has_every_option =
    hw::busy_reporter<Hw> && hw::content_discarder<Hw> && hw::swizzle_copy_engine<Hw> && hw::aperture_by_command<Hw> &&
    hw::submission_recorder<Hw> && hw::decrements_dma_size<Hw>;
template <class Hw>
inline constexpr bool has_any_option =
    hw::busy_reporter<Hw> || hw::content_discarder<Hw> || hw::swizzle_copy_engine<Hw> || hw::aperture_by_command<Hw> ||
    hw::submission_recorder<Hw> || hw::decrements_dma_size<Hw>;

static_assert(has_every_option<mock_gpu<>> && !has_any_option<mock_small_copies<>>);

template <template <capabilities> class Mock>
constexpr bool every_version_compiles() {
    return check_hardware<Mock<mock::vista>, mirror::vista::dxgkarg_buildpagingbuffer>() &&
           check_hardware<Mock<mock::vista>, mirror::v3_2::dxgkarg_buildpagingbuffer>() &&
           check_hardware<Mock<mock::bare>, mirror::v1_3::dxgkarg_buildpagingbuffer>() &&
           check_hardware<Mock<mock::first_virtual>, mirror::v2_0::dxgkarg_buildpagingbuffer>() &&
           check_hardware<Mock<mock::adl_virtual>, mirror::v2_9::dxgkarg_buildpagingbuffer>() &&
           check_hardware<Mock<mock::everything>, mirror::v3_2::dxgkarg_buildpagingbuffer>();
}
static_assert(every_version_compiles<mock_gpu>() && every_version_compiles<mock_small_copies>());

// What the odd limits come to: 10'000 bytes are two pages, 1'000 bytes are five commands a page.
static_assert(hw::chunk_pages(mock_gpu<>::copy_max).n == 2 && hw::chunk_pages(mock_gpu<>::fill_max).n == 1);
static_assert(hw::commands_per_page(mock_small_copies<>::copy_max, mock_small_copies<>::copy_alignment) == 5);
static_assert(hw::commands_per_page(mock_small_copies<>::fill_max, mock_small_copies<>::fill_alignment) == 3);
static_assert(smallest_paging_buffer<mock_gpu<>> == bytes{15 * 4});           // 13 dwords in grains of 3
static_assert(smallest_paging_buffer<mock_small_copies<>> == bytes{45 * 4});  // 5 copies of 9 dwords

template <u32 Count>
struct some_words {
    u32 at[Count];
    friend constexpr bool operator==(some_words const&, some_words const&) = default;
};

template <u32 Count, class Encode>
constexpr some_words<Count> words_of(Encode encode) {
    some_words<Count> words{};
    encode(words.at);
    return words;
}

constexpr mock::address in_pages{0x1'2345'6000, 0x22, 0};
constexpr mock::address in_segment{0x80, 0x11, 5};

static_assert(words_of<11>([](u32* at) { mock_gpu<>::encode_copy(at, in_pages, in_segment, bytes{48}); }) ==
              some_words<11>{{0xB701'000B, 1, 0x2345'6000, 0x22, 0, 0, 0x80, 0x11, 5, 48,
                              0xB701'000Bu ^ 1u ^ 0x2345'6000u ^ 0x22u ^ 0x80u ^ 0x11u ^ 5u ^ 48u}});
static_assert(words_of<7>([](u32* at) { mock_gpu<>::encode_fill(at, in_segment, bytes{6}, 0x4141'4141); }) ==
              some_words<7>{{0xB702'0007, 0, 0x80, 0x511, 6, 0x41, 0xB702'0007u ^ 0x80u ^ 0x511u ^ 6u ^ 0x41u}});
static_assert(words_of<2>([](u32* at) { mock_gpu<>::encode_padding(at, dwords{2}); }) ==
              some_words<2>{{0xFADE'0002, 0xFADE'0001}});
static_assert(words_of<5>([](u32* at) {
                  mock_gpu<>::encode_aperture_entry(at, segment_id{3}, 7, page_number{0x9'8765'4321}, true);
              }) == some_words<5>{
                        {0xB704'0305, 7, 0xC000'0009, 0x8765'4321, 0xB704'0305u ^ 7u ^ 0xC000'0009u ^ 0x8765'4321u}});
static_assert(words_of<6>([](u32* at) {
                  mock_small_copies<>::encode_write(at, mock_small::address{0xFFFF'FFF0, 1, 2} + bytes{0x20});
              }) == some_words<6>{{0x1A40'0000, 0x10, 2, 2, 0xE5BF'FFFF, 0xE4D0'E4D0}});

/// The arguments with typed pointers, so that the compiler itself can run a build (design law 3).
struct twin {
    union large {
        i64 QuadPart;
    };
    struct page_list {
        usize Pages[8];
        u32 ByteCount;
        u32 ByteOffset;
    };
    struct side {
        u32 SegmentId;
        large SegmentAddress;
        page_list const* pMdl;
    };
    struct flags {
        u32 Swizzle;
        u32 Unswizzle;
        u32 AllocationIsIdle;
    };
    struct transfer {
        void* hAllocation;
        u32 TransferOffset;
        usize TransferSize;
        side Source;
        side Destination;
        flags Flags;
        u32 MdlOffset;
    };
    struct fill {
        usize FillSize;
        u32 FillPattern;
        side Destination;
    };
    struct discard {
        void* hAllocation;
        flags Flags;
        u32 SegmentId;
        large SegmentAddress;
    };
    struct access {
        u32 SegmentId;
        large PhysicalAddress;
    };

    u32* pDmaBuffer;
    u32 DmaSize;
    u8* pDmaBufferPrivateData;
    u32 DmaBufferPrivateDataSize;
    u32 Operation;
    u32 MultipassOffset;
    transfer Transfer;
    fill Fill;
    discard DiscardContent;
    access ReadPhysical;
    access WritePhysical;
};

constexpr mock_gpu<mock::bare> placed() {
    mock_gpu<mock::bare> gpu{};
    gpu.segments.of[1] = {{{0x10'0000}, {0x10'0000}}, false};
    return gpu;
}

struct outcome {
    some_words<24> words;
    some_words<24> record;
    u32 token;
    u32 left;
    ntstatus status;
    bool pointers_moved;
};

/// Three pages of a list, two of them neighbours, to segment 2, in a room of 95 bytes.
constexpr outcome build_three_pages() {
    mock_gpu<mock::bare> gpu = placed();
    twin::page_list const list{{0x99, 0x20, 0x21, 0x30}, 4 * 4096, 0};
    outcome result{};
    u8 record[24]{};
    twin args{};
    args.pDmaBuffer = result.words.at;
    args.DmaSize = 95;
    args.pDmaBufferPrivateData = record;
    args.DmaBufferPrivateDataSize = 24;
    args.Transfer.TransferSize = 3 * 4096;
    args.Transfer.Source.pMdl = &list;
    args.Transfer.MdlOffset = 1;
    args.Transfer.Destination.SegmentId = 2;
    args.Transfer.Destination.SegmentAddress.QuadPart = 0x10'4000;
    result.status = build_paging_buffer(gpu, args);
    result.token = args.MultipassOffset;
    result.left = args.DmaSize;
    result.pointers_moved = args.pDmaBuffer == result.words.at + 12 && args.pDmaBufferPrivateData == record + 24;
    for (u32 i = 0; i != 24; ++i) {
        result.record.at[i] = record[i];
    }
    return result;
}

}  // namespace

TEST_CASE("mock: a whole build runs in constant evaluation, and at run time it is the same (design law 3)") {
    constexpr outcome compiled = build_three_pages();
    static_assert(compiled.status == status::graphics_insufficient_dma_buffer && compiled.token == 2);
    static_assert(compiled.left == 95 - 48 && compiled.pointers_moved);
    static_assert(compiled.words.at[0] == 0xB701'000B && compiled.words.at[2] == 0x4000 &&
                  compiled.words.at[6] == 0x2'0000 && compiled.words.at[9] == 8192 &&
                  compiled.words.at[11] == 0xFADE'0001);
    outcome const run = build_three_pages();
    CHECK(run.status == compiled.status);
    CHECK(run.token == compiled.token);
    CHECK(run.words == compiled.words);
    CHECK(run.record == compiled.record);
}

TEST_CASE("mock: a record says MOCK, what was done, and their exclusive or (PGB-13)") {
    outcome const run = build_three_pages();
    auto const word = [&](u32 i) {
        return run.record.at[4 * i] | run.record.at[4 * i + 1] << 8 | run.record.at[4 * i + 2] << 16 |
               run.record.at[4 * i + 3] << 24;
    };
    CHECK(word(0) == 0x4B43'4F4D);
    CHECK(word(1) == 0);   // transfer
    CHECK(word(2) == 48);  // bytes, padding included
    CHECK(word(3) == 0);
    CHECK(word(4) == 2);
    CHECK(word(5) == (0x4B43'4F4Du ^ 48u ^ 2u));
}

TEST_CASE("mock: tests decide what is busy (PGB-09)") {
    mock_gpu<> gpu{};
    int a = 0;
    int b = 0;
    CHECK(!gpu.allocation_is_busy(&a));
    gpu.busy.set(&a, true);
    gpu.busy.set(&b, true);
    gpu.busy.set(&a, true);
    CHECK(gpu.busy.count == 2);
    CHECK(gpu.allocation_is_busy(&a));
    gpu.busy.set(&a, false);
    CHECK(!gpu.allocation_is_busy(&a));
    CHECK(gpu.allocation_is_busy(&b));
    CHECK(!gpu.allocation_is_busy(nullptr));
    gpu.busy.everything = true;
    CHECK(gpu.allocation_is_busy(nullptr));
}

TEST_CASE("mock: the fault hook remembers, and answers what a test wants") {
    mock_gpu<mock::bare> gpu = placed();
    mirror::v1_3::dxgkarg_buildpagingbuffer args{};
    args.Operation = static_cast<u32>(paging_operation::fill);
    args.Fill = {};
    CHECK(build_paging_buffer(gpu, args) == status::invalid_parameter);
    CHECK(gpu.faults.count == 1);
    CHECK(gpu.faults.last.rule == paging_rule::nothing_to_fill);
    gpu.faults.answer = disposition::dropped;
    CHECK(build_paging_buffer(gpu, args) == status::success);
    CHECK(gpu.faults.count == 2);
}

TEST_CASE("mock: entries stored at once are what the engines read") {
    std::vector<u64> table(4);
    std::span<std::byte> const as_bytes = std::as_writable_bytes(std::span(table));
    mock_engine const engine(mock_map{}, {mock_aperture{1, as_bytes}});
    mock_gpu<> gpu{};
    gpu.entries = table.data();
    gpu.store_aperture_entry(segment_id{1}, 2, page_number{0xF'FFFF'FFFF'FFFF}, true);
    CHECK(engine.page_of(1, 2) == 0xF'FFFF'FFFF'FFFFu);
    CHECK(engine.coherent_of(1, 2) == true);

    mock_small_engine const small_engine(mock_map{}, {mock_aperture{1, as_bytes}});
    mock_small_copies<> small{};
    small.entries = table.data();
    small.store_aperture_entry(segment_id{1}, 3, page_number{0x1234'5678'9ABC}, false);
    CHECK(small_engine.page_of(1, 3) == 0x1234'5678'9ABCu);
    CHECK(small_engine.coherent_of(1, 3) == false);
}

TEST_CASE("mock: an engine refuses targets that it was told nothing of") {
    decoder_tests::patchy_bus bus(0x1000, {{0, 0, 0x1000}});
    u32 words[9]{};
    mock_gpu<>::encode_fill(words, mock_gpu<>::from_virtual(gpu_virtual_address{0}), bytes{4}, 0);
    mock_gpu<>::encode_padding(words + 7, dwords{2});
    mock_engine engine(mock_map{.segments = {}, .system_pages = 0, .virtual_addresses = std::nullopt});
    execution done = engine.execute(words, 9, bus);
    CHECK(decoder_tests::has(done.why, "this engine reaches no virtual addresses"));
    mock_gpu<>::encode_fill(words, mock_gpu<>::from_page(page_number{0}), bytes{4}, 0);
    mock_engine other(mock_map{.segments = {}, .system_pages = std::nullopt, .virtual_addresses = 0});
    done = other.execute(words, 9, bus);
    CHECK(decoder_tests::has(done.why, "this engine reaches no system pages"));
    CHECK(engine.execute(words, 9, bus).ok);
}

}  // namespace mock_gpu_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../../base/expect_both.hpp"
#include "../promise_buffer.hpp"

#include <hardware/nvidia_ampere_virtual.hpp>

/// Numbers: the vendor's method offsets and entry bits, written out dword by dword. A method header is sec_op [31:29]
/// (1 one method after the other, 3 the same one), count [28:16], subchannel 4 [15:13], method / 4 [11:0].
namespace ampere_promises_test {

namespace {

using namespace promise_tests;
namespace nvidia = wddmcore::examples::nvidia;

constexpr capabilities all_claims = nvidia::every_promise(wddm::v3_2, nvidia::every_mode, paging_addresses::both);
constexpr capabilities virtual_claims = nvidia::every_promise(wddm::v3_2, update_modes::gpu_virtual);
using gpu = nvidia::ampere_virtual<all_claims>;
using virtual_gpu = nvidia::ampere_virtual<virtual_claims>;

constexpr u32 video = 1;
constexpr u32 aperture = 2;
constexpr u64 video_first = 0x1000'0000;  // so that page 0x2345 of the segment is page 0x12345 of video memory
constexpr u64 semaphore = 0x9'0000'0010;
constexpr u64 stream_bus = 0x8'0000'0000;
constexpr u64 table = 0x7'0000'1000;
constexpr u32 same_nop = 0x6000'8040;  // 3 << 29 | 4 << 13 | 0x100 / 4, without its count

template <class Gpu>
constexpr Gpu started() {
    return Gpu::started({.video_segment = {video},
                         .video = {{0}, {u64{16} << 30}},
                         .video_first = video_first,
                         .aperture_segment = {aperture},
                         .aperture = {{0x40'0000'0000}, {u64{1} << 30}},
                         .aperture_virtual = 0x1'0000'0000'0000,
                         .aperture_table = nullptr,
                         .aperture_table_address = 0x5000,
                         .scratch = 0x6000},
                        semaphore);
}
constexpr gpu adapter = started<gpu>();

constexpr u64 leaf(u64 flags, u64 page, u64 protection = 0) {
    return leaf_of(adapter, leaf_kind::gpu_page, 0, flags, page, protection);
}

constexpr pte_target target_of(u64 flags, u64 page) { return {{flags}, page}; }

/// The engine and a buffer that it reads as coherent system memory.
struct rig {
    gpu hw = started<gpu>();
    paging_buffer buffer;

    rig() { hw.stream = {buffer.at.data(), {stream_bus, nvidia::target::coherent_system}}; }
    [[nodiscard]] words commands_of(arguments const& args) { return buffer.commands_of(hw, args); }
};

/// A copy where either side may be physical: modes of both, offsets, length, launch.
words copy(u32 source_mode, u32 destination_mode, u64 source, u64 destination, u32 size, u32 launch) {
    return {0x2002'8098,
            source_mode,
            destination_mode,
            0x2004'8100,
            static_cast<u32>(source >> 32),
            static_cast<u32>(source),
            static_cast<u32>(destination >> 32),
            static_cast<u32>(destination),
            0x2002'8106,
            size,
            1,
            0x2001'80C0,
            launch};
}

words operator+(words first, words const& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

TEST_CASE("law 5: ampere keeps the promises of page tables at every interface version from 2.0 on") {
    expect_both(accepted_versions<nvidia::ampere_virtual, all_claims>() == 15);
    expect_both(accepted_versions<nvidia::ampere_virtual, virtual_claims>() == 15);
    expect_both(
        accepted_versions<nvidia::ampere_virtual, nvidia::every_promise(wddm::v2_0, update_modes::cpu_virtual)>() ==
        15);
    expect_both(check_page_tables<gpu::page_tables>());
    expect_both(gpuva::check_gpu_mmu_caps<gpu::page_tables, gpu::mmu_caps, wddm::v3_2>());
    // All of the 23 but 3 and 4, which ended with WDDM 2.0, 7, 19 and 20; by virtual addresses alone not 0 nor 1.
    expect_both(reachable_operations(all_claims) == 18);
    expect_both(reachable_operations(virtual_claims) == 16);
    // 49 bits of address: 2, 9, 9, 8 and 9 bits of index above 12.
    expect_both(gpuva::address_bits(gpu::page_tables) == 49);
    expect_both(gpu::mmu_caps.mode == gpuva::update_mode::gpu_virtual);
    expect_both(smallest_paging_buffer<gpu> == to_bytes(dwords{25}));  // an entry of the aperture, and a flush
}

TEST_CASE("GVA-18 GVA-19 GVA-20 GVA-21: ampere leaf entries have the manual's bits") {
    // VALID b0, APERTURE [2:1] 0 video 2 coherent 3 not coherent, VOL b3, READ_ONLY b6, address from b8, KIND [63:56].
    expect_both(leaf(valid | in_segment(video), 0x2345) == 0x0000'0000'0123'4501);
    expect_both(leaf(valid | coherent, 0x1'2345) == 0x0000'0000'0123'450D);
    expect_both(leaf(valid, 0x1'2345) == 0x0000'0000'0123'450F);
    expect_both(leaf(valid | coherent | read_only, 0x1'2345) == 0x0000'0000'0123'454D);
    expect_both(leaf(valid | in_segment(video), 0x2345, 0xDB) == 0xDB00'0000'0123'4501);
    expect_both(leaf(valid | coherent, 0x1F'FFFF'FFFF) == 0x0000'1FFF'FFFF'FF0D);  // 37 bits of page
    // ADDRESS_VID [32:8]: a page number beyond must not become a peer's.
    expect_both(leaf(valid | in_segment(video), u64{1} << 25 | 0x2345) == leaf(valid | in_segment(video), 0x2345));
    expect_both(leaf(valid | in_segment(video) | u64{5} << 11, u64{1} << 26 | 0x2345) == 0x0000'000A'0123'4503);
    // A peer: aperture 1, PEER [35:33].
    expect_both(leaf(valid | in_segment(video) | u64{5} << 11, 0x2345) == 0x0000'000A'0123'4503);
    // Sparse: not VALID, but VOL. Neither is nothing, and an aperture is no memory.
    expect_both(leaf(valid | zero, 0) == 0x8);
    expect_both(leaf(zero, 0) == 0);
    expect_both(leaf(0, 0x1'2345) == 0);
    expect_both(leaf(valid | in_segment(aperture), 0x10) == 0);
    // A 64-KiB page and a 2-MiB page look alike; what they are is told by the table.
    expect_both(leaf_of(adapter, leaf_kind::large_page, 1, valid | large | in_segment(video), 0x2200) == 0x0122'0001);
    expect_both(leaf_of(adapter, leaf_kind::page_64k, 0, valid | in_segment(video), 0x2340) == 0x0123'4001);
}

TEST_CASE("GVA-18: ampere's entries of a run are lines") {
    constexpr pte_flags flags{valid | in_segment(video) | read_only};
    constexpr entry_attributes line = adapter.attributes(leaf_kind::gpu_page, flags, 0x42);
    expect_both(line == entry_attributes{0x0000'0001'FFFF'FF00, 0x4200'0000'0100'0041});
    expect_both(((u64{0x2345} << gpu::entry_page_shift & line.mask) + line.add) == leaf(flags.n, 0x2345, 0x42));
}

TEST_CASE("GVA-11 GVA-12: ampere directories name tables in either memory, two of them at level 1") {
    constexpr pte_target none{};
    constexpr pte_target in_video = target_of(valid | in_segment(video), 0x2345);
    constexpr pte_target in_system = target_of(valid, 0x5'4321);
    // Of directories APERTURE 1 is video, 2 coherent system memory.
    expect_both(adapter.encode_directory(4, in_video, none) == page_table_entry{0x0123'4502, 0});
    expect_both(adapter.encode_directory(2, in_system, none) == page_table_entry{0x0543'2104, 0});
    expect_both(adapter.encode_directory(3, none, none) == page_table_entry{0, 0});
    // 64-KiB half: shift 8, from b4, so that the page stands at b8 too; 4-KiB half the same, 64 bits up.
    expect_both(adapter.encode_directory(1, in_video, in_system) == page_table_entry{0x0543'2104, 0x0123'4502});
    expect_both(adapter.encode_directory(1, none, in_video) == page_table_entry{0x0123'4502, 0});
    expect_both(adapter.encode_directory(1, in_system, none) == page_table_entry{0, 0x0543'2104});
    // A table in the aperture, or in a peer's memory, has no number: none.
    constexpr pte_target in_aperture = target_of(valid | in_segment(aperture), 5);
    expect_both(adapter.encode_directory(2, in_aperture, none) == page_table_entry{0, 0});
    expect_both(adapter.encode_directory(1, in_aperture, in_video) == page_table_entry{0x0123'4502, 0});
    expect_both(adapter.encode_directory(2, target_of(valid | in_segment(video) | u64{5} << 11, 0x2345), none) ==
                page_table_entry{0, 0});
}

TEST_CASE("OP11-01 OP11-03: ampere entries stand in the stream, and a copy takes them to the table's address") {
    rig at;
    std::vector<pte> pages{page_of(valid | in_segment(video), 0x2345), page_of(valid | coherent, 0x1'2345)};
    expect_words(at.commands_of(update_at(table, 0, 3, pages)),
                 words{same_nop | 4 << 16, 0x0123'4501, 0, 0x0123'450D, 0} +
                     copy(1, 0, stream_bus + 4, table + 24, 16, 0x1186));

    std::vector<pte> page_of_64k{page_of(valid | in_segment(video), 0x2340)};
    arguments update = update_at(table, 0, 1, page_of_64k);
    update.UpdatePageTable.Flags.Use64KBPages = 1;
    expect_words(at.commands_of(update),
                 words{same_nop | 2 << 16, 0x0123'4001, 0} + copy(1, 0, stream_bus + 4, table + 8, 8, 0x1186));
}

TEST_CASE("OP11-06 GVA-12 GVA-16: ampere's level 1 is written by a place in video memory, 16 bytes an entry") {
    rig at;
    std::vector<pte> tables{page_of(valid | in_segment(video), 0x2345),
                            page_of(valid | large | in_segment(video), 0x2200)};
    std::vector<pte> tables_of_64k{page_of(valid, 0x5'4321), page_of(0, 0)};
    arguments update = update_in(video, 0x20'0000, 1, 2, tables);
    update.UpdatePageTable.pPageTableEntries64KB = tables_of_64k.data();
    expect_words(at.commands_of(update),
                 words{same_nop | 8 << 16, 0x0543'2104, 0, 0x0123'4502, 0, 0x0122'0001, 0, 0, 0} +
                     copy(1, 0, stream_bus + 4, video_first + 0x20'0000 + 32, 32, 0x3186));
}

TEST_CASE("OP11-03: ampere writes tables in system memory by their pages") {
    rig at;
    std::vector<pte> tables{page_of(valid, 0x5'4321)};
    expect_words(at.commands_of(update_in(0, 0x1'2345'6000, 2, 5, tables)),
                 words{same_nop | 2 << 16, 0x0543'2104, 0} + copy(1, 1, stream_bus + 4, 0x1'2345'6028, 8, 0x3186));
}

TEST_CASE("OP11-04 OP11-11: ampere entries stored by the CPU are the same") {
    gpu hw = started<gpu>();
    u64 leaves[8] = {};
    std::vector<pte> pages{page_of(valid | in_segment(video), 0x2345), page_of(valid | coherent, 0x1'2345)};
    expect_done_at_once(hw, update_stored(leaves, 0, 3, pages));
    CHECK(leaves[2] == 0);
    CHECK(leaves[3] == 0x0123'4501);
    CHECK(leaves[4] == 0x0123'450D);
    CHECK(leaves[5] == 0);

    u64 directory[6] = {};
    std::vector<pte> tables{page_of(valid, 0x5'4321)};
    expect_done_at_once(hw, update_stored(directory, 1, 1, tables));
    CHECK(directory[2] == 0);
    CHECK(directory[3] == 0x0543'2104);
}

TEST_CASE("OP11-02 GVA-23: an ampere table that begins empty is one fill") {
    rig at;
    std::vector<pte> nothing{page_of(0, 0)};
    arguments update = update_in(video, 0x20'0000, 0, 0, nothing);
    update.UpdatePageTable.NumPageTableEntries = 512;
    update.UpdatePageTable.Flags.Repeat = 1;
    update.UpdatePageTable.Flags.InitialUpdate = 1;
    // Destination mode video, 1024 elements of constant A, remapped: X from A, 4 bytes.
    expect_words(at.commands_of(update), {0x2001'8099, 0, 0x2002'8102, 0, 0x1020'0000, 0x2002'8106, 1024, 1,
                                          0x2003'81C0, 0, 0, 0x0003'0004, 0x2001'80C0, 0x2586});
}

TEST_CASE("PGB-12: without physical places ampere reads the buffer where the request says that it is mapped") {
    virtual_gpu hw = started<virtual_gpu>();
    paging_buffer buffer;
    std::vector<pte> pages{page_of(valid | coherent, 0x1'2345)};
    arguments update = update_at(table, 0, 0, pages);
    update.pDmaBuffer = buffer.at.data();
    update.DmaBufferGpuVirtualAddress = 0xA'0000'0000;
    update.DmaBufferWriteOffset = 0x40;
    CHECK(hw.reads_stream_of(update));
    expect_words(buffer.commands_of(hw, update), {same_nop | 2 << 16, 0x0123'450D, 0, 0x2004'8100, 0xA, 0x44, 7, 0x1000,
                                                  0x2002'8106, 8, 1, 0x2001'80C0, 0x186});
    update.DmaBufferGpuVirtualAddress = 0;
    CHECK_FALSE(hw.reads_stream_of(update));
}

TEST_CASE("OP12-03 OP12-04: ampere waits for its engines, then drops the translations of a root") {
    rig at;
    // Host semaphore 0x5C: address, payload, release b0 with wait for idle b20; then memory operation 0x28, D 9 << 27.
    expect_words(at.commands_of(flush_of(video, 0x30'0000, 0, 0)),
                 {0x2005'8017, 0x10, 9, 0, 0, 0x0010'0001, 0x2004'800A, 0, 0, 0x1030'0000, 0x4800'0000});
    // Coherent system memory is aperture 2 at [11:10]; a range is the whole all the same.
    expect_words(at.commands_of(flush_of(0, 0x1'2345'6000, 0x10'0000, 0x20'0000)),
                 {0x2005'8017, 0x10, 9, 0, 0, 0x0010'0001, 0x2004'800A, 0, 0, 0x2345'6800, 0x4800'0001});
}

TEST_CASE("OP17-02 PGB-20: a flush of all translations stands behind an entry of the ampere aperture") {
    rig at;
    arguments args = request(17);
    args.MapApertureSegment2 = {};
    args.MapApertureSegment2.SegmentId = aperture;
    args.MapApertureSegment2.OffsetInPages = 3;
    args.MapApertureSegment2.NumberOfPages = 1;
    args.MapApertureSegment2.Flags.Value = 0;
    args.MapApertureSegment2.Flags.CacheCoherent = 1;
    args.MapApertureSegment2.Adl.Flags.Value = 0;
    args.MapApertureSegment2.Adl.Flags.Contiguous = 1;
    args.MapApertureSegment2.Adl.PageCount = 1;
    args.MapApertureSegment2.Adl.BasePageNumber = 0x1'2345;
    expect_words(at.commands_of(args), {0x2001'8099, 0,           0x2002'8102, 0, 0x5018,      0x2002'8106, 1,
                                        1,           0x2003'81C0, 0x0123'450D, 0, 0x0103'0054, 0x2001'80C0, 0x2586,  //
                                        0x2005'8017, 0x10,        9,           0, 0,           0x0010'0001,          //
                                        0x2004'800A, 0,           0,           1, 0x4800'0000});
}

TEST_CASE("OP14-01 OP14-02: ampere copies entries between tables in the order of the ranges") {
    rig at;
    std::vector<mirror::v3_2::dxgk_buildpagingbuffer_copy_range> ranges(2);
    ranges[0] = {3, 0x7'0001'0000, 0x7'0002'0000, 4, 8};
    ranges[1] = {1, 0x7'0002'0000, 0x7'0001'0000, 8, 0};
    expect_words(at.commands_of(copies_of(ranges)),
                 {0x2004'8100, 7, 0x1'0020, 7, 0x2'0040, 0x2002'8106, 24, 1, 0x2001'80C0, 0x186,  //
                  0x2004'8100, 7, 0x2'0040, 7, 0x1'0000, 0x2002'8106, 8,  1, 0x2001'80C0, 0x186});
}

TEST_CASE("OP16-01 OP16-03: an ampere fence stores 64 bits behind everything, and interrupts") {
    rig at;
    // Semaphore 0x240: upper and lower address, payload; launch: flush b2, one word b3, interrupt 2 << 5, 64 bits b27.
    expect_words(at.commands_of(signal_of(0xB'1234'5678, 0x1122'3344'5566'7788)),
                 {0x2004'8090, 0xB, 0x1234'5678, 0x5566'7788, 0x1122'3344, 0x2001'80C0, 0x0800'004C});
}

TEST_CASE("NTF-10 AMB-39: before an IOMMU unmap ampere writes and drops its caches, whatever the address") {
    rig at;
    u32 marker = 0;
    // Memory operation D: 0x10 dirty lines, 0xE lines of system memory, 9 translations, of all roots (C b0).
    expect_words(at.commands_of(leaving_of(2, &marker, &marker, 0, 0x7'0000'0000, 0x5000)),
                 {0x2005'8017, 0x10, 9, 0, 0,           0x0010'0001,  //
                  0x2004'800A, 0,    0, 0, 0x8000'0000,               //
                  0x2004'800A, 0,    0, 0, 0x7000'0000,               //
                  0x2004'800A, 0,    0, 1, 0x4800'0000});
}

TEST_CASE("OP10-03 OP13-01: ampere contexts get a copied image, and 64-bit stores") {
    rig at;
    at.hw.context_image = bytes{0x1804};
    at.hw.context_source = 0x7000;
    u32 marker = 0;
    expect_words(at.commands_of(context_of(&marker, 0xC'0000'0000)),
                 copy(0, 0, 0x7000, 0xC'0000'0000, 0x1000, 0x1186) + copy(0, 0, 0x8000, 0xC'0000'1000, 0x804, 0x1186));
    std::vector<nvidia::context_item> items{{0x18, 0x1122'3344'5566'7788}};
    // One element of two components of 4 bytes: X from A (4), Y from B (5 << 4), two components (1 << 24).
    expect_words(at.commands_of(context_update_of(0xC'0000'0000, 0x1000, items)),
                 {0x2001'8099, 0, 0x2002'8102, 0xC, 0x18, 0x2002'8106, 1, 1, 0x2003'81C0, 0x5566'7788, 0x1122'3344,
                  0x0103'0054, 0x2001'80C0, 0x586});
}

TEST_CASE("OP15-02 OP18-02 OP21-01: ampere's driver keeps where allocations and fences are") {
    gpu hw = started<gpu>();
    nvidia::allocation known{};
    expect_done_at_once(hw, residency_of(&known, true, video, 0x3000));
    CHECK(known.resident);
    CHECK(known.segment.n == video);
    CHECK(known.offset.n == 0x3000);
    expect_done_at_once(hw, residency_of(&known, false, 0, 0));
    CHECK_FALSE(known.resident);
    expect_done_at_once(hw, residency_of_pages(&known, true, 3, 5, video, 0x3000));
    expect_done_at_once(hw, residency_of_pages(&known, false, 4, 2, video, 0x4000));
    CHECK(known.resident_pages == 3);
    CHECK(known.changes == 4);

    nvidia::native_fence fences[2] = {{&known}, {&hw}};
    hw.fences = fences;
    hw.fence_count = 2;
    mirror::v3_2::dxgk_fence_residency_info told{};
    told.hGlobalNativeFence = &hw;
    told.CurrentValuePhysicalAddress.SegmentId = video;
    told.CurrentValuePhysicalAddress.SegmentOffset = 0x5008;
    arguments args = request(18);
    args.NotifyFenceResidency = {};
    args.NotifyFenceResidency.NumFences = 1;
    args.NotifyFenceResidency.FenceResidencyInfo = &told;
    expect_done_at_once(hw, args);
    CHECK(fences[1].current.segment.n == video);
    CHECK(fences[1].current.offset.n == 0x5008);
    CHECK(fences[0].current.offset.n == 0);
}

}  // namespace ampere_promises_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_gpus.hpp"

/// Operations 11 and 14 in constant evaluation, over arguments whose pointers the evaluator can follow (law 3). Buffers
/// and tables are uninitialised: a load of a word that was not written is an error of the compiler (law 4).
namespace page_table_constant_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

struct twin_pte {
    u64 Flags;
    u64 PageAddress;
};

struct twin_range {
    u32 NumPageTableEntries;
    u64 SrcPageTableAddress;
    u64 DstPageTableAddress;
    u32 SrcStartPteIndex;
    u32 DstStartPteIndex;
};

template <class Word>
struct twin_arguments {
    u32* pDmaBuffer;
    u32 DmaSize;
    u8* pDmaBufferPrivateData;
    u32 DmaBufferPrivateDataSize;
    u32 Operation;
    u32 MultipassOffset;
    struct {
        u32 PageTableLevel;
        struct {
            Word* CpuVirtual;
            struct {
                u32 SegmentId;
                u64 SegmentOffset;
            } GpuPhysical;
            u64 GpuVirtual;
        } PageTableAddress;
        twin_pte const* pPageTableEntries;
        u32 StartIndex;
        u32 NumPageTableEntries;
        struct {
            u32 Repeat;
            u32 Use64KBPages;
        } Flags;
        u64 DriverProtection;
        u32 UpdateMode;
        twin_pte const* pPageTableEntries64KB;
    } UpdatePageTable;
    struct {
        u32 NumRanges;
        twin_range const* pRanges;
    } CopyPageTableEntries;
};

/// Twenty entries: a line of equal flags, scattered, then mixed flags.
struct twenty_entries {
    twin_pte of[20];
    constexpr twenty_entries() : of() {
        for (u32 i = 0; i != 20; ++i) {
            of[i] = {i == 12 ? 0u : i > 12 && i % 2 == 1 ? 1u | 8 | 1 << 5 : 1u | 1 << 5, 0x100 + i * 3};
        }
    }
};
constexpr twenty_entries entries;

/// The update by the CPU.
template <class Gpu, class Word>
constexpr Word stored(u32 start, u32 index) {
    Word table[64] = {};
    Gpu gpu = with_segments<Gpu>();
    twin_arguments<Word> args{};
    args.Operation = 11;
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    args.UpdatePageTable.pPageTableEntries = entries.of;
    args.UpdatePageTable.StartIndex = start;
    args.UpdatePageTable.NumPageTableEntries = 20;
    return paging::detail::build_update_page_table(gpu, args) == status::success && args.MultipassOffset == 20
               ? table[index]
               : ~Word{0};
}

/// The update by command in buffers of `room` dwords: how many passes it takes.
template <class Gpu>
constexpr u32 passes(u32 mode, u32 room, bool repeat) {
    Gpu gpu = with_segments<Gpu>();
    twin_arguments<u64> args{};
    args.Operation = 11;
    args.UpdatePageTable.UpdateMode = mode;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x7000;
    args.UpdatePageTable.PageTableAddress.GpuPhysical = {1, 0x7000};
    args.UpdatePageTable.pPageTableEntries = entries.of;
    args.UpdatePageTable.NumPageTableEntries = 20;
    args.UpdatePageTable.Flags.Repeat = repeat ? 1 : 0;
    for (u32 pass = 1; pass != 100; ++pass) {
        u32 buffer[128];
        args.pDmaBuffer = buffer;
        args.DmaSize = room * 4;
        ntstatus const status = paging::detail::build_update_page_table(gpu, args);
        u64 sum = 0;  // every word was written
        for (u32 const* at = buffer; at != args.pDmaBuffer; ++at) {
            sum += *at;
        }
        if (status == status::success) {
            return args.MultipassOffset == 20 && sum != 0 ? pass : 0;
        }
        if (status != status::graphics_insufficient_dma_buffer) {
            return 0;
        }
    }
    return 0;
}

/// A row of forty entries with the same flags by command, and the page of one of them.
constexpr ntstatus status_of_row(u32 place, u64 page) {
    twin_pte row[40] = {};
    for (u32 i = 0; i != 40; ++i) {
        row[i] = {1 | 1 << 5, i == place ? page : 0x100 + i * 3};
    }
    u32 buffer[128];
    plain_gpu gpu = with_segments<plain_gpu>();
    twin_arguments<u64> args{};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.Operation = 11;
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x7000;
    args.UpdatePageTable.pPageTableEntries = row;
    args.UpdatePageTable.NumPageTableEntries = 40;
    ntstatus const status = paging::detail::build_update_page_table(gpu, args);
    bool const committed = args.pDmaBuffer != buffer || args.MultipassOffset != 0;
    return committed == (status == status::success) ? status : ~status::success;
}

constexpr u32 copy_passes(u32 room) {
    constexpr twin_range ranges[2] = {{9, 0x1'0000, 0x2'0000, 1, 2}, {100, 0x2'0000, 0x2'0000, 5, 8}};
    odd_gpu gpu = with_segments<odd_gpu>();
    twin_arguments<u64> args{};
    args.Operation = 14;
    args.CopyPageTableEntries.NumRanges = 2;
    args.CopyPageTableEntries.pRanges = ranges;
    for (u32 pass = 1; pass != 100; ++pass) {
        u32 buffer[128];
        args.pDmaBuffer = buffer;
        args.DmaSize = room * 4;
        if (paging::detail::build_copy_page_table_entries(gpu, args) == status::success) {
            return pass;
        }
    }
    return 0;
}

}  // namespace

TEST_CASE("OP11-04 OP11-11: an update by the CPU runs in constant evaluation") {
    expect_both(stored<plain_gpu, u64>(3, 3) == 0x10'0010'0071);
    expect_both(stored<plain_gpu, u64>(3, 3 + 12) == 0);
    expect_both(stored<narrow_gpu, u32>(0, 1) == 0x3000'0000 + 0x40'0000 + 0x103);
}

TEST_CASE("OP11-01 OP11-12: an update by command runs in constant evaluation, in passes of any room") {
    expect_both(passes<plain_gpu>(1, 128, false) == 1);
    expect_both(passes<plain_gpu>(2, 7, false) == 20);
    expect_both(passes<generator_gpu>(1, 10, false) != 0);
    expect_both(passes<generator_gpu>(1, 10, true) == 1);
    expect_both(passes<odd_gpu>(2, 12, false) != 0);
    expect_both(passes<odd_page_gpu>(1, 9, true) == 5);
}

TEST_CASE("AMB-08 GVA-18: a row of entries with the same flags is judged in constant evaluation") {
    expect_both(status_of_row(17, (u64{1} << 22) - 1) == status::success);
    expect_both(status_of_row(17, u64{1} << 22) == status::invalid_parameter);  // where segment 1 ends
    expect_both(status_of_row(17, u64{1} << 34) == status::invalid_parameter);
    expect_both(status_of_row(37, u64{1} << 63) == status::invalid_parameter);
}

TEST_CASE("OP14-01 OP14-05: a copy of entries runs in constant evaluation") {
    // Three entries a command of nine dwords: 3 and 34 commands.
    expect_both(copy_passes(9) == 37);
    expect_both(copy_passes(126) == 3);
}

}  // namespace page_table_constant_test

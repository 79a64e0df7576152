// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_requests.hpp"

namespace update_rules_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

/// A request of `count` valid entries in segment 1, pages first, first + step, ...
model_request leaf_request(u32 start, u32 count, u64 first = 0x1000, u64 step = 7) {
    model_request request;
    request.start = start;
    request.count = count;
    for (u32 i = 0; i != count; ++i) {
        request.entries.push_back({1 | 1 << 5, first + i * step});
    }
    return request;
}

/// Runs a request by command in buffers of one size and compares the table with the model.
template <class Gpu>
std::string run_and_compare(Gpu& gpu, model_request const& request, u64 room, command_counts* ran = nullptr,
                            u64* bytes_written = nullptr) {
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    table_memory is = place_table(args, 1, 0, 0x7000'0000, size_of_table<Gpu>(request.level, request.of_64k));
    table_memory should = is;
    apply<Gpu>(request, should.content.data());
    run_result const done = run(gpu, args, is, [room] { return room; });
    if (ran != nullptr) {
        *ran = done.ran;
    }
    if (bytes_written != nullptr) {
        *bytes_written = done.bytes;
    }
    if (!done.problem.empty() || done.status != status::success || gpu.faults != 0) {
        return "not carried out: " + done.problem;
    }
    return is == should ? "" : "the table differs";
}

/// The same by the CPU.
template <class Gpu>
std::string store_and_compare(Gpu& gpu, model_request const& request) {
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    u64 const size = size_of_table<Gpu>(request.level, request.of_64k);
    testing::guarded_buffer table(static_cast<std::size_t>(size));
    std::vector<unsigned char> should(static_cast<std::size_t>(size));
    std::memcpy(should.data(), table.data(), should.size());
    apply<Gpu>(request, should.data());
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
    if (build(gpu, args) != status::success || args.MultipassOffset != request.count) {
        return "not complete";
    }
    return std::memcmp(should.data(), table.data(), should.size()) == 0 ? "" : "the table differs";
}

/// A GPU with leaf tables of either size below four levels.
struct either_gpu : plain_gpu {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}, .leaf = gpuva::leaf_tables::either};
    static constexpr u64 names_64k = u64{1} << 61;

    [[nodiscard]] constexpr page_table_entry encode_directory(u32 level, pte_target table,
                                                              pte_target table_64k) const noexcept {
        return table_64k.flags.valid()
                   ? page_table_entry{plain_gpu::encode_directory(level, table_64k, {}).low | names_64k, 0}
                   : plain_gpu::encode_directory(level, table, {});
    }
};

/// A GPU whose tables only the CPU writes.
struct stored_only : plain_gpu {
    static constexpr capabilities caps{
        .version = wddm::v2_9, .gpu_mmu = claim::yes, .page_tables = update_modes::cpu_virtual};
};

/// A GPU whose entries keep the page of what is not valid, unless it is not executable either.
struct remembering_gpu : generator_gpu {
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        return flags.valid() || flags.no_execute() ? generator_gpu::attributes(kind, flags, protection)
                                                   : entry_attributes{0x0000'FFFF'FFFF'F000, 0};
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
};

/// A GPU whose tables are written in one mode only.
struct physical_only : plain_gpu {
    static constexpr capabilities caps{
        .version = wddm::v2_9, .gpu_mmu = claim::yes, .page_tables = update_modes::gpu_physical};
};

}  // namespace

TEST_CASE("OP11-01: entry i of the array becomes entry StartIndex + i, the last of the table included") {
    plain_gpu gpu = with_segments<plain_gpu>();
    CHECK(run_and_compare(gpu, leaf_request(37, 100), 4096) == "");
    CHECK(run_and_compare(gpu, leaf_request(511, 1), 4096) == "");
    CHECK(run_and_compare(gpu, leaf_request(0, 512), 0x8000) == "");
    CHECK(store_and_compare(gpu, leaf_request(37, 100)) == "");
    CHECK(store_and_compare(gpu, leaf_request(511, 1)) == "");
}

TEST_CASE("OP11-02 OP11-12: one entry is repeated over all passes, and no element behind it is read") {
    // The array ends at an inaccessible page right behind its one element.
    model_request request;
    request.start = 3;
    request.count = 400;
    request.repeat = true;
    request.entries = {{1 | 1 << 5 | 8, 0x4321}};
    plain_gpu plain = with_segments<plain_gpu>();
    odd_gpu odd = with_segments<odd_gpu>();
    odd_page_gpu pages = with_segments<odd_page_gpu>();
    CHECK(run_and_compare(plain, request, smallest_room<plain_gpu>()) == "");
    CHECK(run_and_compare(plain, request, 400) == "");
    CHECK(run_and_compare(odd, request, smallest_room<odd_gpu>()) == "");
    CHECK(store_and_compare(plain, request) == "");
    request.count = 200;
    request.entries[0].page &= ~u64{3};
    request.entries[0].flags &= ~u64{8};
    CHECK(run_and_compare(pages, request, smallest_room<odd_page_gpu>()) == "");
    CHECK(store_and_compare(pages, request) == "");
}

TEST_CASE("OP11-03 GVA-40: the operation's own mode decides, and CPU-virtual comes whatever the adapter's mode is") {
    physical_only gpu = with_segments<physical_only>();
    model_request const request = leaf_request(5, 9);
    request_arrays const arrays(request);
    alignas(8) unsigned char table[4096] = {};
    arguments args = arguments_of(request, arrays);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    CHECK(build(gpu, args) == status::success);
    unsigned char should[4096] = {};
    apply<plain_gpu>(request, should);
    CHECK(std::memcmp(table, should, sizeof table) == 0);

    // A mode that was never claimed is no other mode.
    args = arguments_of(request, arrays);
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1000;
    u32 buffer[64] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::unknown_update_mode);
    CHECK(args.pDmaBuffer == buffer);

    // Nor are commands where there are none.
    stored_only cpu = with_segments<stored_only>();
    for (u32 const mode : {1u, 2u}) {
        args.UpdatePageTable.UpdateMode = mode;
        CHECK(build(cpu, args) == status::invalid_parameter);
        CHECK(cpu.last_fault.rule == paging_rule::unknown_update_mode);
        CHECK(cpu.last_fault.value == mode);
        CHECK(args.pDmaBuffer == buffer);
    }
}

TEST_CASE("OP11-03 GVA-06: a physical table lies in a segment, by offset, or in system memory, by address") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request const request = leaf_request(1, 3);
    request_arrays const arrays(request);
    for (u32 segment : {0u, 1u, 5u}) {
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 2, segment, 0x5'5000, 4096);
        table_memory should = is;
        apply<plain_gpu>(request, should.content.data());
        run_result const done = run(gpu, args, is, [] { return u64{256}; });
        CHECK(done.problem == "");
        CHECK(is == should);
    }
}

TEST_CASE("OP11-04 PGB-11: without a buffer CPU-virtual mode completes, and no other mode says insufficient") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request const request = leaf_request(0, 512);
    CHECK(store_and_compare(gpu, request) == "");
    CHECK(gpu.finishes == 1);
    CHECK(gpu.stores == 512);
    request_arrays const arrays(request);
    for (u32 mode : {1u, 2u}) {
        for (u32 level : {0u, 1u}) {
            for (bool const repeat : {false, true}) {
                arguments args = arguments_of(request, arrays);
                args.UpdatePageTable.PageTableLevel = level;
                args.UpdatePageTable.Flags.Repeat = repeat;
                static_cast<void>(place_table(args, mode, 1, 0x1000, 16));
                gpu.faults = 0;
                CHECK(build(gpu, args) == status::invalid_parameter);
                CHECK(gpu.faults == 1);
                CHECK(gpu.last_fault.rule == paging_rule::no_buffer);
                CHECK(args.MultipassOffset == 0);
            }
        }
    }
}

TEST_CASE("OP11-05: of 4-KiB entries those at starts of the GPU's pages are kept, from a start inside a page too") {
    odd_page_gpu gpu = with_segments<odd_page_gpu>();
    for (u32 start = 0; start != 9; ++start) {
        for (u32 count = 1; count != 14; ++count) {
            model_request request = leaf_request(start, count, 0x1000, 1);
            for (u32 i = 0; i != count; ++i) {  // pages of 16 KiB, named in steps of 4 KiB
                request.entries[i].page = 0x4000 + start + i;
            }
            CAPTURE(start);
            CAPTURE(count);
            CHECK(run_and_compare(gpu, request, smallest_room<odd_page_gpu>()) == "");
            CHECK(store_and_compare(gpu, request) == "");
        }
    }
}

TEST_CASE("OP11-05: a range in which no page of the GPU begins is complete without a command") {
    odd_page_gpu gpu = with_segments<odd_page_gpu>();
    model_request const request = leaf_request(5, 3, 0x4005, 1);
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    for (u32 const mode : {1u, 2u}) {  // in system memory
        args.MultipassOffset = 0;
        static_cast<void>(place_table(args, mode, 0, 0x1000, 16));
        CHECK(build(gpu, args) == status::success);  // there is no buffer either
        CHECK(args.MultipassOffset == 3);
    }
    // No entry begins at all: the table itself is judged, not a place behind it.
    model_request const first_page = leaf_request(1, 2, 0x4001, 1);
    request_arrays const first_arrays(first_page);
    for (u32 const mode : {1u, 2u}) {
        arguments at_first = arguments_of(first_page, first_arrays);
        static_cast<void>(place_table(at_first, mode, 0, 0x1000, 16));
        CHECK(build(gpu, at_first) == status::success);
        CHECK(at_first.MultipassOffset == 2);
    }
    CHECK(gpu.faults == 0);
}

TEST_CASE("OP11-06: the second array is read with dual tables only") {
    std::vector<pte> second(4);
    for (pte& e : second) {
        e.Flags = 1 | 2 << 5;
        e.PageAddress = 0x9990;
    }
    model_request const request = leaf_request(0, 4);
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    args.UpdatePageTable.pPageTableEntries64KB = second.data();
    args.UpdatePageTable.PageTableLevel = 1;
    plain_gpu plain = with_segments<plain_gpu>();
    alignas(8) unsigned char table[4096] = {};
    unsigned char should[4096] = {};
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    model_request directory = request;
    directory.level = 1;
    apply<plain_gpu>(directory, should);
    CHECK(build(plain, args) == status::success);
    CHECK(std::memcmp(table, should, sizeof table) == 0);
    // OP11-06: with dual tables both halves, and either may be NULL.
    dual_gpu dual = with_segments<dual_gpu>();
    for (bool first : {true, false}) {
        directory.entries = first ? request.entries : std::vector<model_pte>{};
        directory.entries_64k.assign(4, {1 | 2 << 5, 0x9990});
        std::memset(table, 0, sizeof table);
        std::memset(should, 0, sizeof should);
        apply<dual_gpu>(directory, should);
        args.UpdatePageTable.pPageTableEntries = first ? args.UpdatePageTable.pPageTableEntries : nullptr;
        args.MultipassOffset = 0;
        CHECK(build(dual, args) == status::success);
        CHECK(std::memcmp(table, should, sizeof table) == 0);
    }
}

TEST_CASE("OP11-06: with dual tables the second array is not read for leaf tables of 4 KiB, nor above level 1") {
    dual_gpu gpu = with_segments<dual_gpu>();
    std::vector<pte> second(4);
    for (pte& e : second) {
        e.Flags = 1 | 2 << 5;
        e.PageAddress = 0x9990;
    }
    for (u32 const level : {0u, 2u, 3u}) {
        CAPTURE(level);
        model_request request = leaf_request(0, 4);
        request.level = level;
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.pPageTableEntries64KB = second.data();
        alignas(8) unsigned char table[4096] = {};
        unsigned char should[4096] = {};
        apply<dual_gpu>(request, should);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        CHECK(build(gpu, args) == status::success);
        CHECK(std::memcmp(table, should, sizeof table) == 0);
    }
}

TEST_CASE("AMB-22 GVA-11: above the leaf Use64KBPages says nothing about the table that is written") {
    auto const expect = [](auto gpu) {
        using gpu_type = decltype(gpu);
        model_request request = leaf_request(0, 4);
        request.level = 1;
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.Flags.Use64KBPages = 1;
        alignas(8) unsigned char table[4096] = {};
        unsigned char should[4096] = {};
        apply<gpu_type>(request, should);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        CHECK(build(gpu, args) == status::success);
        CHECK(gpu.faults == 0);
        CHECK(std::memcmp(table, should, sizeof table) == 0);
    };
    expect(with_segments<plain_gpu>());  // which has no 64-KiB tables at all
    expect(with_segments<narrow_gpu>());
    expect(with_segments<dual_gpu>());
}

TEST_CASE("AMB-56: with dual tables, the half whose array is NULL is cleared, whatever stood there") {
    dual_gpu gpu = with_segments<dual_gpu>();
    constexpr u32 start = 3, count = 5;
    model_pte const table{1 | 1 << 5, 0x4000};
    for (bool const first_is_null : {false, true}) {
        CAPTURE(first_is_null);
        model_request request;
        request.level = 1;
        request.start = start;
        request.count = count;
        (first_is_null ? request.entries_64k : request.entries).assign(count, table);
        CHECK(run_and_compare(gpu, request, 4096) == "");
        CHECK(store_and_compare(gpu, request) == "");
        // Not by the model either: an entry that had both halves has one left, and the other is what never was valid.
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        testing::guarded_buffer memory(256 * 16);
        pte_target const named{{table.flags}, table.page};
        page_table_entry const both = gpu.encode_directory(1, named, named);
        for (u32 i = 0; i != 256; ++i) {
            std::memcpy(memory.data() + 16 * i, &both, 16);
        }
        args.UpdatePageTable.PageTableAddress.CpuVirtual = memory.data();
        CHECK(build(gpu, args) == status::success);
        page_table_entry const half =
            first_is_null ? gpu.encode_directory(1, {}, named) : gpu.encode_directory(1, named, {});
        CHECK_FALSE(half == both);
        for (u32 i = 0; i != 256; ++i) {
            page_table_entry now{};
            std::memcpy(&now, memory.data() + 16 * i, 16);
            CAPTURE(i);
            CHECK(now == (i >= start && i < start + count ? half : both));
        }
    }
}

TEST_CASE("AMB-22: in a table of 64-KiB entries indices count its own entries, of whichever array there is") {
    dual_gpu gpu = with_segments<dual_gpu>();
    for (bool second : {false, true}) {
        model_request request = leaf_request(3, 29, 0x100, 16);
        request.of_64k = true;
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        if (second) {
            args.UpdatePageTable.pPageTableEntries64KB = args.UpdatePageTable.pPageTableEntries;
            args.UpdatePageTable.pPageTableEntries = nullptr;
        }
        alignas(8) unsigned char table[256] = {};
        unsigned char should[256] = {};
        apply<dual_gpu>(request, should);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        CHECK(build(gpu, args) == status::success);
        CHECK(std::memcmp(table, should, sizeof table) == 0);
    }
}

TEST_CASE("OP11-07: neither allocation nor process is looked at; both may be NULL") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request const request = leaf_request(0, 64);
    request_arrays const arrays(request);
    table_memory tables[2];
    for (u64 i = 0; i != 2; ++i) {
        arguments args = arguments_of(request, arrays);
        tables[i] = place_table(args, 1, 0, 0x1000, 4096);
        args.UpdatePageTable.hAllocation = i == 0 ? nullptr : &gpu;
        args.UpdatePageTable.hProcess = i == 0 ? nullptr : &gpu;
        args.UpdatePageTable.AllocationOffsetInBytes = i * 0x1'2345;
        args.UpdatePageTable.FirstPteVirtualAddress = i * 0x7'0000;
        CHECK(run(gpu, args, tables[i], [] { return u64{4096}; }).problem == "");
    }
    CHECK(tables[0] == tables[1]);
}

TEST_CASE("OP11-08 GVA-23: a first update and one before eviction are written like any other; junk is never read") {
    // The table that the CPU writes cannot be read through the hardware's stores, and by command nothing reads.
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request request;
    request.count = 512;
    request.repeat = true;
    request.entries = {{0, 0}};
    request_arrays const arrays(request);
    for (u32 flag : {0u, 1u, 2u}) {
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.Flags.InitialUpdate = flag == 1;
        args.UpdatePageTable.Flags.NotifyEviction = flag == 2;
        table_memory table = place_table(args, 1, 0, 0x1000, 4096);
        CHECK(run(gpu, args, table, [] { return u64{512}; }).problem == "");
        CHECK(table.content == std::vector<unsigned char>(4096, 0));
    }
}

TEST_CASE("OP11-10: DriverProtection reaches the encoder without the bits that mean nothing") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request request = leaf_request(0, 20);
    request.protection = 0xFFFF'FFFF'FFFF'FFF5;
    CHECK(run_and_compare(gpu, request, 4096) == "");
    CHECK(store_and_compare(gpu, request) == "");
    generator_gpu generator = with_segments<generator_gpu>();
    request = leaf_request(0, 20, 0x1000, 1);
    request.protection = 0xFFFF'FFFF'FFFF'FFF5;
    CHECK(run_and_compare(generator, request, 4096) == "");
}

TEST_CASE("OP11-12 PGB-04: from any token exactly the entries from there on are written") {
    odd_gpu gpu = with_segments<odd_gpu>();
    odd_page_gpu pages = with_segments<odd_page_gpu>();
    auto resume = [](auto& hw, model_request request, u32 token, u64 size) {
        using gpu_type = meta::bare<decltype(hw)>;
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 1, 0, 0x1000, size);
        table_memory should = is;
        args.MultipassOffset = token;
        run_result const done = run(hw, args, is, [] { return smallest_room<gpu_type>(); });
        model_request rest = request;
        rest.start += token;
        rest.count -= token;
        rest.entries.erase(rest.entries.begin(), rest.entries.begin() + token);
        apply<gpu_type>(rest, should.content.data());
        return done.problem.empty() && done.status == status::success && is == should &&
               args.MultipassOffset == request.count;
    };
    for (u32 token = 0; token <= 60; ++token) {
        CAPTURE(token);
        CHECK(resume(gpu, leaf_request(7, 60, 0x1000, token % 3), token, 4096));
        CHECK(resume(pages, leaf_request(6, 60, 0x1002, 1), token, 1024));
    }
}

TEST_CASE("GVA-11: in single-PTE mode an entry of level 1 says which leaf table it names") {
    narrow_gpu gpu = with_segments<narrow_gpu>();
    model_request request;
    request.level = 1;
    request.start = 1000;
    request.count = 3;
    request.entries = {{1, 0x77}, {1 | u64{1} << 17, 0x88}, {0, 0x99}};
    CHECK(run_and_compare(gpu, request, 4096) == "");
    CHECK(store_and_compare(gpu, request) == "");
}

TEST_CASE("GVA-11: above level 1 there is no leaf table to choose, and the size that an entry names says nothing") {
    either_gpu gpu = with_segments<either_gpu>();
    for (u32 const level : {1u, 2u, 3u}) {
        CAPTURE(level);
        model_request request;
        request.level = level;
        request.count = 2;
        request.entries = {{1, 0x77}, {1 | u64{1} << 17, 0x88}};
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        alignas(8) u64 table[512] = {};
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        CHECK(build(gpu, args) == status::success);
        CHECK(table[0] == gpu.encode_directory(level, {{1}, 0x77}, {}).low);
        u64 const plain = gpu.encode_directory(level, {{1}, 0x88}, {}).low;
        CHECK(table[1] == (level == 1 ? plain | either_gpu::names_64k : plain));
    }
}

TEST_CASE("PGB-04 OP11-12: a pass that could write nothing leaves the token as it came") {
    // Pages of 16 KiB: token 1 stands inside a page whose entry is done, the next is made from the DDI's entry 4.
    odd_page_gpu gpu = with_segments<odd_page_gpu>();
    model_request const request = leaf_request(0, 12, 0x4000, 1);
    request_arrays const arrays(request);
    for (u32 const token : {0u, 1u, 3u, 4u, 5u}) {
        CAPTURE(token);
        arguments args = arguments_of(request, arrays);
        static_cast<void>(place_table(args, 1, 0, 0x1000, 16));
        u32 buffer[3] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        args.MultipassOffset = token;
        CHECK(build(gpu, args) == status::graphics_insufficient_dma_buffer);
        CHECK(args.MultipassOffset == token);
        CHECK(args.pDmaBuffer == buffer);
    }
    CHECK(gpu.faults == 0);
}

TEST_CASE("PGB-04 OP11-12: a request that is done needs no room for a command") {
    auto const ends = []<class Hw>(Hw hw) {
        model_request const request = leaf_request(0, 12, 0x4000, 1);
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        static_cast<void>(place_table(args, 1, 0, 0x1000, 4096));
        u32 buffer[1] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        args.MultipassOffset = 12;
        CHECK(build(hw, args) == status::success);
        CHECK(args.MultipassOffset == 12);
        CHECK(args.pDmaBuffer == buffer);
        CHECK(hw.faults == 0);
    };
    ends(with_segments<plain_gpu>());
    ends(with_segments<odd_gpu>());
    ends(with_segments<odd_page_gpu>());
}

TEST_CASE("GVA-16 GVA-17: a large page above the leaf is a leaf entry there") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request request;
    request.level = 1;
    request.count = 2;
    request.entries = {{1 | 1 << 5 | 0x400, 512 * 9}, {1 | 1 << 5, 513}};
    CHECK(run_and_compare(gpu, request, 4096) == "");
    request.level = 2;
    request.entries[0].page = 512 * 512 * 3;
    CHECK(run_and_compare(gpu, request, 4096) == "");
}

TEST_CASE("GVA-18: the segment's base is in every entry, of lines, runs and single entries alike") {
    generator_gpu gpu = with_segments<generator_gpu>();
    for (u32 count : {1u, 7u, 8u, 40u}) {
        for (u64 step : {1u, 5u}) {
            model_request request = leaf_request(0, count, 0x1000, step);
            for (u64 segment : {0u, 1u, 2u, 3u, 5u}) {
                for (model_pte& e : request.entries) {
                    e.flags = 1 | segment << 5;
                }
                CHECK(run_and_compare(gpu, request, 4096) == "");
            }
        }
    }
}

TEST_CASE("OP11-01: one entry out of line, by its page or its flags, is no part of a run or of a line") {
    generator_gpu generator = with_segments<generator_gpu>();
    plain_gpu plain = with_segments<plain_gpu>();
    for (u32 place = 0; place != 40; ++place) {
        for (u32 wrong = 0; wrong != 4; ++wrong) {
            for (u64 valid : {1u, 0u}) {
                model_request request = leaf_request(0, 40, 0x1000, 1);
                for (model_pte& e : request.entries) {
                    e.flags = valid | 1 << 5;
                }
                model_pte& one = request.entries[place];
                one.page += wrong == 0 ? 0x100 : 0;
                one.flags ^= wrong == 1 ? 8u : wrong == 2 ? 1u : wrong == 3 ? 0x40u : 0u;
                CAPTURE(place);
                CAPTURE(wrong);
                CHECK(run_and_compare(generator, request, 4096) == "");
                CHECK(run_and_compare(plain, request, 4096) == "");
            }
        }
    }
}

TEST_CASE("GVA-22: entries that are not valid are a run only where the hardware keeps nothing of their pages") {
    struct row {
        u64 flags;
        u64 step;  ///< from page to page
        u64 kept;  ///< 1: the entry has the page
        u64 rest;
        u64 generates;
    };
    constexpr row rows[] = {
        {0, 7, 1, 0, 0},
        {pte_flags::no_execute_bit, 7, 0, 0, 1},
        // Valid, in system memory: read, write and execute, and the bit of system memory.
        {pte_flags::valid_bit, 1, 1, 0x73, 1},
    };
    for (row const& r : rows) {
        for (u64 const room : {u64{4096}, u64{40}}) {
            CAPTURE(r.flags);
            CAPTURE(room);
            remembering_gpu gpu = with_segments<remembering_gpu>();
            model_request request;
            request.count = 64;
            for (u32 i = 0; i != 64; ++i) {
                request.entries.push_back({r.flags, 0x1000 + i * r.step});
            }
            request_arrays const arrays(request);
            arguments args = arguments_of(request, arrays);
            table_memory is = place_table(args, 1, 0, 0x7000'0000, 4096);
            run_result const done = run(gpu, args, is, [room] { return room; });
            CHECK(done.problem == "");
            CHECK(done.status == status::success);
            CHECK(done.ran.generates == r.generates);
            CHECK(gpu.faults == 0);
            for (u32 i = 0; i != 64; ++i) {
                u64 entry = 0;
                std::memcpy(&entry, is.at(0x7000'0000 + i * 8), 8);
                CHECK(entry == ((0x1000 + i * r.step) << 12) * r.kept + r.rest);
            }
        }
    }
}

TEST_CASE("PGB-01: what is left of a table goes inline into room that a generator's command does not have") {
    // A head of five dwords and two an entry: nine are enough for two entries, and not for the ten of a generator.
    generator_gpu gpu = with_segments<generator_gpu>();
    command_counts ran;
    u64 written = 0;
    CHECK(run_and_compare(gpu, leaf_request(7, 2), 9 * 4, &ran, &written) == "");
    CHECK(ran.writes == 1);
    CHECK(ran.generates == 0);
    CHECK(written == 9 * 4);
}

TEST_CASE("PERF: a contiguous table is one command, a hundred times shorter than its entries") {
    generator_gpu gpu = with_segments<generator_gpu>();
    command_counts ran;
    u64 written = 0;
    CHECK(run_and_compare(gpu, leaf_request(0, 512, 0x1'2345, 1), 0x8000, &ran, &written) == "");
    CHECK(ran.generates == 1);
    CHECK(ran.writes == 0);
    CHECK(written * 100 <= 512 * 8);
    // Entries that are not valid name no page: one command as well, whatever stands in them.
    model_request request = leaf_request(0, 512);
    for (model_pte& e : request.entries) {
        e.flags = 0;
    }
    CHECK(run_and_compare(gpu, request, 0x8000, &ran, &written) == "");
    CHECK(ran.generates == 1);
    CHECK(written * 100 <= 512 * 8);
    // However the table is named: at an address of the paging process, in a segment, in system memory.
    model_request const contiguous = leaf_request(0, 512, 0x1'2345, 1);
    request_arrays const arrays(contiguous);
    for (u32 const mode : {1u, 2u}) {
        for (u32 const segment : {0u, 1u}) {
            CAPTURE(mode);
            CAPTURE(segment);
            arguments args = arguments_of(contiguous, arrays);
            table_memory is = place_table(args, mode, segment, 0x1'0000, 4096);
            run_result const done = run(gpu, args, is, [] { return u64{0x8000}; });
            CHECK(done.problem == "");
            CHECK(done.ran.generates == 1);
            CHECK(done.ran.writes == 0);
        }
    }
}

}  // namespace update_rules_test

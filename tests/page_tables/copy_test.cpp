// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../slow_build.hpp"
#include "table_system.hpp"

#include <wddmcore/paging/operations.hpp>
#include <wddmcore/paging/page_table/copy.hpp>

namespace copy_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

constexpr u64 first_table = 0x4000'0000;
constexpr u64 tables = 6;
constexpr u64 apart = 0x1'0000;

struct numbered_range {
    u64 source;
    u64 destination;
    u32 from;
    u32 to;
    u32 count;
};

/// Leaf tables of 128 KiB, and wider entries above them.
struct long_leaf_gpu : plain_gpu {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{14, 8}, {9, 16, true}, {9, 8, true}, {9, 8}}};
};
static_assert(check_page_tables<long_leaf_gpu::page_tables>());

/// Wider entries above the leaf.
struct wide_directories : plain_gpu {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 16, true}, {9, 8, true}, {9, 8}}};
};

template <class Gpu>
u64 entry_size() {
    return model<Gpu>::entry(0, false, {1, 0}, {}, 0).size;
}

template <class Gpu>
u32 table_entries() {
    return static_cast<u32>(model<Gpu>::entries(0, false) / model<Gpu>::share);
}

table_memory all_tables() {
    table_memory memory{0, first_table, {}};
    for (u64 i = 0; i != tables * apart; ++i) {
        memory.content.push_back(std::to_integer<unsigned char>(testing::guarded_junk(9, i)));
    }
    return memory;
}

/// Range after range, entry after entry as if each range were read whole before it is written.
template <class Gpu>
void apply_copies(std::vector<numbered_range> const& ranges, table_memory& memory) {
    u64 const size = entry_size<Gpu>();
    for (numbered_range const& r : ranges) {
        if (r.count == 0) {
            continue;
        }
        std::vector<unsigned char> read(r.count * size);
        std::memcpy(read.data(), memory.at(first_table + r.source * apart + r.from * size), read.size());
        std::memcpy(memory.at(first_table + r.destination * apart + r.to * size), read.data(), read.size());
    }
}

struct range_array {
    testing::guarded_buffer memory;
    explicit range_array(std::vector<numbered_range> const& ranges) : memory(ranges.size() * sizeof(copy_range)) {
        std::vector<copy_range> to;
        for (numbered_range const& r : ranges) {
            copy_range one{};
            one.NumPageTableEntries = r.count;
            one.SrcPageTableAddress = first_table + r.source * apart;
            one.DstPageTableAddress = first_table + r.destination * apart;
            one.SrcStartPteIndex = r.from;
            one.DstStartPteIndex = r.to;
            to.push_back(one);
        }
        std::memcpy(memory.data(), to.data(), to.size() * sizeof(copy_range));
    }
    arguments args(u64 count) {
        arguments result{};
        result.Operation = 14;
        result.CopyPageTableEntries = {};
        result.CopyPageTableEntries.NumRanges = static_cast<u32>(count);
        result.CopyPageTableEntries.pRanges = reinterpret_cast<copy_range*>(memory.data());
        return result;
    }
};

template <class Gpu>
void expect_as_modelled(Gpu gpu) {
    constexpr u64 rounds = emulated ? 50 : slow_build ? 200 : 2000;
    table_memory const fresh = all_tables();
    table_memory is = fresh;
    table_memory should = fresh;
    for (u64 round = 0; round != rounds; ++round) {
        random_numbers random{0xC0DE + round * 0x1'0000'0001};
        std::vector<numbered_range> ranges(1 + random.below(6));
        u32 const entries = table_entries<Gpu>();
        for (numbered_range& r : ranges) {
            // Few tables and short distances: ranges depend on each other, and overlap themselves.
            r.source = random.below(random.one_in(2) ? 2 : tables);
            r.destination = random.below(random.one_in(2) ? 2 : tables);
            r.count = static_cast<u32>(random.below(random.one_in(4) ? entries + 1 : 30));
            r.from = static_cast<u32>(random.below(entries - r.count + 1));
            u32 const near_by = r.from + static_cast<u32>(random.below(5));
            r.to = random.one_in(2) && near_by + r.count <= entries
                       ? near_by
                       : static_cast<u32>(random.below(entries - r.count + 1));
        }
        range_array array(ranges);
        arguments args = array.args(ranges.size());
        u64 const smallest = smallest_room<Gpu>();
        u64 const style = random.below(3);
        run_result const done = run(
            gpu, args, is, [&] { return style == 0 ? 0x1'0000 : smallest + (style == 1 ? 0 : random.below(60) * 4); });
        apply_copies<Gpu>(ranges, should);
        if (!done.problem.empty() || done.status != status::success || is != should) {
            FAIL(done.problem << " round " << round << " faults " << gpu.faults);
        }
    }
    CHECK(gpu.faults == 0);
}

}  // namespace

TEST_CASE("OP14-01 OP14-05 OBS-11 model: ranges that depend on earlier ones, entries of 8 bytes") {
    expect_as_modelled(with_segments<plain_gpu>());
}
TEST_CASE("OP14-01 OP14-05 OBS-11 model: three entries a command, a grain of three") {
    expect_as_modelled(with_segments<odd_gpu>());
}
TEST_CASE("OP14-01 OP14-05 OBS-11 model: entries of 4 bytes, one a command") {
    expect_as_modelled(with_segments<narrow_gpu>());
}
TEST_CASE("OP14-01 OP14-05 OBS-11 model: entries of 16 bytes, one a command") {
    expect_as_modelled(with_segments<odd_page_gpu>());
}

TEST_CASE("OP14-02: the copy is late bound: what the source holds when the commands run, not when they are built") {
    plain_gpu gpu = with_segments<plain_gpu>();
    range_array array({{0, 1, 5, 9, 20}});
    arguments args = array.args(1);
    u32 buffer[32] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    CHECK(build(gpu, args) == status::success);
    table_memory memory = all_tables();
    std::memset(memory.at(first_table), 0x77, 4096);  // written after the build, before the run
    command_counts ran;
    u64 const words = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer);
    CHECK(run_commands(buffer, words, 1, 1, false, memory, ran) == "");
    CHECK(*memory.at(first_table + apart + 9 * 8) == 0x77);
    CHECK(*memory.at(first_table + apart + 29 * 8 - 1) == 0x77);
    CHECK(ran.copies == 1);
}

TEST_CASE("OP14-03: with CPU-virtual updates alone the operation cannot come") {
    constexpr capabilities cpu_only{.version = wddm::v3_2,
                                    .gpu_mmu = claim::yes,
                                    .page_tables = update_modes::cpu_virtual,
                                    .tiled_resources = claim::yes};
    static_assert(!reachable(cpu_only, paging_operation::copy_page_table_entries));
    CHECK(reachable(all_modes, paging_operation::copy_page_table_entries));
}

TEST_CASE("OP14-05: the token holds the range and the entry, and grows with every command") {
    odd_gpu gpu = with_segments<odd_gpu>();  // three entries a command
    range_array array({{0, 1, 0, 0, 7}, {1, 2, 0, 0, 0}, {1, 2, 3, 4, 512 - 4}});
    arguments args = array.args(3);
    std::vector<u32> tokens;
    do {
        u32 buffer[9];
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        REQUIRE((build(gpu, args) != status::invalid_parameter));
        tokens.push_back(args.MultipassOffset);
    } while (tokens.back() != 3 << 9 && tokens.size() < 1000);
    REQUIRE(tokens.size() == 3 + 170);
    CHECK(tokens[0] == 3);
    CHECK(tokens[1] == 6);
    CHECK(tokens[2] == (2 << 9 | 0));
    CHECK(tokens[3] == (2 << 9 | 3));
    CHECK(tokens[171] == (2 << 9 | 507));
    CHECK(tokens[172] == 3 << 9);
}

TEST_CASE("OP14-01 OP14-05 PGB-11: malformed copies reach the hook with nothing committed") {
    plain_gpu gpu = with_segments<plain_gpu>();
    auto refused = [&gpu](paging_rule rule, auto spoil) {
        range_array array({{0, 1, 0, 0, 7}, {1, 2, 3, 4, 100}});
        arguments args = array.args(2);
        u32 buffer[64] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        spoil(args);
        arguments const before = args;
        gpu.faults = 0;
        return build(gpu, args) == status::invalid_parameter && gpu.faults == 1 && gpu.last_fault.rule == rule &&
               std::memcmp(&before, &args, sizeof args) == 0;
    };
    CHECK(refused(paging_rule::missing_entries, [](arguments& a) { a.CopyPageTableEntries.pRanges = nullptr; }));
    CHECK(refused(paging_rule::nothing_to_update, [](arguments& a) { a.CopyPageTableEntries.NumRanges = 0; }));
    CHECK(refused(paging_rule::too_many_ranges, [](arguments& a) { a.CopyPageTableEntries.NumRanges = 1u << 23; }));
    CHECK(refused(paging_rule::token_past_end, [](arguments& a) { a.MultipassOffset = (2 << 9) + 1; }));
    CHECK(refused(paging_rule::token_past_end, [](arguments& a) { a.MultipassOffset = 7; }));
    CHECK(refused(paging_rule::no_buffer, [](arguments& a) { a.DmaSize = 0; }));
    CHECK(refused(paging_rule::no_buffer, [](arguments& a) { a.pDmaBuffer = nullptr; }));
    for (u32 range : {0u, 1u}) {
        auto in = [range](arguments& a) -> copy_range& { return a.CopyPageTableEntries.pRanges[range]; };
        CHECK(refused(paging_rule::outside_table, [in](arguments& a) { in(a).SrcStartPteIndex = 506; }) ==
              (range == 0 || 506 + 100 > 512));
        CHECK(refused(paging_rule::outside_table, [in](arguments& a) { in(a).DstStartPteIndex = 512; }));
        CHECK(refused(paging_rule::outside_table, [in](arguments& a) { in(a).SrcStartPteIndex = ~0u; }));
        CHECK(refused(paging_rule::outside_table, [in](arguments& a) { in(a).NumPageTableEntries = ~0u; }));
        CHECK(refused(paging_rule::misaligned_table, [in](arguments& a) { in(a).SrcPageTableAddress += 4096; }));
        CHECK(refused(paging_rule::misaligned_table, [in](arguments& a) { in(a).DstPageTableAddress += 8; }));
        // CHK-15: the page tables translate 48 bits.
        CHECK(refused(paging_rule::address_wraps, [in](arguments& a) { in(a).SrcPageTableAddress = u64{1} << 48; }));
        CHECK(refused(paging_rule::address_wraps, [in](arguments& a) { in(a).DstPageTableAddress = u64{1} << 63; }));
        CHECK(refused(paging_rule::misaligned_table, [in](arguments& a) {
            in(a).SrcPageTableAddress = u64{1} << 48;
            in(a).DstPageTableAddress += 8;
        }));
    }
}

TEST_CASE("OP14-01 OP14-05: the hook hears which table, which end, and nothing of a list that is done") {
    plain_gpu gpu = with_segments<plain_gpu>();
    u32 buffer[64] = {};
    auto expect = [&](auto spoil, paging_rule rule, u64 value, u64 limit) {
        range_array array({{0, 1, 0, 0, 7}});
        arguments args = array.args(1);
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        spoil(args.CopyPageTableEntries.pRanges[0]);
        CHECK(build(gpu, args) == status::invalid_parameter);
        CHECK(gpu.last_fault.rule == rule);
        CHECK(gpu.last_fault.value == value);
        CHECK(gpu.last_fault.limit == limit);
    };
    u64 const to = first_table + apart;
    expect([](copy_range& r) { r.SrcPageTableAddress += 8; }, paging_rule::misaligned_table, first_table + 8, 0x1'0000);
    expect([](copy_range& r) { r.DstPageTableAddress += 8; }, paging_rule::misaligned_table, to + 8, 0x1'0000);
    // 48 bits of addresses, and tables of 512 entries of 8 bytes.
    u64 const beyond = u64{1} << 48;
    expect([](copy_range& r) { r.SrcPageTableAddress = beyond; }, paging_rule::address_wraps, beyond, 4096);
    expect([](copy_range& r) { r.DstPageTableAddress = beyond; }, paging_rule::address_wraps, beyond, 4096);
    expect([](copy_range& r) { r.SrcStartPteIndex = 506; }, paging_rule::outside_table, 513, 512);
    expect([](copy_range& r) { r.DstStartPteIndex = 507; }, paging_rule::outside_table, 514, 512);
    // The source's end where it is too far; where it is the table's own, the destination's.
    expect(
        [](copy_range& r) {
            r.SrcStartPteIndex = 505;
            r.DstStartPteIndex = 507;
        },
        paging_rule::outside_table, 514, 512);
    // A byte is as misaligned as a page.
    expect([](copy_range& r) { r.SrcPageTableAddress += 1; }, paging_rule::misaligned_table, first_table + 1, 0x1'0000);
    // A token that stands at the end: nothing is left, and nothing is said.
    range_array array({{0, 1, 0, 0, 7}});
    arguments args = array.args(1);
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.MultipassOffset = 1 << 9;
    gpu.faults = 0;
    CHECK(build(gpu, args) == status::success);
    CHECK(gpu.faults == 0);
    CHECK(args.pDmaBuffer == buffer);
}

TEST_CASE("OP14-01: a leaf table ends where its own level does, whatever the level above it has") {
    // Of pages of 16 KiB: 2^8 of the DDI's entries are 64 of the hardware's; level 1 has 128.
    odd_page_gpu gpu = with_segments<odd_page_gpu>();
    u32 buffer[64] = {};
    for (u32 const count : {64u, 65u}) {
        range_array array({{0, 1, 0, 0, count}});
        arguments args = array.args(1);
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        CHECK((build(gpu, args) == status::invalid_parameter) == (count == 65));
    }
    CHECK(gpu.last_fault.rule == paging_rule::outside_table);
    CHECK(gpu.last_fault.value == 65);
    CHECK(gpu.last_fault.limit == 64);
    static_assert(paging::detail::copy_token_entry_bits<odd_page_gpu> == 6);
    static_assert(paging::detail::copy_token_entry_bits<plain_gpu> == 9);
}

TEST_CASE("OP14-01: entries are as long as the leaf's, whatever the level above it has") {
    auto const built = [](auto gpu, u64 source) {
        std::vector<u32> words(64);
        // The second range overlaps its source from above, so that it is copied from its end.
        range_array array({{0, 1, 3, 5, 7}, {0, 0, 0, 4, 20}});
        arguments args = array.args(2);
        args.CopyPageTableEntries.pRanges[0].SrcPageTableAddress = source;
        args.pDmaBuffer = words.data();
        args.DmaSize = 64 * 4;
        words.push_back(static_cast<u32>(build(gpu, args)));
        words.push_back(static_cast<u32>(gpu.last_fault.limit));
        return words;
    };
    for (u64 const source : {first_table, u64{1} << 48}) {
        CHECK(built(with_segments<wide_directories>(), source) == built(with_segments<plain_gpu>(), source));
    }
}

namespace {

/// A leaf of 24 bits: a token has 8 bits for ranges.
struct few_ranges_gpu : plain_gpu {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{24, 8}, {9, 8}}, .virtual_address_bits = 45};
};
static_assert(check_page_tables<few_ranges_gpu::page_tables>());

}  // namespace

TEST_CASE("OP14-05: as many ranges as a token has numbers for are copied, and one more is too many") {
    few_ranges_gpu gpu = with_segments<few_ranges_gpu>();
    std::vector<numbered_range> ranges(256, {0, 1, 0, 0, 1});
    range_array array(ranges);
    std::vector<u32> buffer(256 * few_ranges_gpu::copy_entries_dwords.n);
    for (u32 const count : {254u, 255u}) {
        arguments args = array.args(count);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = static_cast<u32>(buffer.size() * 4);
        CHECK(build(gpu, args) == status::success);
        CHECK(args.MultipassOffset == count << 24);
        CHECK(static_cast<u32*>(args.pDmaBuffer) - buffer.data() == count * few_ranges_gpu::copy_entries_dwords.n);
        // Behind the last of them nothing is left.
        CHECK(build(gpu, args) == status::success);
        CHECK(args.MultipassOffset == count << 24);
    }
    CHECK(gpu.faults == 0);
    arguments args = array.args(256);
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::too_many_ranges);
    CHECK(gpu.last_fault.value == 256);
    CHECK(gpu.last_fault.limit == 255);
    args.CopyPageTableEntries.NumRanges = 0;
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::nothing_to_update);
    CHECK(gpu.last_fault.value == 0);
}

TEST_CASE("OP14-05 PGB-05: ranges without work are passed over where no command fits: the token advances alone") {
    plain_gpu gpu = with_segments<plain_gpu>();
    range_array array({{0, 0, 9, 9, 7}, {1, 1, 0, 0, 0}, {1, 2, 3, 4, 100}});
    arguments args = array.args(3);
    u32 buffer[64] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = 4;
    CHECK(build(gpu, args) == status::graphics_insufficient_dma_buffer);
    CHECK(args.pDmaBuffer == buffer);
    CHECK(args.MultipassOffset == 2 << 9);  // ranges 0 and 1 are behind it
    CHECK(buffer[0] == 0);
    // Nothing is left to pass over: no advance without room, and all of it with some.
    CHECK(build(gpu, args) == status::graphics_insufficient_dma_buffer);
    CHECK(args.MultipassOffset == 2 << 9);
    args.DmaSize = sizeof buffer;
    CHECK(build(gpu, args) == status::success);
    CHECK(args.MultipassOffset == 3 << 9);
    CHECK(args.pDmaBuffer != buffer);
    CHECK(gpu.faults == 0);
}

TEST_CASE("CHK-15 OP14-01: a table larger than its alignment ends inside the address space too") {
    long_leaf_gpu gpu = with_segments<long_leaf_gpu>();
    u64 const space = u64{1} << gpuva::address_bits(long_leaf_gpu::page_tables);
    CHECK(space == u64{1} << 53);
    auto const build_at = [&gpu](u64 source, u64 destination) {
        range_array array({{0, 1, 0, 0, 7}});
        arguments args = array.args(1);
        args.CopyPageTableEntries.pRanges[0].SrcPageTableAddress = source;
        args.CopyPageTableEntries.pRanges[0].DstPageTableAddress = destination;
        u32 buffer[16] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        ntstatus const status = build(gpu, args);
        CHECK((args.pDmaBuffer == buffer) == (status != status::success));
        return status;
    };
    // 2^14 entries of 8 bytes are two times 64 KiB.
    CHECK(build_at(0, space - 0x2'0000) == status::success);
    CHECK(build_at(space - 0x2'0000, 0) == status::success);
    CHECK(gpu.faults == 0);
    CHECK(build_at(0, space - 0x1'0000) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::address_wraps);
    CHECK(gpu.last_fault.value == space - 0x1'0000);
    CHECK(gpu.last_fault.limit == 0x2'0000);
    CHECK(build_at(space - 0x1'0000, 0) == status::invalid_parameter);
    CHECK(gpu.faults == 2);
}

TEST_CASE("OP14-01: ranges of one table that only touch are copied from their first entry on, like any other") {
    plain_gpu gpu = with_segments<plain_gpu>();  // 512 entries a command
    u32 buffer[64] = {};
    for (bool const touch : {true, false}) {
        range_array array({{0, touch ? u64{0} : u64{1}, 0, 7, touch ? 7u : 9u}});
        arguments args = array.args(1);
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        CHECK(paging::detail::overlaps_itself(args.CopyPageTableEntries.pRanges[0]) == false);
        CHECK(build(gpu, args) == status::success);
    }
    // Three entries a command: the first of seven, the fourth, the last. The source stands behind the destination.
    odd_gpu three = with_segments<odd_gpu>();
    range_array parts({{0, 0, 0, 7, 7}});
    arguments in_parts = parts.args(1);
    in_parts.pDmaBuffer = buffer;
    in_parts.DmaSize = sizeof buffer;
    CHECK(build(three, in_parts) == status::success);
    for (u32 const command : {0u, 1u, 2u}) {
        CHECK(buffer[command * 9 + 1] == first_table + (7 + command * 3) * 8);
        CHECK(buffer[command * 9 + 4] == first_table + command * 3 * 8);
    }
    range_array array({{0, 0, 0, 7, 8}});
    CHECK(paging::detail::overlaps_itself(array.args(1).CopyPageTableEntries.pRanges[0]));
}

TEST_CASE("OP14-05 PGB-06: at the token behind the last range nothing is left to do, and that is no fault") {
    plain_gpu gpu = with_segments<plain_gpu>();
    range_array array({{0, 1, 0, 0, 7}, {1, 2, 3, 4, 100}});
    u32 buffer[16] = {};
    for (u32* const at : {buffer, static_cast<u32*>(nullptr)}) {
        arguments args = array.args(2);
        args.MultipassOffset = 2 << 9;
        args.pDmaBuffer = at;
        args.DmaSize = at == nullptr ? 0 : sizeof buffer;
        CHECK(build(gpu, args) == status::success);
        CHECK(args.MultipassOffset == 2 << 9);
        CHECK(args.pDmaBuffer == at);
    }
    CHECK(gpu.faults == 0);
}

TEST_CASE("OP14-01: a range that is copied onto itself is no work, and a list of such ranges is complete") {
    plain_gpu gpu = with_segments<plain_gpu>();
    range_array array({{0, 0, 9, 9, 7}, {1, 1, 0, 0, 0}});
    arguments args = array.args(2);
    u32 buffer[8] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = 4;
    CHECK(build(gpu, args) == status::success);
    CHECK(args.pDmaBuffer == buffer);
    CHECK(args.MultipassOffset == 2 << 9);
}

}  // namespace copy_test

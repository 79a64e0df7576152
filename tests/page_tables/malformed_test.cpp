// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_requests.hpp"

#include <wddmcore/paging/page_table/entries.hpp>

namespace malformed_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

/// A request of twenty valid entries.
model_request twenty(u32 level = 0) {
    model_request request;
    request.level = level;
    request.count = 20;
    for (u32 i = 0; i != 20; ++i) {
        request.entries.push_back({1 | 1 << 5, (0x1000 + i * 7u) * 16});
    }
    return request;
}

/// Nothing is stored, nothing committed, and the hook hears the rule; in both ways of writing.
template <class Gpu>
std::string refused(Gpu gpu, model_request const& request, paging_rule rule, void (*spoil)(arguments&) = nullptr,
                    u32 first_mode = 0, u32 last_mode = 2) {
    request_arrays const arrays(request);
    for (u32 mode = first_mode; mode <= last_mode; ++mode) {
        arguments args = arguments_of(request, arrays);
        testing::guarded_buffer table(4096);
        testing::guarded_buffer buffer(4096);
        args.UpdatePageTable.UpdateMode = mode;
        if (mode == 0) {
            args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
        } else {
            static_cast<void>(place_table(args, mode, 1, 0x1'0000, 1));
        }
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        if (spoil != nullptr) {
            spoil(args);
        }
        arguments const before = args;
        gpu.faults = 0;
        gpu.stores = 0;
        gpu.answer = mode == 0 ? disposition::stop : disposition::dropped;  // which is taken as stop
        std::string const where = " in mode " + std::to_string(mode);
        if (build(gpu, args) != status::invalid_parameter) {
            return "not refused" + where;
        }
        if (gpu.faults != 1 || gpu.last_fault.rule != rule) {
            return "another rule: " + std::to_string(static_cast<u32>(gpu.last_fault.rule)) + where;
        }
        if (std::memcmp(&before, &args, sizeof args) != 0) {
            return "something was committed" + where;
        }
        if (gpu.stores != 0) {
            return "something was stored" + where;
        }
        for (std::size_t i = 0; i != table.size(); ++i) {
            if (table.data()[i] != table.fresh(i)) {
                return "the table was changed" + where;
            }
        }
    }
    return {};
}

/// The same with one of the entries spoilt, at the first, a middle and the last place.
template <class Gpu>
std::string refused_entry(Gpu const& gpu, paging_rule rule, model_pte wrong, u32 level = 0, bool of_64k = false) {
    for (u32 place : {0u, 8u, 16u, 19u}) {
        if (place % (Gpu::page_tables.gpu_page.n / 4096) != 0) {
            continue;  // an entry inside a page of the GPU is not looked at (OP11-05)
        }
        model_request request = twenty(level);
        request.of_64k = of_64k;
        request.entries[place] = wrong;
        if (std::string const problem = refused(gpu, request, rule); !problem.empty()) {
            return problem + " at " + std::to_string(place);
        }
    }
    model_request request = twenty(level);  // all of them: a line of the same flags
    request.of_64k = of_64k;
    request.entries.assign(20, wrong);
    return refused(gpu, request, rule);
}

plain_gpu const plain = with_segments<plain_gpu>();
generator_gpu const generator = with_segments<generator_gpu>();
dual_gpu const dual = with_segments<dual_gpu>();
narrow_gpu const narrow = with_segments<narrow_gpu>();
odd_page_gpu const odd_page = with_segments<odd_page_gpu>();

attribute_table by_key{};
table_gpu with_table() {
    table_gpu gpu = with_segments<table_gpu>();
    paging::fill_attribute_table(gpu, 0, by_key);
    gpu.table = &by_key;
    return gpu;
}

/// A GPU that reaches 1 TiB.
struct short_gpu : plain_gpu {
    static constexpr capabilities caps = [] {
        capabilities claims = plain_gpu::caps;
        claims.highest_visible_address = (u64{1} << 40) - 1;
        return claims;
    }();
};
short_gpu const short_gpu_with_segments = with_segments<short_gpu>();

/// Two tables below level 1, and Zero.
struct zero_gpu : dual_gpu {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{.read_only = true, .zero_in_pte = true, .large_pages = true};
};
zero_gpu const dual_with_zero = with_segments<zero_gpu>();

/// A GPU that claims none of the flags, with a table of attributes.
struct no_flags : table_gpu {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
};

}  // namespace

TEST_CASE("GVA-01: a level that the geometry does not have") {
    CHECK(refused(plain, twenty(), paging_rule::level_out_of_range,
                  [](arguments& a) { a.UpdatePageTable.PageTableLevel = 4; }) == "");
    CHECK(refused(plain, twenty(), paging_rule::level_out_of_range,
                  [](arguments& a) { a.UpdatePageTable.PageTableLevel = ~0u; }) == "");
    CHECK(refused(narrow, twenty(), paging_rule::level_out_of_range,
                  [](arguments& a) { a.UpdatePageTable.PageTableLevel = 2; }) == "");
}

TEST_CASE("OP11-09: entries past the end of their table, and a sum that wraps") {
    auto refuse = [](auto const& gpu, void (*spoil)(arguments&)) {
        return refused(gpu, twenty(), paging_rule::outside_table, spoil);
    };
    CHECK(refuse(plain, [](arguments& a) { a.UpdatePageTable.StartIndex = 493; }) == "");
    CHECK(refuse(plain, [](arguments& a) { a.UpdatePageTable.StartIndex = 512; }) == "");
    CHECK(refuse(plain, [](arguments& a) { a.UpdatePageTable.StartIndex = 0xFFFF'FFFF; }) == "");
    CHECK(refuse(plain, [](arguments& a) { a.UpdatePageTable.NumPageTableEntries = 0xFFFF'FFFF; }) == "");
    CHECK(refuse(odd_page, [](arguments& a) { a.UpdatePageTable.StartIndex = 237; }) == "");
    CHECK(refuse(dual, [](arguments& a) {
              a.UpdatePageTable.StartIndex = 13;
              a.UpdatePageTable.Flags.Use64KBPages = 1;
          }) == "");
    // A resizable root has at most what the address space leaves it.
    CHECK(refused(narrow, twenty(1), paging_rule::outside_table,
                  [](arguments& a) { a.UpdatePageTable.StartIndex = 1005; }) == "");
}

TEST_CASE("OP11-09: the hook hears where the entries would end, and where the table does") {
    plain_gpu gpu = plain;
    model_request const request = twenty();
    request_arrays const arrays(request);
    for (u64 const start : {u64{493}, u64{0xFFFF'FFFF}}) {
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.StartIndex = static_cast<u32>(start);
        CHECK(build(gpu, args) == status::invalid_parameter);
        CHECK(gpu.last_fault.rule == paging_rule::outside_table);
        CHECK(gpu.last_fault.value == start + 20);
        CHECK(gpu.last_fault.limit == 512);
    }
}

TEST_CASE("CHK-15 GVA-06: a table in system memory whose end wraps") {
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) {
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = ~u64{0} - 7;
              },
              2, 2) == "");
}

TEST_CASE("PGB-11 PGB-03: one entry for all slots needs a buffer, at a dword") {
    model_request request = twenty();
    request.repeat = true;
    request.entries.resize(1);
    auto no_buffer = [](arguments& a) { a.pDmaBuffer = nullptr; };
    CHECK(refused(plain, request, paging_rule::no_buffer, no_buffer, 1) == "");
    CHECK(refused(plain, request, paging_rule::no_buffer, [](arguments& a) { a.DmaSize = 0; }, 1) == "");
    CHECK(refused(
              plain, request, paging_rule::misaligned_buffer,
              [](arguments& a) { a.pDmaBuffer = static_cast<unsigned char*>(a.pDmaBuffer) + 1; }, 1) == "");
}

TEST_CASE("GVA-15: the memory of another adapter of the link is no system memory, whatever its segment") {
    model_request request = twenty();
    request.of_64k = true;
    request.entries.resize(16);
    request.count = 16;
    request.start = 0;
    request.entries.assign(16, {1 | u64{1} << 11, 16});
    CHECK(refused(dual, request, paging_rule::big_page_of_system_memory) == "not refused in mode 0");
    request.entries.assign(16, {1, 16});
    CHECK(refused(dual, request, paging_rule::big_page_of_system_memory) == "");
}

TEST_CASE("GVA-16 GVA-18 AMB-08: a run that one command makes is judged as its entries are") {
    auto run = [](u64 flags, u64 first) {
        model_request request;
        request.count = 64;
        for (u32 i = 0; i != 64; ++i) {
            request.entries.push_back({flags, first + i});
        }
        return request;
    };
    u64 const end = u64{1} << generator_gpu::entry_limits.page_number_bits;
    CHECK(refused(generator, run(1 | 4 << 5, 16), paging_rule::unknown_segment) == "");
    CHECK(refused(generator, run(1 | 1 << 5 | 0x400, 16), paging_rule::large_page_refused) == "");
    CHECK(refused(generator, run(1, end - 63), paging_rule::page_too_high) == "");
    CHECK(refused(generator, run(1, end - 64), paging_rule::page_too_high) == "not refused in mode 0");
    CHECK(refused(generator, run(1 | 1 << 5, ~u64{0} - 31), paging_rule::page_too_high) == "");  // it wraps
    // What is not valid names nothing.
    CHECK(refused(generator, run(4 << 5 | 0x400, end - 3), paging_rule::page_too_high) == "not refused in mode 0");
}

TEST_CASE("OP11-01: no array") {
    CHECK(refused(plain, twenty(), paging_rule::missing_entries,
                  [](arguments& a) { a.UpdatePageTable.pPageTableEntries = nullptr; }) == "");
    CHECK(refused(dual, twenty(1), paging_rule::missing_entries,
                  [](arguments& a) { a.UpdatePageTable.pPageTableEntries = nullptr; }) == "");
    // OP11-06: the second array does not stand in for the first where there are no dual tables.
    CHECK(refused(narrow, twenty(), paging_rule::missing_entries, [](arguments& a) {
              a.UpdatePageTable.pPageTableEntries64KB = a.UpdatePageTable.pPageTableEntries;
              a.UpdatePageTable.pPageTableEntries = nullptr;
          }) == "");
}

TEST_CASE("OP11-04: a NULL table, or one that no entry can lie at") {
    CHECK(refused(
              plain, twenty(), paging_rule::missing_table,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.CpuVirtual = nullptr; }, 0, 0) == "");
    auto past = [](arguments& a) {
        if (a.UpdatePageTable.UpdateMode == 0) {
            auto* const table = static_cast<unsigned char*>(a.UpdatePageTable.PageTableAddress.CpuVirtual);
            a.UpdatePageTable.PageTableAddress.CpuVirtual = table + 4;
        } else if (a.UpdatePageTable.UpdateMode == 1) {
            a.UpdatePageTable.PageTableAddress.GpuVirtual += 4;
        } else {
            a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset += 4;
        }
    };
    CHECK(refused(plain, twenty(), paging_rule::misaligned_table, past) == "");
    CHECK(refused(odd_page, twenty(), paging_rule::misaligned_table, past) == "");
}

TEST_CASE("OP11-03: a mode without a name") {
    CHECK(refused(
              plain, twenty(), paging_rule::unknown_update_mode, [](arguments& a) { a.UpdatePageTable.UpdateMode = 3; },
              1, 1) == "");
}

TEST_CASE("OP11-03: a table outside its segment, in none, or at the end of the addresses") {
    CHECK(refused(
              plain, twenty(), paging_rule::unknown_segment,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 4; }, 2, 2) == "");
    CHECK(
        refused(
            plain, twenty(), paging_rule::outside_segment,
            [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = (u64{16} << 30) - 152; },
            2, 2) == "");
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = ~u64{0} - 151; }, 1, 1) == "");
    // A table in system memory, at the end of its addresses: 20 entries of 8 bytes fit, 21 would not.
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) {
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = ~u64{0} - 151;
              },
              2, 2) == "");
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) {
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = ~u64{0} - 159;
              },
              2, 2) == "not refused in mode 2");
    // CHK-15: the addresses end where the page tables' own do. 20 entries of 8 bytes fit, 21 would not.
    u64 constexpr space = u64{1} << gpuva::address_bits(plain_gpu::page_tables);
    static_assert(space == u64{1} << 48);
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space - 152; }, 1, 1) == "");
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space; }, 1, 1) == "");
    CHECK(refused(
              plain, twenty(), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space - 160; }, 1,
              1) == "not refused in mode 1");
}

TEST_CASE("PGB-04 OP11-12: a token behind the work") {
    CHECK(refused(plain, twenty(), paging_rule::token_past_end, [](arguments& a) { a.MultipassOffset = 21; }) == "");
}

TEST_CASE("OP11-01: an update of nothing is a harmless fault") {
    plain_gpu gpu = plain;
    model_request const request = twenty();
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    args.UpdatePageTable.NumPageTableEntries = 0;
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::nothing_to_update);
    gpu.answer = disposition::dropped;
    CHECK(build(gpu, args) == status::success);
    CHECK(args.MultipassOffset == 0);
}

TEST_CASE("GVA-20: flags that were not claimed are refused, never dropped") {
    // The dual format claims ReadOnly only, the plain one all three.
    CHECK(refused_entry(dual, paging_rule::flag_not_claimed, {1 | 1 << 5 | 4, 16}) == "");
    CHECK(refused_entry(dual, paging_rule::flag_not_claimed, {1 | 1 << 5 | 0x10, 16}) == "");
    CHECK(refused_entry(odd_page, paging_rule::flag_not_claimed, {1 | 1 << 5 | 8, 16}) == "");
    CHECK(refused_entry(narrow, paging_rule::flag_not_claimed, {1 | 1 << 5 | 0x10, 16}, 1) == "");
    no_flags gpu = with_segments<no_flags>();
    paging::fill_attribute_table(gpu, 0, by_key);
    gpu.table = &by_key;
    for (u64 flag : {4u, 8u, 0x10u}) {
        CHECK(refused_entry(gpu, paging_rule::flag_not_claimed, {1 | 1 << 5 | flag, 16}) == "");
    }
}

TEST_CASE("GVA-19: Zero needs its cap") {
    CHECK(refused_entry(dual, paging_rule::zero_not_claimed, {1 | 1 << 5 | 2, 16}) == "");
    CHECK(refused_entry(narrow, paging_rule::zero_not_claimed, {1 | 1 << 5 | 2, 16}) == "");
}

TEST_CASE("GVA-16: LargePage in a leaf table, and at a level without large pages") {
    CHECK(refused_entry(plain, paging_rule::large_page_refused, {1 | 1 << 5 | 0x400, 0}) == "");
    CHECK(refused_entry(with_table(), paging_rule::large_page_refused, {1 | 1 << 5 | 0x400, 0}) == "");
    CHECK(refused_entry(generator, paging_rule::large_page_refused, {1 | 1 << 5 | 0x400, 0}) == "");
    CHECK(refused_entry(plain, paging_rule::large_page_refused, {1 | 1 << 5 | 0x400, 0}, 3) == "");
}

/// The flat format with Zero, and more adapters than one.
struct flat_zero_gpu : plain_gpu {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = [] {
        gpuva::gpu_mmu_capabilities claims = plain_gpu::mmu_caps;
        claims.zero_in_pte = true;
        return claims;
    }();
};

TEST_CASE("AMB-58 GVA-16: LargePage in a leaf entry that reads as zero is refused as any other") {
    flat_zero_gpu const gpu = with_segments<flat_zero_gpu>();
    CHECK(refused_entry(gpu, paging_rule::large_page_refused, {3 | 0x400, 0}) == "");
    CHECK(refused_entry(gpu, paging_rule::large_page_refused, {3 | 0x400, 0}, 3) == "");  // where none is possible
    CHECK(refused_entry(dual_with_zero, paging_rule::large_page_refused, {3 | 0x400, 0}, 0, true) == "");
    // Above the leaf, where one is possible, and a page of any number, for there is none.
    model_request request = twenty(1);
    request.entries.assign(20, {3 | 0x400, 1});
    CHECK(refused(gpu, request, paging_rule::large_page_refused) == "not refused in mode 0");
}

TEST_CASE("AMB-58 GVA-21: an entry that reads as zero names no adapter: any is accepted") {
    flat_zero_gpu const gpu = with_segments<flat_zero_gpu>();
    for (u32 const level : {0u, 1u}) {
        model_request request = twenty(level);
        request.entries[8] = {3 | u64{63} << 11, ~u64{0} >> 13};
        CHECK(refused(gpu, request, paging_rule::unknown_adapter) == "not refused in mode 0");
        request.entries.assign(20, {3 | u64{1} << 11, 0});
        CHECK(refused(gpu, request, paging_rule::unknown_adapter) == "not refused in mode 0");
        request.entries[8].flags = 1 | u64{1} << 11;
        CHECK(refused(gpu, request, paging_rule::unknown_adapter) == "");
    }
}

TEST_CASE("GVA-17: a large page that is not aligned to what it covers, unless that was claimed") {
    CHECK(refused_entry(plain, paging_rule::misaligned_large_page, {1 | 1 << 5 | 0x400, 256}, 1) == "");
    CHECK(refused_entry(plain, paging_rule::misaligned_large_page, {1 | 1 << 5 | 0x400, 512}, 2) == "");
}

TEST_CASE("GVA-14: a page that does not begin at one of the table's pages") {
    CHECK(refused_entry(dual, paging_rule::misaligned_page, {1 | 1 << 5, 8}, 0, true) == "");
    model_request request = twenty();
    request.entries[16].page = 0x4002;
    CHECK(refused(odd_page, request, paging_rule::misaligned_page) == "");
}

TEST_CASE("GVA-15: system memory in a table of 64-KiB entries, unless that was claimed") {
    CHECK(refused_entry(dual, paging_rule::big_page_of_system_memory, {1, 16}, 0, true) == "");
    // GVA-21: segment 0 of another adapter is not this one's to judge.
    CHECK(refused_entry(dual, paging_rule::big_page_of_system_memory, {1 | 1 << 11, 16}, 0, true) ==
          "not refused in mode 0 at 0");
}

TEST_CASE("GVA-15: a large page of system memory, unless that was claimed") {
    CHECK(refused_entry(dual, paging_rule::big_page_of_system_memory, {1 | 0x400, 0x4000}, 1) == "");
}

TEST_CASE("GVA-12 GVA-16 GVA-19: what is a page has no table beside it, and the second array names tables only") {
    model_pte const table{1 | 1 << 5, 0x4000};
    model_pte const large{1 | 1 << 5 | 0x400, 0x4000};
    struct pair {
        model_pte first;
        model_pte second;
    };
    for (pair const wrong : {pair{large, table}, pair{table, large}, pair{{}, large}, pair{{3, 0}, table},
                             pair{table, {3, 0}}, pair{{}, {3, 0}}, pair{{2, 0}, {3, 0}}, pair{large, {3, 0}}}) {
        for (u32 place : {0u, 8u, 19u}) {
            model_request request = twenty(1);
            for (u32 i = 0; i != 20; ++i) {
                request.entries[i] = table;
            }
            request.entries_64k.assign(20, table);
            request.entries[place] = wrong.first;
            request.entries_64k[place] = wrong.second;
            CAPTURE(wrong.first.flags);
            CAPTURE(wrong.second.flags);
            CHECK(refused(dual_with_zero, request, paging_rule::page_beside_table) == "");
        }
    }
    // What is wrong in the first array stays wrong beside a good table in the second.
    model_request first_wrong = twenty(1);
    first_wrong.entries_64k.assign(20, table);
    first_wrong.entries[8] = {1 | 1 << 5 | 4, 0x4000};  // CacheCoherent was not claimed
    CHECK(refused(dual_with_zero, first_wrong, paging_rule::flag_not_claimed) == "");
    // Both arrays alike where nothing is to be found: no contradiction.
    model_request request = twenty(1);
    request.entries.assign(20, {3, 0});
    request.entries_64k.assign(20, {3, 0});
    CHECK(refused(dual_with_zero, request, paging_rule::page_beside_table) == "not refused in mode 0");
}

TEST_CASE("GVA-18: a segment that was never reported") {
    CHECK(refused_entry(plain, paging_rule::unknown_segment, {1 | 4 << 5, 16}) == "");
    CHECK(refused_entry(with_table(), paging_rule::unknown_segment, {1 | 4 << 5, 16}) == "");
    CHECK(refused_entry(generator, paging_rule::unknown_segment, {1 | 4 << 5, 16}) == "");
    CHECK(refused_entry(plain, paging_rule::unknown_segment, {1 | 31 << 5, 16}, 2) == "");
}

// Of with_segments: 16 GiB, 1 GiB (an aperture) and 8 GiB.
constexpr u64 pages_of_1 = u64{1} << 22;
constexpr u64 pages_of_2 = u64{1} << 18;
constexpr u64 pages_of_3 = u64{1} << 21;

TEST_CASE("GVA-18 OP00-03: a leaf entry's page past the end of its segment, at every place and in every form") {
    auto const everywhere = [](auto const& gpu) {
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {1 | 3 << 5, pages_of_3}) == "");
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {1 | 2 << 5, pages_of_2 + 7}) == "");
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {1 | 3 << 5, pages_of_3 - 1}) ==
              "not refused in mode 0 at 0");
        // System memory has no end; what is not valid, or reads as zero, names no page.
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {1, pages_of_1}) == "not refused in mode 0 at 0");
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {3 << 5, pages_of_3}) == "not refused in mode 0 at 0");
        CHECK(refused_entry(gpu, paging_rule::outside_segment, {3 | 3 << 5, pages_of_3}) ==
              "not refused in mode 0 at 0");
    };
    everywhere(plain);
    everywhere(with_table());
    everywhere(generator);
}

TEST_CASE("GVA-16 GVA-18: one malformed entry is found at each place of a line, and in lines that are whole") {
    for (u32 place = 0; place != 20; ++place) {
        CAPTURE(place);
        model_request request = twenty();
        request.entries[place].flags = 1 | 4 << 5;
        CHECK(refused(with_table(), request, paging_rule::unknown_segment) == "");
        request = twenty();
        request.entries[place].page = pages_of_1;
        CHECK(refused(with_table(), request, paging_rule::outside_segment) == "");
    }
    // Sixteen: nothing is left behind the lines that could raise the doubt for them.
    model_request request = twenty();
    request.count = 16;
    request.entries.assign(16, {1 | 4 << 5, 16});
    CHECK(refused(with_table(), request, paging_rule::unknown_segment) == "");
    request.entries.assign(16, {1, 16});
    request.entries[5].page = u64{1} << 34;  // one bit more than entries hold, in system memory, which has no end
    CHECK(refused(with_table(), request, paging_rule::page_too_high) == "");
    request.entries.assign(16, {1 | 1 << 5 | 0x400, 16});
    CHECK(refused(with_table(), request, paging_rule::large_page_refused) == "");
    request.entries.assign(16, {1 | 1 << 5, pages_of_1});
    CHECK(refused(with_table(), request, paging_rule::outside_segment) == "");
    request.entries.assign(16, {1 | 1 << 5 | 8, 16});
    CHECK(refused(with_segments<no_flags>(), request, paging_rule::flag_not_claimed) == "");
}

TEST_CASE("GVA-18 OP00-03: pages that gather to more than their segment has are no offence") {
    // The last of 3 pages less a page, and the middle: together they have every bit of what lies past a segment of 3.
    for (bool const is_mixed : {false, true}) {
        auto gpu = with_table();
        gpu.places[3].size = bytes{3 * 4096};
        model_request request = twenty();
        for (u32 i = 0; i != 20; ++i) {
            request.entries[i] = {1 | 3 << 5 | (is_mixed && i % 2 != 0 ? u64{8} : 0), 1 + i % 2};  // 1 | 2 is 3
        }
        CHECK(refused(gpu, request, paging_rule::outside_segment) == "not refused in mode 0");
        CHECK(refused(gpu, request, paging_rule::outside_segment, nullptr, 1) == "not refused in mode 1");
        request.entries[13].page = 3;
        CHECK(refused(gpu, request, paging_rule::outside_segment) == "");
    }
    // A page that one segment has, and another that is named beside it has not.
    model_request request = twenty();
    for (u32 i = 0; i != 20; ++i) {
        request.entries[i] = i % 2 != 0 ? model_pte{1 | 2 << 5, 16 + i} : model_pte{1 | 1 << 5, pages_of_2 + i};
    }
    CHECK(refused(with_table(), request, paging_rule::outside_segment, nullptr, 1) == "not refused in mode 1");
    request.entries[3].page = pages_of_2;
    CHECK(refused(with_table(), request, paging_rule::outside_segment) == "");
}

TEST_CASE("GVA-18 OP00-03: a run that leaves its segment, by its last page alone") {
    for (u64 const past : {0u, 1u}) {
        model_request request;
        request.count = 64;
        for (u32 i = 0; i != 64; ++i) {
            request.entries.push_back({1 | 3 << 5, pages_of_3 - 64 + past + i});
        }
        CHECK(refused(generator, request, paging_rule::outside_segment) == (past != 0 ? "" : "not refused in mode 0"));
        CHECK(refused(generator, request, paging_rule::outside_segment, nullptr, 1) ==
              (past != 0 ? "" : "not refused in mode 1"));
    }
}

TEST_CASE("GVA-18 OP00-03: tables, large pages and pages of more than 4 KiB lie inside their segment to their end") {
    CHECK(refused_entry(plain, paging_rule::outside_segment, {1 | 3 << 5, pages_of_3}, 1) == "");
    CHECK(refused_entry(plain, paging_rule::outside_segment, {1 | 3 << 5, pages_of_3 - 1}, 1) ==
          "not refused in mode 0 at 0");
    CHECK(refused_entry(plain, paging_rule::outside_segment, {1 | 3 << 5 | 0x400, pages_of_3}, 1) == "");
    CHECK(refused_entry(plain, paging_rule::outside_segment, {1 | 3 << 5 | 0x400, pages_of_3 - 512}, 1) ==
          "not refused in mode 0 at 0");
    // A segment that ends inside what a page covers: 1,032 pages of 4 KiB, the second large page would end at 1,024 + 512.
    auto short_segment = plain;
    short_segment.places[3].size = bytes{1032 * page_bytes};
    CHECK(refused_entry(short_segment, paging_rule::outside_segment, {1 | 3 << 5 | 0x400, 1024}, 1) == "");
    CHECK(refused_entry(short_segment, paging_rule::outside_segment, {1 | 3 << 5 | 0x400, 512}, 1) ==
          "not refused in mode 0 at 0");
    auto short_narrow = narrow;  // pages of 64 KiB
    for (u32 const id : {1u, 3u}) {
        short_narrow.places[id].size = bytes{(id == 3 ? 1032 : 0x10'0000) * page_bytes};
    }
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1024}, 0, true) == "");
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1008}, 0, true) ==
          "not refused in mode 0 at 0");
    auto short_odd = odd_page;  // pages of 16 KiB
    short_odd.places[3].size = bytes{1026 * page_bytes};
    CHECK(refused_entry(short_odd, paging_rule::outside_segment, {1 | 3 << 5, 1024}) == "");
    CHECK(refused_entry(short_odd, paging_rule::outside_segment, {1 | 3 << 5, 1020}) == "not refused in mode 0 at 0");
}

TEST_CASE("GVA-18 OP00-03: the hook hears the page, and where its segment's pages end") {
    model_request request = twenty();
    request.entries[4] = {1 | 3 << 5, pages_of_3 + 5};
    request_arrays const arrays(request);
    plain_gpu gpu = plain;
    arguments args = arguments_of(request, arrays);
    testing::guarded_buffer table(4096);
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.last_fault.rule == paging_rule::outside_segment);
    CHECK(gpu.last_fault.value == pages_of_3 + 5);
    CHECK(gpu.last_fault.limit == pages_of_3);
}

TEST_CASE("GVA-21: with linked adapters the ends of segments are not known, and no page is past one") {
    CHECK(refused_entry(dual, paging_rule::outside_segment, {1 | 3 << 5, pages_of_3 * 2}) ==
          "not refused in mode 0 at 0");
}

TEST_CASE("GVA-21: an adapter outside the link") {
    CHECK(refused_entry(plain, paging_rule::unknown_adapter, {1 | 1 << 5 | 1 << 11, 16}) == "");
    CHECK(refused_entry(with_table(), paging_rule::unknown_adapter, {1 | 1 << 5 | 1 << 11, 16}) == "");
    CHECK(refused_entry(dual, paging_rule::unknown_adapter, {1 | 1 << 5 | 4 << 11, 16}) == "");
}

TEST_CASE("GVA-16 GVA-18 GVA-20: a run, which a generator writes as one, is judged by its flags as each entry is") {
    auto const refuse = [](paging_rule rule, u64 flags) {
        model_request request = twenty();
        for (u32 i = 0; i != 20; ++i) {
            request.entries[i] = {flags, 0x4000 + i};
        }
        return refused(generator, request, rule, nullptr, 1);
    };
    CHECK(refuse(paging_rule::unknown_segment, 1 | 4 << 5) == "");
    CHECK(refuse(paging_rule::unknown_adapter, 1 | 1 << 5 | 1 << 11) == "");
    CHECK(refuse(paging_rule::large_page_refused, 1 | 1 << 5 | 0x400) == "");
    CHECK(refuse(paging_rule::large_page_refused, 1 | 1 << 5) == "not refused in mode 1");
    // GVA-22: what is not valid is no page, whatever else it says.
    CHECK(refuse(paging_rule::large_page_refused, 0x400) == "not refused in mode 1");
    CHECK(refuse(paging_rule::unknown_segment, 4 << 5) == "not refused in mode 1");
}

TEST_CASE("AMB-08 OBS-03: a byte address in the place of a page number does not fit, and is found") {
    model_pte const byte_address{1 | 1 << 5, u64{0x12345} << 30};
    for (u32 place : {0u, 19u}) {
        model_request request = twenty();
        request.entries[place] = byte_address;
        CHECK(refused(plain, request, paging_rule::page_too_high, nullptr, 0, 0) == "");
        request.entries[place / 4 * 4].page = u64{1} << 50;
        CHECK(refused(odd_page, request, paging_rule::page_too_high) == "");
    }
    // By command: anywhere in lines of the same flags, and in lines of mixed ones.
    for (u32 place = 0; place != 20; ++place) {
        model_request request = twenty();
        for (model_pte& one : request.entries) {
            one.flags = 1 | 1 << 5;
        }
        request.entries[place].page = u64{1} << 50;
        CHECK(refused(with_table(), request, paging_rule::page_too_high, nullptr, 1) == "");
    }
    for (u32 place = 0; place != 20; ++place) {
        model_request request = twenty();
        for (u32 i = 0; i != 20; ++i) {
            request.entries[i].flags = 1 | (1 + i % 2) << 5;
        }
        request.entries[place].page = u64{1} << 50;
        CHECK(refused(with_table(), request, paging_rule::page_too_high, nullptr, 1) == "");
    }
    // In system memory, which has no end, beside pages that raise no doubt of their own.
    for (u32 place = 0; place != 20; ++place) {
        model_request request = twenty();
        for (u32 i = 0; i != 20; ++i) {
            request.entries[i] = {1 | i % 2 << 3, 0};
        }
        request.entries[place].page = u64{1} << 50;
        CHECK(refused(with_table(), request, paging_rule::page_too_high, nullptr, 1) == "");
    }
    // The last of a run is the highest.
    model_request request = twenty();
    for (u32 i = 0; i != 20; ++i) {
        request.entries[i] = {1, (u64{1} << 34) - 10 + i};
    }
    CHECK(refused(generator, request, paging_rule::page_too_high) == "");
    // Numbers that wrap make a run whose last page is low again.
    for (u32 i = 0; i != 20; ++i) {
        request.entries[i].page = ~u64{0} - 9 + i;
    }
    CHECK(refused(generator, request, paging_rule::page_too_high) == "");
    // Level 1 names a table by a page number, too.
    request = twenty(1);
    request.entries[7].page = u64{1} << 34;
    CHECK(refused(plain, request, paging_rule::page_too_high) == "");
}

TEST_CASE("ADL-06 GVA-06: a table in system memory behind the device's reach") {
    auto const refuse = [](void (*spoil)(arguments&)) {
        return refused(short_gpu_with_segments, twenty(), paging_rule::list_wraps, spoil, 2);
    };
    CHECK(refuse([](arguments& a) {
              a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
              a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = u64{1} << 40;
          }) == "");
    // The last entry of the request is the first byte behind the reach.
    CHECK(refuse([](arguments& a) {
              a.UpdatePageTable.StartIndex = 492;
              a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
              a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = (u64{1} << 40) - 511 * 8;
          }) == "");
}

TEST_CASE("ADL-06 GVA-06: a table in system memory whose last entry is the last that the device reaches") {
    CHECK(refused(
              short_gpu_with_segments, twenty(), paging_rule::list_wraps,
              [](arguments& a) {
                  a.UpdatePageTable.StartIndex = 492;
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
                  a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = (u64{1} << 40) - 4096;
              },
              2, 2) == "not refused in mode 2");
}

TEST_CASE("the hook hears of a table what is wrong with it, and the limit that it broke") {
    auto const heard = [](auto gpu, model_request const& request, u32 mode, auto&& spoil) {
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        testing::guarded_buffer buffer(4096);
        static_cast<void>(place_table(args, 1, 0, 0x1'0000, 1));
        args.UpdatePageTable.UpdateMode = mode;
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        spoil(args);
        CHECK(build(gpu, args) == status::invalid_parameter);
        return gpu.last_fault;
    };
    paging_fault const missing =
        heard(plain, twenty(), 0, [](arguments& a) { a.UpdatePageTable.PageTableAddress.CpuVirtual = nullptr; });
    CHECK(missing.rule == paging_rule::missing_table);
    CHECK(missing.value == 0);
    u64 constexpr space = u64{1} << gpuva::address_bits(plain_gpu::page_tables);
    paging_fault const wraps =
        heard(plain, twenty(), 1, [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space - 152; });
    CHECK(wraps.rule == paging_rule::address_wraps);
    CHECK(wraps.value == space - 152);
    CHECK(wraps.limit == 160);
    // The entry that is a page, whichever of the two it is.
    model_pte const page{1 | 1 << 5 | 0x400, 0};
    model_pte const table{1 | 1 << 5, 0x4000};
    for (bool const second : {false, true}) {
        model_request request = twenty(1);
        request.entries.assign(20, second ? table : page);
        request.entries_64k.assign(20, second ? page : table);
        paging_fault const beside = heard(dual_with_zero, request, 1, [](arguments&) {});
        CHECK(beside.rule == paging_rule::page_beside_table);
        CHECK(beside.value == page.flags);
    }
}

TEST_CASE("the hook hears of a level, a table and a page what they are, and what they were held against") {
    auto const hears = [](auto gpu, model_request const& request, paging_rule rule, u64 value, u64 limit, u32 mode,
                          void (*spoil)(arguments&)) {
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        testing::guarded_buffer buffer(4096);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        alignas(16) static unsigned char table[4096];
        if (mode == 0) {
            args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
        } else {
            static_cast<void>(place_table(args, mode, 1, 0x1'0000, 1));
        }
        spoil(args);
        CHECK(build(gpu, args) == status::invalid_parameter);
        CHECK(gpu.last_fault.rule == rule);
        CHECK(gpu.last_fault.value == value);
        CHECK(gpu.last_fault.limit == limit);
    };
    auto const nothing = [](arguments&) {};
    for (u32 const mode : {0u, 1u, 2u}) {
        hears(plain, twenty(), paging_rule::nothing_to_update, 0, 0, mode,
              [](arguments& a) { a.UpdatePageTable.NumPageTableEntries = 0; });
        hears(plain, twenty(), paging_rule::level_out_of_range, 7, 4, mode,
              [](arguments& a) { a.UpdatePageTable.PageTableLevel = 7; });
        model_request large = twenty(1);
        large.entries[9] = {1 | 1 << 5 | 0x400, 256};
        hears(plain, large, paging_rule::misaligned_large_page, 256, 512, mode, nothing);
        model_request inside = twenty();  // pages of 16 KiB
        inside.entries[16].page = 0x4002;
        hears(odd_page, inside, paging_rule::misaligned_page, 0x4002, 4, mode, nothing);
    }
    // Half an entry too far, and a byte: entries of 8 bytes lie at multiples of 8.
    hears(plain, twenty(), paging_rule::misaligned_table, 4, 8, 0, [](arguments& a) {
        a.UpdatePageTable.PageTableAddress.CpuVirtual =
            static_cast<unsigned char*>(a.UpdatePageTable.PageTableAddress.CpuVirtual) + 4;
    });
    hears(plain, twenty(), paging_rule::misaligned_table, 0x1'0004, 8, 1,
          [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual += 4; });
    hears(plain, twenty(), paging_rule::misaligned_table, 0x1'0001, 8, 1,
          [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual += 1; });
    hears(plain, twenty(), paging_rule::misaligned_table, 0x1'0004, 8, 2,
          [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset += 4; });
    hears(plain, twenty(), paging_rule::misaligned_table, 0x1'0001, 8, 2,
          [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset += 1; });
    hears(plain, twenty(), paging_rule::address_wraps, ~u64{0} - 151, 160, 2, [](arguments& a) {
        a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = 0;
        a.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = ~u64{0} - 151;
    });
}

TEST_CASE("OP11-02 GVA-18: the one entry of all slots is judged, from whichever token the pass begins") {
    model_request request = twenty();
    request.repeat = true;
    request.entries.assign(1, {1 | 4 << 5, 16});
    CHECK(refused(plain, request, paging_rule::unknown_segment) == "");
    CHECK(refused(plain, request, paging_rule::unknown_segment, [](arguments& a) { a.MultipassOffset = 7; }) == "");
    CHECK(refused(plain, request, paging_rule::unknown_segment, [](arguments& a) { a.MultipassOffset = 20; }) ==
          "not refused in mode 0");  // nothing is left of it
}

TEST_CASE("OP11-04 PGB-04: from a token on the CPU judges the entries that are left, these and no others") {
    // Good entries in front of the request, and a wrong one at its end.
    std::vector<pte> all(40);
    for (u32 i = 0; i != 40; ++i) {
        all[i].Flags = 1 | (i == 39 ? 4u : 1u) << 5;
        all[i].PageAddress = 0x1000 + i * 7;
    }
    plain_gpu gpu = plain;
    model_request const request = twenty();
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    alignas(8) unsigned char table[4096] = {};
    args.UpdatePageTable.PageTableAddress.CpuVirtual = table;
    args.UpdatePageTable.pPageTableEntries = all.data() + 20;
    for (u32 const token : {0u, 5u, 19u}) {
        args.MultipassOffset = token;
        CHECK(build(gpu, args) == status::invalid_parameter);
        CHECK(gpu.last_fault.rule == paging_rule::unknown_segment);
        CHECK(args.MultipassOffset == token);
    }
    CHECK(gpu.stores == 0);
    // Pages that gather to more than their segment has are looked at one by one; behind the last nothing can be read.
    plain_gpu short_segment = plain;
    short_segment.places[3].size = bytes{3 * 4096};
    model_request gathered = twenty();
    for (u32 i = 0; i != 20; ++i) {
        gathered.entries[i] = {1 | 3 << 5, 1 + i % 2};
    }
    CHECK(refused(
              short_segment, gathered, paging_rule::outside_segment, [](arguments& a) { a.MultipassOffset = 5; }, 0,
              0) == "not refused in mode 0");
}

namespace {

/// System memory in large pages.
struct large_system_gpu : plain_gpu {
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps = [] {
        gpuva::gpu_mmu_capabilities claims = plain_gpu::mmu_caps;
        claims.system_memory_large_pages = true;
        return claims;
    }();
};

}  // namespace

TEST_CASE("GVA-15: where large pages of system memory are claimed, a table takes them") {
    model_pte const large{1 | 0x400, 0x4000};
    CHECK(refused_entry(plain, paging_rule::big_page_of_system_memory, large, 1) == "");
    CHECK(refused_entry(with_segments<large_system_gpu>(), paging_rule::big_page_of_system_memory, large, 1) ==
          "not refused in mode 0 at 0");
}

TEST_CASE("GVA-18 OP00-03: the last page of a segment that ends with it is inside") {
    // 1,024 pages of 4 KiB, in tables of 4, 16 and 64 KiB.
    auto short_odd = odd_page;
    short_odd.places[3].size = bytes{1024 * page_bytes};
    CHECK(refused_entry(short_odd, paging_rule::outside_segment, {1 | 3 << 5, 1020}) == "not refused in mode 0 at 0");
    CHECK(refused_entry(short_odd, paging_rule::outside_segment, {1 | 3 << 5, 1024}) == "");
    auto short_narrow = narrow;
    for (u32 const id : {1u, 3u}) {
        short_narrow.places[id].size = bytes{(id == 3 ? 1024 : 0x10'0000) * page_bytes};
    }
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1008}, 0, true) ==
          "not refused in mode 0 at 0");
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1024}, 0, true) == "");
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1023}) ==
          "not refused in mode 0 at 0");
    CHECK(refused_entry(short_narrow, paging_rule::outside_segment, {1 | 3 << 5, 1024}) == "");
}

TEST_CASE("GVA-12: with dual tables the size of the table that an entry names is said by its array alone") {
    for (u64 const size : {1u, 2u, 3u}) {
        CHECK(refused_entry(dual, paging_rule::no_64k_tables, {1 | 1 << 5 | size << 17, 0x4000}, 1) ==
              "not refused in mode 0 at 0");
    }
}

TEST_CASE("OP11-03 CHK-15: a table above the leaf ends inside the address space too") {
    // 20 entries of 8 bytes fit, 21 would not.
    static constexpr u64 space = u64{1} << gpuva::address_bits(plain_gpu::page_tables);
    CHECK(refused(
              plain, twenty(1), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space - 152; }, 1, 1) == "");
    CHECK(refused(
              plain, twenty(1), paging_rule::address_wraps,
              [](arguments& a) { a.UpdatePageTable.PageTableAddress.GpuVirtual = space - 160; }, 1,
              1) == "not refused in mode 1");
}

TEST_CASE("GVA-11: a 64-KiB leaf table where there are none") {
    CHECK(refused_entry(plain, paging_rule::no_64k_tables, {1 | 1 << 5 | u64{1} << 17, 16}, 1) == "");
    CHECK(refused(plain, twenty(), paging_rule::no_64k_tables,
                  [](arguments& a) { a.UpdatePageTable.Flags.Use64KBPages = 1; }) == "");
    // The two values of PageTablePageSize that mean nothing.
    for (u64 size : {2u, 3u}) {
        CHECK(refused_entry(narrow, paging_rule::no_64k_tables, {1 | 1 << 5 | size << 17, 16}, 1) == "");
        CHECK(refused_entry(plain, paging_rule::no_64k_tables, {1 | 1 << 5 | size << 17, 16}, 1) == "");
    }
}

TEST_CASE("GVA-22: an entry that is not valid is never wrong, whatever stands in it") {
    generator_gpu gpu = generator;
    model_request request = twenty();
    for (u32 i = 0; i != 20; ++i) {
        request.entries[i] = {~u64{1}, ~u64{0} - i * 5};
    }
    request_arrays const arrays(request);
    for (u32 mode : {0u, 1u}) {
        arguments args = arguments_of(request, arrays);
        testing::guarded_buffer table(4096);
        testing::guarded_buffer buffer(4096);
        args.UpdatePageTable.UpdateMode = mode;
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        CHECK(build(gpu, args) == status::success);
        CHECK(gpu.faults == 0);
    }
}

}  // namespace malformed_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Commands of operations 10 to 22 that are wrong in one way each.
#include "expect_broken.hpp"
#include "virtual_rigs.hpp"

namespace broken_notices_test {

using namespace law_rigs;

namespace {

using gpu = mock_gpu<mock::every_promise(wddm::v3_2)>;
using virtual_cpu = examples::cpu::virtual_processor<>;
template <class Hardware>
using rig_of = mock_table_rig<Hardware>;

/// Every encoder writes a dword too many when it is its turn.
struct writes_one_more : gpu {
    char const* turn = "";

    void end(u32* at, char const* name, dwords length) const {
        if (std::strcmp(turn, name) == 0) {
            at[length.n] = 0;
        }
    }
    void encode_write_head(u32* at, address to, dwords count) const {
        gpu::encode_write_head(at, to, count);
        end(at, "head of a write", write_head_dwords);
    }
    void encode_write_tail(u32* at, address to, dwords count) const {
        gpu::encode_write_tail(at, to, count);
        end(at, "write of", write_tail_dwords);
    }
    void encode_copy_entries(u32* at, address to, address from, bytes size) const {
        gpu::encode_copy_entries(at, to, from, size);
        end(at, "copy of", copy_entries_dwords);
    }
    void encode_flush(u32* at, hw::tlb_flush const& flush) const {
        gpu::encode_flush(at, flush);
        end(at, "flush declares", flush_dwords);
    }
    void encode_flush_range(u32* at, hw::tlb_flush const& flush) const {
        gpu::encode_flush_range(at, flush);
        end(at, "flush of", flush_range_dwords);
    }
    void encode_fence(u32* at, address place, u64 value) const {
        gpu::encode_fence(at, place, value);
        end(at, "fence declares", fence_dwords);
    }
    void encode_context_piece(u32* at, address place, hw::context_piece const& piece) const {
        gpu::encode_context_piece(at, place, piece);
        end(at, "context piece", context_piece_dwords);
    }
    void encode_context_update(u32* at, address place, hw::context_update const& update, u32 index) const {
        gpu::encode_context_update(at, place, update, index);
        end(at, "context update", context_update_dwords);
    }
    void encode_residency(u32* at, hw::residency_change const& change) const {
        gpu::encode_residency(at, change);
        end(at, "residency declares", residency_dwords);
    }
    void encode_residency_range(u32* at, hw::residency_range const& range) const {
        gpu::encode_residency_range(at, range);
        end(at, "residency of a range", residency_range_dwords);
    }
    void encode_fence_residency(u32* at, hw::fence_residency const& fence) const {
        gpu::encode_fence_residency(at, fence);
        end(at, "fence residency", fence_residency_dwords);
    }
    void encode_mmu_map(u32* at, hw::mmu_range const& range) const {
        gpu::encode_mmu_map(at, range);
        end(at, "MMU map", mmu_dwords);
    }
    void encode_mmu_unmap(u32* at, hw::mmu_range const& range) const {
        gpu::encode_mmu_unmap(at, range);
        end(at, "MMU unmap", mmu_dwords);
    }
    void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) const {
        gpu::encode_notify_eviction(at, notice);
        end(at, "eviction of", eviction_dwords);
    }
    void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) const {
        gpu::encode_notify_iommu_unmap(at, notice);
        end(at, "IOMMU unmap", iommu_unmap_dwords);
    }
};

struct long_runs : virtual_cpu {
    static constexpr void encode_generate(u32* at, address place, entry_run const& run) noexcept {
        virtual_cpu::encode_generate(at, place, run);
        at[generate_dwords.n] = 0;
    }
};

struct short_numbers : gpu {
    static constexpr void encode_write_head(u32* at, address to, dwords entries) noexcept {
        gpu::encode_write_head(at, {to.value & 0xFFFF'FFFF, to.target, to.number}, entries);
    }
    static constexpr void encode_write_tail(u32* at, address to, dwords entries) noexcept {
        gpu::encode_write_tail(at, {to.value & 0xFFFF'FFFF, to.target, to.number}, entries);
    }
    static constexpr void encode_copy_entries(u32* at, address to, address from, bytes size) noexcept {
        gpu::encode_copy_entries(at, to, from, bytes{size.n & 0x3F});
    }
    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        gpu::encode_fence(at, place, value & 0xFFFF'FFFF);
    }
};

struct cut_runs : virtual_cpu {
    static constexpr void encode_generate(u32* at, address place, entry_run const& run) noexcept {
        virtual_cpu::encode_generate(at, place, {run.add, run.start & 0xFFFF'FFFF, run.step, run.count & 0xFF});
    }
};

struct always_resident : gpu {
    static void encode_residency(u32* at, hw::residency_change change) {
        change.resident = true;
        change.segment = {0};
        change.offset = {0};
        gpu::encode_residency(at, change);
    }
    static void encode_residency_range(u32* at, hw::residency_range range) {
        range.resident = true;
        gpu::encode_residency_range(at, range);
    }
};

struct one_place : gpu {
    static void encode_fence_residency(u32* at, hw::fence_residency fence) {
        fence.current.offset.n &= ~u64{0xFFF};
        fence.monitored.offset.n &= ~u64{0xFFF};
        gpu::encode_fence_residency(at, fence);
    }
};

struct narrow_maps : gpu {
    static void encode_mmu_map(u32* at, hw::mmu_range range) {
        range.first.n &= 0xFFFF'FFFF;
        gpu::encode_mmu_map(at, range);
    }
};

struct narrow_evictions : gpu {
    static void encode_notify_eviction(u32* at, hw::alloc_notice notice) {
        notice.size.n &= 0x2FFF;
        gpu::encode_notify_eviction(at, notice);
    }
};

struct flushes_short : gpu {
    static void encode_flush_range(u32* at, hw::tlb_flush flush) {
        flush.first.n += flush.last.n - flush.first.n > 0x8000 ? 0x8000 : 0;
        gpu::encode_flush_range(at, flush);
    }
};

/// The poll behind the first fence of a flush waits for a value that nobody stores.
struct waits_for_ever : examples::amd::gfx10_virtual<> {
    void encode_flush(u32* to, hw::tlb_flush const& flush) const {
        examples::amd::gfx10_virtual<>::encode_flush(to, flush);
        to[7] = 2;
    }
};

/// An engine that tells nothing again.
template <class Hardware>
struct silent_rig : amd_table_rig<Hardware> {
    silent_rig() { this->play.take_notices = nullptr; }
};

/// Nothing is written back before an allocation leaves the IOMMU: a fence stands there, which changes nothing.
struct keeps_its_caches : examples::amd::gfx10_virtual<> {
    static constexpr dwords iommu_unmap_dwords{4};
    static void encode_notify_iommu_unmap(u32* to, hw::alloc_notice const&) { encode_store(to, {hub_scratch}, 0); }
    static constexpr u64 hub_scratch = 0x90'0000'1000;
};

struct leaves_twice : gpu {
    static constexpr dwords iommu_unmap_dwords{14};
    static void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) {
        gpu::encode_notify_iommu_unmap(at, notice);
        gpu::encode_notify_iommu_unmap(at + 7, notice);
    }
};

struct evicts_a_page_less : gpu {
    static void encode_notify_eviction(u32* at, hw::alloc_notice notice) {
        notice.size.n -= notice.size.n > page_bytes ? page_bytes : 0;
        gpu::encode_notify_eviction(at, notice);
    }
};

}  // namespace

TEST_CASE("law honest_sizes: a dword too many, encoder by encoder") {
    for (char const* const turn :
         {"head of a write", "write of", "copy of", "flush declares", "flush of", "fence declares", "context piece",
          "context update", "residency declares", "residency of a range", "fence residency", "MMU map", "MMU unmap",
          "eviction of", "IOMMU unmap"}) {
        CAPTURE(std::string(turn));
        rig_of<writes_one_more> rig;
        law_options options = options_of_run();
        options.rounds = 3;
        prepare(rig, options);
        rig.hw.turn = turn;
        law_report report;
        laws{rig.hw, options}.check_encoders(report);
        expect_law(report, law::honest_sizes, turn);
    }
    expect_broken_words<long_runs, cpu_table_rig<long_runs>>(law::honest_sizes, "run of ");
}

TEST_CASE("law distinct_sizes: sizes of copies and counts of runs that are cut off") {
    expect_broken_words<short_numbers, rig_of<short_numbers>>(law::distinct_sizes, "bytes of entries: 0x10 and 0x50");
    expect_broken_words<cut_runs, cpu_table_rig<cut_runs>>(law::distinct_sizes,
                                                           "runs of as many entries: 0x1 and 0x101");
}

TEST_CASE("law distinct_addresses: half of a table's address") {
    expect_broken_words<short_numbers, rig_of<short_numbers>>(law::distinct_addresses, "writes of entries to 0x0 and");
}

TEST_CASE("law distinct_values: half of a fence, half of a run's first entry (OP16-02)") {
    expect_broken_words<short_numbers, rig_of<short_numbers>>(law::distinct_values, "fences of value 0x0 and 0x1");
    expect_broken_words<cut_runs, cpu_table_rig<cut_runs>>(law::distinct_values, "runs of entries from page");
}

TEST_CASE(
    "law distinct_notices: residency without its end, places and sizes cut off (OP15-03, OP18-02, OP19, NTF-13)") {
    expect_broken_words<always_resident, rig_of<always_resident>>(law::distinct_notices, "residency 0x0 and 0x1");
    expect_broken_words<one_place, rig_of<one_place>>(law::distinct_notices, "fence values at word 0x0 and 0x1");
    expect_broken_words<narrow_maps, rig_of<narrow_maps>>(law::distinct_notices,
                                                          "MMU maps of page 0x0 and 0x100000000");
    expect_broken_words<narrow_evictions, rig_of<narrow_evictions>>(law::distinct_notices,
                                                                    "evictions of as many bytes: 0x3000 and 0x6000");
}

TEST_CASE("law notices_arrive: a flush that begins late, an eviction that ends early (OP12-03, NTF-13)") {
    expect_broken_memory<flushes_short, rig_of<flushes_short>>(law::notices_arrive, "a flush of ");
    expect_broken_memory<evicts_a_page_less, rig_of<evicts_a_page_less>>(law::notices_arrive, "an eviction of ");
}

TEST_CASE("law notices_arrive: a flush at once that begins late, beside commands and in their place (OP12-03)") {
    using both = flushes_at_once<gpu, 4096>;
    using alone = only_flushes_at_once<mock_gpu<mock::every_promise(wddm::v2_0, update_modes::cpu_virtual)>, 4096>;
    expect_broken_memory<both, telling_rig<both>>(law::notices_arrive, ", at once: the engine drops ");
    expect_broken_memory<alone, telling_rig<alone>>(law::notices_arrive, ", at once: the engine drops ");
}

TEST_CASE("law commands_execute: a flush that never ends, on an engine that tells nothing again (OP12-03)") {
    expect_broken_memory<waits_for_ever, silent_rig<waits_for_ever>>(law::commands_execute, "a flush of ");
}

TEST_CASE("law notices_arrive: an unmap that empties nothing (NTF-10)") {
    expect_broken_memory<keeps_its_caches, amd_table_rig<keeps_its_caches>>(law::notices_arrive, "an IOMMU unmap of ");
}

TEST_CASE("law sums_equal_the_request: an unmap told twice, an eviction that ends early (NTF-13, NTF-14)") {
    expect_broken_memory<leaves_twice, rig_of<leaves_twice>>(law::sums_equal_the_request, "an IOMMU unmap of ");
    expect_broken_memory<evicts_a_page_less, rig_of<evicts_a_page_less>>(law::sums_equal_the_request,
                                                                         "an eviction of ");
}

}  // namespace broken_notices_test

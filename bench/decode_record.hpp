// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <gate/decode_requests.hpp>

#include <type_traits>
#include <vector>

/// The hardware of decode.op, writing down what it is asked for: that two ways to build a request do the same is known
/// when they ask the same of it, at the same places.
namespace bench::decode_op {

using namespace wddmcore;

struct recording_gpu : decode_gpu {
    std::vector<u64>* said = nullptr;
    u32 const* begin = nullptr;

    template <class... Word>
    void say(u64 what, Word... words) const {
        said->push_back(what);
        (said->push_back(word(words)), ...);
    }
    /// A packet: its first word is stored, as decode_gpu does, and where it lies is part of what is compared.
    template <class... Word>
    void packet(u32* at, u64 what, Word... words) const {
        until_first_store(at);
        say(what, static_cast<u64>(at - begin), words...);
    }

    void encode_copy(u32* at, address to, address from, bytes n) const { packet(at, 1, to.n, from.n, n.n); }
    void encode_fill(u32* at, address to, bytes n, u32 pattern) const { packet(at, 2, to.n, n.n, pattern); }
    void encode_read(u32* at, address from) const { packet(at, 3, from.n); }
    void encode_write(u32* at, address to) const { packet(at, 4, to.n); }
    void encode_discard(u32* at, address place, void* allocation) const { packet(at, 5, place.n, allocation); }
    void store_aperture_entry(segment_id id, u64 index, page_number page, bool coherent) {
        say(6, id.n, index, page.n, coherent);
    }
    void encode_aperture_entry(u32* at, segment_id id, u64 index, page_number page, bool coherent) const {
        packet(at, 7, id.n, index, page.n, coherent);
    }
    void encode_flush(u32* at, hw::tlb_flush const& f) const {
        packet(at, 8, f.root.segment.n, f.root.offset.n, f.process, f.first.n, f.last.n);
    }
    void encode_fence(u32* at, address place, u64 value) const { packet(at, 9, place.n, value); }
    void encode_notify_eviction(u32* at, hw::alloc_notice const& n) const {
        packet(at, 10, n.event, n.allocation, n.process, n.offset, n.place.n, n.size.n);
    }
    void encode_context_piece(u32* at, address place, hw::context_piece const& p) const {
        packet(at, 11, place.n, p.allocation, p.offset, p.size);
    }
    void encode_context_update(u32* at, address place, hw::context_update const& u, u32 index) const {
        packet(at, 12, place.n, u.size.n, u.data, u.data_bytes, index);
    }
    void encode_residency(u32* at, hw::residency_change const& c) const {
        packet(at, 13, c.allocation, c.resident, c.segment.n, c.offset.n);
    }
    void encode_residency_range(u32* at, hw::residency_range const& r) const {
        packet(at, 14, r.allocation, r.first_page, r.page_count, r.resident, r.segment.n, r.offset.n, r.page_list,
               r.list_pages);
    }
    void encode_fence_residency(u32* at, hw::fence_residency const& f) const {
        packet(at, 15, f.fence, f.current.segment.n, f.current.offset.n, f.current.cpu, f.monitored.segment.n,
               f.monitored.offset.n, f.monitored.cpu);
    }
    void encode_mmu_map(u32* at, hw::mmu_range const& r) const {
        packet(at, 16, r.mmu, r.allocation, r.address, r.length.n, r.first.n, r.segment.n, r.allocation_start,
               r.position);
    }
    void encode_mmu_unmap(u32* at, hw::mmu_range const& r) const {
        // The first page of what is unmapped has no meaning.
        packet(at, 17, r.mmu, r.allocation, r.address, r.length.n, r.segment.n, r.allocation_start, r.position);
    }
    void encode_write_head(u32* at, address place, dwords n) const { packet(at, 18, place.n, n.n); }
    void encode_copy_entries(u32* at, address to, address from, bytes n) const { packet(at, 19, to.n, from.n, n.n); }

private:
    template <class Word>
    static u64 word(Word value) {
        if constexpr (std::is_pointer_v<Word>) {
            return reinterpret_cast<usize>(value);
        } else {
            return static_cast<u64>(value);
        }
    }
};

using recorded_builder = ntstatus (*)(recording_gpu&, ::decode::arguments&);

/// What came of a request: what was asked of the hardware, what was committed by each pass, and all that is in the
/// buffer.
struct record {
    std::vector<u64> said;
    std::vector<u64> passes;
    std::vector<u32> words;
    friend bool operator==(record const&, record const&) = default;
};

/// Builds a request in buffers of `room` dwords, or without one where the request has none, until it is done or a pass
/// commits nothing.
inline record record_of(decode::requests& requests, decode::arguments args, u32 room, recorded_builder build) {
    record made;
    recording_gpu hw;
    hw.said = &made.said;
    hw.begin = requests.buffer;
    bool const has_buffer = args.pDmaBuffer != nullptr;
    for (u32 before = ~u32{0};;) {
        for (u32& word : requests.buffer) {
            word = 0;
        }
        args.pDmaBuffer = has_buffer ? requests.buffer : nullptr;
        args.DmaSize = room * 4;
        ntstatus const answer = build(hw, args);
        u64 const position =
            reinterpret_cast<usize>(args.pDmaBuffer) - (has_buffer ? reinterpret_cast<usize>(requests.buffer) : 0);
        made.passes.insert(made.passes.end(), {static_cast<u64>(answer), args.MultipassOffset, args.DmaSize, position});
        made.words.insert(made.words.end(), requests.buffer, requests.buffer + 4096);
        if (answer != status::graphics_insufficient_dma_buffer || args.MultipassOffset == before) {
            return made;
        }
        before = args.MultipassOffset;
    }
}

/// What is committed of a request that must be refused: nothing, whatever was asked of the hardware before.
inline bool refuses(decode::requests& requests, decode::arguments args, recorded_builder build) {
    std::vector<u64> said;
    recording_gpu hw;
    hw.said = &said;
    hw.begin = requests.buffer;
    decode::arguments const before = args;
    return build(hw, args) == status::invalid_parameter && args.pDmaBuffer == before.pDmaBuffer &&
           args.MultipassOffset == before.MultipassOffset && args.DmaSize == before.DmaSize;
}

}  // namespace bench::decode_op

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_gfx10.hpp"
#include "amd_gfx10_page_tables.hpp"

/// AMD gfx10: how the copy engine writes page tables, and how cached translations are dropped.
namespace wddmcore::examples::amd {

inline constexpr u32 op_page_table_entries = 12;  // sub-op 0: generate
inline constexpr u32 op_register_write = 14;
inline constexpr u32 every_byte_of_register = bit_field<u32, 31, 28>::place(0xF);

/// WRITE_LINEAR: header, destination, dwords - 1, then the entries themselves.
struct sdma_table_writer {
    // The count has 20 bits. The vendor's driver never asks for more than 0x3FFFF entries; two dwords each.
    static constexpr dwords write_max{0x7'FFFE};
    static constexpr dwords write_head_dwords{4};

    static constexpr void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        put64(at, dword_pair(op_write_linear, low_dword(destination.n)));
        put64(at + 2, dword_pair(high_dword(destination.n), entries.n - 1));
    }
};

/// PTEPDE GEN, 10 dwords: entry i is flags | (address + i * increment), however many there are.
struct sdma_table_generator {
    static constexpr u32 generate_max = 0x3'FFFF;
    static constexpr u32 generate_entry_bytes = 8;
    static constexpr dwords generate_dwords{10};

    static constexpr void encode_generate(u32* at, address destination, entry_run const& run) noexcept {
        // The engine adds the increment to the address alone, so the two must not overlap.
        u64 const first = run.add + run.start;
        constexpr u64 page = page_tables::address::mask;
        encode_entries(at, destination, first & ~page, first & page, static_cast<u32>(run.step), run.count);
    }

    static constexpr void encode_entries(u32* at, address destination, u64 flags, u64 first, u32 increment,
                                         u32 count) noexcept {
        put64(at, dword_pair(op_page_table_entries, low_dword(destination.n)));
        put64(at + 2, dword_pair(high_dword(destination.n), low_dword(flags)));
        put64(at + 4, dword_pair(high_dword(flags), low_dword(first)));
        put64(at + 6, dword_pair(high_dword(first), increment));
        put64(at + 8, dword_pair(0, count - 1));
    }
};

/// COPY_LINEAR of 8 bytes for each entry. Packets take effect in order, which overlapping copies rely on too, so a
/// range may depend on an earlier one (OBS-11).
struct sdma_table_copier {
    static constexpr bytes copy_entries_max = sdma_copy::copy_max;
    static constexpr dwords copy_entries_dwords = sdma_copy::copy_dwords;

    static constexpr void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        sdma_copy::encode_copy(at, destination, source, size);
    }
};

/// Entries in the BAR are mapped write-combined: what the CPU has stored must leave its buffers before it takes effect.
struct bar_table_store : hw::coherent_page_table_store {
    void (*drain_stores)() = nullptr;  ///< the driver's store fence; NULL where the mapping is not write-combined

    constexpr void finish_entry_stores() const noexcept {
        if (drain_stores != nullptr) {
            drain_stores();
        }
    }
};

/// One of a hub's invalidation engines, as StartDevice found it: dword indices of registers, and what is
/// written to them.
struct invalidation_engine {
    u32 request_register = 0;      ///< VM_INVALIDATE_ENGn_REQ
    u32 acknowledge_register = 0;  ///< VM_INVALIDATE_ENGn_ACK: bit v says that VMID v is done
    u32 request = 0;               ///< what is written: every level, and the VMIDs of process address spaces
    u32 vmids = 0;                 ///< the same VMIDs as bits of the acknowledgement
    u64 scratch = 0;               ///< address of a dword of the driver's own that holds 0
};

/// Drops cached translations, 29 dwords.
///
/// The request goes to a register and so bypasses the memory that holds page tables. A FENCE and a poll come before it,
/// to make sure that what was queued earlier has arrived (OP12-03). Afterwards the dword is set back to 0, and that is
/// waited for too, or the next flush could take this one's 1 for its own.
///
/// Which VMID a root has is known when the commands run, not when they are built, so all VMIDs that the driver gives to
/// processes are flushed. Only the stream of a privileged queue can write registers; a driver puts its paging node
/// there. Media engines behind another hub need the same with the registers of that hub.
struct gpuvm_tlb {
    invalidation_engine invalidation{};

    static constexpr dwords flush_dwords{10 + 9 + 10};

    static constexpr u32 poll_memory = op_poll_memory | bit_field<u32, 31>::place(1) | bit_field<u32, 30, 28>::place(3);
    static constexpr u32 poll_register = op_poll_memory | bit_field<u32, 30, 28>::place(3);
    static constexpr u32 for_ever = bit_field<u32, 27, 16>::place(0xFFF);

    constexpr void encode_flush(u32* at, hw::tlb_flush const&) const noexcept { encode_flush_by(at, invalidation); }

    static constexpr void encode_flush_by(u32* at, invalidation_engine const& engine) noexcept {
        address const scratch{engine.scratch};
        encode_arrival(at, scratch, 1);
        encode_invalidation(at + arrival_dwords.n, engine);
        encode_arrival(at + arrival_dwords.n + invalidation_dwords.n, scratch, 0);
    }

    /// FENCE and POLL_REGMEM, 10 dwords: waits until everything before it has arrived. `value` must not be there yet.
    static constexpr dwords arrival_dwords{4 + 6};
    static constexpr void encode_arrival(u32* at, address place, u32 value) noexcept {
        sdma_fence::encode_store(at, place, value);
        encode_poll(at + 4, poll_memory, place.n, value, ~u32{0});
    }

    /// SRBM_WRITE of the request and POLL_REGMEM of its acknowledgement, 9 dwords.
    static constexpr dwords invalidation_dwords{3 + 6};
    static constexpr void encode_invalidation(u32* at, invalidation_engine const& engine) noexcept {
        put32(at, op_register_write | every_byte_of_register);
        put64(at + 1, dword_pair(engine.request_register, engine.request));
        // A poll names registers by their byte address.
        encode_poll(at + 3, poll_register, u64{engine.acknowledge_register} * 4, engine.vmids, engine.vmids);
    }

    /// POLL_REGMEM, 6 dwords: waits until the masked value equals a reference.
    static constexpr void encode_poll(u32* at, u32 head, u64 place, u32 reference, u32 mask) noexcept {
        put64(at, dword_pair(head, low_dword(place)));
        put64(at + 2, dword_pair(high_dword(place), reference));
        put64(at + 4, dword_pair(mask, for_ever));
    }
};

}  // namespace wddmcore::examples::amd

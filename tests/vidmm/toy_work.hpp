// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_writer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace toy {

/// One side of a copy: an address, or page numbers.
struct place {
    u64 address = 0;
    usize const* list = nullptr;
};

/// The toy driver's emitters. MultipassOffset counts pages, fill commands or aperture pages.
class toy_work {
public:
    std::function<void(bool source, bool destination)> on_transfer;  ///< for who asks about Src64KBPages and the other

    explicit toy_work(aperture_table& aperture) : aperture_(aperture) {}

    bugs wrong;
    u32 record_bytes = 0;                   ///< private data per pass; 0: one record for the whole buffer
    bool counts_dma_size_down = false;      ///< AMB-06: both are right
    bool aperture_by_command = true;        ///< when there is a buffer; else always at once
    testing::engine* own_engine = nullptr;  ///< executes in submit instead of the simulator's engine
    testing::gpu_bus* bus = nullptr;        ///< for that, and for what no driver should do
    std::map<u32, u64> bases;               ///< of the segments, for what no driver should do
    std::set<void*> busy;

    [[nodiscard]] u64 entry(u64 index) const { return aperture_.entries[static_cast<std::size_t>(index)].page; }

protected:
    template <class Args>
    ntstatus copies(place from, place to, u64 size, Args& args, writer& out) {
        if (wrong.copies_at_build && bus != nullptr && from.list == nullptr && to.list == nullptr) {
            return at_once(from, to, size);
        }
        u64 const total = (size + 4095) / 4096 - (wrong.drops_odd_bytes && size % 4096 != 0 ? 1 : 0);
        u64 const distance = from.address < to.address ? to.address - from.address : from.address - to.address;
        bool const overlaps = from.list == nullptr && to.list == nullptr && distance < size && distance != 0;
        bool const down = overlaps && to.address > from.address && !wrong.always_ascending;
        u64 const most = overlaps ? std::min(largest_copy / 4096, distance / 4096) : largest_copy / 4096;
        u64 done = args.MultipassOffset;
        u64 last = 0;
        total_ = std::max<u64>(total, 1);
        while (done < total) {
            u64 n = std::min(most, total - done);
            u64 const first = down ? total - done - n : done;
            n = run(to, first, run(from, first, n, total), total);
            u64 const rest = size - first * 4096;
            command c(code::copy);
            c.wide(at(from, first))
                .wide(at(to, first))
                .word(static_cast<u32>(wrong.rounds_up ? n * 4096 : std::min(n * 4096, rest)));
            if (!out.put(c)) {
                return more(args, done, n, last, out.cut());
            }
            done += n;
            last = n;
        }
        args.MultipassOffset = static_cast<u32>(done);
        return status::success;
    }

    template <class Args>
    ntstatus fill(void* allocation, u64 to, u64 size, u32 pattern, Args& args, writer& out) {
        if (wrong.says_done || (wrong.needs_allocation && allocation == nullptr)) {
            return status::success;
        }
        u64 const unit = wrong.token_in_bytes ? 1 : largest_fill;
        u64 done = args.MultipassOffset * unit;
        u64 last = 0;
        while (done < size) {
            u64 const n = std::min(largest_fill, size - done);
            bool const end = done + n == size;
            command c(code::fill);
            c.wide(to + done).word(wrong.low_byte_only ? (pattern & 0xff) * 0x01010101U : pattern);
            c.word(static_cast<u32>(n + (wrong.fills_too_far && end ? 32 : 0))).word(0);
            if (!out.put(c)) {
                return more(args, done / unit, n / unit, last / unit, out.cut());
            }
            done += n;
            last = n;
        }
        return status::success;
    }

    /// A single command of an address and, for a write, a size.
    ntstatus one(code c, u64 address, u32 size, writer& out) {
        command built(c);
        built.wide(address);
        if (c == code::write) {
            built.word(size);
        }
        return out.put(built) ? status::success : status::graphics_insufficient_dma_buffer;
    }

    /// Points aperture page `index + k` at `page_of(k)`.
    template <class Args, class PageOf>
    ntstatus points(u64 index, u64 count, bool coherent, PageOf page_of, Args& args, writer& out) {
        coherent = coherent && !wrong.never_coherent;
        if (!out.has_buffer() || !aperture_by_command) {
            if (wrong.wants_buffer_for_map) {
                return status::graphics_insufficient_dma_buffer;
            }
            for (u64 k = 0; k < count; ++k) {
                aperture_.set(index + k, page_of(k), coherent);
            }
            return status::success;
        }
        u64 last = 0;
        for (u64 k = args.MultipassOffset; k < count; ++k) {
            if (wrong.table_too_small && index + k + 1 == aperture_.entries.size()) {
                continue;
            }
            command c(code::map);
            c.word(static_cast<u32>(index + k) | (coherent ? coherent_bit : 0)).wide(page_of(k));
            if (!out.put(c)) {
                return more(args, k, 1, last, out.cut());
            }
            last = 1;
        }
        return status::success;
    }

    /// A command that carries a pointer of the call, which will be stale when it is executed.
    ntstatus keep(void const* pointer, writer& out) {
        return one(code::call_back, reinterpret_cast<std::uintptr_t>(pointer), 0, out);
    }

    aperture_table& aperture_;
    u64 total_ = 0;  // pages of the copy at hand

private:
    [[nodiscard]] u64 at(place const& p, u64 k) const {
        if (p.list == nullptr) {
            return p.address + k * 4096;
        }
        if (wrong.first_page_for_all) {
            k = 0;
        }
        return wrong.pages_as_one_run ? (u64{p.list[0]} + k) << 12
                                      : u64{p.list[wrong.list_begins_anew ? k % std::min<u64>(3, total_) : k]} << 12;
    }

    /// How many of `n` pages from `first` lie side by side.
    [[nodiscard]] u64 run(place const& p, u64 first, u64 n, u64 total) const {
        if (p.list == nullptr) {
            return n;
        }
        if (wrong.first_page_for_all) {
            return 1;
        }
        if (wrong.list_begins_anew || wrong.pages_as_one_run) {
            return std::min<u64>(n, wrong.pages_as_one_run ? n : 1);
        }
        u64 found = 1;
        u64 const limit = wrong.over_reads_list && first + n == total ? n + 1 : n;
        while (found < limit && p.list[first + found] == p.list[first] + found) {
            ++found;
        }
        return std::min(found, n);
    }

    template <class Args>
    ntstatus more(Args& args, u64 done, u64 next, u64 last, bool cut) {
        u64 token = done;
        token += wrong.loses_a_command || cut ? next : 0;
        token -= wrong.repeats_last_command && done - last > args.MultipassOffset ? last : 0;
        if (!wrong.ignores_multipass) {
            args.MultipassOffset = static_cast<u32>(token);
        }
        return status::graphics_insufficient_dma_buffer;
    }

    ntstatus at_once(place from, place to, u64 size) {
        for (u64 i = 0; i < size; i += 4) {
            u32 word = 0;
            if (!bus->read(from.address + i, &word, 4) || !bus->write(to.address + i, &word, 4)) {
                break;
            }
        }
        return status::success;
    }
};

}  // namespace toy

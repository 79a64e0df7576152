// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_packets.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// What the CPU stores into an example's own memory at once: entries of the aperture, lists of pages, entries of an
/// MMU. Each time all of the memory that an operation may reach is looked at.
template <class Hw, class Args>
class cpu_stores {
public:
    cpu_stores(Hw const& hw, Args const& args) : hw_(hw), args_(args) {}

    /// Before a call: fills what it may store into.
    void prepare() const {
        switch (kind()) {
            case sort::aperture: fill(aperture(), aperture_pages * aperture_words); break;
            case sort::residency:
                fill(driver_memory().lists[0].data(), list_pages[0]);
                fill(driver_memory().lists[1].data(), list_pages[1]);
                break;
            case sort::mmu: fill(driver_memory().mmu.data(), mmu_pages); break;
            case sort::none: break;
        }
        driver_memory().forgotten = 0;
    }

    /// Behind a call: what was stored is the work from one token to the other; none when `done` is false.
    void check(expectation<Hw> const& expected, u64 from, u64 to, bool done) const {
        switch (kind()) {
            case sort::aperture: check_aperture(expected, from, done ? to : from); break;
            case sort::residency: check_residency(done && from != to); break;
            case sort::mmu: check_mmu(expected, from, done ? to : from); break;
            case sort::none: break;
        }
    }

private:
    enum class sort { none, aperture, residency, mmu };
    Hw const& hw_;
    Args const& args_;

    [[nodiscard]] sort kind() const {
        switch (args_.Operation) {
            case 5:
            case 6:
            case 17: return sort::aperture;
            case 15:
            case 21: return lists_in_memory<Hw> ? sort::residency : sort::none;
            case 19:
            case 20: return mmu_in_memory<Hw> ? sort::mmu : sort::none;
            default: return sort::none;
        }
    }
    /// Words of 64 bits of one entry of the aperture.
    static constexpr u64 aperture_words = cpu_packets<Hw> ? 2 : 1;
    [[nodiscard]] u64* aperture() const {
        if constexpr (amd_packets<Hw>) {
            return hw_.at.gart_table;
        } else if constexpr (cpu_packets<Hw>) {
            return reinterpret_cast<u64*>(hw_.entries);
        } else {
            return hw_.at.aperture_table;
        }
    }

    static void fill(u64* at, usize count) { std::memset(at, 0xA5, count * sizeof *at); }

    /// Entries [first, end) are what `entry` says of their place in the request, and no other was touched.
    template <class Entry>
    static void check_entries(char const* rule, u64 const* at, u64 count, u64 first, u64 end, Entry entry) {
        for (u64 i = 0; i != count; ++i) {
            bool const inside = i >= first && i < end;
            require(at[i] == (inside ? entry(i - first) : unwritten_entry_word), rule);
        }
    }

    void check_aperture(expectation<Hw> const& expected, u64 from, u64 to) const {
        aperture_request const request = aperture_request::of(args_);
        if constexpr (cpu_packets<Hw>) {
            // The page's number, then whether it is coherent.
            check_entries("OP05-01: entry k gets page k", aperture(), 2 * aperture_pages, 2 * (request.first + from),
                          2 * (request.first + to),
                          [&](u64 i) { return i % 2 == 0 ? expected.entry(from + i / 2) : u64{request.coherent}; });
            return;
        } else if constexpr (nvidia_packets<Hw>) {
            check_entries("OP05-01: entry k gets page k", aperture(), aperture_pages, request.first + from,
                          request.first + to,
                          [&](u64 i) { return nvidia_aperture_entry(expected.entry(from + i), request.coherent); });
            return;
        }
        u64 const bits = amd_packets<Hw> ? (request.coherent ? 0x77 : 0x73) : request.coherent ? 0x0B : 0x93;
        check_entries("OP05-01: entry k gets page k", aperture(), aperture_pages, request.first + from,
                      request.first + to, [&](u64 i) { return expected.entry(from + i) << 12 | bits; });
    }

    void check_residency(bool done) const {
        residency_work const work = residency_work::of(args_);
        bool const there = work.resident && work.segment == memory_id;
        for (u32 list = 0; list != 2; ++list) {
            bool const changes = done && work.list() == list;
            u64 const first = changes ? work.first : 0;
            check_entries("OP15-03: the entries of an allocation that has a list", driver_memory().lists[list].data(),
                          list_pages[list], first, changes ? first + work.changed(list) : 0,
                          [&](u64 i) { return there ? intel_local_in_entries + work.offset + 1 + i * page_bytes : 0; });
        }
    }

    void check_mmu(expectation<Hw> const& expected, u64 from, u64 to) const {
        if constexpr (mmu_in_memory<Hw> && members::map_mmu<Args>) {
            auto const& map = args_.MmapMmu;
            bool const maps = args_.Operation == 19;
            u64 const first = (maps ? map.VirtualAddress : args_.UnmapMmu.VirtualAddress) / page_bytes;
            bool const in_system = map.SegmentId == 0 || map.SegmentId == 31;
            if constexpr (cpu_packets<Hw>) {
                // The address of the page, b0 valid; of a segment from its start on (AMB-11).
                segment_place const where = hw_.place(segment_id{map.SegmentId});
                bool const memory = where.size.n != 0 && map.SegmentId != aperture_id;
                u64 const start = in_system ? hw_.system_base : where.base.n;
                check_entries("OP19-01: the next pages to the next addresses", driver_memory().mmu.data(), mmu_pages,
                              first + from, first + to, [&](u64 i) {
                                  return maps && (in_system || memory) ? (start + (expected.entry(from + i) << 12)) | 1
                                                                       : 0;
                              });
                return;
            }
            bool const reached = maps && (in_system || map.SegmentId == memory_id);
            // Present b0, device memory b1, the caching policy at [53:52].
            u64 const bits = u64{2} << 52 | (in_system ? 1 : 3);
            u64 const base = in_system ? 0 : intel_local_in_entries;
            check_entries("OP19-01: the next pages to the next addresses", driver_memory().mmu.data(), mmu_pages,
                          first + from, first + to, [&](u64 i) {
                              u64 const place = base + (expected.entry(from + i) << 12);
                              return reached ? (place & 0x3FFF'FFFF'F000) | bits : 0;
                          });
            require((driver_memory().forgotten != 0) == (from != to), "OP19-01: translations are forgotten behind it");
        }
    }
};

}  // namespace wddmcore::testing::fuzz

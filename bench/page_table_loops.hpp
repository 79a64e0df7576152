// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_table_inputs.hpp"

#include <cstring>
#include <utility>

#if defined(__x86_64__) || defined(_M_X64)
#    include <emmintrin.h>
#endif

/// The same entries by plain loops: what one writes first, what a patient hand arrives at, and what the machine can do
/// at all. They know one format, one table at a time and an unlimited buffer, and check nothing.
namespace bench::tables {

#if defined(__x86_64__) || defined(_M_X64)
/// Of two entries, flags and page added up: every byte of them is needed.
inline __m128i two_sums(pte const* e) {
    __m128i const first = _mm_loadu_si128(reinterpret_cast<__m128i const*>(e));
    __m128i const second = _mm_loadu_si128(reinterpret_cast<__m128i const*>(e + 1));
    return _mm_add_epi64(_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second));
}
#endif

struct plain_store {
    static void put(u32* at, u64 value) { std::memcpy(at, &value, sizeof value); }
    static void put_sums(u32* at, pte const* e) {
#if defined(__x86_64__) || defined(_M_X64)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at), two_sums(e));
#else
        put(at, e[0].Flags + e[0].PageAddress);
        put(at + 2, e[1].Flags + e[1].PageAddress);
#endif
    }
};

#if defined(__x86_64__) || defined(_M_X64)
/// Stores past the caches, which stand in for write-combined memory: such memory cannot be mapped here.
struct streaming_store {
    static void put(u32* at, u64 value) {
        _mm_stream_si64(reinterpret_cast<long long*>(at), static_cast<long long>(value));
    }
    static void put_sums(u32* at, pte const* e) { _mm_stream_si128(reinterpret_cast<__m128i*>(at), two_sums(e)); }
};
#endif

/// What one writes first: the bits of one entry after another.
inline u64 obvious_entry(workload const& work, pte const& e) {
    u64 value = 0;
    if (e.Valid) {
        value = 1 | u64{1} << 5;
        if (e.Segment == 0) {
            value |= 2;
        } else {
            value += work.inline_only.places[e.Segment].base.n;
        }
        if (e.CacheCoherent) {
            value |= 4;
        }
        if (!e.NoExecute) {
            value |= 0x10;
        }
        if (!e.ReadOnly) {
            value |= 0x40;
        }
        value += e.PageAddress << 12;
    }
    return value;
}

template <class Store>
u32* obvious_entries(workload const& work, u32* at, pte const* e, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i, at += 2) {
        Store::put(at, obvious_entry(work, e[i]));
    }
    return at;
}

/// Calls `each` with 0 to Count - 1 as constants: no compiler unrolls the loops here by itself at -O2.
template <std::size_t Count, class Each>
WDDMCORE_INLINE void unrolled(Each each) {
    [&]<std::size_t... K>(std::index_sequence<K...>) { (each(K), ...); }(std::make_index_sequence<Count>{});
}

/// The best single algorithm known: eight entries a step while all have the flags of the first, then, from the first
/// mixed line on, a table of 1,024 keys without a branch.
template <class Store>
u32* hand_entries(workload const& work, u32* at, pte const* e, std::size_t count) {
    pte const* const end = e + count;
    attribute_table const& table = work.by_key;
    u64 const flags = e->Flags;
    u64 const add = table.add[flags & 0x3FF];
    for (std::size_t left = table.mask[flags & 0x3FF] != 0 ? count / 8 : 0; left != 0; --left) {
        u64 differences = 0;
        unrolled<8>([&](std::size_t k) { differences |= e[k].Flags ^ flags; });
        if (differences != 0) {
            break;
        }
        unrolled<8>([&](std::size_t k) { Store::put(at + k * 2, (e[k].PageAddress << 12) + add); });
        e += 8;
        at += 16;
    }
    auto const put_by_key = [&](std::size_t k) {
        u64 const key = e[k].Flags & 0x3FF;
        Store::put(at + k * 2, ((e[k].PageAddress << 12) & table.mask[key]) + table.add[key]);
    };
    for (; end - e >= 4; e += 4, at += 8) {
        unrolled<4>(put_by_key);
    }
    for (; e != end; ++e, at += 2) {
        put_by_key(0);
    }
    return at;
}

/// What cannot be avoided: 16 bytes are read and 8 are stored for each entry; two entries a store where there are such.
template <class Store>
u32* limit_entries(workload const&, u32* at, pte const* e, std::size_t count) {
    for (pte const* const end = e + count; e != end; e += 8, at += 16) {
        unrolled<4>([&](std::size_t k) { Store::put_sums(at + k * 4, e + k * 2); });
    }
    return at;
}

inline u32* obvious_table(workload const& work, u32* at, std::size_t first) {
    at = work.head(at, first, table_entries);
    return obvious_entries<plain_store>(work, at, work.entries.data() + first, table_entries);
}

inline u32* hand_table(workload const& work, u32* at, std::size_t first) {
    at = work.head(at, first, table_entries);
    return hand_entries<plain_store>(work, at, work.entries.data() + first, table_entries);
}

inline u32* limit_table(workload const& work, u32* at, std::size_t first) {
    return limit_entries<plain_store>(work, at + head_dwords, work.entries.data() + first, table_entries);
}

/// An increment command for entries [begin, end) of a table.
inline u32* put_run(workload const& work, u32* at, std::size_t first, std::size_t begin, std::size_t end) {
    pte const& e = work.entries[first + begin];
    u64 const start = e.PageAddress << 12;
    work.generating.encode_generate(at, {first_table + (first + begin) * 8, virtual_space},
                                    {obvious_entry(work, e) - start, start, 4096, static_cast<u32>(end - begin)});
    return at + generator_gpu::generate_dwords.n;
}

/// What one writes first with an increment command: follow a run while it lasts, then write it, however short it is.
inline u32* obvious_runs(workload const& work, u32* at, std::size_t first) {
    pte const* const e = work.entries.data() + first;
    for (std::size_t begin = 0, end = 1; begin != table_entries; begin = end, ++end) {
        while (end != table_entries && e[end].Flags == e[begin].Flags &&
               e[end].PageAddress == e[begin].PageAddress + (end - begin)) {
            ++end;
        }
        at = put_run(work, at, first, begin, end);
    }
    return at;
}

/// Whether eight entries are one run: their ends tell of most that are not.
inline bool is_run_of_eight(pte const* e) {
    u64 const flags = e->Flags;
    u64 const page = e->PageAddress;
    if (e[7].PageAddress != page + 7) {
        return false;
    }
    u64 differences = 0;
    unrolled<8>([&](std::size_t k) { differences |= (e[k].Flags ^ flags) | (e[k].PageAddress ^ (page + k)); });
    return differences == 0;
}

/// Runs of eight and more by increments, the entries between them inline; for valid entries, as these inputs have them.
inline u32* hand_runs(workload const& work, u32* at, std::size_t first) {
    pte const* const e = work.entries.data() + first;
    for (std::size_t done = 0; done != table_entries;) {
        std::size_t begin = done;
        while (begin + 8 <= table_entries && !is_run_of_eight(e + begin)) {
            begin += 8;
        }
        begin = begin + 8 <= table_entries ? begin : table_entries;
        while (begin != table_entries && begin != done && e[begin - 1].Flags == e[begin].Flags &&
               e[begin - 1].PageAddress + 1 == e[begin].PageAddress) {
            --begin;
        }
        if (begin != done) {
            at = hand_entries<plain_store>(work, work.head(at, first + done, begin - done), e + done, begin - done);
        }
        if (begin == table_entries) {
            return at;
        }
        std::size_t end = begin + 8;
        while (end + 8 <= table_entries && e[end].PageAddress == e[begin].PageAddress + (end - begin) &&
               e[end].Flags == e[begin].Flags && is_run_of_eight(e + end)) {
            end += 8;
        }
        while (end != table_entries && e[end].Flags == e[begin].Flags &&
               e[end].PageAddress == e[begin].PageAddress + (end - begin)) {
            ++end;
        }
        at = put_run(work, at, first, begin, end);
        done = end;
    }
    return at;
}

/// What cannot be avoided: every entry is read, and `dwords` words are stored.
inline u32* limit_runs(workload const& work, u32* at, std::size_t dwords) {
    u64 sums[4] = {};
    for (std::size_t i = 0; i != work.entries.size(); i += 4) {
        unrolled<4>([&](std::size_t k) { sums[k] += work.entries[i + k].Flags + work.entries[i + k].PageAddress; });
    }
    u64 const sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (std::size_t i = 0; i + 2 <= dwords; i += 2) {
        std::memcpy(at + i, &sum, sizeof sum);
    }
    return at + dwords;
}

}  // namespace bench::tables

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_executor.hpp"
#include "table_gpus.hpp"

/// What a table must hold, said again for each GPU from the text of table_gpus.hpp, one entry at a time, with the DDI's
/// bits as numbers: Valid 1, Zero 2, CacheCoherent 4, ReadOnly 8, NoExecute 0x10, Segment [9:5], LargePage 0x400,
/// PhysicalAdapterIndex [16:11], PageTablePageSize [18:17].
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

/// One of the DDI's entries, as two numbers.
struct model_pte {
    u64 flags = 0;
    u64 page = 0;
};

/// An entry's bytes: 4, 8 or 16 of them.
struct model_bytes {
    u64 low;
    u64 high;
    u32 size;
};

/// The base of a segment of every test; 0 for system memory.
[[nodiscard]] inline u64 model_base(u64 segment) {
    u64 const bases[] = {0, 0x10'0000'0000, 0x4000'0000, 0x20'0000'0000, 0, 0x80'0000'0000};
    return segment < 6 ? bases[segment] : 0;
}

/// The pages of a segment of every test (with_segments), a power of two.
[[nodiscard]] inline u64 model_pages(u64 segment) {
    u64 const pages[] = {0, u64{1} << 22, u64{1} << 18, u64{1} << 21, 0, u64{1} << 24};
    return segment < 6 ? pages[segment] : 0;
}

/// What each GPU has: the bytes of its tables are decided by overload.
template <class Gpu>
struct model;

struct plain_model {
    static constexpr u32 levels = 4;
    static constexpr u32 share = 1;  ///< DDI entries of a leaf that share one of the hardware
    static constexpr bool has_64k = false;
    static u64 entries(u32, bool) { return 512; }
    static model_bytes entry(u32 level, bool, model_pte t, model_pte, u64 protection) {
        u64 const segment = t.flags >> 5 & 31;
        if ((t.flags & 1) == 0) {
            return {0, 0, 8};
        }
        u64 const where = segment == 0 ? 2 : model_base(segment);
        if (level != 0 && (t.flags & 0x402) == 0) {
            return {0x4000'0000'0000'0001 + where + t.page * 4096, 0, 8};
        }
        if ((t.flags & 2) != 0) {
            return {0x0008'0000'0000'0000, 0, 8};
        }
        u64 value = t.page * 4096 + where + 0x21 + (protection & 15) * 256;
        value += (t.flags & 0x10) != 0 ? 0 : 0x10;
        value += (t.flags & 8) != 0 ? 0 : 0x40;
        value += (t.flags & 4) != 0 ? 4 : 0;
        value += level != 0 ? 0x0040'0000'0000'0000 : 0;
        return {value, 0, 8};
    }
};
template <>
struct model<plain_gpu> : plain_model {};
template <>
struct model<table_gpu> : plain_model {};
template <>
struct model<generator_gpu> : plain_model {};
template <>
struct model<split_fill_gpu> : plain_model {};
template <>
struct model<odd_gpu> : plain_model {};
template <>
struct model<coarse_gpu> : plain_model {};

template <>
struct model<dual_gpu> {
    static constexpr u32 levels = 4;
    static constexpr u32 share = 1;
    static constexpr bool has_64k = true;
    static u64 entries(u32 level, bool of_64k) { return of_64k ? 32 : level == 1 ? 256 : 512; }
    static model_bytes entry(u32 level, bool of_64k, model_pte t, model_pte big, u64 protection) {
        u64 const segment = t.flags >> 5 & 31;
        u64 const adapter = t.flags >> 11 & 63;
        if (level == 0 || ((t.flags & 1) != 0 && (t.flags & 0x400) != 0)) {
            if ((t.flags & 1) == 0) {
                return {0, 0, 8};
            }
            u64 value = 1 + t.page * 256 + (protection & 0xFF) * 0x0100'0000'0000'0000;
            value += adapter != 0 ? 2 : segment == 0 ? 4 : model_base(segment) / 16;
            value += adapter * 0x0010'0000'0000'0000;
            value += (t.flags & 8) != 0 ? 0x40 : 0;
            value += of_64k ? 0x10 : 0;
            return {value, 0, level == 1 ? 16u : 8u};
        }
        if (level != 1) {
            return {half(t, 256), 0, 8};
        }
        return {half(big, 4096), half(t, 256), 16};
    }
    static u64 half(model_pte t, u64 unit) {
        u64 const segment = t.flags >> 5 & 31;
        if ((t.flags & 1) == 0) {
            return 0;
        }
        return (segment == 0 ? 4 : 2) + (t.page + model_base(segment) / 4096) * unit;
    }
};

template <>
struct model<narrow_gpu> {
    static constexpr u32 levels = 2;
    static constexpr u32 share = 1;
    static constexpr bool has_64k = true;
    static u64 entries(u32, bool of_64k) { return of_64k ? 64 : 1024; }
    static model_bytes entry(u32 level, bool of_64k, model_pte t, model_pte, u64) {
        if ((t.flags & 1) == 0) {
            return {0, 0, 4};
        }
        if (level == 1) {
            return {((t.flags >> 17 & 3) == 1 ? 0xC000'0000 : 0x4000'0000) + t.page, 0, 4};
        }
        u64 value = 0x1000'0000 + t.page + (t.flags >> 5 & 31) * 0x40'0000;
        value += (t.flags & 8) != 0 ? 0 : 0x2000'0000;
        value += of_64k ? 0x4000'0000 : 0;
        return {value, 0, 4};
    }
};

template <>
struct model<odd_page_gpu> {
    static constexpr u32 levels = 5;
    static constexpr u32 share = 4;
    static constexpr bool has_64k = false;
    static u64 entries(u32 level, bool) {
        u64 const counts[] = {256, 128, 32, 64, 512};
        return counts[level];
    }
    static model_bytes entry(u32 level, bool, model_pte t, model_pte, u64) {
        if ((t.flags & 1) == 0) {
            return {0, 0, 16};
        }
        u64 high = 0x8000'0000'0000'0000 + (t.flags >> 5 & 31) * 256 + u64{level} * 65536;
        if (level != 0 && (t.flags & 0x400) == 0) {
            high += 4;
        } else {
            high += (t.flags & 0x10) != 0 ? 2 : 0;
            high += level != 0 ? 1 : 0;
        }
        return {t.page, high, 16};
    }
};

/// A request, as numbers.
struct model_request {
    u32 level = 0;
    bool of_64k = false;
    bool repeat = false;
    u32 start = 0;
    u32 count = 0;
    u64 protection = 0;
    std::vector<model_pte> entries;      ///< one with repeat
    std::vector<model_pte> entries_64k;  ///< empty, or as many
};

/// Carries a request out on a table, entry by entry.
template <class Gpu>
void apply(model_request const& request, unsigned char* table) {
    using rules = model<Gpu>;
    u32 const share = request.level == 0 && !request.of_64k ? rules::share : 1;
    for (u32 i = 0; i != request.count; ++i) {
        u32 const index = request.start + i;
        if (index % share != 0) {
            continue;
        }
        u32 const element = request.repeat ? 0 : i;
        model_pte const small = request.entries.empty() ? model_pte{} : request.entries[element];
        model_pte const big = request.entries_64k.empty() ? model_pte{} : request.entries_64k[element];
        model_bytes const value = rules::entry(request.level, request.of_64k, small, big, request.protection);
        u64 const words[2] = {value.low, value.high};
        std::memcpy(table + u64{index / share} * value.size, words, value.size);
    }
}

}  // namespace wddmcore::table_tests

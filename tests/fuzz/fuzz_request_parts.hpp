// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_input.hpp"
#include "fuzz_memory.hpp"

#include <wddmcore/ddi.hpp>
#include <wddmcore/mirror.hpp>

/// What requests are made of: lists of pages, segments, addresses, from the fuzzer's bytes.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

inline constexpr u8 unwritten = 0xA5;        ///< what a fresh paging buffer and fresh private data are full of
inline constexpr u32 longest_list = 700;     ///< pages of an MDL or a listed ADL
inline constexpr u32 buffer_limit = 0x1000;  ///< bytes of a paging buffer

class request_parts {
protected:
    exact_block lists_[2];

    static void* handle(input& in) {
        // One of four, mostly: those are known to the examples.
        if (in.one_in(3)) {
            return nullptr;
        }
        u8 const which = in.byte();
        return reinterpret_cast<void*>(usize{0x1000} + (which < 192 ? which % 4u : which));
    }

    /// Pages of a run; one in four is about as long as an engine's largest copy, or as what the list copy looks at.
    static u32 run_length(input& in) {
        constexpr u32 edges[] = {2, 3, 4, 254, 255, 256, 257, 258, 299, 300, 301, 511, 512, 513, 514, 600};
        switch (in.byte() & 3) {
            case 0: return edges[in.byte() % 16];
            case 1: return 1 + static_cast<u32>(in.word(2)) % longest_list;
            default: return 1 + in.byte() % 4u;
        }
    }

    /// Page numbers as runs: mostly consecutive, then a jump.
    static void fill_pages(input& in, usize* pages, u32 count) {
        for (u32 done = 0; done != count;) {
            u32 const run = lesser(count - done, run_length(in));
            u8 const sort = in.byte();
            // One run in 32 ends with the last page number there is.
            usize const first = sort % 8 != 7       ? static_cast<usize>(in.word(2))
                                : sort / 8 % 4 == 3 ? usize{0x10'0000'0000'0000} - run
                                                    : static_cast<usize>(in.number() & 0xF'FFFF'FFFF'FFFF);
            for (u32 i = 0; i != run; ++i) {
                pages[done + i] = (first + i) & 0xF'FFFF'FFFF'FFFF;
            }
            done += run;
        }
    }

    static u32 list_length(input& in) {
        return in.one_in(4) ? static_cast<u32>(in.word(2)) % longest_list : in.byte() % 24u;
    }

    /// An MDL for `want` bytes, or nearly so, or none at all.
    mirror::vista::mdl* mdl(input& in, u64 want, exact_block& where) {
        if (in.one_in(32)) {
            return nullptr;
        }
        mirror::vista::mdl header{};
        header.ByteOffset = in.one_in(4) ? static_cast<u32>(in.word(2)) % 8192u : 0;
        header.ByteCount = in.one_in(3) || want > longest_list * page_bytes
                               ? list_length(in) * static_cast<u32>(page_bytes) + in.byte() % 3u
                               : static_cast<u32>(want) + in.byte() % 2u * 4096;
        u32 const count = static_cast<u32>(pages_spanned(bytes{u64{header.ByteOffset} + header.ByteCount}).n);
        where = exact_block(sizeof header + count * sizeof(usize), 0);
        std::memcpy(where.data(), &header, sizeof header);
        fill_pages(in, reinterpret_cast<usize*>(where.data() + sizeof header), count);
        return reinterpret_cast<mirror::vista::mdl*>(where.data());
    }

    /// An ADL of either form; the flag tells which, and PageCount may be a lie only where no list is behind it.
    template <class Adl>
    void adl(input& in, Adl& out) {
        out.Flags.Value = in.byte() & 0xFEu;
        if (in.flag()) {
            out.Flags.Value |= 1;
            out.PageCount = static_cast<u32>(in.number());
            out.BasePageNumber = static_cast<usize>(in.number());
            return;
        }
        out.PageCount = list_length(in);
        out.Pages = nullptr;
        if (!in.one_in(32)) {
            lists_[0] = exact_block(out.PageCount * sizeof(usize), 0);
            fill_pages(in, reinterpret_cast<usize*>(lists_[0].data()), out.PageCount);
            out.Pages = reinterpret_cast<usize const*>(lists_[0].data());
        }
    }

    static u32 segment(input& in) { return in.one_in(8) ? static_cast<u32>(in.number()) : 1 + in.byte() % 3u; }

    /// A number that the engine can copy at, more often than not.
    template <class Hw>
    static u64 aligned(input& in, Hw const&, u64 n) {
        return in.one_in(6) ? n : round_down<u64>(n, Hw::copy_alignment.n);
    }

    /// An address that lies in the segment more often than not.
    template <class Hw>
    static i64 address(input& in, Hw const& hw, u32 id) {
        u64 const base = in.one_in(8) ? 0 : hw.place(segment_id{id}).base.n;
        return static_cast<i64>(base + aligned(in, hw, in.number()));
    }

    template <class Hw, class Side>
    void side(input& in, Hw const& hw, Side& out, u64 size, exact_block& list) {
        if (in.flag()) {
            out.SegmentId = 0;
            out.pMdl = mdl(in, size, list);
        } else {
            // Id 0 would make the address a pointer, and no driver can tell a wrong one.
            out.SegmentId = greater(segment(in), 1u);
            out.SegmentAddress.QuadPart = address(in, hw, out.SegmentId);
        }
    }
};

}  // namespace wddmcore::testing::fuzz

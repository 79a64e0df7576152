// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_model.hpp"

#include <wddmcore/ddi/mirror/wddm2/v2_9.hpp>
#include <wddmcore/testing/guarded/buffer.hpp>

#include <doctest/doctest.h>

#include <memory>

/// The system's side of operations 11 and 14: hands over buffers, runs what was committed, watches the protocol.
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using pte = mirror::v2_9::dxgk_pte;
using copy_range = mirror::v2_9::dxgk_buildpagingbuffer_copy_range;

/// Random numbers from a seed.
struct random_numbers {
    u64 state;
    u64 next() {
        state += 0x9E37'79B9'7F4A'7C15;
        u64 mixed = (state ^ (state >> 30)) * 0xBF58'476D'1CE4'E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0'49BB'1331'11EB;
        return mixed ^ (mixed >> 31);
    }
    u64 below(u64 n) { return next() % n; }
    bool one_in(u64 n) { return below(n) == 0; }
};

/// One call of the operation that the arguments name.
template <class Gpu, class Args>
[[nodiscard]] constexpr ntstatus build(Gpu& gpu, Args& args) {
    return static_cast<u32>(args.Operation) == 11 ? paging::detail::build_update_page_table(gpu, args)
                                                  : paging::detail::build_copy_page_table_entries(gpu, args);
}

/// The smallest room with which every pass of a GPU advances, in bytes (law 7).
template <class Gpu>
[[nodiscard]] constexpr u64 smallest_room() {
    u64 most = paging::detail::update_group_dwords<Gpu>();
    most = most < Gpu::copy_entries_dwords.n ? Gpu::copy_entries_dwords.n : most;
    return (most + Gpu::unit_dwords.n - 1) / Gpu::unit_dwords.n * Gpu::unit_dwords.n * 4;
}

/// What the passes of one operation did.
struct run_result {
    ntstatus status = status::success;
    std::string problem;  ///< empty, or what was wrong
    u64 bytes = 0;        ///< of commands and padding
    u64 passes = 0;
    command_counts ran;
};

/// A pass with a buffer of exactly `room` bytes, whose commands then run on the memory.
template <class Gpu>
void one_pass(Gpu& gpu, arguments& args, u64 room, table_memory& memory, run_result& all) {
    testing::guarded_buffer buffer(static_cast<std::size_t>(room));
    u32 const token = args.MultipassOffset;
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(room);
    arguments expected;
    std::memcpy(static_cast<void*>(&expected), &args, sizeof args);
    all.status = build(gpu, args);
    ++all.passes;
    u64 const written = static_cast<u64>(static_cast<std::byte*>(args.pDmaBuffer) - buffer.data());
    all.bytes += written;
    expected.pDmaBuffer = args.pDmaBuffer;
    expected.MultipassOffset = args.MultipassOffset;
    if (written > room || written % 4 != 0) {
        all.problem = "PGB-02: pDmaBuffer left the buffer";
    } else if (std::memcmp(&expected, &args, sizeof args) != 0) {
        all.problem = "PGB-04: a member that is not the driver's was changed";
    } else if (all.status == status::graphics_insufficient_dma_buffer && args.MultipassOffset <= token &&
               room >= smallest_room<Gpu>()) {
        all.problem = "PGB-05: no progress in " + std::to_string(room) + " bytes";
    } else if (args.MultipassOffset != token && args.MultipassOffset < token) {
        all.problem = "PGB-05: the token went back";
    } else {
        std::vector<u32> words(static_cast<std::size_t>(written / 4));
        if (written != 0) {
            std::memcpy(words.data(), buffer.data(), static_cast<std::size_t>(written));
        }
        constexpr bool tail = hw::page_table_writer_with_tail<Gpu>;
        all.problem =
            run_commands(words.data(), words.size(), Gpu::unit_dwords.n, Gpu::write_max.n, tail, memory, all.ran);
        for (u64 i = written; all.problem.empty() && i != room; ++i) {
            if (buffer.data()[i] != buffer.fresh(static_cast<std::size_t>(i))) {
                all.problem = "PGB-02: bytes behind pDmaBuffer were changed";
            }
        }
    }
}

/// Passes until the operation is complete, each with the room that `choose` gives, in bytes.
template <class Gpu, class Choose>
[[nodiscard]] run_result run(Gpu& gpu, arguments& args, table_memory& memory, Choose&& choose) {
    run_result all;
    do {
        one_pass(gpu, args, choose(), memory, all);
    } while (all.problem.empty() && all.status == status::graphics_insufficient_dma_buffer && all.passes < 100'000);
    return all;
}

}  // namespace wddmcore::table_tests

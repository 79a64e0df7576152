// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decoder.hpp"
#include "scale_gpu.hpp"

#include <adl/seeded.hpp>

#include <doctest/doctest.h>

#include <vector>

/// One request from its beginning, or from any token, to its end in buffers of random sizes, every command looked at.
namespace paging_scale {

using wddmcore::testing::seed_of_run;
using wddmcore::testing::seeded_numbers;

/// What commands must do: cover [0, size) in order, each byte once. Positions are bytes of the request.
struct expected {
    std::uint32_t code;
    std::uint64_t to;
    std::uint64_t from = 0;
    std::uint64_t size = 0;
    std::uint32_t word = 0;
    bool descending = false;
    std::uint64_t position = 0;  ///< how many bytes were covered
    bool right = true;

    void operator()(command const& one) {
        bool const counts_pages = code == 0x80 || code == 0x81;
        std::uint64_t const length = code == 5 ? 4096 : counts_pages ? one.b * 4096 : one.code == 0x01 ? one.c : one.b;
        right = right && one.code == code && one.word == word && length != 0 && length <= size - position;
        std::uint64_t const at = descending ? size - position - length : position;
        // An aperture entry names its page by index; everything else has an address.
        right = right && (code == 5 ? one.a == to + at / 4096 : one.a == to + at);
        right = right && second(one) == second_at(at);
        position += length;
    }

private:
    [[nodiscard]] std::uint64_t second(command const& one) const {
        return code == 1 || code == 5 ? one.b : code == 0x80 || code == 0x82 ? one.c : 0;
    }
    [[nodiscard]] std::uint64_t second_at(std::uint64_t at) const {
        bool const pages = code == 5 || code == 0x80;
        return code == 1 || code == 0x82 ? from + at : pages ? from + at / 4096 : 0;
    }
};

/// What a build must leave alone or move, and the token it must leave.
struct whole_job {
    std::uint64_t step = 4096;  ///< bytes that the token counts by
    std::uint64_t most_dwords = 20'000;
    std::uint64_t passes = 0;

    /// Goes on from a token.
    /// @param most_passes  stops there
    /// @return whether the request is complete
    template <class Stream, class Hw, class Args>
    bool run(Hw& hw, Args args, expected& follow, seeded_numbers& random,
             std::uint64_t most_passes = ~std::uint64_t{0}) {
        constexpr std::uint64_t smallest = smallest_paging_buffer<Hw>.n / 4;
        std::vector<std::uint32_t> words(most_dwords + 64);
        for (std::uint64_t i = 0; i != most_passes; ++i) {
            // Now and then less than one command: nothing may happen then.
            bool const tiny = random.one_in(16);
            std::uint64_t const dwords =
                tiny ? 1 + random.below(smallest - 1)
                     : smallest + random.below(random.one_in(4) ? 2 * smallest : most_dwords - smallest);
            Args pass = args;
            pass.pDmaBuffer = words.data();
            pass.DmaSize = static_cast<u32>(dwords * 4);
            words[dwords] = 0xDEAD'5AFE;
            ntstatus const status = build_paging_buffer(hw, pass);
            auto const* const end = static_cast<std::uint32_t const*>(pass.pDmaBuffer);
            std::string const wrong =
                Stream::decode(words.data(), static_cast<std::size_t>(end - words.data()), follow);
            REQUIRE(wrong == "");
            REQUIRE(follow.right);
            REQUIRE(words[dwords] == 0xDEAD'5AFE);
            ++passes;
            if (status == status::success) {
                REQUIRE(follow.position == follow.size);
                // What comes after the last token of 2^32 is 0, and never comes back.
                REQUIRE(u64{pass.MultipassOffset} == ((follow.size + step - 1) / step & 0xFFFF'FFFF));
                return true;
            }
            REQUIRE(status == status::graphics_insufficient_dma_buffer);
            // The token is what was done, in its unit, and a pass with room advances (PGB-05, PGB-06).
            REQUIRE(u64{pass.MultipassOffset} * step == (follow.descending && follow.position % step != 0
                                                             ? follow.position + step - follow.position % step
                                                             : follow.position));
            REQUIRE((tiny || pass.MultipassOffset > args.MultipassOffset));
            args.MultipassOffset = pass.MultipassOffset;
        }
        return false;
    }
};

[[nodiscard]] inline arguments request(paging_operation operation) {
    arguments args{};
    args.Operation = static_cast<u32>(operation);
    return args;
}

[[nodiscard]] inline arguments virtual_transfer(u64 to, u64 from, u64 size) {
    arguments args = request(paging_operation::virtual_transfer);
    args.TransferVirtual.DestinationVirtualAddress = to;
    args.TransferVirtual.SourceVirtualAddress = from;
    args.TransferVirtual.TransferSizeInBytes = size;
    return args;
}

[[nodiscard]] inline arguments virtual_fill(u64 to, u64 size, u32 pattern) {
    arguments args = request(paging_operation::virtual_fill);
    args.FillVirtual.DestinationVirtualAddress = to;
    args.FillVirtual.FillSizeInBytes = size;
    args.FillVirtual.FillPattern = pattern;
    return args;
}

[[nodiscard]] inline arguments transfer(u64 to, u64 from, u64 size) {
    arguments args = request(paging_operation::transfer);
    args.Transfer.Destination.SegmentId = args.Transfer.Source.SegmentId = memory_segment;
    args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(to);
    args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(from);
    args.Transfer.TransferSize = size;
    return args;
}

[[nodiscard]] inline arguments fill(u64 to, u64 size, u32 pattern) {
    arguments args = request(paging_operation::fill);
    args.Fill.Destination.SegmentId = memory_segment;
    args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(to);
    args.Fill.FillSize = size;
    args.Fill.FillPattern = pattern;
    return args;
}

}  // namespace paging_scale

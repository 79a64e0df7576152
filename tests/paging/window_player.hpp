// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "guarded_mdl.hpp"
#include "model.hpp"
#include "window_gpu.hpp"

#include <adl/seeded.hpp>

#include <algorithm>
#include <unordered_set>

/// Plays transfers of page lists on hardware with a window, pass by pass, and compares what the stream does with the
/// model.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using window_arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

inline constexpr u64 most_pages_of_a_window_list = 20'000;

/// Page numbers below `limit`, all different, in runs of a mean length. Runs come in any order.
///
/// @param mean_tenths  the mean length in tenths of a page; 10: every page alone
[[nodiscard]] inline std::vector<u64> pages_in_runs(seeded_numbers& random, u64 count, u64 mean_tenths, u64 limit) {
    std::vector<u64> lengths;
    for (u64 left = count; left != 0;) {
        u64 length = 1;
        while (length < left && random.below(mean_tenths) >= 10) {
            ++length;
        }
        lengths.push_back(length);
        left -= length;
    }
    // Runs rise with a gap of a page or more between them, and are then dealt out in another order.
    u64 const spare = (limit - count) / (lengths.size() + 1);
    std::vector<std::pair<u64, u64>> runs;
    u64 page = 0;
    for (u64 const length : lengths) {
        page += 1 + random.below(spare);
        runs.emplace_back(page, length);
        page += length;
    }
    for (u64 i = runs.size(); i > 1; --i) {
        std::swap(runs[i - 1], runs[random.below(i)]);
    }
    std::vector<u64> list;
    for (auto const& [first, length] : runs) {
        for (u64 i = 0; i != length; ++i) {
            list.push_back(first + i);
        }
    }
    return list;
}

/// What the passes of one transfer did.
struct window_play {
    std::string problem;
    ntstatus status = status::success;
    u64 dwords = 0;  ///< of the stream
    u64 passes = 0;
    u64 chunks = 0;  ///< writes of entries
    u64 waits = 0;
    u64 copies = 0;
};

/// The system's side: a fresh buffer for each pass, other work between two passes.
template <class Hw>
class window_player {
public:
    Hw hw = window_gpu_with_segments<Hw>();

    window_player() : mdl_(most_pages_of_a_window_list + 64) {}

    /// A transfer between pages of a list, from page `skip` on, and local memory.
    [[nodiscard]] window_arguments make(std::vector<u64> const& list, u64 size, bool list_is_source, u32 skip = 0,
                                        u64 place = 0) {
        window_arguments args{};
        args.Operation = static_cast<u32>(paging_operation::transfer);
        args.Transfer = {};
        args.Transfer.TransferSize = static_cast<usize>(size);
        args.Transfer.TransferOffset = 0x3000;
        args.Transfer.MdlOffset = skip;
        auto const paged = [&](auto& side) {
            side.SegmentId = 0;
            side.pMdl = mdl_.make(list);
        };
        auto const linear = [&](auto& side) {
            side.SegmentId = local_memory;
            side.SegmentAddress.QuadPart = static_cast<i64>(hw.places[local_memory].base.n + place);
        };
        if (list_is_source) {
            paged(args.Transfer.Source);
            linear(args.Transfer.Destination);
        } else {
            linear(args.Transfer.Source);
            paged(args.Transfer.Destination);
        }
        return args;
    }

    /// Runs passes from the token in `args` to the end of the request; `choose` gives each pass's bytes.
    template <class Choose>
    [[nodiscard]] window_play run(window_arguments args, Choose&& choose) {
        window_machine<Hw> machine;
        window_play play;
        u32 const from = args.MultipassOffset;
        for (u64 stuck = 0; play.problem.empty();) {
            u64 const room = choose();
            u32 const token = args.MultipassOffset;
            play.problem = pass(args, room, machine, play);
            stuck = args.MultipassOffset == token ? stuck + 1 : 0;
            if (stuck != 0 && room >= smallest_paging_buffer<Hw>.n &&
                play.status == status::graphics_insufficient_dma_buffer) {
                play.problem = "PGB-05: no progress in a buffer of the smallest size";
            }
            if (play.status != status::graphics_insufficient_dma_buffer || stuck > 64) {
                break;
            }
        }
        play.chunks = machine.chunks;
        play.waits = machine.waits;
        play.copies = machine.copies;
        if (play.problem.empty() && play.status == status::success) {
            play.problem = compared(args, from, machine.effect);
        }
        return play;
    }

    /// The same in one buffer that is large enough.
    [[nodiscard]] window_play run_at_once(window_arguments const& args) {
        return run(args, [] { return u64{1} << 22; });
    }

private:
    std::string pass(window_arguments& args, u64 room, window_machine<Hw>& machine, window_play& play) {
        constexpr u32 junk = 0x5EED'5EED;
        u64 const words = room / 4;
        buffer_.assign(words + 16, junk);
        args.pDmaBuffer = buffer_.data();
        args.DmaSize = static_cast<u32>(room);
        u32 const token = args.MultipassOffset;
        play.status = build_paging_buffer(hw, args);
        ++play.passes;
        u64 const written = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer_.data());
        play.dwords += written;
        // Words that were never committed do not exist for the system: of a refused request only the end is looked at.
        bool const refused = play.status == status::invalid_parameter;
        auto const behind = buffer_.begin() + static_cast<std::ptrdiff_t>(refused ? words : lesser(written, words));
        if (written > words || std::any_of(behind, buffer_.end(), [](u32 word) { return word != junk; })) {
            return "PGB-02: words behind pDmaBuffer were changed";
        }
        bool const advanced = args.MultipassOffset > token;
        if (play.status == status::success || play.status == status::graphics_insufficient_dma_buffer) {
            if (advanced != (written != 0)) {
                return "PGB-04: the token and the commands disagree";
            }
        } else if (written != 0 || args.MultipassOffset != token) {
            return "PGB-04: something was committed although nothing was done";
        }
        machine.forget();
        return machine.run(buffer_.data(), written);
    }

    [[nodiscard]] std::string compared(window_arguments const& args, u32 from,
                                       std::vector<effect_piece> const& effect) {
        std::vector<effect_piece> expected = transfer_effect(hw, args.Transfer, args.Transfer.MdlOffset);
        expected.erase(expected.begin(), expected.begin() + from);
        std::vector<effect_piece> const found = joined(effect);
        if (!written_once(found)) {
            return "PGB-05: bytes were written twice";
        }
        return found == joined(expected) ? "" : "the bytes are not the model's";
    }

    guarded_mdl mdl_;
    std::vector<u32> buffer_;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "byte_memory.hpp"
#include "model.hpp"
#include "paging_system.hpp"
#include "requests.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

/// Plays random transfers through the library and compares them with the model.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Whether every copy and fill command is one that the engine takes.
[[nodiscard]] inline std::string engine_takes(engine_shape const& shape,
                                              std::vector<recorded_command> const& commands) {
    for (recorded_command const& one : commands) {
        if (one.kind != record_kind::copy && one.kind != record_kind::fill) {
            continue;
        }
        bool const copy = one.kind == record_kind::copy;
        u64 const most = copy ? shape.copy_max : shape.fill_max;
        u64 const alignment = copy ? shape.copy_alignment : shape.fill_alignment;
        if (one.size == 0 || one.size > most) {
            return "OP08-06: a command of " + std::to_string(one.size) + " bytes";
        }
        if ((one.size | one.destination.n | (copy ? one.source.n : 0)) % alignment != 0) {
            return "OP08-06: a command that is not aligned for the engine";
        }
    }
    return {};
}

/// Compares what a stream of copies does with what it has to do.
[[nodiscard]] inline std::string judge_copies(engine_shape const& shape, pass_result const& done,
                                              std::vector<effect_piece> const& expected) {
    if (!done.problem.empty()) {
        return done.problem;
    }
    if (done.status != status::success) {
        return "the operation was not done";
    }
    if (std::string found = engine_takes(shape, done.commands); !found.empty()) {
        return found;
    }
    std::vector<effect_piece> const effect = effect_of(done.commands);
    if (effect.size() != done.commands.size()) {
        return "commands that do not belong to a copy or a fill";
    }
    std::vector<effect_piece> const found = joined(effect);
    if (!written_once(found)) {
        return "PGB-05: bytes were written twice";
    }
    return found == joined(expected) ? "" : "the effect is not the model's";
}

/// Operation 0, and 7 now and then.
template <engine_shape const& Shape, class Args>
void play_transfers(u64 seed, u64 cases) {
    recorder<Shape> hw = recorder_with_segments<Shape>();
    paging_system os;
    transfer_maker maker;
    constexpr u64 smallest = smallest_paging_buffer<recorder<Shape>>.n;
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        Args args{};
        std::vector<effect_piece> expected;
        recorded_address to{};
        recorded_address from{};
        u64 size = 0;
        auto const expect = [&](auto const& t, u64 mdl_offset) {
            expected = transfer_effect(hw, t, mdl_offset);
            to = side_page(hw, t.Destination, t.TransferOffset, mdl_offset, 0);
            from = side_page(hw, t.Source, t.TransferOffset, mdl_offset, 0);
            size = t.TransferSize;
        };
        if (random.one_in(5)) {
            args.Operation = static_cast<u32>(paging_operation::special_lock_transfer);
            args.SpecialLockTransfer = {};
            maker.make(random, hw, args.SpecialLockTransfer, false);
            args.SpecialLockTransfer.SwizzlingRangeId = static_cast<u32>(random.next());
            args.SpecialLockTransfer.SwizzlingRangeData = static_cast<u32>(random.next());
            expect(args.SpecialLockTransfer, 0);
        } else {
            args.Operation = static_cast<u32>(paging_operation::transfer);
            args.Transfer = {};
            args.Transfer.MdlOffset = maker.make(random, hw, args.Transfer, true);
            expect(args.Transfer, args.Transfer.MdlOffset);
        }
        bool const whole = random.one_in(4);
        pass_result const done =
            os.run(hw, args, [&] { return whole ? paging_system::capacity : random_room(random, smallest); });
        std::string problem = judge_copies(Shape, done, expected);
        if (problem.empty() && maker.overlapping) {
            problem = run_overlapping(done.commands, to, from, size, Shape.copy_overlap == hw::overlap::by_direction);
        }
        if (!problem.empty() || hw.faults != 0) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " rule "
                         << std::string(hw.faults != 0 ? rule_id(hw.last_fault.rule) : "none"));
        }
    }
    CHECK(hw.faults == 0);
    CHECK(hw.stored == 0);  // PGB-10: a transfer never stores at once
}

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "one_request.hpp"
#include "wddm2_gpu.hpp"
#include "wddm2_twin.hpp"

#include <wddmcore/testing/watched/buffer.hpp>

/// What the tests of single late operations share: requests that run, that end in the fault hook, that are watched.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using latest_arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;

/// Hardware, and a system that calls it.
template <class Hw, class Args = latest_arguments>
struct wddm2_request {
    using hardware = Hw;
    static constexpr u64 smallest = smallest_paging_buffer<Hw>.n;

    Hw hw = with_segments<Hw>();
    paging_system os;

    [[nodiscard]] static Args of(paging_operation operation) {
        Args args{};
        args.Operation = static_cast<u32>(operation);
        return args;
    }

    /// The whole operation in buffers of `room` bytes.
    [[nodiscard]] pass_result run(Args args, u64 room = 4096) {
        pass_result done = os.run(hw, args, [room] { return room; });
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        CHECK(hw.faults == 0);
        return done;
    }

    /// A request that cannot be carried out: one call of the hook with these numbers, and nothing committed.
    ///
    /// @param untouched  false: what a list says is judged while commands are written for it
    void expect_fault(Args const& good, paging_rule rule, u64 value, u64 limit, bool buffer_there = true,
                      bool untouched = true) {
        CAPTURE(rule_id(rule));
        for (disposition const answer : {disposition::stop, disposition::dropped}) {
            std::vector<u32> buffer(1100, 0x5A5A'5A5A);
            Args args = good;
            args.pDmaBuffer = buffer_there ? buffer.data() + 50 : nullptr;
            args.DmaSize = buffer_there ? 4000 : 0;
            Args before;
            std::memcpy(&before, &args, sizeof args);
            hw.answer = answer;
            hw.faults = 0;
            CHECK(build_paging_buffer(hw, args) ==
                  (answer == disposition::dropped && harmless(rule) ? status::success : status::invalid_parameter));
            CHECK(hw.faults == 1);
            CHECK(hw.last_fault.rule == rule);
            CHECK(static_cast<u32>(hw.last_fault.operation) == good.Operation);
            CHECK(hw.last_fault.value == value);
            CHECK(hw.last_fault.limit == limit);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK((!untouched || buffer == std::vector<u32>(1100, 0x5A5A'5A5A)));
        }
        hw.answer = disposition::stop;
        hw.faults = 0;
    }

    /// Every room from a byte on: exactly the commands that fit are written, padded, and told (PGB-01 to PGB-03); the
    /// token counts `steps` of them each, and the pass goes on where it stopped (PGB-05).
    ///
    /// @param length    dwords of a command
    /// @param commands  how many the request takes in one pass
    void expect_every_room(Args const& good, u32 length, u32 commands) {
        pass_result const whole = run(good, paging_system::capacity);
        REQUIRE(whole.commands.size() == commands);
        for (u64 room = 1; room <= length * commands * 4 + 24; ++room) {
            CAPTURE(room);
            Args args = good;
            pass_result const done = os.pass(hw, args, room);
            REQUIRE_MESSAGE(done.problem.empty(), done.problem);
            u64 const usable = room / 4 / Hw::unit_dwords.n * Hw::unit_dwords.n;
            u64 const fit = usable / length < commands ? usable / length : commands;
            REQUIRE(done.commands.size() == fit);
            REQUIRE(done.written_dwords ==
                    (fit * length + Hw::unit_dwords.n - 1) / Hw::unit_dwords.n * Hw::unit_dwords.n);
            REQUIRE(done.status == (fit == commands ? status::success : status::graphics_insufficient_dma_buffer));
            for (u64 i = 0; i < fit; ++i) {
                REQUIRE(done.commands[i] == whole.commands[i]);
            }
            if (room >= smallest) {
                std::vector<recorded_command> all = done.commands;
                pass_result rest = done;
                while (rest.status == status::graphics_insufficient_dma_buffer) {
                    rest = os.pass(hw, args, room);
                    REQUIRE_MESSAGE(rest.problem.empty(), rest.problem);
                    all.insert(all.end(), rest.commands.begin(), rest.commands.end());
                }
                REQUIRE(all == whole.commands);
                // A token at its end means that nothing is left.
                REQUIRE(os.pass(hw, args, room).written_dwords == 0);
            }
        }
        CHECK(hw.faults == 0);
    }

    /// Every store of a pass as the processor makes it: once, ascending, whole dwords (law 4).
    void expect_stored_in_order(Args const& good) {
        watched_buffer buffer(2048);
        Args args = good;
        for (std::size_t begin = 4; begin < 1500; begin += 132) {
            std::size_t const end = begin + smallest + 60;
            args.pDmaBuffer = buffer.data() + begin;
            args.DmaSize = static_cast<u32>(end - begin);
            REQUIRE(buffer.arm(begin, end));
            ntstatus const status = build_paging_buffer(hw, args);
            buffer.disarm();
            for (watched_violation const& one : buffer.violations()) {
                FAIL_CHECK(one.sentence);
            }
            auto const written = static_cast<std::size_t>(static_cast<std::byte*>(args.pDmaBuffer) - buffer.data());
            CHECK(written > begin);
            CHECK(buffer.wrote_all({begin, written}));
            if (status == status::success) {
                return;
            }
            REQUIRE(status == status::graphics_insufficient_dma_buffer);
        }
    }

    /// One call without a buffer, in both ways in which there is none (OBS-02).
    void expect_without_buffer(Args const& good, ntstatus wanted) {
        static u32 never_written[4];
        for (bool const null : {true, false}) {
            Args args = good;
            args.pDmaBuffer = null ? nullptr : static_cast<void*>(never_written);
            args.DmaSize = null ? 4096 : 0;
            hw.faults = 0;
            CHECK(build_paging_buffer(hw, args) == wanted);
            CHECK(hw.faults == (wanted == status::success ? 0u : 1u));
            if (hw.faults != 0) {
                CHECK(hw.last_fault.rule == paging_rule::no_buffer);
            }
        }
        hw.faults = 0;
    }
};

}  // namespace wddmcore::testing

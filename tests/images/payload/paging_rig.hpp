// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory.hpp"

#include <wddmcore/wddmcore.hpp>

/// Builds one request in several buffers, executes what was built and compares memory with the obvious effect.
namespace images {

/// Another decoder beside the payload's own, where there is one: on the host.
struct witness {
    void (*before)(gpu_memory const&);
    /// Whether it takes the commands and leaves the same memory; `hardware` is 0 for SDMA, 1 for records.
    bool (*agrees)(u32 hardware, u32 const* words, u32 count, gpu_memory const& after);
};

inline constexpr u32 poison = 0xDEAD'BEEF;

/// Buffers of the rig, which are too large for a kernel stack.
struct rig_storage {
    static constexpr u32 room = 4096, guard = 8;

    gpu_memory memory;
    gpu_memory expected;
    alignas(64) u32 ample[room + 2 * guard];
    alignas(64) u32 other[room + 2 * guard];
    witness const* beside;
};

struct built {
    ntstatus status;
    u32 length;   ///< dwords
    u32 token;    ///< MultipassOffset
    bool inside;  ///< nothing before, after, or past what was committed has changed
};

/// @tparam Machine  hardware under test: type `hw_type`, `args_type`, `hw`, execute(), and what its effects are
template <class Machine>
class paging_rig {
public:
    using args_type = typename Machine::args_type;
    using hw_type = typename Machine::hw_type;

    paging_rig(checks& to, rig_storage& at) : machine(at.memory), to_(to), at_(at) {}

    Machine machine;

    [[nodiscard]] static args_type request(paging_operation operation) {
        args_type args;
        for (u32 i = 0; i != sizeof args / 4; ++i) {
            set_dword(reinterpret_cast<u8*>(&args) + i * 4, 0);
        }
        args.Operation = static_cast<u32>(operation);
        return args;
    }

    /// One request: in a buffer with ample room; in one of exactly the length, at an odd dword; in one that is a dword
    /// shorter, then passes of that room.
    /// @param apply  does to a gpu_memory what the request asks for
    template <class Effect>
    void play(char const* name, args_type const& request, Effect const& apply) {
        at_.expected.begin();
        apply(at_.expected);

        at_.memory.begin();
        built const whole = pass(request, at_.ample + rig_storage::guard, rig_storage::room, 0);
        to_.expect(whole.status == status::success, name, static_cast<u32>(whole.status));
        to_.expect(whole.inside, "nothing is written outside of the commands", whole.length);
        to_.expect(whole.length % hw_type::unit_dwords.n == 0, "whole units of the stream", whole.length);
        if (planted == 7) {
            at_.ample[rig_storage::guard] ^= 1;
        }
        to_.hash(static_cast<u32>(request.Operation));
        to_.hash(whole.length);
        to_.hash(whole.token);
        to_.hash(at_.ample + rig_storage::guard, whole.length);
        effects const done = execute(name, at_.ample + rig_storage::guard, whole.length);
        compare(name);
        to_.hash(done.commands);
        to_.hash(done.interrupts);
        to_.hash64(done.told);
        if (whole.length == 0) {
            return;
        }

        // An odd dword: aligned for a dword and for nothing wider.
        u32* const odd = at_.other + rig_storage::guard + 1;
        at_.memory.begin();
        built const exact = pass(request, odd, whole.length, 0);
        to_.expect(exact.status == status::success && exact.inside && exact.length == whole.length,
                   "a buffer of exactly the length is enough", exact.length);
        u32 different = 0;
        for (u32 i = 0; i != whole.length; ++i) {
            different += dword_at(odd + i) != dword_at(at_.ample + rig_storage::guard + i);
        }
        to_.expect(different == 0, "the same commands at another address", different);

        split(name, request, whole, done);
    }

    /// A request that is carried out at once, without a buffer.
    template <class Effect>
    void play_at_once(char const* name, args_type const& request, Effect const& apply) {
        at_.expected.begin();
        apply(at_.expected);
        at_.memory.begin();
        args_type args = request;
        ntstatus const status = build_paging_buffer(machine.hw, args);
        to_.expect(status == status::success && args.pDmaBuffer == nullptr, name, static_cast<u32>(status));
        to_.hash(args.MultipassOffset);
        compare(name);
    }

    [[nodiscard]] gpu_memory& memory() { return at_.memory; }
    [[nodiscard]] checks& ledger() { return to_; }

private:
    /// The same with a dword less: not enough, and further passes finish it.
    void split(char const* name, args_type const& request, built const& whole, effects const& once) {
        u32 const smallest = static_cast<u32>(smallest_paging_buffer<hw_type>.n / 4);
        u32 const less = whole.length - 1;
        u32* const first = at_.other + rig_storage::guard;
        at_.memory.begin();
        built part = pass(request, first, less, 0);
        to_.expect(part.status == status::graphics_insufficient_dma_buffer && part.inside, "a dword less is not enough",
                   static_cast<u32>(part.status));
        to_.hash(part.length);
        to_.hash(part.token);
        effects sum = execute(name, first, part.length);
        u32 passes = 1;
        for (; part.status == status::graphics_insufficient_dma_buffer && passes != 100; ++passes) {
            u32 const before = part.token;
            part = pass(request, first, less < smallest ? smallest : less, part.token);
            to_.expect(part.inside && (part.status == status::success || part.token != before),
                       "each pass of the smallest room advances", part.token);
            to_.hash(part.length);
            to_.hash(part.token);
            effects const more = execute(name, first, part.length);
            sum.interrupts += more.interrupts;
        }
        to_.hash(passes);
        to_.expect(part.status == status::success, "passes come to an end", passes);
        to_.expect(sum.interrupts == once.interrupts, "as many interrupts in passes as at once", sum.interrupts);
        compare(name);
    }

    built pass(args_type const& request, u32* to, u32 room, u32 token) {
        constexpr u32 around = rig_storage::guard - 2;
        for (u32 i = 0; i != room + 2 * around; ++i) {
            set_dword(to - around + i, poison);
        }
        args_type args = request;
        args.pDmaBuffer = to;
        args.DmaSize = room * 4;
        args.MultipassOffset = token;
        ntstatus const status = build_paging_buffer(machine.hw, args);
        u32 const length = static_cast<u32>(static_cast<u32*>(args.pDmaBuffer) - to);
        bool inside = length <= room && args.DmaSize == room * 4;
        for (u32 i = 0; i != around; ++i) {
            inside = inside && dword_at(to - around + i) == poison && dword_at(to + room + i) == poison;
        }
        for (u32 i = length; inside && i < room; ++i) {
            inside = dword_at(to + i) == poison;
        }
        return {status, length, args.MultipassOffset, inside};
    }

    effects execute(char const* name, u32 const* words, u32 count) {
        if (at_.beside != nullptr) {
            at_.beside->before(at_.memory);
        }
        effects const done = machine.execute(words, count, at_.memory);
        to_.expect(done.ok, name, done.wrong_at);
        if (at_.beside != nullptr && !at_.beside->agrees(Machine::decoder, words, count, at_.memory)) {
            to_.print("  FAILED: the other decoder disagrees");
            to_.expect(false, name);
            return done;
        }
        return done;
    }

    void compare(char const* name) {
        u32 const different = at_.memory.differences(at_.expected);
        to_.expect(different == 0, name, different);
    }

    checks& to_;
    rig_storage& at_;
};

}  // namespace images

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/twin.hpp>
#include <wddmcore/paging/cpu/executor.hpp>

#include <doctest/doctest.h>

namespace cpu_constant_test {

using namespace wddmcore;
using namespace wddmcore::testing;

// The whole executor in the compiler's evaluator: a use of NULL, an access outside its object and a mapping's pointer
// with something added before the test are compile errors here (law 3).

namespace {

constexpr u64 base = 0x80'0000'0000;
constexpr u32 arena_pages = 6;

struct driver {
    u32 faults = 0;
    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept {
        return id.n == 2 ? segment_place{{base}, {arena_pages * page_bytes}} : segment_place{{0}, {0}};
    }
    [[nodiscard]] constexpr bool is_aperture(segment_id) const noexcept { return false; }
    constexpr disposition on_paging_fault(paging_fault const&) noexcept {
        ++faults;
        return disposition::stop;
    }
};

// System page n and the segment's byte m lie in arrays; what is mapped is counted.
struct arenas {
    static constexpr pages map_max{2};
    u8 system[arena_pages * page_bytes] = {};
    u8 segment[arena_pages * page_bytes] = {};
    u32 fail_at = 0;
    u32 calls = 0;
    u32 live = 0;

    constexpr u8* give(u8* at) noexcept {
        ++calls;
        live += calls == fail_at ? 0 : 1;
        return calls == fail_at ? nullptr : at;
    }
    constexpr u8* map_pages(page_number first, pages) noexcept { return give(system + byte_address(first)); }
    constexpr u8* map_segment(segment_id, segment_offset offset, bytes) noexcept { return give(segment + offset.n); }
    constexpr u8* map_virtual(gpu_virtual_address va, bytes) noexcept { return give(segment + va.n); }
    constexpr void unmap(u8*, bytes) noexcept { --live; }
};

constexpr usize scattered[] = {3, 0, 1, 2};
constexpr twin_mdl list{4 * 4096, 0, scattered};

constexpr twin_arguments of(paging_operation operation) {
    twin_arguments args{};
    args.Operation = static_cast<u32>(operation);
    return args;
}

constexpr cpu_answer run(driver& hw, arenas& memory, twin_arguments& args) {
    return execute_on_cpu(hw, memory, args, cpu_moment::at_build);
}

// Three pages less 5 bytes of an MDL, from page 1 on, to an odd place in a segment; mapping `fail` fails, then again.
constexpr bool transfers(u32 fail) {
    driver hw;
    arenas memory;
    for (u32 page = 0; page != arena_pages; ++page) {
        memory.system[page * page_bytes] = static_cast<u8>(page + 1);
        memory.system[page * page_bytes + 4090] = static_cast<u8>(page + 101);
        memory.system[page * page_bytes + 4091] = 77;
    }
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.TransferSize = 3 * 4096 - 5;
    args.Transfer.Source.pMdl = &list;
    args.Transfer.MdlOffset = 1;
    args.Transfer.Destination = {2, {static_cast<i64>(base)}, nullptr};
    args.Transfer.TransferOffset = 3;
    args.Transfer.Flags.AllocationIsIdle = 1;
    memory.fail_at = fail;
    bool right = true;
    cpu_answer answer = run(hw, memory, args);
    if (fail != 0) {
        right = answer.what == cpu_outcome::unmapped && memory.live == 0 && args.MultipassOffset == (fail - 1) / 2 * 2;
        answer = run(hw, memory, args);
    }
    u8 const* const to = memory.segment + 3;
    return right && answer.what == cpu_outcome::done && memory.live == 0 && hw.faults == 0 && to[-1] == 0 &&
           to[0] == 1 && to[4096] == 2 && to[8192] == 3 && to[4090] == 101 && to[8192 + 4090] == 103 &&
           to[8192 + 4091] == 0;
}
static_assert(transfers(0) && transfers(1) && transfers(2) && transfers(3) && transfers(4));

constexpr bool locks() {
    driver hw;
    arenas memory;
    memory.segment[5 * page_bytes - 1] = 9;
    twin_arguments args = of(paging_operation::special_lock_transfer);
    args.SpecialLockTransfer.TransferSize = 2 * 4096;
    args.SpecialLockTransfer.Source = {2, {static_cast<i64>(base + 3 * page_bytes)}, nullptr};
    args.SpecialLockTransfer.Destination.pMdl = &list;
    args.SpecialLockTransfer.Flags.AllocationIsIdle = 1;
    return run(hw, memory, args).what == cpu_outcome::done && memory.system[page_bytes - 1] == 9;
}
static_assert(locks());

constexpr bool moves_upward() {
    driver hw;
    arenas memory;
    for (u32 i = 0; i != 5000; ++i) {
        memory.segment[i] = static_cast<u8>(i % 251);
    }
    twin_arguments args = of(paging_operation::virtual_transfer);
    args.TransferVirtual.TransferSizeInBytes = 5000;
    args.TransferVirtual.DestinationVirtualAddress = 3;
    bool right = run(hw, memory, args).what == cpu_outcome::done;
    for (u32 i = 0; i != 5000; ++i) {
        right = right && memory.segment[i + 3] == i % 251;
    }
    return right && memory.segment[5003] == 0;
}
static_assert(moves_upward());

constexpr bool fills(paging_operation operation, u32 fail) {
    driver hw;
    arenas memory;
    twin_arguments args = of(operation);
    args.Fill = {5 * 4096 - 1, 0x4433'2211, {2, {static_cast<i64>(base)}}};
    args.FillVirtual.FillSizeInBytes = 5 * 4096 - 1;
    args.FillVirtual.FillPattern = 0x4433'2211;
    memory.fail_at = fail;
    bool const first = run(hw, memory, args).what == (fail == 0 ? cpu_outcome::done : cpu_outcome::unmapped);
    bool const second = run(hw, memory, args).what == cpu_outcome::done;
    return first && second && memory.live == 0 && memory.segment[0] == 0x11 && memory.segment[4097] == 0x22 &&
           memory.segment[5 * 4096 - 2] == 0x33 && memory.segment[5 * 4096 - 1] == 0;
}
static_assert(fills(paging_operation::fill, 0) && fills(paging_operation::fill, 3));
static_assert(fills(paging_operation::virtual_fill, 0) && fills(paging_operation::virtual_fill, 2));

constexpr bool accesses(u32 fail) {
    driver hw;
    arenas memory;
    memory.segment[6] = memory.segment[7] = memory.segment[8] = 5;
    memory.fail_at = fail;
    twin_arguments read = of(paging_operation::read_physical);
    read.ReadPhysical = {2, {static_cast<i64>(base + 7)}};
    twin_arguments write = of(paging_operation::write_physical);
    write.WritePhysical = read.ReadPhysical;
    bool const right = run(hw, memory, read).what == (fail == 1 ? cpu_outcome::unmapped : cpu_outcome::done) &&
                       run(hw, memory, write).what == (fail == 2 ? cpu_outcome::unmapped : cpu_outcome::done);
    return right && memory.live == 0 && memory.segment[6] == 5 && memory.segment[7] == (fail == 2 ? 5 : 0) &&
           memory.segment[8] == 5;
}
static_assert(accesses(0) && accesses(1) && accesses(2));

constexpr bool refuses() {
    driver hw;
    arenas memory;
    twin_arguments args = of(paging_operation::read_physical);
    args.ReadPhysical.SegmentId = 3;
    return run(hw, memory, args).what == cpu_outcome::refused && hw.faults == 1 && memory.calls == 0;
}
static_assert(refuses());

}  // namespace

TEST_CASE("PGB-05: what the evaluator says of the CPU executor, the machine says too") {
    CHECK(transfers(0));
    CHECK(transfers(1));
    CHECK(transfers(2));
    CHECK(transfers(3));
    CHECK(transfers(4));
    CHECK(locks());
    CHECK(moves_upward());
    CHECK(fills(paging_operation::fill, 0));
    CHECK(fills(paging_operation::virtual_fill, 2));
    CHECK(accesses(0));
    CHECK(accesses(2));
    CHECK(refuses());
}

}  // namespace cpu_constant_test

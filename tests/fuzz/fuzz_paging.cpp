// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Requests of any quality against build_paging_buffer: see README.md beside this file.
//
// With WDDMCORE_FUZZ_REPLAY defined this is a plain program that plays the files named on its command line.

// The library's own promises are checked as well.
#define WDDMCORE_ASSERT(condition) ((condition) ? void() : __builtin_trap())

#include "fuzz_call.hpp"

// Headers of the standard library keep their own attributes.
#include <algorithm>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#if defined(__clang__)
#    pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)
#endif

#include "fuzz_laws.hpp"
#include "fuzz_played.hpp"

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::fuzz;

namespace {

/// Requests of more pages than this are followed for a few passes only.
constexpr u64 small_request = 2048;

/// What came of the last request.
played_request last_played;

/// The passes of one request, each with a fresh buffer, as the system would make them.
template <class Hw, class Args>
void play(Hw hw, input in) {
    constexpr u32 smallest = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    hw.answer = in.flag() ? disposition::dropped : disposition::stop;
    if constexpr (requires { hw.busy; }) {
        hw.busy = in.one_in(4);
    }
    if constexpr (requires { hw.working; }) {
        hw.working = !in.one_in(8);
    }
    if constexpr (requires { hw.image; }) {
        hw.image = (in.one_in(8) ? in.number() & 0xFFF'FFFF'FFFF : in.word(2) % 20'000) / 4 * 4;
    }
    request<Args> os(in, hw, smallest);
    u32 const first = os.args.MultipassOffset;
    last_played = {os.args.Operation, 0, false, verdict::wrong};
    u64 moved = 0;
    u64 advancing = 0;
    bool more = true;
    for (u32 pass = 0; more; ++pass) {
        u32 const token = os.args.MultipassOffset;
        checked_pass<Hw, Args> const done(hw, os);
        expectation<Hw> const& expected = done.expected_result();
        moved += done.moved();
        advancing += os.args.MultipassOffset != token;
        ++last_played.passes;
        last_played.carried_out = expected.what == verdict::work && done.status() == status::success;
        last_played.what = expected.what;
        require(expected.what != verdict::work || advancing <= expected.count - first,
                "PGB-05: the passes come to an end");
        if (done.status() == status::graphics_allocation_busy) {
            // PGB-09: the retry finds the allocation idle; only the hardware need not know.
            require(pass == 0, "PGB-09: busy once");
            if (os.args.Operation == 2) {
                os.args.DiscardContent.Flags.AllocationIsIdle = 1;
            } else if (os.args.Operation == 0) {
                os.args.Transfer.Flags.AllocationIsIdle = 1;
            } else {
                os.args.SpecialLockTransfer.Flags.AllocationIsIdle = 1;
            }
        } else {
            more = done.status() == status::graphics_insufficient_dma_buffer &&
                   ((expected.steps != 0 ? expected.steps : expected.count) <= small_request || pass < 4);
        }
        if constexpr (recording<Hw> || example_packets<Hw>) {
            if (done.status() == status::success && expected.what == verdict::work && first == 0 &&
                expected.size != 0 && os.args.Operation < 10) {
                require(moved == expected.size, "law 7: the commands of all passes add up to the request");
            }
        }
        if (more) {
            os.fresh_buffer(in, smallest, true);
        }
    }
}

template <class Hw, class Args>
void play_late(input const& in) {
    play<Hw, Args>(make_late<Hw>(), in);
}

template <engine_shape const& Shape, class Args>
void play_recorder(input const& in) {
    play<recorder<Shape>, Args>(make_recorder<recorder<Shape>>(), in);
}

template <engine_shape const& Shape, window_shape const& Window, class Args>
void play_window(input const& in) {
    using hardware = window_gpu<Shape, Window>;
    play<hardware, Args>(make_recorder<hardware>(), in);
}

template <capabilities Caps, class Args>
void play_amd(input const& in) {
    play<watched_amd<Caps>, Args>(make_amd<Caps>(), in);
}

template <capabilities Caps, class Args>
void play_amd_tables(input const& in) {
    using hardware = watched_amd_tables<Caps>;
    play<hardware, Args>(make_amd_tables<hardware>(), in);
}

template <capabilities Caps, class Args>
void play_intel_tables(input const& in) {
    using hardware = watched_intel_tables<Caps>;
    play<hardware, Args>(make_intel_tables<hardware>(), in);
}

template <capabilities Caps, class Args>
void play_cpu_tables(input const& in) {
    using hardware = watched_cpu_tables<Caps>;
    play<hardware, Args>(make_cpu_tables<hardware>(), in);
}

template <capabilities Caps, class Args>
void play_nvidia_tables(input const& in) {
    using hardware = watched_nvidia_tables<Caps>;
    play<hardware, Args>(make_nvidia_tables<hardware>(), in);
}

template <capabilities Caps, class Args>
void play_cpu(input const& in) {
    play<watched_cpu<Caps>, Args>(make_cpu<Caps>(), in);
}

using vista_arguments = mirror::vista::dxgkarg_buildpagingbuffer;
using v1_3_arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;
using v2_2_arguments = mirror::v2_2::dxgkarg_buildpagingbuffer;
using v2_0_arguments = mirror::v2_0::dxgkarg_buildpagingbuffer;
using v2_9_arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using v3_2_arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;

struct target {
    char const* name;
    void (*play)(input const&);
};

constexpr target targets[] = {
    {"amd_physical", play_amd<examples::amd::physical_paging, v1_3_arguments>},
    {"amd_virtual", play_amd<examples::amd::virtual_paging, v2_9_arguments>},
    {"cpu_physical", play_cpu<examples::cpu::physical_paging, vista_arguments>},
    {"cpu_virtual", play_cpu<examples::cpu::virtual_paging, v3_2_arguments>},
    {"everything_v2_9", play_recorder<with_everything, v2_9_arguments>},
    {"everything_v3_2", play_recorder<with_everything, v3_2_arguments>},
    {"below_a_page", play_recorder<below_a_page, v2_9_arguments>},
    {"any_byte_v2_9", play_recorder<any_byte, v2_9_arguments>},
    {"any_byte_v3_2", play_recorder<any_byte, v3_2_arguments>},
    {"whole_pages_only", play_recorder<whole_pages_only, v2_9_arguments>},
    {"tiny_commands", play_recorder<tiny_commands, v2_9_arguments>},
    {"one_block_vista", play_recorder<one_block, vista_arguments>},
    {"one_block_v2_0", play_recorder<one_block, v2_0_arguments>},
    {"paging_process", play_recorder<paging_process, v2_0_arguments>},
    {"wddm2_in_every_way", play_late<wddm2_in_every_way, v3_2_arguments>},
    {"wddm2_at_once", play_late<wddm2_at_once, v3_2_arguments>},
    {"wddm2_by_command", play_late<wddm2_by_command, v3_2_arguments>},
    {"wddm2_older", play_late<wddm2_older, v2_9_arguments>},
    {"wddm2_cpu_tables", play_late<wddm2_cpu_tables, v2_2_arguments>},
    {"amd_tables_v2_0", play_amd_tables<examples::amd::declared_at(wddm::v2_0), v2_0_arguments>},
    {"amd_tables_v3_2", play_amd_tables<examples::amd::whole_memory, v3_2_arguments>},
    {"intel_tables_v2_0", play_intel_tables<examples::intel::declared_at(wddm::v2_0), v2_0_arguments>},
    {"intel_tables_v3_2", play_intel_tables<examples::intel::whole_memory, v3_2_arguments>},
    {"window_of_16", play_window<behind_sixteen_slots, sixteen_slots, v2_9_arguments>},
    {"window_of_64", play_window<behind_sixty_four_slots, sixty_four_slots, v3_2_arguments>},
    {"cpu_tables_v2_0", play_cpu_tables<examples::cpu::every_promise(wddm::v2_0), v2_0_arguments>},
    {"cpu_tables_v3_2", play_cpu_tables<examples::cpu::every_promise(wddm::v3_2), v3_2_arguments>},
    {"nvidia_tables_v2_0", play_nvidia_tables<examples::nvidia::every_promise(wddm::v2_0), v2_0_arguments>},
    {"nvidia_tables_v3_2", play_nvidia_tables<examples::nvidia::every_promise(wddm::v3_2), v3_2_arguments>},
};
constexpr usize target_count = sizeof targets / sizeof targets[0];

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(u8 const* data, usize size) {
    input in{data, size};
    targets[in.byte() % target_count].play(in);
    return 0;
}

#if defined(__clang__)
#    pragma clang attribute pop
#endif

#if defined(WDDMCORE_FUZZ_REPLAY)
#    include "fuzz_replay.hpp"

int main(int count, char** names) {
    if (count == 3 && std::strcmp(names[1], "seeds") == 0) {
        return make_seeds(names[2], targets, target_count, LLVMFuzzerTestOneInput);
    }
    return replay_files(count, names, LLVMFuzzerTestOneInput);
}

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Requests of any quality against build_paging_buffer: see README.md beside this file.
//
// With WDDMCORE_FUZZ_REPLAY defined this is a plain program that plays the files named on its command line.

// The library's own promises are checked as well.
#define WDDMCORE_ASSERT(condition) ((condition) ? void() : __builtin_trap())

#include "fuzz_laws.hpp"

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::fuzz;

namespace {

/// Requests of more pages than this are followed for a few passes only.
constexpr u64 small_request = 2048;

/// The passes of one request, each with a fresh buffer, as the system would make them.
template <class Hw, class Args>
void play(Hw hw, input in) {
    constexpr u32 smallest = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    hw.answer = in.flag() ? disposition::dropped : disposition::stop;
    if constexpr (requires { hw.busy; }) {
        hw.busy = in.one_in(4);
    }
    request<Args> os(in, hw, smallest);
    u32 const first = os.args.MultipassOffset;
    u64 moved = 0;
    u64 advancing = 0;
    bool more = true;
    for (u32 pass = 0; more; ++pass) {
        u32 const token = os.args.MultipassOffset;
        checked_pass<Hw, Args> const done(hw, os);
        expectation<Hw> const& expected = done.expected_result();
        moved += done.moved();
        advancing += os.args.MultipassOffset != token;
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
                   (expected.count <= small_request || pass < 4);
        }
        if constexpr (recording<Hw>) {
            if (done.status() == status::success && expected.what == verdict::work && first == 0 &&
                expected.size != 0) {
                require(moved == expected.size, "law 7: the commands of all passes add up to the request");
            }
        }
        if (more) {
            os.fresh_buffer(in, smallest, true);
        }
    }
}

template <engine_shape const& Shape, class Args>
void play_recorder(input const& in) {
    play<recorder<Shape>, Args>(make_recorder<Shape>(), in);
}

template <capabilities Caps, class Args>
void play_amd(input const& in) {
    play<watched_amd<Caps>, Args>(make_amd<Caps>(), in);
}

template <capabilities Caps, class Args>
void play_cpu(input const& in) {
    play<watched_cpu<Caps>, Args>(make_cpu<Caps>(), in);
}

using vista_arguments = mirror::vista::dxgkarg_buildpagingbuffer;
using v1_3_arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;
using v2_0_arguments = mirror::v2_0::dxgkarg_buildpagingbuffer;
using v2_9_arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using v3_2_arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;

constexpr void (*targets[])(input const&) = {
    play_amd<examples::amd::physical_paging, v1_3_arguments>,
    play_amd<examples::amd::virtual_paging, v2_9_arguments>,
    play_cpu<examples::cpu::physical_paging, vista_arguments>,
    play_cpu<examples::cpu::virtual_paging, v3_2_arguments>,
    play_recorder<with_everything, v2_9_arguments>,
    play_recorder<with_everything, v3_2_arguments>,
    play_recorder<below_a_page, v2_9_arguments>,
    play_recorder<any_byte, v2_9_arguments>,
    play_recorder<any_byte, v3_2_arguments>,
    play_recorder<whole_pages_only, v2_9_arguments>,
    play_recorder<tiny_commands, v2_9_arguments>,
    play_recorder<one_block, vista_arguments>,
    play_recorder<one_block, v2_0_arguments>,
    play_recorder<paging_process, v2_0_arguments>,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(u8 const* data, usize size) {
    input in{data, size};
    targets[in.byte() % (sizeof targets / sizeof targets[0])](in);
    return 0;
}

#if defined(WDDMCORE_FUZZ_REPLAY)

#    include <fstream>
#    include <iterator>

int main(int count, char** names) {
    for (int i = 1; i < count; ++i) {
        std::ifstream file(names[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "%s: cannot be read\n", names[i]);
            return 2;
        }
        std::vector<u8> const content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        std::printf("%s: %zu bytes\n", names[i], content.size());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(content.data(), content.size());
    }
    return count < 2 ? 2 : 0;
}

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_requests.hpp"

#include <wddmcore/testing/watched/buffer.hpp>

/// Entries by command, as the processor stores them.
namespace watched_lines_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

/// The flat format, with a head whose words no compiler exchanges.
struct ordered_gpu : plain_format, grain_part<1>, write_part<0xF'FFFE, false>, copy_part<4096> {
    static constexpr void encode_write_head(u32* at, table_address destination, dwords entries) noexcept {
        put32(at, 0xE000'0105);
        put64(at + 1, destination.n);
        put32(at + 3, static_cast<u32>(destination.space));
        put32(at + 4, entries.n);
    }
};

}  // namespace

// A sanitizer's own code between stores would be what is looked at.
#if defined(__x86_64__) && !defined(WDDMCORE_SANITIZED)
TEST_CASE(
    "law 4: every dword of an update by command is stored once, ascending: lines, what follows them, mixed flags") {
    testing::watched_buffer buffer(4096);
    // The flags change at `equal`.
    for (u32 const equal : {0u, 7u, 8u, 20u, 24u, 40u}) {
        CAPTURE(equal);
        model_request request;
        request.count = 40;
        for (u32 i = 0; i != 40; ++i) {
            request.entries.push_back({1 | 1 << 5 | (i < equal ? 0u : 8u * (i % 2 + 1)), 0x1000 + i * 7});
        }
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        static_cast<void>(place_table(args, 1, 0, 0x1000, 4096));
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        ordered_gpu gpu = with_segments<ordered_gpu>();
        REQUIRE(buffer.arm(0, 4096));
        ntstatus const status = build(gpu, args);
        buffer.disarm();
        CHECK(status == status::success);
        for (testing::watched_violation const& one : buffer.violations()) {
            FAIL_CHECK(one.sentence);
        }
        CHECK(buffer.wrote_all({0, (5 + 80) * 4}));
    }
}
#endif

}  // namespace watched_lines_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/one_request.hpp>

#include <wddmcore/testing/watched/buffer.hpp>

namespace watched_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape all_by_command(u64 limit) {
    engine_shape shape = shapes::engine(shapes::everything, limit, 4, shapes::ordered, 3);
    shape.aperture_commands = true;
    shape.discards = true;
    return shape;
}
constexpr engine_shape whole_pages_at_once = all_by_command(2 * page_bytes);
constexpr engine_shape pieces = all_by_command(3000);

// Every access of a pass, as the processor made it.
template <engine_shape const& Shape>
void expect_stored_in_order() {
    one_request<Shape> test;
    std::vector<newest_arguments> requests = test.one_of_each();
    requests.push_back(test.transfer_out({8, 9, 10, 20, 22, 23}));
    requests.push_back(test.transfer_inside(0x1'0000, 0xE000, 5 * page_bytes));
    watched_buffer buffer(3000);
    for (newest_arguments const& good : requests) {
        newest_arguments args = good;
        CAPTURE(args.Operation);
        // Passes begin one behind the other, not at the buffer's start.
        for (std::size_t begin = 12; args.MultipassOffset != ~0u; begin += 36) {
            std::size_t const end = begin + Shape.grain * 4 * 30;
            args.pDmaBuffer = buffer.data() + begin;
            args.DmaSize = static_cast<u32>(end - begin);
            REQUIRE(buffer.arm(begin, end));
            ntstatus const status = build_paging_buffer(test.hw, args);
            buffer.disarm();
            for (watched_violation const& one : buffer.violations()) {
                FAIL_CHECK(one.sentence);
            }
            auto const written = static_cast<std::size_t>(static_cast<std::byte*>(args.pDmaBuffer) - buffer.data());
            CHECK(written > begin);
            CHECK(buffer.wrote_all({begin, written}));
            if (status == status::success) {
                break;
            }
            REQUIRE(status == status::graphics_insufficient_dma_buffer);
        }
    }
    CHECK(test.hw.faults == 0);
}

}  // namespace

TEST_CASE("law 4: every dword of a pass is stored once, ascending, whole, and none is loaded") {
    SUBCASE("an engine of two pages") { expect_stored_in_order<whole_pages_at_once>(); }
    SUBCASE("an engine that needs several commands for a page") { expect_stored_in_order<pieces>(); }
}

TEST_CASE("law 4: a request that is not carried out does not touch the buffer at all") {
    one_request<whole_pages_at_once> test;
    watched_buffer buffer(512);
    for (newest_arguments const& good : test.one_of_each()) {
        newest_arguments args = good;
        args.MultipassOffset = 1000;
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 512;
        REQUIRE(buffer.arm(0, 512));
        CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
        buffer.disarm();
        CHECK(buffer.accesses().empty());
        CHECK(buffer.violations().empty());
    }
}

}  // namespace watched_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace private_data_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape recording(u64 record_bytes) {
    engine_shape shape = shapes::engine(shapes::everything, page_bytes, 4, shapes::ordered, 3);
    shape.aperture_commands = true;
    shape.discards = true;
    shape.record_bytes = record_bytes;
    return shape;
}
constexpr engine_shape with_records = recording(16);
constexpr engine_shape with_odd_records = recording(29);
constexpr engine_shape without_records = recording(0);

struct record {
    u32 operation;
    u32 written_bytes;
    u32 first_token;
    u32 next_token;
};

record record_at(u8 const* at) {
    record one{};
    std::memcpy(&one, at, sizeof one);
    return one;
}

}  // namespace

TEST_CASE("PGB-13: one record a pass, with what the pass wrote") {
    one_request<with_records> test;
    for (newest_arguments const& good : test.one_of_each()) {
        CAPTURE(good.Operation);
        newest_arguments args = good;
        for (ntstatus status = status::graphics_insufficient_dma_buffer; status != status::success;) {
            pass_result const done = test.os.pass(test.hw, args, 100);
            REQUIRE(done.problem == "");
            REQUIRE(done.private_bytes == 16);
            record const kept = record_at(test.os.private_data());
            CHECK(kept.operation == good.Operation);
            CHECK(kept.written_bytes == done.written_dwords * 4);
            CHECK(kept.first_token == done.first_token);
            CHECK(kept.next_token == done.next_token);
            CHECK(test.os.private_data()[16] == 0xA5);
            status = done.status;
        }
    }
}

TEST_CASE("PGB-13: a record of any length, and not a byte more") {
    one_request<with_odd_records> test;
    newest_arguments args = test.fill(0, page_bytes);
    test.os.private_size = 29;  // it ends at an inaccessible page
    pass_result const done = test.os.pass(test.hw, args, 4096);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    CHECK(done.private_bytes == 29);
    CHECK(test.os.private_data()[28] == 0xEE);
}

TEST_CASE("PGB-13: too little private data is answered by asking for a fresh buffer, with nothing committed") {
    one_request<with_records> test;
    for (newest_arguments const& good : test.one_of_each()) {
        for (u32 const size : {0u, 1u, 15u}) {
            newest_arguments args = good;
            test.os.private_size = size;
            std::byte buffer[256];
            std::memset(buffer, 0, sizeof buffer);
            args.pDmaBuffer = buffer;
            args.DmaSize = sizeof buffer;
            u8 private_data[16] = {};
            args.pDmaBufferPrivateData = private_data;
            args.DmaBufferPrivateDataSize = size;
            newest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            CHECK(build_paging_buffer(test.hw, args) == status::graphics_insufficient_dma_buffer);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(std::memcmp(private_data, std::vector<u8>(16).data(), 16) == 0);
        }
    }
}

TEST_CASE("PGB-13 PGB-05: without private data no buffer would ever do, and the hook hears of it") {
    one_request<with_records> test;
    newest_arguments args = test.fill(0, page_bytes);
    u32 buffer[64] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.pDmaBufferPrivateData = nullptr;
    args.DmaBufferPrivateDataSize = 4096;
    CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
    CHECK(test.hw.faults == 1);
    CHECK(test.hw.last_fault.rule == paging_rule::no_private_data);
    CHECK(test.hw.last_fault.limit == 16);
    CHECK(args.pDmaBuffer == buffer);
    CHECK(buffer[0] == 0);
    CHECK(args.MultipassOffset == 0);
}

TEST_CASE("PGB-13: a pass without commands keeps no record") {
    one_request<with_records> test;
    newest_arguments empty = test.transfer_in(lonely_pages(1));
    empty.Transfer.TransferSize = 0;
    CHECK(test.os.pass(test.hw, empty, 4096).private_bytes == 0);
    newest_arguments no_room = test.transfer_in(lonely_pages(1));
    CHECK(test.os.pass(test.hw, no_room, 8).private_bytes == 0);
    // Nor in a buffer that a pass begins in, and that has room for no command: of one grain here.
    pass_result const began = test.os.pass(test.hw, no_room, 12);
    CHECK(began.status == status::graphics_insufficient_dma_buffer);
    CHECK(began.private_bytes == 0);
    CHECK(began.written_dwords == 0);
    test.os.private_size = 0;  // nothing is written, so nothing is missing
    CHECK(test.os.pass(test.hw, empty, 4096).status == status::success);
    newest_arguments stored = test.map(3, lonely_pages(2));
    CHECK(test.without_buffer(stored, true) == status::success);
}

TEST_CASE("PGB-13: without a recorder the private-data pointer stays where it is, at NULL too") {
    one_request<without_records> test;
    for (newest_arguments const& good : test.one_of_each()) {
        newest_arguments args = good;
        CHECK(test.os.pass(test.hw, args, 4096).private_bytes == 0);
        CHECK(test.os.private_data()[0] == 0xA5);
    }
    newest_arguments args = test.fill(0, page_bytes);
    u32 buffer[64] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.pDmaBufferPrivateData = nullptr;
    args.DmaBufferPrivateDataSize = 0;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(args.pDmaBufferPrivateData == nullptr);
}

namespace {

constexpr engine_shape decrementing() {
    engine_shape shape = with_records;
    shape.decrements_dma_size = true;
    return shape;
}
constexpr engine_shape counts_down = decrementing();

// Two operations in one buffer, the room between them told by the system or by the driver.
template <engine_shape const& Shape>
void expect_two_in_one_buffer(bool system_counts) {
    one_request<Shape> test;
    u32 buffer[100] = {};
    u8 private_data[64] = {};
    newest_arguments first = test.fill(0, 2 * page_bytes);
    first.pDmaBuffer = buffer;
    first.DmaSize = sizeof buffer;
    first.pDmaBufferPrivateData = private_data;
    first.DmaBufferPrivateDataSize = sizeof private_data;
    REQUIRE(build_paging_buffer(test.hw, first) == status::success);
    u32 const written = static_cast<u32>(static_cast<u32*>(first.pDmaBuffer) - buffer) * 4;
    CHECK(written == 18 * 4);
    CHECK(first.DmaSize == (Shape.decrements_dma_size ? sizeof buffer - written : sizeof buffer));

    newest_arguments second = test.virtual_fill(0x4000, 3 * page_bytes);
    second.pDmaBuffer = first.pDmaBuffer;
    second.DmaSize = system_counts ? static_cast<u32>(sizeof buffer) - written : first.DmaSize;
    second.pDmaBufferPrivateData = first.pDmaBufferPrivateData;
    second.DmaBufferPrivateDataSize = 32;
    REQUIRE(build_paging_buffer(test.hw, second) == status::success);
    CHECK(static_cast<u32*>(second.pDmaBuffer) - buffer == 18 + 24);
}

}  // namespace

TEST_CASE("AMB-06: DmaSize stays as it came, and the system counts") { expect_two_in_one_buffer<with_records>(true); }

TEST_CASE("AMB-06: the other reading, DmaSize decremented by what was written, is one constant away") {
    expect_two_in_one_buffer<counts_down>(false);
    expect_two_in_one_buffer<counts_down>(true);
    one_request<counts_down> test;
    for (newest_arguments const& good : test.one_of_each()) {
        for (u64 room = 4; room < 200; room += 4) {
            newest_arguments args = good;
            CHECK(test.os.pass(test.hw, args, room).problem == "");  // it compares DmaSize with what was written
        }
    }
    newest_arguments args = test.map(3, lonely_pages(2));
    CHECK(test.without_buffer(args, true) == status::success);  // it checks that DmaSize stayed
}

}  // namespace private_data_test

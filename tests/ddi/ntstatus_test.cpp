// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/ntstatus.hpp>

#include "../base/expect_both.hpp"

namespace ntstatus_test {

using namespace wddmcore;

namespace {

struct known {
    ntstatus named;
    u32 value;
};

// The values of the same names in the system's headers.
constexpr known all[] = {
    {status::success, 0x00000000},
    {status::pending, 0x00000103},
    {status::device_busy, 0x80000011},
    {status::unsuccessful, 0xc0000001},
    {status::not_implemented, 0xc0000002},
    {status::invalid_handle, 0xc0000008},
    {status::invalid_parameter, 0xc000000d},
    {status::no_memory, 0xc0000017},
    {status::not_supported, 0xc00000bb},
    {status::invalid_user_buffer, 0xc00000e8},
    {status::invalid_device_state, 0xc0000184},
    {status::graphics_insufficient_dma_buffer, 0xc01e0001},
    {status::graphics_allocation_busy, 0xc01e0102},
};

}  // namespace

TEST_CASE("each NTSTATUS has the value that the system's headers give its name") {
    for (known const& one : all) {
        CAPTURE(one.value);
        CHECK(static_cast<u32>(one.named) == one.value);
    }
}

TEST_CASE("success and information statuses are successes, warnings and errors are none, as NT_SUCCESS has it") {
    expect_both(succeeded(status::success) && succeeded(status::pending));
    expect_both(succeeded(static_cast<ntstatus>(0x401e'000a)));   // STATUS_GRAPHICS_PARTIAL_DATA_POPULATED
    expect_both(!succeeded(static_cast<ntstatus>(0x8000'0005)));  // STATUS_BUFFER_OVERFLOW
    expect_both(!succeeded(static_cast<ntstatus>(0xffff'ffff)));  // the error nearest to success
    expect_both(!succeeded(status::device_busy));
    expect_both(!succeeded(status::invalid_parameter) && !succeeded(status::graphics_insufficient_dma_buffer));
}

}  // namespace ntstatus_test

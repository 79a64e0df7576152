// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/ntstatus.hpp>

#include "../base/expect_both.hpp"

namespace ntstatus_test {

using namespace wddmcore;

TEST_CASE("success and information statuses are successes, warnings and errors are none, as NT_SUCCESS has it") {
    expect_both(succeeded(status::success) && succeeded(status::pending));
    expect_both(succeeded(status::graphics_partial_data_populated));
    expect_both(!succeeded(status::datatype_misalignment) && !succeeded(status::buffer_overflow));
    expect_both(!succeeded(status::invalid_parameter) && !succeeded(status::graphics_insufficient_dma_buffer));
}

}  // namespace ntstatus_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/promises/notices/context_allocations.hpp>

#include "../base/expect_both.hpp"

namespace context_initializer_test {

using namespace wddmcore;
using enum paging_addresses;

namespace {

constexpr capabilities claimed(paging_addresses addresses, wddm oldest) {
    capabilities caps{.version = wddm::v3_2, .addresses = addresses};
    caps.oldest = oldest;
    return caps;
}

}  // namespace

TEST_CASE("OP10-02: a context's virtual address is used only where every version of the driver has the member") {
    expect_both(hw::context_by_virtual(claimed(gpu_virtual, wddm::v2_0)));
    expect_both(hw::context_by_virtual(claimed(both, wddm::v3_2)));
    expect_both(!hw::context_by_virtual(claimed(gpu_virtual, wddm::v1_3_path_independent_rotation)));
    expect_both(!hw::context_by_virtual(claimed(physical, wddm::v2_0)));
    expect_both(!hw::context_by_virtual(claimed(physical, wddm::vista)));
}

TEST_CASE("OP10-02: its place in a segment is needed with physical addresses, and wherever the other may be missing") {
    expect_both(hw::context_by_place(claimed(physical, wddm::v2_0)));
    expect_both(hw::context_by_place(claimed(both, wddm::v3_2)));
    expect_both(hw::context_by_place(claimed(gpu_virtual, wddm::v1_3_path_independent_rotation)));
    expect_both(!hw::context_by_place(claimed(gpu_virtual, wddm::v2_0)));
}

}  // namespace context_initializer_test

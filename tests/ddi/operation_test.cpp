// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/operation.hpp>

#include "../base/expect_both.hpp"

#include <initializer_list>
#include <set>
#include <string>

namespace operation_test {

using namespace wddmcore;

TEST_CASE("each operation has a name of its own, any other code has none") {
    std::set<std::string> names;
    for (u32 code = 0; code != paging_operation_count; ++code) {
        names.insert(name(static_cast<paging_operation>(code)));
    }
    CHECK(names.size() == paging_operation_count);
    CHECK(names.count("unknown operation") == 0);
    for (u32 const code : {paging_operation_count, paging_operation_count + 1, ~u32{0}}) {
        CHECK(std::string(name(static_cast<paging_operation>(code))) == "unknown operation");
    }
}

TEST_CASE("a code that is no operation is given the newest version") {
    expect_both(since(paging_operation::transfer) == wddm::vista);
    expect_both(since(static_cast<paging_operation>(paging_operation_count)) == wddm::v3_2);
    CHECK(since(static_cast<paging_operation>(~u32{0})) == wddm::v3_2);
}

}  // namespace operation_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/shapes.hpp>
#include <paging/transfer_model.hpp>

namespace transfer_model_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 20'000 / slow_build_factor;

template <engine_shape const& Shape>
void expect_as_modelled() {
    play_transfers<Shape, mirror::v2_9::dxgkarg_buildpagingbuffer>(seed_of_run(), cases);
}

}  // namespace

TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 1,000 bytes") {
    expect_as_modelled<shapes::below_a_page<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 259 bytes") {
    expect_as_modelled<shapes::far_below_a_page<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 4,095 bytes") {
    expect_as_modelled<shapes::nearly_a_page<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of one page") {
    expect_as_modelled<shapes::one_page<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 8,191 bytes") {
    expect_as_modelled<shapes::odd_one_page<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of two pages") {
    expect_as_modelled<shapes::two_pages<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of three pages") {
    expect_as_modelled<shapes::three_pages<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 255 pages") {
    expect_as_modelled<shapes::pages_255<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 256 pages") {
    expect_as_modelled<shapes::pages_256<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 257 pages") {
    expect_as_modelled<shapes::pages_257<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine of 1,024 pages") {
    expect_as_modelled<shapes::pages_1024<shapes::physical>>();
}
TEST_CASE("OP00-01 OP00-02 OP00-03 OP00-04 OP08-06 model: an engine without a limit") {
    expect_as_modelled<shapes::unlimited<shapes::physical>>();
}

}  // namespace transfer_model_test

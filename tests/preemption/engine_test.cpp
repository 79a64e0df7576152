// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <doctest/doctest.h>
#include <wddmcore/preemption/engine.hpp>

namespace engine_test {
namespace {
using namespace wddmcore;
using namespace wddmcore::preemption;
using machine = engine<4>;

TEST_CASE("INT-07: one completion reports the newest id of all that finished") {
    machine e;
    e.start({stopping::between_buffers, true});
    CHECK(e.submit({{10}, 0, {}, 0}) == only(action::hand_over));
    auto const p = e.next();
    CHECK(p.number == serial{1});
    CHECK(!e.next());
    CHECK(e.submit({{11}, 0, {}, 0}) == only(action::hand_over));
    CHECK(e.next().number == serial{2});
    CHECK(e.completed({2}) == only(action::completed));
    CHECK(e.report().completed == fence_id{11});
}
}  // namespace
}  // namespace engine_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <doctest/doctest.h>
#include <wddmcore/preemption/buffers/user_list.hpp>

#include "../base/expect_both.hpp"

namespace user_list_test {
namespace {

using namespace wddmcore;
using namespace wddmcore::preemption;

/// The application's memory, and a second thread of it that changes what was just read.
struct application {
    u32 memory[4]{1, 2, 3, 4};
    u32 readings[4]{};
    u32 unmapped_from = 4;

    constexpr bool fetch(u32& to, u32 const* from) {
        auto const index = static_cast<u32>(from - memory);
        if (index >= unmapped_from) {
            return false;
        }
        ++readings[index];
        to = memory[index];
        memory[index] = 99;
        return true;
    }
};

constexpr bool is_small(u32 element) { return element < 10; }

constexpr user_list_answer take(application& app, span<u32> room) {
    return take_user_list(
        span<u32 const>{app.memory, 4}, room, [&app](u32& to, u32 const* from) { return app.fetch(to, from); },
        is_small);
}

constexpr bool judged_copy_is_the_used_one() {
    application app;
    u32 room[4]{};
    bool good = take(app, span_of(room)) == user_list_answer{status::success, 4};
    for (u32 i = 0; i != 4; ++i) {
        good = good && room[i] == i + 1 && app.readings[i] == 1;
    }
    return good;
}

TEST_CASE("SPL-17: an element of a user-mode list is read once, and what was judged is what is used") {
    expect_both(judged_copy_is_the_used_one());
}

constexpr user_list_answer with_hole(u32 unmapped_from) {
    application app;
    app.unmapped_from = unmapped_from;
    u32 room[4]{};
    return take(app, span_of(room));
}

TEST_CASE("SPL-17: an exception while reading ends the list at the element that raised it") {
    expect_both(with_hole(0) == user_list_answer{status::invalid_user_buffer, 0});
    expect_both(with_hole(3) == user_list_answer{status::invalid_user_buffer, 3});
}

constexpr bool bad_element_is_refused() {
    application app;
    app.memory[2] = 10;
    u32 room[4]{};
    return take(app, span_of(room)) == user_list_answer{status::invalid_parameter, 2} && app.readings[3] == 0;
}

TEST_CASE("SPL-17: an element that must not be used is refused before another is read") {
    expect_both(bad_element_is_refused());
}

constexpr bool long_list_is_not_read() {
    application app;
    u32 room[3]{};
    user_list_answer answer = user_list_answer{status::success, 0};
    answer = take(app, span_of(room));
    return answer == user_list_answer{status::invalid_parameter, 3} && app.readings[0] == 0 && app.memory[0] == 1;
}

TEST_CASE("SPL-17: a list longer than the driver's room is not read at all, and the element past the room is named") {
    expect_both(long_list_is_not_read());
    expect_both(take_user_list(
                    span<u32 const>{nullptr, 0}, span<u32>{nullptr, 0}, [](u32&, u32 const*) { return false; },
                    is_small) == user_list_answer{status::success, 0});
}

}  // namespace
}  // namespace user_list_test

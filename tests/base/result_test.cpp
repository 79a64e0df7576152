// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/result.hpp>
#include <wddmcore/base/units.hpp>

#include "every_text.hpp"
#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace result_test {

namespace {

using namespace wddmcore;

constexpr errc reasons[] = {errc::misaligned,          errc::out_of_range, errc::overflow,
                            errc::unsupported_version, errc::inconsistent, errc::missing};

TEST_CASE("result: errc is 32 bits, none is 0, and the reasons are distinct") {
    expect_both(std::is_same_v<std::underlying_type_t<errc>, u32>);
    expect_both(static_cast<u32>(errc::none) == 0 && errc{} == errc::none);
    u32 expected = 0;
    for (errc const reason : reasons) {
        CHECK(static_cast<u32>(reason) == ++expected);
    }
    CHECK(expected == 6);
}

TEST_CASE("result: every reason has words") {
    testing::expect_texts(errc::none, errc::missing);
    expect_both(text_of(errc::none)[0] == 0 && text_of(errc::overflow)[0] == 'a');
}

TEST_CASE_TEMPLATE("result: a good one holds its value", T, u8, u16, u32, u64, usize) {
    constexpr T largest = static_cast<T>(~T{0});
    expect_both(good(T{0}).ok() && good(T{0}).get() == 0);
    expect_both(good(largest).ok() && good(largest).get() == largest && good(largest).value == largest);
    expect_both(good(T{1}).error == errc::none);
    expect_both(std::is_same_v<decltype(good(T{1})), result<T>>);
}

TEST_CASE("result: a refusal says its reason and is never good") {
    for (errc const reason : reasons) {
        CHECK_FALSE(refused<u32>(reason).ok());
        CHECK(refused<u32>(reason).error == reason);
        CHECK(refused<bytes>(reason).value == bytes{0});
    }
    expect_both(!refused<u64>(errc::overflow).ok() && refused<u64>(errc::overflow).error == errc::overflow);
    expect_both(std::is_same_v<decltype(refused<bytes>(errc::missing)), result<bytes>>);
}

TEST_CASE("result: is written as an aggregate too") {
    expect_both(result<u32>{7, errc::none}.get() == 7 && result<u32>{7, errc::none}.ok());
    expect_both(!result<u32>{{}, errc::misaligned}.ok());
    expect_both(std::is_aggregate_v<result<bytes>> && std::is_trivially_copyable_v<result<bytes>>);
    expect_both(sizeof(result<u32>) == 8 && sizeof(result<bytes>) == 16);
}

TEST_CASE("result: get gives the value itself, not a copy") {
    result<bytes> const answer = good(bytes{5});
    CHECK(&answer.get() == &answer.value);
    expect_both(std::is_same_v<decltype(answer.get()), bytes const&>);
}

template <errc Reason>
concept value_can_be_taken = requires { typename meta::constant<result<u32>{7, Reason}.get()>; };

TEST_CASE("result: taking the value of a refusal is no constant expression") {
    expect_both(value_can_be_taken<errc::none>);
    expect_both(!value_can_be_taken<errc::misaligned> && !value_can_be_taken<errc::missing>);
}

}  // namespace

}  // namespace result_test

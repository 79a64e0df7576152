// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// Broken promises at run time. A build that brings its own hook is tested with that one; else this file brings one, and
// its instances of the library live in the inline namespace of checked builds, apart from those of every other file.
#if defined(WDDMCORE_ASSERT)
#    define base_test_hook_of_build 1
#else
#    define base_test_hook_of_build 0
namespace base_test {
void judge(bool holds) noexcept;
}
#    define WDDMCORE_ASSERT(condition) base_test::judge(condition)
#endif

#include <wddmcore/base/result.hpp>
#include <wddmcore/base/span.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#if base_test_hook_of_build && __has_include(<sys/wait.h>)
#    include <csignal>
#    include <initializer_list>
#    include <sys/wait.h>
#    include <unistd.h>
#endif

using namespace wddmcore;

namespace {

TEST_CASE("assert: checked builds keep to a namespace of their own") {
    // Inline functions of one name must not have two bodies in one program.
    CHECK(std::is_same_v<errc, wddmcore::v0_checked::errc>);
    CHECK(std::string(WDDMCORE_MODE_TEXT).ends_with(" checked"));
}

}  // namespace

#if !base_test_hook_of_build

namespace base_test {

u32 asked = 0;
u32 broken = 0;

void judge(bool holds) noexcept {
    ++asked;
    broken += !holds;
}

}  // namespace base_test

namespace {

/// Whether an action keeps its promises, of which it must make at least one.
template <class Action>
bool keeps_its_promises(Action action) {
    base_test::asked = 0;
    base_test::broken = 0;
    action();
    CHECK(base_test::asked > 0);
    return base_test::broken == 0;
}

TEST_CASE("assert: the hook hears every promise, kept or broken") {
    CHECK(keeps_its_promises([] { promise(true); }));
    CHECK_FALSE(keeps_its_promises([] { promise(false); }));
    CHECK_FALSE(keeps_its_promises([] {
        promise(false);
        promise(true);
    }));
}

TEST_CASE("result: taking the value of a refusal breaks a promise") {
    CHECK(keeps_its_promises([] { static_cast<void>(good(u32{1}).get()); }));
    CHECK_FALSE(keeps_its_promises([] { static_cast<void>(refused<u32>(errc::missing).get()); }));
}

TEST_CASE("span: leaving it breaks a promise") {
    // Two of four elements: the reads beyond the span stay inside the array.
    static u32 const words[] = {1, 2, 3, 4};
    static span<u32 const> const pair{words + 1, 2};
    CHECK(keeps_its_promises([] { static_cast<void>(pair[1]); }));
    CHECK_FALSE(keeps_its_promises([] { static_cast<void>(pair[2]); }));
    CHECK(keeps_its_promises([] { static_cast<void>(pair.first(2)); }));
    CHECK_FALSE(keeps_its_promises([] { static_cast<void>(pair.first(3)); }));
    CHECK(keeps_its_promises([] { static_cast<void>(pair.last(2)); }));
    CHECK(keeps_its_promises([] { static_cast<void>(pair.sub(1, 1)); }));
    CHECK_FALSE(keeps_its_promises([] { static_cast<void>(pair.sub(1, 2)); }));
    CHECK_FALSE(keeps_its_promises([] { static_cast<void>(pair.sub(3, 0)); }));
}

}  // namespace

#elif __has_include(<sys/wait.h>)

namespace {

/// Whether a promise ends a process of its own before it comes to its last line.
bool stops(bool holds) {
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        for (int const signal_number : {SIGILL, SIGTRAP, SIGABRT, SIGSEGV}) {
            std::signal(signal_number, SIG_DFL);
        }
        promise(holds);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

TEST_CASE("assert: the hook of this build stops at a broken promise only") {
    bool volatile holds = true;
    CHECK_FALSE(stops(holds));
    holds = false;
    CHECK(stops(holds));
}

}  // namespace

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/guarded/buffer.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#if __has_include(<sys/wait.h>)
#    include <csignal>
#    include <sys/resource.h>
#    include <sys/wait.h>
#    include <unistd.h>
#endif

using namespace wddmcore::testing;

namespace {

// Whether touching a byte kills a process; only asked where guards are real.
template <class Touch>
bool kills(Touch const& touch) {
#if __has_include(<sys/wait.h>)
    pid_t const child = ::fork();
    if (child == 0) {
        struct rlimit const none{};
        ::setrlimit(RLIMIT_CORE, &none);
        ::signal(SIGSEGV, SIG_DFL);
        ::signal(SIGBUS, SIG_DFL);
        touch();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status);
#else
    static_cast<void>(touch);
    return true;
#endif
}

bool load_kills(std::byte const* at) {
    return kills([at] { static_cast<void>(*const_cast<std::byte const volatile*>(at)); });
}

bool store_kills(std::byte* at) {
    return kills([at] { *const_cast<std::byte volatile*>(at) = std::byte{1}; });
}

}  // namespace

TEST_CASE("DESIGN 8: an object ends at an inaccessible page, to the byte") {
    for (std::size_t const size : {1U, 3U, 64U, 4095U, 4096U, 4097U, 70'000U}) {
        CAPTURE(size);
        guarded_buffer const b(size);
        REQUIRE(b.bytes().size() == size);
        b.data()[0] = std::byte{1};
        b.data()[size - 1] = std::byte{2};
        CHECK(b.intact());
        if (b.guarded()) {
            CHECK(load_kills(b.data() + size));
            CHECK(store_kills(b.data() + size));
            CHECK_FALSE(load_kills(b.data() + size - 1));
        }
    }
}

TEST_CASE("DESIGN 8: an object may begin at an inaccessible page instead") {
    guarded_buffer const b(100, {.side = guarded_side::start});
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % 4096 == 0);
    if (b.guarded()) {
        CHECK(load_kills(b.data() - 1));
        CHECK(store_kills(b.data() - 1));
        CHECK_FALSE(store_kills(b.data()));
    }
    b.data()[99] = ~b.data()[99];
    CHECK(b.intact());
    b.data()[100] = ~b.data()[100];
    CHECK_FALSE(b.intact());
}

TEST_CASE("DESIGN 8: stores at the loose end are found afterwards") {
    guarded_buffer const b(100);
    std::byte* const before = b.data() - 1;
    *before = ~*before;
    CHECK_FALSE(b.intact());
    *before = ~*before;
    CHECK(b.intact());
}

TEST_CASE("DESIGN 8: fresh memory is junk, a function of seed and place") {
    guarded_buffer const a(5000, {.seed = 7});
    guarded_buffer const same(5000, {.seed = 7});
    guarded_buffer const other(5000, {.seed = 8});
    std::size_t equal = 0;
    std::size_t zero = 0;
    for (std::size_t i = 0; i < 5000; ++i) {
        REQUIRE(a.data()[i] == same.data()[i]);
        REQUIRE(a.data()[i] == a.fresh(i));
        equal += a.data()[i] == other.data()[i] ? 1U : 0U;
        zero += a.data()[i] == std::byte{} ? 1U : 0U;
    }
    CHECK(equal < 100);  // about 5000 / 256
    CHECK(zero < 100);
}

TEST_CASE("DESIGN 8: what is retired faults, and its addresses go to nobody else") {
    guarded_buffer b(6000);
    std::byte* const first = b.data();
    b.retire();
    b.retire();
    CHECK(b.retired());
    CHECK(b.intact());
    CHECK(b.data() == first);
    if (b.guarded()) {
        CHECK(load_kills(first));
        CHECK(store_kills(first + 5999));
    }
    std::vector<guarded_buffer> others;
    for (int i = 0; i < 64; ++i) {
        others.emplace_back(6000U);
        bool const apart = others.back().data() >= first + 6000 || others.back().data() + 6000 <= first;
        CHECK(apart);
    }
}

TEST_CASE("DESIGN 8: a damaged buffer stays damaged when it is retired") {
    guarded_buffer b(10);
    b.data()[-1] = ~b.data()[-1];
    b.retire();
    CHECK_FALSE(b.intact());
}

TEST_CASE("DESIGN 8: without page protection, patterns tell about stores outside") {
    for (guarded_side const side : {guarded_side::end, guarded_side::start}) {
        for (std::ptrdiff_t const outside : {-2, -1, 1000, 1001}) {
            CAPTURE(outside);
            guarded_buffer const b(1000, {.side = side, .plain = true});
            CHECK_FALSE(b.guarded());
            b.data()[0] = std::byte{1};
            b.data()[999] = std::byte{1};
            CHECK(b.intact());
            b.data()[outside] = ~b.data()[outside];
            CHECK_FALSE(b.intact());
        }
    }
}

TEST_CASE("DESIGN 8: without page protection, patterns tell about stores after the time") {
    guarded_buffer b(1000, {.plain = true});
    std::byte const before = b.data()[500];
    b.retire();
    CHECK(b.data()[500] != before);  // whoever still reads sees something else, if only by chance not everywhere
    CHECK(b.intact());
    b.data()[500] = ~b.data()[500];
    CHECK_FALSE(b.intact());
}

TEST_CASE("DESIGN 8: a buffer can be empty, and it can move without its bytes moving") {
    guarded_buffer const empty(0);
    CHECK(empty.bytes().empty());
    CHECK(empty.intact());
    if (empty.guarded()) {
        CHECK(load_kills(empty.data()));
    }
    guarded_buffer first(20);
    std::byte* const at = first.data();
    at[3] = std::byte{77};
    guarded_buffer const second(std::move(first));
    CHECK(second.data() == at);
    CHECK(second.data()[3] == std::byte{77});
    CHECK(second.intact());
}

TEST_CASE(
    "DESIGN 8: pages that had an owner before are zero, may be written, and have guards, whatever their owner did") {
    std::size_t const page = guarded_host::page_bytes();
    std::size_t kept = 0;
    std::size_t again = 0;
    for (std::size_t const count : {1U, 3U, 32U, 33U}) {
        for (int what = 0; what < 5; ++what) {
            CAPTURE(count);
            CAPTURE(what);
            std::byte* before = nullptr;
            {
                guarded_pages const first(count * page, page, guarded_source::kept);
                before = first.begin();
                std::fill_n(before, first.size(), std::byte{0x5A});
                bool done = true;
                switch (first.protects() ? what : 0) {
                    case 1: done = first.allow(before, page, guarded_access::none); break;
                    case 2: done = first.allow(before - page, page, guarded_access::write); break;
                    case 3: done = first.allow(before + first.size(), page, guarded_access::write); break;
                    case 4: done = first.close(); break;
                    default: break;
                }
                CHECK(done);
                kept += what == 0 && first.protects() && first.size() <= guarded_kept::most_bytes ? 1U : 0U;
            }
            guarded_pages const second(count * page, page, guarded_source::kept);
            again += second.begin() == before ? 1U : 0U;
            REQUIRE(std::all_of(second.begin(), second.begin() + second.size(),
                                [](std::byte b) { return b == std::byte{}; }));
            CHECK_FALSE(store_kills(second.begin()));
            CHECK_FALSE(store_kills(second.begin() + second.size() - 1));
            if (second.protects()) {
                CHECK(store_kills(second.begin() - 1));
                CHECK(store_kills(second.begin() + second.size()));
            }
        }
    }
    CHECK(again >= kept);
}

TEST_CASE("DESIGN 8: pages that show another object's are not kept for the next owner") {
    std::size_t const page = guarded_host::page_bytes();
    guarded_pages const shown(page, page, guarded_source::shared);
    shown.begin()[0] = std::byte{0x77};
    {
        guarded_pages view(page, page, guarded_source::kept);
        bool const shows = view.overlay(0, page, shown, 0);
        CHECK(shows == (shown.file() >= 0));
        CHECK(view.begin()[0] == (shows ? std::byte{0x77} : std::byte{}));
    }
    guarded_pages const next(page, page, guarded_source::kept);
    next.begin()[0] = std::byte{1};
    CHECK(shown.begin()[0] == std::byte{0x77});
}

TEST_CASE("DESIGN 8: what a driver gets, and what was retired, faults when its owner is gone") {
    std::byte* of_buffer = nullptr;
    std::byte* of_retired = nullptr;
    std::byte* of_pages = nullptr;
    bool faults = true;
    {
        guarded_buffer const b(100, {.alone = true});
        guarded_buffer retired(5000);
        retired.retire();
        guarded_pages const pages(4096, 1, guarded_source::own);
        of_buffer = b.data();
        of_retired = retired.data();
        of_pages = pages.begin();
        faults = b.guarded() && pages.protects();
        CHECK(b.intact());
    }
    if (faults) {
        CHECK(store_kills(of_buffer));
        CHECK(store_kills(of_retired));
        CHECK(load_kills(of_pages));
    }
}

TEST_CASE("DESIGN 8: memory that is taken at once is what it would be page by page") {
    for (guarded_source const source : {guarded_source::own, guarded_source::shared, guarded_source::heap}) {
        guarded_pages const pages(std::size_t{3} << 20, 1, source);
        pages.begin()[5] = std::byte{9};
        pages.populate();
        CHECK(pages.begin()[5] == std::byte{9});
        CHECK((reinterpret_cast<std::uintptr_t>(pages.begin()) % guarded_host::large_page_bytes == 0 ||
               !pages.protects()));
        CHECK(
            std::all_of(pages.begin() + 6, pages.begin() + pages.size(), [](std::byte b) { return b == std::byte{}; }));
        if (pages.protects()) {
            CHECK(store_kills(pages.begin() - 1));
            CHECK(store_kills(pages.begin() + pages.size()));
        }
    }
}

TEST_CASE("DESIGN 8: memory nobody has is refused") {
    CHECK_THROWS_AS(guarded_buffer(~std::size_t{0}), std::bad_alloc);
    CHECK_THROWS_AS(guarded_buffer(~std::size_t{0}, {.plain = true}), std::bad_alloc);
    if (guarded_host::possible) {
        CHECK_THROWS_AS(guarded_pages(~std::size_t{0} / 8, 1, guarded_source::own), std::bad_alloc);
        CHECK_THROWS_AS(guarded_pages(~std::size_t{0} / 8, 1, guarded_source::shared), std::bad_alloc);
    }
}

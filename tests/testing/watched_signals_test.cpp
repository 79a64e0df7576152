// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/watched/buffer.hpp>

#include "watched_code.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <thread>

using namespace wddmcore::testing;

#if defined(__x86_64__) && defined(__linux__)

#    include <csignal>
#    include <sys/resource.h>
#    include <sys/wait.h>
#    include <unistd.h>

namespace {

// Runs code in a process of its own and returns how that ended.
template <class Code>
int status_of(Code const& code) {
    pid_t const child = ::fork();
    if (child == 0) {
        struct rlimit const none{};
        ::setrlimit(RLIMIT_CORE, &none);
        code();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

void leave_plain(int signal) { ::_exit(40 + (signal == SIGSEGV ? 0 : 1)); }

std::byte* expected_address = nullptr;

void leave_informed(int, siginfo_t* info, void*) { ::_exit(info->si_addr == expected_address ? 50 : 51); }

void set_informed(int signal) {
    struct sigaction action{};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = leave_informed;
    ::sigaction(signal, &action, nullptr);
}

// A place that faults and is nobody's watched buffer.
std::byte* forbidden() {
    static guarded_buffer place(64);
    place.retire();
    return place.data();
}

}  // namespace

TEST_CASE("law 4: somebody else's fault goes to whoever had the signal before") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    std::byte* const bad = forbidden();
    auto const crash = [&b, bad] {
        if (b.arm(0, 64)) {
            watched_code::store32(b.data(), 1);
            watched_code::store32(bad, 1);
        }
    };
    int const plain = status_of([&] {
        ::signal(SIGSEGV, leave_plain);
        crash();
    });
    CHECK((WIFEXITED(plain) && WEXITSTATUS(plain) == 40));
    int const informed = status_of([&] {
        expected_address = bad;
        set_informed(SIGSEGV);
        crash();
    });
    CHECK((WIFEXITED(informed) && WEXITSTATUS(informed) == 50));
    int const default_action = status_of([&] {
        ::signal(SIGSEGV, SIG_DFL);
        crash();
    });
    CHECK((WIFSIGNALED(default_action) && WTERMSIG(default_action) == SIGSEGV));
    int const ignored = status_of([&] {
        ::signal(SIGSEGV, SIG_IGN);
        crash();
    });
    CHECK((WIFSIGNALED(ignored) && WTERMSIG(ignored) == SIGSEGV));
}

TEST_CASE("law 4: a jump into the buffer is no access but a crash") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    int const status = status_of([&] {
        expected_address = b.data();
        set_informed(SIGSEGV);
        if (b.arm(0, 64)) {
            asm volatile("call *%0" ::"r"(b.data()) : "memory");
        }
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 50));
}

TEST_CASE("law 4: another thread's access is a crash") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    int const status = status_of([&] {
        expected_address = b.data();
        set_informed(SIGSEGV);
        if (b.arm(0, 64)) {
            std::thread([&b] { watched_code::store32(b.data(), 1); }).join();
        }
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 50));
}

TEST_CASE("law 4: a fault inside a watched instruction goes on too") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    std::byte* const bad = forbidden();
    int const status = status_of([&] {
        expected_address = bad;
        set_informed(SIGSEGV);
        if (b.arm(0, 64)) {
            watched_code::copy32(bad, b.data(), 1);  // loads from the buffer, then stores where nothing is
        }
    });
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 50));
}

TEST_CASE("law 4: traps and sent signals that are not ours go on") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    int const trapped = status_of([&] {
        ::signal(SIGTRAP, leave_plain);
        if (b.arm(0, 64)) {
            asm volatile("int3");
        }
    });
    CHECK((WIFEXITED(trapped) && WEXITSTATUS(trapped) == 41));
    int const killed = status_of([&] {
        ::signal(SIGTRAP, SIG_DFL);
        if (b.arm(0, 64)) {
            asm volatile("int3");
        }
    });
    CHECK((WIFSIGNALED(killed) && WTERMSIG(killed) == SIGTRAP));
    int const sent = status_of([&] {
        ::signal(SIGSEGV, SIG_DFL);
        if (b.arm(0, 64)) {
            ::raise(SIGSEGV);
        }
    });
    CHECK((WIFSIGNALED(sent) && WTERMSIG(sent) == SIGSEGV));
    int const unheard = status_of([&] {
        ::signal(SIGSEGV, SIG_IGN);
        if (b.arm(0, 64)) {
            ::raise(SIGSEGV);
            watched_code::store32(b.data(), 1);
            b.disarm();
            ::_exit(b.accesses().size() == 1 ? 60 : 61);
        }
    });
    CHECK((WIFEXITED(unheard) && WEXITSTATUS(unheard) == 60));
}

TEST_CASE("law 4: after disarming, the signals belong to whoever had them, and the mask is as before") {
    watched_buffer b(64);
    if (!b.watching()) {
        CHECK(b.accesses().empty());
        return;
    }
    struct sigaction before{};
    ::sigaction(SIGSEGV, nullptr, &before);
    sigset_t masked;
    ::sigemptyset(&masked);
    ::sigaddset(&masked, SIGUSR1);
    ::sigaddset(&masked, SIGTRAP);  // even blocked, the step's own trap arrives
    sigset_t old;
    ::sigprocmask(SIG_SETMASK, &masked, &old);
    REQUIRE(b.arm(0, 64));
    watched_code::store128(b.data(), 1);
    b.disarm();
    sigset_t now;
    ::sigprocmask(SIG_SETMASK, &old, &now);
    CHECK(::sigismember(&now, SIGUSR1) == 1);
    CHECK(::sigismember(&now, SIGTRAP) == 1);
    CHECK(::sigismember(&now, SIGALRM) == 0);
    CHECK(b.accesses().size() == 1);
    ::sigaddset(&masked, SIGSEGV);
    ::sigprocmask(SIG_SETMASK, &masked, nullptr);
    bool const armed_blind = b.arm(0, 64);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    CHECK_FALSE(armed_blind);  // a fault that cannot be delivered would end the process
    struct sigaction after{};
    ::sigaction(SIGSEGV, nullptr, &after);
    CHECK((before.sa_sigaction == after.sa_sigaction));
}

TEST_CASE("law 4: a read-modify-write that no table knows is found by its effect") {
    watched_buffer b(64);
    std::uint32_t const start = 0x0F0F'0101;
    std::memcpy(b.data() + 8, &start, 4);
    REQUIRE(b.arm(0, 64));
    watched_code::store32(b.data(), 1);
    // ADD of 16 bits behind a prefix in a place where it means nothing: the processor does not mind.
    asm volatile(".byte 0x48, 0x66, 0x01, 0x03" ::"b"(b.data() + 8), "a"(0x0203) : "memory", "cc");
    b.disarm();
    std::uint32_t now = 0;
    std::memcpy(&now, b.data() + 8, 4);
    CHECK(now == 0x0F0F'0304);
    if (b.watching()) {
        REQUIRE(b.accesses().size() == 3);
        for (std::size_t const i : {1U, 2U}) {
            CHECK(b.accesses()[i].offset == 8);
            CHECK(b.accesses()[i].size == 2);
            CHECK(b.accesses()[i].kind == (i == 1 ? watched_kind::read : watched_kind::write));
        }
    }
}

TEST_CASE("law 4: a load that no table knows is one byte at least") {
    watched_buffer b(64);
    REQUIRE(b.arm(0, 64));
    asm volatile("fildl 12(%0); fstp %%st(0)" ::"r"(b.data()) : "memory");
    b.disarm();
    if (b.watching()) {
        REQUIRE(b.accesses().size() == 1);
        CHECK(b.accesses()[0].offset == 12);
        CHECK(b.accesses()[0].size == 1);
        CHECK(b.accesses()[0].kind == watched_kind::read);
    }
}

TEST_CASE("law 4: a cache line may be flushed, which is neither a load nor a store") {
    watched_buffer b(64);
    REQUIRE(b.arm(0, 64));
    asm volatile("clflush (%0)" ::"r"(b.data()) : "memory");
    b.disarm();
    CHECK(b.accesses().empty());
}

TEST_CASE("law 4: registers, flags and the x87 stack survive being stepped") {
    watched_buffer b(64);
    REQUIRE(b.arm(0, 64));
    std::uint64_t flags = 0;
    asm volatile("stc; movups %%xmm1, (%1); pushfq; popq %0" : "=r"(flags) : "r"(b.data()) : "memory", "cc");
    double kept = 0;
    double const one = 1.5;
    double const two = 2.5;
    asm volatile("fldl %2; fldl %3; fstpl (%1); fstpl %0"
                 : "=m"(kept)
                 : "r"(b.data() + 16), "m"(one), "m"(two)
                 : "memory");
    b.disarm();
    CHECK((flags & 0x101) == 1);
    CHECK(kept == 1.5);
    double stored = 0;
    std::memcpy(&stored, b.data() + 16, 8);
    CHECK(stored == 2.5);
    CHECK((!b.watching() || b.accesses().size() == 2));
}

#else

TEST_CASE("law 4: where nothing can be watched, no signal is touched") {
    watched_buffer b(64);
    CHECK_FALSE(watched_buffer::available());
    CHECK(b.arm(0, 64));
    watched_code::store32(b.data(), 1);
    b.disarm();
    CHECK(b.accesses().empty());
}

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// What a forked child executed counts for its parent: a child that ends with _exit writes no profile of its own.
// Linked into the test programs of stage coverage with --wrap=fork, --wrap=_exit and --wrap=waitpid.
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

extern "C" {

// The profile runtime of clang.
char* __llvm_profile_begin_counters();
char* __llvm_profile_end_counters();
char* __llvm_profile_begin_bitmap();
char* __llvm_profile_end_bitmap();
void __llvm_profile_reset_counters();

pid_t __real_fork();
pid_t __real_waitpid(pid_t process, int* status, int options);
[[noreturn]] void __real__exit(int code);

pid_t __wrap_fork();
pid_t __wrap_waitpid(pid_t process, int* status, int options);
[[noreturn]] void __wrap__exit(int code);

}  // extern "C"

namespace {

struct shared_profile {
    std::uint64_t* counters;
    unsigned char* bits;
};

[[nodiscard]] std::size_t counter_count() {
    return static_cast<std::size_t>(__llvm_profile_end_counters() - __llvm_profile_begin_counters()) /
           sizeof(std::uint64_t);
}
[[nodiscard]] std::size_t bit_bytes() {
    return static_cast<std::size_t>(__llvm_profile_end_bitmap() - __llvm_profile_begin_bitmap());
}
[[nodiscard]] std::uint64_t* own_counters() {
    return reinterpret_cast<std::uint64_t*>(__llvm_profile_begin_counters());
}
[[nodiscard]] unsigned char* own_bits() { return reinterpret_cast<unsigned char*>(__llvm_profile_begin_bitmap()); }

[[nodiscard]] shared_profile make_shared_profile() {
    std::size_t const counters = counter_count() * sizeof(std::uint64_t);
    void* const place =
        ::mmap(nullptr, counters + bit_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) {
        __builtin_trap();
    }
    return {static_cast<std::uint64_t*>(place), static_cast<unsigned char*>(place) + counters};
}

[[nodiscard]] shared_profile const& shared() {
    static shared_profile const here = make_shared_profile();
    return here;
}

bool is_child = false;

}  // namespace

extern "C" pid_t __wrap_fork() {
    static_cast<void>(shared());
    pid_t const process = __real_fork();
    if (process == 0) {
        is_child = true;
        __llvm_profile_reset_counters();
    }
    return process;
}

// Async-signal-safe: children also leave from a signal's handler.
extern "C" void __wrap__exit(int code) {
    if (is_child) {
        shared_profile const& all = shared();
        for (std::size_t i = 0; i < counter_count(); ++i) {
            all.counters[i] += own_counters()[i];
        }
        for (std::size_t i = 0; i < bit_bytes(); ++i) {
            all.bits[i] = static_cast<unsigned char>(all.bits[i] | own_bits()[i]);
        }
    }
    __real__exit(code);
}

extern "C" pid_t __wrap_waitpid(pid_t process, int* status, int options) {
    pid_t const ended = __real_waitpid(process, status, options);
    if (ended > 0) {
        shared_profile const& all = shared();
        for (std::size_t i = 0; i < counter_count(); ++i) {
            own_counters()[i] += all.counters[i];
            all.counters[i] = 0;
        }
        for (std::size_t i = 0; i < bit_bytes(); ++i) {
            own_bits()[i] = static_cast<unsigned char>(own_bits()[i] | all.bits[i]);
            all.bits[i] = 0;
        }
    }
    return ended;
}

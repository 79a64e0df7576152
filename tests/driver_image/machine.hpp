// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/kernel/services.hpp>

#include <doctest/doctest.h>

#if defined(__x86_64__) && defined(__linux__)

#    include <memory>
#    include <sys/wait.h>

/// A kernel for one test, and one for what stops it.
namespace driver_image_tests {

using wddmcore::testing::kernel_record;
using wddmcore::testing::kernel_parts::kernel_options;
using wddmcore::testing::kernel_parts::kernel_system;

[[nodiscard]] inline std::string line_of(kernel_record const& record, std::size_t index) {
    auto const all = record.findings.all();
    return index < all.size() ? all[index].rule + ": " + all[index].sentence : std::string();
}

struct machine {
    std::unique_ptr<kernel_record> record = std::make_unique<kernel_record>();
    kernel_system kernel;
    explicit machine(kernel_options const& options = {}) : kernel(*record, options) {}

    [[nodiscard]] std::string found(std::size_t index) const { return line_of(*record, index); }
};

/// How a process ends that does this, and what it leaves in the record.
template <class Work>
[[nodiscard]] std::string ended(Work const& work) {
    void* const memory =
        ::mmap(nullptr, sizeof(kernel_record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto& record = *new (memory) kernel_record{};
    pid_t const process = ::fork();
    if (process == 0) {
        auto const kernel = std::make_unique<kernel_system>(record, kernel_options{});
        work(*kernel);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(process, &status, 0);
    std::string const first = line_of(record, 0);
    std::string const out = first.empty() ? "exit " + std::to_string(WEXITSTATUS(status)) : first;
    ::munmap(memory, sizeof(kernel_record));
    return out;
}

}  // namespace driver_image_tests

#endif

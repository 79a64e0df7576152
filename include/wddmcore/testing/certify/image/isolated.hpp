// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../collect.hpp"
#include "run.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <sys/wait.h>

/// Runs of an image in processes of their own, whatever becomes of them.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What a run in a process of its own came to.
struct isolated_run {
    std::vector<vidmm_violation> findings;
    result told;
    std::string ending;  ///< of one that did not come to its end: how, in which call
};

/// A run in a process of its own, whatever becomes of it.
template <class Work>
[[nodiscard]] isolated_run play_isolated(Work const& work) {
    void* const memory =
        ::mmap(nullptr, sizeof(kernel_record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    auto& record = *new (memory) kernel_record{};
    pid_t const process = ::fork();
    if (process == 0) {
        vidmm_parts::journal::current().also_write_to(record.detail);
        vidmm_parts::findings_of_this_process() = &record.findings;
        try {
            work(record);
        } catch (std::exception const& e) {
            record.findings.add("NOT PLAYED", e.what(), record.call);
        }
        ::_exit(0);
    }
    int status = 0;
    bool const ended = process > 0 && ::waitpid(process, &status, 0) == process;
    std::vector<vidmm_violation> findings = record.findings.all();
    std::string last_call = std::string(record.call[0] != '\0' ? record.call : "no call") +
                            (record.thread[0] != '\0' ? std::string(", ") + record.thread : "");
    // The simulator describes each call that builds; of another one it may be an old description.
    bool const described = std::string("DxgkDdiBuildPagingBuffer") == record.call || record.call[0] == '\0';
    if (described && record.detail[0] != '\0') {
        last_call += std::string(" (") + record.detail + ')';
    }
    bool const alarmed = WIFEXITED(status) && WEXITSTATUS(status) == 4;
    bool const hung =
        std::any_of(findings.begin(), findings.end(), [](auto const& f) { return f.rule == crash_id::hang; });
    std::string how = record.finished ? "" : alarmed || hung ? "hung in " : "stopped in ";
    if (WIFSIGNALED(status)) {
        how = "crashed in ";
        findings.push_back(
            {crash_id::crash, "the process was ended by signal " + std::to_string(WTERMSIG(status)), last_call});
    }
    result told = result::read(record.text);
    ::munmap(memory, sizeof(kernel_record));
    if (!ended) {
        throw std::runtime_error("no process");
    }
    return {std::move(findings), std::move(told), how.empty() ? how : how + last_call};
}

/// The same as a scenario of a report.
template <class Work>
void add_isolated(certified_report& to, char const* name, char const* about, certified_options const& o,
                  Work const& work) {
    isolated_run played = play_isolated(work);
    add(to, {name, about, {}, std::move(played.ending), {}, {}, {}}, played.findings, std::move(played.told), o);
}

}  // namespace wddmcore::testing::certify_parts

#endif

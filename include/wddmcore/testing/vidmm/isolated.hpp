// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "manager.hpp"

#include <chrono>
#include <exception>

#if __has_include(<sys/mman.h>)
#    include <csignal>
#    include <cstdlib>
#    include <sys/mman.h>
#    include <sys/time.h>
#    include <sys/wait.h>
#    include <unistd.h>
#endif

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// How an isolated run ended.
struct vidmm_verdict {
    enum class ending : std::uint8_t {
        finished,  ///< the scenario returned; `violations` is its report
        crashed,   ///< the driver or the engine touched what it must not
        hung,      ///< the time was over
    };
    ending how = ending::finished;
    /// What the scenario found, in order; a crash or a hang is the last of it, with its explanation or a `crash_id`.
    std::vector<vidmm_violation> violations;
    std::string last_call;  ///< the last call of the driver or the engine
    std::string text;       ///< the report in words, when finished
};

namespace vidmm_parts {

/// What a child process leaves behind, in memory that both see.
struct last_words {
    static constexpr std::size_t text_size = 1 << 18;

    char last_call[journal::text_size];
    char rule[16];  ///< of the crash
    char sentence[200];
    kept_findings findings;
    char text[text_size];  ///< the report in words
    bool finished;
};

inline void keep(char* to, std::size_t size, std::string const& from) { std::snprintf(to, size, "%s", from.c_str()); }

/// What becomes of a report of any kind: its findings were kept when they were made.
template <class Report>
void keep_report(last_words& words, Report const& report) {
    keep(words.text, last_words::text_size, report.text());
    words.finished = true;
}

#if __has_include(<sys/mman.h>)

[[nodiscard]] inline last_words*& words_of_this_process() {
    static last_words* words = nullptr;
    return words;
}

// A pointer whose upper bits are neither all clear nor all set: the processor does not tell its number, which reads as
// 0.
[[nodiscard]] inline bool is_without_address(siginfo_t const& info) {
#    if defined(SI_KERNEL)
    return info.si_code == SI_KERNEL;
#    else
    return info.si_code <= 0;
#    endif
}

// The process is about to end anyway; only fixed memory is used.
inline void on_crash(int number, siginfo_t* info, void*) {
    last_words& words = *words_of_this_process();
    if (number == SIGSEGV || number == SIGBUS) {
        journal::finding found;
        if (!is_without_address(*info)) {
            found = journal::current().explain(info->si_addr);
        }
        std::snprintf(words.rule, sizeof words.rule, "%s", found.rule);
        std::snprintf(words.sentence, sizeof words.sentence, "%s", found.sentence.data());
    } else {
        char const* const what = number == SIGABRT  ? "the driver aborted"
                                 : number == SIGFPE ? "an arithmetic fault, such as a division by zero"
                                 : number == SIGILL ? "an instruction that the processor refuses"
                                                    : "a trap";
        std::snprintf(words.rule, sizeof words.rule, "%s", crash_id::crash);
        std::snprintf(words.sentence, sizeof words.sentence, "%s", what);
    }
    ::_exit(3);
}

template <class Scenario>
[[noreturn]] void child(last_words& words, Scenario const& scenario, std::chrono::milliseconds limit) {
    words_of_this_process() = &words;
    journal::current().also_write_to(words.last_call);
    findings_of_this_process() = &words.findings;
    static std::byte stack[1 << 16];
    stack_t alternate{};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    ::sigaltstack(&alternate, nullptr);
    struct sigaction action{};
    action.sa_sigaction = &on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int const number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) {
        ::sigaction(number, &action, nullptr);
    }
    ::signal(SIGALRM, SIG_DFL);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<decltype(timer.it_value.tv_sec)>(limit.count() / 1000);
    timer.it_value.tv_usec = static_cast<decltype(timer.it_value.tv_usec)>(limit.count() % 1000 * 1000);
    ::setitimer(ITIMER_REAL, &timer, nullptr);
    try {
        keep_report(words, scenario());
    } catch (std::exception const& e) {
        std::snprintf(words.rule, sizeof words.rule, "%s", crash_id::crash);
        std::snprintf(words.sentence, sizeof words.sentence, "%s", e.what());
        ::_exit(3);
    }
    ::_exit(0);
}

#endif

}  // namespace vidmm_parts

/// Runs a scenario in a process of its own where the host can: a crash or a hang is a verdict, with the last call.
///
/// Without fork the scenario runs in this process, and a crash is a crash.
/// @param scenario  a function that makes a vidmm, runs it and returns its report, by value or reference
/// @param limit     time after which the run counts as hung
/// @return how it ended
/// @throws std::runtime_error  the host gave no process or no memory
template <class Scenario>
[[nodiscard]] vidmm_verdict run_isolated(Scenario const& scenario,
                                         std::chrono::milliseconds limit = std::chrono::milliseconds(10'000)) {
    using namespace vidmm_parts;
    vidmm_verdict verdict;
#if __has_include(<sys/mman.h>)
    void* const shared = ::mmap(nullptr, sizeof(last_words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        throw std::runtime_error("run_isolated: no shared memory");
    }
    auto& words = *new (shared) last_words{};
    pid_t const process = ::fork();
    if (process == 0) {
        child(words, scenario, limit);
    }
    int status = 0;
    bool const ended = process > 0 && ::waitpid(process, &status, 0) == process;
    verdict.last_call = words.last_call;
    verdict.text = words.text;
    verdict.violations = words.findings.all();
    if (!words.finished && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        verdict.how = vidmm_verdict::ending::hung;
        verdict.violations.push_back({crash_id::hang, "the call does not come back", words.last_call});
    } else if (!words.finished) {
        verdict.how = vidmm_verdict::ending::crashed;
        bool const told = words.rule[0] != '\0';
        verdict.violations.push_back({told ? words.rule : crash_id::crash,
                                      told ? words.sentence : "the process ended in the middle", words.last_call});
    }
    ::munmap(shared, sizeof(last_words));
    if (!ended) {
        throw std::runtime_error("run_isolated: no process");
    }
#else
    auto const words = std::make_unique<last_words>();
    static_cast<void>(limit);
    findings_of_this_process() = &words->findings;
    keep_report(*words, scenario());
    findings_of_this_process() = nullptr;
    verdict.violations = words->findings.all();
    verdict.text = words->text;
    verdict.last_call = journal::current().last_call();
#endif
    return verdict;
}

}  // namespace wddmcore::testing

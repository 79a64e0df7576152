// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// The main function of a test program that has mutants: it runs the test cases once to see which of them reach which
// mutant, then, for each mutant asked for, those test cases in a process of its own, the short ones first, until one fails.
// A case that takes far longer than without a mutant has failed.
//
//     test_NAME NUMBERS-FILE RESULT-FILE JOBS LONGEST [SOURCES]
//
// Cases that take more than LONGEST seconds without a mutant are left out, and those of SOURCES, patterns with commas
// between them, are not even run without one.
// A line of the result: the mutant, then killed, survived, unreached or cannot (no meaning for the types), then by what.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int most = 32768;
constexpr int most_cases = 1024;

struct case_record {
    char name[240];
    double seconds;
    bool failed;
};

// Shared with every process that a test starts.
struct shared_state {
    unsigned char reached[most];
    unsigned char cannot[most];
    unsigned char did[most];
    int cases;
    case_record of[most_cases];
};

unsigned char before_main[most];
shared_state* shared = nullptr;
unsigned char* reached_by = nullptr;  // [case][mutant], of the first run

struct failure {
    char by[240];
};

[[nodiscard]] void* shared_memory(std::size_t bytes) {
    void* const place =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
        std::perror("mmap");
        std::exit(2);
    }
    return place;
}

char const* left_out = "";
bool recording = false;
failure* noted = nullptr;

/// Ends the process by SIGPROF after this much of the processor's time.
void limit(double seconds) {
    auto const whole = static_cast<time_t>(seconds);
    itimerval const once{{0, 0}, {whole, static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6)}};
    ::setitimer(ITIMER_PROF, &once, nullptr);
}

[[nodiscard]] double seconds_of(char const* name) {
    double most_of_that_name = 0;
    for (int i = 0; i < shared->cases; ++i) {
        if (std::strcmp(shared->of[i].name, name) == 0) {
            most_of_that_name = std::max(most_of_that_name, shared->of[i].seconds);
        }
    }
    return most_of_that_name;
}

struct watcher : doctest::IReporter {
    explicit watcher(doctest::ContextOptions const&) {}
    void report_query(doctest::QueryData const&) override {}
    void test_run_start() override {}
    void test_run_end(doctest::TestRunStats const&) override {}
    void test_case_start(doctest::TestCaseData const& data) override {
        std::snprintf(name_, sizeof name_, "%s", data.m_name);
        began_ = std::clock();
        if (recording) {
            std::memset(shared->reached, 0, sizeof shared->reached);
        }
        if (noted != nullptr) {
            std::snprintf(noted->by, sizeof noted->by, "%s", data.m_name);
            limit(0.5 + 10 * seconds_of(name_));
        }
    }
    void test_case_reenter(doctest::TestCaseData const&) override {}
    void test_case_end(doctest::CurrentTestCaseStats const& stats) override {
        if (recording && shared->cases < most_cases) {
            case_record& one = shared->of[shared->cases];
            std::snprintf(one.name, sizeof one.name, "%s", name_);
            // Of the processor's time: other programs take theirs.
            one.seconds = static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC;
            one.failed = !stats.testCaseSuccess;
            std::memcpy(reached_by + static_cast<std::size_t>(shared->cases) * most, shared->reached, most);
            ++shared->cases;
        }
    }
    void test_case_exception(doctest::TestCaseException const&) override {}
    void subcase_start(doctest::SubcaseSignature const&) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const&) override {}
    void log_message(doctest::MessageData const&) override {}
    void test_case_skipped(doctest::TestCaseData const&) override {}

private:
    char name_[240] = {};
    std::clock_t began_ = 0;
};
DOCTEST_REGISTER_LISTENER("watcher", 1, watcher);

[[nodiscard]] std::string escaped(std::string const& name) {
    std::string out;
    for (char const c : name) {
        if (c == ',' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

void be_silent() {
    int const nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
}

[[nodiscard]] int run_all() {
    doctest::Context context;
    context.addFilter("source-file-exclude", left_out);
    return context.run();
}

[[nodiscard]] int run_cases(std::vector<std::string> const& names) {
    if (names.empty()) {
        return 0;
    }
    doctest::Context context;
    std::string all;
    for (std::string const& name : names) {
        all += (all.empty() ? "" : ",") + escaped(name);
    }
    context.addFilter("test-case", all.c_str());
    context.addFilter("source-file-exclude", left_out);
    context.setOption("abort-after", 1);
    context.setOption("no-intro", true);
    return context.run();
}

void isolate(double seconds) {
    rlimit const memory{rlim_t{3} << 30, rlim_t{3} << 30};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setpgid(0, 0);
    ::alarm(static_cast<unsigned>(60 + 60 * seconds));
}

struct job {
    int number;
    failure* by;
};

[[nodiscard]] std::string verdict(int status, int number, failure const& by) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return shared->cannot[number] != 0 && shared->did[number] == 0 ? "cannot\t" : "survived\t";
    }
    std::string how = WIFSIGNALED(status)
                          ? (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM ? " (without end)" : " (crash)")
                          : "";
    return "killed\t" + std::string(by.by) + how;
}

}  // namespace

namespace wddmcore_mutant {

int in_force = 0;
unsigned char* reached = before_main;

void cannot(int number) noexcept {
    if (shared != nullptr) {
        shared->cannot[number] = 1;
    }
}

void did(int number) noexcept {
    if (shared != nullptr) {
        shared->did[number] = 1;
    }
}

}  // namespace wddmcore_mutant

int main(int count, char** words) {
    if (count != 5 && count != 6) {
        std::fprintf(stderr, "%s NUMBERS-FILE RESULT-FILE JOBS LONGEST [SOURCES]\n", words[0]);
        return 2;
    }
    std::vector<int> numbers;
    {
        std::ifstream file(words[1]);
        for (int number = 0; file >> number;) {
            numbers.push_back(number);
        }
    }
    std::FILE* const out = std::fopen(words[2], "w");
    auto const jobs = static_cast<std::size_t>(std::max(1, std::atoi(words[3])));
    double const longest = std::atof(words[4]);
    left_out = count == 6 ? words[5] : "";
    shared = static_cast<shared_state*>(shared_memory(sizeof(shared_state)));
    wddmcore_mutant::reached = shared->reached;
    reached_by = static_cast<unsigned char*>(shared_memory(static_cast<std::size_t>(most) * most_cases));
    std::fflush(nullptr);
    if (pid_t const first = ::fork(); first == 0) {
        be_silent();
        recording = true;
        ::_exit(run_all() == 0 ? 0 : 1);
    } else {
        int status = 0;
        ::waitpid(first, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            for (int i = 0; i < shared->cases; ++i) {
                if (shared->of[i].failed) {
                    std::fprintf(stderr, "fails without a mutant: %s\n", shared->of[i].name);
                }
            }
            std::fprintf(stderr, "%s does not pass without a mutant (%d)\n", words[0], status);
            return 1;
        }
    }
    std::map<pid_t, job> running;
    auto const wait_for_one = [&] {
        int status = 0;
        pid_t const process = ::waitpid(-1, &status, 0);
        auto const found = running.find(process);
        if (found != running.end()) {
            ::kill(-process, SIGKILL);  // whatever a test left behind
            std::fprintf(out, "%d\t%s\n", found->second.number,
                         verdict(status, found->second.number, *found->second.by).c_str());
            std::fflush(out);
            ::munmap(found->second.by, sizeof(failure));
            running.erase(found);
        }
    };
    for (int const number : numbers) {
        // Those of one order of magnitude are one run of doctest.
        std::vector<std::string> by_length[4];
        double seconds = 0;
        bool reaches = false;
        for (int i = 0; i < shared->cases; ++i) {
            double const one = shared->of[i].seconds;
            if (reached_by[static_cast<std::size_t>(i) * most + static_cast<std::size_t>(number)] == 0) {
                continue;
            }
            reaches = true;
            if (one <= longest) {
                by_length[one < 0.005 ? 0 : one < 0.05 ? 1 : one < 0.5 ? 2 : 3].push_back(shared->of[i].name);
                seconds += one;
            }
        }
        if (!reaches) {
            std::fprintf(out, "%d\tunreached\t\n", number);
            continue;
        }
        while (running.size() >= jobs) {
            wait_for_one();
        }
        auto* const by = static_cast<failure*>(shared_memory(sizeof(failure)));
        std::fflush(nullptr);
        pid_t const process = ::fork();
        if (process == 0) {
            be_silent();
            isolate(seconds);
            wddmcore_mutant::in_force = number;
            noted = by;
            for (std::vector<std::string> const& names : by_length) {
                if (run_cases(names) != 0) {
                    ::_exit(1);
                }
            }
            ::_exit(0);
        }
        running.emplace(process, job{number, by});
    }
    while (!running.empty()) {
        wait_for_one();
    }
    std::fclose(out);
    return 0;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "image_run.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <fstream>
#    include <sstream>
#    include <sys/wait.h>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// How an image is certified.
struct certify_options {
    std::uint64_t seed = 1;            ///< of everything that is decided by dice
    std::uint32_t limit_seconds = 20;  ///< of each run; a run that takes longer hangs
    std::uint32_t failures = 0;   ///< of 1,000 requests to the kernel that may fail, how many do in a run of its own
    std::uint64_t steps = 300;    ///< of the random part of paging
    std::uint32_t packets = 400;  ///< of each scheduling run
    wddmcore_device_model const* model = nullptr;  ///< the device; nullptr: none
};

/// What certifying an image has shown.
struct certify_report {
    /// One run of the image in a process of its own.
    struct run {
        std::string what;
        std::string how;  ///< finished, crashed, hung
        std::string last_call;
        std::vector<kernel_record::finding> findings;
        std::string text;
    };
    std::string head;  ///< what the image is, and what has no service
    std::vector<run> runs;
    std::vector<std::string> not_judged;

    /// Whether every run came to its end and found nothing.
    [[nodiscard]] bool passed() const {
        return !runs.empty() && std::all_of(runs.begin(), runs.end(),
                                            [](run const& r) { return r.how == "finished" && r.findings.empty(); });
    }
    /// The report in words.
    [[nodiscard]] std::string text() const {
        std::string out =
            "Certified as an image on Linux. No image built by MSVC has been run with this program yet: what is\n"
            "known of such images comes from documents and from images built by clang and lld.\n" +
            head;
        for (std::string const& line : not_judged) {
            out += "not judged: " + line + '\n';
        }
        for (run const& r : runs) {
            out += "\n== " + r.what + ": " + r.how + (r.how == "finished" ? "" : ", " + r.last_call) + '\n' + r.text;
            for (kernel_record::finding const& f : r.findings) {
                out += std::string(f.id) + ": " + f.sentence + "\n    " + f.where + '\n';
            }
        }
        std::size_t count = 0;
        for (run const& r : runs) {
            count += r.findings.size();
        }
        return out + (passed() ? "\nno finding\n" : "\nfindings: " + std::to_string(count) + '\n');
    }
};

namespace certify_parts {

/// What the simulators found, which a crash kept the run from reporting: it came first.
inline void add_kept(std::vector<kernel_record::finding>& to, vidmm_parts::kept_findings const& kept) {
    std::size_t place = 0;
    for (vidmm_violation const& v : kept.all()) {
        bool const there = std::any_of(to.begin(), to.end(), [&](kernel_record::finding const& f) {
            return v.rule == f.id && std::string(f.sentence).starts_with(v.sentence.substr(0, 200));
        });
        if (!there) {
            kernel_record::finding f{};
            std::snprintf(f.id, sizeof f.id, "%s", v.rule.c_str());
            std::snprintf(f.sentence, sizeof f.sentence, "%s", v.sentence.c_str());
            std::snprintf(f.where, sizeof f.where, "%s", v.state.c_str());
            to.insert(to.begin() + static_cast<std::ptrdiff_t>(place++), f);
        }
    }
}

/// A run in a process of its own, whatever becomes of it.
template <class Work>
[[nodiscard]] certify_report::run isolated(std::string what, Work const& work) {
    void* const memory =
        ::mmap(nullptr, sizeof(kernel_record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    auto& record = *new (memory) kernel_record{};
    void* const more =
        ::mmap(nullptr, sizeof(vidmm_parts::kept_findings), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    auto& kept = *new (more) vidmm_parts::kept_findings{};
    pid_t const process = ::fork();
    if (process == 0) {
        vidmm_parts::journal::current().also_write_to(record.detail);
        vidmm_parts::findings_of_this_process() = &kept;
        try {
            work(record);
        } catch (std::exception const& e) {
            record.add("NOT PLAYED", e.what(), record.call);
        }
        ::_exit(0);
    }
    int status = 0;
    bool const ended = process > 0 && ::waitpid(process, &status, 0) == process;
    certify_report::run out;
    out.what = std::move(what);
    out.last_call = std::string("last call ") + (record.call[0] != '\0' ? record.call : "none") +
                    (record.thread[0] != '\0' ? std::string(", ") + record.thread : "");
    // The simulator describes each call that builds; of another one it may be an old description.
    bool const described = std::string("DxgkDdiBuildPagingBuffer") == record.call || record.call[0] == '\0';
    if (described && record.detail[0] != '\0') {
        out.last_call += std::string(" (") + record.detail + ')';
    }
    out.text = record.text;
    out.findings.assign(record.findings.begin(), record.findings.begin() + record.count);
    add_kept(out.findings, kept);
    bool const alarmed = WIFEXITED(status) && WEXITSTATUS(status) == 4;
    bool const hung = std::any_of(out.findings.begin(), out.findings.end(),
                                  [](auto const& f) { return std::string("HANG") == f.id; });
    out.how = record.finished ? "finished" : alarmed || hung ? "hung" : "stopped";
    if (WIFSIGNALED(status)) {
        out.how = "crashed";
        kernel_record::finding f{};
        std::snprintf(f.id, sizeof f.id, "CRASH");
        std::snprintf(f.sentence, sizeof f.sentence, "the process was ended by signal %d", WTERMSIG(status));
        std::snprintf(f.where, sizeof f.where, "%s", out.last_call.c_str());
        out.findings.push_back(f);
    }
    ::munmap(memory, sizeof(kernel_record));
    ::munmap(more, sizeof(vidmm_parts::kept_findings));
    if (!ended) {
        throw std::runtime_error("no process");
    }
    return out;
}

[[nodiscard]] inline std::string head_of(pe_file const& file) {
    std::ostringstream out;
    out << "image: " << file.size() << " bytes, " << file.sections().size() << " sections, " << file.imports().size()
        << " imports, " << file.relocations().size() << " relocations, " << file.functions().size()
        << " rows of exception data, " << (file.cookie() != 0 ? "a security cookie" : "no security cookie")
        << ", linker " << file.linker().first << '.' << file.linker().second << "\nsections:";
    for (image_section const& s : file.sections()) {
        out << ' ' << s.name
            << (s.executes ? " x"
                : s.writes ? " rw"
                           : " r")
            << (s.pageable ? " pageable" : "") << (s.discardable ? " discardable" : "") << ';';
    }
    out << '\n';
    for (image_import const& i : file.imports()) {
        if (kp::find_service(i.name) == nullptr) {
            out << "no service for " << i.library << '!' << i.name << ": the run ends if it is called\n";
        }
    }
    return out.str();
}

}  // namespace certify_parts

/// Certifies a driver image: it is loaded, registers, starts, pages, is scheduled, stops and is unloaded, in several
/// processes, and what is wrong is named.
/// @param file     a good image
/// @param options  the runs
/// @return what was found
/// @throws std::runtime_error  the host gives no process or no memory
[[nodiscard]] inline certify_report certify(pe_file const& file, certify_options const& options = {}) {
    using namespace certify_parts;
    certify_report report;
    report.head = head_of(file);
    image_run_options run;
    run.seed = options.seed;
    run.limit_seconds = options.limit_seconds;
    run.steps = options.steps;
    run.packets = options.packets;
    run.model = options.model;
    auto const play = [&](char const* what, auto const& work) {
        report.runs.push_back(isolated(what, [&](kernel_record& record) {
            auto const one = std::make_unique<image_run>(record, file, run);
            work(*one);
            // Nothing of the driver may run again, not even its threads' stacks.
            static_cast<void>(std::fflush(stdout));
            ::_exit(0);
        }));
    };
    if (!kp::traps::emulates) {
        report.not_judged.emplace_back("privileged instructions and the shared user page; built without Zydis");
    }
    report.not_judged.emplace_back(
        "exceptions that would cross a function of the kernel, or are raised in a filter, on their way to a handler");
    play("start, paging, stop", [](image_run& r) { r.page(); });
    if (options.model != nullptr && options.model->show_engines != nullptr) {
        play("scheduling", [](image_run& r) { r.schedule(false); });
        play("scheduling with faults, hangs and resets", [](image_run& r) { r.schedule(true); });
    } else {
        report.not_judged.emplace_back("scheduling; no device model shows the simulator's engines (--device)");
    }
    if (options.failures != 0) {
        run.failures = options.failures;
        play("start, paging, stop, where requests to the kernel fail", [](image_run& r) { r.page(); });
    }
    return report;
}

}  // namespace wddmcore::testing

#endif

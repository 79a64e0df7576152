// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Plays every paging operation on every example hardware, a preemption and a paging window, and writes one page of HTML
// that shows what happened: requests, commands field by field, memory before and after. The page needs nothing else.

#include "report/run.hpp"

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

// The template with its style and its script, bundled by report/bundle.cmake.
extern char const report_page[];
extern unsigned const report_page_size;

namespace {

using namespace wddmcore;
using namespace wddmcore::examples::report;

/// The call that shows an operation best: one that changed something, with as few commands as possible.
call const* best_of(std::vector<adapter_run> const& runs, paging_operation operation, adapter_run const*& owner) {
    call const* best = nullptr;
    std::size_t most = 0;
    for (adapter_run const& run : runs) {
        for (call const& c : run.calls) {
            if (c.operation != operation) {
                continue;
            }
            bool changed = false;
            for (touched_bytes const& t : c.memory) {
                changed = changed || t.changed();
            }
            for (known const& k : c.knowledge) {
                changed = changed || k.before != k.after;
            }
            std::size_t const length = c.dwords.size() < 0x10000 ? c.dwords.size() : 0x10000;
            std::size_t const worth = (c.status == 0 ? 0x80000u : 0u) + (changed ? 0x40000u : 0u) +
                                      (c.dwords.empty() ? 0u : 0x20000u) + (0x10000u - length);
            if (worth > most) {
                most = worth;
                best = &c;
                owner = &run;
            }
        }
    }
    return best;
}

void write_operations(json& out, shown_hardware const& hardware, std::vector<adapter_run> const& runs) {
    out.key("operations").open('[');
    for (u32 i = 0; i != paging_operation_count; ++i) {
        auto const operation = static_cast<paging_operation>(i);
        adapter_run const* owner = nullptr;
        call const* const c = best_of(runs, operation, owner);
        out.open('{').number("code", i).text("name", name(operation));
        operation_totals sum;
        for (adapter_run const& run : runs) {
            sum.requests += run.totals[i].requests;
            sum.passes += run.totals[i].passes;
            sum.commands += run.totals[i].commands;
            sum.command_bytes += run.totals[i].command_bytes;
        }
        out.number("requests", sum.requests).number("passes", sum.passes).number("totalCommands", sum.commands);
        out.number("commandBytes", sum.command_bytes);
        if (c != nullptr) {
            out.text("rig", owner->rig).text("paging", owner->words).key("sample").open('{');
            write_call(out, *c, *hardware.set);
            out.close('}');
        }
        out.close('}');
    }
    out.close(']');
}

/// @return whether no rule was broken
bool write_window(json& out, shown_hardware const& hardware) {
    window_run const w = play_window(hardware);
    out.key("window").open('{').text("base", hex(w.base, 12)).number("size", w.size).number("allocation", w.allocation);
    out.key("calls").open('[');
    for (call const& c : w.calls) {
        out.open('{').text("name", name(c.operation)).number("dwords", c.dwords.size());
        if (c.operation == paging_operation::virtual_transfer) {
            out.number("offset", c.chunk.offset).number("size", c.chunk.size);
            out.text("source", hex(c.chunk.source, 12)).text("destination", hex(c.chunk.destination, 12));
        }
        out.close('}');
    }
    out.close(']').close('}');
    if (!w.wrong.empty()) {
        std::fprintf(stderr, "%s, window: %s\n", hardware.name, w.wrong.c_str());
    }
    return w.wrong.empty();
}

/// Plays everything. @return whether no rule was broken
bool play_all(json& out) {
    bool good = true;
    out.open('{').key("hardware").open('[');
    for (shown_hardware const& hardware : all_hardware()) {
        std::vector<adapter_run> const runs = play(hardware);
        out.open('{').text("name", hardware.name).text("title", hardware.title).text("engine", hardware.set->name);
        write_operations(out, hardware, runs);
        walk const* found = nullptr;
        for (adapter_run const& run : runs) {
            found = found == nullptr && !run.lookup.steps.empty() ? &run.lookup : found;
            if (!run.wrong.empty()) {
                std::fprintf(stderr, "%s, %s: %s\n", run.rig.c_str(), run.words.c_str(), run.wrong.c_str());
                good = false;
            }
        }
        if (found != nullptr) {
            out.key("walk");
            write_walk(out, *found);
        }
        good = write_window(out, hardware) && good;
        out.close('}');
    }
    out.close(']').key("segments");
    good = write_segments(out) && good;
    out.key("preemption");
    good = write_preemption(out) && good;
    out.close('}');
    return good;
}

bool write_file(std::string const& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        std::fprintf(stderr, "report: %s cannot be written\n", path.c_str());
    }
    return static_cast<bool>(file);
}

}  // namespace

int main(int count, char** words) {
    std::string const page_path = count > 1 ? words[1] : "report.html";
    if (count > 3 || page_path.starts_with("-")) {
        std::fprintf(stderr, "report [PAGE [DATA]]: writes the page, and its data as JSON\n");
        return 2;
    }
    json data;
    bool const good = play_all(data);
    std::string page(report_page, report_page_size);
    std::string_view const mark = "@DATA@";
    page.replace(page.find(mark), mark.size(), data.all());
    bool written = write_file(page_path, page);
    if (count > 2) {
        written = write_file(words[2], data.all()) && written;
    }
    return good && written ? 0 : 1;
}

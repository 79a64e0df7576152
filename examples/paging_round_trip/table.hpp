// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm/checks/report.hpp>

#include <array>
#include <cstdio>
#include <map>
#include <string>

namespace wddmcore::examples {

/// What each operation cost on each hardware, summed over all round trips.
class cost_table {
public:
    void add(std::string const& hardware, testing::vidmm_report const& report) {
        auto& row = rows_[hardware];
        for (u32 i = 0; i < paging_operation_count; ++i) {
            testing::vidmm_operation_statistics const& s = report.of(static_cast<paging_operation>(i));
            row[i].requests += s.requests;
            row[i].passes += s.passes;
            row[i].commands += s.commands;
            row[i].command_bytes += s.command_bytes;
            row[i].pages += s.pages;
            row[i].runs += s.runs;
            row[i].build_ns += s.build_ns;
        }
    }

    /// One line per hardware and operation; times are those inside the build function.
    [[nodiscard]] std::string text() const {
        std::string out =
            "hardware                            operation                  passes   commands  command bytes"
            "      pages       runs  ns/pass  ns/page\n";
        for (auto const& [hardware, row] : rows_) {
            for (u32 i = 0; i < paging_operation_count; ++i) {
                testing::vidmm_operation_statistics const& s = row[i];
                if (s.passes == 0) {
                    continue;
                }
                std::array<char, 192> line{};
                int const length =
                    std::snprintf(line.data(), line.size(), "%-35s %-23s %9llu %10llu %14llu %10llu %10llu %8.0f %8s\n",
                                  hardware.c_str(), name(static_cast<paging_operation>(i)), number(s.passes),
                                  number(s.commands), number(s.command_bytes), number(s.pages), number(s.runs),
                                  static_cast<double>(s.build_ns) / static_cast<double>(s.passes), per_page(s).c_str());
                out.append(line.data(), static_cast<std::size_t>(length));
            }
        }
        return out;
    }

    /// What the columns mean.
    [[nodiscard]] static char const* legend() {
        return "hardware     the GPU that the commands are for; _virtual: with GPU virtual addresses, which the simulator\n"
               "             maps; _tables: which page tables map that the GPU walks and the CPU or the GPU writes\n"
               "operation    of DxgkDdiBuildPagingBuffer; passes: calls of it, one for each paging buffer or part of one\n"
               "commands     packets that the simulated GPU executed, and their bytes; pages: 4 KiB each, moved or\n"
               "             mapped; runs: stretches of consecutive page numbers among them\n"
               "ns/pass      inside the build function, measured on this machine; all else follows from pages and seed\n";
    }

    /// How many adapters there are.
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }

private:
    static unsigned long long number(std::uint64_t n) { return n; }

    // Operations that move no pages have none.
    static std::string per_page(testing::vidmm_operation_statistics const& s) {
        std::array<char, 32> word{};
        if (s.pages != 0) {
            std::snprintf(word.data(), word.size(), "%.2f",
                          static_cast<double>(s.build_ns) / static_cast<double>(s.pages));
        }
        return word.data();
    }

    std::map<std::string, std::array<testing::vidmm_operation_statistics, paging_operation_count>> rows_;
};

}  // namespace wddmcore::examples

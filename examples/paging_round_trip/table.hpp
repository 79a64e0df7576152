// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm.hpp>

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

    /// One line per hardware and operation; ns per page is the time inside the build function.
    [[nodiscard]] std::string text() const {
        std::string out =
            "hardware           operation                 passes   commands  command bytes      pages       runs  ns/page\n";
        for (auto const& [hardware, row] : rows_) {
            for (u32 i = 0; i < paging_operation_count; ++i) {
                testing::vidmm_operation_statistics const& s = row[i];
                if (s.passes == 0) {
                    continue;
                }
                std::array<char, 160> line{};
                double const per_page =
                    s.pages == 0 ? 0 : static_cast<double>(s.build_ns) / static_cast<double>(s.pages);
                int const length = std::snprintf(
                    line.data(), line.size(), "%-18s %-22s %9llu %10llu %14llu %10llu %10llu %8.2f\n", hardware.c_str(),
                    name(static_cast<paging_operation>(i)), number(s.passes), number(s.commands),
                    number(s.command_bytes), number(s.pages), number(s.runs), per_page);
                out.append(line.data(), static_cast<std::size_t>(length));
            }
        }
        return out;
    }

private:
    static unsigned long long number(std::uint64_t n) { return n; }

    std::map<std::string, std::array<testing::vidmm_operation_statistics, paging_operation_count>> rows_;
};

}  // namespace wddmcore::examples

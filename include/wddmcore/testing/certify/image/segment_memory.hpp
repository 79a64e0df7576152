// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../kernel/memory.hpp"
#include "../../vidmm.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Memory behind the segments that a driver reports, where somebody else than the simulator provides it: what the
/// driver has allocated itself, or what the CPU finds of the device. Both are found by physical addresses.
class segment_memory {
public:
    using provided = kernel_parts::memory_services::provided_memory;

    /// Gives the segments of a run what lies behind them. Memory of the driver's is held from then on.
    /// @return whether that is so of all of its memory segments, and there are some
    bool provide(vidmm_options& o, vidmm_reported_adapter const& adapter) {
        bool all = true;
        bool any = false;
        for (vidmm_segment& s : o.segments) {
            for (vidmm_reported_segment const& told : adapter.segments) {
                if (told.id == s.id && !s.aperture) {
                    provide(s, told);
                }
            }
            all = all && (s.aperture || s.memory != nullptr);
            any = any || s.memory != nullptr;
        }
        return all && any;
    }
    [[nodiscard]] vidmm_report const& report() const { return report_; }

private:
    using rule = vidmm_rule;

    void provide(vidmm_segment& s, vidmm_reported_segment const& told) {
        namespace flag = vidmm_segment_flag;
        bool const is_visible = told.has(flag::cpu_visible) && !told.has(flag::supports_cpu_host_aperture);
        bool const is_populated = told.has(flag::populated_from_system_memory);
        // Without CpuVisible the base may be a number of the GPU's own; by chance it is no address of such memory.
        auto const found = is_visible || is_populated
                               ? kernel_parts::memory_services::provided_at(is_visible ? told.cpu_address : told.base)
                               : std::nullopt;
        bool const is_drivers = found && kernel_parts::pool::current().holds(found->data);
        std::string const state = "segment " + std::to_string(s.id) + ", " + std::to_string(told.size) + " bytes";
        if (is_visible && is_populated) {
            check(is_drivers, rule::seg_19, "what the driver says it has allocated is no memory that it has allocated",
                  state + (found ? ", " + found->words : ""));
        }
        if (!found) {
            return;
        }
        check(told.size <= found->bytes, is_visible ? rule::seg_14 : rule::seg_19,
              "a segment goes on where its memory has ended",
              state + "; " + std::to_string(found->bytes) + " are left of " + found->words);
        std::uint64_t const unit = told.page_bytes();
        std::uint64_t const usable = std::min(s.size, found->bytes) / unit * unit;
        if (usable != 0) {
            s.size = usable;
            s.memory = found->data;
            kernel_parts::memory_services::hold(*found, "the memory of segment " + std::to_string(s.id));
        }
    }
    void check(bool holds, rule which, char const* sentence, std::string const& state) {
        report_.exercised(which);
        if (!holds) {
            report_.broken(which, sentence, state);
        }
    }

    vidmm_report report_;
};

}  // namespace wddmcore::testing::certify_parts

#endif

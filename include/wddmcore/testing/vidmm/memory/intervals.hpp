// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Addresses [begin, end).
struct interval {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    [[nodiscard]] bool operator==(interval const&) const = default;
};

/// A set of addresses, kept as ranges in any order until somebody asks.
class intervals {
public:
    /// Adds a range; one that joins on to a range just added becomes part of it.
    void add(std::uint64_t begin, std::uint64_t end) {
        if (begin >= end) {
            return;
        }
        // A copy alternates between source and destination, so the last two ranges are worth a look.
        for (std::size_t back = 1; back <= 2 && back <= all_.size(); ++back) {
            interval& last = all_[all_.size() - back];
            if (last.end == begin) {
                last.end = end;
                sorted_ = false;
                return;
            }
        }
        all_.push_back({begin, end});
        sorted_ = false;
    }

    void add(intervals const& other) {
        all_.insert(all_.end(), other.all_.begin(), other.all_.end());
        sorted_ = false;
    }

    void clear() {
        all_.clear();
        sorted_ = true;
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }

    /// The ranges, ascending, none touching another.
    [[nodiscard]] std::vector<interval> const& sorted() const {
        if (!sorted_) {
            std::sort(all_.begin(), all_.end(), [](interval a, interval b) { return a.begin < b.begin; });
            std::vector<interval> merged;
            for (interval const& next : all_) {
                if (!merged.empty() && next.begin <= merged.back().end) {
                    merged.back().end = std::max(merged.back().end, next.end);
                } else {
                    merged.push_back(next);
                }
            }
            all_ = std::move(merged);
            sorted_ = true;
        }
        return all_;
    }

    /// How many addresses.
    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (interval const& i : sorted()) {
            sum += i.end - i.begin;
        }
        return sum;
    }

    /// What is in both.
    [[nodiscard]] intervals common(intervals const& other) const {
        intervals out;
        auto const& a = sorted();
        auto const& b = other.sorted();
        for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
            out.add(std::max(a[i].begin, b[k].begin), std::min(a[i].end, b[k].end));
            a[i].end < b[k].end ? ++i : ++k;
        }
        return out;
    }

    /// What is in this one and not in the other.
    [[nodiscard]] intervals without(intervals const& other) const {
        intervals out;
        auto const& b = other.sorted();
        std::size_t k = 0;
        for (interval rest : sorted()) {
            while (k < b.size() && b[k].end <= rest.begin) {
                ++k;
            }
            for (std::size_t n = k; n < b.size() && b[n].begin < rest.end; ++n) {
                out.add(rest.begin, std::min(b[n].begin, rest.end));
                rest.begin = std::max(rest.begin, b[n].end);
            }
            out.add(rest.begin, rest.end);
        }
        return out;
    }

private:
    mutable std::vector<interval> all_;
    mutable bool sorted_ = true;
};

}  // namespace wddmcore::testing::vidmm_parts

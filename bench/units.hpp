// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

/// What every row says of itself, so that rows of different lengths can be compared.
namespace bench {

/// A row of `units` (entries, pages, chunks, operations) that stores `stored` bytes: how many, the seconds and the
/// bytes for each, and both rates.
inline void count_units(benchmark::State& state, std::string const& unit, double units, double stored) {
    auto const total = [&state](double each) {
        return static_cast<std::int64_t>(static_cast<double>(state.iterations()) * each);
    };
    state.SetItemsProcessed(total(units));
    state.SetBytesProcessed(total(stored));
    state.counters["count"] = units;
    state.counters["bytes_per_" + unit] = stored / units;
    state.counters["seconds_per_" + unit] =
        benchmark::Counter(units, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace bench

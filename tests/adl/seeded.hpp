// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"

#include <wddmcore/base/types.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

/// Seeded random numbers of the tests of adl/ and paging/.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// By how much a slow build shortens random tests: it runs the first cases of the same sequence.
inline constexpr u64 slow_build_factor = emulated ? 32 : slow_build ? 8 : 1;
/// The same for tests that only an emulator shortens.
inline constexpr u64 emulated_factor = emulated ? 32 : 1;

/// The seed of this run: WDDMCORE_SEED, or a fixed number; printed, so that a failure can be replayed.
[[nodiscard]] inline u64 seed_of_run() {
    char const* const given = std::getenv("WDDMCORE_SEED");
    u64 const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'260'214;
    MESSAGE("WDDMCORE_SEED=" << seed);
    return seed;
}

/// The SplitMix64 sequence: a run is a function of its seed on every host.
class seeded_numbers {
public:
    explicit seeded_numbers(u64 seed) : state_(seed) {}

    [[nodiscard]] u64 next() {
        state_ += 0x9E37'79B9'7F4A'7C15U;
        u64 z = state_;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
        return z ^ (z >> 31);
    }
    /// A number below `limit`; limit is not 0.
    [[nodiscard]] u64 below(u64 limit) { return next() % limit; }
    [[nodiscard]] bool one_in(u64 n) { return below(n) == 0; }

private:
    u64 state_;
};

}  // namespace wddmcore::testing

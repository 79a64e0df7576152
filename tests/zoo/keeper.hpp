// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mistake.hpp"

#include <wddmcore/testing/certify.hpp>

namespace zoo {

/// Certifies a sound driver.
[[nodiscard]] testing::certified_report certify_sound(sound_driver which, testing::certified_options const& options);

/// Certifies a sound driver with one function replaced.
[[nodiscard]] testing::certified_report certify_mistake(mistake const& wrong,
                                                        testing::certified_options const& options);

/// What a table of mistakes came to, each with seeds from 1 on.
struct catch_report {
    u32 runs = 0;
    u32 right = 0;         ///< the first report is the row's rule
    std::string others{};  ///< what else was said first, with its seed
    std::string tail{};    ///< rules that were reported after the first one, in runs that go on
};
[[nodiscard]] catch_report catch_with(mistake const& wrong, u64 first_seed, u64 seeds);

}  // namespace zoo

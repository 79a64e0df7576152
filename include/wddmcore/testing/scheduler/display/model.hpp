// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// What the simulator knows of displays and flips: data only.
namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// A flip that the system has asked for and that the display has not taken, as far as the system was told.
struct flip {
    std::uint64_t address = 0;
    bool immediate = false;
    bool programmed = false;  ///< the driver has given the address to the display
    bool disturbed = false;   ///< a preemption, a cancelled packet or a reset came since
};

/// An address that the display has taken.
struct latched_address {
    std::uint64_t number = 0;  ///< counts what this display has taken, from 1
    std::uint64_t address = 0;
};

/// One VidPN source with the target that shows it.
struct display_source {
    // The hardware.
    std::uint64_t programmed = 0;  ///< address that is programmed; 0: none ever was
    bool pending = false;          ///< and not taken yet
    bool blanked = false;
    bool news = false;             ///< a vsync that was not dismissed
    bool held = false;             ///< the next vsync comes when no preempt request is outstanding
    bool runs = false;             ///< since the first flip
    std::uint64_t next_vsync = 0;  ///< step
    /// What was taken, beginning with the one that was reported last; the last one is scanned out.
    std::vector<latched_address> taken;

    // The system.
    std::optional<flip> asked;
    std::uint32_t next_primary = 0;
    std::uint64_t owed = 0;   ///< number of what was scanned out at a vsync that is to be told; 0: none is
    bool told_since = false;  ///< a vsync was reported since then
    bool flips_late = false;  ///< the driver has programmed a flip after it returned, and yet in time
    bool told_blank = false;  ///< the driver was told to blank the source

    [[nodiscard]] std::uint64_t scanned_out() const { return taken.empty() ? 0 : taken.back().address; }
    [[nodiscard]] std::uint64_t newest() const { return taken.empty() ? 0 : taken.back().number; }
};

}  // namespace wddmcore::testing::scheduler::parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// Of a packet that is known by its buffer's address, the one that is this engine's: a buffer that is broadcast to the
/// physical adapters of a link has a packet on each of them (LDA-05).
/// @param number  of one of them
/// @return its number; `number` where the buffer is not broadcast
[[nodiscard]] inline std::uint32_t packet_on(world const& w, std::uint32_t number, std::uint32_t engine) {
    packet const& p = w.packets[number];
    return p.twin && w.contexts[p.context].engine != engine ? *p.twin : number;
}

}  // namespace wddmcore::testing::scheduler::parts

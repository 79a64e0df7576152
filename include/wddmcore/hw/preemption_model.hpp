// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

/// How finely hardware can be stopped, as it is told to the system and as the library needs it.
namespace wddmcore::inline WDDMCORE_ABI {

/// D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY: numbers rise from coarse to fine (PRE-04). Windows 8 and later.
/// Source page: ne-d3dkmdt-_d3dkmdt_graphics_preemption_granularity.md.
enum class graphics_granularity : u32 {
    none = 0,                   ///< nothing stops, and what is queued but not begun cannot be taken back (PRE-06)
    dma_buffer_boundary = 100,  ///< what has begun runs to its end, what has not is given back
    primitive_boundary = 200,
    triangle_boundary = 300,
    pixel_boundary = 400,
    shader_boundary = 500,
};

/// D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY: numbers rise from coarse to fine; the pages' sentences about single levels
/// overlap, so order is by number alone (PRE-04, AMB-38). Windows 8 and later.
/// Source page: ne-d3dkmdt-_d3dkmdt_compute_preemption_granularity.md.
enum class compute_granularity : u32 {
    none = 0,
    dma_buffer_boundary = 100,
    dispatch_boundary = 200,
    thread_group_boundary = 300,
    thread_boundary = 400,
    shader_boundary = 500,
};

namespace hw {

/// One engine of an adapter: what kinds of work it can do, and how finely it stops each.
///
/// A kind that it cannot do stays false, and its granularity is not looked at (PRE-05).
struct engine_preemption {
    bool can_do_graphics = false;
    graphics_granularity graphics = graphics_granularity::none;
    bool can_do_compute = false;
    compute_granularity compute = compute_granularity::none;
    bytes saved_state = {0};         ///< the most bytes written when it stops inside a buffer; 0 when it never does
    bool virtual_addresses = false;  ///< its buffers name memory by GPU virtual addresses, so nothing in them is patched
};

/// What preemption needs to know of hardware.
///
/// For library users: the engine machine sees of a granularity only whether hardware stops nowhere, between buffers or
/// inside one; the levels are for the system's capabilities. Hardware writes a 32-bit serial of ours as its fence, in
/// the order in which packets finish, and echoes a generation when it stops.
/// For hardware authors: `static constexpr hw::engine_preemption preemption_engines[]`, one element an engine, all nodes
/// of one physical adapter; `static constexpr bool acknowledges_when_idle`, whether a request that finds nothing to stop
/// is still answered; `static constexpr bool stops_waiting_packets`, whether a packet that waits inside its buffer can
/// be stopped before its condition is met (PRE-22); `static constexpr bool state_survives_patching`, whether saved state
/// stays good when the system patches the buffer again (AMB-51); `static constexpr u32 ring_capacity`, packets, a power
/// of two, at most 128, not below the declared HwQueuePacketCap.
template <class Hw>
concept preemption_model = requires {
    typename meta::constant<Hw::preemption_engines[0].saved_state.n>;
    requires meta::same_as<meta::bare<decltype(Hw::preemption_engines[0])>, engine_preemption>;
    typename meta::constant<Hw::acknowledges_when_idle>;
    requires meta::same_as<meta::bare<decltype(Hw::acknowledges_when_idle)>, bool>;
    typename meta::constant<Hw::stops_waiting_packets>;
    requires meta::same_as<meta::bare<decltype(Hw::stops_waiting_packets)>, bool>;
    typename meta::constant<Hw::state_survives_patching>;
    requires meta::same_as<meta::bare<decltype(Hw::state_survives_patching)>, bool>;
    typename meta::constant<Hw::ring_capacity>;
    requires meta::same_as<meta::bare<decltype(Hw::ring_capacity)>, u32>;
};

/// All that the engine machine sees of a granularity of either kind (PRE-06).
enum class stopping_class : u32 { nowhere, between_buffers, inside_buffer };

/// The class of a granularity of either enumeration.
template <meta::enumeration Granularity>
[[nodiscard]] constexpr stopping_class class_of(Granularity granularity) noexcept {
    u32 const number = static_cast<u32>(granularity);
    return number == 0     ? stopping_class::nowhere
           : number <= 100 ? stopping_class::between_buffers
                           : stopping_class::inside_buffer;
}
static_assert(class_of(compute_granularity::none) == stopping_class::nowhere);
static_assert(class_of(graphics_granularity::dma_buffer_boundary) == stopping_class::between_buffers);
static_assert(class_of(graphics_granularity::primitive_boundary) == stopping_class::inside_buffer);

/// The class of an engine as the machine's tests and simulators use it: its coarser kind of work decides (PRE-05).
[[nodiscard]] constexpr stopping_class class_of(engine_preemption const& engine) noexcept {
    stopping_class const graphics = engine.can_do_graphics ? class_of(engine.graphics) : stopping_class::inside_buffer;
    stopping_class const compute = engine.can_do_compute ? class_of(engine.compute) : stopping_class::inside_buffer;
    return graphics < compute ? graphics : compute;
}

}  // namespace hw

}  // namespace wddmcore

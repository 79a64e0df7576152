// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/span.hpp"
#include "../../base/units.hpp"
#include "../../ddi/preemption_granularity.hpp"
#include "../chosen_within.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// Where work that is neither graphics nor compute (copies, video) can be stopped; the DDI has no number for it.
enum class other_preemption_granularity : u32 { none = 0, dma_buffer_boundary = 100, inside_dma_buffer = 200 };

/// That an engine runs one kind of work, where it can stop it, and what it then saves.
///
/// Written as `.compute = {compute_preemption_granularity::thread_group_boundary, 2 * mib}`; a kind that is left out is
/// one that the engine cannot run, and does not count for the answer of the adapter (PRE-05).
template <class Granularity>
struct preemption_point {
    Granularity granularity;  ///< the finest place at which this kind of work stops
    bytes saved_state = {0};  ///< what is saved when it stops there, from 1 byte when inside a DMA buffer
    bool runs = true;         ///< whether the engine can run this kind of work at all
};

/// Whether packets wait in the hardware itself, for example on a semaphore inside the buffer (PRE-22).
///
/// This is what the DDI calls *signal on submit*: the system submits a packet before the one that it waits for has
/// signalled, and hardware has to give it back before that happens. Elsewhere here such a packet is one that *waits*.
/// Source page: gpu-preemption.md.
enum class hardware_waits : u32 {
    none,               ///< they never do: the driver gives nothing to hardware that would wait
    can_be_stopped,     ///< a waiting packet can be stopped before its condition is met
    cannot_be_stopped,  ///< it cannot: not allowed to a driver that claims PreemptionAware
};

/// One engine, in the DDI's words one node of a physical adapter: what it runs and how it stops.
struct preemption_engine {
    preemption_point<graphics_preemption_granularity> graphics{graphics_preemption_granularity::none, {0}, false};
    preemption_point<compute_preemption_granularity> compute{compute_preemption_granularity::none, {0}, false};
    preemption_point<other_preemption_granularity> other{other_preemption_granularity::none, {0}, false};
    bool acknowledges_when_idle = false;  ///< answers a request to stop even when nothing is left to be stopped
    hardware_waits waits = hardware_waits::none;
};

}  // namespace wddmcore

namespace wddmcore::inline WDDMCORE_ABI::hw {

inline constexpr u32 most_nodes = 64;           ///< of a physical adapter: a dependent-engine mask has 64 bits (LDA-06)
inline constexpr u32 usual_ring_capacity = 64;  ///< where HwQueuePacketCap is 0 (AMB-54)
inline constexpr u32 most_ring_capacity = 0x8000;  ///< what the engine machine's word can count

/// The elements of an array of engines; 0 for anything else.
template <class T>
inline constexpr u32 engines_in = 0;
template <usize Count>
inline constexpr u32 engines_in<preemption_engine const[Count]> = static_cast<u32>(Count);

namespace detail {

/// Whether a type is an array of engines, be its length known yet or not.
template <class T>
inline constexpr bool are_engines = engines_in<T> != 0;
template <>
inline constexpr bool are_engines<preemption_engine const[]> = true;

}  // namespace detail

/// How the engines of a hardware type stop.
///
/// For library users: element i of `engines` is node i, the same on every physical adapter of a link (LDA-01, LDA-02).
/// For hardware authors: `static constexpr wddmcore::preemption_engine engines[] = {...};`, 1 to 64 of them; and,
/// optional, `static constexpr wddmcore::chosen_within node_count{...};` of wddmcore::u32, how many of them a chip has:
/// the first ones, at least 1 (default all); `static constexpr bool state_survives_patching = true;`, that state which
/// was saved inside a DMA buffer stays good when the buffer is patched again (AMB-51; default false), and `static
/// constexpr wddmcore::u32 ring_capacity = ...;`, packets that an engine's ring keeps, a power of two, at least
/// HwQueuePacketCap (default 64, AMB-54).
template <class Hw>
concept preemption_model = requires {
    requires detail::are_engines<decltype(Hw::engines)>;
    typename meta::constant<Hw::engines[0]>;  // in a template this gives `engines[]` its length
    requires engines_in<decltype(Hw::engines)> != 0;
};

/// How many engines a hardware type has; node ordinals are below it.
template <preemption_model Hw>
inline constexpr u32 engine_count = engines_in<decltype(Hw::engines)>;

/// Whether a hardware type says how many of its engines a chip has.
template <class Hw>
inline constexpr bool declares_node_count = requires { Hw::node_count; };

/// The fewest engines that any chip of a hardware type has.
template <preemption_model Hw>
[[nodiscard]] consteval u32 fewest_nodes() noexcept {
    if constexpr (declares_node_count<Hw>) {
        return least_of(Hw::node_count);
    } else {
        return engine_count<Hw>;
    }
}
/// The most engines that any chip of a hardware type has.
template <preemption_model Hw>
[[nodiscard]] consteval u32 most_nodes_of() noexcept {
    if constexpr (declares_node_count<Hw>) {
        return most_of(Hw::node_count);
    } else {
        return engine_count<Hw>;
    }
}

/// The engines of this chip: the first of the list, all of them where the hardware type does not say how many.
///
/// Any IRQL; touches no OS state, safe in non-paged code.
template <preemption_model Hw>
[[nodiscard]] constexpr span<preemption_engine const> engines_of([[maybe_unused]] Hw const& hw) noexcept {
    if constexpr (declares_node_count<Hw>) {
        return {Hw::engines, value_of(hw, Hw::node_count)};
    } else {
        return span_of(Hw::engines);
    }
}

/// Whether saved state stays good when its buffer is patched again; no, where the hardware type does not say.
template <class Hw>
inline constexpr bool state_survives_patching = requires { requires Hw::state_survives_patching; };

/// The packets that an engine's ring keeps: the first template argument of preemption::engine.
template <class Hw>
[[nodiscard]] consteval u32 ring_capacity_of() noexcept {
    if constexpr (requires { Hw::ring_capacity; }) {
        return Hw::ring_capacity;
    } else {
        return usual_ring_capacity;
    }
}

}  // namespace wddmcore::hw

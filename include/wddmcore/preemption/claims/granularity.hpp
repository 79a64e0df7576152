// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/preemption_model.hpp"
#include "../engine/engine_kind.hpp"

/// From how engines stop to what the adapter reports and what the engine machine has to know.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.2.
/// Source page: gpu-preemption.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

namespace detail {

/// The class in which the machine sees a granularity: 0 nowhere, 100 between buffers, from 200 on inside a buffer.
///
/// @param granularity  a number of either enumeration of the DDI
[[nodiscard]] constexpr stopping stopping_at(u32 granularity) noexcept {
    constexpr u32 first_between_buffers = 100;
    constexpr u32 first_inside = 200;
    return granularity < first_between_buffers ? stopping::nowhere
           : granularity < first_inside        ? stopping::between_buffers
                                               : stopping::inside_a_buffer;
}
static_assert(stopping_at(0) == stopping::nowhere && stopping_at(100) == stopping::between_buffers);

/// The number of the coarsest kind of work that an engine runs; 0 for one that runs nothing.
///
/// A packet does not tell which kind of work is in it, so an engine that does several stops as the coarsest of them.
[[nodiscard]] constexpr u32 coarsest_of(preemption_engine const& engine) noexcept {
    constexpr u32 nothing_runs = ~u32{0};
    constexpr auto number_of = [](auto const& work) {
        return work.runs ? static_cast<u32>(work.granularity) : nothing_runs;
    };
    u32 const coarsest = lesser(lesser(number_of(engine.graphics), number_of(engine.compute)), number_of(engine.other));
    return coarsest == nothing_runs ? 0 : coarsest;
}

/// What is left of a granularity on an engine whose other work stops at a coarser one: the coarser.
///
/// A packet does not tell which kind of work is in it, and what is reported must not be finer than what the machine
/// does (PRE-21).
[[nodiscard]] constexpr u32 achieved(preemption_engine const& engine, u32 granularity) noexcept {
    u32 const coarsest = coarsest_of(engine);
    return stopping_at(coarsest) < stopping_at(granularity) ? coarsest : granularity;
}

/// The coarsest granularity of a kind of work over the engines that can run it; none when no engine can.
template <class Granularity>
[[nodiscard]] constexpr Granularity coarsest_over(span<preemption_engine const> engines,
                                                  preemption_point<Granularity> preemption_engine::* work) noexcept {
    Granularity coarsest = Granularity::shader_boundary;
    bool runs = false;
    for (preemption_engine const& engine : engines) {
        if ((engine.*work).runs) {
            u32 const number = achieved(engine, static_cast<u32>((engine.*work).granularity));
            coarsest = lesser(coarsest, static_cast<Granularity>(number));
            runs = true;
        }
    }
    return runs ? coarsest : Granularity::none;
}

}  // namespace detail

/// What the engine machine has to know of an engine. @return the argument of its start()
[[nodiscard]] constexpr engine_kind kind_of(preemption_engine const& engine) noexcept {
    return {detail::stopping_at(detail::coarsest_of(engine)), engine.acknowledges_when_idle};
}

/// The least size of the area to which an engine saves a preempted context. @return the most bytes that it saves
[[nodiscard]] constexpr bytes saved_state_of(preemption_engine const& engine) noexcept {
    constexpr auto saved_by = [](auto const& work) { return work.runs ? work.saved_state.n : 0; };
    return {greater(greater(saved_by(engine.graphics), saved_by(engine.compute)), saved_by(engine.other))};
}

/// What an adapter reports for graphics work (PRE-05).
///
/// Source page: ne-d3dkmdt-_d3dkmdt_graphics_preemption_granularity.md.
///
/// @return the coarsest granularity of the engines that can run it; none when no engine can
[[nodiscard]] constexpr graphics_preemption_granularity coarsest_graphics(
    span<preemption_engine const> engines) noexcept {
    return detail::coarsest_over(engines, &preemption_engine::graphics);
}

/// What an adapter reports for compute work (PRE-05).
///
/// Source page: ne-d3dkmdt-_d3dkmdt_compute_preemption_granularity.md.
///
/// @return the coarsest granularity of the engines that can run it; none when no engine can
[[nodiscard]] constexpr compute_preemption_granularity coarsest_compute(
    span<preemption_engine const> engines) noexcept {
    return detail::coarsest_over(engines, &preemption_engine::compute);
}

}  // namespace wddmcore::preemption

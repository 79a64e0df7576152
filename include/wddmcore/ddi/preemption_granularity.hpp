// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// How finely an engine can stop, with the DDI's numbers. Levels are compared by number only, because the pages
/// describe the finer compute levels in nearly the same words (AMB-38). A larger number is finer (PRE-04).
namespace wddmcore::inline WDDMCORE_ABI {

/// D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY: where graphics work can be stopped.
///
/// Source page: ne-d3dkmdt-_d3dkmdt_graphics_preemption_granularity.md (PRE-04, PRE-06).
enum class graphics_preemption_granularity : u32 {
    none = 0,  ///< nowhere: not even a queued buffer that has not begun can be taken back
    dma_buffer_boundary = 100,
    primitive_boundary = 200,
    triangle_boundary = 300,
    pixel_boundary = 400,
    shader_boundary = 500,
};

/// D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY: where compute work can be stopped.
///
/// Source page: ne-d3dkmdt-_d3dkmdt_compute_preemption_granularity.md (PRE-04, PRE-06, AMB-38).
enum class compute_preemption_granularity : u32 {
    none = 0,  ///< nowhere: not even a queued buffer that has not begun can be taken back
    dma_buffer_boundary = 100,
    dispatch_boundary = 200,
    thread_group_boundary = 300,
    thread_boundary = 400,
    shader_boundary = 500,
};

/// Any IRQL, safe in non-paged code.
///
/// @param number  any
/// @return whether a number is one of the six that both enumerations share
[[nodiscard]] constexpr bool is_preemption_granularity(u32 number) noexcept {
    return number <= 500 && number % 100 == 0;
}
static_assert(is_preemption_granularity(0) && is_preemption_granularity(500) && !is_preemption_granularity(150));

}  // namespace wddmcore

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The DDI functions that may be paged out, one call each: paging buffers, the adapter's answers, allocations,
/// exclusive access, the CPU host aperture, rendering and patching. They run at PASSIVE_LEVEL and hold no lock.
///
/// A driver that pages them out includes this file between `#pragma code_seg(push, "PAGE")` and
/// `#pragma code_seg(pop)`, after wdk/resident_functions.hpp: what that file has included stays outside, and nothing
/// that only this one includes is ever called above PASSIVE_LEVEL. Without the pragmas everything is resident. So it
/// is with a compiler that does not apply the pragma to templates: cl says that it does not.
#include "functions/check.hpp"
#include "functions/host_aperture.hpp"
#include "functions/memory.hpp"
#include "functions/rendering.hpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Whether this build is slow, because sanitizers watch it: long sweeps then take the first part of the same cases.
/// The build says so itself (packaging/cmake/warnings.cmake).
#if defined(WDDMCORE_SLOW_BUILD)
inline constexpr bool slow_build = true;
#else
inline constexpr bool slow_build = false;
#endif

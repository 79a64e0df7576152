// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Whether this build is slow, not optimised or watched by sanitizers: long sweeps then take a part of the same
/// cases. `sh tests/run.sh --all` takes all of them.
/// The build says so itself (tests/cmake/warnings.cmake).
#if defined(WDDMCORE_SLOW_BUILD)
inline constexpr bool slow_build = true;
#else
inline constexpr bool slow_build = false;
#endif

/// Whether an emulator runs this build: sweeps that a slow build takes whole are then taken in part, too.
#if defined(WDDMCORE_EMULATED)
inline constexpr bool emulated = true;
#else
inline constexpr bool emulated = false;
#endif

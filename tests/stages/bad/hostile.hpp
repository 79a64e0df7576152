// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// Compiles, unless a header before it has defined these names as macros.
inline int near = 1;
inline int STATUS_SUCCESS = 2;
inline int min(int a, int b) { return a < b ? a : b; }

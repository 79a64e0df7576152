// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: undefined symbol
//
// The objects of x86 say that they use floating point, those of ARM64 do not.
// only: x86_64 i686

float half(float x) { return x * 0.5f; }

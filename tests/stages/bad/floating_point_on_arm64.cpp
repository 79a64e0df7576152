// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: floating-point or unsaved vector state
//
// IRQ-10: the objects of ARM64 have no symbol that says so.
// only: aarch64

double half(double x) { return x * 0.5; }

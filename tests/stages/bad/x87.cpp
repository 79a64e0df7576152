// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: floating-point or unsaved vector state
//
// IRQ-10: a float that is only passed on is loaded to the x87, and asks for no symbol.
// only: i686

float const* place(float const* of) { return of; }
float value(float const* of) { return *place(of); }

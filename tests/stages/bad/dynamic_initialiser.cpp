// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: dynamic initialiser

int chosen(int const volatile& x) { return x; }
int const volatile source = 3;
extern int const at_start;
int const at_start = chosen(source);

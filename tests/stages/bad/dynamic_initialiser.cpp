// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: dynamic initialiser

int chosen(int volatile const& x) {
    return x;
}
int volatile const source = 3;
extern int const at_start;
int const at_start = chosen(source);

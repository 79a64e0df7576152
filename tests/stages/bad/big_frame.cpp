// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: frame of

int sum(int const volatile& from) {
    int volatile block[128];
    for (int i = 0; i != 128; ++i) {
        block[i] = from;
    }
    int total = 0;
    for (int i = 0; i != 128; ++i) {
        total += block[i];
    }
    return total;
}

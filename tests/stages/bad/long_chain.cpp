// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: chain

template <int depth>
__attribute__((noinline)) int step(int x) {
    int volatile block[80];
    block[x & 63] = x;
    if constexpr (depth != 0) {
        block[1] = step<depth - 1>(x + 1);
    }
    return block[x & 31];
}

int calls_four_deep(int x) { return step<3>(x); }

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: undefined symbol

int first(int x) {
    static int const kept = x;
    return kept;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: undefined symbol: __fltused

float half(float x) {
    return x * 0.5f;
}

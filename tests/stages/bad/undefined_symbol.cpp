// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: undefined symbol

extern "C" int somewhere_else(int x);

int calls_out(int x) { return somewhere_else(x) + 1; }

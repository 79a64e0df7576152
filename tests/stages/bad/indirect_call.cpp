// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: indirect call

int calls(int (*what)(int), int x) { return what(x) + 1; }

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: undefined symbol

int* on_the_heap(int x) { return new int{x}; }

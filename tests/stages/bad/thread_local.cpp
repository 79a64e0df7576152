// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: thread-local

thread_local int mine = 1;
int next() { return ++mine; }

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: writable global

inline int shared_counter;
int next() { return ++shared_counter; }

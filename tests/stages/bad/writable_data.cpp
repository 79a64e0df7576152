// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: writable global

int counter = 1;

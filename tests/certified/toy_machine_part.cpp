// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../vidmm/toy_machine.cpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The program in which the stage debugger has gdb print every sample, in look_at.

#include "samples.hpp"

void look_at(samples const& all);
void look_at(samples const& all) { static_cast<void>(all); }

int main() {
    samples all;
    all.prepare();
    look_at(all);
    return 0;
}

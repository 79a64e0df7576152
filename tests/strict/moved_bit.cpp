// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// The bits of an included header, looked at by a program: its code is made for Windows and runs where the stage runs.
#include <d3dkmddi.h>

#include <wddmcore/wdk/layout_check.hpp>

extern "C" int puts(char const* text);

int main() {
    char const* const moved = wddmcore::wdk::moved_bit();
    puts(moved == nullptr ? "every bit is where it was measured" : moved);
    return moved == nullptr ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The four functions that compilers call, for images without a C runtime. Byte by byte: aligned on every machine.
// Compiled with -fno-builtin, or the loops would become calls of themselves.

extern "C" {

using size = decltype(sizeof 0);

void* memcpy(void* to, void const* from, size count) {
    for (size i = 0; i != count; ++i) {
        static_cast<unsigned char*>(to)[i] = static_cast<unsigned char const*>(from)[i];
    }
    return to;
}

void* memmove(void* to, void const* from, size count) {
    bool const down = reinterpret_cast<size>(to) - reinterpret_cast<size>(from) < count;
    for (size i = 0; i != count; ++i) {
        size const k = down ? count - 1 - i : i;
        static_cast<unsigned char*>(to)[k] = static_cast<unsigned char const*>(from)[k];
    }
    return to;
}

void* memset(void* to, int value, size count) {
    for (size i = 0; i != count; ++i) {
        static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(value);
    }
    return to;
}

int memcmp(void const* left, void const* right, size count) {
    for (size i = 0; i != count; ++i) {
        int const difference = static_cast<unsigned char const*>(left)[i] - static_cast<unsigned char const*>(right)[i];
        if (difference != 0) {
            return difference;
        }
    }
    return 0;
}
}

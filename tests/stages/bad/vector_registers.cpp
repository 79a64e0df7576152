// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// refused: floating-point or unsaved vector state
//
// IRQ-10: no symbol tells of it, and no float is in the source.
// only: x86_64

using eight = unsigned __attribute__((vector_size(32)));

__attribute__((target("avx2"))) void add(eight* to, eight const* from) { *to += *from; }

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

/// Code that a watcher watches: single instructions that no compiler merges, splits or removes.
namespace watched_code {

#if defined(__x86_64__) && defined(__linux__)

inline constexpr bool native = true;

inline void store8(std::byte* at, std::uint8_t v) { asm volatile("movb %1, (%0)" ::"r"(at), "q"(v) : "memory"); }
inline void store16(std::byte* at, std::uint16_t v) { asm volatile("movw %1, (%0)" ::"r"(at), "r"(v) : "memory"); }
inline void store32(std::byte* at, std::uint32_t v) { asm volatile("movl %1, (%0)" ::"r"(at), "r"(v) : "memory"); }
inline void store64(std::byte* at, std::uint64_t v) { asm volatile("movq %1, (%0)" ::"r"(at), "r"(v) : "memory"); }
inline void stream32(std::byte* at, std::uint32_t v) { asm volatile("movnti %1, (%0)" ::"r"(at), "r"(v) : "memory"); }

inline void store128(std::byte* at, std::uint32_t v) {
    asm volatile("movd %1, %%xmm0; pshufd $0, %%xmm0, %%xmm0; movups %%xmm0, (%0)" ::"r"(at), "r"(v)
                 : "xmm0", "memory");
}

inline void store_low64(std::byte* at, std::uint64_t v) {
    asm volatile("movq %1, %%xmm0; movlps %%xmm0, (%0)" ::"r"(at), "r"(v) : "xmm0", "memory");
}

/// An x87 store that pops: a second run must find the same stack.
inline void store_double(std::byte* at, double const& v) {
    asm volatile("fldl %1; fstpl (%0)" ::"r"(at), "m"(v) : "memory");
}

inline std::uint32_t load32(std::byte const* at) {
    std::uint32_t v = 0;
    asm volatile("movl (%1), %0" : "=r"(v) : "r"(at) : "memory");
    return v;
}

inline void add32(std::byte* at, std::uint32_t v) { asm volatile("addl %1, (%0)" ::"r"(at), "r"(v) : "memory", "cc"); }

inline std::uint32_t exchange_add32(std::byte* at, std::uint32_t v) {
    asm volatile("lock xaddl %0, (%1)" : "+r"(v) : "r"(at) : "memory", "cc");
    return v;
}

inline void fill8(std::byte* at, std::uint8_t v, std::size_t count) {
    asm volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(v) : "memory");
}

inline void fill32(std::byte* at, std::uint32_t v, std::size_t count) {
    asm volatile("rep stosl" : "+D"(at), "+c"(count) : "a"(v) : "memory");
}

inline void copy32(std::byte* to, void const* from, std::size_t count) {
    asm volatile("rep movsl" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

/// Whether instructions are translated: there single steps do not happen.
inline bool emulated() {
    char const* const preloaded = std::getenv("LD_PRELOAD");
    return preloaded != nullptr && std::strstr(preloaded, "vgpreload") != nullptr;
}

#else

inline constexpr bool native = false;

template <class T>
void store(std::byte* at, T v) {
    unsigned char bytes[sizeof v];
    std::memcpy(bytes, &v, sizeof v);
    for (std::size_t i = 0; i < sizeof v; ++i) {
        *const_cast<std::byte volatile*>(at + i) = static_cast<std::byte>(bytes[i]);
    }
}

inline std::uint32_t load32(std::byte const* at) {
    std::uint32_t v = 0;
    std::memcpy(&v, at, sizeof v);
    return v;
}

inline void store8(std::byte* at, std::uint8_t v) { store(at, v); }
inline void store16(std::byte* at, std::uint16_t v) { store(at, v); }
inline void store32(std::byte* at, std::uint32_t v) { store(at, v); }
inline void store64(std::byte* at, std::uint64_t v) { store(at, v); }
inline void stream32(std::byte* at, std::uint32_t v) { store(at, v); }
inline void store_low64(std::byte* at, std::uint64_t v) { store(at, v); }
inline void store_double(std::byte* at, double const& v) { store(at, v); }

inline void fill8(std::byte* at, std::uint8_t v, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        store(at + i, v);
    }
}

inline void fill32(std::byte* at, std::uint32_t v, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        store(at + 4 * i, v);
    }
}

inline void store128(std::byte* at, std::uint32_t v) { fill32(at, v, 4); }
inline void add32(std::byte* at, std::uint32_t v) { store(at, load32(at) + v); }
inline void copy32(std::byte* to, void const* from, std::size_t count) { std::memcpy(to, from, 4 * count); }

inline std::uint32_t exchange_add32(std::byte* at, std::uint32_t v) {
    std::uint32_t const before = load32(at);
    store(at, before + v);
    return before;
}

inline bool emulated() { return false; }

#endif

}  // namespace watched_code

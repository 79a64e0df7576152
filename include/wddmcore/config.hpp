// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// What depends on the compiler, the machine and the mode becomes a macro of the library here. No other macro stays
/// visible.
///
/// A driver may define, before it includes anything of this library:
///   WDDMCORE_ASSERT(condition)   what a checked build does with a broken internal promise, for example NT_ASSERT.
/// Without it nothing is checked and nothing is generated.

// An older standard would give thousands of errors. Every compiler stops at a file that does not exist, and shows its
// name.
#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#    include "wddmcore is a C++20 library, please compile it as C++20 or later"
#endif

#define WDDMCORE_VERSION_MAJOR 0
#define WDDMCORE_VERSION_MINOR 1
#define WDDMCORE_VERSION_PATCH 0

#if defined(WDDMCORE_ASSERT)
#    define WDDMCORE_ABI v0_checked
#    define WDDMCORE_MODE_TEXT "0.1 checked"
#else
#    define WDDMCORE_ABI v0
#    define WDDMCORE_MODE_TEXT "0.1"
#    define WDDMCORE_ASSERT(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

// Objects built in different modes must not link: inline functions of one name would have two bodies.
#if defined(_MSC_VER)
#    pragma detect_mismatch("wddmcore", WDDMCORE_MODE_TEXT)
#endif

// The hot loops keep their state in registers only when they are one function. A build that optimises nothing keeps
// nothing in registers: there it would only cost compile time, and the steps of a debugger.
#if defined(_MSC_VER) && !defined(__clang__)
#    define WDDMCORE_INLINE __forceinline
#    define WDDMCORE_NOINLINE __declspec(noinline)
#elif defined(__OPTIMIZE__)
#    define WDDMCORE_INLINE inline __attribute__((always_inline))
#    define WDDMCORE_NOINLINE __attribute__((noinline))
#else
#    define WDDMCORE_INLINE inline
#    define WDDMCORE_NOINLINE __attribute__((noinline))
#endif

// x64 stores eight bytes at any address; ARM64 faults on that in Device memory, and x86 has no such store and would put
// the high half first: they get two dwords (law 4).
#if defined(__x86_64__) || defined(_M_X64)
#    define WDDMCORE_UNALIGNED_STORES 1
#else
#    define WDDMCORE_UNALIGNED_STORES 0
#endif

// g++ and clang can hide a value from their optimiser. Both must be made to keep the order of stores, except clang for
// x86, which keeps it anyway and would pay with loads (law 4).
#if defined(__GNUC__) || defined(__clang__)
#    define WDDMCORE_EMPTY_ASM 1
#else
#    define WDDMCORE_EMPTY_ASM 0
#endif
#if (defined(__GNUC__) && !defined(__clang__)) || (defined(__clang__) && (defined(__aarch64__) || defined(_M_ARM64)))
#    define WDDMCORE_REORDERED_STORES 1
#else
#    define WDDMCORE_REORDERED_STORES 0
#endif
#if defined(__GNUC__) && !defined(__clang__)
#    define WDDMCORE_STORES_IN_ORDER __attribute__((optimize("no-schedule-insns2")))
#else
#    define WDDMCORE_STORES_IN_ORDER
#endif

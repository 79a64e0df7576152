// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver_table.h"

#include "../../config.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <cstdint>

/// The kernel's structures and numbers that drivers and services share.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

using ntstatus = std::int32_t;
using irql = std::uint8_t;

inline constexpr irql passive_level = 0;
inline constexpr irql apc_level = 1;
inline constexpr irql dispatch_level = 2;
inline constexpr irql device_level = 5;
inline constexpr irql high_level = 15;

namespace nt {
inline constexpr ntstatus success = 0;
inline constexpr ntstatus timeout = 0x102;
inline constexpr ntstatus buffer_overflow = static_cast<ntstatus>(0x80000005);
inline constexpr ntstatus no_more_entries = static_cast<ntstatus>(0x8000001A);
inline constexpr ntstatus unsuccessful = static_cast<ntstatus>(0xC0000001);
inline constexpr ntstatus not_implemented = static_cast<ntstatus>(0xC0000002);
inline constexpr ntstatus invalid_handle = static_cast<ntstatus>(0xC0000008);
inline constexpr ntstatus invalid_parameter = static_cast<ntstatus>(0xC000000D);
inline constexpr ntstatus invalid_parameter_2 = static_cast<ntstatus>(0xC00000F0);
inline constexpr ntstatus invalid_parameter_5 = static_cast<ntstatus>(0xC00000F3);
inline constexpr ntstatus invalid_parameter_6 = static_cast<ntstatus>(0xC00000F4);
inline constexpr ntstatus invalid_parameter_8 = static_cast<ntstatus>(0xC00000F6);
inline constexpr ntstatus name_too_long = static_cast<ntstatus>(0xC0000106);
inline constexpr ntstatus no_memory = static_cast<ntstatus>(0xC0000017);
inline constexpr ntstatus buffer_too_small = static_cast<ntstatus>(0xC0000023);
inline constexpr ntstatus type_mismatch = static_cast<ntstatus>(0xC0000024);
inline constexpr ntstatus name_not_found = static_cast<ntstatus>(0xC0000034);
inline constexpr ntstatus insufficient_resources = static_cast<ntstatus>(0xC000009A);
inline constexpr ntstatus not_supported = static_cast<ntstatus>(0xC00000BB);
inline constexpr ntstatus image_already_loaded = static_cast<ntstatus>(0xC000010E);
}  // namespace nt

/// DISPATCHER_HEADER, with which each object begins that a thread can wait for.
struct dispatcher {
    std::uint8_t type;
    std::uint8_t flags[3];
    std::int32_t signalled;
    void* waiters[2];
};
static_assert(sizeof(dispatcher) == 24);
inline constexpr std::uint8_t notification_event = 0, synchronization_event = 1, mutex_object = 2, semaphore_object = 5,
                              thread_object = 6, notification_timer = 8, synchronization_timer = 9;

/// KDPC.
struct deferred_call {
    std::uint32_t kind;
    std::uint32_t unused;
    void* link[2];
    void(WDDMCORE_DRIVER_CALL* routine)(deferred_call*, void*, void*, void*);
    void* context;
    void* argument1;
    void* argument2;
    void* data;
};
static_assert(sizeof(deferred_call) == 64);

/// UNICODE_STRING and ANSI_STRING.
template <class Character>
struct counted_string {
    std::uint16_t length;   // bytes
    std::uint16_t maximum;  // bytes
    Character* buffer;
};
using unicode_string = counted_string<char16_t>;
using ansi_string = counted_string<char>;

/// One service of the kernel, as an image imports it.
struct service {
    char const* name;
    void* address;
    std::size_t variable_bytes = 0;  // 0: it is a function
};
template <class Function>
[[nodiscard]] service entry(char const* name, Function* function) {
    return {name, reinterpret_cast<void*>(function)};
}
/// A variable of the kernel: the import is its address.
template <class Value>
[[nodiscard]] service variable(char const* name, Value& value) {
    return {name, &value, sizeof value};
}

}  // namespace wddmcore::testing::kernel_parts

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../objects.hpp"
#include "../runtime.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// The registry: every key can be opened, and each shows the values that the run was given, and what the driver set.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::registry_services {

inline constexpr std::uint32_t text_type = registry_value::text, binary_type = 3, number_type = registry_value::number;

using values = std::vector<registry_value>;
[[nodiscard]] inline values& all() { return system().options.registry; }

[[nodiscard]] inline registry_value* find(std::u16string_view name) {
    unicode_string const wanted{static_cast<std::uint16_t>(2 * name.size()), 0, const_cast<char16_t*>(name.data())};
    for (registry_value& v : all()) {
        unicode_string const one{static_cast<std::uint16_t>(2 * v.name.size()), 0, v.name.data()};
        if (runtime_services::equal_wide(&wanted, &one, 1) != 0) {
            return &v;
        }
    }
    return nullptr;
}
inline ntstatus put(std::u16string_view name, std::uint32_t type, void const* data, std::size_t bytes) {
    if (system().fails()) {
        return nt::insufficient_resources;
    }
    registry_value* found = find(name);
    found = found != nullptr ? found : &all().emplace_back();
    auto const* const from = static_cast<std::byte const*>(data);
    *found = {std::u16string(name), type, {from, from + bytes}};
    return nt::success;
}
inline ntstatus take_away(std::u16string_view name) {
    return std::erase_if(all(), [found = find(name)](registry_value const& v) { return &v == found; }) != 0
               ? nt::success
               : nt::name_not_found;
}
[[nodiscard]] inline std::u16string_view text_of(unicode_string const* s) {
    return s == nullptr ? std::u16string_view() : std::u16string_view(s->buffer, s->length / 2U);
}

// Keys.

inline ntstatus WDDMCORE_DRIVER_CALL open_key(void** handle, std::uint32_t, void*) {
    system().at_most(passive_level, "ZwOpenKey");
    if (system().fails()) {
        return nt::name_not_found;
    }
    *handle = object_services::objects::current().open();
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL create_key(void** handle, std::uint32_t access, void* attributes, std::uint32_t,
                                                void*, std::uint32_t, std::uint32_t* disposition) {
    constexpr std::uint32_t opened_existing = 2;
    if (disposition != nullptr) {
        *disposition = opened_existing;
    }
    return open_key(handle, access, attributes);
}
inline ntstatus WDDMCORE_DRIVER_CALL device_key(void*, std::uint32_t, std::uint32_t access, void** handle) {
    return open_key(handle, access, nullptr);
}
[[nodiscard]] inline bool is_open(void* key, char const* what) {
    system().at_most(passive_level, what);
    bool const open = object_services::objects::current().handles.count(reinterpret_cast<std::uintptr_t>(key)) != 0;
    if (!open) {
        system().find("0x93 INVALID_KERNEL_HANDLE", std::string(what) + " is given a key that is not open");
    }
    return open;
}

// Values, as ZwQueryValueKey tells them.

/// Writes one of the KEY_VALUE_..._INFORMATION structures, as far as there is room.
[[nodiscard]] inline ntstatus describe(registry_value const& v, std::uint32_t kind, std::byte* to, std::uint32_t room,
                                       std::uint32_t* needed) {
    enum : std::uint32_t { basic, full, partial, full_aligned, partial_aligned };
    std::vector<std::byte> out;
    auto const number = [&out](std::size_t value) {
        auto const word = static_cast<std::uint32_t>(value);
        auto const* const bytes = reinterpret_cast<std::byte const*>(&word);
        out.insert(out.end(), bytes, bytes + 4);
    };
    auto const name = [&out, &v] {
        auto const* const bytes = reinterpret_cast<std::byte const*>(v.name.data());
        out.insert(out.end(), bytes, bytes + 2 * v.name.size());
    };
    if (kind > partial_aligned) {
        return nt::invalid_parameter;
    }
    if (kind != partial_aligned) {
        number(0);  // TitleIndex
    }
    number(v.type);
    if (kind == full || kind == full_aligned) {
        std::size_t const unit = kind == full_aligned ? 8 : 4;
        number((20 + 2 * v.name.size() + unit - 1) / unit * unit);
    }
    if (kind != basic) {
        number(v.data.size());
    }
    std::size_t fixed = out.size();
    if (kind != partial && kind != partial_aligned) {
        number(2 * v.name.size());
        fixed = out.size();
        name();
    }
    if (kind != basic) {
        std::size_t const unit = kind == full_aligned ? 8 : 4;
        out.resize(kind == partial || kind == partial_aligned ? out.size() : (out.size() + unit - 1) / unit * unit);
        out.insert(out.end(), v.data.begin(), v.data.end());
    }
    *needed = static_cast<std::uint32_t>(out.size());
    if (room < fixed) {
        return nt::buffer_too_small;
    }
    std::copy_n(out.begin(), std::min<std::size_t>(room, out.size()), to);
    return room < out.size() ? nt::buffer_overflow : nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL query_value(void* key, unicode_string const* name, std::uint32_t kind, void* to,
                                                 std::uint32_t room, std::uint32_t* needed) {
    if (!is_open(key, "ZwQueryValueKey")) {
        return nt::invalid_handle;
    }
    if (system().fails()) {
        return nt::insufficient_resources;
    }
    registry_value const* const found = find(text_of(name));
    return found == nullptr ? nt::name_not_found : describe(*found, kind, static_cast<std::byte*>(to), room, needed);
}
inline ntstatus WDDMCORE_DRIVER_CALL enumerate_value(void* key, std::uint32_t index, std::uint32_t kind, void* to,
                                                     std::uint32_t room, std::uint32_t* needed) {
    if (!is_open(key, "ZwEnumerateValueKey")) {
        return nt::invalid_handle;
    }
    return index >= all().size() ? nt::no_more_entries
                                 : describe(all()[index], kind, static_cast<std::byte*>(to), room, needed);
}
inline ntstatus WDDMCORE_DRIVER_CALL set_value(void* key, unicode_string const* name, std::uint32_t, std::uint32_t type,
                                               void const* data, std::uint32_t bytes) {
    return is_open(key, "ZwSetValueKey") ? put(text_of(name), type, data, bytes) : nt::invalid_handle;
}
inline ntstatus WDDMCORE_DRIVER_CALL delete_value(void* key, unicode_string const* name) {
    return is_open(key, "ZwDeleteValueKey") ? take_away(text_of(name)) : nt::invalid_handle;
}

// RtlQueryRegistryValues and its neighbours.

struct query {  // RTL_QUERY_REGISTRY_TABLE
    ntstatus(WDDMCORE_DRIVER_CALL* routine)(char16_t const* name, std::uint32_t type, void const* data,
                                            std::uint32_t bytes, void* context, void* entry_context);
    std::uint32_t flags;
    char16_t const* name;
    void* to;
    std::uint32_t default_type;
    void const* default_data;
    std::uint32_t default_bytes;
};
static_assert(sizeof(query) == 56);
inline constexpr std::uint32_t wants_subkey = 1, is_required = 4, has_no_value = 8, is_direct = 0x20, deletes = 0x40,
                               checks_type = 0x100;

/// What RTL_QUERY_REGISTRY_DIRECT does with a value.
[[nodiscard]] inline ntstatus store(query const& q, std::uint32_t type, std::byte const* data, std::size_t bytes) {
    constexpr std::uint32_t list_type = 7, expanding_type = 2;
    if ((q.flags & checks_type) != 0 && q.default_type >> 24 != type) {
        return nt::type_mismatch;
    }
    if (type == text_type || type == expanding_type || type == list_type) {
        auto& s = *static_cast<unicode_string*>(q.to);
        if (s.buffer == nullptr) {
            s.buffer = reinterpret_cast<char16_t*>(pool::current().take(bytes, 0, true, "a registry string", true));
            s.maximum = static_cast<std::uint16_t>(bytes);
        }
        if (s.maximum < bytes) {
            return nt::buffer_too_small;
        }
        std::memcpy(s.buffer, data, bytes);
        s.length = static_cast<std::uint16_t>(bytes < 2 ? 0 : bytes - 2);  // without the end
        return nt::success;
    }
    if (bytes <= 4) {
        std::memcpy(q.to, data, bytes);
        return nt::success;
    }
    // A longer value of no text: the room stands in the buffer as a negative number, else the type and the length do.
    std::int32_t room = 0;
    std::memcpy(&room, q.to, sizeof room);
    auto* const to = static_cast<std::byte*>(q.to);
    if (room < 0) {
        if (static_cast<std::size_t>(-std::int64_t{room}) < bytes) {
            return nt::buffer_too_small;
        }
        std::memcpy(to, data, bytes);
        return nt::success;
    }
    if (static_cast<std::size_t>(room) < bytes + 8) {
        return nt::buffer_too_small;
    }
    auto const length = static_cast<std::uint32_t>(bytes);
    std::memcpy(to, &length, 4);
    std::memcpy(to + 4, &type, 4);
    std::memcpy(to + 8, data, bytes);
    return nt::success;
}
[[nodiscard]] inline ntstatus hand_over(query const& q, char16_t const* name, std::uint32_t type, std::byte const* data,
                                        std::size_t bytes, void* context) {
    if ((q.flags & is_direct) != 0) {
        return store(q, type, data, bytes);
    }
    return q.routine == nullptr ? nt::success
                                : q.routine(name, type, data, static_cast<std::uint32_t>(bytes), context, q.to);
}
[[nodiscard]] inline ntstatus answer(query const& q, void* context) {
    if ((q.flags & has_no_value) != 0) {
        return q.routine == nullptr ? nt::success : q.routine(nullptr, 0, nullptr, 0, context, q.to);
    }
    if (q.name == nullptr) {  // every value
        values const copies = all();
        for (registry_value const& v : copies) {
            ntstatus const status = hand_over(q, v.name.c_str(), v.type, v.data.data(), v.data.size(), context);
            if (status < 0) {
                return status;
            }
        }
        return nt::success;
    }
    if (registry_value const* const found = find(q.name); found != nullptr) {
        registry_value const copy = *found;
        ntstatus const status = hand_over(q, q.name, copy.type, copy.data.data(), copy.data.size(), context);
        if (status >= 0 && (q.flags & deletes) != 0) {
            static_cast<void>(take_away(q.name));
        }
        return status;
    }
    if ((q.flags & is_required) != 0) {
        return nt::name_not_found;
    }
    std::uint32_t const type = q.default_type & 0xFF'FFFF;
    if (type == 0) {
        return nt::success;
    }
    std::size_t const bytes = q.default_bytes != 0 || type != text_type
                                  ? q.default_bytes
                                  : 2 * runtime_services::wide_length(static_cast<char16_t const*>(q.default_data)) + 2;
    query unchecked = q;
    unchecked.flags &= ~checks_type;
    return hand_over(unchecked, q.name, type, static_cast<std::byte const*>(q.default_data), bytes, context);
}
inline ntstatus WDDMCORE_DRIVER_CALL query_values(std::uint32_t, char16_t const*, query const* table, void* context,
                                                  void*) {
    system().at_most(passive_level, "RtlQueryRegistryValues");
    if (system().fails()) {
        return nt::name_not_found;
    }
    for (query const* q = table; q->routine != nullptr || q->name != nullptr; ++q) {
        // Of a subkey its values are asked by the rows after it.
        bool const is_subkey = (q->flags & wants_subkey) != 0 && q->routine == nullptr;
        ntstatus const status = is_subkey ? nt::success : answer(*q, context);
        if (status < 0) {
            return status;
        }
    }
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL write_value(std::uint32_t, char16_t const*, char16_t const* name,
                                                 std::uint32_t type, void const* data, std::uint32_t bytes) {
    system().at_most(passive_level, "RtlWriteRegistryValue");
    return put(name, type, data, bytes);
}
inline ntstatus WDDMCORE_DRIVER_CALL remove_value(std::uint32_t, char16_t const*, char16_t const* name) {
    system().at_most(passive_level, "RtlDeleteRegistryValue");
    return take_away(name);
}
inline ntstatus WDDMCORE_DRIVER_CALL check_key(std::uint32_t, char16_t const*) {
    system().at_most(passive_level, "RtlCheckRegistryKey");
    return nt::success;
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ZwOpenKey", &open_key),
            entry("ZwCreateKey", &create_key),
            entry("IoOpenDeviceRegistryKey", &device_key),
            entry("ZwQueryValueKey", &query_value),
            entry("ZwEnumerateValueKey", &enumerate_value),
            entry("ZwSetValueKey", &set_value),
            entry("ZwDeleteValueKey", &delete_value),
            entry("RtlQueryRegistryValues", &query_values),
            entry("RtlWriteRegistryValue", &write_value),
            entry("RtlDeleteRegistryValue", &remove_value),
            entry("RtlCheckRegistryKey", &check_key),
            entry("RtlCreateRegistryKey", &check_key)};
}

}  // namespace wddmcore::testing::kernel_parts::registry_services

#endif

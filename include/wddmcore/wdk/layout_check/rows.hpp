// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"
#include "../../base/types.hpp"
#include "../../ddi/binding.hpp"
#include "measured.hpp"

/// What a row of the layout check asks. wdk/layout_check.hpp takes the macros away again.
namespace wddmcore::inline WDDMCORE_ABI::wdk::detail {

/// Where a member of a structure lies; a structure or member that does not exist is nowhere.
struct member_place {
    bool exists = false;
    usize offset = 0;
    usize size = 0;

    friend constexpr bool operator==(member_place, member_place) noexcept = default;
};

/// @param included  of the driver's header; a structure that it has not is no difference: the library asks before use
template <class Structure>
consteval bool same_place(member_place included, member_place expected) noexcept {
    return !present<Structure> || included == expected;
}

template <class Included, class Measured>
consteval bool same_record() noexcept {
    if constexpr (present<Included>) {
        return sizeof(Included) == sizeof(Measured) && alignof(Included) == alignof(Measured);
    } else {
        return true;
    }
}

template <class Included, class Measured>
union both_structures {
    Included included;
    Measured measured;
    unsigned char bytes[sizeof(Included) > sizeof(Measured) ? sizeof(Included) : sizeof(Measured)];
};

/// Whether nothing but zeros is left of a structure.
inline bool all_zero(unsigned char const* bytes, usize size) noexcept {
    unsigned char seen = 0;
    for (usize i = 0; i < size; ++i) {
        seen = static_cast<unsigned char>(seen | bytes[i]);
    }
    return seen == 0;
}

/// Whether a bit-field is the same bits of both structures: what is set as the one is cleared as the other, and the
/// other way round. A header that lacks the bit has no other there.
///
/// @param set  puts a value into the member, or answers false where the structure has none
template <class Included, class Measured, class Set>
bool same_bits(Set set) noexcept {
    if constexpr (present<Included>) {
        both_structures<Included, Measured> tried;
        __builtin_memset(&tried, 0, sizeof tried);
        if (!set(tried.included, ~u64{0})) {
            return true;
        }
        set(tried.measured, 0);
        if (!all_zero(tried.bytes, sizeof tried)) {
            return false;
        }
        set(tried.measured, ~u64{0});
        set(tried.included, 0);
        return all_zero(tried.bytes, sizeof tried);
    } else {
        return true;
    }
}

}  // namespace wddmcore::wdk::detail

// A member is named inside a generic lambda, because only there a missing one is an answer and no error.
#define WDDMCORE_PLACE_OF(type, path) WDDMCORE_PLACE_IF(type, path, path)

// Not even asked for where the member that tells the shape is missing: an older shape may have a bit-field there.
#define WDDMCORE_PLACE_IF(type, path, told_by)                                                              \
    ([]<class T>(::wddmcore::meta::type_is<T>) consteval noexcept {                                         \
        if constexpr (!::wddmcore::present<T>) {                                                            \
            return member_place{};                                                                          \
        } else if constexpr (requires(T& object) {                                                          \
                                 object.told_by;                                                            \
                                 object.path;                                                               \
                             }) {                                                                           \
            return member_place{true, __builtin_offsetof(T, path), sizeof(static_cast<T*>(nullptr)->path)}; \
        } else {                                                                                            \
            return member_place{};                                                                          \
        }                                                                                                   \
    }(::wddmcore::meta::type_is<type>{}))

#define WDDMCORE_HAS(type, path)                                               \
    ([]<class T>(::wddmcore::meta::type_is<T>) consteval noexcept {            \
        return ::wddmcore::present<T> && requires(T& object) { object.path; }; \
    }(::wddmcore::meta::type_is<type>{}))

// A variable of its own, so that an error shows the sentence and not the lambdas.
#define WDDMCORE_ROW(condition, sentence) WDDMCORE_ROW_OF(condition, sentence, __COUNTER__)
#define WDDMCORE_ROW_OF(condition, sentence, number) WDDMCORE_ROW_NUMBERED(condition, sentence, number)
#define WDDMCORE_ROW_NUMBERED(condition, sentence, number) \
    constexpr bool row_##number = (condition);             \
    static_assert(row_##number, sentence);

#define WDDMCORE_RECORD(tag, twin) \
    WDDMCORE_ROW((same_record<::tag, measured::twin>()), "d3dkmddi.h has another size of " #tag " than wddmcore knows")

// `older` are the sizes of the shape without the member that tells; no older shape was measured on a 32-bit machine.
#define WDDMCORE_RECORD_UNLESS(tag, twin, told_by, older)                                \
    WDDMCORE_ROW((same_record<::tag, measured::twin>()) ||                               \
                     (!WDDMCORE_HAS(::tag, told_by) && (sizeof(void*) == 4 || (older))), \
                 "d3dkmddi.h has another size of " #tag " than wddmcore knows")

#define WDDMCORE_MEMBER(tag, twin, path)                                                                       \
    WDDMCORE_ROW((same_place<::tag>(WDDMCORE_PLACE_OF(::tag, path), WDDMCORE_PLACE_OF(measured::twin, path))), \
                 "d3dkmddi.h has " #tag "." #path " elsewhere than wddmcore knows")

#define WDDMCORE_MEMBER_IF(tag, twin, path, told_by)                                                            \
    WDDMCORE_ROW(!WDDMCORE_HAS(::tag, told_by) || (same_place<::tag>(WDDMCORE_PLACE_IF(::tag, path, told_by),   \
                                                                     WDDMCORE_PLACE_OF(measured::twin, path))), \
                 "d3dkmddi.h has " #tag "." #path " elsewhere than wddmcore knows")

#define WDDMCORE_CONSTANT(name, value)                      \
    WDDMCORE_ROW(static_cast<long long>(::name) == (value), \
                 "d3dkmddi.h has another value of " #name " than wddmcore knows")

#define WDDMCORE_STATUS(name, value) \
    WDDMCORE_ROW(static_cast<::wddmcore::u32>(name) == (value), #name " has another value than wddmcore knows")

#define WDDMCORE_BIT(tag, twin, path, told_by)                                              \
    if (!same_bits<::tag, measured::twin>([](auto& object, ::wddmcore::u64 ones) noexcept { \
            if constexpr (requires {                                                        \
                              object.path;                                                  \
                              object.told_by;                                               \
                          }) {                                                              \
                object.path = static_cast<decltype(object.path)>(ones);                     \
                return true;                                                                \
            } else {                                                                        \
                return false;                                                               \
            }                                                                               \
        })) {                                                                               \
        return #tag "." #path;                                                              \
    }

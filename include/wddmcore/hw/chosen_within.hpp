// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/span.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// A number of a promise that differs between the chips of one driver: a member of the hardware's object, decided at
/// AddDevice, with the range in which every chip lies.
///
///     wddmcore::bytes largest_copy{};  // AddDevice writes it
///     static constexpr wddmcore::chosen_within copy_max{256 * kib, 4 * mib, &my_gpu::largest_copy};
///
/// It stands where a constant would: every check at compile time, what is reachable, and smallest_paging_buffer hold
/// for the whole range. The promise says which numbers may be written so. AddDevice ends with check_numbers; while a
/// number is outside of its range, answer_query_adapter_info refuses, so that no adapter starts with it.
///
/// @tparam Number  the type of the constant that it stands for: bytes, u32
/// @tparam Owner   the type that has the member: the hardware type, or one that it is derived from
template <class Number, class Owner>
struct chosen_within {
    Number least;            ///< the smallest that any chip has, inclusive
    Number most;             ///< the largest that any chip has, inclusive; not below `least`
    Number Owner::* member;  ///< where the object keeps its own
};
template <class Number, class Owner>
chosen_within(Number, Number, Number Owner::*) -> chosen_within<Number, Owner>;

/// What chips of one driver have one of several of, where a range would say nothing: page tables, and how far the
/// numbers in their entries go.
///
///     wddmcore::u32 generation = 0;  // AddDevice writes it: 0 is the first of the list
///     static constexpr wddmcore::chosen_among page_tables{{tables_of_gen9, tables_of_gen11}, &my_gpu::generation};
///
/// Every check holds for each of them, and check_numbers refuses an object that names none.
template <class Alternative, usize Count, class Owner>
struct chosen_among {
    Alternative each[Count];  ///< 1 or more
    u32 Owner::* member;      ///< where the object keeps which of them is its own
};
template <class Alternative, usize Count, class Owner>
chosen_among(Alternative const (&)[Count], u32 Owner::*) -> chosen_among<Alternative, Count, Owner>;

}  // namespace wddmcore

/// How the library reads a number of a promise, whether it is a constant or chosen; a constant folds away.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether `Declared` is a number of type `Number` that a promise can take: a static constant, or one that an object of
/// Hw has.
template <class Hw, class Number, auto Declared>
inline constexpr bool is_number_of =
    meta::is_constant_of<Number, Declared> || requires(Hw const& hw, decltype(Declared) range) {
        requires meta::is_constant_of<Number, Declared.least>;
        { hw.*range.member } -> meta::same_as<Number const&>;
    };

/// Whether `Declared` is what a promise takes where chips have one of several: one static constant, or a list that an
/// object of Hw chooses from.
template <class Hw, class Alternative, auto Declared>
inline constexpr bool is_alternative_of =
    meta::is_constant_of<Alternative, Declared> || requires(Hw const& hw, decltype(Declared) list) {
        requires meta::is_constant_of<Alternative, Declared.each[0]>;
        { hw.*list.member } -> meta::same_as<u32 const&>;
    };

/// @return all that chips have: one, where it is a constant
///
/// @param declared  what the promise declares
template <class Alternative>
[[nodiscard]] consteval span<Alternative const> alternatives_of(Alternative const& declared) noexcept {
    return {&declared, 1};
}
template <class Alternative, usize Count, class Owner>
[[nodiscard]] consteval span<Alternative const> alternatives_of(
    chosen_among<Alternative, Count, Owner> const& declared) noexcept {
    return span_of(declared.each);
}

/// @return what this object has; what all have, where the promise declares one constant
///
/// @param hw        the object; one that check_numbers refuses must not come here
/// @param declared  what the promise declares
template <class Hw, class Alternative>
[[nodiscard]] WDDMCORE_INLINE constexpr auto const& alternative_of([[maybe_unused]] Hw const& hw,
                                                                   Alternative const& declared) noexcept {
    if constexpr (requires { declared.member; }) {
        return declared.each[hw.*declared.member];
    } else {
        return declared;
    }
}

/// @return the smallest that the number can be
template <class Number>
[[nodiscard]] constexpr Number least_of(Number const& constant) noexcept {
    return constant;
}
template <class Number, class Owner>
[[nodiscard]] constexpr Number least_of(chosen_within<Number, Owner> const& range) noexcept {
    return range.least;
}

/// @return the largest that the number can be
template <class Number>
[[nodiscard]] constexpr Number most_of(Number const& constant) noexcept {
    return constant;
}
template <class Number, class Owner>
[[nodiscard]] constexpr Number most_of(chosen_within<Number, Owner> const& range) noexcept {
    return range.most;
}

/// @return whether a range has its ends in order; a constant has
template <class Number>
[[nodiscard]] consteval bool is_range(Number const& number) noexcept {
    return !(most_of(number) < least_of(number));
}

/// @return whether places of this alignment divide a page: a power of two, so that between two alignments no other rule
///         applies than at them
[[nodiscard]] constexpr bool divides_page(bytes alignment) noexcept {
    return alignment.n != 0 && page_bytes % alignment.n == 0;
}

/// @return the number of this object; what check_numbers refuses must not come here
template <class Hw, class Number>
[[nodiscard]] WDDMCORE_INLINE constexpr Number value_of(Hw const&, Number const& constant) noexcept {
    return constant;
}
template <class Hw, class Number, class Owner>
[[nodiscard]] WDDMCORE_INLINE constexpr Number value_of(Hw const& hw,
                                                        chosen_within<Number, Owner> const& range) noexcept {
    return hw.*range.member;
}

}  // namespace wddmcore::hw

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "assert.hpp"
#include "checked.hpp"

/// A part of an array. All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// A pointer and a count. It owns nothing.
template <class T>
struct span {
    T* data;      ///< the first element; NULL only when there is none
    usize count;  ///< elements

    /// @param index  below `count`, which a checked build asserts
    /// @return the element
    [[nodiscard]] constexpr T& operator[](usize index) const noexcept {
        promise(index < count);
        return data[index];
    }
    /// @return the first element
    [[nodiscard]] constexpr T* begin() const noexcept { return data; }
    /// @return the place past the last element
    [[nodiscard]] constexpr T* end() const noexcept { return data + count; }
    /// @return whether there is no element
    [[nodiscard]] constexpr bool empty() const noexcept { return count == 0; }

    /// @param n  at most `count`, which a checked build asserts
    /// @return the first n elements
    [[nodiscard]] constexpr span first(usize n) const noexcept {
        promise(n <= count);
        return {data, n};
    }

    /// @param n  at most `count`, which a checked build asserts
    /// @return the last n elements
    [[nodiscard]] constexpr span last(usize n) const noexcept {
        promise(n <= count);
        return {data + (count - n), n};
    }

    /// @param from  index of the first element
    /// @param n     how many; all inside the span, which a checked build asserts
    /// @return n elements starting at `from`
    [[nodiscard]] constexpr span sub(usize from, usize n) const noexcept {
        promise(fits<usize>(from, n, count));
        return {data + from, n};
    }
};

/// @return a span over a whole array
template <class T, usize Count>
[[nodiscard]] constexpr span<T> span_of(T (&array)[Count]) noexcept {
    return {array, Count};
}

}  // namespace wddmcore

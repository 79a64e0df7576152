// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "assert.hpp"
#include "checked.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// A pointer and a count. It owns nothing.
template <class T>
struct span {
    T* data;
    usize count;

    /// The element at an index below `count`, which a checked build asserts.
    [[nodiscard]] constexpr T& operator[](usize index) const noexcept {
        promise(index < count);
        return data[index];
    }
    /// The first element, and the place past the last one: for range-based loops.
    [[nodiscard]] constexpr T* begin() const noexcept { return data; }
    [[nodiscard]] constexpr T* end() const noexcept { return data + count; }
    /// Whether the span is empty.
    [[nodiscard]] constexpr bool empty() const noexcept { return count == 0; }

    /// The first n elements; n at most count.
    [[nodiscard]] constexpr span first(usize n) const noexcept {
        promise(n <= count);
        return {data, n};
    }

    /// The last n elements; n at most count.
    [[nodiscard]] constexpr span last(usize n) const noexcept {
        promise(n <= count);
        return {data + (count - n), n};
    }

    /// n elements starting at `from`; all of them inside the span.
    [[nodiscard]] constexpr span sub(usize from, usize n) const noexcept {
        promise(fits<usize>(from, n, count));
        return {data + from, n};
    }
};

/// A span over a whole array.
template <class T, usize Count>
[[nodiscard]] constexpr span<T> span_of(T (&array)[Count]) noexcept {
    return {array, Count};
}

}  // namespace wddmcore

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "assert.hpp"

/// How a function says that it has no value to return. All functions here: any IRQL, touch no OS state, safe in
/// non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// Why a plan was refused. The list is short and final; each function documents which of these it can return.
enum class errc : u32 {
    none = 0,
    misaligned,           ///< an address or size is not a multiple of what the hardware or the DDI requires
    out_of_range,         ///< a range reaches outside the object it belongs to
    overflow,             ///< a sum or product does not fit its width
    unsupported_version,  ///< the declared interface version does not have it
    inconsistent,         ///< two statements contradict each other
    missing,              ///< a pointer is NULL where something is needed
};

/// @return a reason in words; "" for errc::none, "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(errc what) noexcept {
    using enum errc;
    switch (what) {
        case none: return "";
        case misaligned: return "an address or size is not a multiple of what the hardware or the DDI wants";
        case out_of_range: return "a range leaves the object it names";
        case overflow: return "a sum or product does not fit its width";
        case unsupported_version: return "the declared interface version does not have it";
        case inconsistent: return "two statements contradict each other";
        case missing: return "a pointer is NULL where something is needed";
    }
    return "?";
}

/// A value, or the reason why there is none. An aggregate: `{value, errc::none}` or `{{}, reason}`.
template <class T>
struct result {
    T value;  ///< meaningful only when ok()
    errc error;

    /// @return whether there is a value
    [[nodiscard]] constexpr bool ok() const noexcept { return error == errc::none; }

    /// @return the value; to be called only when ok(), which a checked build asserts
    [[nodiscard]] constexpr T const& get() const noexcept {
        promise(ok());
        return value;
    }
};

/// @return a result with a value
template <class T>
[[nodiscard]] constexpr result<T> good(T value) noexcept {
    return {value, errc::none};
}

/// @param reason  not errc::none
/// @return a result without a value
template <class T>
[[nodiscard]] constexpr result<T> refused(errc reason) noexcept {
    return {T{}, reason};
}

}  // namespace wddmcore

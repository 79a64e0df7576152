// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: no matching function for call to
//
// Law 6: an amount of bytes is not an amount of 4-KiB pages, and no conversion makes it one.
#include <wddmcore/base.hpp>

namespace {

using namespace wddmcore;

[[maybe_unused]] constexpr bytes size_of(bytes size) {
#if defined(BAD)
    return to_bytes(size);
#else
    return to_bytes(pages_spanned(size));
#endif
}

}  // namespace

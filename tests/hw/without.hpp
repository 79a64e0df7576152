// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/units.hpp>

/// Hardware types that lack one thing of their base, because they hide it.
namespace wddmcore::inline WDDMCORE_ABI::testing {

template <class Gpu>
struct without_address : Gpu {
    struct address {};  // to which no distance can be added
};
template <class Gpu>
struct without_virtual : Gpu {
    static constexpr u32 from_virtual = 0;
};
template <class Gpu>
struct without_pages : Gpu {
    static constexpr u32 from_page = 0;
};
template <class Gpu>
struct without_places : Gpu {
    static constexpr u32 place = 0;
};
template <class Gpu>
struct without_stream : Gpu {
    static constexpr u32 unit_dwords = 0;
};
template <class Gpu>
struct without_fill : Gpu {
private:
    static constexpr u32 fill_max = 0;
};

}  // namespace wddmcore::testing

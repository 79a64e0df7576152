// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether DmaSize is decremented by what a pass wrote; left out, it stays as it came (AMB-06). Optional.
///
/// For hardware authors: `static constexpr bool decrements_dma_size = true;`.
template <class Hw>
inline constexpr bool decrements_dma_size = requires { requires Hw::decrements_dma_size; };

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The choice about DmaSize, judged.
struct dma_size_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool declared = requires { Hw::decrements_dma_size; };
        constexpr bool kept = !declared || requires { requires meta::is_constant_of<bool, Hw::decrements_dma_size>; };
        static_assert(!Aloud || kept, "defaults: `decrements_dma_size` exists but is not a `static constexpr bool`");
        return kept;
    }
};

}  // namespace wddmcore::hw::detail

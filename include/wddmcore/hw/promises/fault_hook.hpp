// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"
#include "../fault.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Hears of requests that cannot be carried out. There is no default: a driver writes its hook (law 5).
///
/// For library users: called at most once a pass, before anything is committed, with the rule and the values.
/// For hardware authors: `disposition on_paging_fault(paging_fault const&)`; PASSIVE_LEVEL, must not touch the
/// arguments.
template <class Hw>
concept fault_hook = requires(Hw& hw, paging_fault const& fault) {
    { hw.on_paging_fault(fault) } -> meta::same_as<disposition>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The fault hook, judged.
struct fault_hook_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!fault_hook<Hw>) {
            constexpr bool declared = requires { &Hw::on_paging_fault; };
            static_assert(!Aloud || !declared,
                          "hardware type: `on_paging_fault` exists but cannot be called as `wddmcore::disposition "
                          "on_paging_fault(wddmcore::paging_fault const&)`");
            static_assert(!Aloud || declared, "hardware type: `on_paging_fault` is missing or not public: write "
                                              "`wddmcore::disposition on_paging_fault(wddmcore::paging_fault "
                                              "const&)`; there is no default answer to a malformed request");
        }
        return fault_hook<Hw>;
    }
};

}  // namespace wddmcore::hw::detail

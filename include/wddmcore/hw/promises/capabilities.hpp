// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../capabilities.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The claims of a hardware type, judged.
struct capabilities_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::caps; }) {
            static_assert(!Aloud, "hardware type: `caps` is missing or not public: write `static constexpr "
                                  "wddmcore::capabilities caps{...};`");
        } else if constexpr (!requires { requires meta::is_constant_of<capabilities, Hw::caps>; }) {
            static_assert(!Aloud,
                          "hardware type: `caps` exists but is not a `static constexpr wddmcore::capabilities`");
        } else if constexpr (Hw::caps.version < wddm::vista) {
            static_assert(!Aloud, "capabilities: `version` is missing: write the highest interface version that the "
                                  "driver declares, for example `.version = wddm::v2_0`");
        } else if constexpr (Hw::caps.oldest > Hw::caps.version) {
            static_assert(
                !Aloud, "capabilities: `oldest` is above `version`: it is the lowest interface version ever declared");
        } else if constexpr ((Hw::caps.highest_visible_address + 1) % page_bytes != 0) {
            static_assert(!Aloud, "capabilities: `highest_visible_address` must be the last byte of a page: the "
                                  "limit is inclusive");
        } else if constexpr (Hw::caps.page_tables != update_modes::none && !may_be_yes(Hw::caps.gpu_mmu)) {
            // DRIVERCAPS would say GpuMmuSupported 0, and no operation about page tables would ever arrive.
            static_assert(!Aloud, "capabilities: `page_tables` says how page tables are written, and `gpu_mmu` that "
                                  "there are none: write `.gpu_mmu = claim::yes`, or `at_run_time`");
        } else if constexpr (Hw::caps.page_tables == update_modes::none && may_be_yes(Hw::caps.gpu_mmu) &&
                             Hw::caps.version >= wddm::v2_0) {
            static_assert(!Aloud,
                          "capabilities: `gpu_mmu` may be claimed, so say how page tables are written: `.page_tables = "
                          "update_modes::cpu_virtual`, `gpu_virtual`, `gpu_physical`, or several with `|`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail

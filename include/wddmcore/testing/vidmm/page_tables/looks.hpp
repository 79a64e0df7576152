// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../checks/diagnosis.hpp"
#include "tables.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Asks the hardware what it makes of addresses, and whether a formula explains it.
class table_looks {
public:
    table_looks(machine& m, table_geometry const& geometry, address_space& space)
        : m_(m), geometry_(geometry), space_(space) {}

protected:
    [[nodiscard]] std::optional<leaf> look(std::uint64_t page, bool past_caches) const {
        page_table const& root = space_.tables.at({geometry_.top(), 0});
        vidmm_location const at = location_of(root.where);
        return as_asked(m_.options.page_tables.translate(at.segment, at.offset, page * page_size, past_caches));
    }

    // Without what nobody has asked for.
    [[nodiscard]] std::optional<leaf> as_asked(std::optional<leaf> found) const {
        if (found && m_.options.page_tables.zero_pages && (found->attributes & pte_zero) != 0) {
            return leaf{0, pte_zero};
        }
        if (found) {
            found->protection &= m_.options.page_tables.protection_bits;
            found->attributes &= m_.options.page_tables.attributes & pte_attributes;
        }
        return found;
    }

    // Whether a formula gives what the hardware sees, everywhere, and differs from what is right.
    template <class Formula>
    [[nodiscard]] bool fits(page_changes const& changes, Formula const& formula) const {
        bool differs = false;
        for (std::size_t k = 0; k < changes.size(); ++k) {
            std::optional<leaf> const value = formula(k);
            if (look(changes[k].first, true) != value) {
                return false;
            }
            differs = differs || value != changes[k].second;
        }
        return differs;
    }

    machine& m_;
    table_geometry const& geometry_;
    address_space& space_;
    std::vector<std::optional<leaf>> old_;  ///< what the pages of the operation were before it
};

}  // namespace wddmcore::testing::vidmm_parts

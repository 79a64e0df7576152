// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "capabilities.hpp"
#include "rules.hpp"

/// Whether the functions that a driver registers match what it claims.
namespace wddmcore::inline WDDMCORE_ABI {

namespace members {

/// The exclusive-access functions in DRIVER_INITIALIZATION_DATA, from WDDM 2.4.
template <class Data>
concept exclusive_access = requires(Data const& data) {
    data.DxgkDdiBeginExclusiveAccess;
    data.DxgkDdiEndExclusiveAccess;
};

}  // namespace members

namespace iommu {

/// Checks a driver's function table against its claims: isolation needs both exclusive-access functions (IOM-12).
///
/// IRQL: PASSIVE_LEVEL, like DriverEntry; pageable. DDI: WDDM 2.4.
/// Source page: nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md.
///
/// @param data  DRIVER_INITIALIZATION_DATA as passed to DxgkInitialize; in an older header the functions do not exist
/// @param caps  the driver's claims; `isolation` left to AddDevice needs the functions too
/// @return no_rule_broken, or the rule of the first function that is missing
template <class Data>
[[nodiscard]] constexpr broken_rule check_function_table(Data const& data, capabilities const& caps) noexcept {
    if (!may_be_yes(caps.isolation)) {
        return no_rule_broken;
    }
    if constexpr (members::exclusive_access<Data>) {
        if (data.DxgkDdiBeginExclusiveAccess == nullptr) {
            return {rule::begin_exclusive_access_missing, 0, 0};
        }
        return data.DxgkDdiEndExclusiveAccess == nullptr ? broken_rule{rule::end_exclusive_access_missing, 0, 0}
                                                         : no_rule_broken;
    } else {
        return {rule::begin_exclusive_access_missing, 0, 0};
    }
}

}  // namespace iommu
}  // namespace wddmcore

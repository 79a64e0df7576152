// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "fault.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Hears of requests that cannot be carried out. There is no default: a driver writes its hook (law 5).
///
/// For library users: called at most once a pass, before anything is committed, with the rule and the values.
/// For hardware authors: `disposition on_paging_fault(paging_fault const&)`; PASSIVE_LEVEL, must not touch the arguments.
template <class Hw>
concept fault_hook = requires(Hw& hw, paging_fault const& fault) {
    { hw.on_paging_fault(fault) } -> meta::same_as<disposition>;
};

}  // namespace wddmcore::hw

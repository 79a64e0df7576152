// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_model_aperture.hpp"
#include "fuzz_model_moves.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

template <class Hw, class Judge>
[[nodiscard]] expectation<Hw> if_reachable(u32 code, Judge judge) {
    return reachable(Hw::caps, static_cast<paging_operation>(code)) ? judge() : expected<Hw>(verdict::wrong);
}

/// What has to come of one pass.
template <class Hw, class Args>
[[nodiscard]] expectation<Hw> judge(Hw const& hw, Args const& args) {
    move_model<Hw, Args> const moves(hw, args);
    aperture_model<Hw, Args> const apertures(hw, args);
    switch (args.Operation) {
        case 0:
            if (args.Transfer.TransferSize == 0) {
                return expected<Hw>(verdict::nothing);
            }
            return if_reachable<Hw>(0, [&] { return moves.physical_copy(args.Transfer, args.Transfer.MdlOffset); });
        case 1: return if_reachable<Hw>(1, [&] { return moves.physical_fill(); });
        case 2: return if_reachable<Hw>(2, [&] { return moves.discard(); });
        case 3: return if_reachable<Hw>(3, [&] { return moves.access(args.ReadPhysical); });
        case 4: return if_reachable<Hw>(4, [&] { return moves.access(args.WritePhysical); });
        case 5: return if_reachable<Hw>(5, [&] { return apertures.map_mdl(); });
        case 6: return if_reachable<Hw>(6, [&] { return apertures.unmap(); });
        case 7: return if_reachable<Hw>(7, [&] { return moves.physical_copy(args.SpecialLockTransfer, 0); });
        case 8:
            if constexpr (shape::virtual_transfer<Args>) {
                return if_reachable<Hw>(8, [&] { return moves.virtual_copy(); });
            }
            return expected<Hw>(verdict::wrong);
        case 9:
            if constexpr (shape::virtual_fill<Args>) {
                return if_reachable<Hw>(9, [&] { return moves.virtual_fill(); });
            }
            return expected<Hw>(verdict::wrong);
        case 17:
            if constexpr (shape::map_aperture_segment2<Args>) {
                return if_reachable<Hw>(17, [&] { return apertures.map_adl(); });
            }
            return expected<Hw>(verdict::wrong);
        default: return expected<Hw>(verdict::wrong);
    }
}

}  // namespace wddmcore::testing::fuzz

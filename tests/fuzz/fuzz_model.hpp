// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_model_aperture.hpp"
#include "fuzz_model_copies.hpp"
#include "fuzz_model_moves.hpp"
#include "fuzz_model_tables.hpp"
#include "fuzz_model_wddm2.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

template <class Hw, class Judge>
[[nodiscard]] expectation<Hw> if_reachable(u32 code, Judge judge) {
    return reachable(Hw::caps, static_cast<paging_operation>(code)) ? judge() : expected<Hw>(verdict::wrong);
}

/// The same of the operations that came with WDDM 1.2 and later.
template <class Hw, class Args>
[[nodiscard]] expectation<Hw> judge_late(Hw const& hw, Args const& args) {
    expectation<Hw> const wrong = expected<Hw>(verdict::wrong);
    if constexpr (late<Hw>) {
        wddm2_model<Hw, Args> const model(hw, args);
        switch (args.Operation) {
            case 10: return if_reachable<Hw>(10, [&] { return model.init_context(); });
            case 11: return if_reachable<Hw>(11, [&] { return table_model<Hw, Args>(hw, args).update(); });
            case 12: return if_reachable<Hw>(12, [&] { return model.flush(); });
            case 13: return if_reachable<Hw>(13, [&] { return model.update_context(); });
            case 14: return if_reachable<Hw>(14, [&] { return copy_model<Hw, Args>(hw, args).copies(); });
            case 15: return if_reachable<Hw>(15, [&] { return model.residency(); });
            case 16:
                if constexpr (members::signal_monitored_fence<Args>) {
                    return if_reachable<Hw>(16, [&] { return model.fence(); });
                }
                return wrong;
            case 18:
                if constexpr (members::notify_fence_residency<Args> && hw::fence_residency_listener<Hw>) {
                    return if_reachable<Hw>(18, [&] { return model.fences(); });
                }
                return wrong;
            case 19:
                if constexpr (members::map_mmu<Args> && hw::mmu_mapper<Hw>) {
                    return if_reachable<Hw>(19, [&] { return model.map_mmu(); });
                }
                return wrong;
            case 20:
                if constexpr (members::unmap_mmu<Args> && hw::mmu_mapper<Hw>) {
                    return if_reachable<Hw>(20, [&] { return model.unmap_mmu(); });
                }
                return wrong;
            case 21:
                if constexpr (members::notify_residency2<Args> && hw::residency_range_listener<Hw>) {
                    return if_reachable<Hw>(21, [&] { return model.residency_range(); });
                }
                return wrong;
            case 22:
                if constexpr (members::notify_alloc<Args> && hw::alloc_notifier<Hw>) {
                    return if_reachable<Hw>(22, [&] { return model.notice(); });
                }
                return wrong;
            default: return wrong;
        }
    }
    return wrong;
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
            if constexpr (members::virtual_transfer<Args>) {
                return if_reachable<Hw>(8, [&] { return moves.virtual_copy(); });
            }
            return expected<Hw>(verdict::wrong);
        case 9:
            if constexpr (members::virtual_fill<Args>) {
                return if_reachable<Hw>(9, [&] { return moves.virtual_fill(); });
            }
            return expected<Hw>(verdict::wrong);
        case 17:
            if constexpr (members::map_aperture_segment2<Args>) {
                return if_reachable<Hw>(17, [&] { return apertures.map_adl(); });
            }
            return expected<Hw>(verdict::wrong);
        default: return judge_late(hw, args);
    }
}

}  // namespace wddmcore::testing::fuzz

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pass.hpp"

/// Operations that are one command, or one call of the hardware: the token is 0 before and 1 behind it.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Emits what one callable writes in `need` dwords, once.
template <class Hw, class Args, class Encode>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus one_command(Hw& hw, Args& args, paging_operation operation,
                                                             dwords need, Encode encode) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token != 0) [[unlikely]] {
        return nothing_left(hw, operation, token, 1);
    }
    if (!can_begin<Hw>(args, need)) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    dma_writer writer = open<Hw>(args);
    encode(writer.take(need));
    return commit(hw, args, writer, progress{outcome::done, 1});
}

/// Does at once what one callable does, and never a second time.
template <class Hw, class Args, class Store>
[[nodiscard]] constexpr ntstatus one_store(Hw& hw, Args& args, paging_operation operation, Store store) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token != 0) [[unlikely]] {
        return nothing_left(hw, operation, token, 1);
    }
    store();
    args.MultipassOffset = 1;
    return status::success;
}

}  // namespace wddmcore::paging::detail

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pass.hpp"

/// Operations that are one command, or one call of the hardware: the token is 0 before and 1 behind it.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// Emits what one callable writes in `need` dwords, once.
template <class Hw, class Args, class Encode>
[[nodiscard]] constexpr ntstatus one_command(Hw& hw, Args& args, paging_operation operation, dwords need,
                                             Encode encode) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, 1); problem.any) {
        return fault(hw, operation, problem);
    }
    if (token == 1) {
        return status::success;
    }
    if (finding const buffer = check_buffer<Hw>(args); buffer.any) {
        return fault(hw, operation, buffer);
    }
    dma_writer writer = open<Hw>(args);
    if (!writer.has(need)) {
        return commit(hw, args, writer, progress{outcome::need_buffer, 0});
    }
    encode(writer.take(need));
    return commit(hw, args, writer, progress{outcome::done, 1});
}

/// Does at once what one callable does, and never a second time.
template <class Hw, class Args, class Store>
[[nodiscard]] constexpr ntstatus one_store(Hw& hw, Args& args, paging_operation operation, Store store) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, 1); problem.any) {
        return fault(hw, operation, problem);
    }
    if (token == 0) {
        store();
        args.MultipassOffset = 1;
    }
    return status::success;
}

}  // namespace wddmcore::paging

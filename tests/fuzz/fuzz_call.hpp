// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/wddmcore.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The call that is fuzzed. From here on coverage guides the fuzzer; that of requests, models and checks would cost
/// half of its time, and say nothing of the library.
template <class Hw, class Args>
[[nodiscard, gnu::noinline]] ntstatus call_driver(Hw& hw, Args& args) {
    return build_paging_buffer(hw, args);
}

}  // namespace wddmcore::testing::fuzz

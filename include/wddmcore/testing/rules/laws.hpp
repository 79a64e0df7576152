// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entry.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// The laws of this library, as its map has them (LAW), and one rule without a number.
inline constexpr entry library_laws[] = {
    {"LAW-01", origin::law, by_library, "include/wddmcore/README.md",
     "Core headers include nothing but their siblings, and hostile macros before them break nothing."},
    {"LAW-02", origin::law, by_library, "include/wddmcore/README.md",
     "No allocation, exception, RTTI, guarded static, TLS, floating point, recursion or OS call."},
    {"LAW-03", origin::law, compile_time | by_library, "include/wddmcore/README.md",
     "Everything below the DDI's edge is constexpr, and runs in the compiler's evaluator as well as in a driver."},
    {"LAW-04", origin::law, simulators | by_library, "include/wddmcore/README.md",
     "Memory that the GPU reads is written once, ascending, in whole dwords, and never read back."},
    {"LAW-05", origin::law, compile_time | by_library, "include/wddmcore/README.md",
     "A paging build returns only what the DDI allows, and never acknowledges an operation that was not done."},
    {"LAW-06", origin::law, compile_time | by_library, "include/wddmcore/README.md",
     "Units are types: bytes, pages, addresses and tokens do not convert into each other silently."},
    {"LAW-07", origin::law, compile_time | by_library, "include/wddmcore/README.md",
     "Progress is a 32-bit token that counts pages, entries or commands; each pass resumes from it alone and "
     "advances."},
    {"LAW-08", origin::law, by_library, "include/wddmcore/README.md",
     "A stack frame has at most 448 bytes, a call chain 1 KiB, the preemption path 128 bytes."},
    {"LAW-09", origin::law, by_library, "include/wddmcore/README.md",
     "The DDI's names are kept, its own misspellings included."},
    {"OUTPUT-SIZE", origin::documented, run_time | simulators | by_library, "nc-d3dkmddi-dxgkddi_queryadapterinfo.md",
     "An answer to an adapter query stays inside OutputDataSize."},
};

}  // namespace wddmcore::testing::rules

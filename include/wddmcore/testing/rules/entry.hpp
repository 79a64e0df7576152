// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// Where a rule comes from.
enum class origin : u32 {
    documented,  ///< its page of the DDI's documentation says so
    derived,     ///< no page says it in words; it follows from its page, or from the layout in the header
    observed,    ///< driver authors saw it on running systems; no page says it
    decision,    ///< pages are silent or disagree; this is how the library reads them
    law,         ///< the library's own
};

/// What shows that a rule is broken, or keeps it. Any of these may hold together.
inline constexpr u32 compile_time = 1;  ///< a wrong constant, claim or hardware type is a compile error
inline constexpr u32 run_time = 2;      ///< the core checks it in a driver: a typed answer, or the fault hook
inline constexpr u32 simulators = 4;    ///< the simulators report a driver that breaks it, by this id
inline constexpr u32 by_library = 8;    ///< the code of the library keeps it by itself: nothing is left to the driver
inline constexpr u32 convention = 0;    ///< none of them: it is up to the driver, its hardware or the system

/// One rule: what code, tests and reports mean when they cite its id.
struct entry {
    char const* id;  ///< the family and two digits, as in "OP17-02"; OUTPUT-SIZE alone has no number
    origin from;
    u32 checks;            ///< of the bits above
    char const* page;      ///< the documentation page or header, by its file name; "" for what was only observed
    char const* sentence;  ///< the rule, in one sentence
};

}  // namespace wddmcore::testing::rules

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/span.hpp"
#include "rules/address_lists.hpp"
#include "rules/decisions.hpp"
#include "rules/engines.hpp"
#include "rules/laws.hpp"
#include "rules/notices.hpp"
#include "rules/objects.hpp"
#include "rules/observations.hpp"
#include "rules/operations.hpp"
#include "rules/page_tables.hpp"
#include "rules/paging_buffers.hpp"
#include "rules/preemption.hpp"
#include "rules/segments.hpp"

/// Every rule id that the code, its tests and its reports cite, with the rule in one sentence. For people and for
/// programs: it needs nothing of the standard library, allocates nothing, and can be searched in constant evaluation.
namespace wddmcore::inline WDDMCORE_ABI::testing::rules {

/// A part of the table; its ids ascend within each family.
struct chapter {
    char const* title;          ///< as a heading says it
    span<entry const> entries;  ///< its rules
};

/// All rules, chapter by chapter.
inline constexpr chapter chapters[] = {
    {"Segments and allocations", span_of(segments)},
    {"Processes and opened allocations", span_of(objects)},
    {"Paging buffers", span_of(paging_buffers)},
    {"Paging operations", span_of(operations)},
    {"GPU virtual addresses", span_of(page_tables)},
    {"Allocation notices (operation 22)", span_of(notices)},
    {"Address lists and the IOMMU", span_of(address_lists)},
    {"Preemption", span_of(preemption)},
    {"Interrupts, engines, recovery", span_of(engines)},
    {"Decisions where pages are silent or disagree", span_of(decisions)},
    {"Observations", span_of(observations)},
    {"Laws of the library", span_of(library_laws)},
};

/// The word for where a rule comes from.
[[nodiscard]] constexpr char const* name_of(origin from) noexcept {
    switch (from) {
        case origin::documented: return "documented";
        case origin::derived: return "derived";
        case origin::observed: return "observed";
        case origin::decision: return "decision";
        case origin::law: return "law";
    }
    return "?";
}

/// Whether two texts are the same.
/// @param a  ends with a NUL
/// @param b  ends with a NUL
[[nodiscard]] constexpr bool same(char const* a, char const* b) noexcept {
    while (*a != '\0' && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

/// The rule with an id, for example "OP17-02".
/// @param id  upper case, as the code cites it
/// @return the rule; nullptr when no rule has this id
[[nodiscard]] constexpr entry const* find(char const* id) noexcept {
    for (chapter const& part : chapters) {
        for (entry const& rule : part.entries) {
            if (same(rule.id, id)) {
                return &rule;
            }
        }
    }
    return nullptr;
}

static_assert(find("OP17-02") != nullptr && find("OP17-2") == nullptr);

}  // namespace wddmcore::testing::rules

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "findings.hpp"
#include "root_calls.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Asks what the contexts of an address space see of it, each through the root that its driver has for it.
///
/// The page tables themselves were judged before: what differs here is the root, or the number of its entries.
class root_check : private table_findings {
public:
    using table_findings::table_findings;

    /// Pages that an operation has changed.
    void changed(page_changes const& changes, std::string const& when) {
        for (std::size_t k = 0; k < changes.size() && k < most_looked_at && observed(); ++k) {
            same(changes[k].first, changes[k].second, true, when);
        }
    }

    /// Everything that is mapped; with cached translations too, as far as nothing was left to be flushed.
    void all(std::string const& when) {
        if (!observed()) {
            return;
        }
        std::uint64_t looked = 0;
        for (auto const& [page, wanted] : space_.now) {
            if (looked++ == most_looked_at || m_.stopped) {
                break;
            }
            same(page, wanted, true, when);
            if (!space_.stale.contains(page) && !m_.stopped) {
                same(page, wanted, false, when);
            }
        }
        beyond(when);
    }

private:
    static constexpr std::uint64_t most_looked_at = 600;

    [[nodiscard]] bool observed() const {
        return !m_.stopped && space_.root_told && m_.options.page_tables.translate_in_context != nullptr;
    }

    [[nodiscard]] page_table const& root() const { return space_.tables.at({geometry_.top(), 0}); }

    [[nodiscard]] std::optional<leaf> seen(void* context, std::uint64_t page, bool past_caches) const {
        return as_asked(m_.options.page_tables.translate_in_context(context, page * page_size, past_caches));
    }

    void same(std::uint64_t page, std::optional<leaf> const& wanted, bool past_caches, std::string const& when) {
        m_.report.exercised(vidmm_rule::gva_28);
        for (void* const context : space_.contexts) {
            auto const is = seen(context, page, past_caches);
            if (is == wanted) {
                continue;
            }
            m_.broken(vidmm_rule::gva_28,
                      is ? "a context walks another root than the one that was set last"
                         : "a context finds nothing where the root that was set last leads to something",
                      state(page, is, when), false);
            return;
        }
    }

    // An index that is not below NumEntries. What lies there in memory looks like an entry, as it may by chance.
    void beyond(std::string const& when) {
        std::uint64_t const count = root().entries.size();
        std::uint64_t const reach = geometry_.entry_pages(geometry_.top());
        if (m_.stopped || space_.now.empty() || count >= geometry_.entries(geometry_.top())) {
            return;
        }
        std::uint64_t const mapped = space_.now.begin()->first;
        if (entry_behind(mapped / reach, count)) {
            m_.report.exercised(vidmm_rule::gva_27);
        }
        std::uint64_t const page = count * reach + mapped % reach;
        for (void* const context : space_.contexts) {
            if (auto const is = seen(context, page, true)) {
                m_.broken(vidmm_rule::gva_27,
                          "an address whose index in the root is not below NumEntries has a meaning",
                          state(page, is, when), false);
                return;
            }
        }
    }

    // Writes a copy of an entry past the last one, where the root's memory goes on; false where it does not.
    [[nodiscard]] bool entry_behind(std::uint64_t from, std::uint64_t count) const {
        std::uint64_t const size = geometry_.at(geometry_.top()).entry_bytes;
        placement const& where = root().where;
        if ((count + 1) * size > where.count * page_size) {
            return false;
        }
        std::uint64_t const start = where.is == placement::kind::segment
                                        ? m_.memory.segment(where.segment)->base + where.first * page_size
                                        : m_.memory.page_address(where.pages.front());
        std::span<std::byte> const entry = m_.memory.is(start + from * size, size);
        for (std::span<std::byte> const to :
             {m_.memory.is(start + count * size, size), m_.memory.must_be(start + count * size, size)}) {
            std::memcpy(to.data(), entry.data(), to.size());
        }
        return true;
    }

    [[nodiscard]] std::string state(std::uint64_t page, std::optional<leaf> const& is, std::string const& when) const {
        return when + "; " + root_calls::describe(space_, root()) + ", VA " + hex(page * page_size) + " means " +
               (is ? hex(is->address) : std::string("nothing"));
    }
};

}  // namespace wddmcore::testing::vidmm_parts

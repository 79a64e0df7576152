// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "keeper.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Entries of one leaf table that are copied into another, or elsewhere into the same.
struct vidmm_copied_range {
    std::uint64_t from_page = 0;  ///< first 4-KiB page of the address space whose entry is copied
    std::uint64_t to_page = 0;    ///< first page that gets a copy
    std::uint32_t count = 0;      ///< entries; each side stays inside one table, and the sides do not overlap
};

namespace vidmm_parts {

/// Operation 14, in the companion context of a process: an address space that shows nothing but page tables (OP14-04).
class table_copies {
public:
    table_copies(machine& m, land& l, builder& b, table_keeper& tables)
        : m_(m), land_(l), builder_(b), tables_(tables) {}

    /// Copies entries, range after range (OBS-11), and flushes what they map.
    /// @return false: no memory for page tables
    bool run(address_space& space, std::vector<vidmm_copied_range> const& ranges) {
        for (vidmm_copied_range const& r : ranges) {
            for (std::uint64_t const page : {r.from_page, r.to_page}) {
                // Entries are copied between tables of 4-KiB entries only.
                if (!tables_.make_small(space, page)) {
                    return false;
                }
                if (tables_.is_evicted(space, page) || table_of(space, page) == nullptr) {
                    tables_.write(space, page, {pte_at(space, page)});
                }
                if (m_.stopped || table_of(space, page) == nullptr || !table_of(space, page)->resident()) {
                    return false;
                }
            }
        }
        if (companion_ == nullptr) {
            companion_ = &tables_.create_process();
        }
        auto op = std::make_shared<operation>();
        op->asked.operation = paging_operation::copy_page_table_entries;
        op->in = companion_;
        std::vector<shown> const seen = show(space, ranges);
        predict(*op, space, ranges);
        for (vidmm_copied_range const& r : ranges) {
            mirror::v2_0::dxgk_buildpagingbuffer_copy_range raw{};
            raw.NumPageTableEntries = r.count;
            raw.SrcPageTableAddress = address_of(seen, table_of(space, r.from_page));
            raw.DstPageTableAddress = address_of(seen, table_of(space, r.to_page));
            raw.SrcStartPteIndex = tables_.geometry().index(0, r.from_page);
            raw.DstStartPteIndex = tables_.geometry().index(0, r.to_page);
            op->asked.late.ranges.push_back(raw);
        }
        op->asked.array.assign(op->asked.late.ranges, "the ranges", vidmm_rule::op14_01);
        builder_.run(op);
        for (auto const& [table, va] : seen) {
            tables_.write(*companion_, va / page_size, std::vector<pte>(tables_.geometry().table_pages(0)));
        }
        for (vidmm_copied_range const& r : ranges) {
            if (!m_.stopped) {
                tables_.flush(space, {r.to_page, r.count}, false);
            }
        }
        return !m_.stopped;
    }

private:
    static constexpr std::uint64_t unit = 16;  // pages: table addresses are 64-KiB aligned (OP14-01)

    [[nodiscard]] page_table* table_of(address_space& space, std::uint64_t page) {
        return space.find(0, tables_.geometry().table_start(0, page));
    }

    [[nodiscard]] pte pte_at(address_space& space, std::uint64_t page) {
        page_table const* const table = table_of(space, page);
        return table == nullptr ? pte{} : table->entries[tables_.geometry().index(0, page)];
    }

    struct shown {
        page_table const* table;
        std::uint64_t va;
    };

    [[nodiscard]] static std::uint64_t address_of(std::vector<shown> const& seen, page_table const* table) {
        auto const found = std::find_if(seen.begin(), seen.end(), [&](shown const& s) { return s.table == table; });
        return found == seen.end() ? 0 : found->va;
    }

    // The tables of all ranges, side by side in the companion's address space, in the order in which they are named.
    [[nodiscard]] std::vector<shown> show(address_space& space, std::vector<vidmm_copied_range> const& ranges) {
        table_geometry const& g = tables_.geometry();
        std::vector<shown> seen;
        std::uint64_t next = (g.entry_pages(g.top()) + unit - 1) / unit * unit;
        for (vidmm_copied_range const& r : ranges) {
            for (std::uint64_t const page : {r.from_page, r.to_page}) {
                page_table const* const table = table_of(space, page);
                if (address_of(seen, table) != 0) {
                    continue;
                }
                std::vector<pte> entries;
                for (std::uint64_t k = 0; k < g.table_pages(0); ++k) {
                    entries.push_back(tables_.entry_for(land_.address(table->where, k), 0));
                }
                tables_.write(*companion_, next, entries);
                seen.push_back({table, next * page_size});
                next += (g.table_pages(0) + unit - 1) / unit * unit;
            }
        }
        return seen;
    }

    using image = std::map<std::uint64_t, pte>;

    // What ranges make of entries: each reads from `source` if there is one, else from what those before it made.
    static void copy(image& to, image const* source, vidmm_copied_range const& r) {
        std::vector<pte> taken;
        for (std::uint32_t i = 0; i < r.count; ++i) {
            taken.push_back((source != nullptr ? *source : to).at(r.from_page + i));
        }
        for (std::uint32_t i = 0; i < r.count; ++i) {
            to[r.to_page + i] = taken[i];
        }
    }

    void predict(operation& op, address_space& space, std::vector<vidmm_copied_range> const& ranges) {
        image before;
        std::map<std::uint64_t, bool> written;
        std::uint32_t const size = tables_.geometry().at(0).entry_bytes;
        for (vidmm_copied_range const& r : ranges) {
            for (std::uint32_t i = 0; i < r.count; ++i) {
                before[r.from_page + i] = pte_at(space, r.from_page + i);
                before[r.to_page + i] = pte_at(space, r.to_page + i);
                written[r.to_page + i] = true;
            }
            std::uint64_t const start = land_.address(table_of(space, r.to_page)->where, 0);
            op.effect.push_back(
                {start + tables_.geometry().index(0, r.to_page) * size, 0, std::uint64_t{r.count} * size});
        }
        op.own_encoding = true;
        image right = before;
        image independent = before;
        image backwards = before;
        for (vidmm_copied_range const& r : ranges) {
            copy(right, nullptr, r);
            copy(independent, &before, r);
        }
        for (auto r = ranges.rbegin(); r != ranges.rend(); ++r) {
            copy(backwards, nullptr, *r);
        }
        page_changes changes;
        for (auto const& [page, yes] : written) {
            changes.emplace_back(page, tables_.leaf_of(space, right.at(page)));
            op.independent.push_back(tables_.leaf_of(space, independent.at(page)));
            op.backwards.push_back(tables_.leaf_of(space, backwards.at(page)));
            table_of(space, page)->entries[tables_.geometry().index(0, page)] = right.at(page);
        }
        at_build(op, space, ranges, written);
        op.judge = [this, &space, changes, o = &op] {
            table_check(m_, tables_.geometry(), space).updated(*o, changes);
            root_check(m_, tables_.geometry(), space).changed(changes, vidmm_parts::describe(o->asked));
        };
    }

    // Sources as the commands executed so far have made them.
    static void at_build(operation& op, address_space const& space, std::vector<vidmm_copied_range> const& ranges,
                         std::map<std::uint64_t, bool> const& written) {
        auto const now = [&space](std::uint64_t page) {
            auto const found = space.now.find(page);
            return found == space.now.end() ? std::nullopt : std::optional(found->second);
        };
        std::map<std::uint64_t, std::optional<leaf>> made;
        for (vidmm_copied_range const& r : ranges) {
            for (std::uint32_t i = 0; i < r.count; ++i) {
                made[r.to_page + i] = now(r.from_page + i);
            }
        }
        for (auto const& [page, yes] : written) {
            op.at_build.push_back(made.at(page));
        }
    }

    machine& m_;
    land& land_;
    builder& builder_;
    table_keeper& tables_;
    address_space* companion_ = nullptr;
};

}  // namespace vidmm_parts

}  // namespace wddmcore::testing

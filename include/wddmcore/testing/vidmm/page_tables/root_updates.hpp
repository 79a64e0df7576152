// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "root_calls.hpp"
#include "updates.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Roots of address spaces: places them, moves them, lets them grow, and tells their contexts each time.
class root_updates : public table_updates {
public:
    root_updates(machine& m, land& l, request_maker& maker, builder& b) : table_updates(m, l, maker, b), calls_(m) {}

    /// Whether contexts hear of their roots.
    [[nodiscard]] bool tells_roots() const { return calls_.used(); }

    /// Whether roots grow.
    [[nodiscard]] bool has_resizable_roots() const { return calls_.resizable(); }

    /// Moves the root of an address space, which has to have one, to memory elsewhere.
    /// @param entries  that it has to have at least; more than now only where roots grow
    /// @return false: no memory
    bool move_root(address_space& space, std::uint32_t entries) {
        page_table& root = *space.find(geometry_.top(), 0);
        builder_.drain();  // its contexts are idle (GVA-28)
        root_extent const extent = extent_of(entries);
        std::optional<placement> const to = place_root(extent);
        if (!to) {
            return false;
        }
        forget_translations(space);
        placement const from = std::exchange(root.where, *to);
        root.entries.resize(extent.entries);
        root.bytes = extent.size;
        root.moved = true;
        root.initialised = false;
        space.root_told = false;
        fill_root(space, root, false);
        // What it was must say nothing any more, before anybody looks whether it is still used.
        builder_.drain();
        land_.give_back(from);
        look_through(space, "the root was moved");
        return !m_.stopped;
    }

    /// Everything that a context sees, and what it must not see.
    void look_through(address_space& space, std::string const& when) {
        if (!m_.stopped) {
            root_check(m_, geometry_, space).all(when);
        }
    }

    /// The handle of a context of an address space; none where contexts do not hear of their roots.
    [[nodiscard]] static void* context_of(address_space const& space) {
        return space.contexts.empty() ? nullptr : space.contexts.front();
    }

protected:
    /// The root of an address space has an entry for this page: it is made, or grows, if need be.
    /// @return false: no memory
    [[nodiscard]] bool root_for(address_space& space, std::uint64_t page, bool by_cpu) {
        page_table& root = space.tables[{geometry_.top(), 0}];
        root.level = geometry_.top();
        // The paging process's is as large as it ever needs to be: it does not change (CHK-17).
        std::uint64_t const last = space.number == 0 ? end_ - 1 : page;
        std::uint32_t const needed = geometry_.index(geometry_.top(), last) + 1;
        if (root.initialised && needed <= root.entries.size()) {
            return true;
        }
        if (root.initialised) {
            return move_root(space, needed);
        }
        if (root.entries.size() < needed) {
            leave_root(root);
            root_extent const extent = extent_of(needed);
            root.entries.resize(extent.entries);
            root.bytes = extent.size;
        }
        if (!root.resident()) {
            std::optional<placement> const where =
                place_root({root.bytes, static_cast<std::uint32_t>(root.entries.size())});
            if (!where) {
                root.entries.clear();
                return false;
            }
            root.where = *where;
        }
        fill_root(space, root, by_cpu);
        return !m_.stopped;
    }

    /// A root goes while nothing is mapped; the next page that is mapped brings it back elsewhere.
    void leave_root(page_table& root) {
        if (root.resident()) {
            land_.give_back(root.where);
            root.where = {};
            root.initialised = false;
        }
    }

    void destroy_contexts(address_space& space) { calls_.destroy_contexts(space); }

    /// Memory for a table; what is queued may have to be done before there is some.
    [[nodiscard]] std::optional<placement> memory_for_table(std::uint32_t segment, std::uint64_t pages) {
        auto const take = [&] {
            return segment == 0                    ? land_.system(1)
                   : m_.options.page_tables.packed ? land_.last_in_segment(segment, pages)
                                                   : land_.in_segment(segment, pages);
        };
        std::optional<placement> where = take();
        if (!where) {
            builder_.drain();
            where = take();
        }
        return where;
    }

    std::uint64_t end_ = 0;  ///< the first page past the paging process's window

private:
    // As much as the driver says, where it is asked; else what the level says.
    [[nodiscard]] root_extent extent_of(std::uint32_t needed) {
        vidmm_page_level const& level = geometry_.at(geometry_.top());
        if (!calls_.resizable()) {
            return {level.table_bytes, geometry_.entries(geometry_.top())};
        }
        vidmm_segment const* const s = level.segment == 0 ? nullptr : m_.memory.segment(level.segment);
        root_extent extent =
            calls_.size_for(needed, s != nullptr && s->pages_64k ? 16 * page_size : page_size, level.entry_bytes);
        if (level.segment == 0 && extent.size > page_size) {
            m_.broken(vidmm_rule::gva_06, "a root of more than one page has its place in system memory",
                      std::to_string(extent.size) + " bytes", false);
        }
        extent.entries = std::min(extent.entries, geometry_.entries(geometry_.top()));
        return extent;
    }

    // Behind a root that is not as long as it may become there is a page of nobody's (see root_check).
    [[nodiscard]] std::optional<placement> place_root(root_extent const& extent) {
        if (m_.stopped || extent.size == 0) {
            return std::nullopt;
        }
        std::uint32_t const segment = geometry_.at(geometry_.top()).segment;
        bool const whole = extent.entries == geometry_.entries(geometry_.top());
        std::uint64_t const pages = extent.size / page_size + (whole || segment == 0 ? 0 : 1);
        return memory_for_table(segment, pages);
    }

    // All entries, in one word where there are none (GVA-23, OP11-08); then its contexts hear of it.
    void fill_root(address_space& space, page_table& root, bool by_cpu) {
        bool const empty =
            std::all_of(root.entries.begin(), root.entries.end(), [](pte const& e) { return e.Valid == 0; });
        std::vector<pte> const entries = empty ? std::vector<pte>{pte{}} : root.entries;
        auto const count = static_cast<std::uint32_t>(root.entries.size());
        space.root_told = false;  // what they know is where it was before
        update(space, root, {0, count, entries, empty, true, by_cpu});
        root.initialised = true;
        if (calls_.used()) {
            builder_.drain();
            calls_.tell(space, root);
        }
    }

    // The hardware may know translations by the root that is about to go (OP12-04). Nobody asks it for them again.
    void forget_translations(address_space& space) {
        auto op = std::make_shared<operation>();
        vidmm_location const at = location_of(space.find(geometry_.top(), 0)->where);
        op->asked.operation = paging_operation::flush_tlb;
        op->asked.late.process = space.handle;
        op->asked.late.segment = at.segment;
        op->asked.late.segment_offset = at.offset;
        builder_.run(std::move(op));
        builder_.drain();
    }

    root_calls calls_;
};

}  // namespace wddmcore::testing::vidmm_parts

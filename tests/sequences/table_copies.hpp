// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "aperture.hpp"

namespace sequences {

/// Operation 14.
class table_copies : public aperture_moves {
public:
    using aperture_moves::aperture_moves;

protected:
    /// A span whose leaf table of small pages holds all that counts.
    /// @param owner  which process's; 0: anybody's
    [[nodiscard]] std::pair<address_space*, span*> any_small_table(std::size_t owner) {
        for (int tries = 0; tries != 200; ++tries) {
            address_space& space = *spaces_[owner != 0 ? owner : random_.below(spaces_.size())];
            span& s = space.spans[space.fixed + random_.below(space.spans.size() - space.fixed)];
            if (s.resident && s.small.there && !space.has_big_blocks(s)) {
                return {&space, &s};
            }
        }
        return {nullptr, nullptr};
    }

    /// Operation 14: entries from table to table when the commands run; ranges may depend on earlier ones (OBS-11).
    ///
    /// In the paging process, or by a companion context of the process whose tables they are, in its addresses (OP14-04).
    void copy_entries() {
        request r;
        r.operation = paging_operation::copy_page_table_entries;
        std::size_t const runner = static_cast<std::size_t>(random_.below(views_.size()));
        memory_view const view = views_[runner];
        std::vector<std::pair<address_space*, span*>> changed;
        u64 const share = paging().share();
        u64 const entries = paging().pages() / share;
        if (any_small_table(runner).second == nullptr) {
            spaces_[runner]->make_small();
        }
        auto source = any_small_table(runner);
        for (u64 left = 1 + random_.below(4); left != 0; --left) {
            auto const target = any_small_table(runner);
            if (source.second == nullptr || target.second == nullptr) {
                break;
            }
            copy_of_entries c;
            u64 const count = 1 + random_.below(random_.chance(70) ? 16 : entries);
            c.count = static_cast<u32>(count);
            c.from = static_cast<u32>(random_.below(entries - count + 1));
            c.to = static_cast<u32>(random_.below(entries - count + 1));
            c.source = source.first->tables.virtual_of(source.second->small, view);
            c.destination = target.first->tables.virtual_of(target.second->small, view);
            std::vector<leaf> const moved(at(*source.second, c.from * share),
                                          at(*source.second, (c.from + count) * share));
            std::copy(moved.begin(), moved.end(), at(*target.second, c.to * share));
            r.copies.push_back(c);
            changed.push_back(target);
            source = random_.chance(60) ? target : any_small_table(runner);  // often what this range has just written
        }
        if (r.copies.empty()) {
            return;
        }
        if (runner != 0) {
            passes_.meet(shape::entries_in_process);
        }
        passes_.hw_.set_paging_root(spaces_[runner]->tables.root());
        passes_.run(r, say("copies of entries, ", r.copies.size(), " ranges, by process ", runner));
        passes_.hw_.set_paging_root(paging().tables.root());
        for (std::size_t i = 0; i != changed.size(); ++i) {
            auto const& [space, s] = changed[i];
            copy_of_entries const& c = r.copies[i];
            space->tables.flush_if_needed(true, s->va + c.to * share * page_bytes, c.count * share * page_bytes);
        }
        for (std::size_t i = 0; i != changed.size(); ++i) {
            for (u64 k = 0; k < r.copies[i].count; k += 1 + random_.below(8)) {
                changed[i].first->check(*changed[i].second, (r.copies[i].to + k) * share);
            }
        }
    }
    [[nodiscard]] static std::vector<leaf>::iterator at(span& s, u64 page) {
        return s.leaves.begin() + static_cast<std::ptrdiff_t>(page);
    }
};

}  // namespace sequences

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "notices.hpp"

namespace sequences {

/// Random operations on one adapter, a step at a time; at the end everything is compared with the model.
class player : public notices {
public:
    using notices::notices;

    /// @return what was wrong, with the step at which it was; empty when nothing was
    [[nodiscard]] std::string play(unsigned steps) {
        for (unsigned i = 0; i != steps && passes_.wrong().empty(); ++i) {
            step();
            if (i % 64 == 0) {
                passes_.compare({}, "everything so far");
            }
            for (auto& space : spaces_) {
                space->check_some();
            }
            if (!passes_.wrong().empty()) {
                return say("step ", i, ": ", passes_.wrong());
            }
        }
        finish();
        return passes_.wrong();
    }

    [[nodiscard]] unsigned times(paging_operation operation) const {
        return passes_.done().times[static_cast<std::size_t>(operation)];
    }
    [[nodiscard]] unsigned shared_buffers() const { return shared_buffers_; }
    [[nodiscard]] unsigned through_aperture() const { return through_aperture_; }
    [[nodiscard]] unsigned times(shape s) const { return passes_.done().shapes.times(s); }
    /// Whether requests of a form can come at all.
    [[nodiscard]] bool can_meet(shape s) const {
        using enum paging_operation;
        bool const transfers = takes(transfer) || takes(special_lock_transfer);
        bool const tables = !spaces_.empty();
        bool const contexts = known().contexts_at_once && takes(init_context_resource);
        switch (s) {
            case shape::in_use:
            case shape::perhaps_in_use: return transfers || takes(discard_content);
            case shape::in_use_midway:
            case shape::nothing_to_move:
            case shape::sub_transfer: return transfers;
            case shape::overlap_upwards:
            case shape::overlap_downwards: return transfers || takes(virtual_transfer);
            case shape::buffer_goes_away: return takes(unmap_aperture_segment);
            case shape::context_at_once:
            case shape::context_begun: return contexts;
            case shape::entries_in_process: return tables && takes(copy_page_table_entries);
            case shape::large_in_system: return tables && spaces_[0]->large_in_system();
            case shape::page_for_tables:
            case shape::tables_for_page: return tables && known().claims.large_pages;
            default: return has_tall();
        }
    }
    [[nodiscard]] unsigned passes_made() const { return passes_.done().passes; }
    /// Updates of tables in a mode of the DDI, over all processes.
    [[nodiscard]] unsigned updates(std::size_t mode) const {
        unsigned n = 0;
        for (auto const& space : spaces_) {
            n += space->tables.modes()[mode];
        }
        return n;
    }

private:
    /// Whether there are large pages above level 1.
    [[nodiscard]] bool has_tall() const { return !spaces_.empty() && spaces_[0]->tall_level() != 0; }

    void step() {
        using enum paging_operation;
        if (random_.chance(4)) {
            return move_in_one_buffer();
        }
        if (has_tall() && random_.chance(6)) {
            return spaces_[random_.below(spaces_.size())]->change_tall();
        }
        // Some of what the hardware has; tables most often.
        static constexpr paging_operation all[] = {update_page_table,
                                                   update_page_table,
                                                   update_page_table,
                                                   update_page_table,
                                                   virtual_transfer,
                                                   virtual_transfer,
                                                   virtual_fill,
                                                   transfer,
                                                   transfer,
                                                   fill,
                                                   discard_content,
                                                   read_physical,
                                                   write_physical,
                                                   special_lock_transfer,
                                                   unmap_aperture_segment,
                                                   unmap_aperture_segment,
                                                   init_context_resource,
                                                   update_context_allocation,
                                                   copy_page_table_entries,
                                                   copy_page_table_entries,
                                                   notify_residency,
                                                   notify_residency2,
                                                   signal_monitored_fence,
                                                   notify_fence_residency,
                                                   map_mmu,
                                                   notify_alloc,
                                                   notify_alloc};
        for (;;) {
            paging_operation const operation = all[random_.below(std::size(all))];
            if (takes(operation)) {
                return carry_out(operation);
            }
        }
    }

    void carry_out(paging_operation operation) {
        using enum paging_operation;
        switch (operation) {
            case update_page_table: return change_tables();
            case virtual_transfer: return move_virtual();
            case virtual_fill: return fill_virtual();
            case transfer:
            case special_lock_transfer: return move_physical(operation);
            case fill: return fill_physical();
            case discard_content:
            case read_physical:
            case write_physical: return touch(operation);
            case init_context_resource: return init_context();
            case update_context_allocation: return update_context();
            case copy_page_table_entries: return copy_entries();
            case notify_residency: return residency();
            case notify_residency2: return range_residency();
            case signal_monitored_fence: return signal();
            case notify_fence_residency: return fence_residency();
            case paging_operation::map_mmu: return notices::map_mmu();
            case notify_alloc:
                return known().evictions && (!known().unmaps || random_.chance(50)) ? evict_allocation()
                                                                                    : unmap_allocation();
            default: return map_aperture();
        }
    }

    /// All bytes, all translations, all free memory.
    void finish() {
        passes_.compare({}, "at the end");
        for (auto& space : spaces_) {
            space->check();
        }
        passes_.fail_unless(arena_.changed().empty(), arena_.changed());
        check_aperture("at the end");
        check_mmus("at the end");
    }
};

}  // namespace sequences

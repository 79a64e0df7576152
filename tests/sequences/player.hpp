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
    void step() {
        using enum paging_operation;
        if (random_.chance(4)) {
            return move_in_one_buffer();
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

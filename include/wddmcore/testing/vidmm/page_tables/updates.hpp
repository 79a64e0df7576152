// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../moves/request_maker.hpp"
#include "check.hpp"
#include "model.hpp"
#include "root_check.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// One update and one flush as requests: how a table is named, what its entries are, and what changes by it.
class table_updates : public table_model {
public:
    table_updates(machine& m, land& l, request_maker& maker, builder& b)
        : table_model(m), land_(l), maker_(maker), builder_(b), window_(m.options) {}

    table_updates(table_updates const&) = delete;
    table_updates& operator=(table_updates const&) = delete;
    virtual ~table_updates() = default;

    /// Lets the driver build an operation, with what it needs in the window mapped before and unmapped afterwards.
    virtual void send(std::shared_ptr<operation> const& op) = 0;

    /// Sends a flush of these pages, in one of its forms.
    void flush(address_space& space, page_range range, bool whole) {
        auto op = std::make_shared<operation>();
        request& r = op->asked;
        r.operation = paging_operation::flush_tlb;
        r.late.process = space.handle;
        page_table const& root = *space.find(geometry_.top(), 0);
        vidmm_location const at = location_of(root.where);
        r.late.segment = at.segment;
        r.late.segment_offset = at.offset;
        whole = whole || m_.random.chance(m_.options.chances.full_flush);
        // Whole pages of the hardware, whatever of them has changed.
        bool const has_64k = space.number != 0 ? geometry_.has_64k() : window_.has_64k();
        std::uint64_t const unit = std::max(geometry_.gpu_page(), has_64k ? pages_of_64k : 1);
        std::uint64_t const end = (range.first + range.count + unit - 1) / unit * unit;
        range.first = range.first / unit * unit;
        range.count = end - range.first;
        if (!whole) {
            r.late.first_address = range.first * page_size;
            r.late.end_address = (range.first + range.count) * page_size;  // AMB-20: exclusive
        }
        op->judge = [this, &space, range, whole, done = std::exchange(after_, nullptr), o = op.get()] {
            table_check(m_, geometry_, space).flushed(*o, range, whole);
            if (done) {
                done();
            }
        };
        builder_.run(std::move(op));
    }

    /// Page-table pages for one operation in the window of the paging process.
    [[nodiscard]] std::uint64_t map_table(operation& op, page_table const& table) {
        std::uint64_t const size = geometry_.bytes_of(table);
        std::uint64_t const va = maker_.take_window(size, 16);  // 64 KiB, as operation 14 wants it (OP14-01)
        for (std::uint64_t k = 0; k < size / page_size; ++k) {
            op.mapped.push_back({va + k * page_size, land_.address(table.where, k)});
        }
        op.unmapped = [this, va, size] { maker_.leave_window(va, size); };
        return va;
    }

protected:
    struct update_words {
        std::uint32_t start;
        std::uint32_t count;
        std::vector<pte> entries;
        bool repeat;
        bool initial;
        bool by_cpu;
        bool evicting = false;
        std::vector<pte> entries_64k = {};  ///< of level 1 with dual tables; as many as `entries`
    };

    void update(address_space& space, page_table& table, update_words words) {
        if (m_.stopped) {
            return;
        }
        auto op = std::make_shared<operation>();
        request& r = op->asked;
        wddm2_request& late = r.late;
        r.operation = paging_operation::update_page_table;
        r.no_buffer = words.by_cpu;
        late.level = table.level;
        late.use_64k = table.of_64k;
        late.mode = words.by_cpu ? page_table_update_mode::cpu_virtual : m_.options.page_tables.mode;
        if (late.mode == page_table_update_mode::cpu_virtual && !words.by_cpu) {
            r.no_buffer = m_.random.chance(m_.options.chances.no_buffer);
        }
        second_array(r, table, words);
        late.entries = words.entries;
        late.start = words.start;
        late.count = words.count;
        late.repeat = words.repeat;
        late.initial = words.initial;
        late.eviction = words.evicting;
        late.process = space.handle;
        late.protection = space.protection;
        late.moved_child = linked_child_ != nullptr && linked_child_->moved;
        late.child_64k = linked_child_ != nullptr && linked_child_->of_64k;
        late.converted = linked_child_ != nullptr && converting_;
        late.first_address = (table.first_page + words.start * geometry_.unit_of(table)) * page_size;
        r.array.assign(words.entries, "the page-table entries",
                       words.repeat ? vidmm_rule::op11_02 : vidmm_rule::op11_01);
        std::vector<bool> leads;  // whether an entry of a directory led somewhere, or does now
        for (std::uint32_t k = 0; k < words.count; ++k) {
            leads.push_back(leads_anywhere(table, words.start + k));
            table.entries[words.start + k] = words.entries[words.repeat ? 0 : k];
            if (has_second_half(table)) {
                table.entries_64k[words.start + k] = words.entries_64k[words.repeat ? 0 : k];
            }
            leads.back() = leads.back() || leads_anywhere(table, words.start + k);
        }
        address(*op, space, table);
        op->own_encoding = true;
        expect_bytes(*op, table, words);
        op->judge = [this, &space, changes = changes_of(space, table, words, leads), o = op.get()] {
            table_check(m_, geometry_, space).updated(*o, changes);
            root_check(m_, geometry_, space).changed(changes, vidmm_parts::describe(o->asked));
        };
        if (words.initial) {
            table.filled = op;
        }
        send(op);
    }

    /// Whether the entries of a table lead to tables of 64-KiB entries too (GVA-12).
    [[nodiscard]] bool has_second_half(page_table const& table) const {
        return geometry_.is_dual() && table.level == 1;
    }

    /// Whether an entry above the leaf is valid, of either array.
    [[nodiscard]] static bool leads_anywhere(page_table const& table, std::uint32_t index) {
        bool const second = index < table.entries_64k.size() && table.entries_64k[index].Valid != 0;
        return table.entries[index].Valid != 0 || second;
    }

    land& land_;
    request_maker& maker_;
    builder& builder_;
    window_layout window_;                      ///< of the paging process
    page_table const* linked_child_ = nullptr;  ///< to which the entry at hand leads
    bool converting_ = false;                   ///< and it takes the place of a table of 64-KiB entries
    std::function<void()> after_;               ///< what the next flush sets free

private:
    // AMB-22: no page says which array has the entries of a leaf table of 64-KiB entries where tables are dual, so that
    // both have them. Without dual tables nobody may look at the second (OP11-06).
    void second_array(request& r, page_table& table, update_words& words) const {
        vidmm_rule const outside = words.repeat ? vidmm_rule::op11_02 : vidmm_rule::op11_01;
        if (geometry_.is_dual() && table.of_64k) {
            r.array_64k.assign(words.entries, "the entries for 64-KiB tables", outside);
        }
        if (!has_second_half(table)) {
            return;
        }
        table.entries_64k.resize(table.entries.size());
        if (words.initial && words.entries_64k.empty() && table.leads_to_64k()) {  // a root that has moved
            words.repeat = false;
            words.entries = table.entries;
            words.entries_64k = table.entries_64k;
        }
        words.entries_64k.resize(words.entries.size());
        r.late.entries_64k = words.entries_64k;
        r.array_64k.assign(words.entries_64k, "the entries for 64-KiB tables", outside);
    }

    // The bytes of the hardware's entries: of a GPU page only the entry at its start is one (OP11-05).
    void expect_bytes(operation& op, page_table const& table, update_words const& words) const {
        std::uint64_t const share = geometry_.shared_by(table);
        std::uint64_t const first = (words.start + share - 1) / share;
        std::uint64_t const end = (std::uint64_t{words.start} + words.count + share - 1) / share;
        std::uint64_t const size = geometry_.entry_bytes_of(table);
        if (first != end) {
            op.effect.push_back({land_.address(table.where, 0) + first * size, 0, (end - first) * size});
        }
    }

    // How this update names its table.
    void address(operation& op, address_space const& space, page_table const& table) {
        wddm2_request& late = op.asked.late;
        switch (late.mode) {
            case page_table_update_mode::cpu_virtual:
                late.cpu = m_.memory.is(land_.address(table.where, 0), geometry_.bytes_of(table)).data();
                break;
            case page_table_update_mode::gpu_physical: {
                vidmm_location const at = location_of(table.where);
                late.segment = at.segment;
                late.segment_offset = at.offset;
                break;
            }
            case page_table_update_mode::gpu_virtual:
                late.address = space.number == 0 ? table.seen_at * page_size : map_table(op, table);
                break;
        }
    }

    // What becomes visible: nothing yet of a table to which no entry leads. Of an entry that leads nowhere, and led
    // nowhere before, one page is enough.
    [[nodiscard]] page_changes changes_of(address_space& space, page_table const& table, update_words const& words,
                                          std::vector<bool> const& leads) {
        page_changes out;
        // Nor of a root that lies elsewhere now, with all its entries.
        bool const refilled = words.initial && words.entries.size() > 1;
        if (!table.initialised && (table.level != geometry_.top() || refilled)) {
            return out;
        }
        auto const add = [&](std::uint64_t first, std::uint64_t count) {
            for (std::uint64_t page = first; page < first + count; ++page) {
                out.emplace_back(page, meaning(space, page));
            }
        };
        std::uint64_t const unit = geometry_.unit_of(table);
        std::uint64_t const first = table.first_page + words.start * unit;
        if (table.level == 0) {
            // To the end of a page of the GPU that begins in the range (OP11-05).
            std::uint64_t const share = geometry_.shared_by(table);
            add(first, (first + words.count * unit + share - 1) / share * share - first);
            return out;
        }
        for (std::uint32_t k = 0; k < words.count; ++k) {
            add(first + k * unit, leads[k] && unit <= most_looked_through ? unit : 1);
        }
        return out;
    }

    static constexpr std::uint64_t most_looked_through = 4096;  ///< pages behind one entry above the leaf
};

}  // namespace wddmcore::testing::vidmm_parts

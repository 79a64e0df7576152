// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "request_maker.hpp"
#include "table_check.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// One update and one flush as requests: how a table is named, what its entries are, and what changes by it.
class table_updates {
public:
    table_updates(machine& m, land& l, request_maker& maker, builder& b)
        : m_(m), land_(l), maker_(maker), builder_(b), geometry_(m.options.page_tables.levels) {}

    table_updates(table_updates const&) = delete;
    table_updates& operator=(table_updates const&) = delete;
    virtual ~table_updates() = default;

    [[nodiscard]] table_geometry const& geometry() const { return geometry_; }

    /// Lets the driver build an operation, with what it needs in the window mapped before and unmapped behind it.
    virtual void send(std::shared_ptr<operation> const& op) = 0;

    /// The entry for a page at this address of memory_model.
    [[nodiscard]] pte entry_for(std::uint64_t address, std::uint64_t attributes) const {
        pte e{};
        e.Flags = attributes & pte_attributes & m_.options.page_tables.attributes;
        e.Valid = 1;
        vidmm_segment const* const s = m_.memory.segment_at(address);
        bool const local = s != nullptr && !s->aperture;
        e.Segment = local ? s->id & 0x1f : 0;
        e.PageAddress = (address - (local ? s->base : m_.memory.page_address(0))) / page_size;
        return e;
    }

    /// The entry for a page that reads as zero (GVA-19).
    [[nodiscard]] static pte zero_entry() {
        pte e{};
        e.Valid = 1;
        e.Zero = 1;
        return e;
    }

    [[nodiscard]] std::optional<leaf> leaf_of(address_space const& space, pte const& e) const {
        if (e.Valid == 0) {
            return std::nullopt;
        }
        if (e.Zero != 0) {
            return leaf{0, pte_zero};
        }
        vidmm_segment const* const s = m_.memory.segment(static_cast<std::uint32_t>(e.Segment));
        std::uint64_t const base = e.Segment == 0 || s == nullptr ? m_.memory.page_address(0) : s->base;
        return leaf{base + e.PageAddress * page_size, e.Flags & pte_attributes,
                    space.protection & m_.options.page_tables.protection_bits};
    }

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
        std::uint64_t const size = geometry_.at(table.level).table_bytes;
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
    };

    void update(address_space& space, page_table& table, update_words const& words) {
        if (m_.stopped) {
            return;
        }
        auto op = std::make_shared<operation>();
        request& r = op->asked;
        late_request& late = r.late;
        r.operation = paging_operation::update_page_table;
        r.no_buffer = words.by_cpu;
        late.level = table.level;
        late.mode = words.by_cpu ? page_table_update_mode::cpu_virtual : m_.options.page_tables.mode;
        if (late.mode == page_table_update_mode::cpu_virtual && !words.by_cpu) {
            r.no_buffer = m_.random.chance(m_.options.chances.no_buffer);
        }
        late.entries = words.entries;
        late.start = words.start;
        late.count = words.count;
        late.repeat = words.repeat;
        late.initial = words.initial;
        late.eviction = words.evicting;
        late.process = space.handle;
        late.protection = space.protection;
        late.moved_child = linked_child_ != nullptr && linked_child_->moved;
        late.first_address = (table.first_page + words.start * geometry_.entry_pages(table.level)) * page_size;
        r.array.assign(words.entries, "the page-table entries",
                       words.repeat ? vidmm_rule::op11_02 : vidmm_rule::op11_01);
        if (m_.options.page_tables.dual_tables && table.level == 1) {
            // No table of 64-KiB entries anywhere: as many entries, none of them valid.
            r.array_64k.assign(std::vector<pte>(words.entries.size()), "the entries for 64-KiB tables",
                               words.repeat ? vidmm_rule::op11_02 : vidmm_rule::op11_01);
        }
        for (std::uint32_t k = 0; k < words.count; ++k) {
            table.entries[words.start + k] = words.entries[words.repeat ? 0 : k];
        }
        address(*op, space, table);
        op->own_encoding = true;
        std::uint32_t const size = geometry_.at(table.level).entry_bytes;
        op->effect.push_back(
            {land_.address(table.where, 0) + words.start * size, 0, std::uint64_t{words.count} * size});
        op->judge = [this, &space, changes = changes_of(space, table, words), o = op.get()] {
            table_check(m_, geometry_, space).updated(*o, changes);
        };
        if (words.initial) {
            table.filled = op;
        }
        send(op);
    }

    // How this update names its table.
    void address(operation& op, address_space const& space, page_table const& table) {
        late_request& late = op.asked.late;
        switch (late.mode) {
            case page_table_update_mode::cpu_virtual:
                late.cpu = m_.memory.is(land_.address(table.where, 0), geometry_.at(table.level).table_bytes).data();
                break;
            case page_table_update_mode::gpu_physical: {
                vidmm_location const at = location_of(table.where);
                late.segment = at.segment;
                late.segment_offset = at.offset;
                break;
            }
            case page_table_update_mode::gpu_virtual:
                late.address =
                    space.number == 0
                        ? (area_ + (table.first_page - area_) / geometry_.table_reach(0) * geometry_.table_pages(0)) *
                              page_size
                        : map_table(op, table);
                break;
        }
    }

    // What becomes visible: nothing yet of a table to which no entry leads.
    [[nodiscard]] page_changes changes_of(address_space& space, page_table const& table, update_words const& words) {
        page_changes out;
        if (!table.initialised && table.level != geometry_.top()) {
            return out;
        }
        std::uint64_t const reach = geometry_.entry_pages(table.level);
        for (std::uint32_t k = 0; k < words.count && table.level == 0; ++k) {
            out.emplace_back(table.first_page + words.start + k, leaf_of(space, words.entries[words.repeat ? 0 : k]));
        }
        if (table.level == 0) {
            return out;
        }
        std::uint64_t const first = table.first_page + words.start * reach;
        page_table const* const child = words.count == 1 ? space.find(table.level - 1, first) : nullptr;
        if (child != nullptr && table.level == 1) {
            bool const leads = words.entries.front().Valid != 0;
            for (std::uint32_t k = 0; k < geometry_.entries(0); ++k) {
                out.emplace_back(first + k, leads ? leaf_of(space, child->entries[k]) : std::nullopt);
            }
        } else {
            for (std::uint32_t k = 0; k < words.count; ++k) {
                out.emplace_back(first + k * reach, std::nullopt);
            }
        }
        return out;
    }

    machine& m_;
    land& land_;
    request_maker& maker_;
    builder& builder_;
    table_geometry geometry_;
    std::uint64_t area_ = 0;                    ///< first page of the paging process where its leaf tables are seen
    page_table const* linked_child_ = nullptr;  ///< to which the entry at hand leads
    std::function<void()> after_;               ///< what the next flush sets free
};

}  // namespace wddmcore::testing::vidmm_parts

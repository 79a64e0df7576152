// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"
#include <wddmcore/testing/split_bus.hpp>

#include <wddmcore/testing/processor/engine.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>

#include <span>

namespace sequences {

/// The reference processor: all of its adapter but the driver's type.
class cpu_adapter : public adapter {
public:
    explicit cpu_adapter(machine& m)
        : machine_(m),
          table_(static_cast<std::size_t>(m.where.aperture_pages) * 16),
          engine_({cpu_aperture{aperture_id.n, table_}}),
          cache_([this](u64 root, u64 va) { return walk({root}, va); }, true),
          // Its records do not say whether an address is virtual: one without memory behind it is.
          bus_(
              m.bus, [&m](u64 address) { return m.bus.at(address, 1).data == nullptr; },
              [this](u64 va) { return cache_.translate(root_.offset, va); }) {
        engine_.late().on_drop = [this](cpu_drop const& d) {
            d.first == 0 && d.last == 0 ? cache_.flush(d.offset) : cache_.flush(d.offset, d.first, d.last);
        };
    }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords) override {
        return engine_.execute(commands, dwords, bus_);
    }
    [[nodiscard]] translation walk(root_place root, u64 va) const override {
        return cpu_page_walker(machine_.bus, machine_.bus_of_segment(root.offset)).walk(va);
    }
    [[nodiscard]] translation_cache& cache() override { return cache_; }
    void set_paging_root(root_place root) override { root_ = root; }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) override { return engine_.page_of(aperture_id.n, index); }

    [[nodiscard]] std::string verify(request const& r) override {
        std::vector<notice> heard;
        for (cpu_notice const& n : engine_.late().notices) {
            static constexpr paging_operation operations[] = {
                paging_operation::notify_residency, paging_operation::notify_residency2,
                paging_operation::notify_fence_residency, paging_operation::notify_alloc};
            heard.push_back({operations[n.code - 10], {n.values.begin(), n.values.end()}});
        }
        engine_.late().notices.clear();
        if (r.operation == paging_operation::notify_alloc) {
            return judge_unmaps(r, heard);
        }
        return heard == notices_of(r) ? "" : say("heard ", heard.size(), " times, or with other numbers");
    }

    [[nodiscard]] std::vector<std::byte> context_update(law_parts::random_numbers& random,
                                                        std::vector<std::byte>& content) const override {
        std::vector<u64> items;
        for (u64 left = random.below(5); left != 0; --left) {
            u64 const offset = random.multiple(8, content.size() - 8);
            items.insert(items.end(), {offset, random.next()});
            std::memcpy(content.data() + offset, &items.back(), 8);
        }
        auto const bytes = std::as_bytes(std::span(items));
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::vector<u32> mmus() const override { return {0}; }
    [[nodiscard]] u64 mmu_pages() const override { return mmu_entries_.size(); }
    /// An entry is the processor's address of a page, which is the bus's; it keeps none of them.
    [[nodiscard]] std::optional<u64> mmu_page(u32, u64 index) override {
        u64 const entry = mmu_entries_[static_cast<std::size_t>(index)];
        return (entry & 1) != 0 ? std::optional(entry - 1) : std::nullopt;
    }

protected:
    [[nodiscard]] bool sees(paging_operation) const { return true; }
    void before(void*, u32) {}

    machine& machine_;
    std::vector<std::byte> table_;
    cpu_engine engine_;
    translation_cache cache_;
    testing::split_bus bus_;
    root_place root_;
    std::vector<u64> mmu_entries_ = std::vector<u64>(64);
};

/// @tparam Hardware  an example::cpu type
template <class Hardware, class Entry>
class cpu_rig : public cpu_adapter {
public:
    using hardware = Hardware;
    explicit cpu_rig(machine& m) : cpu_adapter(m) {
        layout const& w = m.where;
        hw.segments[0] = {{{w.aperture_base}, {w.aperture_pages * page_bytes}}, true};
        hw.segments[1] = {{{m.bus_of_segment(0)}, {w.segment_bytes()}}, false};
        hw.system_base = w.system_bus;
        hw.entries = static_cast<Entry*>(static_cast<void*>(table_.data()));
        if constexpr (requires { hw.mmu_entries; }) {
            hw.mmu_entries = mmu_entries_.data();
            hw.mmu_pages = mmu_entries_.size();
        }
    }
    [[nodiscard]] facts const& known() const override { return facts_; }
    [[nodiscard]] std::vector<std::byte> image(void*, u64 size) override {
        if constexpr (requires { hw.context_image; }) {
            hw.context_image = {size};
        }
        return std::vector<std::byte>(static_cast<std::size_t>(size));
    }

    Hardware hw{};

protected:
    facts facts_ = [] {
        facts f = facts_of<Hardware>();
        f.tables_in_system = true;
        return f;
    }();
};

}  // namespace sequences

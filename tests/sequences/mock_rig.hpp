// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"
#include <wddmcore/testing/split_bus.hpp>

#include <hardware/mock/mock_engine.hpp>
#include <hardware/mock/mock_gpu.hpp>
#include <hardware/mock/mock_page_walker.hpp>

#include <span>

namespace sequences {

/// The mock's addresses have 43 bits, and an entry of level 2 covers 256 MiB.
[[nodiscard]] inline layout mock_layout() {
    layout where;
    where.local_virtual = 0x345'4000'0000;
    where.system_virtual = 0x100'0000'0000;
    where.aperture_virtual = 0x512'3440'0000;
    where.hollow_bytes = u64{600} << 20;
    return where;
}

/// The mock: all of its adapter but the driver's type.
class mock_adapter : public adapter {
public:
    explicit mock_adapter(machine& m)
        : machine_(m),
          table_(static_cast<std::size_t>(m.where.aperture_pages)),
          map_{{{memory_id.n, m.bus_of_segment(0)}}, m.where.system_bus, first_virtual},
          engine_(map_, {mock_aperture{aperture_id.n, std::as_writable_bytes(std::span(table_))}}),
          cache_([this](u64 root, u64 va) { return walk({root}, va); }, true),
          bus_(
              m.bus, [](u64 address) { return address >= first_virtual; },
              [this](u64 address) { return cache_.translate(root_.offset, address - first_virtual); }) {
        engine_.late().on_flush = [this](mock_flush const& f) {
            f.all ? cache_.flush(f.offset) : cache_.flush(f.offset, f.first, f.last);
        };
        engine_.late().mmu_tables[0] = std::as_writable_bytes(std::span(mmu_tables_[0]));
        engine_.late().mmu_tables[1] = std::as_writable_bytes(std::span(mmu_tables_[1]));
    }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords) override {
        execution done = engine_.execute(commands, dwords, bus_);
        done.why += done.ok || bus_.why().empty() ? "" : ": " + bus_.why();
        return done;
    }
    [[nodiscard]] translation walk(root_place root, u64 va) const override {
        return mock_page_walker(machine_.bus, map_, machine_.bus_of_segment(root.offset)).walk(va);
    }
    [[nodiscard]] translation_cache& cache() override { return cache_; }
    void set_paging_root(root_place root) override { root_ = root; }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) override { return engine_.page_of(aperture_id.n, index); }

    [[nodiscard]] std::string verify(request const& r) override {
        std::vector<notice> heard;
        for (mock_notice const& n : take()) {
            std::vector<u64> v(n.values.begin(), n.values.end());
            if (n.code == 0x0E) {
                heard.push_back({paging_operation::notify_residency, {v[0], n.argument, v[1], v[2]}});
            } else if (n.code == 0x0F) {
                heard.push_back(
                    {paging_operation::notify_residency2, {v[0], v[1], v[2], n.argument, v[3], v[4], v[5]}});
            } else if (n.code == 0x10) {
                heard.push_back({paging_operation::notify_fence_residency, {v[0], v[1], v[2], v[3], v[4]}});
            } else {
                heard.push_back({paging_operation::notify_alloc, {v[0], v[1], v[2]}});
            }
        }
        if (r.operation == paging_operation::notify_alloc) {
            return judge_unmaps(r, heard);
        }
        return heard == notices_of(r) ? "" : say("heard ", heard.size(), " times, or with other numbers");
    }

    [[nodiscard]] bool transform(std::vector<std::byte>& content) const override {
        for (std::byte& b : content) {
            b = static_cast<std::byte>(std::to_integer<unsigned>(b) + 0x35);
        }
        return true;
    }
    [[nodiscard]] u64 eviction_block() const override { return 12288; }

    [[nodiscard]] std::vector<std::byte> context_update(law_parts::random_numbers& random,
                                                        std::vector<std::byte>& content) const override {
        std::vector<u32> items;
        for (u64 left = random.below(5); left != 0; --left) {
            u64 const offset = random.multiple(4, content.size() - 4);
            items.insert(items.end(), {static_cast<u32>(offset), static_cast<u32>(random.next())});
            std::memcpy(content.data() + offset, &items.back(), 4);
        }
        auto const bytes = std::as_bytes(std::span(items));
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::vector<u32> mmus() const override { return {3, 5}; }
    [[nodiscard]] u64 mmu_pages() const override { return mmu_tables_[0].size(); }
    /// The mock keeps no entries. One says its segment in bits 51 to 44, and its page below.
    [[nodiscard]] std::optional<u64> mmu_page(u32 mmu, u64 index) override {
        u64 const entry = mmu_tables_[mmu == 3 ? 0 : 1][static_cast<std::size_t>(index)];
        u64 const place = (entry & ((u64{1} << 44) - 1)) * page_bytes;
        bool const in_segment = (entry >> 44 & 0xFF) == memory_id.n;
        return entry >> 63 == 0
                   ? std::nullopt
                   : std::optional(in_segment ? machine_.bus_of_segment(place) : machine_.bus_of_system(place));
    }

protected:
    /// Bus addresses from here on stand for virtual ones.
    static constexpr u64 first_virtual = u64{1} << 62;

    /// What the engine and the driver were told since the last call.
    [[nodiscard]] virtual std::vector<mock_notice> take() { return std::exchange(engine_.late().notices, {}); }
    [[nodiscard]] bool sees(paging_operation) const { return true; }
    void before(void*, u32) {}

    machine& machine_;
    std::vector<u64> table_;
    mock_map map_;
    mock_engine engine_;
    translation_cache cache_;
    testing::split_bus bus_;
    root_place root_;
    std::array<std::vector<u64>, 2> mmu_tables_{std::vector<u64>(64), std::vector<u64>(64)};
};

/// The mock of some claims, put up.
template <capabilities Caps>
class mock_rig : public mock_adapter {
public:
    using hardware = hooked<mock_gpu<Caps>>;

    explicit mock_rig(machine& m) : mock_adapter(m) {
        layout const& w = m.where;
        hw.segments.of[0] = {{{w.aperture_base}, {w.aperture_pages * page_bytes}}, true};
        hw.segments.of[1] = {{{w.segment_base}, {w.segment_bytes()}}, false};
        hw.entries = table_.data();
        hw.mmu_tables = {{mmu_tables_[0].data(), mmu_tables_[1].data()}, mmu_tables_[0].size()};
    }
    [[nodiscard]] facts const& known() const override { return facts_; }
    [[nodiscard]] std::vector<std::byte> image(void* allocation, u64 size) override {
        hw.contexts.count = 0;
        hw.contexts.set(allocation, {size});
        std::vector<u32> words(static_cast<std::size_t>(size / 4));
        auto word = static_cast<u32>(reinterpret_cast<std::uintptr_t>(allocation));
        for (u32& w : words) {
            w = word++ * 0x9E37'79B1u;
        }
        auto const bytes = std::as_bytes(std::span(words));
        return {bytes.begin(), bytes.end()};
    }

    hardware hw{};

protected:
    [[nodiscard]] std::vector<mock_notice> take() override {
        std::vector<mock_notice> all = mock_adapter::take();
        for (u32 i = 0; i != hw.notices.count; ++i) {
            auto const& told = hw.notices.list[i];
            all.push_back({told.code, told.argument, {std::begin(told.values), std::end(told.values)}});
        }
        hw.notices.count = 0;
        return all;
    }

private:
    facts facts_ = [] {
        facts f = facts_of<hardware>();
        f.tables_in_system = true;
        f.fences_interrupt = false;
        return f;
    }();
};

}  // namespace sequences

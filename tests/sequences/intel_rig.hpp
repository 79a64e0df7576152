// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"

#include <hardware/intel_xe/blitter.hpp>
#include <hardware/intel_xe/ppgtt_walker.hpp>

#include <span>

namespace sequences {

/// An entry of level 2 covers 1 GiB, and a page of that size has to lie at a multiple of it.
[[nodiscard]] inline layout intel_layout() {
    layout where;
    where.segment_first = u64{1} << 30;
    where.hollow_bytes = (u64{3} << 30) - where.solid_bytes();
    return where;
}

/// Intel Xe2: all of its adapter but the driver's type.
class intel_adapter : public adapter {
public:
    explicit intel_adapter(machine& m)
        : machine_(m),
          cache_([this](u64 root, u64 va) { return walk({root}, va); }, true),
          engine_(mocs, [this](u64 va) { return cache_.translate(root_.offset, va); }) {
        engine_.on_forget([this] { cache_.flush_all(); });
        one_that_forgets_ = this;
    }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords) override {
        return engine_.execute(commands, dwords, machine_.bus);
    }
    [[nodiscard]] translation walk(root_place root, u64 va) const override {
        return ppgtt(machine_.bus, machine_.where.device_bus, machine_.where.system_bus,
                     machine_.where.segment_first + root.offset, coherent_pat)
            .walk(va);
    }
    [[nodiscard]] translation_cache& cache() override { return cache_; }
    void set_paging_root(root_place root) override { root_ = root; }
    void forget_aperture() override { cache_.flush_all(); }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) override {
        translation const t = walk(root_, machine_.where.aperture_virtual + index * page_bytes);
        return t.ok() ? std::optional((t.bus - machine_.where.system_bus) / page_bytes) : std::nullopt;
    }

    [[nodiscard]] void* handle(u64 random) override { return &handles_[random % 4]; }

    void expect_notice() override { forgotten_ = engine_.forgotten(); }
    /// Lists of 8 bytes a page, and records of two addresses, say where things are; their model is compared whole.
    [[nodiscard]] std::string verify(request const& r) override {
        if (r.operation == paging_operation::notify_alloc) {
            return engine_.forgotten() == forgotten_ + 1 ? "" : "the GPU was not emptied once";
        }
        if (r.operation == paging_operation::notify_fence_residency) {
            for (moved_fence const& f : r.fences) {
                fences_[index_of(f.fence)] = {address_of(f.current_segment, f.current_offset),
                                              address_of(f.monitored_segment, f.monitored_offset)};
            }
            for (std::size_t i = 0; i != 4; ++i) {
                std::array<u64, 2> found{};
                static_cast<void>(machine_.bus.read(own_bus(fence_at + i * 16), found.data(), 16));
                if (found != fences_[i]) {
                    return "the record of a fence is wrong";
                }
            }
            return {};
        }
        bool const all = r.operation == paging_operation::notify_residency;
        std::vector<u64>& wanted = wanted_[index_of(r.allocation)];
        u64 const first = all ? 0 : r.offset;
        for (u64 page = first; page < (all ? list_pages : first + r.size); ++page) {
            u64 const place = machine_.where.segment_first + (all ? r.offset : r.address) + (page - first) * page_bytes;
            wanted[static_cast<std::size_t>(page)] = r.set && r.segment != 0 ? place | 1 : 0;
        }
        return lists_ == wanted_ ? "" : "the list of an allocation is wrong";
    }

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
    [[nodiscard]] std::vector<u32> mmus() const override { return {mmu_id}; }
    [[nodiscard]] u64 mmu_pages() const override { return global_.size(); }
    [[nodiscard]] std::optional<u64> mmu_page(u32 mmu, u64 index) override { return mmu_cache_.translate(mmu, index); }

protected:
    static constexpr u32 mocs = 5;
    static constexpr u32 coherent_pat = 0b10110;
    static constexpr u32 noncoherent_pat = 0b01001;
    static constexpr u32 mmu_id = 3;
    static constexpr u64 list_pages = 1100;
    // The hardware's own memory, from the segment's reserve on.
    static constexpr u64 scratch_at = 0;
    static constexpr u64 fence_at = 0x1000;

    /// What the driver has to have the global table's translations forgotten; it has no argument.
    static void forget_global() { one_that_forgets_->mmu_cache_.flush(); }

    /// An entry of the global table: present b0, device memory b1, address [45:12].
    [[nodiscard]] std::optional<u64> walk_mmu(u64 index) const {
        u64 const entry = global_[static_cast<std::size_t>(index)];
        u64 const memory = (entry & 2) != 0 ? machine_.where.device_bus : machine_.where.system_bus;
        return (entry & 1) != 0 ? std::optional<u64>(memory + (entry & 0x3FFF'FFFF'F000)) : std::nullopt;
    }
    [[nodiscard]] u64 own_virtual(u64 at) const {
        return machine_.where.local_virtual + machine_.where.reserve_first() + at;
    }
    [[nodiscard]] u64 own_bus(u64 at) const { return machine_.where.device_bus + machine_.where.reserve_first() + at; }
    [[nodiscard]] u64 address_of(u32 segment, u64 offset) const {
        return segment == 0 ? machine_.where.system_virtual + offset
                            : machine_.where.local_virtual + machine_.where.segment_first + offset;
    }
    [[nodiscard]] std::size_t index_of(void* handle) const {
        return static_cast<std::size_t>(static_cast<int*>(handle) - handles_.data());
    }
    [[nodiscard]] bool sees(paging_operation) const { return true; }
    void before(void*, u32) {}

    machine& machine_;
    translation_cache cache_;
    mmu_cache mmu_cache_{[this](u32, u64 index) { return walk_mmu(index); }};
    static inline intel_adapter* one_that_forgets_ = nullptr;
    xe_blitter engine_;
    root_place root_;
    std::uint64_t forgotten_ = 0;
    std::array<int, 4> handles_{};
    std::vector<std::vector<u64>> lists_ = std::vector<std::vector<u64>>(4, std::vector<u64>(list_pages));
    std::vector<std::vector<u64>> wanted_ = lists_;
    std::array<std::array<u64, 2>, 4> fences_{};
    std::vector<u64> global_ = std::vector<u64>(64);
};

}  // namespace sequences

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"

#include <hardware/amd_gfx10/gpuvm_walker.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>

#include <span>

namespace sequences {

/// AMD gfx10's numbers are addresses of VMID 0, which the paging process has reserved and maps at the same numbers.
[[nodiscard]] inline layout amd_layout() {
    layout where;
    where.segment_base = where.local_virtual + where.segment_first;
    where.aperture_base = where.aperture_virtual;
    return where;
}

/// The same of a driver that owns no page tables: the engine's numbers are those of the bus.
[[nodiscard]] inline layout amd_flat_layout() {
    layout where;
    where.local_virtual = where.device_bus;
    where.system_virtual = where.system_bus;
    where.segment_base = where.local_virtual + where.segment_first;
    where.aperture_base = where.aperture_virtual;
    return where;
}

/// AMD gfx10: all of its adapter but the driver's type.
class amd_adapter : public adapter {
public:
    explicit amd_adapter(machine& m)
        : machine_(m),
          cache_([this](u64 root, u64 va) { return root == aperture_root ? walk_aperture(va) : walk({root}, va); },
                 true),
          engine_([this](std::uint32_t index, std::uint32_t value) { return write_register(index, value); },
                  [this](std::uint32_t index) { return read_register(index); }) {
        engine_.translate_by([this](u64 va) {
            u64 const begin = machine_.where.aperture_virtual;
            bool const in_aperture = va >= begin && va - begin < machine_.where.aperture_pages * page_bytes;
            return cache_.translate(in_aperture ? aperture_root : root_.offset, va);
        });
        std::vector<u64> const zeros(reserve_bytes / 8);
        if (!m.bus.write(m.where.device_bus + m.where.reserve_first(), zeros.data(), reserve_bytes)) {
            throw std::logic_error("no memory of the hardware's own");
        }
    }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords) override {
        return engine_.execute(commands, dwords, machine_.bus);
    }
    [[nodiscard]] translation walk(root_place root, u64 va) const override {
        return gpuvm(machine_.bus, machine_.where.device_bus, machine_.where.system_bus,
                     machine_.bus_of_segment(root.offset))
            .walk(va);
    }
    [[nodiscard]] translation_cache& cache() override { return cache_; }
    void set_paging_root(root_place root) override { root_ = root; }
    void forget_aperture() override { cache_.flush(aperture_root); }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) override { return page_of(own(aperture_at + index * 8)); }

    [[nodiscard]] void* handle(u64 random) override { return &handles_[random % 4]; }

    /// Records of 8 or 16 bytes in memory say where things are; the model of them is compared whole.
    [[nodiscard]] std::string verify(request const& r) override {
        if (r.operation == paging_operation::notify_alloc) {
            std::uint64_t const before = cache_requests_;
            cache_requests_ = engine_.cache_requests();
            return cache_requests_ == before + 1 ? "" : "the caches were not emptied once";
        }
        if (r.operation == paging_operation::notify_fence_residency) {
            for (moved_fence const& f : r.fences) {
                std::size_t const i = index_of(f.fence);
                fences_[i] = {address_of(f.current_segment, f.current_offset),
                              address_of(f.monitored_segment, f.monitored_offset)};
            }
        } else {
            std::size_t const i = index_of(r.allocation);
            bool const all = r.operation == paging_operation::notify_residency;
            u64 const place = all ? r.offset : r.address;
            for (u64 page = all ? 0 : r.offset; page < (all ? list_pages : r.offset + r.size); ++page) {
                u64 const from = page - (all ? 0 : r.offset);
                lists_[i][static_cast<std::size_t>(page)] =
                    r.set && r.segment != 0 ? address_of(r.segment, place + from * page_bytes) | 1 : 0;
            }
        }
        for (std::size_t i = 0; i != 4; ++i) {
            for (u64 page = 0; page != list_pages; ++page) {
                if (own(list_at + (i * list_pages + page) * 8) != lists_[i][static_cast<std::size_t>(page)]) {
                    return say("page ", page, " of the list of an allocation is wrong");
                }
            }
            if (own(fence_at + i * 16) != fences_[i][0] || own(fence_at + i * 16 + 8) != fences_[i][1]) {
                return "the record of a fence is wrong";
            }
        }
        return {};
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
    [[nodiscard]] u64 mmu_pages() const override { return 256; }
    [[nodiscard]] std::optional<u64> mmu_page(u32 mmu, u64 index) override { return mmu_cache_.translate(mmu, index); }

protected:
    // The hardware's own memory, from the segment's reserve on.
    static constexpr u64 scratch_at = 0;
    static constexpr u64 aperture_at = 0x1000;
    static constexpr u64 fence_at = 0x2000;
    static constexpr u64 mmu_at = 0x3000;
    static constexpr u64 list_at = 0x4000;
    static constexpr u64 list_pages = 1100;
    static constexpr u64 reserve_bytes = 0x1'0000;
    static constexpr u32 mmu_id = 3;
    static constexpr u32 request_register = 0x2894;
    static constexpr u32 acknowledge_register = 0x28A6;
    static constexpr u32 request = 0x00F8'00FE;
    static constexpr u32 vmids = 0xFE;
    // Those of the other hub.
    static constexpr u32 mmu_request_register = 0x1A94;
    static constexpr u32 mmu_acknowledge_register = 0x1AA6;
    static constexpr u32 mmu_request = 0x00F8'0010;
    static constexpr u32 mmu_vmids = 0x10;
    static constexpr u64 mmu_scratch_at = 0x100;
    static constexpr u64 aperture_root = ~u64{0};  ///< in the cache of translations: none of an address space

    [[nodiscard]] u64 own_virtual(u64 at) const {
        return machine_.where.local_virtual + machine_.where.reserve_first() + at;
    }
    [[nodiscard]] u64 own(u64 at) const {
        u64 value = 0;
        static_cast<void>(
            machine_.bus.read(machine_.where.device_bus + machine_.where.reserve_first() + at, &value, 8));
        return value;
    }
    [[nodiscard]] u64 address_of(u32 segment, u64 offset) const {
        return segment == 0 ? machine_.where.system_virtual + offset : machine_.where.segment_base + offset;
    }
    /// The system page that an entry leads to: valid, system, readable, writeable, or it leads nowhere.
    [[nodiscard]] static std::optional<u64> page_of(u64 entry) {
        return (entry & 0x63) == 0x63 ? std::optional<u64>((entry >> 12) & 0xF'FFFF'FFFF) : std::nullopt;
    }
    [[nodiscard]] std::size_t index_of(void* handle) const {
        return static_cast<std::size_t>(static_cast<int*>(handle) - handles_.data());
    }

    /// Where an entry of the other hub's table leads: VALID, READABLE, WRITEABLE, and SYSTEM or not.
    [[nodiscard]] std::optional<u64> walk_mmu(u64 index) const {
        u64 const entry = own(mmu_at + index * 8);
        u64 const memory = (entry & 2) != 0 ? machine_.where.system_bus : machine_.where.device_bus;
        return (entry & 0x61) == 0x61 ? std::optional(memory + (entry & 0xFFFF'FFFF'F000)) : std::nullopt;
    }
    [[nodiscard]] translation walk_aperture(u64 va) const {
        std::optional<u64> const page =
            page_of(own(aperture_at + (va - machine_.where.aperture_virtual) / page_bytes * 8));
        translation found;
        found.bus = machine_.bus_of_system(page.value_or(0) * page_bytes + va % page_bytes);
        found.bytes = page_bytes - va % page_bytes;
        found.writable = true;
        return page ? found : no_translation("an entry of the aperture is not valid");
    }

    [[nodiscard]] bool write_register(std::uint32_t index, std::uint32_t value) {
        if (index == mmu_request_register && value == mmu_request) {
            mmu_acknowledged_ = 0;
            return true;
        }
        if (index != request_register || value != request) {
            return false;
        }
        acknowledged_ = 0;
        return true;
    }
    /// What was asked for has happened only when somebody has waited for it.
    [[nodiscard]] std::optional<std::uint32_t> read_register(std::uint32_t index) {
        if (index == acknowledge_register) {
            if (std::exchange(acknowledged_, vmids) == 0) {
                cache_.flush_all();
            }
            return acknowledged_;
        }
        if (index == mmu_acknowledge_register) {
            if (std::exchange(mmu_acknowledged_, mmu_vmids) == 0) {
                mmu_cache_.flush();
            }
            return mmu_acknowledged_;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool sees(paging_operation) const { return true; }
    void before(void*, u32) {}

    machine& machine_;
    translation_cache cache_;
    mmu_cache mmu_cache_{[this](u32, u64 index) { return walk_mmu(index); }};
    amd_sdma_engine engine_;
    root_place root_;
    std::uint32_t acknowledged_ = vmids;
    std::uint32_t mmu_acknowledged_ = mmu_vmids;
    std::uint64_t cache_requests_ = 0;
    std::array<int, 4> handles_{};
    std::array<std::vector<u64>, 4> lists_{std::vector<u64>(list_pages), std::vector<u64>(list_pages),
                                           std::vector<u64>(list_pages), std::vector<u64>(list_pages)};
    std::array<std::array<u64, 2>, 4> fences_{};
};

}  // namespace sequences

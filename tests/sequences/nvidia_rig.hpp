// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "versioned.hpp"

#include <hardware/nvidia_ampere/copy_engine.hpp>
#include <hardware/nvidia_ampere/mmu_walker.hpp>

#include <span>

namespace sequences {

/// NVIDIA's aperture is a range of the paging channel's addresses, which have 49 bits; the host's semaphore is one of
/// the adapter's own places, whose addresses must then have 40 bits.
[[nodiscard]] inline layout nvidia_layout() {
    layout where;
    where.local_virtual = 0x45'4000'0000;
    where.aperture_virtual = 0x1'8765'4320'0000;
    return where;
}

/// NVIDIA Ampere: all of its adapter but the driver's type.
class nvidia_adapter : public adapter {
public:
    explicit nvidia_adapter(machine& m)
        : machine_(m),
          cache_([this](u64 root, u64 va) { return walk({root}, va); }, true),
          engine_(
              {m.where.device_bus, m.where.system_bus, [this](u64 va) { return cache_.translate(root_.offset, va); }}) {
        engine_.host().on_invalidate = [this](nvidia_invalidation const& i) {
            if (i.all) {
                ++full_drops_;
                return cache_.flush_all();
            }
            // Roots of these sequences lie in the segment.
            cache_.flush(i.aperture == 0 ? i.root - machine_.where.segment_first : ~u64{0});
        };
    }

    /// The engine reads entries that stand in the stream at the stream's own address, where it is put now.
    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords) override {
        if (!machine_.bus.write(own_bus(stream_at), commands, dwords * 4)) {
            throw std::logic_error("no memory for the stream");
        }
        return engine_.execute(commands, dwords, machine_.bus);
    }
    [[nodiscard]] translation walk(root_place root, u64 va) const override {
        return ver2_mmu(machine_.bus, machine_.where.device_bus, machine_.where.system_bus,
                        machine_.where.segment_first + root.offset)
            .walk(va);
    }
    [[nodiscard]] translation_cache& cache() override { return cache_; }
    void set_paging_root(root_place root) override { root_ = root; }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) override {
        translation const t = walk(root_, machine_.where.aperture_virtual + index * page_bytes);
        return t.ok() ? std::optional((t.bus - machine_.where.system_bus) / page_bytes) : std::nullopt;
    }

    void forget_aperture() override { cache_.flush_all(); }
    void expect_notice() override { engine_.host().dirty_flushes = engine_.host().system_drops = full_drops_ = 0; }
    /// One line written back, one dropped, all translations gone: exactly once for a notice.
    [[nodiscard]] std::string caches_emptied() {
        nvidia_host& host = engine_.host();
        bool const once = host.dirty_flushes == 1 && host.system_drops == 1 && full_drops_ == 1;
        return once ? "" : "the caches were not emptied once";
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

protected:
    // The hardware's own memory, from the segment's reserve on.
    static constexpr u64 scratch_at = 0;
    static constexpr u64 semaphore_at = 0x1000;
    static constexpr u64 image_at = 0x2000;
    static constexpr u64 stream_at = 0x1'0000;

    [[nodiscard]] u64 own_virtual(u64 at) const {
        return machine_.where.local_virtual + machine_.where.reserve_first() + at;
    }
    [[nodiscard]] u64 own_bus(u64 at) const { return machine_.where.device_bus + machine_.where.reserve_first() + at; }
    [[nodiscard]] bool sees(paging_operation) const { return true; }

    machine& machine_;
    translation_cache cache_;
    nvidia_copy_engine engine_;
    root_place root_;
    u64 full_drops_ = 0;
};

}  // namespace sequences

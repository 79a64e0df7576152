// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "walking_rig.hpp"

#include <hardware/nvidia_ampere/copy_engine.hpp>
#include <hardware/nvidia_ampere/mmu_walker.hpp>
#include <hardware/nvidia_ampere_virtual.hpp>

/// NVIDIA Ampere: copy-engine methods. Video memory begins with the adapter's own part, which holds the aperture's
/// entries and the driver's own byte.
namespace wddmcore::examples {

namespace nvidia_rigs {

namespace {

[[nodiscard]] nvidia::windows nvidia_windows(own_memory& own, u64 memory_bytes) {
    return {.video_segment = {memory_segment},
            .video = {{memory_base}, {memory_bytes}},
            .video_first = own_memory::size,
            .aperture_segment = {aperture_segment},
            .aperture = {{aperture_base}, {aperture_bytes}},
            .aperture_virtual = aperture_base,
            .aperture_table = own.words(own_memory::aperture_table),
            .aperture_table_address = own_memory::aperture_table,
            .scratch = own_memory::scratch};
}

/// An entry as the GPU reads it: frame in [53:8]; 2 in [2:1] is coherent system memory (the public MMU format).
void read_aperture(testing::vidmm_options& o, own_memory& own) {
    o.page_of = [&own](u64 index) {
        return (own.word(own_memory::aperture_table + index * 8) >> 8) & 0x3FFF'FFFF'FFFF;
    };
    o.coherent_of = [&own](u64 index) { return (own.word(own_memory::aperture_table + index * 8) >> 1 & 3) == 2; };
}

template <class Hw>
class nvidia_rig final : public rig {
public:
    explicit nvidia_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) { hw_.at = nvidia_windows(own_, memory_bytes); }
    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<Hw>::table(hw_); }
    [[nodiscard]] testing::engine& engine() override { return engine_; }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o = options_of<Hw>(memory_bytes_);
        read_aperture(o, own_);
        return o;
    }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<Hw>.n); }

private:
    own_memory own_;
    testing::nvidia_copy_engine copies_{{.video = own_memory::base, .system = system_base, .walk = {}}};
    gart_engine engine_{copies_, own_memory::base, own_.all()};
    Hw hw_{};
    u64 memory_bytes_;
};

/// Paging buffers by their CPU addresses: in which of them a command is, and where. Recording one is very cheap,
/// because it is part of what is measured.
class seen_buffers {
public:
    void note(std::uintptr_t start, u64 size) {
        if (newest().start != start || newest().size != size) {
            all_[++noted_ % all_.size()] = {start, size};
        }
    }
    /// The offset in bytes from the start of its buffer, which is the newest one at that address.
    [[nodiscard]] u64 offset_of(std::uintptr_t command) const {
        for (std::size_t age = 0; age != all_.size(); ++age) {
            buffer const& b = all_[(noted_ - age) % all_.size()];
            if (command >= b.start && command - b.start < b.size) {
                return command - b.start;
            }
        }
        return 0;
    }

private:
    struct buffer {
        std::uintptr_t start = 0;
        u64 size = 0;
    };
    [[nodiscard]] buffer const& newest() const { return all_[noted_ % all_.size()]; }

    std::vector<buffer> all_ = std::vector<buffer>(1024);
    std::size_t noted_ = 0;
};

/// With page tables of format VER2: five levels, tables in system memory and in video memory.
///
/// The entries of an update are in the stream, and the engine copies them from there: it sees the paging buffer in the
/// adapter's own memory, where the driver has a window for it.
class nvidia_walking_rig final : public walking_rig {
    static constexpr capabilities claims =
        nvidia::every_promise(wddm::v3_2, nvidia::every_mode, paging_addresses::both);

public:
    using told_pages = std::map<std::pair<void*, u64>, testing::vidmm_location>;

    struct hardware : nvidia::ampere_virtual<claims> {
        seen_buffers* buffers = nullptr;
        told_pages* pages = nullptr;

        /// The example only counts pages; this driver remembers each.
        void notify_residency_range(hw::residency_range const& range) const {
            nvidia::ampere_virtual<claims>::notify_residency_range(range);
            for (u64 i = 0; i != range.page_count; ++i) {
                std::pair<void*, u64> const page{range.allocation, range.first_page + i};
                if (range.resident) {
                    (*pages)[page] = {range.segment.n, range.offset.n + i * page_bytes};
                } else {
                    pages->erase(page);
                }
            }
        }

        template <class Arguments>
        void begins(Arguments const& args) {
            auto const first = reinterpret_cast<std::uintptr_t>(args.pDmaBuffer);
            if (first != 0) {
                buffers->note(first - args.DmaBufferWriteOffset, u64{args.DmaBufferWriteOffset} + args.DmaSize);
                stream = {
                    static_cast<u32 const*>(args.pDmaBuffer),
                    {own_memory::address(own_memory::stream) + args.DmaBufferWriteOffset, nvidia::target::gpu_virtual}};
            }
        }
    };

    explicit nvidia_walking_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        copies_.host().on_invalidate = [this](testing::nvidia_invalidation const& i) {
            i.all ? cache_.flush_all() : cache_.flush((i.aperture == 0 ? own_memory::base : system_base) + i.root);
        };
        hw_.buffers = &buffers_;
        hw_.pages = &pages_;
        hw_.at = nvidia_windows(own_, memory_bytes);
        hw_.semaphore = semaphore_virtual;
        hw_.fences = fences_.data();
        hw_.fence_count = fence_count;
        for (u32 i = 0; i != fence_count; ++i) {
            fences_[i].handle = &fence_handles_[i];
        }
        hw_.context_image = {context_bytes};
        hw_.context_source = own_memory::image;
        write_image(own_.all().subspan(own_memory::image, context_bytes));
    }

    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<hardware>::table(hw_); }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<hardware>.n); }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o =
            walking_options<hardware>(memory_bytes_, {0, memory_segment, 0, memory_segment, memory_segment}, 0x8);
        read_aperture(o, own_);
        o.contexts.initial = write_image;
        update_contexts<nvidia::context_item, u64>(o.contexts);
        o.handle_of = [this](u32 number) -> void* { return &allocations_[number % allocations_.size()]; };
        o.notices.residency_of = [](void* allocation) {
            auto const& known = *static_cast<nvidia::allocation const*>(allocation);
            return known.resident ? std::optional(testing::vidmm_location{known.segment.n, known.offset.n})
                                  : std::nullopt;
        };
        o.notices.page_residency_of = [this](void* allocation, u64 page) {
            auto const found = pages_.find({allocation, page});
            return found == pages_.end() ? std::nullopt : std::optional(found->second);
        };
        o.notices.fence_value_of = [this](void* fence, u32 which) {
            auto const& known = fences_[static_cast<std::size_t>(static_cast<int*>(fence) - fence_handles_.data())];
            hw::fence_value_place const& place = which == 0 ? known.current : known.monitored;
            return std::optional(testing::vidmm_location{place.segment.n, place.offset.n});
        };
        return o;
    }

protected:
    [[nodiscard]] testing::translation walk(u64 root, u64 va) override {
        return testing::ver2_mmu(memory(), own_memory::base, system_base, root - own_memory::base).walk(va);
    }
    [[nodiscard]] testing::execution run(std::uint32_t const* commands, std::size_t dwords,
                                         testing::gpu_bus& bus) override {
        u64 const offset = buffers_.offset_of(reinterpret_cast<std::uintptr_t>(commands));
        std::memcpy(own_.all().data() + own_memory::stream + offset, commands, dwords * 4);
        return copies_.execute(commands, dwords, bus);
    }
    void executed() override {
        if (std::exchange(copies_.host().dirty_flushes, 0) != 0) {
            write_back([](cached_word const&) { return true; });
        }
    }

private:
    /// The host's semaphore has addresses of 40 bits, so the driver maps the semaphore at such an address too.
    static constexpr u64 semaphore_virtual = page_bytes;
    [[nodiscard]] static u64 place_of(u64 va) {
        bool const is_semaphore = va / page_bytes == semaphore_virtual / page_bytes;
        return is_semaphore ? own_memory::address(own_memory::semaphore) + va % page_bytes : va;
    }

    testing::nvidia_copy_engine copies_{
        {.video = own_memory::base, .system = system_base, .walk = [this](u64 va) { return reach(place_of(va)); }}};
    seen_buffers buffers_;
    told_pages pages_;
    std::array<nvidia::native_fence, fence_count> fences_{};
    std::vector<nvidia::allocation> allocations_ = std::vector<nvidia::allocation>(1024);
    hardware hw_{};
    u64 memory_bytes_;
};

std::unique_ptr<rig> make(std::string const& kind, std::uint64_t memory_bytes) {
    if (kind.empty()) {
        return std::make_unique<nvidia_rig<nvidia::ampere<>>>(memory_bytes);
    }
    if (kind == "_virtual") {
        return std::make_unique<nvidia_rig<nvidia::ampere<nvidia::virtual_paging>>>(memory_bytes);
    }
    return std::make_unique<nvidia_walking_rig>(memory_bytes);
}

registered_hardware const registered{2, "nvidia_ampere", make};

}  // namespace

}  // namespace nvidia_rigs

}  // namespace wddmcore::examples

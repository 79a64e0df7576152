// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "listed_rig.hpp"

#include <hardware/amd_gfx10/gpuvm_walker.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <hardware/amd_gfx10_virtual.hpp>

/// AMD gfx10: SDMA packets, and a GART whose entries lie in memory that the GPU can reach.
namespace wddmcore::examples {

namespace amd_rigs {

namespace {

[[nodiscard]] amd::windows amd_windows(own_memory& own, u64 memory_bytes) {
    return {.gart_segment = {aperture_segment},
            .gart = {{aperture_base}, {aperture_bytes}},
            .vram_segment = {memory_segment},
            .vram = {{memory_base}, {memory_bytes}},
            .system_base = system_base,
            .gart_table = own.words(own_memory::aperture_table),
            .gart_table_address = own_memory::address(own_memory::aperture_table)};
}

/// An entry as the GPU reads it: frame in [47:12], snooped in bit 2 (the public GPUVM format).
[[nodiscard]] constexpr u64 frame_of(u64 entry) { return (entry >> 12) & 0xF'FFFF'FFFF; }

void read_aperture(testing::vidmm_options& o, own_memory& own) {
    o.page_of = [&own](u64 index) { return frame_of(own.word(own_memory::aperture_table + index * 8)); };
    o.coherent_of = [&own](u64 index) { return (own.word(own_memory::aperture_table + index * 8) & 4) != 0; };
}

template <class Hw>
class amd_rig final : public rig {
public:
    explicit amd_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) { hw_.at = amd_windows(own_, memory_bytes); }
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
    testing::amd_sdma_engine sdma_;
    gart_engine engine_{sdma_, own_memory::base, own_.all()};
    Hw hw_{};
    u64 memory_bytes_;
};

/// With GPUVM page tables: four levels, tables in system memory and in the memory segment.
class amd_walking_rig final : public listed_rig {
public:
    using hardware = amd::gfx10_virtual<amd::whole_memory>;

    explicit amd_walking_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        sdma_.translate_by([this](u64 va) { return reach(va); });
        hw_.at = amd_windows(own_, memory_bytes);
        hw_.vram_in_entries = own_memory::size;
        hw_.invalidation = {request_register, acknowledge_register, request, vmids,
                            own_memory::address(own_memory::scratch)};
        hw_.flat = {mmu_id,
                    own_memory::address(own_memory::mmu_table),
                    {mmu_request_register, mmu_acknowledge_register, request, vmids,
                     own_memory::address(own_memory::scratch) + 0x100}};
        hw_.images = &image_;
        hw_.image_count = 1;
        for (u32 i = 0; i != list_count; ++i) {
            lists_.push_back({&handles_[i], own_memory::address(list_at(i)), list_pages});
        }
        hw_.lists = lists_.data();
        hw_.list_count = list_count;
        for (u32 i = 0; i != fence_count; ++i) {
            records_.push_back({&fence_handles_[i], own_memory::address(fence_at(i))});
        }
        hw_.records = records_.data();
        hw_.record_count = fence_count;
    }

    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<hardware>::table(hw_); }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<hardware>.n); }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o =
            walking_options<hardware>(memory_bytes_, {0, memory_segment, 0, memory_segment}, 0x8);
        read_aperture(o, own_);
        observe(o, memory_base);
        o.contexts.initial = write_image;
        update_contexts<amd::context_word, u32>(o.contexts);
        o.notices.monitored_fence_bytes = static_cast<u32>(hardware::fence_bytes.n);
        o.notices.mmus = {mmu_id};
        o.notices.mmu_base = 0;
        o.notices.mmu_bytes = mmu_bytes;
        o.notices.mmu_page_of = [this](u32, u64 va) {
            u64 const entry = own_.word(own_memory::mmu_table + va / page_bytes * 8);
            return (entry & 1) != 0 ? std::optional(frame_of(entry)) : std::nullopt;
        };
        return o;
    }

protected:
    [[nodiscard]] testing::translation walk(u64 root, u64 va) override {
        return testing::gpuvm(memory(), own_memory::base, system_base, root).walk(va);
    }
    [[nodiscard]] testing::execution run(std::uint32_t const* commands, std::size_t dwords,
                                         testing::gpu_bus& bus) override {
        return sdma_.execute(commands, dwords, bus);
    }
    void executed() override {
        if (sdma_.cache_requests() != cache_requests_) {
            cache_requests_ = sdma_.cache_requests();
            write_back([](cached_word const&) { return true; });
        }
    }

private:
    // One invalidation engine of the hub, as the driver knows it: a request register, and a bit for each VMID that is
    // done.
    static constexpr u32 request_register = 0x2894;
    static constexpr u32 acknowledge_register = 0x28A6;
    static constexpr u32 request = 0x00F8'00FE;
    static constexpr u32 vmids = 0xFE;
    // And one of the hub whose flat table operations 19 and 20 write; here that hub caches nothing.
    static constexpr u32 mmu_request_register = 0x1A94;
    static constexpr u32 mmu_acknowledge_register = 0x1AA6;

    [[nodiscard]] bool write_register(u32 index, u32 value) {
        if (index == mmu_request_register && value == request) {
            return true;
        }
        if (index != request_register || value != request) {
            return false;
        }
        cache_.flush_all();
        acknowledged_ = vmids;
        return true;
    }

    testing::amd_sdma_engine sdma_{[this](u32 index, u32 value) { return write_register(index, value); },
                                   [this](u32 index) {
                                       return index == acknowledge_register       ? std::optional(acknowledged_)
                                              : index == mmu_acknowledge_register ? std::optional(vmids)
                                                                                  : std::nullopt;
                                   }};
    u32 acknowledged_ = 0;
    u64 cache_requests_ = 0;
    std::vector<u32> words_of_image_ = context_words();
    amd::context_image image_{&context_, words_of_image_.data(), static_cast<u32>(words_of_image_.size())};
    std::vector<amd::page_list> lists_;
    std::vector<amd::fence_record> records_;
    hardware hw_{};
    u64 memory_bytes_;
};

std::unique_ptr<rig> make(std::string const& kind, std::uint64_t memory_bytes) {
    if (kind.empty()) {
        return std::make_unique<amd_rig<amd::gfx10<>>>(memory_bytes);
    }
    if (kind == "_virtual") {
        return std::make_unique<amd_rig<amd::gfx10<amd::virtual_paging>>>(memory_bytes);
    }
    return std::make_unique<amd_walking_rig>(memory_bytes);
}

registered_hardware const registered{1, "amd_gfx10", make};

}  // namespace

}  // namespace amd_rigs

}  // namespace wddmcore::examples

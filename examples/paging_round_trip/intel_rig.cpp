// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "listed_rig.hpp"

#include <hardware/intel_xe/blitter.hpp>
#include <hardware/intel_xe/ppgtt_walker.hpp>
#include <hardware/intel_xe_virtual.hpp>

/// Intel Xe2: blitter commands, which have only virtual addresses. In the paging context every place has its own
/// address, mapped one to one.
namespace wddmcore::examples {

namespace intel_rigs {

namespace {

constexpr u32 mocs = 5;
constexpr u32 coherent_pat = 0b10110;
constexpr u32 noncoherent_pat = 0b01001;

[[nodiscard]] intel::windows intel_windows(own_memory& own, u64 memory_bytes) {
    return {.local_segment = {memory_segment},
            .local = {{memory_base}, {memory_bytes}},
            .local_virtual = memory_base,
            .aperture_segment = {aperture_segment},
            .aperture = {{aperture_base}, {aperture_bytes}},
            .aperture_virtual = aperture_base,
            .system_virtual = system_base,
            .aperture_table = own.words(own_memory::aperture_table),
            .aperture_table_virtual = own_memory::address(own_memory::aperture_table),
            .scratch_virtual = own_memory::address(own_memory::scratch),
            .mocs = mocs,
            .coherent_pat = coherent_pat,
            .noncoherent_pat = noncoherent_pat};
}

/// An entry as the GPU reads it: frame in [45:12]; the caching policy in b3, b4, b7, b62, b61 (the public PPGTT format).
[[nodiscard]] constexpr u64 frame_of(u64 entry) { return (entry >> 12) & 0x3'FFFF'FFFF; }
[[nodiscard]] constexpr u64 policy_of(u64 entry) {
    auto const bit = [entry](u32 n) { return entry >> n & 1; };
    return bit(3) | bit(4) << 1 | bit(7) << 2 | bit(62) << 3 | bit(61) << 4;
}

void read_aperture(testing::vidmm_options& o, own_memory& own) {
    o.page_of = [&own](u64 index) { return frame_of(own.word(own_memory::aperture_table + index * 8)); };
    o.coherent_of = [&own](u64 index) {
        return policy_of(own.word(own_memory::aperture_table + index * 8)) == coherent_pat;
    };
}

template <class Hw>
class intel_rig final : public rig {
public:
    explicit intel_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) { hw_.at = intel_windows(own_, memory_bytes); }
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
    testing::xe_blitter blitter_{mocs};
    gart_engine engine_{blitter_, own_memory::base, own_.all()};
    Hw hw_{};
    u64 memory_bytes_;
};

/// With PPGTT page tables: four levels, all in the memory segment, because directories name nothing else.
class intel_walking_rig final : public listed_rig {
public:
    using hardware = intel::xe_virtual<intel::whole_memory>;

    explicit intel_walking_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        blitter_.on_forget([this] {
            cache_.flush_all();
            emptied_ = true;
        });
        hw_.at = intel_windows(own_, memory_bytes);
        hw_.policies = {own_memory::size, 0, coherent_pat, noncoherent_pat};
        hw_.images = &image_;
        hw_.image_count = 1;
        for (u32 i = 0; i != list_count; ++i) {
            lists_.push_back({&handles_[i], own_.words(list_at(i)), list_pages});
        }
        hw_.lists = lists_.data();
        hw_.list_count = list_count;
        for (u32 i = 0; i != fence_count; ++i) {
            records_.push_back({&fence_handles_[i], own_memory::address(fence_at(i))});
        }
        hw_.records = records_.data();
        hw_.record_count = fence_count;
        hw_.global = {mmu_id, own_.words(own_memory::mmu_table), 1, nullptr};
    }

    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<hardware>::table(hw_); }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<hardware>.n); }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o = walking_options<hardware>(memory_bytes_, std::vector<u32>(4, memory_segment), 0x8);
        read_aperture(o, own_);
        observe(o, own_memory::size);
        o.contexts.initial = write_image;
        update_contexts<intel::context_word, u32>(o.contexts);
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
        return testing::ppgtt(memory(), own_memory::base, system_base, root - own_memory::base, coherent_pat).walk(va);
    }
    [[nodiscard]] testing::execution run(std::uint32_t const* commands, std::size_t dwords,
                                         testing::gpu_bus& bus) override {
        return blitter_.execute(commands, dwords, bus);
    }
    // A flush that also drops translations completes everything in progress, so nothing is left in the caches.
    void executed() override {
        if (std::exchange(emptied_, false)) {
            write_back([](cached_word const&) { return true; });
        }
    }

private:
    testing::xe_blitter blitter_{mocs, [this](u64 va) { return reach(va); }};
    bool emptied_ = false;
    std::vector<u32> words_of_image_ = context_words();
    intel::context_image image_{&context_, words_of_image_.data(), static_cast<u32>(words_of_image_.size())};
    std::vector<intel::page_list> lists_;
    std::vector<intel::fence_record> records_;
    hardware hw_{};
    u64 memory_bytes_;
};

std::unique_ptr<rig> make(std::string const& kind, std::uint64_t memory_bytes) {
    if (kind.empty()) {
        return std::make_unique<intel_rig<intel::xe<>>>(memory_bytes);
    }
    if (kind == "_virtual") {
        return std::make_unique<intel_rig<intel::xe<intel::virtual_paging>>>(memory_bytes);
    }
    return std::make_unique<intel_walking_rig>(memory_bytes);
}

registered_hardware const registered{3, "intel_xe", make};

}  // namespace

}  // namespace intel_rigs

}  // namespace wddmcore::examples

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rigs.hpp"

#include "adapter.hpp"
#include "gart_bus.hpp"

#include <hardware/amd_gfx10.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <hardware/cpu.hpp>
#include <hardware/cpu/cpu_engine.hpp>
#include <hardware/nvidia_ampere.hpp>
#include <hardware/nvidia_ampere/copy_engine.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>

#include <span>

namespace wddmcore::examples {

namespace {

constexpr u64 aperture_base = 0x7F'0000'0000;
constexpr u64 memory_base = 0x80'0000'0000;
constexpr u64 system_base = 0x100'0000'0000;  // system page 0, far above the segments
constexpr u64 entry_count = aperture_bytes / page_bytes;

// The structures of the version that each kind of paging declares.
template <class Hw, bool Virtual>
struct driver_of;
template <class Hw>
struct driver_of<Hw, false>
    : paging_driver<Hw, mirror::v1_3::dxgkarg_buildpagingbuffer, mirror::v1_3::dxgkarg_patch,
                    mirror::v1_3::dxgkarg_submitcommand, mirror::v2_0::dxgkarg_submitcommandvirtual> {};
template <class Hw>
struct driver_of<Hw, true>
    : paging_driver<Hw, mirror::v2_9::dxgkarg_buildpagingbuffer, mirror::v2_9::dxgkarg_patch,
                    mirror::v2_9::dxgkarg_submitcommand, mirror::v2_9::dxgkarg_submitcommandvirtual> {};

template <class Hw>
constexpr bool is_virtual = contains(Hw::caps.addresses, paging_addresses::gpu_virtual);

template <class Hw>
[[nodiscard]] testing::vidmm_options options_of(u64 memory_bytes) {
    testing::vidmm_options options;
    options.addressing = is_virtual<Hw> ? testing::vidmm_addressing::gpu_virtual : testing::vidmm_addressing::physical;
    options.aperture = is_virtual<Hw> ? testing::vidmm_aperture::adl : testing::vidmm_aperture::mdl;
    options.segments = {{.id = aperture_segment,
                         .base = aperture_base,
                         .size = aperture_bytes,
                         .aperture = true,
                         .cache_coherent = true},
                        {.id = memory_segment, .base = memory_base, .size = memory_bytes}};
    options.system_base = system_base;
    options.alternate_addresses = may_be_yes(Hw::caps.alternate_address_lock);
    options.command_alignment = static_cast<u32>(to_bytes(Hw::unit_dwords).n);
    options.smallest_paging_buffer = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    return options;
}

/// The reference processor: records that a CPU carries out.
template <class Hw>
class cpu_rig final : public rig {
public:
    explicit cpu_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        hw_.segments[aperture_segment - 1] = {{{aperture_base}, {aperture_bytes}}, true};
        hw_.segments[memory_segment - 1] = {{{memory_base}, {memory_bytes}}, false};
        hw_.system_base = system_base;
        hw_.entries = entries_.data();
    }
    wddmcore_driver_table table() override { return driver_of<Hw, is_virtual<Hw>>::table(hw_); }
    testing::engine& engine() override { return engine_; }
    testing::vidmm_options options() override {
        testing::vidmm_options o = options_of<Hw>(memory_bytes_);
        o.page_of = [this](u64 index) { return engine_.page_of(aperture_segment, index).value_or(0); };
        o.coherent_of = [this](u64 index) { return engine_.coherent_of(aperture_segment, index).value_or(false); };
        return o;
    }
    u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<Hw>.n); }

private:
    std::vector<cpu::aperture_entry> entries_ = std::vector<cpu::aperture_entry>(entry_count);
    testing::cpu_engine engine_{{{aperture_segment, std::as_writable_bytes(std::span(entries_))}}};
    Hw hw_{};
    u64 memory_bytes_;
};

/// AMD gfx10: SDMA packets, and a GART whose entries lie in memory that the GPU reaches.
template <class Hw>
class amd_rig final : public rig {
public:
    explicit amd_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        hw_.at = {.gart_segment = {aperture_segment},
                  .gart = {{aperture_base}, {aperture_bytes}},
                  .vram_segment = {memory_segment},
                  .vram = {{memory_base}, {memory_bytes}},
                  .system_base = system_base,
                  .gart_table = entries_.data(),
                  .gart_table_address = gart_address};
    }
    wddmcore_driver_table table() override { return driver_of<Hw, is_virtual<Hw>>::table(hw_); }
    testing::engine& engine() override { return engine_; }
    testing::vidmm_options options() override {
        testing::vidmm_options o = options_of<Hw>(memory_bytes_);
        // An entry as the GPU reads it: frame in [47:12], snooped in bit 2 (the public GPUVM format).
        o.page_of = [this](u64 index) { return (entries_[index] >> 12) & 0xF'FFFF'FFFF; };
        o.coherent_of = [this](u64 index) { return (entries_[index] & 4) != 0; };
        return o;
    }
    u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<Hw>.n); }

private:
    static constexpr u64 gart_address = 0x7E'0000'0000;
    std::vector<u64> entries_ = std::vector<u64>(entry_count);
    testing::amd_sdma_engine sdma_;
    gart_engine engine_{sdma_, gart_address, std::as_writable_bytes(std::span(entries_))};
    Hw hw_{};
    u64 memory_bytes_;
};

/// NVIDIA Ampere: copy-engine methods. Physical addresses of video memory are those of the bus here; the aperture's
/// entries lie in a part of it that belongs to no segment, the driver's own byte behind them.
template <class Hw>
class nvidia_rig final : public rig {
public:
    explicit nvidia_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        hw_.at = {.video_segment = {memory_segment},
                  .video = {{memory_base}, {memory_bytes}},
                  .video_first = memory_base,
                  .aperture_segment = {aperture_segment},
                  .aperture = {{aperture_base}, {aperture_bytes}},
                  .aperture_virtual = aperture_base,
                  .aperture_table = table_.data(),
                  .aperture_table_address = table_address,
                  .scratch = table_address + entry_count * 8};
    }
    wddmcore_driver_table table() override { return driver_of<Hw, is_virtual<Hw>>::table(hw_); }
    testing::engine& engine() override { return engine_; }
    testing::vidmm_options options() override {
        testing::vidmm_options o = options_of<Hw>(memory_bytes_);
        // An entry as the GPU reads it: frame in [53:8]; 2 in [2:1] is coherent system memory (the public MMU format).
        o.page_of = [this](u64 index) { return (table_[index] >> 8) & 0x3FFF'FFFF'FFFF; };
        o.coherent_of = [this](u64 index) { return (table_[index] >> 1 & 3) == 2; };
        return o;
    }
    u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<Hw>.n); }

private:
    static constexpr u64 table_address = 0x7E'0000'0000;
    std::vector<u64> table_ = std::vector<u64>(entry_count + 1);
    testing::nvidia_copy_engine copies_{{.video = 0, .system = system_base, .walk = {}}};
    gart_engine engine_{copies_, table_address, std::as_writable_bytes(std::span(table_))};
    Hw hw_{};
    u64 memory_bytes_;
};

}  // namespace

std::vector<std::string> rig_names() {
    return {"cpu", "cpu_virtual", "amd_gfx10", "amd_gfx10_virtual", "nvidia", "nvidia_virtual"};
}

std::unique_ptr<rig> make_rig(std::string const& name, std::uint64_t memory_bytes) {
    if (name == "cpu") {
        return std::make_unique<cpu_rig<cpu::processor<>>>(memory_bytes);
    }
    if (name == "cpu_virtual") {
        return std::make_unique<cpu_rig<cpu::processor<cpu::virtual_paging>>>(memory_bytes);
    }
    if (name == "amd_gfx10") {
        return std::make_unique<amd_rig<amd::gfx10<>>>(memory_bytes);
    }
    if (name == "amd_gfx10_virtual") {
        return std::make_unique<amd_rig<amd::gfx10<amd::virtual_paging>>>(memory_bytes);
    }
    if (name == "nvidia") {
        return std::make_unique<nvidia_rig<nvidia::ampere<>>>(memory_bytes);
    }
    return std::make_unique<nvidia_rig<nvidia::ampere<nvidia::virtual_paging>>>(memory_bytes);
}

}  // namespace wddmcore::examples

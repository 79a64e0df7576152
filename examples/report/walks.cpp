// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "walks.hpp"

#include <hardware/amd_gfx10/gpuvm_walker.hpp>
#include <hardware/intel_xe/ppgtt_walker.hpp>
#include <hardware/nvidia_ampere/mmu_walker.hpp>
#include <packets/amd_sdma.hpp>
#include <packets/cpu_records.hpp>
#include <packets/intel_blitter.hpp>
#include <packets/nvidia_copy.hpp>
#include <paging_round_trip/places.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>

#include <algorithm>
#include <cstring>

namespace wddmcore::examples::report {

namespace {

/// Remembers what a walker reads.
class read_bus final : public testing::gpu_bus {
public:
    struct entry {
        std::uint64_t address;
        std::uint64_t value;
    };
    explicit read_bus(gpu_bus& rest) : rest_(rest) {}

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        bool const there = rest_.read(address, to, size);
        entry e{address, 0};
        std::memcpy(&e.value, to, there ? std::min(size, sizeof e.value) : 0);
        entries.push_back(e);
        return there;
    }
    [[nodiscard]] bool write(std::uint64_t, void const*, std::size_t) override { return false; }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override { return rest_.at(address, size); }

    std::vector<entry> entries;

private:
    gpu_bus& rest_;
};

/// One level of a format, the root first.
struct level {
    char const* name;
    std::uint64_t high, low;  ///< the bits of an address that choose the entry
    std::uint64_t entry_bytes;
    std::span<packets::field const> fields;
    std::uint64_t offset = 0;  ///< of this half in the entry
};

constexpr level cpu_levels[] = {{"level 3, root", 47, 39, 8, packets::processor::directory},
                                {"level 2", 38, 30, 8, packets::processor::directory},
                                {"level 1", 29, 21, 8, packets::processor::directory},
                                {"level 0, page", 20, 12, 8, packets::processor::page}};
constexpr level amd_levels[] = {{"PDB2, root", 47, 39, 8, packets::sdma::directory},
                                {"PDB1", 38, 30, 8, packets::sdma::directory},
                                {"PDB0", 29, 21, 8, packets::sdma::directory},
                                {"PTB, page", 20, 12, 8, packets::sdma::page}};
constexpr level nvidia_levels[] = {{"PD3, root", 48, 47, 8, packets::copy_engine::directory},
                                   {"PD2", 46, 38, 8, packets::copy_engine::directory},
                                   {"PD1", 37, 29, 8, packets::copy_engine::directory},
                                   {"PD0, half for 64-KiB pages", 28, 21, 16, packets::copy_engine::big_half},
                                   {"PD0, half for 4-KiB pages", 28, 21, 16, packets::copy_engine::small_half, 8},
                                   {"PT, page of 4 KiB", 20, 12, 8, packets::copy_engine::page}};
constexpr level intel_levels[] = {{"PML4, root", 47, 39, 8, packets::blitter::directory},
                                  {"PDP", 38, 30, 8, packets::blitter::directory},
                                  {"PD", 29, 21, 8, packets::blitter::directory},
                                  {"PT, page", 20, 12, 8, packets::blitter::page}};

// The driver's caching policy for coherent memory, by which the walker tells what is coherent.
constexpr std::uint64_t coherent_policy = 0b10110;

[[nodiscard]] std::vector<std::uint64_t> used_entries(testing::gpu_bus& memory, std::uint64_t table,
                                                      std::uint64_t count, std::uint64_t bytes) {
    std::vector<std::uint64_t> used;
    for (std::uint64_t i = 0; i != count; ++i) {
        std::uint64_t halves[2] = {};
        if (memory.read(table + i * bytes, halves, static_cast<std::size_t>(bytes)) && (halves[0] | halves[1]) != 0) {
            used.push_back(i);
        }
    }
    return used;
}

}  // namespace

walk look_up(std::string const& hardware, testing::gpu_bus& memory, std::uint32_t segment, std::uint64_t offset,
             std::uint64_t va) {
    walk found{va, segment, offset, {}, 0, 0, false};
    std::uint64_t const root = (segment == 0 ? system_base : memory_base) + offset;
    read_bus reads(memory);
    testing::translation end;
    std::span<level const> levels;
    if (hardware == "cpu") {
        levels = cpu_levels;
        end = testing::cpu_page_walker(reads, root).walk(va);
    } else if (hardware == "amd_gfx10") {
        levels = amd_levels;
        end = testing::gpuvm(reads, own_memory::base, system_base, root).walk(va);
    } else if (hardware == "nvidia_ampere") {
        levels = nvidia_levels;
        end = testing::ver2_mmu(reads, own_memory::base, system_base, root - own_memory::base).walk(va);
    } else {
        levels = intel_levels;
        end = testing::ppgtt(reads, own_memory::base, system_base, root - own_memory::base, coherent_policy).walk(va);
    }
    // What a walker reads beyond its levels are other entries of the same run of pages.
    for (std::size_t i = 0; i != std::min(levels.size(), reads.entries.size()); ++i) {
        level const& l = levels[i];
        std::uint64_t const count = std::uint64_t{1} << (l.high - l.low + 1);
        std::uint64_t const index = va >> l.low & (count - 1);
        std::uint64_t const table = reads.entries[i].address - l.offset - index * l.entry_bytes;
        found.steps.push_back({l.name, table, index, count, used_entries(memory, table, count, l.entry_bytes), l.high,
                               l.low, reads.entries[i].value, l.fields});
    }
    found.leads_to = end.bus;
    found.bytes = end.bytes;
    found.writable = end.writable;
    return found;
}

}  // namespace wddmcore::examples::report

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sdma_words.hpp"

#include <wddmcore/testing/walking_bus.hpp>

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page-table walker for AMD GPUVM as gfx10 has it: PDB2, PDB1, PDB0, PTB of 512 entries each, written from the public
/// driver's definitions alone.
///
/// Stricter than the hardware: a bit that has no use there must be 0, and the fragment field of a page must be true:
/// all pages of the run that it promises are there, consecutive and alike.
class gpuvm {
public:
    /// @param device, system  where on the bus address 0 of the device's memory and of system memory lies
    /// @param root            address of the root table, bus address
    /// @param levels          4; 3 without PDB2, which gfx9 can be configured for
    gpuvm(gpu_bus& memory, std::uint64_t device, std::uint64_t system, std::uint64_t root, unsigned levels = 4)
        : memory_(memory), device_(device), system_(system), root_(root), bits_(levels == 3 ? 39 : 48) {}

    [[nodiscard]] translation walk(std::uint64_t va) const {
        if (va >> bits_ != 0) {
            return no_translation(sdma::hex(va) + " has more than " + std::to_string(bits_) + " bits");
        }
        std::uint64_t table = root_;
        for (unsigned const shift : {39u, 30u, 21u}) {
            if (shift == bits_) {
                continue;
            }
            std::string const name = "the directory entry for bits from " + std::to_string(shift) + " on";
            std::uint64_t entry = 0;
            if (!load(table, va >> shift, entry)) {
                return no_translation(name + " is not in memory");
            }
            if ((entry & leaf_of_directory) != 0) {
                return shift == 39 ? no_translation(name + " is a page of 512 GiB") : page(va, entry, shift, name);
            }
            if ((entry & valid) == 0) {
                return no_translation(name + (entry == 0 ? " is not valid" : " is not valid but not 0"));
            }
            // SNOOPED of a directory is how its table is read; the upper five bits are the block's fragment size.
            if (std::uint64_t const stray = entry & ~(valid | in_system | snooped | address_bits | block_size);
                stray != 0) {
                return no_translation(name + " has stray bits " + sdma::hex(stray));
            }
            table = ((entry & in_system) != 0 ? system_ : device_) + (entry & address_bits);
        }
        std::uint64_t entry = 0;
        if (!load(table, va >> 12, entry)) {
            return no_translation("a page table is not in memory");
        }
        if (std::string const why = untrue_fragment(table, va >> 12, entry); !why.empty()) {
            return no_translation(why);
        }
        return page(va, entry, 12, "a 4-KiB page");
    }

private:
    static constexpr std::uint64_t valid = 1;
    static constexpr std::uint64_t in_system = 1u << 1;
    static constexpr std::uint64_t snooped = 1u << 2;
    static constexpr std::uint64_t executable = 1u << 4;
    static constexpr std::uint64_t readable = 1u << 5;
    static constexpr std::uint64_t writable = 1u << 6;
    static constexpr std::uint64_t fragment = std::uint64_t{31} << 7;
    static constexpr std::uint64_t address_bits = 0x0000'ffff'ffff'f000;
    static constexpr std::uint64_t memory_type = std::uint64_t{7} << 48;
    static constexpr std::uint64_t sparse = std::uint64_t{1} << 51;
    static constexpr std::uint64_t leaf_of_directory = std::uint64_t{1} << 54;
    static constexpr std::uint64_t block_size = std::uint64_t{31} << 59;

    [[nodiscard]] bool load(std::uint64_t table, std::uint64_t index, std::uint64_t& entry) const {
        return memory_.read(table + (index & 511) * 8, &entry, sizeof entry);
    }

    /// Whether the run of pages that a valid entry promises is not there; the sentence, or nothing.
    [[nodiscard]] std::string untrue_fragment(std::uint64_t table, std::uint64_t index, std::uint64_t entry) const {
        unsigned const lg2 = static_cast<unsigned>((entry & fragment) >> 7);
        if ((entry & valid) == 0 || lg2 == 0) {
            return {};
        }
        if (lg2 > 9) {
            return "a page of a run that leaves its table";
        }
        std::uint64_t const pages = std::uint64_t{1} << lg2;
        std::uint64_t const first = index & 511 & ~(pages - 1);
        std::uint64_t const start = entry - ((index & 511) - first) * 4096;
        if (((start & address_bits) >> 12) % pages != 0) {
            return "a run of " + std::to_string(pages) + " pages is not aligned to them";
        }
        for (std::uint64_t i = 0; i != pages; ++i) {
            std::uint64_t other = 0;
            if (!load(table, first + i, other) || other != start + i * 4096) {
                return "a run of " + std::to_string(pages) + " pages is broken after " + std::to_string(i);
            }
        }
        return {};
    }

    [[nodiscard]] translation page(std::uint64_t va, std::uint64_t entry, unsigned lg2, std::string const& name) const {
        if ((entry & valid) == 0) {
            return no_translation(name +
                                  ((entry & sparse) != 0 ? " is partially resident: reads as 0" : " is not valid"));
        }
        std::uint64_t const size = std::uint64_t{1} << lg2;
        std::uint64_t const known = valid | in_system | snooped | executable | readable | writable | fragment |
                                    address_bits | memory_type | (lg2 == 12 ? 0 : leaf_of_directory);
        if ((entry & ~known) != 0) {
            return no_translation(name + " has stray bits " + sdma::hex(entry & ~known));
        }
        std::uint64_t const type = (entry & memory_type) >> 48;
        if (type != 0 && type != 3) {
            return no_translation(name + " has memory type " + std::to_string(type));
        }
        if ((entry & snooped) != 0 && (entry & in_system) == 0) {
            return no_translation(name + " is snooped and not in system memory");
        }
        if ((entry & readable) == 0) {
            return no_translation(name + " may not be read");
        }
        std::uint64_t const address = entry & address_bits;
        if (address % size != 0) {
            return no_translation(name + " is at " + sdma::hex(address) + ", which is not aligned to its size");
        }
        translation found;
        found.bus = ((entry & in_system) != 0 ? system_ : device_) + address + va % size;
        found.bytes = size - va % size;
        found.writable = (entry & writable) != 0;
        found.coherent = (entry & snooped) != 0;
        found.executable = (entry & executable) != 0;
        return found;
    }

    gpu_bus& memory_;
    std::uint64_t device_;
    std::uint64_t system_;
    std::uint64_t root_;
    unsigned bits_;
};

}  // namespace wddmcore::testing

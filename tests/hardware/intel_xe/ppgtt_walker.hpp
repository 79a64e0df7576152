// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/piece_list.hpp>
#include <wddmcore/testing/walking_bus.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page-table walker for the per-process tables of Intel Xe2, written from the public driver's definitions alone.
///
/// Stricter than the hardware: a bit that has no use there must be 0, and the sixteen entries of a 64-KiB page must
/// agree.
class ppgtt {
public:
    /// @param device, system  where on the bus address 0 of the device's memory and of system memory lies
    /// @param root            address of the root table in the device's memory, where all tables are
    /// @param coherent_pat    the caching policy that means coherent
    ppgtt(gpu_bus& memory, std::uint64_t device, std::uint64_t system, std::uint64_t root, std::uint64_t coherent_pat)
        : memory_(memory), device_(device), system_(system), root_(root), coherent_pat_(coherent_pat) {}

    [[nodiscard]] translation walk(std::uint64_t va) const {
        if ((va >> 48) != 0) {
            return no_translation(pieces::hex(va) + " has more than 48 bits");
        }
        std::uint64_t table = root_;
        bool writable = true;
        for (unsigned shift : {39u, 30u, 21u}) {
            std::uint64_t const entry = load(table, va >> shift & 511);
            std::string const name = "the entry for bits from " + std::to_string(shift) + " on";
            if ((entry & present) == 0) {
                return no_translation(name + (entry == 0 ? " is not present" : " is not present but not 0"));
            }
            writable = writable && (entry & may_write) != 0;
            if ((entry & 1u << 7) != 0) {
                return shift == 39 ? no_translation(name + " is a page of 512 GiB")
                                   : page(va, entry, shift, 12, writable, name);
            }
            bool const compact = (entry & 1u << 6) != 0;
            std::uint64_t const stray = entry & ~(address_bits(12) | present | may_write | 1u << 6);
            if (stray != 0 || (compact && shift != 21)) {
                return no_translation(name + " has stray bits: " + pieces::hex(entry));
            }
            table = entry & address_bits(12);
            if (compact) {
                return page(va, load(table, va >> 16 & 31), 16, 7, writable, "a 64-KiB page of a compact table");
            }
        }
        return small_page(va, table, writable);
    }

private:
    static constexpr std::uint64_t present = 1;
    static constexpr std::uint64_t may_write = 2;
    static constexpr std::uint64_t sixty_four = 1u << 8;

    /// Address bits [45:low].
    [[nodiscard]] static std::uint64_t address_bits(unsigned low) {
        return (std::uint64_t{1} << 46) - (std::uint64_t{1} << low);
    }

    /// An entry; 0, not present, where there is no memory.
    [[nodiscard]] std::uint64_t load(std::uint64_t table, std::uint64_t index) const {
        std::uint64_t entry = 0;
        return memory_.read(device_ + table + index * 8, &entry, sizeof entry) ? entry : 0;
    }

    [[nodiscard]] translation small_page(std::uint64_t va, std::uint64_t table, bool writable) const {
        std::uint64_t const index = va >> 12 & 511;
        std::uint64_t const entry = load(table, index);
        if ((entry & sixty_four) == 0) {
            return page(va, entry, 12, 7, writable, "a 4-KiB page");
        }
        // The first of sixteen; the hardware may use any of them for the whole.
        std::uint64_t const first = load(table, index & ~std::uint64_t{15});
        for (std::uint64_t i = 0; i != 16; ++i) {
            if (load(table, (index & ~std::uint64_t{15}) + i) != first + (i << 12)) {
                return no_translation("the sixteen entries of a 64-KiB page differ at " + std::to_string(i));
            }
        }
        return page(va, first & ~sixty_four, 16, 7, writable, "a 64-KiB page of sixteen entries");
    }

    /// @param page_lg2  bits of an address inside the page
    /// @param pat2      where the third bit of the caching policy stands
    [[nodiscard]] translation page(std::uint64_t va, std::uint64_t entry, unsigned page_lg2, unsigned pat2,
                                   bool writable, std::string const& name) const {
        if ((entry & present) == 0) {
            return no_translation(name + " is not present");
        }
        if ((entry & 1u << 9) != 0) {
            return no_translation(name + " is null: reads as 0");
        }
        auto const bit = [entry](unsigned n) { return entry >> n & 1; };
        std::uint64_t const pat = bit(3) | bit(4) << 1 | bit(pat2) << 2 | bit(62) << 3 | bit(61) << 4;
        std::uint64_t known = address_bits(page_lg2) | present | may_write | 1u << 10 | 1u << 11 | 3u << 3 |
                              std::uint64_t{1} << pat2 | std::uint64_t{3} << 61;
        known |= pat2 == 12 ? 1u << 7 : 0u;  // the bit that makes a page of a directory's entry
        if ((entry & ~known) != 0) {
            return no_translation(name + " has stray bits: " + pieces::hex(entry & ~known));
        }
        std::uint64_t const size = std::uint64_t{1} << page_lg2;
        translation found;
        found.bus = (bit(11) != 0 ? device_ : system_) + (entry & address_bits(page_lg2)) + va % size;
        found.bytes = size - va % size;
        found.writable = writable && (entry & may_write) != 0;
        found.coherent = pat == coherent_pat_;
        return found;
    }

    gpu_bus& memory_;
    std::uint64_t device_;
    std::uint64_t system_;
    std::uint64_t root_;
    std::uint64_t coherent_pat_;
};

}  // namespace wddmcore::testing

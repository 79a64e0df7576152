// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../piece_list.hpp"
#include "../walking_bus.hpp"

#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page-table walker of the reference processor's GPU: four levels of 512 entries, 4-KiB pages, 2-MiB pages one level
/// up, written from the table in its documentation alone. Addresses in entries are those of the bus.
///
/// Stricter than a processor would be: a bit that has no use there must be 0.
class cpu_page_walker {
public:
    cpu_page_walker(gpu_bus& memory, std::uint64_t root) : memory_(memory), root_(root) {}

    [[nodiscard]] translation walk(std::uint64_t va) const {
        if (va >> 48 != 0) {
            return no_translation(pieces::hex(va) + " has more than 48 bits");
        }
        std::uint64_t table = root_;
        for (unsigned shift = 39;; shift -= 9) {
            std::string const name = "the entry for bits from " + std::to_string(shift) + " on";
            std::uint64_t entry = 0;
            if (!memory_.read(table + (va >> shift & 511) * 8, &entry, sizeof entry)) {
                return no_translation(name + " is not in memory");
            }
            if ((entry & valid) == 0) {
                return no_translation(name + (entry == 0 ? " is not valid" : " is not valid but not 0"));
            }
            if ((entry & data) != 0) {
                return shift > 21 ? no_translation(name + " is data") : page(va, entry, shift, name);
            }
            if ((entry & ~(address_bits | valid)) != 0 || shift == 12) {
                return no_translation(name + " leads to no table: " + pieces::hex(entry));
            }
            table = entry & address_bits;
        }
    }

private:
    static constexpr std::uint64_t valid = 1;
    static constexpr std::uint64_t read_only = 2;
    static constexpr std::uint64_t no_execute = 4;
    static constexpr std::uint64_t coherent = 8;
    static constexpr std::uint64_t zero = 16;
    static constexpr std::uint64_t data = 32;
    static constexpr std::uint64_t address_bits = 0x000F'FFFF'FFFF'F000;

    [[nodiscard]] static translation page(std::uint64_t va, std::uint64_t entry, unsigned lg2,
                                          std::string const& name) {
        std::uint64_t const known = valid | read_only | no_execute | coherent | zero | data | address_bits;
        std::uint64_t const size = std::uint64_t{1} << lg2;
        if ((entry & ~known) != 0) {
            return no_translation(name + " has stray bits: " + pieces::hex(entry & ~known));
        }
        if ((entry & zero) != 0) {
            return no_translation(name + ((entry & address_bits) == 0 ? " reads as zero" : " is zero with an address"));
        }
        if ((entry & address_bits) % size != 0) {
            return no_translation(name + " is not aligned to its size: " + pieces::hex(entry));
        }
        translation found;
        found.bus = (entry & address_bits) + va % size;
        found.bytes = size - va % size;
        found.writable = (entry & read_only) == 0;
        found.coherent = (entry & coherent) != 0;
        found.executable = (entry & no_execute) == 0;
        return found;
    }

    gpu_bus& memory_;
    std::uint64_t root_;
};

}  // namespace wddmcore::testing

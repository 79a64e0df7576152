// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/walking_bus.hpp>

#include <wddmcore/testing/piece_list.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page-table walker for MMU format VER2 (Pascal to Ampere), written from the vendor's public manual alone.
///
/// Stricter than the hardware: a bit that has no meaning there must be 0, compression and peers are refused.
class ver2_mmu {
public:
    /// @param video, system   where on the bus address 0 of video memory and of system memory lies
    /// @param root            address of the root table, in video memory
    ver2_mmu(gpu_bus& memory, std::uint64_t video, std::uint64_t system, std::uint64_t root)
        : memory_(memory), video_(video), system_(system), root_(video + root) {}

    /// Where a virtual address leads.
    [[nodiscard]] translation walk(std::uint64_t va) const {
        if (va >> 49 != 0) {
            return no_translation(pieces::hex(va) + " has more than 49 bits");
        }
        std::uint64_t table = root_;
        // Three plain directories: bits 48:47, 46:38, 37:29.
        constexpr std::array<std::array<unsigned, 2>, 3> directories{{{48, 47}, {46, 38}, {37, 29}}};
        for (auto const& [high, low] : directories) {
            std::uint64_t entry = 0;
            if (!load(table + bits(va, high, low) * 8, entry)) {
                return no_translation("a directory at " + pieces::hex(table) + " is not in memory");
            }
            std::string const why = follow(entry, 12, 8, table);
            if (!why.empty()) {
                return no_translation("directory for bits " + std::to_string(high) + ":" + std::to_string(low) + ": " +
                                      why);
            }
        }
        return walk_dual(va, table + bits(va, 28, 21) * 16);
    }

private:
    [[nodiscard]] static std::uint64_t bits(std::uint64_t word, unsigned high, unsigned low) {
        return word << (63 - high) >> (63 - high + low);
    }

    [[nodiscard]] bool load(std::uint64_t at, std::uint64_t& entry) const {
        return memory_.read(at, &entry, sizeof entry);
    }

    /// The table behind a directory entry, or half of a dual one; the empty string, or why there is none.
    /// @param shift, first  the address is the field from bit `first` on, times 2^shift
    [[nodiscard]] std::string follow(std::uint64_t entry, unsigned shift, unsigned first, std::uint64_t& table) const {
        if (bits(entry, 0, 0) != 0) {
            return "a page where a directory must be";
        }
        std::uint64_t const aperture = bits(entry, 2, 1);
        if (aperture == 0) {
            return entry == 0 ? "nothing there" : "aperture 0 with bits " + pieces::hex(entry);
        }
        bool const in_video = aperture == 1;
        std::uint64_t const address = bits(entry, in_video ? 32 : 53, first) << shift;
        // Bit 5 has another meaning too (no address translation services), so a big table's address must leave it, and
        // the bit below it, at 0.
        std::uint64_t const meant =
            (bits(entry, in_video ? 32 : 53, 8) << 8) | (entry & (first == 4 ? 0b1100'1110 : 0b0000'1110));
        if (entry != meant) {
            return "stray bits " + pieces::hex(entry ^ meant);
        }
        table = (in_video ? video_ : system_) + address;
        return {};
    }

    [[nodiscard]] translation walk_dual(std::uint64_t va, std::uint64_t at) const {
        std::uint64_t big = 0;
        std::uint64_t small = 0;
        if (!load(at, big) || !load(at + 8, small)) {
            return no_translation("a dual directory entry at " + pieces::hex(at) + " is not in memory");
        }
        if (bits(big, 0, 0) != 0) {
            return small == 0 ? leaf(va, big, 21) : no_translation("a 2-MiB page whose second half is not 0");
        }
        if (big != 0) {
            std::uint64_t table = 0;
            std::uint64_t entry = 0;
            if (std::string const why = follow(big, 8, 4, table); !why.empty()) {
                return no_translation("dual directory, 64-KiB half: " + why);
            }
            if (!load(table + bits(va, 20, 16) * 8, entry)) {
                return no_translation("a table of 64-KiB pages is not in memory");
            }
            if (bits(entry, 0, 0) != 0) {
                return leaf(va, entry, 16);
            }
            if (bits(entry, 3, 3) != 0) {
                return no_translation("a sparse 64-KiB page");
            }
            if (bits(entry, 5, 5) != 0) {
                return no_translation("a 64-KiB entry that hides the 4-KiB pages beneath it");
            }
        }
        std::uint64_t table = 0;
        std::uint64_t entry = 0;
        if (std::string const why = follow(small, 12, 8, table); !why.empty()) {
            return no_translation("dual directory, 4-KiB half: " + why);
        }
        if (!load(table + bits(va, 20, 12) * 8, entry)) {
            return no_translation("a table of 4-KiB pages is not in memory");
        }
        if (bits(entry, 0, 0) == 0) {
            return no_translation(bits(entry, 3, 3) != 0 ? "a sparse 4-KiB page" : "an invalid 4-KiB page");
        }
        return leaf(va, entry, 12);
    }

    [[nodiscard]] translation leaf(std::uint64_t va, std::uint64_t entry, unsigned page_bits) const {
        std::uint64_t const aperture = bits(entry, 2, 1);
        bool const in_video = aperture == 0;
        if (aperture == 1) {
            return no_translation("a page of a peer, which is not here");
        }
        if (bits(entry, 63, 56) != 0) {
            return no_translation("a page of kind " + std::to_string(bits(entry, 63, 56)) + ", not pitch");
        }
        if (bits(entry, 4, 4) != 0 || bits(entry, 55, in_video ? 33 : 54) != 0) {
            return no_translation("a page with stray bits: " + pieces::hex(entry));
        }
        std::uint64_t const page = bits(entry, in_video ? 32 : 53, 8) << 12;
        std::uint64_t const size = std::uint64_t{1} << page_bits;
        if (page % size != 0) {
            return no_translation("a page of " + std::to_string(size) + " bytes at " + pieces::hex(page));
        }
        translation found;
        found.bus = (in_video ? video_ : system_) + page + va % size;
        found.bytes = size - va % size;
        found.writable = bits(entry, 6, 6) == 0;
        found.coherent = aperture == 2;
        return found;
    }

    gpu_bus& memory_;
    std::uint64_t video_;
    std::uint64_t system_;
    std::uint64_t root_;
};

}  // namespace wddmcore::testing

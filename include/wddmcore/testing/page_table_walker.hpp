// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "walking_bus.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What one page-table entry says.
struct walked_entry {
    /// What an entry is.
    enum class kind : std::uint8_t {
        nothing,  ///< an access faults
        table,    ///< of the level below
        page,     ///< as large as the entry's reach
    };
    kind is = kind::nothing;  ///< which of them
    std::uint64_t bus = 0;    ///< of the table or the page
    bool writable = true;     ///< of a page: whether it may be written
    bool coherent = false;    ///< of a page: whether accesses are coherent with the CPU's caches
    bool executable = true;   ///< of a page: whether its bytes may be executed
    std::string why;          ///< of nothing, for whoever reads the report; it ends with "reads as zero" where it does
};

/// One level of page tables.
struct walked_level {
    std::uint32_t index_bits = 9;   ///< of the virtual address, 1 to 32
    std::uint32_t entry_bytes = 8;  ///< 4, 8 or 16
};

/// Walks page tables of a user's own format as the hardware would: the user decodes one entry, the walker does the
/// rest.
///
/// The decoder should be written from the hardware's manual and not from the driver's encoder: a walker that shares the
/// encoder's mistakes finds none. What it answers goes into vidmm_page_tables::translate, past a translation_cache or
/// through it, and into a split_bus for the engine.
class page_table_walker {
public:
    /// @param level  0 for the leaf
    /// @param low    the entry, or its first eight bytes
    /// @param high   its other eight bytes, else 0
    using decoder = std::function<walked_entry(std::uint32_t level, std::uint64_t low, std::uint64_t high)>;

    /// @param memory     physical memory, the tables in it; must live longer
    /// @param levels     leaf first, at least one
    /// @param decode     what an entry says
    /// @param page_bits  log2 of the bytes of a leaf entry's page, 12 to 30
    /// @throws std::invalid_argument  a number is out of its range, or addresses would have more than 64 bits
    page_table_walker(gpu_bus& memory, std::vector<walked_level> levels, decoder decode, std::uint32_t page_bits = 12)
        : memory_(&memory), levels_(std::move(levels)), decode_(std::move(decode)), va_bits_(page_bits) {
        bool right = !levels_.empty() && page_bits >= 12 && page_bits <= 30 && decode_ != nullptr;
        for (walked_level const& level : levels_) {
            bool const entry = level.entry_bytes == 4 || level.entry_bytes == 8 || level.entry_bytes == 16;
            right = right && entry && level.index_bits >= 1 && level.index_bits <= 32;
            va_bits_ += right ? level.index_bits : 0;
        }
        if (!right || va_bits_ > 64) {
            throw std::invalid_argument(
                "page_table_walker: levels of 1 to 32 index bits and entries of 4, 8 or 16 bytes are expected, pages "
                "of "
                "2^12 to 2^30 bytes and addresses of at most 64 bits");
        }
    }

    /// Where an address leads.
    /// @param root  bus address of the highest table
    /// @param va    virtual address
    /// @return the translation, to the end of its page; without one, why
    [[nodiscard]] translation walk(std::uint64_t root, std::uint64_t va) const {
        if (va_bits_ < 64 && va >> va_bits_ != 0) {
            return no_translation("the address has more than " + std::to_string(va_bits_) + " bits");
        }
        std::uint64_t table = root;
        std::uint32_t shift = va_bits_;
        for (std::size_t level = levels_.size(); level-- != 0;) {
            walked_level const& l = levels_[level];
            shift -= l.index_bits;
            std::uint64_t const index = va >> shift & ((std::uint64_t{1} << l.index_bits) - 1);
            std::string const name = "entry " + std::to_string(index) + " of a table of level " + std::to_string(level);
            std::uint64_t words[2] = {};
            if (!memory_->read(table + index * l.entry_bytes, words, l.entry_bytes)) {
                return no_translation(name + " is not in memory");
            }
            walked_entry const found = decode_(static_cast<std::uint32_t>(level), words[0], words[1]);
            if (found.is == walked_entry::kind::page) {
                return page(found, va, shift, name);
            }
            if (found.is == walked_entry::kind::nothing) {
                return no_translation(name + (found.why.empty() ? " is not valid" : " " + found.why));
            }
            table = found.bus;
        }
        return no_translation("a leaf entry says that it is a table");
    }

private:
    [[nodiscard]] static translation page(walked_entry const& found, std::uint64_t va, std::uint32_t shift,
                                          std::string const& name) {
        std::uint64_t const size = std::uint64_t{1} << shift;
        if (found.bus % size != 0) {
            return no_translation(name + " is not aligned to its page of " + std::to_string(size) + " bytes");
        }
        translation t;
        t.bus = found.bus + va % size;
        t.bytes = size - va % size;
        t.writable = found.writable;
        t.coherent = found.coherent;
        t.executable = found.executable;
        return t;
    }

    gpu_bus* memory_;
    std::vector<walked_level> levels_;
    decoder decode_;
    std::uint32_t va_bits_;
};

}  // namespace wddmcore::testing

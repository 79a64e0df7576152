// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/units.hpp>
#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

/// The toy machine's page tables: eight bytes an entry, bit 0 valid, bit 1 reads as zero, bits 2 to 4 attributes, bits 5
/// and 6 protection, bits 12 to 51 an address. Above the leaf bit 7 says that it is the address of data, at any 4-KiB
/// page, and at level 1 bit 8 that the table has entries of 64 KiB. With dual tables an entry of level 1 is sixteen
/// bytes: a table of entries as large as the machine's page, or data, and then one of 64-KiB entries.
namespace toy {

using namespace wddmcore;

/// Walks tables and remembers what it found, also that there was nothing.
class toy_mmu {
public:
    struct found {
        u64 address = 0;
        u64 attributes = 0;
        u64 protection = 0;
    };

    std::vector<u32> index_bits;  ///< leaf first, of 4-KiB pages
    u32 page_lg2 = 0;             ///< log2 of the 4-KiB pages in one of the machine's
    bool dual = false;            ///< level 1 names two tables
    bool wide_64k = false;        ///< an entry of 64 KiB has a second word, which says nothing
    testing::gpu_bus* bus = nullptr;
    bool remembers_nothing = true;  ///< also that an address has no translation
    u64 root = 0;                   ///< of the address space at work
    std::function<void(u64)> on_fault;

    /// By the tables alone.
    [[nodiscard]] std::optional<found> walk(u64 root_address, u64 va) const {
        u64 table = root_address;
        u32 shift = 12;
        for (u32 const bits : index_bits) {
            shift += bits;
        }
        if (shift < 64 && va >> shift != 0) {
            return std::nullopt;
        }
        for (std::size_t level = index_bits.size(); level-- != 0;) {
            shift -= index_bits[level];
            u64 const index = (va >> shift & ((u64{1} << index_bits[level]) - 1)) >> (level == 0 ? page_lg2 : 0);
            u64 const bytes = dual && level == 1 ? 16 : 8;
            u64 entry[2] = {};
            if (!bus->read(table + index * bytes, entry, bytes)) {
                return std::nullopt;
            }
            if (level == 0) {
                return meant(entry[0], va, u64{4096} << page_lg2);
            }
            // Both bits need the entry's upper twelve to be clear, so that junk is seldom taken for a page.
            bool const plain = entry[0] >> 52 == 0;
            if (plain && (entry[0] & 0x81) == 0x81) {
                return meant(entry[0], va, u64{1} << shift);
            }
            u64 const second = dual ? entry[1] : plain && (entry[0] & 0x100) != 0 && level == 1 ? entry[0] : 0;
            if (level == 1 && (second & 1) != 0) {
                u64 const in_64k = va >> 16 & ((u64{1} << (index_bits[0] - 4)) - 1);
                u64 wide = 0;
                bool const there =
                    bus->read((second & address_mask) + in_64k * (wide_64k ? 16 : 8), &wide, 8) && (wide & 1) != 0;
                if (there || !dual) {
                    return meant(there ? wide : 0, va, 65536);
                }
            }
            if ((entry[0] & 1) == 0) {
                return std::nullopt;
            }
            table = entry[0] & address_mask;
        }
        return std::nullopt;
    }

    /// As an access finds it.
    [[nodiscard]] std::optional<found> translate(u64 root_address, u64 va) {
        auto const key = std::pair{root_address, va >> 12};
        auto const at = remembered_.find(key);
        if (at != remembered_.end()) {
            std::optional<found> f = at->second;
            if (f) {
                f->address += va % 4096;
            }
            return f;
        }
        std::optional<found> f = walk(root_address, va & ~u64{0xfff});
        if (f || remembers_nothing) {
            remembered_[key] = f;
        }
        if (f) {
            f->address += va % 4096;
        }
        return f;
    }

    /// Drops what lies in [first, last].
    void flush(u64 root_address, u64 first, u64 last) {
        auto const begin = remembered_.lower_bound({root_address, first >> 12});
        auto const end = remembered_.upper_bound({root_address, last >> 12});
        remembered_.erase(begin, end);
    }

    void lose_power() { remembered_.clear(); }

private:
    static constexpr u64 address_mask = 0x000f'ffff'ffff'f000U;

    [[nodiscard]] static std::optional<found> meant(u64 entry, u64 va, u64 page) {
        return (entry & 1) == 0
                   ? std::nullopt
                   : std::optional(found{(entry & address_mask) + va % page, entry & 0x1e, entry >> 5 & 3});
    }

    std::map<std::pair<u64, u64>, std::optional<found>> remembered_;
};

/// What the engine sees through its page tables.
class translated_bus final : public testing::gpu_bus {
public:
    translated_bus(toy_mmu& mmu, testing::gpu_bus& raw) : mmu_(mmu), raw_(raw) {}

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        auto* out = static_cast<std::byte*>(to);
        return each(address, size, [&out](piece const& p) {
            std::memcpy(out, p.data, p.size);
            out += p.size;
        });
    }

    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        auto const* in = static_cast<std::byte const*>(from);
        return each(address, size, [&in](piece const& p) {
            std::memcpy(p.data, in, p.size);
            in += p.size;
        });
    }

    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        auto const found = mmu_.translate(mmu_.root, address);
        if (!found) {
            mmu_.on_fault(address);
            return {nullptr, 0};
        }
        return raw_.at(found->address, std::min<std::size_t>(size, static_cast<std::size_t>(4096 - address % 4096)));
    }

private:
    template <class Use>
    bool each(std::uint64_t address, std::size_t size, Use const& use) {
        while (size != 0) {
            piece const p = at(address, size);
            if (p.data == nullptr) {
                return false;
            }
            use(p);
            address += p.size;
            size -= p.size;
        }
        return true;
    }

    toy_mmu& mmu_;
    testing::gpu_bus& raw_;
};

}  // namespace toy

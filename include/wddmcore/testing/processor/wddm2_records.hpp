// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpu_memory/bus.hpp"
#include "../piece_list.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a record told somebody: its code, and its numbers in the order of its dwords.
struct cpu_notice {
    std::uint32_t code;
    std::vector<std::uint64_t> values;
};

/// Translations that go: the root's segment and offset, the first and the last byte; 0 and 0 for all of them.
struct cpu_drop {
    std::uint32_t segment;
    std::uint64_t offset;
    std::uint64_t first;
    std::uint64_t last;
};

/// The reference processor's records 6 to 13: page tables, translations, fences, notices.
class cpu_wddm2_records {
public:
    using record = std::span<std::uint32_t const>;

    std::function<void(cpu_drop const&)> on_drop;  ///< none: such a record is refused
    std::vector<cpu_notice> notices;

    /// The name of a record and its length, but for entries; 0 for a code that is none.
    [[nodiscard]] static std::pair<char const*, std::uint32_t> kind_of(std::uint32_t code) {
        switch (code) {
            case 6: return {"entries", 4};
            case 7: return {"run of entries", 8};
            case 8: return {"drop of translations", 8};
            case 9: return {"store", 6};
            case 10: return {"residency", 8};
            case 11: return {"residency of a range", 10};
            case 12: return {"fence residency", 8};
            case 13: return {"IOMMU unmap", 8};
            default: return {"", 0};
        }
    }

    /// One record of its full length; the empty string, or why it is wrong.
    [[nodiscard]] std::string execute(std::uint32_t code, record r, gpu_bus& bus, execution& done) {
        switch (code) {
            case 6: return entries(r, bus);
            case 7: return run(r, bus);
            case 8: return drop(r);
            case 9: return store(r, bus, done);
            case 10: return residency(r);
            case 11: return range(r);
            case 12: return fences(r);
            default: return unmap(r);
        }
    }

private:
    [[nodiscard]] static std::uint64_t wide(record r, std::size_t low) {
        return std::uint64_t{r[low + 1]} << 32 | r[low];
    }
    [[nodiscard]] static std::string at_entries(char const* name, std::uint64_t place) {
        return place % 8 == 0 ? "" : std::string(name) + " at " + pieces::hex(place) + ", which is no multiple of 8";
    }
    [[nodiscard]] static std::string stored(char const* name, gpu_bus& bus, std::uint64_t to, void const* from,
                                            std::size_t size) {
        return bus.write(to, from, size) ? ""
                                         : std::string(name) + " of " + std::to_string(size) + " bytes at " +
                                               pieces::hex(to) + ", which are not all backed";
    }

    [[nodiscard]] static std::string entries(record r, gpu_bus& bus) {
        std::size_t const words = r[1];
        if (words == 0 || words % 2 != 0 || words > 240 || r.size() != 4 + words) {
            return "entries of " + std::to_string(words) + " dwords";
        }
        if (std::string why = at_entries("entries", wide(r, 2)); !why.empty()) {
            return why;
        }
        return stored("entries", bus, wide(r, 2), r.data() + 4, words * 4);
    }

    [[nodiscard]] static std::string run(record r, gpu_bus& bus) {
        if (r[1] == 0) {
            return "a run of no entries";
        }
        if (std::string why = at_entries("run", wide(r, 2)); !why.empty()) {
            return why;
        }
        std::vector<std::uint64_t> all(r[1]);
        for (std::size_t i = 0; i != all.size(); ++i) {
            all[i] = wide(r, 4) + i * wide(r, 6);
        }
        return stored("run", bus, wide(r, 2), all.data(), all.size() * 8);
    }

    [[nodiscard]] std::string drop(record r) {
        cpu_drop const d{r[1], wide(r, 2), wide(r, 4), wide(r, 6)};
        if (!on_drop) {
            return "there are no translations to drop";
        }
        bool const all = d.first == 0 && d.last == 0;
        if (!all && (d.first > d.last || d.first % 4096 != 0 || d.last % 4096 != 4095)) {
            return "a drop of " + pieces::hex(d.first) + " to " + pieces::hex(d.last) + ", which are not whole pages";
        }
        on_drop(d);
        return {};
    }

    [[nodiscard]] static std::string store(record r, gpu_bus& bus, execution& done) {
        if (r[1] > 1) {
            return "store has " + pieces::hex(r[1]) + " in its dword 1";
        }
        if (std::string why = at_entries("store", wide(r, 2)); !why.empty()) {
            return why;
        }
        std::string why = stored("store", bus, wide(r, 2), r.data() + 4, 8);
        done.interrupts += why.empty() ? r[1] : 0;
        return why;
    }

    [[nodiscard]] std::string residency(record r) {
        if ((r[1] & ~0xFF01u) != 0 || wide(r, 6) != 0) {
            return "residency sets what is zero";
        }
        notices.push_back({10, {wide(r, 2), r[1] & 1, r[1] >> 8, wide(r, 4)}});
        return {};
    }
    [[nodiscard]] std::string range(record r) {
        if ((r[1] & ~0xFF01u) != 0) {
            return "residency of a range sets what is zero";
        }
        notices.push_back({11, {wide(r, 2), r[4], r[5], r[1] & 1, r[1] >> 8, wide(r, 6), wide(r, 8)}});
        return {};
    }
    [[nodiscard]] std::string fences(record r) {
        if (r[1] > 0xFFFF) {
            return "fence residency sets what is zero";
        }
        notices.push_back({12, {wide(r, 2), r[1] & 0xFF, wide(r, 4), r[1] >> 8, wide(r, 6)}});
        return {};
    }
    [[nodiscard]] std::string unmap(record r) {
        if (r[1] != 0 || wide(r, 4) == 0) {
            return "IOMMU unmap of nothing, or with what is zero set";
        }
        notices.push_back({13, {wide(r, 6), wide(r, 2), wide(r, 4)}});
        return {};
    }
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_words.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a command told somebody: its code, its argument, and its numbers in the order of its dwords.
struct mock_notice {
    std::uint32_t code;
    std::uint32_t argument;
    std::vector<std::uint64_t> values;
};

/// Translations that go: the root's segment and offset, then the first and the last byte unless all go.
struct mock_flush {
    std::uint32_t segment;
    std::uint64_t offset;
    bool all;
    std::uint64_t first;
    std::uint64_t last;
};

/// The mock's commands 0x08 to 0x14: page tables, translations, fences, contexts, notices, other MMUs.
class mock_wddm2_commands {
public:
    using words = mock_decoding::words;
    using located = mock_decoding::located;
    /// Where three dwords say that something is.
    using locator = std::function<located(words, std::size_t)>;

    std::function<void(mock_flush const&)> on_flush;  ///< none: there are no translations to flush
    std::vector<mock_notice> notices;
    std::span<std::byte> mmu_tables[2];  ///< of MMUs 3 and 5, 8 bytes a page

    /// The name of a command, its length without entries, and how many dwords its last one sums up; no length: none.
    struct kind {
        char const* name;
        std::uint32_t length;
        std::uint32_t argument_last;
    };
    [[nodiscard]] static kind kind_of(std::uint32_t code, std::uint32_t argument) {
        switch (code) {
            case 0x08: return {"write of entries", 7, 0};
            case 0x09: return {"copy of entries", 9, 0};
            case 0x0A: return {"flush", argument == 0 ? 5u : 9u, 1};
            case 0x0B: return {"fence", 7, 0};
            case 0x0C: return {"context piece", 15, 0};
            case 0x0D: return {"context update", 6, 0};
            case 0x0E: return {"residency", 7, 1};
            case 0x0F: return {"residency of a range", 10, 1};
            case 0x10: return {"fence residency", 11, 0};
            case 0x11: return {"MMU map", 9, 255};
            case 0x12: return {"MMU unmap", 9, 255};
            case 0x13: return {"eviction", 11, 0};
            case 0x14: return {"IOMMU unmap", 7, 0};
            default: return {"", 0, 0};
        }
    }

    /// One command of its full length; the empty string, or why it is wrong.
    [[nodiscard]] std::string execute(words w, gpu_bus& bus, locator const& place) {
        std::uint32_t const argument = mock_decoding::field(w[0], 15, 8);
        switch (mock_decoding::field(w[0], 23, 16)) {
            case 0x08: return entries(w, bus, place);
            case 0x09: return copy(w, bus, place);
            case 0x0A: return flush(w, argument != 0);
            case 0x0B: return store("fence", place(w, 1), wide(w, 4), 8, bus);
            case 0x0C: return context_piece(w, bus, place);
            case 0x0D:
                return (w[3] & 0xFF) != 0x33 ? "context update is not at a virtual address"
                                             : store("context update", place(w, 1), w[4], 4, bus);
            case 0x0E: return notice(w, {wide(w, 1), w[3], wide(w, 4)});
            case 0x0F: return notice(w, {wide(w, 1), w[3], w[4], w[5], wide(w, 6), w[8]});
            case 0x10:
                return w[9] != 0 ? "fence residency sets its dword 9, which is zero"
                                 : notice(w, {wide(w, 1), w[3], wide(w, 4), w[6], wide(w, 7)});
            case 0x11:
                return w[7] != 0 ? "MMU map sets its dword 7, which is zero"
                                 : map(argument, w, wide(w, 4), std::uint64_t{w[6]} << 44 | std::uint64_t{1} << 63);
            case 0x12: return (w[4] | w[5] | w[6] | w[7]) != 0 ? "MMU unmap sets what is zero" : map(argument, w, 0, 0);
            case 0x13: return evict(w, bus, place);
            default:
                return w[5] == 0 || w[5] > 20'000 ? "IOMMU unmap of " + std::to_string(w[5]) + " bytes"
                                                  : notice(w, {wide(w, 1), wide(w, 3), w[5]});
        }
    }

private:
    [[nodiscard]] static std::uint64_t wide(words w, std::size_t high) {
        return mock_decoding::join(w[high], w[high + 1]);
    }

    [[nodiscard]] std::string notice(words w, std::vector<std::uint64_t> values) {
        notices.push_back({mock_decoding::field(w[0], 23, 16), mock_decoding::field(w[0], 15, 8), std::move(values)});
        return {};
    }

    [[nodiscard]] static std::string store(std::string const& name, located const& to, std::uint64_t value,
                                           std::size_t size, gpu_bus& bus) {
        if (!to.why.empty()) {
            return name + ": " + to.why;
        }
        if (to.bus_address % size != 0) {
            return name + " at " + pieces::hex(to.bus_address) + ", which is not aligned to " + std::to_string(size);
        }
        return bus.write(to.bus_address, &value, size) ? ""
                                                       : mock_decoding::unbacked(name, "writes", size, to.bus_address);
    }

    [[nodiscard]] static std::string entries(words w, gpu_bus& bus, locator const& place) {
        std::size_t const n = w[4];
        located const to = place(w, 1);
        if (n == 0 || n % 4 != 0 || n > 28 || w.size() != 7 + n) {
            return "write of entries has " + std::to_string(n) + " dwords of them";
        }
        if (w[5 + n] != (0xE17D'0000u | n)) {
            return "write of entries goes on behind them with " + pieces::hex(w[5 + n]);
        }
        if (!to.why.empty() || to.bus_address % 16 != 0) {
            return "write of entries: " + (to.why.empty() ? "it is not at an entry" : to.why);
        }
        return bus.write(to.bus_address, w.data() + 5, n * 4)
                   ? ""
                   : mock_decoding::unbacked("write of entries", "writes", n * 4, to.bus_address);
    }

    [[nodiscard]] std::string copy(words w, gpu_bus& bus, locator const& place) {
        located const to = place(w, 1);
        located const from = place(w, 4);
        if (!to.why.empty() || !from.why.empty()) {
            return "copy of entries: " + (to.why.empty() ? from.why : to.why);
        }
        if (std::string why =
                mock_decoding::bad_extent("copy of entries", w[7], 80, 16, from.bus_address, to.bus_address);
            !why.empty()) {
            return why;
        }
        if (!source_.gather(bus, from.bus_address, w[7]) || !target_.gather(bus, to.bus_address, w[7])) {
            return mock_decoding::unbacked("copy of entries", "moves", w[7], from.bus_address);
        }
        if (source_.shares_memory_with(target_)) {
            return "copy of entries overlaps itself";
        }
        target_.assign(source_);
        return {};
    }

    [[nodiscard]] std::string flush(words w, bool ranged) const {
        mock_flush const f{w[3], wide(w, 1), !ranged, ranged ? wide(w, 4) : 0, ranged ? wide(w, 6) : 0};
        if (!on_flush) {
            return "there are no translations to flush";
        }
        if (ranged && (f.first > f.last || f.first % 0x8000 != 0 || f.last % 0x8000 != 0x7FFF)) {
            return "flush from " + pieces::hex(f.first) + " to " + pieces::hex(f.last) + ": no whole granules";
        }
        on_flush(f);
        return {};
    }

    [[nodiscard]] static std::string context_piece(words w, gpu_bus& bus, locator const& place) {
        std::size_t const size = w[4];
        located const to = place(w, 1);
        if (size == 0 || size > 32 || size % 4 != 0) {
            return "context piece of " + std::to_string(size) + " bytes";
        }
        if (!std::all_of(w.begin() + static_cast<std::ptrdiff_t>(5 + size / 4), w.begin() + 13,
                         [](std::uint32_t word) { return word == 0; })) {
            return "context piece has data behind its bytes";
        }
        if (!to.why.empty()) {
            return "context piece: " + to.why;
        }
        return bus.write(to.bus_address, w.data() + 5, size)
                   ? ""
                   : mock_decoding::unbacked("context piece", "writes", size, to.bus_address);
    }

    /// @param fixed  the bits of every entry; 0 for entries that go
    [[nodiscard]] std::string map(std::uint32_t mmu, words w, std::uint64_t page, std::uint64_t fixed) const {
        std::uint64_t const count = w[3];
        if ((mmu != 3 && mmu != 5) || count == 0 || count > 5 || wide(w, 1) % 4096 != 0 ||
            page + count > std::uint64_t{1} << 44) {
            return "MMU " + std::to_string(mmu) + ", " + std::to_string(count) + " pages at " + pieces::hex(wide(w, 1));
        }
        std::span<std::byte> const table = mmu_tables[mmu == 3 ? 0 : 1];
        for (std::uint64_t i = 0; i != count; ++i) {
            std::uint64_t const entry = fixed == 0 ? 0 : fixed | (page + i);
            if (std::uint64_t const at = wide(w, 1) / 4096 + i; at < table.size() / 8) {
                std::memcpy(table.data() + at * 8, &entry, sizeof entry);
            }
        }
        return {};
    }

    [[nodiscard]] std::string evict(words w, gpu_bus& bus, locator const& place) {
        std::uint64_t const at = wide(w, 3);
        std::uint64_t const size = w[5];
        if (wide(w, 1) != 0) {
            return "eviction in a process that the engine does not run in";
        }
        if (size == 0 || size > 40'000 || at % 4096 != 0 || wide(w, 6) % 12288 != 0) {
            return "eviction of " + std::to_string(size) + " bytes at " + pieces::hex(at) + ", " +
                   std::to_string(wide(w, 6)) + " of the allocation";
        }
        std::uint32_t const words_of_place[] = {w[3], w[4], 0x33};
        located const to = place(words_of_place, 0);
        if (!to.why.empty() || !target_.gather(bus, to.bus_address, size)) {
            return mock_decoding::unbacked("eviction", "works on", size, to.bus_address);
        }
        std::vector<std::byte> all = target_.bytes();
        for (std::byte& b : all) {
            b = static_cast<std::byte>(std::to_integer<unsigned>(b) + 0x35);
        }
        target_.scatter(all);
        return {};
    }

    pieces::piece_list source_;
    pieces::piece_list target_;
};

}  // namespace wddmcore::testing

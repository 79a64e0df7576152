// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpu_memory/bus.hpp"
#include "../piece_list.hpp"
#include "wddm2_records.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The table of one aperture, 16 bytes a page: page number, then 1 or 0 for coherent, both 64 bits, little-endian.
struct cpu_aperture {
    std::uint32_t segment;
    std::span<std::byte> table;
};

/// Decoder and executor of the reference processor's records, written from the table in its documentation alone.
///
/// Stricter than a processor would be: what an encoder can only produce by mistake is refused. No record moves more
/// than 256 MiB.
class cpu_engine final : public engine {
public:
    /// An engine that knows no aperture.
    cpu_engine() = default;
    explicit cpu_engine(std::vector<cpu_aperture> apertures) : apertures_(std::move(apertures)) {}

    /// The page number that an entry holds; none when there is no such entry.
    [[nodiscard]] std::optional<std::uint64_t> page_of(std::uint32_t segment, std::uint64_t index) const {
        return half_entry(segment, index, 0);
    }

    /// Whether an entry is coherent; none when there is no such entry.
    [[nodiscard]] std::optional<bool> coherent_of(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const found = half_entry(segment, index, 8);
        return found ? std::optional(*found != 0) : std::nullopt;
    }

    /// What came with page tables and the operations after them.
    [[nodiscard]] cpu_wddm2_records& late() { return wddm2_operations_; }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        if (dwords % 2 != 0) {
            return stop(done, dwords, "the window has " + std::to_string(dwords) + " dwords, not whole 64-bit units");
        }
        for (std::size_t at = 0; at < dwords;) {
            std::span<std::uint32_t const> const record(commands + at, dwords - at);
            if (std::string why = execute_record(record, bus, done); !why.empty()) {
                return stop(done, at, std::move(why));
            }
            at += record[0] >> 8;
        }
        return done;
    }

private:
    struct kind {
        char const* name;
        std::uint32_t length;
    };
    static constexpr kind kinds[] = {{"nothing", 1}, {"copy", 8},  {"fill", 8},
                                     {"read", 4},    {"write", 4}, {"aperture entry", 8}};
    static constexpr std::uint64_t most_bytes = 0x1000'0000;

    static execution& stop(execution& done, std::size_t at, std::string why) {
        done.ok = false;
        done.dword = at;
        done.why = std::move(why);
        return done;
    }

    /// One record; the empty string, or why it is wrong.
    [[nodiscard]] std::string execute_record(std::span<std::uint32_t const> record, gpu_bus& bus, execution& done) {
        std::uint32_t const head = record[0];
        std::uint32_t const code = head & 0xFF;
        auto const [name, fixed] = code < std::size(kinds) ? std::pair{kinds[code].name, kinds[code].length}
                                                           : cpu_wddm2_records::kind_of(code);
        if (fixed == 0) {
            return "code " + std::to_string(code) + " is no record";
        }
        // Entries follow their head; a count that is too large is found by the window's end.
        std::uint32_t const length =
            code == 6 ? fixed + (record.size() > 1 ? static_cast<std::uint32_t>(record[1] & 0xFFFF) : 0) : fixed;
        if (head != (length << 8 | code)) {
            return std::string(name) + " has head " + pieces::hex(head) + ", not " + pieces::hex(length << 8 | code);
        }
        if (record.size() < length) {
            return std::string(name) + " has " + std::to_string(length) + " dwords, but the window ends after " +
                   std::to_string(record.size()) + " of them";
        }
        std::string why;
        switch (code) {
            case 0: return {};
            case 1: why = copy(record, bus, done); break;
            case 2: why = fill(record, bus, done); break;
            case 3: why = access(name, record, bus, false); break;
            case 4: why = access(name, record, bus, true); break;
            case 5: why = aperture_entry(record); break;
            default: why = wddm2_operations_.execute(code, record.first(length), bus, done); break;
        }
        done.commands += why.empty();
        return why;
    }

    [[nodiscard]] static std::string zeros(char const* name, std::span<std::uint32_t const> record, std::size_t first,
                                           std::size_t last) {
        for (std::size_t i = first; i <= last; ++i) {
            if (record[i] != 0) {
                return std::string(name) + " sets its dword " + std::to_string(i) + ", which is zero, to " +
                       pieces::hex(record[i]);
            }
        }
        return {};
    }

    [[nodiscard]] static std::uint64_t wide(std::span<std::uint32_t const> record, std::size_t low) {
        return std::uint64_t{record[low + 1]} << 32 | record[low];
    }

    [[nodiscard]] static std::string bad_size(char const* name, std::uint64_t size) {
        if (size == 0 || size > most_bytes) {
            return std::string(name) + " takes 1 to " + std::to_string(most_bytes) + " bytes, not " +
                   std::to_string(size);
        }
        return {};
    }

    [[nodiscard]] static std::string unbacked(char const* name, char const* verb, std::uint64_t size,
                                              std::uint64_t first) {
        return std::string(name) + " " + verb + " " + std::to_string(size) + " bytes at " + pieces::hex(first) +
               ", which are not all backed";
    }

    [[nodiscard]] std::string copy(std::span<std::uint32_t const> record, gpu_bus& bus, execution& done) {
        std::uint64_t const to = wide(record, 2);
        std::uint64_t const from = wide(record, 4);
        std::uint64_t const size = wide(record, 6);
        if (std::string why = zeros("copy", record, 1, 1); !why.empty()) {
            return why;
        }
        if (std::string why = bad_size("copy", size); !why.empty()) {
            return why;
        }
        if (!source_.gather(bus, from, size)) {
            return unbacked("copy", "reads", size, from);
        }
        if (!target_.gather(bus, to, size)) {
            return unbacked("copy", "writes", size, to);
        }
        target_.assign(source_);
        done.moved_bytes += size;
        return {};
    }

    [[nodiscard]] std::string fill(std::span<std::uint32_t const> record, gpu_bus& bus, execution& done) {
        std::uint64_t const to = wide(record, 2);
        std::uint64_t const size = wide(record, 4);
        if (std::string why = zeros("fill", record, 6, 7); !why.empty()) {
            return why;
        }
        if (std::string why = bad_size("fill", size); !why.empty()) {
            return why;
        }
        if ((to | size) % 4 != 0) {
            return "fill of " + std::to_string(size) + " bytes at " + pieces::hex(to) + " is not in whole dwords";
        }
        if (!target_.gather(bus, to, size)) {
            return unbacked("fill", "writes", size, to);
        }
        target_.fill(record[1]);
        done.moved_bytes += size;
        return {};
    }

    [[nodiscard]] static std::string access(char const* name, std::span<std::uint32_t const> record, gpu_bus& bus,
                                            bool write) {
        std::uint64_t const place = wide(record, 2);
        if (std::string why = zeros(name, record, 1, 1); !why.empty()) {
            return why;
        }
        // What is written is arbitrary (OP03-01), so it is something that a test would notice.
        std::byte byte{0xC3};
        bool const there = write ? bus.write(place, &byte, 1) : bus.read(place, &byte, 1);
        return there ? std::string{} : unbacked(name, write ? "writes" : "reads", 1, place);
    }

    [[nodiscard]] std::string aperture_entry(std::span<std::uint32_t const> record) {
        std::uint32_t const segment = record[1] & 0xFF;
        std::uint64_t const index = wide(record, 2);
        std::uint64_t const page = wide(record, 4);
        if ((record[1] >> 9) != 0) {
            return "aperture entry sets reserved bits of its dword 1, which is " + pieces::hex(record[1]);
        }
        if (std::string why = zeros("aperture entry", record, 6, 7); !why.empty()) {
            return why;
        }
        if ((page >> 52) != 0) {
            return "aperture entry has page number " + pieces::hex(page) + ", whose address does not fit 64 bits";
        }
        std::byte* const entry = find(segment, index);
        if (entry == nullptr) {
            return "there is no aperture entry " + std::to_string(index) + " of segment " + std::to_string(segment);
        }
        std::uint64_t const coherent = record[1] >> 8;
        std::memcpy(entry, &page, sizeof page);
        std::memcpy(entry + sizeof page, &coherent, sizeof coherent);
        return {};
    }

    [[nodiscard]] std::byte* find(std::uint32_t segment, std::uint64_t index) const {
        for (cpu_aperture const& aperture : apertures_) {
            if (aperture.segment == segment && index < aperture.table.size() / 16) {
                return aperture.table.data() + index * 16;
            }
        }
        return nullptr;
    }

    [[nodiscard]] std::optional<std::uint64_t> half_entry(std::uint32_t segment, std::uint64_t index,
                                                          std::size_t at) const {
        std::byte const* const entry = find(segment, index);
        if (entry == nullptr) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        std::memcpy(&value, entry + at, sizeof value);
        return value;
    }

    std::vector<cpu_aperture> apertures_;
    cpu_wddm2_records wddm2_operations_;
    pieces::piece_list source_;
    pieces::piece_list target_;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_wddm2_commands.hpp"
#include "mock_words.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Decoder and executor of the mock's commands, written from the table in its documentation alone.
class mock_engine final : public engine {
public:
    /// @param map        where the targets of addresses lie on the bus
    /// @param apertures  the tables, which must live longer
    explicit mock_engine(mock_map map, std::vector<mock_aperture> apertures = {})
        : map_(std::move(map)), tables_(std::move(apertures)) {}

    /// The page number that an entry holds; none when there is no such entry or it was never written.
    [[nodiscard]] std::optional<std::uint64_t> page_of(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const entry = written_entry(segment, index);
        return entry ? std::optional(*entry & ((std::uint64_t{1} << 52) - 1)) : std::nullopt;
    }

    /// Whether an entry is coherent; none as above.
    [[nodiscard]] std::optional<bool> coherent_of(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const entry = written_entry(segment, index);
        return entry ? std::optional((*entry >> 63) != 0) : std::nullopt;
    }

    /// The places, on the bus, whose content was thrown away, in order.
    [[nodiscard]] std::vector<std::uint64_t> const& discarded() const { return discarded_; }

    /// What came with page tables and the operations after them.
    [[nodiscard]] mock_wddm2_commands& late() { return wddm2_operations_; }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        if (dwords % 3 != 0) {
            return mock_decoding::stop(done, dwords,
                                       "the window has " + std::to_string(dwords) + " dwords, not whole grains of 3");
        }
        for (std::size_t at = 0; at < dwords;) {
            words const rest(commands + at, dwords - at);
            std::size_t length = 0;
            std::string why;
            if (rest[0] >> 16 == 0xFADE) {
                length = rest[0] & 0xFFFF;
                why = padding(rest, at, dwords);
            } else {
                length = rest[0] & 0xFF;
                why = command(rest, bus, done);
                done.commands += why.empty();
            }
            if (!why.empty()) {
                return mock_decoding::stop(done, at, std::move(why));
            }
            at += length;
        }
        return done;
    }

private:
    using words = mock_decoding::words;
    using located = mock_decoding::located;

    struct kind {
        char const* name;
        std::uint32_t length;
        std::uint32_t argument_first;
        std::uint32_t argument_last;
    };
    // By code; code 0 is no command.
    static constexpr kind kinds[] = {{"", 0, 0, 0},
                                     {"copy", 11, 0, 0},
                                     {"fill", 7, 0, 0},
                                     {"swizzled copy", 13, 1, 2},
                                     {"aperture entry", 5, 0, 255},
                                     {"discard", 7, 0, 1},
                                     {"read", 5, 0, 0},
                                     {"write", 5, 0, 0}};

    /// One or two words that count down, up to the end of a grain.
    [[nodiscard]] static std::string padding(words rest, std::size_t at, std::size_t window) {
        std::size_t const length = rest[0] & 0xFFFF;
        if (length == 0 || length > 2) {
            return "padding fills 1 or 2 dwords, not " + std::to_string(length);
        }
        if (length > rest.size() || (at + length) % 3 != 0) {
            return "padding of " + std::to_string(length) + " from dword " + std::to_string(at) +
                   " on does not end a grain of the " + std::to_string(window) + " dwords";
        }
        if (length == 2 && rest[1] != 0xFADE'0001) {
            return "padding of 2 goes on with " + mock_decoding::hex(rest[1]);
        }
        return {};
    }

    [[nodiscard]] std::string command(words rest, gpu_bus& bus, execution& done) {
        std::uint32_t const first = rest[0];
        std::uint32_t const code = mock_decoding::field(first, 23, 16);
        if (first >> 24 == 0xB7 && mock_wddm2_commands::kind_of(code, 0).length != 0) {
            return wddm2_command(rest, code, bus);
        }
        if (first >> 24 != 0xB7 || code == 0 || code >= std::size(kinds)) {
            return mock_decoding::hex(first) + " begins no command";
        }
        kind const& k = kinds[code];
        if ((first & 0xFF) != k.length) {
            return std::string(k.name) + " has " + std::to_string(k.length) + " dwords, but says " +
                   std::to_string(first & 0xFF);
        }
        std::uint32_t const argument = mock_decoding::field(first, 15, 8);
        if (argument < k.argument_first || argument > k.argument_last) {
            return std::string(k.name) + " has no argument " + std::to_string(argument);
        }
        if (rest.size() < k.length) {
            return mock_decoding::truncated(k.name, k.length, rest.size());
        }
        words const all = rest.first(k.length);
        std::uint32_t sum = 0;
        for (std::uint32_t const word : all) {
            sum ^= word;
        }
        if (sum != 0) {
            return std::string(k.name) + " ends with " + mock_decoding::hex(all.back()) + ", not with " +
                   mock_decoding::hex(all.back() ^ sum);
        }
        switch (code) {
            case 1: return copy(all, bus, done);
            case 2: return fill(all, bus, done);
            case 3: return swizzled_copy(all, argument == 1, bus, done);
            case 4: return aperture_entry(all, argument);
            case 5: return discard(all);
            case 6: return access(k.name, all, bus, false);
            default: return access(k.name, all, bus, true);
        }
    }

    [[nodiscard]] std::string wddm2_command(words rest, std::uint32_t code, gpu_bus& bus) {
        std::uint32_t const argument = mock_decoding::field(rest[0], 15, 8);
        mock_wddm2_commands::kind const k = mock_wddm2_commands::kind_of(code, argument);
        bool const has_entries = code == 0x08;
        std::size_t const entries = has_entries && rest.size() > 4 ? rest[4] & 0xFF : 0;
        std::size_t const length = k.length + entries;
        if ((rest[0] & 0xFF) != length || argument > k.argument_last) {
            return std::string(k.name) + " has " + std::to_string(length) + " dwords and arguments to " +
                   std::to_string(k.argument_last) + ", but says " + mock_decoding::hex(rest[0] & 0xFFFF);
        }
        if (rest.size() < length) {
            return mock_decoding::truncated(k.name, length, rest.size());
        }
        words const all = rest.first(length);
        // Entries are written by another hand than the head, which alone is summed up then.
        std::uint32_t sum = all.back();
        for (std::uint32_t const word : has_entries ? all.first(5) : all.first(length - 1)) {
            sum ^= word;
        }
        if (sum != 0) {
            return std::string(k.name) + " ends with " + mock_decoding::hex(all.back()) + ", not with " +
                   mock_decoding::hex(all.back() ^ sum);
        }
        return wddm2_operations_.execute(all, bus, [this](words w, std::size_t at) { return short_place(w, at); });
    }

    [[nodiscard]] located locate(std::uint64_t value, std::uint32_t target, std::uint32_t number) const {
        if (target != 0x11 && number != 0) {
            return {0, "number " + std::to_string(number) + " belongs to no segment's target"};
        }
        switch (target) {
            case 0x11: return mock_decoding::in_segment(map_, number, value);
            case 0x22: return mock_decoding::in_pages(map_, value);
            case 0x33: return mock_decoding::in_process(map_, value);
            default: return {0, "there is no target " + mock_decoding::hex(target)};
        }
    }
    [[nodiscard]] located place(words w, std::size_t at) const {
        return locate(mock_decoding::join(w[at], w[at + 1]), w[at + 2], w[at + 3]);
    }
    [[nodiscard]] located short_place(words w, std::size_t at) const {
        return locate(mock_decoding::join(w[at], w[at + 1]), w[at + 2] & 0xFF, w[at + 2] >> 8);
    }

    /// Gathers both sides of a copy that may not overlap; the empty string, or what is wrong.
    [[nodiscard]] std::string gather(std::string const& name, located const& to, located const& from,
                                     std::uint64_t size, std::uint64_t most, gpu_bus& bus) {
        if (!to.why.empty() || !from.why.empty()) {
            return name + ": " + (to.why.empty() ? from.why : to.why);
        }
        if (std::string why = mock_decoding::bad_extent(name, size, most, 16, from.bus_address, to.bus_address);
            !why.empty()) {
            return why;
        }
        if (!source_.gather(bus, from.bus_address, size)) {
            return mock_decoding::unbacked(name, "reads", size, from.bus_address);
        }
        if (!target_.gather(bus, to.bus_address, size)) {
            return mock_decoding::unbacked(name, "writes", size, to.bus_address);
        }
        if (pieces::ranges_share(from.bus_address, to.bus_address, size) || source_.shares_memory_with(target_)) {
            return name + " of " + std::to_string(size) + " bytes from " + mock_decoding::hex(from.bus_address) +
                   " to " + mock_decoding::hex(to.bus_address) + " overlaps itself";
        }
        return {};
    }

    [[nodiscard]] std::string copy(words w, gpu_bus& bus, execution& done) {
        if (std::string why = gather("copy", place(w, 1), place(w, 5), w[9], 10'000, bus); !why.empty()) {
            return why;
        }
        target_.assign(source_);
        done.moved_bytes += w[9];
        return {};
    }

    [[nodiscard]] std::string fill(words w, gpu_bus& bus, execution& done) {
        located const to = short_place(w, 1);
        if (!to.why.empty()) {
            return "fill: " + to.why;
        }
        if (std::string why = mock_decoding::bad_extent("fill", w[4], 6'000, 2, to.bus_address, 0); !why.empty()) {
            return why;
        }
        if (w[5] > 0xFF) {
            return "fill repeats one byte, not " + mock_decoding::hex(w[5]);
        }
        if (!target_.gather(bus, to.bus_address, w[4])) {
            return mock_decoding::unbacked("fill", "writes", w[4], to.bus_address);
        }
        target_.fill(w[5] * 0x0101'0101u);
        done.moved_bytes += w[4];
        return {};
    }

    [[nodiscard]] std::string swizzled_copy(words w, bool to_swizzled, gpu_bus& bus, execution& done) {
        if (std::string why = gather("swizzled copy", short_place(w, 1), short_place(w, 4), w[7], 4096, bus);
            !why.empty()) {
            return why;
        }
        std::uint64_t const key = mock_decoding::join(w[8], w[9]) / 4096 * 7 + std::uint64_t{w[10]} * 3 + w[11];
        std::vector<std::byte> const from = source_.bytes();
        std::vector<std::byte> to = from;  // what lies behind the last whole block stays where it is
        std::uint64_t const blocks = w[7] / 64;
        for (std::uint64_t i = 0; i < blocks; ++i) {
            std::uint64_t const turned = (i + key % blocks) % blocks;
            std::uint64_t const place = key % 2 != 0 ? blocks - 1 - turned : turned;
            std::uint64_t const read = to_swizzled ? i : place;
            std::uint64_t const written = to_swizzled ? place : i;
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(read * 64), 64,
                        to.begin() + static_cast<std::ptrdiff_t>(written * 64));
        }
        target_.scatter(to);
        done.moved_bytes += w[7];
        return {};
    }

    [[nodiscard]] std::string aperture_entry(words w, std::uint32_t segment) {
        std::uint64_t const entry = mock_decoding::join(w[2], w[3]);
        if (((entry >> 52) & 0x7FF) != 0x400) {
            return "aperture entry " + mock_decoding::hex(entry) + " has wrong bits in [62:52]";
        }
        std::byte* const at = tables_.find(segment, w[1]);
        if (at == nullptr) {
            return "there is no aperture entry " + std::to_string(w[1]) + " of segment " + std::to_string(segment);
        }
        std::memcpy(at, &entry, sizeof entry);
        return {};
    }

    [[nodiscard]] std::string discard(words w) {
        located const at = place(w, 1);
        if (!at.why.empty()) {
            return "discard: " + at.why;
        }
        if (w[5] != 0) {
            return "discard sets its dword 5, which is zero, to " + mock_decoding::hex(w[5]);
        }
        discarded_.push_back(at.bus_address);
        return {};
    }

    [[nodiscard]] std::string access(std::string const& name, words w, gpu_bus& bus, bool write) {
        located const at = short_place(w, 1);
        if (!at.why.empty()) {
            return name + ": " + at.why;
        }
        // What is written is arbitrary (OP03-01), so it is something that a test would notice.
        std::byte byte{0x3C};
        bool const there = write ? bus.write(at.bus_address, &byte, 1) : bus.read(at.bus_address, &byte, 1);
        return there ? std::string{} : mock_decoding::unbacked(name, write ? "writes" : "reads", 1, at.bus_address);
    }

    [[nodiscard]] std::optional<std::uint64_t> written_entry(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const entry = tables_.entry(segment, index);
        return entry && ((*entry >> 62) & 1) != 0 ? entry : std::nullopt;
    }

    mock_map map_;
    mock_tables tables_;
    std::vector<std::uint64_t> discarded_;
    mock_wddm2_commands wddm2_operations_;
    pieces::piece_list source_;
    pieces::piece_list target_;
};

}  // namespace wddmcore::testing

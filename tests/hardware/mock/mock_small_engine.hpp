// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mock_words.hpp"

#include <optional>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Decoder and executor of the small mock's commands, written from the table in its documentation alone.
class mock_small_engine final : public engine {
public:
    /// @param map        where the targets of addresses lie on the bus; values in segments have the segment's base in them
    /// @param apertures  the tables, which must live longer
    explicit mock_small_engine(mock_map map, std::vector<mock_aperture> apertures = {})
        : map_(std::move(map)), tables_(std::move(apertures)) {}

    /// The page number that an entry holds; none when there is no such entry.
    [[nodiscard]] std::optional<std::uint64_t> page_of(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const entry = tables_.entry(segment, index);
        return entry ? std::optional(~*entry & ((std::uint64_t{1} << 52) - 1)) : std::nullopt;
    }

    /// Whether an entry is coherent; none as above.
    [[nodiscard]] std::optional<bool> coherent_of(std::uint32_t segment, std::uint64_t index) const {
        std::optional<std::uint64_t> const entry = tables_.entry(segment, index);
        return entry ? std::optional((*entry >> 63) != 0) : std::nullopt;
    }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        if (dwords % 5 != 0) {
            return mock_decoding::stop(done, dwords,
                                       "the window has " + std::to_string(dwords) + " dwords, not whole grains of 5");
        }
        for (std::size_t at = 0; at < dwords;) {
            words const rest(commands + at, dwords - at);
            if (std::string why = command(rest, at, bus, done); !why.empty()) {
                return mock_decoding::stop(done, at, std::move(why));
            }
            at += rest[0] >> 26;
        }
        return done;
    }

private:
    using words = mock_decoding::words;
    using located = mock_decoding::located;

    struct kind {
        std::uint32_t code;
        char const* name;
        std::uint32_t length;
    };
    static constexpr kind kinds[] = {{0x21, "copy", 9}, {0x22, "fill", 8}, {0x23, "read", 6}, {0x24, "write", 6}};

    [[nodiscard]] std::string command(words rest, std::size_t at, gpu_bus& bus, execution& done) {
        std::uint32_t const first = rest[0];
        std::uint32_t const length = first >> 26;
        std::uint32_t const code = mock_decoding::field(first, 25, 20);
        std::uint32_t const size = mock_decoding::field(first, 19, 0);
        if (code == 0x3F) {
            return padding(rest, length, size, at);
        }
        for (kind const& k : kinds) {
            if (k.code == code) {
                if (length != k.length) {
                    return std::string(k.name) + " has " + std::to_string(k.length) + " dwords, but says " +
                           std::to_string(length);
                }
                if (rest.size() < length) {
                    return mock_decoding::truncated(k.name, length, rest.size());
                }
                if (rest[length - 2] != ~first || rest[length - 1] != 0xE4D0'E4D0) {
                    return std::string(k.name) + " ends with " + mock_decoding::hex(rest[length - 2]) + ", " +
                           mock_decoding::hex(rest[length - 1]);
                }
                std::string why = code == 0x21   ? copy(rest, size, bus, done)
                                  : code == 0x22 ? fill(rest, size, bus, done)
                                                 : access(k.name, rest, size, bus, code == 0x24);
                done.commands += why.empty();
                return why;
            }
        }
        return mock_decoding::hex(first) + " begins no command";
    }

    [[nodiscard]] static std::string padding(words rest, std::uint32_t length, std::uint32_t size, std::size_t at) {
        if (length == 0 || length > 4 || size != 0) {
            return "padding fills 1 to 4 dwords, not " + std::to_string(length) + ", and has no size";
        }
        if (length > rest.size() || (at + length) % 5 != 0) {
            return "padding of " + std::to_string(length) + " from dword " + std::to_string(at) +
                   " on does not end a grain";
        }
        for (std::uint32_t i = 1; i < length; ++i) {
            if (rest[i] != ~rest[0]) {
                return "padding goes on with " + mock_decoding::hex(rest[i]);
            }
        }
        return {};
    }

    [[nodiscard]] located place(words w, std::size_t at) const {
        std::uint64_t const value = mock_decoding::join(w[at + 1], w[at]);
        std::uint32_t const target = w[at + 2];
        switch (target) {
            case 0x8000'0001: return mock_decoding::in_pages(map_, value);
            case 0x8000'0002: return mock_decoding::in_process(map_, value);
            default: return mock_decoding::in_segment(map_, target, value);
        }
    }

    [[nodiscard]] std::string copy(words w, std::uint32_t size, gpu_bus& bus, execution& done) {
        located const from = place(w, 1);
        located const to = place(w, 4);
        if (!to.why.empty() || !from.why.empty()) {
            return "copy: " + (to.why.empty() ? from.why : to.why);
        }
        if (std::string why = mock_decoding::bad_extent("copy", size, 1'000, 8, from.bus_address, to.bus_address);
            !why.empty()) {
            return why;
        }
        if (!source_.gather(bus, from.bus_address, size)) {
            return mock_decoding::unbacked("copy", "reads", size, from.bus_address);
        }
        if (!target_.gather(bus, to.bus_address, size)) {
            return mock_decoding::unbacked("copy", "writes", size, to.bus_address);
        }
        target_.assign(source_);
        done.moved_bytes += size;
        return {};
    }

    [[nodiscard]] std::string fill(words w, std::uint32_t size, gpu_bus& bus, execution& done) {
        located const to = place(w, 1);
        if (!to.why.empty()) {
            return "fill: " + to.why;
        }
        if (std::string why = mock_decoding::bad_extent("fill", size, 1'500, 4, to.bus_address, 0); !why.empty()) {
            return why;
        }
        if (w[5] != ~w[4]) {
            return "fill has the pattern " + mock_decoding::hex(w[4]) + " and beside it " + mock_decoding::hex(w[5]);
        }
        if (!target_.gather(bus, to.bus_address, size)) {
            return mock_decoding::unbacked("fill", "writes", size, to.bus_address);
        }
        target_.fill(w[4]);
        done.moved_bytes += size;
        return {};
    }

    [[nodiscard]] std::string access(std::string const& name, words w, std::uint32_t size, gpu_bus& bus, bool write) {
        located const at = place(w, 1);
        if (!at.why.empty()) {
            return name + ": " + at.why;
        }
        if (size != 0) {
            return name + " has no size, but says " + std::to_string(size);
        }
        // What is written is arbitrary (OP03-01), so it is something that a test would notice.
        std::byte byte{0x96};
        bool const there = write ? bus.write(at.bus_address, &byte, 1) : bus.read(at.bus_address, &byte, 1);
        return there ? std::string{} : mock_decoding::unbacked(name, write ? "writes" : "reads", 1, at.bus_address);
    }

    mock_map map_;
    mock_tables tables_;
    pieces::piece_list source_;
    pieces::piece_list target_;
};

}  // namespace wddmcore::testing

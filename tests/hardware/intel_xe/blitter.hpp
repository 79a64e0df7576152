// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/piece_list.hpp>
#include <wddmcore/testing/walking_bus.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Decoder and executor of the blitter of Intel Xe2, written from the public driver's definitions alone.
///
/// Blits and stores between two flushes complete in any order, so such that touch the same memory are refused; so is
/// what is only a mistake here: tiles, other depths than 32 bits, rows with gaps, addresses inside a cache line,
/// caching policies that the adapter does not use. Commands are what moves or stores; padding and ordering are not
/// counted.
class xe_blitter final : public engine {
public:
    /// @param mocs  the entry of the caching-policy table that every blit must name
    /// @param walk  translates addresses; none: they are bus addresses
    explicit xe_blitter(std::uint32_t mocs, walking_bus::walker walk = {}) : mocs_(mocs), walk_(std::move(walk)) {}

    /// Calls something when translations are forgotten.
    void on_forget(std::function<void()> forget) { forget_ = std::move(forget); }
    /// How often that happened.
    [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        reads_.clear();
        writes_.clear();
        if (dwords % 2 != 0) {
            return stop(done, dwords, "a batch of " + std::to_string(dwords) + " dwords ends inside a quadword");
        }
        for (std::size_t at = 0; at < dwords;) {
            std::uint32_t const header = commands[at];
            std::size_t const length = length_of(header);
            if (length == 0) {
                return stop(done, at, "header " + pieces::hex(header) + " is not one of these commands");
            }
            if (length > dwords - at) {
                return stop(done, at,
                            "header " + pieces::hex(header) + " wants " + std::to_string(length) +
                                " dwords, but the window ends after " + std::to_string(dwords - at));
            }
            if (std::string why = one({commands + at, length}, bus, done); !why.empty()) {
                return stop(done, at, std::move(why));
            }
            at += length;
        }
        return done;
    }

private:
    using words = std::span<std::uint32_t const>;

    static execution& stop(execution& done, std::size_t at, std::string why) {
        done.ok = false;
        done.dword = at;
        done.why = std::move(why);
        return done;
    }

    /// The dwords of a command by its header; 0 for one that this decoder does not know.
    [[nodiscard]] static std::size_t length_of(std::uint32_t header) {
        std::uint32_t const client = header >> 29;
        if (client == 0) {
            switch (header >> 23) {
                case 0x00:
                case 0x02:
                case 0x05: return 1;
                case 0x20: return (header & 0x3FF) + 2;
                case 0x26: return (header & 0x3F) + 2;
                default: return 0;
            }
        }
        std::uint32_t const opcode = header >> 22 & 0x7F;
        bool const known = client == 2 && (opcode == 0x42 || opcode == 0x5A || opcode == 0x5B);
        return known ? (header & 0xFF) + 2 : 0;
    }

    [[nodiscard]] std::string one(words w, gpu_bus& bus, execution& done) {
        if (w[0] >> 29 == 2) {
            std::uint32_t const opcode = w[0] >> 22 & 0x7F;
            std::string why = opcode == 0x42   ? fast_copy(w, bus, done)
                              : opcode == 0x5A ? mem_copy(w, bus, done)
                                               : mem_set(w, bus, done);
            done.commands += why.empty();
            return why;
        }
        switch (w[0] >> 23) {
            case 0x20: {
                std::string why = store_data(w, bus);
                done.commands += why.empty();
                return why;
            }
            case 0x26: {
                std::string why = flush(w, bus);
                done.commands += why.empty() && (w[0] >> 14 & 1) != 0;  // a plain one only orders others
                return why;
            }
            case 0x02: ++done.interrupts; [[fallthrough]];
            default: return (w[0] & 0x7F'FFFF) == 0 ? "" : "header " + pieces::hex(w[0]) + " has stray bits";
        }
    }

    [[nodiscard]] static std::uint64_t wide(words w, std::size_t low) {
        return std::uint64_t{w[low + 1]} << 32 | w[low];
    }

    /// Gathers one side of a command.
    [[nodiscard]] std::string side(char const* name, std::uint64_t address, std::uint64_t size, bool writes,
                                   gpu_bus& bus, pieces::piece_list& list) {
        std::string const what = std::string(name) + (writes ? " writes " : " reads ") + std::to_string(size) +
                                 " bytes at " + pieces::hex(address);
        if (!walk_) {
            return list.gather(bus, address, size) ? "" : what + ", which are not all backed";
        }
        walking_bus pages(bus, walk_, writes);
        return list.gather(pages, address, size) ? "" : what + ": " + pages.why();
    }

    /// Whether a command may go while others are on their way.
    [[nodiscard]] std::string in_order(char const* name, pieces::piece_list const* source,
                                       pieces::piece_list const& target) const {
        for (pieces::piece_list const& before : writes_) {
            if (before.shares_memory_with(target) || (source != nullptr && before.shares_memory_with(*source))) {
                return std::string(name) + " touches what an earlier command may still be writing";
            }
        }
        for (pieces::piece_list const& before : reads_) {
            if (before.shares_memory_with(target)) {
                return std::string(name) + " writes what an earlier command may still be reading";
            }
        }
        return {};
    }

    [[nodiscard]] std::string fast_copy(words w, gpu_bus& bus, execution& done) {
        constexpr char const* name = "XY_FAST_COPY_BLT";
        if (w[0] != 0x5080'0008) {
            return std::string(name) + " has header " + pieces::hex(w[0]);
        }
        if (w[2] != 0 || w[6] != 0) {
            return std::string(name) + " does not begin at the corner of its surfaces";
        }
        std::uint32_t const depth_and_pitch = 3u << 24 | mocs_ << 20;
        if ((w[1] & 0xFFFF'0000) != depth_and_pitch) {
            return std::string(name) + " has " + pieces::hex(w[1]) +
                   " for its destination, not linear, 32 bits, policy " + std::to_string(mocs_);
        }
        if ((w[7] & 0xFFFF'0000) != mocs_ << 20) {
            return std::string(name) + " has " + pieces::hex(w[7]) + " for its source, not linear, policy " +
                   std::to_string(mocs_);
        }
        std::uint64_t const rows = w[3] >> 16;
        std::uint64_t const row_bytes = std::uint64_t{w[3] & 0xFFFF} * 4;
        // Coordinates are signed 16-bit numbers.
        if (rows == 0 || rows > 32767 || row_bytes == 0 || row_bytes > 32767 * 4) {
            return std::string(name) + " has " + std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                   " bytes";
        }
        for (std::size_t const pitch : {1u, 7u}) {
            std::uint32_t const bytes = w[pitch] & 0xFFFF;
            if (bytes < row_bytes || (rows != 1 && bytes != row_bytes)) {
                return std::string(name) + " has " + std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                       " bytes with a pitch of " + std::to_string(bytes);
            }
        }
        if (((wide(w, 4) | wide(w, 8) | row_bytes) & 63) != 0) {
            return std::string(name) + " is not in whole cache lines";
        }
        std::uint64_t const size = rows * row_bytes;
        pieces::piece_list source;
        pieces::piece_list target;
        if (std::string why = side(name, wide(w, 8), size, false, bus, source); !why.empty()) {
            return why;
        }
        if (std::string why = side(name, wide(w, 4), size, true, bus, target); !why.empty()) {
            return why;
        }
        if (source.shares_memory_with(target)) {
            return std::string(name) + " copies " + std::to_string(size) + " bytes over themselves";
        }
        if (std::string why = in_order(name, &source, target); !why.empty()) {
            return why;
        }
        target.assign(source);
        done.moved_bytes += size;
        reads_.push_back(std::move(source));
        writes_.push_back(std::move(target));
        return {};
    }

    [[nodiscard]] std::string mem_set(words w, gpu_bus& bus, execution& done) {
        constexpr char const* name = "MEM_SET";
        if (w[0] != 0x56C2'0005) {
            return std::string(name) + " has header " + pieces::hex(w[0]) + ", not the one for rows";
        }
        std::uint64_t const row_bytes = std::uint64_t{w[1]} + 1;
        std::uint64_t const rows = std::uint64_t{w[2]} + 1;
        std::uint64_t const pitch = std::uint64_t{w[3]} + 1;
        if (rows > 32767 || pitch > 65536 || row_bytes > pitch || (rows != 1 && row_bytes != pitch)) {
            return std::string(name) + " has " + std::to_string(rows) + " rows of " + std::to_string(row_bytes) +
                   " bytes with a pitch of " + std::to_string(pitch);
        }
        if ((w[6] & 0x00FF'FFFF) != mocs_ << 3) {
            return std::string(name) + " has " + pieces::hex(w[6]) + " for its value, not policy " +
                   std::to_string(mocs_);
        }
        std::uint64_t const size = rows * row_bytes;
        pieces::piece_list target;
        if (std::string why = side(name, wide(w, 4), size, true, bus, target); !why.empty()) {
            return why;
        }
        if (std::string why = in_order(name, nullptr, target); !why.empty()) {
            return why;
        }
        target.fill((w[6] >> 24) * 0x0101'0101u);
        done.moved_bytes += size;
        writes_.push_back(std::move(target));
        return {};
    }

    /// A copy of any bytes in a row: its source stands first. The places of the two policies are those of the vendor's
    /// own tests.
    [[nodiscard]] std::string mem_copy(words w, gpu_bus& bus, execution& done) {
        constexpr char const* name = "MEM_COPY";
        if (w[0] != 0x5680'0008 || (w[2] | w[3] | w[4]) != 0) {
            return std::string(name) + " has header " + pieces::hex(w[0]) + " or rows, not the one for bytes in a row";
        }
        if (w[9] != (mocs_ << 28 | mocs_ << 3)) {
            return std::string(name) + " has policies " + pieces::hex(w[9]) + ", not " + std::to_string(mocs_);
        }
        std::uint64_t const size = std::uint64_t{w[1]} + 1;
        pieces::piece_list source;
        pieces::piece_list target;
        if (std::string why = side(name, wide(w, 5), size, false, bus, source); !why.empty()) {
            return why;
        }
        if (std::string why = side(name, wide(w, 7), size, true, bus, target); !why.empty()) {
            return why;
        }
        if (source.shares_memory_with(target)) {
            return std::string(name) + " copies " + std::to_string(size) + " bytes over themselves";
        }
        if (std::string why = in_order(name, &source, target); !why.empty()) {
            return why;
        }
        target.assign(source);
        done.moved_bytes += size;
        reads_.push_back(std::move(source));
        writes_.push_back(std::move(target));
        return {};
    }

    [[nodiscard]] std::string store_data(words w, gpu_bus& bus) {
        constexpr char const* name = "MI_STORE_DATA_IMM";
        std::uint32_t const unit = (w[0] & 1u << 21) != 0 ? 8 : 4;
        std::uint32_t const count = ((w[0] & 0x3FF) - 1) * 4 / unit;
        if ((w[0] & ~0x2003FFu) != 0x1000'0000 || (w[0] & 0x3FF) != count * unit / 4 + 1 || count == 0 ||
            count > 0x1FF) {
            return std::string(name) + " has header " + pieces::hex(w[0]) + ", not one for dwords or quadwords";
        }
        if (wide(w, 1) % unit != 0) {
            return std::string(name) + " is not at a " + (unit == 8 ? "quadword: " : "dword: ") +
                   pieces::hex(wide(w, 1));
        }
        pieces::piece_list target;
        if (std::string why = side(name, wide(w, 1), std::uint64_t{count} * unit, true, bus, target); !why.empty()) {
            return why;
        }
        if (std::string why = in_order(name, nullptr, target); !why.empty()) {
            return why;
        }
        auto const data = std::as_bytes(w.subspan(3));
        target.scatter({data.begin(), data.end()});
        writes_.push_back(std::move(target));
        return {};
    }

    /// Everything before it has happened; optionally forgets translations, for which it must also store. A dword or a
    /// quadword.
    [[nodiscard]] std::string flush(words w, gpu_bus& bus) {
        constexpr char const* name = "MI_FLUSH_DW";
        bool const stores = (w[0] >> 14 & 1) != 0;
        bool const forgets = (w[0] >> 18 & 1) != 0;
        if (std::uint32_t const stray = w[0] & ~(0x1300'0000u | 1u << 14 | 1u << 18 | 0x3F);
            stray != 0 || w.size() < 4 || w.size() > (stores ? 5u : 4u)) {
            return std::string(name) + " has header " + pieces::hex(w[0]);
        }
        reads_.clear();
        writes_.clear();
        forgotten_ += forgets;
        if (forgets && stores && forget_) {
            forget_();
        }
        if (!stores) {
            bool const empty = w[1] == 0 && w[2] == 0 && w[3] == 0;
            return forgets ? std::string(name) + " forgets translations and stores nothing"
                   : empty ? ""
                           : std::string(name) + " has an address and stores nothing";
        }
        if (wide(w, 1) % 8 != 0) {
            return std::string(name) + " is not at a quadword of this address space: " + pieces::hex(wide(w, 1));
        }
        auto const data = std::as_bytes(w.subspan(3));
        pieces::piece_list target;
        if (std::string why = side(name, wide(w, 1), data.size(), true, bus, target); !why.empty()) {
            return why;
        }
        target.scatter({data.begin(), data.end()});
        return {};
    }

    std::uint32_t mocs_;
    std::function<void()> forget_;
    std::uint64_t forgotten_ = 0;
    walking_bus::walker walk_;
    std::vector<pieces::piece_list> reads_;
    std::vector<pieces::piece_list> writes_;
};

}  // namespace wddmcore::testing

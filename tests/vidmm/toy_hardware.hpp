// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_mmu.hpp"

#include <wddmcore/base/units.hpp>
#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// A machine that no vendor built, for testing the simulator: its command format is known to nobody else.
namespace toy {

using namespace wddmcore;

// A command is a header, 0xB50000nn with the code nn, and operands. Windows are multiples of four dwords. In 0xB50001nn
// addresses are physical where the machine has page tables.
enum class code : u32 {
    copy = 1,
    fill = 2,
    read = 3,
    write = 4,
    map = 5,
    fence = 6,
    call_back = 7,
    table_write = 8,  // count, address, entries
    table_fill = 9,   // count, address, entry
    table_copy = 10,  // count, and leaves_bit, source, destination
    flush = 11,       // root, first, last
    decompress = 12,  // bytes, address
    clean = 13,       // bytes, process, address
    signal = 14,      // address, value
    store = 15,       // address, value
};
inline constexpr u32 physical_bit = 0x100;
inline constexpr u32 leaves_bit = 0x80000000U;  ///< of a copy: of what it reads, only what leaf entries have
inline constexpr u64 compressed_block = 4096;

/// What the toy's decompression makes of a block, word by word; nothing that can be done twice.
inline void toy_decompress(std::byte* block, std::size_t size) {
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
        u64 word = 0;
        std::memcpy(&word, block + i, 8);
        word = word * 0x9E37'79B9'7F4A'7C15U + 0x1234'5678'9ABC'DEF1U + i;
        std::memcpy(block + i, &word, 8);
    }
}

/// Lines that were written and are not in memory yet; each knows whose address it is and where it goes.
struct toy_cache {
    struct line {
        u64 process;
        u64 va;
        u64 address;
        u64 value;
    };
    std::vector<line> lines;
    testing::gpu_bus* memory = nullptr;

    void clean(u64 process, u64 va, u64 size) {
        write_back([&](line const& l) { return l.process == process && l.va >= va && l.va - va < size; });
    }

    template <class Which>
    void write_back(Which const& which) {
        for (line const& l : lines) {
            if (which(l)) {
                static_cast<void>(memory->write(l.address, &l.value, 8));
            }
        }
        lines.erase(std::remove_if(lines.begin(), lines.end(), which), lines.end());
    }
};

inline constexpr u32 header_of(code c) { return 0xB5000000U | static_cast<u32>(c); }
inline constexpr u32 padding = 0xB5000000U;
inline constexpr u32 unit_dwords = 4;
inline constexpr u32 coherent_bit = 0x80000000U;
inline constexpr u64 largest_copy = 3 * 4096;  // bytes
inline constexpr u64 largest_fill = u64{64} << 20;

/// The aperture's entries.
struct aperture_table {
    struct entry {
        u64 page = 0;
        bool coherent = false;
    };
    std::vector<entry> entries;

    bool set(u64 index, u64 page, bool coherent) {
        if (index >= entries.size()) {
            return false;
        }
        entries[static_cast<std::size_t>(index)] = {page, coherent};
        return true;
    }
};

/// Executes commands; written apart from the driver that makes them.
class toy_engine final : public testing::engine {
public:
    explicit toy_engine(aperture_table& aperture) : aperture_(aperture) {}

    /// What somebody has hung into the stream for the test of stale pointers.
    void (*call_back)(void*) = nullptr;
    toy_mmu* mmu = nullptr;      ///< with page tables
    toy_cache* cache = nullptr;  ///< of processes' addresses
    /// Somebody watches the commands of notices.
    std::function<void(bool eviction, u64 address, u64 size)> on_notice;

    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        testing::execution x;
        std::size_t at = 0;
        while (at < dwords) {
            x.dword = at;
            std::uint32_t const head = commands[at];
            std::size_t const left = dwords - at;
            std::size_t const taken = head == 0xB5000000U ? 1 : in_space(commands + at, left, bus, x);
            if (taken == 0) {
                x.ok = false;
                return x;
            }
            x.commands += head == 0xB5000000U ? 0 : 1;
            at += taken;
        }
        return x;
    }

private:
    std::size_t in_space(std::uint32_t const* c, std::size_t left, testing::gpu_bus& bus, testing::execution& x) {
        if (mmu == nullptr || (c[0] & 0x100) != 0) {
            return one(c, left, bus, x);
        }
        translated_bus seen(*mmu, bus);
        return one(c, left, seen, x);
    }

    static std::uint64_t wide(std::uint32_t const* p) { return p[0] | (std::uint64_t{p[1]} << 32); }

    static std::size_t refuse(testing::execution& x, std::string why) {
        x.why = std::move(why);
        return 0;
    }

    std::size_t one(std::uint32_t const* c, std::size_t left, testing::gpu_bus& bus, testing::execution& x) {
        static constexpr std::size_t lengths[] = {1, 6, 6, 3, 4, 4, 1, 3, 4, 6, 6, 7, 4, 6, 5, 4};
        std::uint32_t const kind = c[0] & 0xff;
        if ((c[0] >> 9) != 0xB50000 >> 1 || kind > 15) {
            return refuse(x, "no such command");
        }
        std::size_t const length = lengths[kind] + (kind == 8 && left > 1 ? std::size_t{2} * c[1] : 0);
        if (length > left) {
            return refuse(x, "the command is cut off");
        }
        switch (kind) {
            case 1: return copy(c, bus, x) ? length : 0;
            case 2: return fill(c, bus, x) ? length : 0;
            case 3: {
                std::uint8_t dropped = 0;
                return bus.read(wide(c + 1), &dropped, 1) ? length : refuse(x, "read of nothing");
            }
            case 4: {
                std::uint64_t const any[2] = {0x1234567890abcdefU, 0xfedcba0987654321U};
                bool const fits = c[3] <= sizeof any;
                return fits && bus.write(wide(c + 1), any, c[3]) ? length : refuse(x, "write of nothing");
            }
            case 5:
                return aperture_.set(c[1] & ~coherent_bit, wide(c + 2), (c[1] & coherent_bit) != 0)
                           ? length
                           : refuse(x, "no such aperture entry");
            case 7: {
                std::uint64_t const address = wide(c + 1);
                call_back(reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)));
                return length;
            }
            case 8:
            case 9:
            case 10: return entries(c, bus) ? length : refuse(x, "page-table entries of nothing");
            case 11: mmu->flush(wide(c + 1), wide(c + 3), wide(c + 5)); return length;
            case 12:
                watched(true, wide(c + 2), c[1]);
                return decompressed(wide(c + 2), c[1], bus) ? length : refuse(x, "a block of nothing");
            case 13:
                watched(false, wide(c + 4), c[1]);
                cache->clean(wide(c + 2), wide(c + 4), c[1]);
                return length;
            case 14: return bus.write(wide(c + 1), c + 3, 8) ? length : refuse(x, "signal to nothing");
            case 15: return bus.write(wide(c + 1), c + 3, 4) ? length : refuse(x, "store to nothing");
            default: return length;
        }
    }

    // Commands 8 to 10: entry after entry, each read when its turn comes.
    static bool entries(std::uint32_t const* c, testing::gpu_bus& bus) {
        bool const leaves = (c[0] & 0xff) == 10 && (c[1] & leaves_bit) != 0;
        for (std::uint32_t i = 0; i < (c[1] & ~leaves_bit); ++i) {
            std::uint64_t entry = wide(c + 4 + ((c[0] & 0xff) == 8 ? 2 * i : 0));
            std::uint64_t target = wide(c + 2) + std::uint64_t{8} * i;
            if ((c[0] & 0xff) == 10) {
                if (!bus.read(target, &entry, 8)) {
                    return false;
                }
                target = wide(c + 4) + std::uint64_t{8} * i;
                entry &= leaves ? ~std::uint64_t{0x180} : ~std::uint64_t{0};
            }
            if (!bus.write(target, &entry, 8)) {
                return false;
            }
        }
        return true;
    }

    void watched(bool eviction, u64 address, u64 size) const {
        if (on_notice) {
            on_notice(eviction, address, size);
        }
    }

    static bool decompressed(std::uint64_t address, std::uint32_t size, testing::gpu_bus& bus) {
        std::vector<std::byte> block(4096);
        for (std::uint32_t done = 0; done < size; done += 4096) {
            if (!bus.read(address + done, block.data(), block.size())) {
                return false;
            }
            toy_decompress(block.data(), block.size());
            if (!bus.write(address + done, block.data(), block.size())) {
                return false;
            }
        }
        return true;
    }

    static bool copy(std::uint32_t const* c, testing::gpu_bus& bus, testing::execution& x) {
        std::uint64_t from = wide(c + 1);
        std::uint64_t to = wide(c + 3);
        std::uint64_t left = c[5];
        if (left == 0 || left > 12288) {
            return refuse(x, "a copy of " + std::to_string(left) + " bytes") != 0;
        }
        while (left != 0) {
            auto const source = bus.at(from, left);
            auto const target = bus.at(to, source.size);
            if (source.data == nullptr || target.data == nullptr) {
                return refuse(x, "copy of nothing") != 0;
            }
            for (std::size_t i = 0; i < target.size; ++i) {  // ascending, like the machine
                target.data[i] = source.data[i];
            }
            from += target.size;
            to += target.size;
            left -= target.size;
            x.moved_bytes += target.size;
        }
        return true;
    }

    static bool fill(std::uint32_t const* c, testing::gpu_bus& bus, testing::execution& x) {
        std::uint64_t to = wide(c + 1);
        std::uint64_t left = c[4];
        if (left == 0 || left > 67108864) {
            return refuse(x, "a fill of " + std::to_string(left) + " bytes") != 0;
        }
        while (left != 0) {
            auto const target = bus.at(to, left);
            if (target.data == nullptr) {
                return refuse(x, "fill of nothing") != 0;
            }
            // Each copy is twice as long as the one before: fills of gigabytes are among the tests.
            std::size_t done = std::min<std::size_t>(target.size, 4);
            std::memcpy(target.data, c + 3, done);
            while (done < target.size) {
                std::size_t const n = std::min(done, target.size - done);
                std::memcpy(target.data + done, target.data, n);
                done += n;
            }
            to += target.size;
            left -= target.size;
            x.moved_bytes += target.size;
        }
        return true;
    }

    aperture_table& aperture_;
};

}  // namespace toy

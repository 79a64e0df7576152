// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/units.hpp>
#include <wddmcore/testing/gpu_bus.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// A machine that no vendor built, for testing the simulator: its command format is known to nobody else.
namespace toy {

using namespace wddmcore;

// A command is a header, 0xB50000nn with the code nn, and operands. Windows are multiples of four dwords.
enum class code : u32 { copy = 1, fill = 2, read = 3, write = 4, map = 5, fence = 6, call_back = 7 };

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

    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        testing::execution x;
        std::size_t at = 0;
        while (at < dwords) {
            x.dword = at;
            std::uint32_t const head = commands[at];
            std::size_t const left = dwords - at;
            std::size_t const taken = head == 0xB5000000U ? 1 : one(commands + at, left, bus, x);
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
    static std::uint64_t wide(std::uint32_t const* p) { return p[0] | (std::uint64_t{p[1]} << 32); }

    static std::size_t refuse(testing::execution& x, std::string why) {
        x.why = std::move(why);
        return 0;
    }

    std::size_t one(std::uint32_t const* c, std::size_t left, testing::gpu_bus& bus, testing::execution& x) {
        static constexpr std::size_t lengths[] = {1, 6, 6, 3, 4, 4, 1, 3};
        std::uint32_t const kind = c[0] & 0xff;
        if ((c[0] >> 8) != 0xB50000 || kind > 7) {
            return refuse(x, "no such command");
        }
        std::size_t const length = lengths[kind];
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
            default: return length;
        }
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

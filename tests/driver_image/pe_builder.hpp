// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/image/pe_file.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// A small driver image, byte by byte as the format's specification says: code, constants with imports, relocations,
/// exception data and a load configuration.
namespace image_builder {

struct built {
    std::vector<std::byte> bytes;

    template <class T>
    void put(std::size_t at, T value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    void put_text(std::size_t at, std::string const& text) {
        std::memcpy(bytes.data() + at, text.c_str(), text.size() + 1);
    }
    [[nodiscard]] wddmcore::testing::pe_file read() const { return wddmcore::testing::pe_file(bytes); }
};

// Where things are in the file; RVAs are 0x1000 for code and 0x2000 for data.
inline constexpr std::size_t pe = 0x80, optional = pe + 24, directories = optional + 112, sections = optional + 240,
                             code = 0x400, data = 0x600, paged = 0xA00;
inline constexpr std::uint64_t base = 0x1'4000'0000;

inline void section(built& b, std::size_t index, std::string const& name, std::uint32_t size, std::uint32_t rva,
                    std::uint32_t raw, std::uint32_t file, std::uint32_t flags) {
    std::size_t const row = sections + 40 * index;
    std::memcpy(b.bytes.data() + row, name.data(), name.size());
    b.put(row + 8, size);
    b.put(row + 12, rva);
    b.put(row + 16, raw);
    b.put(row + 20, file);
    b.put(row + 36, flags);
}

[[nodiscard]] inline built image() {
    built b;
    b.bytes.resize(0xC00);
    b.put(0, std::uint16_t{0x5A4D});
    b.put(60, static_cast<std::uint32_t>(pe));
    b.put(pe, std::uint32_t{0x4550});
    b.put(pe + 4, std::uint16_t{0x8664});
    b.put(pe + 6, std::uint16_t{3});
    b.put(pe + 20, std::uint16_t{240});
    b.put(pe + 22, std::uint16_t{0x22});
    b.put(optional, std::uint16_t{0x20B});
    b.put(optional + 2, std::uint8_t{14});
    b.put(optional + 16, std::uint32_t{0x1000});  // entry point
    b.put(optional + 24, base);
    b.put(optional + 32, std::uint32_t{0x1000});
    b.put(optional + 36, std::uint32_t{0x200});
    b.put(optional + 56, std::uint32_t{0x4000});
    b.put(optional + 60, std::uint32_t{0x400});
    b.put(optional + 68, std::uint16_t{1});
    b.put(optional + 108, std::uint32_t{16});
    section(b, 0, ".text", 0x100, 0x1000, 0x200, code, 0x6000'0020);
    section(b, 1, ".data", 0x400, 0x2000, 0x400, data, 0xC000'0040);
    section(b, 2, "PAGE", 0x100, 0x3000, 0x200, paged, 0x6000'0020);
    auto const directory = [&b](std::size_t which, std::uint32_t rva, std::uint32_t size) {
        b.put(directories + 8 * which, rva);
        b.put(directories + 8 * which + 4, size);
    };
    // One library with one name: descriptor at 0x2000, thunks at 0x2040 and 0x2060, texts at 0x2080 and 0x20A0.
    directory(1, 0x2000, 40);
    b.put(data, std::uint32_t{0x2040});
    b.put(data + 12, std::uint32_t{0x2080});
    b.put(data + 16, std::uint32_t{0x2060});
    b.put(data + 0x40, std::uint64_t{0x20A0});
    b.put(data + 0x60, std::uint64_t{0x20A0});
    b.put_text(data + 0x80, "ntoskrnl.exe");
    b.put_text(data + 0xA2, "DbgPrint");
    // One row of exception data, its unwind information at 0x20D0.
    directory(3, 0x20C0, 12);
    b.put(data + 0xC0, std::uint32_t{0x1000});
    b.put(data + 0xC4, std::uint32_t{0x1010});
    b.put(data + 0xC8, std::uint32_t{0x20D0});
    b.put(data + 0xD0, std::uint32_t{1});
    // One address that moves, and the padding of its block.
    directory(5, 0x2100, 12);
    b.put(data + 0x100, std::uint32_t{0x2000});
    b.put(data + 0x104, std::uint32_t{12});
    b.put(data + 0x108, std::uint16_t{0xA120});
    b.put(data + 0x120, std::uint64_t{base + 0x1000});
    // The load configuration with a cookie at 0x2130.
    directory(10, 0x2200, 0x140);
    b.put(data + 0x200, std::uint32_t{0x140});
    b.put(data + 0x258, std::uint64_t{base + 0x2130});
    return b;
}

}  // namespace image_builder

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/segment.hpp>

#include <cstdio>
#include <sstream>
#include <string>

/// A picture of a segment table as SVG. Sizes differ by powers of ten, so heights follow their logarithms; a scale says
/// so. Letters are all equally wide, so that what fits in one viewer fits in another.
namespace wddmcore::examples {

/// What a block is, in words.
inline char const* text_of(segment::block const& one) {
    constexpr char const* of_kind[] = {"memory",   "memory, CPU visible", "memory behind a CPU host aperture",
                                       "aperture", "AGP aperture",        "hidden"};
    return one.row == nullptr ? "hole" : of_kind[static_cast<u32>(one.row->kind)];
}

/// The name that its row has, or what it is.
inline char const* name_of(segment::block const& one) {
    return one.row != nullptr && one.row->name != nullptr ? one.row->name : text_of(one);
}

/// A number of bytes in the largest unit that leaves something in front of the point.
inline std::string size_in_words(bytes size) {
    constexpr char const* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    u32 unit = 0;
    while (unit < 6 && size.n >> (10 * (unit + 1)) != 0) {
        ++unit;
    }
    u64 const whole = size.n >> (10 * unit);
    u64 const rest = size.n - (whole << (10 * unit));
    char text[48];
    if (rest == 0) {
        std::snprintf(text, sizeof text, "%llu %s", whole, units[unit]);
    } else {
        u64 const hundredths = (rest >> (unit > 5 ? 10 : 0)) * 100 >> (10 * unit - (unit > 5 ? 10 : 0));
        std::snprintf(text, sizeof text, "%llu.%02llu %s", whole, hundredths, units[unit]);
    }
    return text;
}

/// Pixels of a block in the picture: a few more for each doubling beyond a megabyte.
inline u32 height_of(bytes size) {
    u32 doublings = 0;
    while (doublings != 43 && size.n >> (doublings + 21) != 0) {
        ++doublings;
    }
    return 46 + 4 * doublings;
}

class segment_picture {
public:
    /// @param blocks  from the lowest address up
    explicit segment_picture(span<segment::block const> blocks) {
        u32 tall = 0;
        for (usize i = 0; i != blocks.count; ++i) {
            tall += height_of(blocks[i].size);
        }
        u32 const height = top + tall + 50 + height_of({u64{1} << 40});
        to_ << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 690 " << height << "' width='690' height='"
            << height
            << "' font-family='DejaVu Sans Mono, Consolas, monospace' font-size='13'>\n"
               "<title>A segment table</title>\n<rect width='690' height='"
            << height
            << "' fill='#ffffff'/>\n<text x='12' y='26' font-weight='bold'>Segments in the address space of the GPU"
               "</text>\n";
        u32 y = top;
        if (blocks.count != 0) {
            address(y, blocks[blocks.count - 1].last());
        }
        for (usize i = blocks.count; i-- != 0;) {
            box(blocks[i], y);
            y += height_of(blocks[i].size);
            address(y, blocks[i].first.n);
        }
        legend(y + 34);
        to_ << "</svg>\n";
    }

    /// The whole file.
    [[nodiscard]] std::string text() const { return to_.str(); }

private:
    static constexpr u32 left = 190, width = 480, top = 60;

    void rectangle(u32 x, u32 y, u32 wide, u32 tall, segment::block_kind what) {
        constexpr char const* looks[] = {"fill='#bcd3ee'", "fill='#d9d9d9'", "fill='#ffffff' stroke-dasharray='5 4'"};
        to_ << "<rect x='" << x << "' y='" << y << "' width='" << wide << "' height='" << tall << "' stroke='#000000' "
            << looks[static_cast<u32>(what)] << "/>\n";
    }
    void write(u32 x, u32 y, std::string const& words, char const* more = "") {
        to_ << "<text x='" << x << "' y='" << y << "'" << more << ">" << words << "</text>\n";
    }

    void box(segment::block const& one, u32 y) {
        u32 const tall = height_of(one.size);
        u32 const middle = y + tall / 2;
        to_ << "<g>\n";
        rectangle(left, y, width, tall, one.what);
        write(left + 12, middle - 5, name_of(one), " font-weight='bold'");
        write(left + width - 12, middle - 5, size_in_words(one.size), " text-anchor='end'");
        write(left + 12, middle + 14,
              one.what == segment::block_kind::reported
                  ? "segment " + std::to_string(one.row->id.n) + ", " + text_of(one)
              : one.what == segment::block_kind::hidden ? "not reported"
                                                        : "no segment");
        to_ << "</g>\n";
    }

    void address(u32 y, u64 value) {
        char words[20];
        std::snprintf(words, sizeof words, "%#018llx", value);
        write(12, y + 4, words);
        to_ << "<path d='M 168 " << y << " h 22' stroke='#000000'/>\n";
    }

    void legend(u32 y) {
        constexpr char const* names[] = {"segment", "hidden", "hole"};
        write(12, y + 12, "scale of heights");
        for (u32 i = 0; i != 3; ++i) {
            bytes const size{u64{1} << (20 + 10 * i)};
            to_ << "<rect x='" << left + 90 * i << "' y='" << y << "' width='14' height='" << height_of(size)
                << "' fill='#8c8c8c'/>\n";
            write(left + 90 * i + 20, y + 12, size_in_words(size));
            rectangle(530, y + 28 * i, 16, 16, static_cast<segment::block_kind>(i));
            write(556, y + 28 * i + 12, names[i]);
        }
    }

    std::ostringstream to_;
};

}  // namespace wddmcore::examples

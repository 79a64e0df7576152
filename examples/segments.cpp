// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A segment table is a constant in the DDI's words. The compiler checks the kinds and flags of the segments; sizes and
// the address of the BAR come at StartDevice. The library makes a picture of the table, as data: this program prints it
// and writes it as SVG.

#include <wddmcore/segment.hpp>

#include <cstdio>

using namespace wddmcore;
using segment::at, segment::at_start;

struct my_gpu : segment::mapped<3> {  // keeps hw::segment_map's promises from its table
    static constexpr segment_id gart{1}, vram{2};
    static constexpr segment::aperture window{
        .id = gart, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true, .name = "gart"};
    static constexpr segment::hidden firmware{at(0x7F'FF00'0000), 16 * mib, "firmware"};
    static constexpr auto large_bar = segment::table_of(
        gart, window, firmware, segment::cpu_visible_memory{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
    static constexpr auto small_bar = segment::table_of(
        gart, window, firmware,
        segment::memory_behind_host_aperture{.id = vram, .base = at(0x80'0000'0000), .size = at_start});
    static_assert(check_segments<large_bar, segment::profile{}>() && check_segments<small_bar, segment::profile{}>());
};

char const* text_of(segment::block const& one) {
    constexpr char const* of_kind[] = {"memory",   "memory, CPU visible", "memory behind a CPU host aperture",
                                       "aperture", "AGP aperture",        "hidden"};
    return one.row == nullptr ? "hole" : of_kind[static_cast<u32>(one.row->kind)];
}

/// Prints the picture, the highest address first. If the table is right, the line above a block is the end of that
/// block.
void print(span<segment::block const> blocks) {
    constexpr char const* line = "+-----------------------------------------------+";
    std::printf("%18s %s\n", "", line);
    for (usize index = blocks.count; index-- != 0;) {
        segment::block const& one = blocks[index];
        char const* const name = one.row != nullptr && one.row->name != nullptr ? one.row->name : "";
        u32 const id = one.what == segment::block_kind::reported ? one.row->id.n : 0;
        std::printf("%18s | %2.0u %-33s %-8s |\n", "", id, text_of(one), name);
        std::printf("%18s | %15llu KiB %25s |\n", "", one.size.n / kib.n, "");
        std::printf("%#018llx %s\n", one.first.n, line);
    }
}

/// Writes the picture with boxes of equal height, because sizes differ by powers of ten.
bool write_svg(span<segment::block const> blocks, char const* path) {
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) {
        return false;
    }
    std::fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' width='520' height='%zu' font-family='monospace'>\n",
                 blocks.count * 48 + 24);
    for (usize index = 0; index < blocks.count; ++index) {
        segment::block const& one = blocks[index];
        usize const top = (blocks.count - 1 - index) * 48 + 8;
        char const* const colour[] = {"lightsteelblue", "lightgrey", "white"};
        std::fprintf(file, "<rect x='180' y='%zu' width='330' height='48' stroke='black' fill='%s'/>\n", top,
                     colour[static_cast<u32>(one.what)]);
        std::fprintf(file, "<text x='190' y='%zu'>%s</text>\n", top + 28, text_of(one));
        std::fprintf(file, "<text x='4' y='%zu'>%#018llx</text>\n", top + 46, one.first.n);
    }
    bool const whole = std::fprintf(file, "</svg>\n") > 0;
    return std::fclose(file) == 0 && whole;
}

int main(int count, char** arguments) {
    my_gpu gpu{};
    gpu.segments = my_gpu::small_bar;  // the BAR could not be resized; numbers follow
    segment::cpu_host_aperture const bar{.base = {0xE000'0000}, .size_in_pages = 65536};
    auto const overlap = gpu.segments.place(my_gpu::vram, {.size = 128 * 1024 * gib}).what;
    std::printf("128 TiB of memory are refused: %s\n", segment::text_of(overlap));
    auto const good = gpu.segments.place(my_gpu::vram, {.size = 16 * gib, .host_aperture = bar}).what;
    bool const placed = overlap == segment::rule::overlap && good == segment::rule::none;
    auto const drawn = segment::layout(gpu.segments);
    print(drawn.all());
    bool const written = write_svg(drawn.all(), count > 1 ? arguments[1] : "segments.svg");
    return placed && written && drawn.counts.blocks == 4 && gpu.place(my_gpu::vram).size == 16 * gib ? 0 : 1;
}

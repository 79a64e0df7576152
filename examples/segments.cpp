// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A segment table is a constant in the DDI's words. The compiler checks the kinds and flags of the segments; sizes and
// the address of the BAR come at StartDevice. The library makes a picture of the table, as data: this program prints it
// and writes it as SVG.

#include "segments/svg.hpp"

#include <cstdio>
#include <fstream>
#include <string_view>

using namespace wddmcore;
using namespace wddmcore::examples;
using segment::at, segment::at_start;

constexpr char const* picture = WDDMCORE_EXAMPLE_OUTPUT "/segments.svg";

struct my_gpu : segment::mapped<3> {  // keeps hw::segment_map's promises from its table
    static constexpr segment_id gart{1}, vram{2};
    static constexpr segment::aperture window{
        .id = gart, .base = at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true, .name = "gart"};
    static constexpr segment::hidden firmware{at(0x7F'FF00'0000), 16 * mib, "firmware"};
    static constexpr auto large_bar = segment::table_of(
        gart, window, firmware,
        segment::cpu_visible_memory{.id = vram, .base = at(0x80'0000'0000), .size = at_start, .name = "vram"});
    static constexpr auto small_bar = segment::table_of(
        gart, window, firmware,
        segment::memory_behind_host_aperture{.id = vram, .base = at(0x80'0000'0000), .size = at_start, .name = "vram"});
    static_assert(check_segments<large_bar, segment::profile{}>() && check_segments<small_bar, segment::profile{}>());
};

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

int main(int count, char** arguments) {
    if (count > 2 || (count == 2 && std::string_view(arguments[1]).starts_with("-"))) {
        std::printf("segments [FILE]\nPrints a segment table and writes its picture as SVG; without FILE to %s\n",
                    picture);
        return count == 2 && std::string_view(arguments[1]) == "--help" ? 0 : 2;
    }
    my_gpu gpu{};
    gpu.segments = my_gpu::small_bar;  // the BAR could not be resized; numbers follow
    segment::cpu_host_aperture const bar{.base = {0xE000'0000}, .size_in_pages = 65536};
    auto const overlap = gpu.segments.place(my_gpu::vram, {.size = 128 * 1024 * gib}).what;
    std::printf("128 TiB of memory are refused: %s\n", segment::text_of(overlap));
    auto const good = gpu.segments.place(my_gpu::vram, {.size = 16 * gib, .host_aperture = bar}).what;
    bool const placed = overlap == segment::rule::overlap && good == segment::rule::none;
    auto const drawn = segment::layout(gpu.segments);
    print(drawn.all());
    char const* const path = count > 1 ? arguments[1] : picture;
    if (!(std::ofstream(path) << segment_picture(drawn.all()).text()).flush()) {
        std::fprintf(stderr, "segments: %s cannot be written\n", path);
        return 2;
    }
    std::printf("picture: %s\n", path);
    return placed && drawn.counts.blocks == 4 && gpu.place(my_gpu::vram).size == 16 * gib ? 0 : 1;
}

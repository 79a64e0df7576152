// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "run.hpp"

#include <hardware/amd_gfx10_memory.hpp>
#include <hardware/cpu_memory.hpp>
#include <hardware/intel_xe_memory.hpp>
#include <hardware/nvidia_ampere_memory.hpp>

#include <cstdio>

namespace wddmcore::examples::report {

namespace {

[[nodiscard]] char const* kind_of(segment::block const& one) {
    constexpr char const* of_kind[] = {"memory",   "memory, CPU visible", "memory behind a CPU host aperture",
                                       "aperture", "AGP aperture",        "hidden"};
    return one.row == nullptr ? "hole" : of_kind[static_cast<u32>(one.row->kind)];
}

/// A table whose numbers were placed, as the library draws it.
template <usize Rows>
void write_table(json& out, char const* hardware, segment::table<Rows> const& table) {
    auto const drawn = segment::layout(table);
    out.open('{').text("hardware", hardware).number("paging", table.paging_buffer.n).key("blocks").open('[');
    for (segment::block const& one : drawn.all()) {
        bool const reported = one.what == segment::block_kind::reported;
        out.open('{').text("what", reported ? "segment" : one.row != nullptr ? "hidden" : "hole");
        out.text("kind", kind_of(one)).number("id", reported ? one.row->id.n : 0);
        out.text("name", one.row != nullptr && one.row->name != nullptr ? one.row->name : "");
        out.text("first", hex(one.first.n, 16)).text("last", hex(one.last(), 16)).text("size", hex(one.size.n));
        out.close('}');
    }
    out.close(']').close('}');
}

}  // namespace

bool write_segments(json& out) {
    // What StartDevice would find.
    cpu_physical_address const bar{0x38'0000'0000};
    segment::cpu_host_aperture const window{.base = {0xE000'0000}, .size_in_pages = 65536};
    auto processor = cpu::processor_memory::layout;
    auto gfx10 = amd::gfx10_memory::small_bar;
    auto ampere = nvidia::ampere_memory::layout;
    auto xe = intel::xe_memory::layout;
    segment::rule const refused[] = {
        processor.place(cpu::processor_memory::local, {.size = 256 * mib, .cpu = bar}).what,
        gfx10.place(amd::gfx10_memory::vram, {.size = 8 * gib, .host_aperture = window}).what,
        ampere.place(nvidia::ampere_memory::framebuffer, {.size = 16 * gib, .cpu = bar}).what,
        xe.place(intel::xe_memory::local, {.size = 12 * gib, .cpu = bar}).what};
    out.open('[');
    write_table(out, "cpu", processor);
    write_table(out, "amd_gfx10", gfx10);
    write_table(out, "nvidia_ampere", ampere);
    write_table(out, "intel_xe", xe);
    out.close(']');
    for (segment::rule const rule : refused) {
        if (rule != segment::rule::none) {
            std::fprintf(stderr, "segments: %s\n", segment::text_of(rule));
            return false;
        }
    }
    return true;
}

}  // namespace wddmcore::examples::report

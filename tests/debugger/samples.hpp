// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;

/// An MDL with its array behind it, as in the DDI.
struct mdl_with_pages {
    mirror::vista::mdl header;
    usize page_numbers[2];
};

/// Objects as a debugger meets them, one or more of each type that has a visualizer; expected.txt says how each looks.
struct samples {
    bytes some_bytes{4097};
    bytes eight_mib = 8 * mib;
    bytes twelve_kib = 12 * kib;
    pages three_pages{3};
    dwords seven_dwords{7};
    megabytes five_megabytes{5};
    page_number a_page{0x1234};
    segment_id system_memory{0};
    segment_id second_segment{2};
    segment_address base{0x80'0000'0000};
    segment_address unknown_base = segment::at_start;
    segment_offset offset{0x2000};
    cpu_physical_address bar{0xE000'0000};
    gpu_virtual_address a_gpu_address{0x7000'0000};
    preemption::fence_id a_fence{41};
    preemption::serial a_serial{42};
    preemption::generation a_generation{43};

    u32 numbers[3] = {10, 20, 30};
    span<u32> some_numbers = span_of(numbers);
    result<u32> a_value = good(u32{9});
    result<u32> a_refusal = refused<u32>(errc::overflow);

    usize frames[3] = {0x500, 0x501, 0x907};
    adl::source range = adl::from_range({0x4'0000}, {16}).value;
    adl::source list = adl::from_array(frames, 3).value;
    adl::source nothing = adl::no_pages;
    adl::cursor in_the_range{range, 5};
    adl::cursor in_the_list{list, 2};
    adl::cursor at_the_end{list, 3};
    adl::run a_run{{0x500}, {2}};
    mirror::v2_9::dxgk_adl contiguous_adl{};
    mirror::v2_9::dxgk_adl listed_adl{};

    mdl_with_pages two_pages{};
    mirror::vista::mdl empty_mdl{};

    mirror::vista::dxgkarg_buildpagingbuffer fill{};
    mirror::v3_2::dxgkarg_buildpagingbuffer notice{};
    mirror::v3_2::dxgkarg_buildpagingbuffer unknown_operation{};
    paging_fault a_fault{paging_operation::fill, paging_rule::nothing_to_fill, 0x10, 0x20};

    static constexpr segment_id gart{1}, vram{2};
    segment::table<3> memory = segment::table_of(
        gart, segment::aperture{.id = gart, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib, .coherent = true},
        segment::cpu_visible_memory{.id = vram, .base = segment::at(0x80'0000'0000), .size = 8 * gib},
        segment::hidden{.base = segment::at(0x90'0000'0000), .size = 4 * kib});
    segment::view whole_memory = memory.all();

    preemption::actions demanded{};
    preemption::engine<4> idle_engine;
    preemption::engine<4> busy_engine;
    preemption::engine<4> stopping_engine;
    preemption::resume_slot empty_slot{};
    preemption::resume_slot taken_slot{};

    /// Brings the machines and the structures with unions into a state worth looking at.
    void prepare() {
        contiguous_adl.PageCount = 16;
        contiguous_adl.Flags.Contiguous = 1;
        contiguous_adl.BasePageNumber = 0x4'0000;
        listed_adl.PageCount = 3;
        listed_adl.Pages = frames;
        two_pages.header.ByteCount = 5000;
        two_pages.header.ByteOffset = 0x20;
        two_pages.page_numbers[0] = 0x600;
        two_pages.page_numbers[1] = 0x777;

        fill.DmaSize = 256;
        fill.Operation = static_cast<u32>(paging_operation::fill);
        fill.MultipassOffset = 7;
        fill.Fill.FillSize = 4096;
        fill.Fill.FillPattern = 0xABCD;
        notice.Operation = static_cast<u32>(paging_operation::notify_alloc);
        unknown_operation.Operation = 99;

        idle_engine.start({preemption::stopping::between_buffers, true}, {40});
        busy_engine.start({preemption::stopping::between_buffers, true});
        static_cast<void>(busy_engine.submit({{100}, 0, {0, 64}, 0}));
        static_cast<void>(busy_engine.submit({{101}, 0, {64, 128}, 0}));
        static_cast<void>(busy_engine.next());
        // Wrapped around the end of its ring: one packet is through, one in hardware when it is asked for, two held.
        stopping_engine.start({preemption::stopping::inside_a_buffer, true}, {0}, {3});
        static_cast<void>(stopping_engine.submit({{200}, 0, {0, 64}, 0}));
        static_cast<void>(stopping_engine.next());
        static_cast<void>(stopping_engine.completed({3}));
        static_cast<void>(stopping_engine.submit({{201}, 0, {0, 64}, 0}));
        static_cast<void>(stopping_engine.next());
        demanded = stopping_engine.preempt({900});
        static_cast<void>(stopping_engine.submit({{202}, 0, {8, 16}, 0}));
        static_cast<void>(stopping_engine.reject({{203}, 0, {16, 24}, 0}));
        taken_slot.keep({0x9000, {0, 64}});
    }
};

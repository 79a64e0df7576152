// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "toy_machine.hpp"

#include "toy_driver.hpp"

#include <wddmcore/testing/vidmm.hpp>
#include <wddmcore/testing/vidmm/isolated.hpp>

namespace toy {

namespace {

/// Everything that one run needs, in one place that does not move.
struct rig {
    explicit rig(setup s) : engine(table), driver(table), options(std::move(s.options)) {
        table.entries.resize(aperture_pages);
        driver.wrong = s.wrong;
        driver.record_bytes = s.record_bytes;
        driver.counts_dma_size_down = s.counts_dma_size_down;
        driver.aperture_by_command = s.aperture_by_command;
        for (auto const& segment : options.segments) {
            driver.bases[segment.id] = segment.base;
        }
        if (options.aperture != testing::vidmm_aperture::none) {
            options.page_of = [this](std::uint64_t i) { return table.entries[static_cast<std::size_t>(i)].page; };
            options.coherent_of = [this](std::uint64_t i) {
                return table.entries[static_cast<std::size_t>(i)].coherent;
            };
        }
        options.set_busy = [this](void* allocation, bool busy) {
            busy ? static_cast<void>(driver.busy.insert(allocation)) : static_cast<void>(driver.busy.erase(allocation));
        };
        engine.call_back = [](void* stale) { static_cast<void>(*static_cast<u32 volatile*>(stale)); };
        mm = std::make_unique<testing::vidmm>(testing::bind_host_driver(driver, s.version), options,
                                              s.executes_itself ? nullptr : &engine);
        driver.own_engine = s.executes_itself ? &engine : nullptr;
        driver.bus = &mm->bus();
    }

    aperture_table table;
    toy_engine engine;
    toy_driver driver;
    testing::vidmm_options options;
    std::unique_ptr<testing::vidmm> mm;
};

testing::vidmm_options common() {
    testing::vidmm_options o;
    o.segments = {{.id = 1, .base = 0x1000'0000, .size = 640 << 10},
                  {.id = 2, .base = 0x9'8000'0000, .size = 512 << 10}};
    o.ram_pages = 320;
    o.largest_allocation = 64 << 10;
    o.most_allocations = 10;
    o.va_size = 1 << 20;
    o.smallest_paging_buffer = 32;
    o.largest_paging_buffer = 4096;
    o.command_alignment = 16;
    return o;
}

}  // namespace

setup physical(wddm version) {
    setup s;
    s.version = version;
    s.options = common();
    s.options.segments.push_back(
        {.id = 3, .base = 0x4000'0000, .size = aperture_pages * 4096, .aperture = true, .cache_coherent = true});
    s.options.aperture = at_least(version, wddm::v2_9) ? testing::vidmm_aperture::adl : testing::vidmm_aperture::mdl;
    return s;
}

setup gpu_virtual(wddm version) {
    setup s = physical(version);
    s.options.addressing = testing::vidmm_addressing::gpu_virtual;
    return s;
}

setup without_aperture(setup s) {
    s.options.segments.pop_back();
    s.options.aperture = testing::vidmm_aperture::none;
    return s;
}

setup aperture_only(wddm version) {
    setup s = physical(version);
    s.options.segments.erase(s.options.segments.begin(), s.options.segments.begin() + 2);
    return s;
}

testing::vidmm_report run(setup const& s) {
    rig r(s);
    r.mm->run(s.options.seed, s.steps);
    return r.mm->report();
}

std::string transcript(setup const& s) {
    rig r(s);
    r.mm->run(s.options.seed, s.steps);
    return r.mm->transcript();
}

ending run_isolated(setup const& s, u32 milliseconds) {
    auto const verdict = testing::run_isolated([&] { return run(s); }, std::chrono::milliseconds(milliseconds));
    ending e;
    e.crashed = verdict.how == testing::vidmm_verdict::ending::crashed;
    e.hung = verdict.how == testing::vidmm_verdict::ending::hung;
    if (!verdict.violations.empty()) {
        e.rule = verdict.violations.front().rule;
        e.sentence = verdict.violations.front().sentence;
    }
    e.last_call = verdict.last_call;
    e.text = verdict.text;
    return e;
}

testing::vidmm_report round_trip(setup const& s, u64 size, u32 times) {
    rig r(s);
    auto const number = r.mm->create(bytes{size});
    for (u32 i = 0; i < times; ++i) {
        r.mm->commit(number, segment_id{1});
        r.mm->evict(number);
    }
    r.mm->finish();
    return r.mm->report();
}

testing::vidmm_report fill_huge(setup s, u64 size) {
    s.options.segments = {{.id = 1, .base = 0x10'0000'0000, .size = size + (1 << 20), .hollow = true}};
    s.options.aperture = testing::vidmm_aperture::none;
    rig r(s);
    auto const number = r.mm->create_empty(bytes{size});
    r.mm->fill(number, 0x12345678, segment_id{1});
    r.mm->finish();
    return r.mm->report();
}

}  // namespace toy

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "toy_machine.hpp"

#include "toy_rooted_driver.hpp"

#include <wddmcore/testing/vidmm.hpp>
#include <wddmcore/testing/vidmm/isolated.hpp>

#include <bit>

namespace toy {

namespace {

/// Everything that one run needs, in one place that does not move.
struct rig {
    explicit rig(setup s) : engine(table), driver(table), options(std::move(s.options)) {
        table.entries.resize(aperture_pages);
        driver.wrong = s.wrong;
        driver.own_adapter = s.own_adapter.value_or(options.physical_adapter.value_or(0));
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
        if (options.page_tables.used()) {
            observe();
        }
        engine.cache = &cache;
        if (s.notices) {
            notice();
        }
        if (s.contexts) {
            make_contexts();
        }
        if (s.residency) {
            tell_residency();
        }
        driver.on_transfer = s.watches_transfers;
        if (s.watches_notices) {
            watch(s.watches_notices);
        }
        engine.call_back = [](void* stale) { static_cast<void>(*static_cast<u32 volatile*>(stale)); };
        wddmcore_driver_table functions = testing::bind_host_driver(driver, s.version);
        if (s.roots) {
            tell_roots(functions, s.growing_roots, s.makes_contexts);
        }
        mm = std::make_unique<testing::vidmm>(functions, options, s.executes_itself ? nullptr : &engine);
        driver.own_engine = s.executes_itself ? &engine : nullptr;
        driver.bus = &mm->bus();
        mmu.bus = &mm->bus();
        cache.memory = &mm->memory();
        mmu.on_fault = [this](u64 va) { mm->page_fault(va); };
    }

    void make_contexts() {
        options.contexts.bytes = toy_context_bytes;
        options.contexts.initial = [](std::span<std::byte> image) {
            for (u64 i = 0; i < image.size() / 4; ++i) {
                u32 const word = toy_context_word(i);
                std::memcpy(image.data() + i * 4, &word, 4);
            }
        };
        if (options.addressing == testing::vidmm_addressing::physical) {
            return;
        }
        options.contexts.private_data = [](u64 choice) {
            std::vector<std::byte> data(8 * (1 + choice % 3));
            for (u64 i = 0; i < data.size() / 8; ++i) {
                u32 const pair[2] = {static_cast<u32>(choice >> 8 & 0x3ff) * 4 + static_cast<u32>(i) * 16,
                                     static_cast<u32>(choice >> 20) | 1};
                std::memcpy(data.data() + i * 8, pair, 8);
            }
            return data;
        };
        options.contexts.update = [](std::span<std::byte> image, std::span<std::byte const> data) {
            for (u64 i = 0; i < data.size() / 8; ++i) {
                u32 pair[2] = {};
                std::memcpy(pair, data.data() + i * 8, 8);
                std::memcpy(image.data() + pair[0], pair + 1, 4);
            }
        };
    }

    void tell_residency() {
        auto const place = [](auto const& map, auto const& key) {
            auto const found = map.find(key);
            return found == map.end()
                       ? std::nullopt
                       : std::optional(testing::vidmm_location{found->second.segment, found->second.offset});
        };
        auto& n = options.notices;
        n.residency_of = [this, place](void* allocation) { return place(driver.resident, allocation); };
        n.page_residency_of = [this, place](void* allocation, u64 page) {
            return place(driver.resident_pages, std::pair{allocation, page});
        };
        n.fence_value_of = [this, place](void* fence, u32 which) {
            return place(driver.fence_values, std::pair{fence, which});
        };
        n.mmu_page_of = [this](u32 id, u64 va) {
            auto const found = driver.mmu_pages.find({id, va});
            return found == driver.mmu_pages.end() ? std::nullopt : std::optional(found->second);
        };
        n.mmus = {0, 3};
        n.monitored_fences = true;
    }

    // The hardware's side of notices.
    void notice() {
        options.notify.on_eviction = [](std::span<std::byte> block) { toy_decompress(block.data(), block.size()); };
        options.notify.writes = [this](void* process, u64 va, u64 address, std::span<std::byte const> bytes) {
            u64 value = 0;
            std::memcpy(&value, bytes.data(), 8);
            cache.lines.push_back({reinterpret_cast<std::uintptr_t>(process), va, address, value});
        };
        options.notify.write_back = [this] { cache.write_back([](toy_cache::line const&) { return true; }); };
    }

    // A moment is told with what the tables say: the paging process's address space is the only one at work.
    void watch(std::function<void(notice_moment const&)> const& tell) {
        using what = notice_moment::what;
        auto const at = [this, tell](notice_moment m) {
            m.see = [this](u64 address) {
                toy_mmu looking;  // without the engine's bus: who only looks leaves no trace
                looking.index_bits = mmu.index_bits;
                looking.bus = &mm->memory();
                auto const found = looking.walk(mmu.root, address);
                return found ? std::optional(found->address) : std::nullopt;
            };
            tell(m);
        };
        driver.on_notice = [at](bool eviction, u64 address, u64 size, void* process) {
            at({.is = what::built, .eviction = eviction, .address = address, .size = size, .process = process});
        };
        driver.on_submit = [this, at](void* context) {
            at({.is = what::submitted, .in_system_context = context == nullptr || driver.is_of_the_system(context)});
        };
        engine.on_notice = [at](bool eviction, u64 address, u64 size) {
            at({.is = what::executed, .eviction = eviction, .address = address, .size = size});
        };
        options.notify.write_back = [at, ends = options.notify.write_back] {
            at({.is = what::unmapped});
            ends();
        };
    }

    // The hardware's side of page tables.
    void observe() {
        engine.mmu = &mmu;
        for (auto const& level : options.page_tables.levels) {
            mmu.index_bits.push_back(level.index_bits);
        }
        mmu.page_lg2 = static_cast<u32>(std::countr_zero(options.page_tables.gpu_page_bytes / 4096));
        mmu.dual = options.page_tables.dual_tables;
        driver.page_lg2 = mmu.page_lg2;
        driver.dual = mmu.dual;
        mmu.wide_64k = options.page_tables.entry_bytes_64k == 16;
        driver.wide_64k = mmu.wide_64k;
        mmu.remembers_nothing = !options.page_tables.invalid_not_cached;
        driver.system_base = options.system_base;
        driver.flush_register = [this](u64 root, u64 first, u64 last) { mmu.flush(root, first, last); };
        auto const at = [this](u32 segment, u64 offset) {
            return offset + (segment == 0 ? options.system_base : driver.bases.at(segment));
        };
        options.page_tables.translate = [this, at](u32 segment, u64 offset, u64 va, bool past_caches) {
            auto const found = past_caches ? mmu.walk(at(segment, offset), va) : mmu.translate(at(segment, offset), va);
            driver.table_seen = at(segment, offset);
            return found
                       ? std::optional(testing::vidmm_translation{found->address, found->attributes, found->protection})
                       : std::nullopt;
        };
        options.page_tables.enter = [this, at](u32 segment, u64 offset) { mmu.root = at(segment, offset); };
        options.lose_power = [this] {
            mmu.lose_power();
            driver.power_lost();
        };
    }

    // The hardware's side of contexts: each has a root and the number of its entries.
    void tell_roots(wddmcore_driver_table& functions, bool grow, bool makes_contexts) {
        testing::vidmm_parts::add_virtual_functions(driver, functions);
        functions.get_root_page_table_size = grow ? functions.get_root_page_table_size : nullptr;
        if (makes_contexts) {
            driver.add_context_functions(functions);
        } else {
            know_contexts();
        }
        see_through_contexts();
    }

    void know_contexts() {
        options.page_tables.context_of = [](u32 process, u32 which) {
            return reinterpret_cast<void*>(std::uintptr_t{0xC047'0000} + process * 64 + which * 8);
        };
    }

    void see_through_contexts() {
        options.page_tables.translate_in_context = [this](void* context, u64 va, bool past_caches) {
            auto const root = driver.root_of(context);
            u32 shift = 12;
            for (std::size_t level = 0; level + 1 < mmu.index_bits.size(); ++level) {
                shift += mmu.index_bits[level];
            }
            if (!root || (va >> shift >= root->entries && !driver.wrong.root_without_limit)) {
                return std::optional<testing::vidmm_translation>();
            }
            return options.page_tables.translate(root->segment, root->offset, va, past_caches);
        };
    }

    aperture_table table;
    toy_engine engine;
    toy_rooted_driver driver;
    toy_mmu mmu;
    toy_cache cache;
    testing::vidmm_options options;
    std::unique_ptr<testing::vidmm> mm;
};

// Memory for larger pages.
setup roomy(setup s) {
    s.options.segments[0].size = u64{2} << 20;
    s.options.segments[1].size = u64{2} << 20;
    s.options.ram_pages = 1500;
    s.options.page_tables.largest_page = 512 << 10;
    s.options.chances.feature = 85;  // what is mapped has to stay for a while
    s.steps = slow_build ? 100 : 160;
    return s;
}

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

setup page_tables(page_table_update_mode mode, wddm version) {
    setup s = without_aperture(gpu_virtual(version));
    for (u32 level = 0; level < 3; ++level) {
        s.options.page_tables.levels.push_back({.index_bits = 9, .entry_bytes = 8, .table_bytes = 4096, .segment = 0});
    }
    s.options.page_tables.mode = mode;
    s.options.page_tables.attributes = 0x1c;
    s.options.page_tables.copies = mode != page_table_update_mode::cpu_virtual;
    s.options.ram_pages = 420;
    s.steps = 100;
    return s;
}

setup with_large_pages(setup s) {
    s.options.page_tables.levels = {{.index_bits = 5, .table_bytes = 4096},
                                    {.index_bits = 2, .table_bytes = 4096, .large_pages = true},
                                    {.index_bits = 9, .table_bytes = 4096, .large_pages = true},
                                    {.index_bits = 9, .table_bytes = 4096}};
    s.options.page_tables.zero_above_leaf = true;
    return roomy(s);
}

setup with_64k_pages(setup s, bool dual) {
    auto& tables = s.options.page_tables;
    tables.table_bytes_64k = 4096;
    tables.dual_tables = dual;
    if (dual) {
        tables.levels[1].index_bits = 8;
        tables.levels[1].entry_bytes = 16;
    }
    tables.processes = 4;  // a leaf table of 64-KiB entries that was converted stays so
    s.options.segments[0].pages_64k = true;
    return roomy(s);
}

setup with_gpu_pages(setup s, u32 bytes) {
    s.options.page_tables.gpu_page_bytes = bytes;
    s.options.page_tables.copies = false;
    return roomy(s);
}

setup with_all_entries(setup s) {
    s.options.page_tables.zero_pages = true;
    s.options.page_tables.protection_bits = 3;
    s.steps = 200;
    return s;
}

setup with_notices(setup s) {
    s.version = wddm::v3_2;
    s.notices = true;
    s.options.ram_pages += 200;
    s.options.notify.largest_chunk = 4 * 4096;
    return s;
}

setup with_contexts(setup s) {
    s.contexts = true;
    return s;
}

setup with_residency(setup s) {
    s.version = wddm::v3_2;
    s.residency = true;
    return s;
}

setup with_roots(setup s) {
    s.roots = true;
    s.growing_roots = s.options.page_tables.levels.size() == 2;
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

context_log contexts_of(setup const& s) {
    rig r(s);
    r.mm->run(s.options.seed, s.steps);
    testing::vidmm_report const report = r.mm->report();
    r.mm.reset();
    context_log log = r.driver.log;
    log.report = report;
    return log;
}

testing::vidmm_report told(setup const& s, std::function<void(testing::vidmm&)> const& steps) {
    rig r(s);
    steps(*r.mm);
    r.mm->finish();
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

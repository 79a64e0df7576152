// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "hardware_type/simulated.hpp"
#include "verdict.hpp"

#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>

#include <cstdio>
#include <vector>

using namespace wddmcore;
using guide::kestrel;

// region: laws
template <class Chip>
testing::law_report laws_of(Chip& chip, guide::kestrel_engine& engine, std::vector<u32>& table) {
    testing::gpu_memory memory;
    constexpr u64 first_page = 0x12'3000, pages = 40;
    bool there =
        memory.add_linear(kestrel::vram_base.n, chip.vram_size.n) == testing::gpu_memory_error::none &&
        memory.add_page_window(kestrel::host_window, first_page, pages, pages) == testing::gpu_memory_error::none;
    constexpr bytes part = 2 * greater(Chip::copy_max, Chip::fill_max);  // vram_size is at least this
    testing::law_memory playground{&engine, &memory, {kestrel::vram, {0}, part, kestrel::vram_base.n}};
    for (u64 page = first_page; page != first_page + pages; ++page) {
        there = memory.add_page(page) == testing::gpu_memory_error::none && there;
        playground.system_pages.push_back({page_number{page}, kestrel::from_page(page_number{page}).n});
    }
    auto const page_of = [&table](u64 index) {  // none: bit 31 says that the entry leads nowhere
        return table[index] >> 31 != 0 ? std::optional<u64>(table[index] & 0xFFF'FFFF) : std::nullopt;
    };
    playground.aperture = {kestrel::gart, 0, 64, page_of,
                           [&table](u64 index) { return std::optional<bool>((table[index] >> 30 & 1) != 0); }};
    testing::law_report laws;
    if (there) {
        testing::laws{chip}.check(laws, playground);
    }
    return laws;
}
// end: laws

/// The same chip, and one line forgotten.
struct forgetful : kestrel {
    static constexpr capabilities caps{.version = wddm::v2_0, .aperture = aperture_forms::mdl};
};

/// The same chip, and its units taken for dwords.
struct unpadded : kestrel {
    static constexpr dwords unit_dwords{1};
};

// region: driver
namespace ddi = mirror::v2_0;

int WDDMCORE_DRIVER_CALL build(void* adapter, void* args) {
    return build_paging_buffer(*static_cast<kestrel*>(adapter), *static_cast<ddi::dxgkarg_buildpagingbuffer*>(args));
}
int WDDMCORE_DRIVER_CALL submit(void*, void const*) { return status::success; }  // the simulator's engine executes

wddmcore_driver_table driver_of(kestrel& chip) {
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = static_cast<u32>(kestrel::caps.version);
    t.adapter = &chip;
    t.build_paging_buffer = build;
    t.submit_command = submit;
    return t;
}
// end: driver

// region: simulator
bool passes_the_simulator(kestrel& chip, guide::kestrel_engine& engine, std::vector<u32> const& table) {
    testing::vidmm windows(driver_of(chip), guide::options_of(chip, table), &engine);
    windows.run(1, 300);
    windows.finish();
    std::printf("the simulator: ");
    return guide::print_verdict(windows.report());
}
// end: simulator

/// Whether the laws notice a mistake; prints what they say first.
template <class Chip>
bool is_noticed(char const* mistake, kestrel const& chip, guide::kestrel_engine& engine, std::vector<u32>& table) {
    Chip other{chip};
    testing::law_report const found = laws_of(other, engine, table);
    std::printf("\n%s: %s\n%s", mistake, found.kept() ? "kept" : name(found.violations()[0].broken),
                found.kept() ? "" : guide::folded(found.violations()[0].sentence).c_str());
    return !found.kept();
}

int main() {
    std::vector<u32> table(kestrel::gart_size.n / page_bytes);
    kestrel chip{.vram_size = 64 * mib, .gart_table = table.data()};
    guide::kestrel_engine engine;
    testing::law_report const laws = laws_of(chip, engine, table);
    std::printf("the laws: %s", laws.verdict().c_str());
    bool const good = passes_the_simulator(chip, engine, table) && laws.kept();

    bool const noticed = is_noticed<forgetful>("without highest_visible_address", chip, engine, table) &&
                         is_noticed<unpadded>("with unit_dwords{1}", chip, engine, table);
    std::printf("\nnot asked:\n");
    // region: not asked
    for (testing::law const one : laws.not_exercised()) {
        std::printf("  %s\n", name(one));
    }
    // end: not asked
    return good && noticed && laws.times_exercised(testing::law::entries_arrive) != 0 ? 0 : 1;
}

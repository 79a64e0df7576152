// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "hardware_type/simulated.hpp"

#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/certify.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace wddmcore;
using guide::kestrel;
namespace ddi = mirror::v2_0;

// region: driver
/// The driver that exists: its BuildPagingBuffer, as its team wrote it.
int WDDMCORE_DRIVER_CALL build(void* adapter, void* args) {
    auto& chip = *static_cast<kestrel*>(adapter);
    auto& asked = *static_cast<ddi::dxgkarg_buildpagingbuffer*>(args);
    if (asked.Operation == static_cast<u32>(paging_operation::unmap_aperture_segment)) {
        auto const& unmap = asked.UnmapApertureSegment;
        for (usize i = 0; i != unmap.NumberOfPages; ++i) {
            chip.gart_table[unmap.OffsetInPages + i] = 0;
        }
        return status::success;
    }
    return build_paging_buffer(chip, asked);
}
int WDDMCORE_DRIVER_CALL submit(void*, void const*) { return status::success; }
// end: driver

int main(int count, char** words) {
    // region: describe
    std::vector<u32> table(kestrel::gart_size.n / page_bytes);
    kestrel chip{.vram_size = 64 * mib, .gart_table = table.data()};
    guide::kestrel_engine engine;

    testing::certified_driver driver;
    driver.name = "my driver";
    driver.table.size = sizeof driver.table;
    driver.table.version = static_cast<u32>(kestrel::caps.version);
    driver.table.adapter = &chip;
    driver.table.build_paging_buffer = build;
    driver.table.submit_command = submit;
    driver.executor = &engine;
    driver.observe = [&](testing::vidmm_options& options) { options = guide::options_of(chip, table); };
    // end: describe

    // region: certify
    testing::certified_options options{.only_first = true, .command = "./certifying"};
    for (int i = 1; i + 1 < count; i += 2) {  // what a replay line has: --seed N, --only SCENARIO
        if (std::string_view(words[i]) == "--seed") {
            options.seed = std::strtoull(words[i + 1], nullptr, 0);
        } else {
            options.only.emplace_back(words[i + 1]);
        }
    }
    testing::certified_report const report = testing::certify(driver, options);
    std::printf("%s", report.text().c_str());
    return report.passed() ? 1 : 0;  // here a finding is what we expect
    // end: certify
}

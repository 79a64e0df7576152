// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_adapter.hpp"

namespace toy {

/// What a right adapter of this version says: an aperture, video memory behind the CPU's back, and, from WDDM 2.0, page
/// tables and a CPU host aperture; from 2.4 isolation, from 2.9 remapping, from 3.2 MMUs, dirty bits and a reserve for
/// virtual GPUs.
[[nodiscard]] inline toy_answers right_answers(wddm version) {
    toy_answers a;
    bool const v2 = at_least(version, wddm::v2_0);
    a.adapter.paging_buffer.size = 65536;
    a.adapter.paging_buffer.segment = 1;
    a.adapter.segments.resize(2);
    a.adapter.segments[0].flags = flag::aperture | flag::cache_coherent;
    a.adapter.segments[0].base = 0x1'0000'0000;
    a.adapter.segments[0].size = 64 << 20;
    a.adapter.segments[1].flags = v2 ? flag::supports_cpu_host_aperture : flag::cpu_visible;
    a.adapter.segments[1].base = 0x2'0000'0000;
    a.adapter.segments[1].size = 256 << 20;
    a.adapter.segments[1].host_aperture_pages = v2 ? 64 : 0;
    a.adapter.segments[1].cpu_address = 0xC000'0000;
    if (v2) {
        a.memory_caps = caps::virtual_addressing | caps::gpu_mmu;
        a.adapter.flags = caps::adapter_gpu_mmu;
        a.adapter.mmu = testing::vidmm_reported_mmu{0x13, 1, 39, 0, 3};
        a.adapter.levels.assign(3, {9, 2, 2, 4096, 4096});
    }
    if (at_least(version, wddm::v2_4)) {
        a.memory_caps |= caps::secure_mode_supported;
        a.save_size = 1 << 20;
        a.reserved = {{0x10'0000, 0x1000}, {0x20'0000, 0x3000}};
    }
    if (at_least(version, wddm::v2_9)) {
        a.memory_caps |= caps::map_aperture2;
        a.iommu = caps::isolation_supported | caps::dma_remapping;
    }
    if (at_least(version, wddm::v3_2)) {
        a.adapter.mmu_sizes = {u64{1} << 32, u64{1} << 30};
        a.display_mmu = 1;
        a.dirty_bit_caps = 3;
        a.adapter.segments[1].dirty_page = 65536;
        a.adapter.segments[1].reserve_page = 2 << 20;
    }
    return a;
}

/// One adapter's life.
struct adapter_life {
    wddm version = wddm::v2_9;
    toy_answers said = right_answers(wddm::v2_9);
    adapter_bugs wrong;
    testing::vidmm_adapter_options options;
    bool with_contexts = false;  ///< also creates contexts, physical and virtual
};

[[nodiscard]] inline adapter_life life_of(wddm version) {
    adapter_life l;
    l.version = version;
    l.said = right_answers(version);
    return l;
}

/// Start, contexts, exclusive access, stop; what was found.
[[nodiscard]] inline testing::vidmm_report live(adapter_life const& l) {
    toy_adapter driver(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(driver.table(), l.options);
    if (system.start()) {
        std::byte const private_data[8] = {};
        auto const allocation = system.create_allocation(private_data);
        if (allocation) {
            static_cast<void>(system.destroy_allocation(*allocation));
        }
        if (l.with_contexts && system.create_context()) {
            static_cast<void>(system.create_context(at_least(l.version, wddm::v2_0)));
        }
        static_cast<void>(system.exclusive_access());
    }
    static_cast<void>(system.stop());
    return system.report();
}

/// One way to be wrong.
struct adapter_case {
    char const* what;
    char const* rule;
    wddm version;
    void (*change)(adapter_life& l);
};

}  // namespace toy

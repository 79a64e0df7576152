// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../slow_build.hpp"
#include "toy_bugs.hpp"

#include <wddmcore/base/units.hpp>
#include <wddmcore/ddi/interface_version.hpp>
#include <wddmcore/testing/vidmm.hpp>
#include <wddmcore/testing/vidmm/checks/report.hpp>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace toy {

using namespace wddmcore;

/// One moment in the life of a notice, as a driver that only watches sees it (operation 22).
struct notice_moment {
    enum class what {
        built,      ///< DxgkDdiBuildPagingBuffer was called for the notice
        submitted,  ///< a window was submitted
        executed,   ///< the engine carries out a command of a notice
        unmapped,   ///< the IOMMU's mapping has ended: what a cache still holds has nowhere to go
    };
    what is = what::built;
    bool eviction = false;
    u64 address = 0;
    u64 size = 0;
    void* process = nullptr;
    bool in_system_context = false;  ///< of a window: of no context, or of one that is the system's
    /// What the paging process's tables alone say of an address, as long as nothing else happens.
    std::function<std::optional<u64>(u64 address)> see = {};
};

/// A toy driver and the machine around it.
struct setup {
    wddm version = wddm::win8;
    bugs wrong;
    u32 record_bytes = 0;
    bool counts_dma_size_down = false;
    bool aperture_by_command = true;
    bool executes_itself = false;
    bool notices = false;
    bool contexts = false;
    bool residency = false;
    bool roots = false;
    bool growing_roots = false;
    bool makes_contexts = false;     ///< by DxgkDdiCreateContext; else the simulator knows their handles
    std::optional<u32> own_adapter;  ///< of a link, as the driver takes it; none: the one that is simulated
    std::function<void(notice_moment const&)> watches_notices;
    std::function<void(bool, bool)> watches_transfers;  ///< told Src64KBPages and Dst64KBPages
    u64 steps = slow_build ? 150 : 400;
    testing::vidmm_options options;
};

inline constexpr u64 aperture_pages = 160;

/// Physical addressing with two memory segments and an aperture mapped by operation 5, or by 17 from WDDM 2.9 on.
[[nodiscard]] setup physical(wddm version = wddm::win8);

/// Virtual addressing, WDDM 2.0 or later.
[[nodiscard]] setup gpu_virtual(wddm version = wddm::v2_9);

/// Virtual addressing with page tables of the toy's own, three levels in system memory.
[[nodiscard]] setup page_tables(page_table_update_mode mode, wddm version = wddm::v2_9);

/// Page tables whose entries of levels 1 and 2 can be pages, of 128 and of 512 KiB.
[[nodiscard]] setup with_large_pages(setup s);

/// With leaf tables of 64-KiB entries, in the place of the others or beside them; the first segment has such pages.
[[nodiscard]] setup with_64k_pages(setup s, bool dual);

/// Of a machine whose own pages are larger than 4 KiB.
[[nodiscard]] setup with_gpu_pages(setup s, u32 bytes = 16384);

/// With pages that read as zero, and a DriverProtection for each process.
[[nodiscard]] setup with_all_entries(setup s);

/// Virtual addressing at WDDM 3.2 with allocations that want to be noticed, with the simulator's own mappings.
[[nodiscard]] setup with_notices(setup s);

/// With context allocations.
[[nodiscard]] setup with_contexts(setup s);

/// With notices of residency, fences and other MMUs; WDDM 3.2.
[[nodiscard]] setup with_residency(setup s);

/// With contexts that hear of their roots; page tables of two levels have roots that grow.
[[nodiscard]] setup with_roots(setup s);

/// The same without an aperture, so that only transfers, fills and discards are met.
[[nodiscard]] setup without_aperture(setup s);

/// No memory segment: only mappings are met.
[[nodiscard]] setup aperture_only(wddm version);

/// What a random scenario shows.
[[nodiscard]] testing::vidmm_report run(setup const& s);

/// What became of the contexts of a run in which the driver makes them.
struct context_log {
    u32 made = 0;
    u32 of_the_system = 0;
    u32 destroyed = 0;
    u32 strangers = 0;          ///< windows and roots of contexts that there are not
    u32 companion_windows = 0;  ///< windows of a context that is not the system's
    u32 unnamed = 0;            ///< builds and windows that name no context
    u32 paging_node = 0;        ///< of the system's context
    testing::vidmm_report report;
};
[[nodiscard]] context_log contexts_of(setup const& s);

/// One thing after the other, told by the test.
[[nodiscard]] testing::vidmm_report told(setup const& s, std::function<void(testing::vidmm&)> const& steps);

/// Report and trace of a random scenario.
[[nodiscard]] std::string transcript(setup const& s);

/// How a random scenario ended.
struct ending {
    bool crashed = false;
    bool hung = false;
    std::string rule;  ///< of the first violation, empty if there is none
    std::string sentence;
    std::string last_call;
    std::string text;
};

/// The same in a process of its own.
[[nodiscard]] ending run_isolated(setup const& s, u32 milliseconds = 10'000);

/// One allocation of this size goes to a segment and back, `times` times.
[[nodiscard]] testing::vidmm_report round_trip(setup const& s, u64 size, u32 times = 1);

/// One fill of a segment that is larger than the host's memory.
[[nodiscard]] testing::vidmm_report fill_huge(setup s, u64 size);

/// The seed of random tests: WDDMCORE_SEED, or the one given.
[[nodiscard]] inline u64 seed_or(u64 usual) {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : usual;
}

}  // namespace toy

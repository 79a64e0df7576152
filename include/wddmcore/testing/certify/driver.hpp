// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../scheduler/hardware_queues/options.hpp"
#include "../scheduler/options.hpp"
#include "../vidmm/adapter/options.hpp"
#include "../vidmm/manager.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver to be certified: its table, and what only its author knows.
///
/// All but the table is optional; the report lists what stays unjudged without it. Where the host has fork, each
/// scenario runs in a process of its own, so that each begins with the driver as it is handed over; elsewhere AddDevice
/// has to make everything anew.
struct certified_driver {
    std::string name = "driver";  ///< what the report calls it
    wddmcore_driver_table table{};
    /// Where paging needs another table than everything else, for example because a submission lacks what the paging
    /// simulator does not know (contexts and nodes).
    std::optional<wddmcore_driver_table> paging_table{};

    // Memory.

    /// Decodes and executes paging buffers. nullptr: the driver's own submit has done so when it returns.
    engine* executor = nullptr;
    /// Completes the options that follow from the driver's answers with what its hardware's model can tell: `page_of`,
    /// `page_tables.translate` and `enter`, `command_alignment`, … Without queries in the table: all of the options.
    /// In a link, once for each physical adapter: `physical_adapter` says which.
    std::function<void(vidmm_options&)> observe{};
    /// Takes the simulator before a run begins, for models that are part of its machine.
    std::function<void(vidmm&)> attach{};
    /// Called when the device was started and before it is used.
    std::function<void()> started{};
    /// Called before the device is stopped.
    std::function<void()> stopping{};
    /// What the user-mode driver would send with the allocation of this number. Without it DxgkDdiCreateAllocation is
    /// not called, and allocations have handles that point nowhere.
    std::function<std::vector<std::byte>(std::uint32_t number)> allocation_data{};
    /// The machine that the adapter starts on. Two `physical_adapters` or more say that the driver supports links: it
    /// is played as a link, too. From WDDM 2.0 on each of them is paged; DxgkDdiCreateContext with its affinity, by
    /// create_context_with_info, makes the context that says whose memory it is.
    vidmm_adapter_options machine{};

    // Scheduling.

    /// What the engines are: nodes, granularity, ring. None: what the driver answers; without queries in the table
    /// scheduling is not judged.
    std::optional<scheduler::options> scheduling{};
    /// What the nodes are that schedule by themselves, where the table has start_hardware_queues. None: as many as the
    /// driver answers; without queries in the table the usual ones.
    std::optional<testing::hardware_queues::options> hardware_queues{};
};

/// How a driver is certified.
struct certified_options {
    std::uint64_t seed = 1;       ///< everything random follows from it
    std::uint64_t steps = 300;    ///< of each paging scenario; each moves, maps or frees something
    std::uint32_t packets = 200;  ///< of each scheduling scenario
    /// Also judge what no page of the documentation says: how long a page list may be used (AMB-60), and the decisions
    /// and laws of this library. Such findings are marked, and never stand for a broken rule of the DDI.
    bool judge_unusual = true;
    bool only_first = false;  ///< end at the first finding
    /// Play a scenario with findings again, some ten times, with fewer steps or packets: its replay line is that of the
    /// shortest run that has the first finding. Where that is a hang, each run may take all its time.
    bool shrink = false;
    std::uint32_t seconds = 60;       ///< a scenario that takes longer counts as hung
    std::vector<std::string> only{};  ///< names of scenarios; empty: all
    /// The command that certifies this driver, as somebody would type it; the report's replay lines begin with it.
    std::string command{};
    /// A file for the run as Chrome trace events; empty: none. Of several scenarios each has its own file, with the
    /// scenario's name before the extension. One that crashes or hangs leaves none. What is paged on the second adapter
    /// of a link has another one, with `adapter-1` there.
    std::string trace{};
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "host_aperture.hpp"
#include "memory_services.hpp"
#include "physical_memory.hpp"
#include "segment_judge.hpp"
#include "segments.hpp"
#include "tables.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The operating system's side of an adapter's life: it starts one through any driver in the documented order, judges
/// the answers as Windows does, and names the rule that stands against a start.
///
/// AddDevice; PHYSICAL_MEMORY_CAPS and IOMMU_CAPS for each physical adapter (WDDM 2.9); StartDevice; DRIVERCAPS;
/// PHYSICALADAPTERCAPS, GPUMMUCAPS, PAGETABLELEVELDESC (2.0); the segments in the form of the driver's version, in two
/// calls; SEGMENTMEMORYSTATE; PAGINGPROCESSGPUVASIZE (3.2); with isolation FRAMEBUFFERSAVESIZE and
/// HARDWARERESERVEDRANGES (2.4); then the CPU host aperture is used, and the answers are asked again and compared.
///
/// One thread. A driver that crashes takes the process with it: `run_isolated`. A run is a function of driver, options
/// and seed.
class vidmm_adapter {
public:
    /// @param driver   copied; what it points at must live longer
    /// @param options  the machine
    /// @throws std::invalid_argument  no query function, structures of another version, or options that cannot be
    explicit vidmm_adapter(wddmcore_driver_table const& driver, vidmm_adapter_options options = {})
        : m_(driver, std::move(options)), services_(m_) {}

    vidmm_adapter(vidmm_adapter const&) = delete;
    vidmm_adapter& operator=(vidmm_adapter const&) = delete;

    /// Starts the adapter. After a broken rule it goes on; it ends where a function fails, or where nothing can be
    /// made of an answer that everything else needs.
    /// @return whether Windows would have it: no rule is broken, and no function of the driver failed
    bool start() {
        is_added_ = call("DxgkDdiAddDevice", m_.table.add_device);
        is_usable_ = is_added_ && ask_before_start() && start_device() && ask_everything();
        if (is_usable_) {
            judge();
            is_usable_ = use_host_apertures() && ask_again();
        }
        return passed();
    }

    /// Whether the adapter has started and has said enough to be used, with or without broken rules.
    [[nodiscard]] bool is_usable() const { return is_usable_; }

    /// Asks for what may not change in an adapter's life, and compares (IOM-02, IOM-04, SEG-02).
    /// @return false: a function of the driver failed
    bool ask_again();

    /// Creates a context, looks at where its DMA buffers shall live (SEG-39, OBS-07), and destroys it.
    /// @param virtual_addressing  the context uses GPU virtual addresses; asks for WDDM 2.0 and the adapter's caps
    /// @return false: the driver has no such function, it failed, or a rule is broken
    bool create_context(bool virtual_addressing = false);

    /// Creates an allocation and judges what the driver says of it (PREF).
    /// @param private_data  what the driver's user-mode part would send with it; handed over as a copy
    /// @return what it is, with or without broken rules; nothing: the driver has no such function, or it failed
    [[nodiscard]] std::optional<vidmm_reported_allocation> create_allocation(std::span<std::byte const> private_data);

    /// Creates several in one call.
    /// @param private_data  of each of them
    /// @return what they are, in the same order; none: the driver has no such function, or it failed
    [[nodiscard]] std::vector<vidmm_reported_allocation> create_allocations(
        std::span<std::vector<std::byte> const> private_data);

    /// Destroys an allocation that was created here.
    /// @return false: the driver has no such function, or it failed
    bool destroy_allocation(vidmm_reported_allocation const& what);

    /// Takes the system's memory away from the device for a while, and gives it back (IOM-09, IOM-10).
    /// @return false: no isolation, or a rule is broken
    bool exclusive_access();

    /// Stops what was started and removes what was added, however far `start` came; what the driver has not given back
    /// is a broken rule.
    bool stop() {
        bool const stopped = !std::exchange(is_started_, false) || call("DxgkDdiStopDevice", m_.table.stop_device);
        bool const removed = !std::exchange(is_added_, false) || call("DxgkDdiRemoveDevice", m_.table.remove_device);
        is_usable_ = false;
        services_.judge_leftovers();
        return stopped && removed && passed();
    }

    /// What the driver said, as far as it was asked.
    [[nodiscard]] vidmm_adapter_description const& description() const { return m_.description; }

    [[nodiscard]] vidmm_report const& report() const { return m_.report; }

    /// The function of the driver that failed, with its status; empty: none did.
    [[nodiscard]] std::string const& refusal() const { return refusal_; }

private:
    [[nodiscard]] bool passed() const { return m_.report.passed() && refusal_.empty(); }

    bool refused(std::string what, ntstatus status) {
        if (refusal_.empty()) {
            refusal_ = std::move(what) + " returned " + std::to_string(status);
        }
        return false;
    }

    bool call(char const* name, int(WDDMCORE_DRIVER_CALL* function)(void*)) {
        if (function == nullptr) {
            return true;
        }
        vidmm_parts::journal::current().call(name, false);
        ntstatus const status = function(m_.table.adapter);
        return status >= 0 ? true : refused(name, status);
    }

    bool ask_before_start() {
        if (at_least(m_.version, wddm::v2_9)) {
            m_.description.before_start = physical_memory_answers();
            services_.remap(m_.options.remaps && (m_.description.iommu() & vidmm_cap::dma_remapping) != 0);
        }
        return refusal_.empty();
    }

    [[nodiscard]] std::vector<vidmm_physical_memory_answers> physical_memory_answers() {
        std::vector<vidmm_physical_memory_answers> found;
        for (std::uint32_t i = 0; i < m_.options.physical_adapters; ++i) {
            found.push_back(vidmm_parts::physical_memory_asker(m_).ask());
        }
        return found;
    }

    bool start_device() {
        if (m_.table.start_adapter == nullptr) {
            is_started_ = true;
            return true;
        }
        vidmm_parts::journal::current().call("DxgkDdiStartDevice", false);
        ntstatus const status = m_.table.start_adapter(m_.table.adapter, &services_.table());
        is_started_ = status >= 0;
        return is_started_ || refused("DxgkDdiStartDevice", status);
    }

    bool ask_driver_caps(vidmm_adapter_description& to);
    bool ask_adapter_caps(std::uint32_t index, vidmm_reported_adapter& to);
    bool ask_everything();
    void ask_memory_states(std::uint32_t index, vidmm_reported_segment& s);
    [[nodiscard]] std::vector<vidmm_memory_range> memory_state(adapter_query type, std::uint32_t index,
                                                               vidmm_reported_segment const& s, std::uint32_t count);
    void judge();

    bool use_host_apertures() {
        for (std::uint32_t i = 0; i < m_.description.adapters.size(); ++i) {
            for (vidmm_reported_segment const& s : m_.description.adapters[i].segments) {
                if (s.has(vidmm_segment_flag::supports_cpu_host_aperture)) {
                    vidmm_parts::host_aperture_user(m_, i, s).use();
                }
            }
        }
        return refusal_.empty();
    }
    // Rules broken so far, for whoever asks whether one more was.
    [[nodiscard]] std::size_t broken() const { return m_.report.violations().size(); }

    vidmm_parts::adapter_machine m_;
    vidmm_parts::memory_services services_;
    std::string refusal_;
    bool is_added_ = false;
    bool is_started_ = false;
    bool is_usable_ = false;
};

}  // namespace wddmcore::testing

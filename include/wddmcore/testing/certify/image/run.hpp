// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "objects/run.hpp"
#include "primaries.hpp"
#include "queue_table.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What a run of an image is asked to do.
struct image_run_options {
    certified_options how{};
    std::uint32_t failures = 0;          ///< of 1,000 requests to the kernel that may fail
    std::uint32_t mapping_failures = 0;  ///< of 1,000 mappings of memory
    bool unknown_operation = false;      ///< paging ends with an operation code that no version has
    bool double_fetches = false;         ///< what is read twice of a process's memory is looked for
    bool remaps = true;                  ///< there is an IOMMU that gives devices logical addresses
    wddmcore_device_model const* model = nullptr;
    std::vector<registry_value> registry{};  ///< what the driver's keys hold
};

/// What a driver's answers make of its engines and of its nodes with hardware queues, in memory that two processes see:
/// without callbacks.
struct told_engines {
    bool is_told = false;  ///< the driver has answered
    bool has_engines = false;
    bool has_queues = false;
    testing::scheduler::options engines{};
    testing::hardware_queues::options queues{};
};

/// One run of an image in this process, from DriverEntry to DxgkDdiUnload. For a process of its own: it may end there.
class image_run {
public:
    image_run(kernel_record& record, driver_source const& source, image_run_options const& options)
        : options_(options),
          kernel_(record, {options.how.seed, options.failures, options.mapping_failures, true, options.registry,
                           options.double_fetches}) {
        kp::traps::install(kernel_, options.how.seconds);
        driver_.emplace(kernel_, source);
        current() = this;
        kernel_.on_interrupt = [this](std::uint32_t message) {
            if (interrupts_) {
                interrupts_(message);
            }
        };
        if (options_.model != nullptr) {
            show_device(*options_.model, image_driver::graphics().space);
        }
        auto const& access = kp::traps::device_access::current();
        image_driver::graphics().describe(kp::memory_services::physical_memory::current().ranges, access.first_port,
                                          access.port_count);
    }
    image_run(image_run const&) = delete;
    image_run& operator=(image_run const&) = delete;

    /// The adapter's life with paging.
    void page() { live(false); }

    /// The same with processes and allocations that are opened and presented in place of paging.
    void use_objects() { live(true); }

    /// The adapter is started for its answers alone: what the engines are, and the hardware queues, goes to `to`.
    void tell_engines(told_engines& to) {
        if (driver_->load()) {
            played_driver const played = play();
            bool const can_answer = played.table.query_adapter_info != nullptr;
            std::string const missing =
                can_answer ? missing_for_scheduling(scheduling_table(played)) : "DxgkDdiQueryAdapterInfo";
            to.has_engines = missing.empty() && options_.model->show_engines != nullptr;
            to.has_queues = can_answer && missing_for_queues(played).empty();
            if (options_.model->show_engines == nullptr) {
                played.leave_unjudged(unshown_engines);
            } else if (!missing.empty()) {
                played.leave_unjudged("scheduling; the driver does not register " + missing);
            }
            leave_links_unjudged(played);
            leave_queues_unjudged(played);
            if (to.has_engines || to.has_queues) {
                ask_for_engines(played, to);
            }
        }
        leave();
    }
    static constexpr char const* unshown_engines =
        "scheduling; no device model shows the simulator's engines (--device)";

    /// The scheduler's simulator.
    void schedule(testing::scheduler::options chosen) {
        if (driver_->load()) {
            played_driver const played = play();
            wddmcore_driver_table t = scheduling_table(played);
            t.submit_command = t.submit_command != nullptr ? t.submit_command : &not_supported;
            addresses_ = chosen.virtual_addresses;
            chosen.system_base = options_.model->system_base;
            chosen.packets = options_.how.packets;
            chosen.on_dma_buffer = played.lend_buffer;
            primaries shown(played);
            chosen.display.sources = std::min(chosen.display.sources, options_.model->display_count);
            chosen.display.allocation_of = [&shown](std::uint32_t primary) { return shown.handle_of(primary); };
            if (t.set_vidpn_source_address != nullptr && options_.model->display_count == 0) {
                played.leave_unjudged("flips by registers; the device model shows no display (display_count)");
            }
            play_scheduling(played, t, chosen, &testing::scheduler::run, [&] {
                options_.model->show_engines(options_.model->device, nullptr);
                shown.destroy();
            });
        }
        leave();
    }

    /// The simulator of hardware scheduling.
    /// @param differently  what a scenario changes
    void schedule_by_hardware(testing::hardware_queues::options chosen,
                              void (*differently)(testing::hardware_queues::options&)) {
        if (driver_->load()) {
            played_driver const played = play();
            chosen.packets = options_.how.packets;
            differently(chosen);
            play_scheduling(played, image_functions::with_queues(played.table, options_.model), chosen,
                            &testing::hardware_queues::run, [&] {
                                image_driver::graphics().queues = nullptr;
                                options_.model->show_queues(options_.model->device, nullptr);
                            });
        }
        leave();
    }

    /// The device interrupts: called by a device model.
    static void interrupt(void*, unsigned message) {
        if (current() == nullptr) {
            return;
        }
        if (kp::traps::device_access::current().is_asked()) {
            current()->kernel_.interrupts.push_back(message);
        } else {
            current()->kernel_.on_interrupt(message);
        }
    }

private:
    [[nodiscard]] static image_run*& current() {
        static image_run* one = nullptr;
        return one;
    }
    void live(bool with_objects) {
        if (driver_->load()) {
            played_driver const played = play();
            if (played.table.query_adapter_info == nullptr) {
                kernel_.find("REGISTRATION", "DxgkDdiQueryAdapterInfo is not registered");
                return;
            }
            leave_links_unjudged(played);
            leave_queues_unjudged(played);
            if (played.table.build_paging_buffer == nullptr) {
                played.leave_unjudged("paging; DxgkDdiBuildPagingBuffer is not registered");
            }
            paging_services services(played);
            services_ = &services;
            interrupts_ = [&services](unsigned message) { services.interrupt(message); };
            paging_run run(played, services, options_.remaps);
            object_run objects(*driver_, played, run, services);
            if (with_objects && options_.model == nullptr) {
                played.leave_unjudged("opened allocations, presents and renders; no device model is there (--device)");
            }
            if (with_objects) {
                run.instead = [&objects](vidmm& system) { objects.use(system); };
            }
            run.play(options_.how, options_.unknown_operation);
            interrupts_ = nullptr;
        }
        leave();
    }

    void leave_queues_unjudged(played_driver const& played) const {
        std::string const missing = missing_for_queues(played);
        if (driver_->has("DxgkDdiSubmitCommandToHwQueue") && !missing.empty()) {
            played.leave_unjudged("hardware queues and native fences (HWS-01 to HWS-12, HWS-15); " + missing);
        }
    }
    void leave_links_unjudged(played_driver const& played) const {
        if (driver_->has("DxgkDdiLinkDevice")) {
            played.leave_unjudged(
                "links of adapters (LDA-01, LDA-03, LDA-05); one adapter is added, and DxgkDdiLinkDevice is not "
                "called: a driver from source gets a link of two (machine.physical_adapters)");
        }
    }

    [[nodiscard]] static wddmcore_driver_table scheduling_table(played_driver const& played) {
        wddmcore_driver_table t = played.table;
        t.start_device = &start_for_scheduling;
        t.create_context = t.create_context_with_info != nullptr ? &create_context : nullptr;
        return t;
    }
    /// What the image or its device lacks for hardware scheduling, in words; empty: nothing.
    [[nodiscard]] std::string missing_for_queues(played_driver const& played) const {
        if (options_.model == nullptr || options_.model->show_queues == nullptr) {
            return options_.model == nullptr ? "no device model is there (--device)"
                                             : "the device model shows no registers of them (show_queues)";
        }
        std::string const missing =
            missing_for_hardware_queues(image_functions::with_queues(played.table, options_.model));
        return missing.empty() ? missing : "the driver lacks " + missing;
    }
    /// A simulator between the adapter's AddDevice and its RemoveDevice.
    /// @param end  takes from device and driver what was the simulator's
    template <class Options, class End>
    void play_scheduling(played_driver const& played, wddmcore_driver_table const& t, Options chosen,
                         testing::scheduler::report (*run)(wddmcore_driver_table const&, Options const&, std::uint64_t),
                         End const& end) {
        chosen.stop_after = options_.how.only_first ? 1 : 0;
        trace events;
        chosen.trace = options_.how.trace.empty() ? nullptr : &events;
        if (!check("DxgkDdiAddDevice", t.add_device(t.adapter))) {
            return;
        }
        auto const report = run(t, chosen, options_.how.seed);
        // The simulator is gone; what the driver does as it stops must not reach it.
        image_driver::graphics().services = nullptr;
        write_trace(options_.how.trace, events);
        kernel_.say(report.numbers());
        played.count(report);
        end();
        check("DxgkDdiStopDevice", t.stop_device(t.adapter));
        check("DxgkDdiRemoveDevice", t.remove_device(t.adapter));
    }
    void ask_for_engines(played_driver const& played, told_engines& to) {
        paging_services services(played);
        services_ = &services;
        interrupts_ = [&services](unsigned message) { services.interrupt(message); };
        played.connect(&services.table());
        std::string refusal;
        auto const said = answers_of(played.table, paging_run::machine(options_.remaps), refusal);
        interrupts_ = nullptr;
        services_ = nullptr;
        if (said) {
            to.engines = scheduling_options_of(*said, played.table.submit_command_virtual != nullptr);
            to.queues = queue_options_of(*said);
            to.is_told = true;
            if (std::string const left = unjudged_nodes(*said); !left.empty()) {
                played.leave_unjudged(left);
            }
        } else {
            kernel_.find(crash_id::refused, refusal);
        }
    }
    bool check(char const* what, ntstatus status) {
        if (status < 0) {
            kernel_.find(crash_id::refused, std::string(what) + " returned " + image_driver::hex(status));
        }
        return status >= 0;
    }

    [[nodiscard]] played_driver play() {
        played_driver d;
        d.table = image_functions::table();
        d.model = options_.model;
        d.connect = [](wddmcore_system_services const* s) { image_driver::graphics().services = s; };
        d.let_time_pass = [this](std::uint64_t by) {
            kernel_.advance(by);
            kernel_.let_run();
        };
        d.lend_memory = [](gpu_memory_ram const* ram) { kp::memory_services::show_pages_of(ram); };
        d.lend_buffer = &kp::memory_services::lend_buffer;
        d.provides_memory = true;
        d.find = [this](char const* id, std::string const& sentence) { kernel_.find(id, sentence); };
        d.write = [this](std::string const& lines) { kernel_.record.say(lines); };
        d.before_contexts = [this](std::uint32_t process) { driver_->before_contexts(process); };
        if (driver_->has("DxgkDdiCreateProcess")) {
            d.process_of = [this](std::uint32_t process) { return driver_->process_of(process); };
        }
        return d;
    }

    static int WDDMCORE_DRIVER_CALL not_supported(void*, void const*) { return kp::nt::not_supported; }
    static int WDDMCORE_DRIVER_CALL start_for_scheduling(void*, wddmcore_system_services const* services,
                                                         wddmcore_gpu const* engines) {
        image_driver::graphics().services = services;
        auto const& o = current()->options_;
        o.model->show_engines(o.model->device, engines);
        int const status = image_driver::current().start_device();
        current()->check("DxgkDdiStartDevice", status);
        return status;
    }
    static int WDDMCORE_DRIVER_CALL create_context(void*, wddmcore_context_arguments* args) {
        auto const& o = current()->options_;
        mirror::v3_2::dxgkarg_createcontext made{};
        std::array<std::byte, 256> data{};
        made.NodeOrdinal = args->node_ordinal;
        made.EngineAffinity = args->engine_affinity;
        made.Flags.SystemContext = args->system_context != 0;
        made.Flags.VirtualAddressing = current()->addresses_;
        if (o.model->context_data != nullptr) {
            auto const bytes = o.model->context_data(o.model->device, args->save_area, data.data(), data.size());
            auto const find = [](char const* id, std::string const& sentence) {
                current()->kernel_.find(id, sentence);
            };
            made.PrivateDriverDataSize = static_cast<std::uint32_t>(filled(data, bytes, find).size());
            made.pPrivateDriverData = data.data();
        }
        int const status = image_driver::current().create_context(&made);
        if (status < 0) {
            current()->kernel_.find(crash_id::refused, refused_context(made, status));
        }
        args->context = made.hContext;
        return status;
    }

    /// The end: the driver leaves, and everything that it had must be back.
    void leave() {
        if (kp::object_services::objects::current().registered) {
            driver_->unload();
        }
        for (std::string const& what : kp::pool::current().leaks()) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", what);
        }
        for (auto const& owed : kernel_.owed.all()) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", owed.words + " was not deleted");
        }
        if (!kp::memory_services::physical_memory::current().mapped.empty()) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", "a mapping was not given back");
        }
        if (auto const n = kp::object_services::objects::current().handles.size(); n != 0) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", std::to_string(n) + " handles are still open");
        }
        if (auto const n = kp::dxgk_services::handle_table::current().held; n != 0) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", std::to_string(n) + " handles are acquired and not released");
        }
        if (!kernel_.timers.empty()) {
            kernel_.find("0xC7 TIMER_OR_DPC_INVALID", "a timer is set as the driver is unloaded");
        }
        for (auto const& t : kernel_.threads) {
            if (t != kernel_.threads.front() && !t->ended && !t->idle) {
                kernel_.find("0xCE DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS",
                             t->name + " still runs as the driver is unloaded");
            }
        }
        std::string absent;
        for (std::string const& name : image_driver::graphics().absent) {
            absent += ' ' + name;
        }
        if (!absent.empty()) {
            play().leave_unjudged("callbacks that nobody plays returned STATUS_NOT_SUPPORTED, or nothing:" + absent);
        }
        kernel_.record.finished = true;
    }

    image_run_options options_;
    kp::kernel_system kernel_;
    std::optional<image_driver> driver_;
    paging_services* services_ = nullptr;
    std::function<void(unsigned)> interrupts_;
    bool addresses_ = false;  // contexts have GPU virtual addresses
};

}  // namespace wddmcore::testing::certify_parts

#endif

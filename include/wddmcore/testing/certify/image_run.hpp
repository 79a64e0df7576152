// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "image_table.hpp"
#include "paging_run.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What a run of an image is asked to do.
struct image_run_options {
    std::uint64_t seed = 1;
    std::uint32_t limit_seconds = 20;  ///< of this run, after which it hangs
    std::uint32_t failures = 0;        ///< of 1,000 requests to the kernel that may fail
    std::uint64_t steps = 300;         ///< of the random part of paging
    std::uint32_t packets = 400;       ///< of scheduling
    bool remaps = true;                ///< there is an IOMMU that gives devices logical addresses
    wddmcore_device_model const* model = nullptr;
};

/// One run of an image in this process, from DriverEntry to DxgkDdiUnload. For a process of its own: it may end there.
class image_run {
public:
    image_run(kernel_record& record, pe_file const& file, image_run_options const& options)
        : options_(options), kernel_(record, {options.seed, options.failures, true}) {
        kp::traps::install(kernel_, options.limit_seconds);
        driver_.emplace(kernel_, file);
        current() = this;
        kp::memory_services::physical_memory& memory = kp::memory_services::physical_memory::current();
        if (options_.model != nullptr) {
            for (unsigned i = 0; i < options_.model->memory_count && i < 6; ++i) {
                auto const& m = options_.model->memory[i];
                memory.ranges.push_back({m.address, m.bytes, static_cast<std::byte*>(m.memory)});
            }
        }
        image_driver::graphics().describe(memory.ranges);
    }
    image_run(image_run const&) = delete;
    image_run& operator=(image_run const&) = delete;

    /// The adapter's life with paging.
    void page() {
        if (driver_->load()) {
            played_driver const played = play();
            if (played.table.query_adapter_info == nullptr) {
                kernel_.find("REGISTRATION", "DxgkDdiQueryAdapterInfo is not registered");
                return;
            }
            if (played.table.build_paging_buffer == nullptr) {
                played.say("not judged: paging. DxgkDdiBuildPagingBuffer is not registered.\n");
            }
            paging_services services(played);
            services_ = &services;
            interrupts_ = [&services](unsigned message) { services.interrupt(message); };
            paging_run(played, services, options_.remaps).play(options_.seed, options_.steps);
            interrupts_ = nullptr;
        }
        leave();
    }

    /// The scheduler's simulator, with or without faults, hangs and resets.
    void schedule(bool troubles) {
        if (driver_->load()) {
            wddmcore_driver_table t = play().table;
            t.start_device = &start_for_scheduling;
            t.create_context = &create_context;
            t.submit_command = t.submit_command != nullptr ? t.submit_command : &not_supported;
            testing::scheduler::options const o =
                scheduling_options(t.submit_command_virtual != nullptr, troubles, options_.packets);
            if (check("DxgkDdiAddDevice", t.add_device(t.adapter))) {
                auto const report = testing::scheduler::run(t, o, options_.seed);
                for (auto const& v : report.violations()) {
                    kernel_.find(v.rule.c_str(), v.sentence + "; " + v.state);
                }
                std::string const text = report.text();
                kernel_.record.say("scheduling" + std::string(troubles ? ", with troubles: " : ": ") +
                                   text.substr(0, text.find('\n', text.find("requests"))) + '\n');
                check("DxgkDdiStopDevice", t.stop_device(t.adapter));
                check("DxgkDdiRemoveDevice", t.remove_device(t.adapter));
            }
        }
        leave();
    }

    /// The device interrupts: called by a device model.
    static void interrupt(void*, unsigned message) {
        if (current() != nullptr && current()->interrupts_) {
            current()->interrupts_(message);
        }
    }

private:
    [[nodiscard]] static image_run*& current() {
        static image_run* one = nullptr;
        return one;
    }
    bool check(char const* what, ntstatus status) {
        if (status < 0) {
            kernel_.find("REFUSED", std::string(what) + " returned " + image_driver::hex(status));
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
        d.find = [this](char const* id, std::string const& sentence) { kernel_.find(id, sentence); };
        d.say = [this](std::string const& words) { kernel_.record.say(words); };
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
        made.Flags.VirtualAddressing = 1;
        if (o.model->context_data != nullptr) {
            made.PrivateDriverDataSize =
                o.model->context_data(o.model->device, args->save_area, data.data(), data.size());
            made.pPrivateDriverData = data.data();
        }
        int const status = image_driver::current().create_context(&made);
        args->context = made.hContext;
        return status;
    }

    /// The end: the driver leaves, and everything that it had must be back.
    void leave() {
        if (kp::object_services::objects::current().registered) {
            driver_->unload();
        }
        for (std::string const& what : kp::pool::current().leaks()) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", what + " was not given back");
        }
        if (!kp::memory_services::physical_memory::current().mapped.empty()) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", "a mapping was not given back");
        }
        if (auto const n = kp::object_services::objects::current().handles.size(); n != 0) {
            kernel_.find("0x62 DRIVER_LEFT_RESOURCES", std::to_string(n) + " handles are still open");
        }
        if (!kernel_.timers.empty()) {
            kernel_.find("0xC7 TIMER_OR_DPC_INVALID", "a timer is set as the driver is unloaded");
        }
        for (auto const& t : kernel_.threads) {
            if (t != kernel_.threads.front() && !t->ended) {
                kernel_.find("0xCE DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS",
                             t->name + " still runs as the driver is unloaded");
            }
        }
        std::string absent;
        for (std::string const& name : image_driver::graphics().absent) {
            absent += ' ' + name;
        }
        if (!absent.empty()) {
            kernel_.record.say("not judged: callbacks that nobody plays returned STATUS_NOT_SUPPORTED:" + absent +
                               '\n');
        }
        kernel_.record.finished = true;
    }

    image_run_options options_;
    kp::kernel_system kernel_;
    std::optional<image_driver> driver_;
    paging_services* services_ = nullptr;
    std::function<void(unsigned)> interrupts_;
};

}  // namespace wddmcore::testing::certify_parts

#endif

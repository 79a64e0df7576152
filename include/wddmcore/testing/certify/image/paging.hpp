// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../mirror.hpp"
#include "../driver.hpp"
#include "../result.hpp"
#include "../scheduling.hpp"
#include "device.hpp"
#include "segment_memory.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// A driver as a run plays it, whatever it was compiled for.
struct played_driver {
    wddmcore_driver_table table{};
    wddmcore_device_model const* model = nullptr;
    /// The services that the driver's callbacks go to from now on.
    std::function<void(wddmcore_system_services const*)> connect;
    /// Time passes, in units of 100 ns: the driver's threads and timers run.
    std::function<void(std::uint64_t)> let_time_pass;
    /// System memory of the simulator, which the driver may map by page numbers; nullptr: no longer.
    std::function<void(gpu_memory_ram const*)> lend_memory;
    /// A paging or DMA buffer and its physical address; without one, it is over.
    std::function<void(std::span<std::byte const>, std::optional<std::uint64_t>)> lend_buffer;
    /// Whether memory of segments may be the driver's own, or the device's, by its physical address.
    bool provides_memory = false;
    /// Something is wrong that no simulator reports: an id, a sentence.
    std::function<void(char const*, std::string const&)> find;
    /// The driver's handle of a process, which is made where it is not there yet; empty: it knows none.
    std::function<void*(std::uint32_t)> process_of;
    /// Whose contexts are made next: each process has a device; empty: one device is enough.
    std::function<void(std::uint32_t)> before_contexts;
    /// Lines as `result` reads them: written at once, for the next call may be the last.
    std::function<void(std::string const&)> write;

    void say(std::string const& line) const { tell({.exercised = {}, .unjudged = {}, .said = {line}, .left_out = {}}); }
    void leave_unjudged(std::string const& line) const {
        tell({.exercised = {}, .unjudged = {line}, .said = {}, .left_out = {}});
    }
    void tell(result const& r) const { write(r.text()); }
    template <class Report>
    void count(Report const& from) const {
        result r;
        r.count(from);
        tell(r);
    }
};

/// As many bytes of the room as the device says that it filled. One that says more is told by `find`.
template <class Find>
[[nodiscard]] std::span<std::byte> filled(std::span<std::byte> room, std::size_t bytes, Find const& find) {
    if (bytes > room.size()) {
        find(crash_id::refused, "the device model has " + std::to_string(bytes) +
                                    " bytes of private data, and there is room for " + std::to_string(room.size()));
    }
    return room.first(std::min(bytes, room.size()));
}

/// The sentence about a context that the driver refuses: what it was asked for.
[[nodiscard]] inline std::string refused_context(mirror::v3_2::dxgkarg_createcontext const& asked, ntstatus status) {
    return "DxgkDdiCreateContext returned " + vidmm_parts::hex(static_cast<std::uint32_t>(status)) + " for node " +
           std::to_string(asked.NodeOrdinal) + (asked.Flags.SystemContext != 0 ? ", SystemContext" : "") +
           (asked.Flags.VirtualAddressing != 0 ? ", VirtualAddressing" : "") + ", " +
           std::to_string(asked.PrivateDriverDataSize) + " bytes of private data";
}

/// The system's side of the callbacks while paging is simulated: completions in order, one DPC.
class paging_services {
public:
    paging_services(played_driver const& driver) : driver_(driver) {
        services_.size = sizeof services_;
        services_.system = this;
        services_.notify_interrupt = [](void* s, void const* data) WDDMCORE_DRIVER_CALL {
            of(s).notified(*static_cast<mirror::win8::dxgkargcb_notify_interrupt_data const*>(data));
        };
        services_.queue_dpc = [](void* s) WDDMCORE_DRIVER_CALL { return std::exchange(of(s).dpc_, true) ? 0 : 1; };
        services_.notify_dpc = [](void*) WDDMCORE_DRIVER_CALL {};
        services_.synchronize_execution = [](void*, int(WDDMCORE_DRIVER_CALL * routine)(void*), void* context, unsigned,
                                             int* returned) WDDMCORE_DRIVER_CALL {
            int const answer = routine(context);
            if (returned != nullptr) {
                *returned = answer;
            }
            return 0;
        };
    }
    paging_services(paging_services const&) = delete;
    paging_services& operator=(paging_services const&) = delete;

    [[nodiscard]] wddmcore_system_services const& table() const { return services_; }
    /// The device interrupts.
    void interrupt(unsigned message) {
        static_cast<void>(driver_.table.interrupt_routine(driver_.table.adapter, message));
        while (std::exchange(dpc_, false)) {
            driver_.table.dpc_routine(driver_.table.adapter);
        }
    }
    /// What was asked for outside an interrupt.
    void run_deferred() {
        while (std::exchange(dpc_, false)) {
            driver_.table.dpc_routine(driver_.table.adapter);
        }
    }
    void submitted(std::uint32_t fence) { last_submitted_ = fence; }
    [[nodiscard]] bool all_reported() const { return last_submitted_ == last_reported_; }
    [[nodiscard]] std::uint32_t last_submitted() const { return last_submitted_; }
    [[nodiscard]] std::uint64_t reported() const { return reported_; }
    /// Gets each fence that is reported as completed.
    std::function<void(std::uint32_t)> on_completed;

private:
    [[nodiscard]] static paging_services& of(void* s) { return *static_cast<paging_services*>(s); }

    void notified(mirror::win8::dxgkargcb_notify_interrupt_data const& data) {
        namespace type = scheduler::parts::interrupt_type;
        auto const told = static_cast<std::uint32_t>(data.InterruptType);
        if (type::is_of_no_packet(told)) {
            return;
        }
        // A fault is the memory manager's matter: the engine tells of the address that had no translation.
        if (told == type::dma_page_faulted) {
            auto const whole = reinterpret_cast<mirror::v2_0::dxgkargcb_notify_interrupt_data const&>(data);
            bool const is_named = (static_cast<std::uint32_t>(whole.DmaPageFaulted.PageFaultFlags) &
                                   scheduler::parts::page_fault_fence_invalid) == 0;
            last_reported_ = is_named ? whole.DmaPageFaulted.FaultedFenceId : last_reported_;  // INT-09
            return;
        }
        if (told == type::dma_preempted) {
            driver_.find("PRE-08", "DxgkCbNotifyInterrupt reports a preemption, and nobody has asked for one");
            return;
        }
        if (told != type::dma_completed) {
            driver_.find("INT-10", "DxgkCbNotifyInterrupt reports type " + std::to_string(told));
            return;
        }
        ++reported_;
        last_reported_ = data.DmaCompleted.SubmissionFenceId;
        if (on_completed) {
            on_completed(last_reported_);
        }
        if (static_cast<std::int32_t>(last_reported_ - last_submitted_) > 0) {
            driver_.find("INT-07", "fence " + std::to_string(last_reported_) + " is reported, and was never submitted");
        }
    }

    played_driver const& driver_;
    wddmcore_system_services services_{};
    std::uint32_t last_submitted_ = 0;
    std::uint32_t last_reported_ = 0;
    std::uint64_t reported_ = 0;
    bool dpc_ = false;
};

/// The life of an adapter as far as memory is concerned: added, queried, started, paged, reset, stopped, removed.
class paging_run {
public:
    static constexpr std::uint64_t largest_allocation = 256 << 10;

    paging_run(played_driver const& driver, paging_services& services, bool remaps)
        : driver_(driver), services_(services), adapter_(paging_table(), machine(remaps)) {
        current() = this;
    }
    ~paging_run() { current() = nullptr; }
    paging_run(paging_run const&) = delete;
    paging_run& operator=(paging_run const&) = delete;

    /// @param unknown  paging ends with an operation code that no version has, and little comes before it
    void play(certified_options const& o, bool unknown = false) {
        unknown_operation_ = unknown;
        driver_.connect(&services_.table());
        static_cast<void>(adapter_.start());
        report_adapter();
        if (adapter_.is_usable()) {
            bool const addresses = adapter_.description().has(vidmm_cap::virtual_addressing);
            if (driver_.table.create_context_with_info != nullptr) {
                static_cast<void>(adapter_.create_context(addresses));
            }
            static_cast<void>(adapter_.exclusive_access());
            report_adapter();
            make_system_context(addresses);
            page(o);
            destroy();
            static_cast<void>(adapter_.ask_again());
        } else {
            driver_.leave_unjudged("paging; the adapter does not start, or says too little of itself");
        }
        // What was added is removed, or what it holds would be told as lost.
        static_cast<void>(adapter_.stop());
        report_adapter();
        driver_.count(adapter_.report());
    }

    /// What is done with memory in place of paging, where that is something else.
    std::function<void(vidmm&)> instead;

    [[nodiscard]] vidmm_adapter& adapter() { return adapter_; }
    /// Those that the simulator of memory has asked for, in the order in which it made them.
    [[nodiscard]] std::span<vidmm_reported_allocation> allocations() { return allocations_; }

    /// Lets time pass until everything that was submitted is reported; two seconds are enough (INT-07).
    /// @return whether it is
    bool wait_for_fences() {
        constexpr std::uint64_t millisecond = 10'000;
        for (std::uint32_t i = 0; i < 2000 && !services_.all_reported(); ++i) {
            driver_.let_time_pass(millisecond);
            services_.run_deferred();
        }
        if (!services_.all_reported()) {
            driver_.find("INT-07", "packet " + std::to_string(services_.last_submitted()) +
                                       " has finished and is not reported within two seconds");
        }
        return services_.all_reported();
    }

    /// What the driver said of its adapter.
    [[nodiscard]] vidmm_adapter_description const& description() const { return adapter_.description(); }

    /// The machine on which the adapter starts.
    [[nodiscard]] static vidmm_adapter_options machine(bool remaps) {
        vidmm_adapter_options o;
        o.remaps = remaps;
        return o;
    }

private:
    [[nodiscard]] static paging_run*& current() {
        static paging_run* one = nullptr;
        return one;
    }
    /// The memory manager's simulator knows neither contexts nor nodes: its packets go to the paging node.
    static int WDDMCORE_DRIVER_CALL submit_virtual(void* adapter, void const* args) {
        paging_run& self = *current();
        mirror::v2_0::dxgkarg_submitcommandvirtual whole;
        std::memcpy(&whole, args, sizeof whole);
        auto const& found = self.adapter_.description().adapters;
        whole.hContext = whole.hContext != nullptr ? self.system_context_ : nullptr;
        whole.NodeOrdinal = found.empty() ? 0 : found[0].paging_node;
        self.services_.submitted(whole.SubmissionFenceId);
        return self.driver_.table.submit_command_virtual(adapter, &whole);
    }
    static int WDDMCORE_DRIVER_CALL submit(void* adapter, void const* args) {
        paging_run& self = *current();
        self.services_.submitted(static_cast<mirror::win8::dxgkarg_submitcommand const*>(args)->SubmissionFenceId);
        return self.driver_.table.submit_command(adapter, args);
    }
    [[nodiscard]] wddmcore_driver_table paging_table() const {
        wddmcore_driver_table t = driver_.table;
        t.submit_command_virtual = t.submit_command_virtual != nullptr ? &submit_virtual : nullptr;
        t.submit_command = t.submit_command != nullptr ? &submit : nullptr;
        return t;
    }

    /// The device; one that has nothing, where there is none.
    [[nodiscard]] wddmcore_device_model const& model() const {
        static wddmcore_device_model const none{};
        return driver_.model != nullptr ? *driver_.model : none;
    }

    void make_system_context(bool addresses) {
        if (driver_.table.create_context_with_info == nullptr) {
            return;
        }
        mirror::v3_2::dxgkarg_createcontext args{};
        std::array<std::byte, 256> data{};
        auto const* const m = driver_.model;
        args.NodeOrdinal = paging_node_of(adapter_.description());
        args.EngineAffinity = 1;
        args.Flags.SystemContext = 1;
        args.Flags.VirtualAddressing = addresses;
        if (m != nullptr && m->context_data != nullptr) {
            auto const sent = filled(data, m->context_data(m->device, 0x1000, data.data(), data.size()), driver_.find);
            args.PrivateDriverDataSize = static_cast<std::uint32_t>(sent.size());
            args.pPrivateDriverData = data.data();
        }
        if (int const status = driver_.table.create_context_with_info(driver_.table.adapter, &args); status < 0) {
            driver_.find(crash_id::refused, refused_context(args, status));
        }
        system_context_ = args.hContext;
    }

    /// The driver's handle for an allocation that the simulator makes.
    void* handle_of(std::uint32_t number) {
        auto const* const m = driver_.model;
        std::array<std::byte, 1024> data{};
        auto const bytes = m->allocation_data(m->device, number, largest_allocation, data.data(), data.size());
        auto const made = adapter_.create_allocation(filled(data, bytes, driver_.find));
        report_adapter();
        if (!made) {
            return nullptr;
        }
        allocations_.push_back(*made);
        return made->handle;
    }

    void page(certified_options const& how) {
        bool const has_engine = model().execute != nullptr;
        char const* const no_engine = "paging; no device model executes the driver's paging buffers (--device)";
        if (instead && driver_.model == nullptr) {
            return;
        }
        if (!has_engine && !driver_.provides_memory) {
            driver_.leave_unjudged(no_engine);
            return;
        }
        try {
            vidmm_options const o = paging_options(how);
            if (o.page_tables.used() && !o.page_tables.translate && driver_.table.translate == nullptr) {
                driver_.leave_unjudged("paging; no device model tells what page tables translate to (--device)");
            } else if (!has_engine && !o.wait_for_fence) {
                driver_.leave_unjudged(no_engine);
            } else {
                page_with(o, how);
            }
        } catch (std::invalid_argument const& e) {
            if (adapter_.report().passed() && has_engine) {
                throw;
            }
            driver_.leave_unjudged(std::string("paging, which these answers do not allow; ") + e.what());
        }
    }
    [[nodiscard]] vidmm_options paging_options(certified_options const& how) {
        auto const* const m = &model();
        vidmm_options o = options_of(adapter_.description());
        observe_device(*m, o);
        leave_out_aperture(o);
        o.seed = how.seed;
        o.stop_after = how.only_first ? 1 : 0;
        o.unknown_operation = unknown_operation_;
        o.page_lists_expire = how.judge_unusual;
        o.paging_context = system_context_;
        o.paging_node = paging_node_of(adapter_.description());
        o.largest_allocation = largest_allocation;
        o.execution = vidmm_execution::at_submit;
        o.memory_file = true;  // MDLs are mapped
        o.on_paging_buffer = driver_.lend_buffer;
        o.page_tables.process_of = driver_.process_of;
        o.page_tables.before_contexts = driver_.before_contexts;
        if (m->allocation_data != nullptr && driver_.table.create_allocation != nullptr) {
            o.handle_of = [this](std::uint32_t number) { return handle_of(number); };
        }
        if (m->window_done != nullptr) {
            o.other_work = [this, m] {
                m->window_done(m->device);
                services_.run_deferred();
            };
        }
        use_memory_of_others(o);
        return o;
    }
    /// Of an aperture whose entries nobody shows.
    void leave_out_aperture(vidmm_options& o) const {
        if (o.aperture != vidmm_aperture::none && !o.page_of && driver_.table.aperture_page == nullptr) {
            driver_.leave_unjudged("the aperture (OP05-01, OP06-01, OP17-02); no device model has `aperture_page`");
            o.aperture = vidmm_aperture::none;
            std::erase_if(o.segments, [](vidmm_segment const& s) { return s.aperture; });
        }
    }
    /// Where all memory of segments is the driver's, or the device's to which the CPU sees, and no device model has an
    /// engine, the driver executes by itself.
    void use_memory_of_others(vidmm_options& o) {
        if (!driver_.provides_memory) {
            return;
        }
        segment_memory memory;
        bool const is_all = memory.provide(o, adapter_.description().adapters.at(0));
        driver_.count(memory.report());
        if (is_all && model().execute == nullptr) {
            o.wait_for_fence = [this](std::uint32_t) {
                bool const is_reported = wait_for_fences();
                // What it still does after the report is done in a tenth of a second, whatever it waits for.
                for (std::uint32_t i = 0; i < 50; ++i) {
                    driver_.let_time_pass(20'000);
                }
                return is_reported;
            };
        }
    }
    void page_with(vidmm_options const& o, certified_options const& how) {
        auto const* const m = &model();
        model_engine engine(*m);
        vidmm system(paging_table(), o, o.wait_for_fence ? nullptr : &engine);
        services_.on_completed = [&system](std::uint32_t fence) { system.fence_reported(fence); };
        model_bus memory(system.memory());
        auto const* const ram = dynamic_cast<gpu_memory const*>(&system.memory());
        driver_.lend_memory(ram != nullptr ? ram->ram() : nullptr);
        if (m->attach != nullptr) {
            m->attach(m->device, &memory.functions());
        }
        if (instead) {
            instead(system);
        } else {
            page_at_random(system, how);
        }
        write_trace(how.trace, system.events());
        driver_.count(system.report());
        if (m->attach != nullptr) {
            m->attach(m->device, nullptr);
        }
        driver_.lend_memory(nullptr);
        services_.on_completed = nullptr;
    }
    void page_at_random(vidmm& system, certified_options const& how) {
        if (!unknown_operation_) {
            page_one(system);
        }
        system.run(how.seed, how.steps);
        wait_for_fences();
        say_operations(system.report());
        driver_.say("trace hash " + hash_of(system.transcript()));
    }
    /// One allocation, step by step; what the adapter cannot do is left out.
    void page_one(vidmm& system) {
        std::uint32_t local = 0;
        for (vidmm_reported_segment const& s : adapter_.description().adapters.at(0).segments) {
            local = local == 0 && !s.is_aperture() ? s.id : local;
        }
        auto const picture = system.create(bytes{200'000});
        auto const process = system.create_process();
        static_cast<void>(local != 0 && system.commit(picture, segment_id{local}));
        static_cast<void>(process != 0 && system.map(process, picture, gpu_virtual_address{u64{1} << 40}));
        static_cast<void>(local != 0 && system.evict(picture));
        static_cast<void>(system.map_aperture(picture) && system.unmap_aperture(picture));
        if (model().cached_write != nullptr) {
            static_cast<void>(system.notify_iommu_unmap(picture));
        }
        if (model().monitored_fences != 0) {
            static_cast<void>(system.signal_fence(0x1234'5678'9ABC'DEF0));
        }
        static_cast<void>(local != 0 && system.commit(picture, segment_id{local}));
        system.finish();
        if (driver_.table.reset_from_timeout != nullptr && driver_.table.restart_from_timeout != nullptr) {
            static_cast<void>(driver_.table.reset_from_timeout(driver_.table.adapter));
            static_cast<void>(driver_.table.restart_from_timeout(driver_.table.adapter));
            system.reset();
        }
        system.destroy(picture);
    }
    /// FNV-1a of a text.
    [[nodiscard]] static std::string hash_of(std::string const& text) {
        std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
        for (char const c : text) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
        }
        char digits[20];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
        return digits;
    }
    void say_operations(vidmm_report const& report) {
        std::string line = "paging:";
        for (u32 i = 0; i != paging_operation_count; ++i) {
            auto const operation = static_cast<paging_operation>(i);
            if (auto const n = report.of(operation).requests; n != 0) {
                line += ' ' + std::string(name(operation)) + ' ' + std::to_string(n);
            }
        }
        driver_.say(line + "; allocations " + std::to_string(allocations_.size()) + ", fences " +
                    std::to_string(services_.reported()));
    }
    void destroy() {
        for (vidmm_reported_allocation const& each : allocations_) {
            static_cast<void>(adapter_.destroy_allocation(each));
        }
        if (system_context_ != nullptr && driver_.table.destroy_context != nullptr) {
            static_cast<void>(driver_.table.destroy_context(driver_.table.adapter, system_context_));
        }
    }
    void report_adapter() {
        if (!adapter_.refusal().empty() && !std::exchange(told_, true)) {
            driver_.find(crash_id::refused, adapter_.refusal());
        }
    }

    played_driver const& driver_;
    paging_services& services_;
    vidmm_adapter adapter_;
    std::vector<vidmm_reported_allocation> allocations_;
    void* system_context_ = nullptr;
    bool unknown_operation_ = false;
    bool told_ = false;  // that a function of the driver failed
};

}  // namespace wddmcore::testing::certify_parts

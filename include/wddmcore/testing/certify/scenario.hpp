// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"
#include "hooks.hpp"
#include "result.hpp"
#include "scheduling.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// An adapter that was started for a scenario, where the driver has queries, and what is made for its runs.
class started_adapter {
public:
    started_adapter(certified_driver const& d, certified_options const& o)
        : driver_(d), table_(d.paging_table ? *d.paging_table : d.table) {
        if (table_.query_adapter_info != nullptr) {
            vidmm_adapter_options machine = d.machine;
            machine.seed = o.seed;
            adapter_.emplace(table_, machine);
        }
    }

    [[nodiscard]] bool has_queries() const { return adapter_.has_value(); }
    [[nodiscard]] vidmm_adapter& operator*() { return *adapter_; }
    [[nodiscard]] wddmcore_driver_table const& table() const { return table_; }

    /// Starts it; a function of the driver that failed is a finding.
    /// @return whether it can be used, with or without findings
    [[nodiscard]] bool start() {
        good_ = !adapter_ || adapter_->start() || adapter_->is_usable();
        refused();
        if (good_ && driver_.started) {
            driver_.started();
        }
        return good_;
    }
    void stop() {
        if (good_ && driver_.stopping) {
            driver_.stopping();
        }
        if (adapter_) {
            static_cast<void>(adapter_->stop());
        }
        refused();
    }
    /// Whether the answers were right.
    [[nodiscard]] bool passed() const { return !adapter_ || adapter_->report().passed(); }

    /// What the driver said, completed by its author.
    [[nodiscard]] vidmm_options options(certified_options const& o, std::vector<std::string>& unjudged) {
        vidmm_options options = adapter_ ? options_of(adapter_->description()) : vidmm_options{};
        if (driver_.observe) {
            driver_.observe(options);
        }
        leave_out_unseen(options, table_, unjudged);
        options.seed = o.seed;
        options.keep_trace = !o.trace.empty();
        options.stop_after = o.only_first ? 1 : 0;
        options.page_lists_expire = options.page_lists_expire && o.judge_unusual;
        if (adapter_ && driver_.allocation_data && table_.create_allocation != nullptr) {
            options.handle_of = [this](std::uint32_t number) { return handle_of(number); };
        }
        return options;
    }

    void destroy_allocations() {
        for (vidmm_reported_allocation const& each : allocations_) {
            static_cast<void>(adapter_->destroy_allocation(each));
        }
        allocations_.clear();
    }

private:
    [[nodiscard]] void* handle_of(std::uint32_t number) {
        std::vector<std::byte> const data = driver_.allocation_data(number);
        auto const made = adapter_->create_allocation(data);
        if (!made) {
            refused();
            throw std::runtime_error("the driver makes no allocation " + std::to_string(number));
        }
        allocations_.push_back(*made);
        return made->handle;
    }
    void refused() {
        if (adapter_ && !adapter_->refusal().empty() && !told_) {
            told_ = true;
            vidmm_parts::keep_finding(crash_id::refused, adapter_->refusal(),
                                      vidmm_parts::journal::current().last_call());
        }
    }

    certified_driver const& driver_;
    wddmcore_driver_table table_;
    std::optional<vidmm_adapter> adapter_;
    std::vector<vidmm_reported_allocation> allocations_;
    bool good_ = false;
    bool told_ = false;
};

/// The life of an adapter: added, asked, started, asked again, stopped.
[[nodiscard]] inline result adapter_life(certified_driver const& d, certified_options const& o) {
    result out;
    started_adapter adapter(d, o);
    if (!adapter.has_queries()) {
        out.left_out = "the table has no query_adapter_info";
        return out;
    }
    if (adapter.start()) {
        vidmm_adapter& a = *adapter;
        auto const& said = a.description();
        if (adapter.table().create_context_with_info != nullptr) {
            a.create_context(said.adapters.at(0).mmu.has_value());
        }
        if ((said.iommu() & vidmm_cap::isolation_supported) != 0) {
            a.exclusive_access();
        }
        for (std::uint32_t number = 1; d.allocation_data && number <= 4; ++number) {
            std::vector<std::byte> const data = d.allocation_data(number);
            if (auto const made = a.create_allocation(data)) {
                a.destroy_allocation(*made);
            }
        }
        a.ask_again();
    }
    adapter.stop();
    out.count((*adapter).report());
    unjudged_of_start(d, out.unjudged);
    return out;
}

/// A random run of the memory manager.
[[nodiscard]] inline result paging(certified_driver const& d, certified_options const& o,
                                   std::function<bool(vidmm_options&)> const& differently) {
    result out;
    started_adapter adapter(d, o);
    if (!adapter.has_queries() && !d.observe) {
        out.left_out = "there are neither queries nor options of a memory manager";
        return out;
    }
    if (!adapter.start()) {
        out.left_out = "the adapter does not start, or says too little of itself";
        adapter.stop();
        return out;
    }
    try {
        vidmm_options options = adapter.options(o, out.unjudged);
        if (!differently(options)) {
            out.left_out = "the driver or its hardware's model has none of it";
            return out;
        }
        vidmm system(adapter.table(), options, d.executor);
        if (d.attach) {
            d.attach(system);
        }
        system.run(o.seed, o.steps);
        write_trace(o.trace, system.events());
        out.count(system.report());
        if (!system.report().passed()) {
            return out;  // the driver may be anywhere: what stopping it shows would be a consequence
        }
    } catch (std::invalid_argument const& e) {
        if (adapter.passed()) {
            throw;
        }
        out.unjudged.push_back(std::string("paging, which the driver's answers do not allow; ") + e.what());
    }
    if (adapter.has_queries()) {
        adapter.destroy_allocations();
        (*adapter).ask_again();
        adapter.stop();
        out.count((*adapter).report());
    }
    return out;
}

/// What the engines are: as the driver's author says, or else as the driver answers. Nothing: the reason is in `out`.
[[nodiscard]] inline std::optional<scheduler::options> engines_of(certified_driver const& d, certified_options const& o,
                                                                  result& out) {
    std::string const missing = missing_for_scheduling(d.table);
    wddmcore_driver_table const& asked = d.paging_table ? *d.paging_table : d.table;
    if (d.table.start_device == nullptr || !missing.empty() || (!d.scheduling && asked.query_adapter_info == nullptr)) {
        out.left_out = "the table has no functions for scheduling, or nothing says what the engines are";
        out.unjudged.emplace_back(
            "preemption, interrupts and recovery (PRE, INT, TDR): the functions of scheduling, and query_adapter_info "
            "or `scheduling`");
        return std::nullopt;
    }
    if (d.scheduling) {
        return d.scheduling;
    }
    vidmm_adapter_options machine = d.machine;
    machine.seed = o.seed;
    std::string refusal;
    auto const said = answers_of(asked, machine, refusal);
    if (!said) {
        vidmm_parts::keep_finding(crash_id::refused, refusal, "before scheduling");
        return std::nullopt;
    }
    if (std::string const left = unjudged_nodes(*said); !left.empty()) {
        out.unjudged.push_back(left);
    }
    return scheduling_options_of(*said, d.table.submit_command_virtual != nullptr);
}

/// A random run of the scheduler.
[[nodiscard]] inline result scheduling(certified_driver const& d, certified_options const& o,
                                       std::function<void(scheduler::options&)> const& differently) {
    result out;
    std::optional<scheduler::options> const engines = engines_of(d, o, out);
    if (!engines) {
        return out;
    }
    scheduler::options options = *engines;
    options.fence_id_distance = options.fence_id_distance != 0 ? options.fence_id_distance : 0x10'0000;
    scheduled_run(d, o, options, differently, &scheduler::run, "scheduling", out);
    return out;
}

}  // namespace wddmcore::testing::certify_parts

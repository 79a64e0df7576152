// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hooks.hpp"
#include "../link/physical_adapters.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

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

    /// How many physical adapters it has that are paged.
    [[nodiscard]] std::uint32_t paged_adapters(std::vector<std::string>& unjudged) {
        return paged_adapters_of(driver_, adapter_ ? adapter_->description().adapters.size() : 0, unjudged);
    }

    /// What the driver said, completed by its author.
    /// @param which  the physical adapter of a link; none outside a link
    [[nodiscard]] vidmm_options options(certified_options const& o, std::optional<std::uint32_t> which,
                                        std::vector<std::string>& unjudged) {
        vidmm_options options = adapter_ ? options_of(adapter_->description(), which.value_or(0)) : vidmm_options{};
        if (which && adapter_) {
            options.paging_node = adapter_->description().adapters.at(*which).paging_node;
        }
        options.physical_adapter = which;
        if (driver_.observe) {
            driver_.observe(options);
        }
        options.physical_adapter = which;  // also where the author has made all of the options
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

}  // namespace wddmcore::testing::certify_parts

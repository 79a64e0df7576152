// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "record.hpp"

#include <wddmcore/testing/driver_table.h>
#include <wddmcore/testing/gpu_memory/bus.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <deque>
#include <functional>
#include <map>

namespace wddmcore::examples::report {

/// Stands between the simulator and a driver, and between the simulator and an engine, and writes down what passes.
/// Neither notices.
class recorder final : public testing::engine {
public:
    /// @param driver    what is recorded; copied
    /// @param hardware  what executes; must live longer
    /// @param options   of the run, for its observers; must live longer
    recorder(wddmcore_driver_table const& driver, testing::engine& hardware, testing::vidmm_options const& options)
        : driver_(driver), hardware_(hardware), options_(options) {
        names_.dual_tables = options.page_tables.dual_tables;
    }

    /// The table for the simulator.
    [[nodiscard]] wddmcore_driver_table table();

    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override;

    /// All calls, in their order.
    [[nodiscard]] std::deque<call> const& calls() const { return calls_; }

private:
    /// Something to ask before and after.
    struct question {
        std::string what;
        std::function<std::string()> answer;
    };

    static int WDDMCORE_DRIVER_CALL build(void* self, void* args);
    static int WDDMCORE_DRIVER_CALL patch(void* self, void const* args);
    static int WDDMCORE_DRIVER_CALL submit(void* self, void const* args);
    static int WDDMCORE_DRIVER_CALL submit_virtual(void* self, void const* args);

    template <class Arguments>
    [[nodiscard]] int record(Arguments& args);
    template <class Arguments>
    [[nodiscard]] std::vector<question> questions(Arguments const& args);
    void ask(call& c, std::vector<question> const& all);
    void look_again(call& c, std::vector<question> const& all);

    wddmcore_driver_table driver_;
    testing::engine& hardware_;
    testing::vidmm_options const& options_;
    handle_names names_;
    std::deque<call> calls_;
    std::map<void const*, std::pair<call*, std::vector<question>>> waiting_;  // by their first command
};

}  // namespace wddmcore::examples::report

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "keeper.hpp"

#include <kmd_skeleton/certified.hpp>
#include <paging_round_trip/rigs.hpp>

#include <memory>
#include <string_view>

namespace zoo {

namespace {

/// A sound driver with everything around it.
class keeper {
public:
    explicit keeper(sound_driver which) {
        if (which == sound_driver::skeleton || which == sound_driver::scheduled) {
            skeleton_ = std::make_unique<examples::skeleton::certified_skeleton>();
            driver = skeleton_->describe();
            return;
        }
        driver.name = which == sound_driver::physical ? "cpu"
                      : which == sound_driver::larger ? "intel_xe_tables"
                                                      : "cpu_tables";
        rig_ = examples::make_rig(driver.name, u64{8} << 20);
        driver.table = rig_->table();
        driver.executor = &rig_->engine();
        driver.observe = [this, which](testing::vidmm_options& o) {
            o = rig_->options();
            o.smallest_paging_buffer = rig_->smallest_buffer();
            o.largest_paging_buffer = 16384;
            o.largest_allocation = 1 << 16;
            o.notices.page_residency_of = nullptr;  // one record serves both kinds of notice
            if (which == sound_driver::larger) {
                ask_for_larger_pages(o);
            }
        };
        driver.attach = [this](testing::vidmm& system) { rig_->attach(system); };
    }
    keeper(keeper const&) = delete;
    keeper& operator=(keeper const&) = delete;

    testing::certified_driver driver;

private:
    // What is mapped has such pages mostly, memory has room for them, and nothing else happens.
    static void ask_for_larger_pages(testing::vidmm_options& o) {
        o.notices = {};
        o.notify = {};
        o.contexts = {};
        o.chances.larger_pages = 90;
        o.chances.feature = 60;
        o.chances.split = 10;
        o.most_allocations = 6;
        o.page_tables.packed = true;
        o.page_tables.largest_page = u64{2} << 20;
        for (testing::vidmm_segment& s : o.segments) {
            s.pages_64k = !s.aperture;
        }
    }

    std::unique_ptr<examples::skeleton::certified_skeleton> skeleton_;
    std::unique_ptr<examples::rig> rig_;
};

}  // namespace

testing::certified_report certify_sound(sound_driver which, testing::certified_options const& options) {
    keeper const k(which);
    return testing::certify(k.driver, options);
}

testing::certified_report certify_mistake(mistake const& wrong, testing::certified_options const& options) {
    keeper k(wrong.of);
    kept = {};
    sound = k.driver.table;
    wrong.make(k.driver.table);
    if (k.driver.paging_table) {
        // Its submission is another one; everything else is the same table's.
        auto const submit = k.driver.paging_table->submit_command_virtual;
        k.driver.paging_table = k.driver.table;
        k.driver.paging_table->submit_command_virtual = submit;
    }
    return testing::certify(k.driver, options);
}

catch_report catch_with(mistake const& wrong, u64 first_seed, u64 seeds) {
    catch_report out;
    for (u64 seed = first_seed; seed < first_seed + seeds; ++seed) {
        testing::certified_options options;
        options.seed = seed;
        options.only_first = true;
        if (wrong.of == sound_driver::scheduled) {
            options.only = {"scheduling", "pressure", "timeouts"};
        }
        options.seconds = std::string_view(wrong.rule) == "HANG" ? 2 : 60;
        testing::certified_report const report = certify_mistake(wrong, options);
        testing::certified_finding const* const first = report.first();
        ++out.runs;
        if (first != nullptr && first->rule == wrong.rule) {
            ++out.right;
        } else {
            out.others += "\n    seed " + std::to_string(seed) + ": " +
                          (first == nullptr ? "nothing" : first->rule + ": " + first->sentence + "; " + first->state);
        }
    }
    return out;
}

}  // namespace zoo

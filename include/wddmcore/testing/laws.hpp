// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../wddmcore.hpp"
#include "laws/address_laws.hpp"
#include "laws/aperture_laws.hpp"
#include "laws/encoder_laws.hpp"
#include "laws/format_laws.hpp"
#include "laws/law.hpp"
#include "laws/memory.hpp"
#include "laws/notice_laws.hpp"
#include "laws/physical_laws.hpp"
#include "laws/range_notice_laws.hpp"
#include "laws/report.hpp"
#include "laws/samples/requests.hpp"
#include "laws/table_command_laws.hpp"
#include "laws/table_laws.hpp"
#include "laws/virtual_laws.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The conformance suite that a driver team runs over its own hardware type, in whatever test framework it has.
///
/// Signatures and ranges of constants are checked when a driver compiles (check_hardware); what the words mean is
/// checked here. The first `check` needs the type alone:
///
///     my_gpu gpu{...};                                    // with segments that have a place
///     wddmcore::testing::law_report report;
///     wddmcore::testing::laws{gpu}.check(report);
///     EXPECT_TRUE(report.kept()) << report.text();
///
/// The second one also needs an engine that executes the commands on simulated memory (see `engine`), and then whole
/// requests go through build_paging_buffer, in paging buffers of the smallest size and above, and memory is compared.
///
/// Of a type that serves several chips, the laws judge the chip that the object is: its own largest copy, alignments,
/// page tables. Run them for each.
///
/// Everything random follows from the seed in the options; the same seed gives the same report.
///
/// @tparam Hw    the hardware type; one that check_hardware refuses does not compile, with its sentence
/// @tparam Args  the argument structure; without it the mirror of the version that the type declares
template <class Hw, class Args = law_arguments<Hw>>
class laws {
    static_assert(check_hardware<Hw, Args>());

public:
    /// @param hw       lives longer; its fault hook hears of requests that it refuses
    /// @param options  seed, number of requests, what the hardware does not have
    explicit laws(Hw& hw, law_options options = {}) : hw_(hw), options_(options) {}

    /// Judges the encoders, the addresses and the places: what can be told without an engine.
    void check(law_report& report) const {
        check_encoders(report);
        check_addresses(report);
    }

    /// Judges everything.
    /// @param memory  what the laws may play with; its content is lost
    void check(law_report& report, law_memory const& memory) const {
        check(report);
        check_memory(report, memory, [](Hw& hw, Args& args) { return build_paging_buffer(hw, args); });
    }

    /// Judges the words of every encoder, and the entries of page tables.
    void check_encoders(law_report& report) const {
        if (!has_declared_numbers(report)) {
            return;
        }
        law_parts::encoder_laws<Hw>(hw_, options_, report).check();
        if constexpr (law_parts::has_page_tables<Hw>) {
            law_parts::format_laws<Hw>(hw_, options_, report).check();
        }
        if constexpr (hw::addressed<Hw>) {
            law_parts::table_command_laws<Hw>(hw_, options_, report).check();
        }
        law_parts::notice_laws<Hw>(hw_, options_, report).check();
    }

    /// Judges addresses and places.
    void check_addresses(law_report& report) const {
        if (has_declared_numbers(report)) {
            law_parts::address_laws<Hw>(hw_, options_, report).check();
        }
    }

    /// Judges what becomes of memory when an engine executes whole requests, built by a function of the driver's own.
    /// @param memory  as above; without an engine or a bus nothing is judged
    /// @param build   ntstatus(Hw&, Args&), in place of build_paging_buffer
    template <class Build>
    void check_memory(law_report& report, law_memory const& memory, Build const& build) const {
        if (memory.executor == nullptr || memory.bus == nullptr || !has_declared_numbers(report)) {
            return;
        }
        if constexpr (law_parts::is_physical<Hw> && !hw::paged_by_cpu<Hw>) {
            law_parts::physical_laws<Hw, Args, Build>(hw_, memory, options_, report, build).check();
        }
        if constexpr (law_parts::is_virtual<Hw> && !hw::paged_by_cpu<Hw>) {
            law_parts::virtual_laws<Hw, Args, Build>(hw_, memory, options_, report, build).check();
        }
        if constexpr (law_parts::has_apertures<Hw>) {
            law_parts::aperture_laws<Hw, Args, Build>(hw_, memory, options_, report, build).check();
        }
        for (auto const mode : {law_parts::table_mode::cpu_virtual, law_parts::table_mode::gpu_virtual,
                                law_parts::table_mode::gpu_physical}) {
            if constexpr (law_parts::has_tables_in_memory<Hw>) {
                law_parts::table_laws<Hw, Args, Build>(hw_, memory, options_, report, build, mode).check();
            }
        }
        law_parts::range_notice_laws<Hw, Args, Build>(hw_, memory, options_, report, build).check();
    }

private:
    /// Nothing else can be said of an object whose numbers are not what its type declares.
    [[nodiscard]] bool has_declared_numbers(law_report& report) const {
        broken_number const found = check_numbers(hw_);
        return report.judge(law::declared_numbers, found == no_number_broken, [&] {
            return law_parts::say(text_of(found.what), ": ", found.value, ", not ", found.least, " to ", found.most);
        });
    }

    Hw& hw_;
    law_options options_;
};

}  // namespace wddmcore::testing

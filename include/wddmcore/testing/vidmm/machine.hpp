// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../trace.hpp"
#include "bus.hpp"
#include "ddi_calls.hpp"
#include "journal.hpp"
#include "report.hpp"
#include "space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Rows of the trace.
inline constexpr std::uint32_t track_system = 1;
inline constexpr std::uint32_t track_driver = 2;
inline constexpr std::uint32_t track_engine = 3;

/// What all parts of the simulator share: the driver, the hardware, memory, dice, virtual time and the report.
struct machine {
    machine(wddmcore_driver_table const& driver, vidmm_options o, engine* hardware_)
        : table(taken_from(driver)),
          options(checked(std::move(o), table)),
          version(interface_version_of(table.version)),
          calls(calls_for(table)),
          hardware(hardware_),
          random(options.seed),
          memory(options),
          bus(memory, options) {
        for (vidmm_segment const& s : options.segments) {
            if (s.aperture) {
                aperture = s;
            }
        }
        events.keep(options.keep_trace);
        events.name_track(track_system, "video memory manager");
        events.name_track(track_driver, "driver");
        events.name_track(track_engine, "engine");
        for (std::uint64_t i = 0; i < aperture.size / page_size; ++i) {
            aperture_must_be.push_back(options.page_of(i));
        }
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    /// Notes a broken rule and decides whether the run goes on.
    void broken(vidmm_rule rule, std::string sentence, std::string state, bool can_go_on) {
        events.moment(track_system, std::string("broken: ") + id_of(rule), clock,
                      {trace::argument::words("sentence", sentence)});
        report.broken(rule, std::move(sentence), std::move(state));
        stopped =
            stopped || !can_go_on || (options.stop_after != 0 && report.violations().size() >= options.stop_after);
    }

    /// A number that no driver can have guessed, for memory that nobody has written.
    [[nodiscard]] std::uint64_t junk() { return random.next() | 1; }

    wddmcore_driver_table table;
    vidmm_options options;
    wddm version;
    ddi_calls calls;
    engine* hardware;
    dice random;
    memory_model memory;
    recording_bus bus;
    vidmm_report report;
    trace events;
    std::uint64_t clock = 0;  ///< virtual nanoseconds
    vidmm_segment aperture;   ///< size 0: none
    std::vector<std::uint64_t> aperture_must_be;
    bool stopped = false;
    lender memory_for_calls;
    std::vector<std::byte> scratch;  ///< of one check at a time; kept, because a fresh gigabyte is slow to get

private:
    // A table of an older or younger header: what both know.
    [[nodiscard]] static wddmcore_driver_table taken_from(wddmcore_driver_table const& given) {
        wddmcore_driver_table known{};
        std::memcpy(&known, &given, std::min<std::size_t>(given.size, sizeof known));
        return known;
    }

    static void require(bool holds, char const* sentence) {
        if (!holds) {
            throw std::invalid_argument(std::string("vidmm_options: ") + sentence);
        }
    }

    [[nodiscard]] static vidmm_options checked(vidmm_options o, wddmcore_driver_table const& t) {
        std::uint32_t apertures = 0;
        for (vidmm_segment const& s : o.segments) {
            require(s.id >= 1 && s.id <= 31, "a segment id is 1 to 31");
            require(s.size != 0 && s.base % page_size == 0 && s.size % page_size == 0, "segments are whole pages");
            require(!s.hollow || o.addressing == vidmm_addressing::physical, "hollow segments are physical");
            apertures += s.aperture ? 1U : 0U;
            if (s.aperture && !o.page_of && t.aperture_page != nullptr) {
                auto const ask = t.aperture_page;
                void* const adapter = t.adapter;
                o.page_of = [ask, adapter, id = s.id](std::uint64_t index) {
                    unsigned long long page = 0;
                    return ask(adapter, id, index, &page) == 0 ? std::uint64_t{page} : ~std::uint64_t{0};
                };
            }
        }
        if (!o.set_busy && t.set_allocation_busy != nullptr) {
            o.set_busy = [tell = t.set_allocation_busy, adapter = t.adapter](void* allocation, bool busy) {
                tell(adapter, allocation, busy ? 1 : 0);
            };
        }
        wddm const version = interface_version_of(t.version);
        require(apertures == (o.aperture == vidmm_aperture::none ? 0U : 1U),
                "the aperture's form and its segment belong together");
        require(apertures == 0 || o.page_of != nullptr, "an aperture needs page_of");
        require(o.aperture != vidmm_aperture::adl || at_least(version, wddm::v2_9), "operation 17 needs WDDM 2.9");
        require(o.addressing == vidmm_addressing::physical || at_least(version, wddm::v2_0),
                "virtual addressing needs WDDM 2.0");
        require(o.smallest_paging_buffer != 0 && o.smallest_paging_buffer <= o.largest_paging_buffer,
                "the smallest paging buffer is not above the largest");
        require(o.paging_buffer == 0 || o.paging_buffer >= o.smallest_paging_buffer,
                "the paging buffer is not below the smallest");
        require(o.command_alignment != 0 && o.command_alignment % 4 == 0 && o.size_granule >= 4 &&
                    o.size_granule % 4 == 0,
                "alignments are multiples of 4");
        return o;
    }
};

}  // namespace wddmcore::testing::vidmm_parts

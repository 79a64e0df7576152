// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../trace.hpp"
#include "calls/ddi_calls.hpp"
#include "checks/report.hpp"
#include "journal.hpp"
#include "memory/bus.hpp"
#include "memory/space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Rows of the trace.
inline constexpr std::uint32_t track_system = 1;
inline constexpr std::uint32_t track_driver = 2;
inline constexpr std::uint32_t track_engine = 3;
inline constexpr std::uint32_t track_fences = 4;

struct address_space;

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
        events.name_track(track_system, "video memory manager", "system");
        events.name_track(track_driver, "driver", "driver");
        events.name_track(track_engine, "engine", "engine");
        events.name_track(track_fences, "fences", "fence");
        for (std::uint64_t i = 0; i < aperture.size / page_size; ++i) {
            aperture_must_be.push_back(options.page_of(i));
        }
    }

    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    /// Notes a broken rule and decides whether the run goes on.
    void broken(vidmm_rule rule, std::string sentence, std::string state, bool can_go_on, differing_memory where = {}) {
        events.moment(track_system, std::string("broken: ") + id_of(rule), clock,
                      {trace::argument::words("sentence", sentence)});
        std::string const whose =
            options.physical_adapter ? "physical adapter " + std::to_string(*options.physical_adapter) + ", " : "";
        report.broken(rule, std::move(sentence), whose + state, std::move(where));
        stopped =
            stopped || !can_go_on || (options.stop_after != 0 && report.violations().size() >= options.stop_after);
    }

    /// Whether roots are as large as the driver says, and grow: two levels (GVA-26).
    [[nodiscard]] bool resizable_roots() const { return has_resizable_roots(options.page_tables, table); }

    /// Whether commands are executed where nobody sees what they touch: memory alone tells.
    [[nodiscard]] bool executes_unseen() const { return hardware == nullptr && options.wait_for_fence != nullptr; }

    /// Whether such an operation was executed and looked at already.
    [[nodiscard]] bool was_done(paging_operation code) const { return report.of(code).requests != 0; }

    /// The system's context, as the call at hand names it: by seed it does not, as the DDI allows, but in a link, where
    /// only the context says whose memory this is.
    [[nodiscard]] void* named_paging_context() {
        bool const by_seed = !random.chance(50);
        return by_seed || options.physical_adapter ? options.paging_context : nullptr;
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
    std::array<std::optional<vidmm_rule>, paging_operation_count> cause_of{};  ///< of wrong bytes, by operation
    bool aperture_is_wrong = false;                                            ///< a finding says so already
    std::function<void(address_space const*)> enter;        ///< tells the hardware's model; empty without page tables
    std::function<void*(address_space const*)> context_of;  ///< the driver's handle, where there are such; may be empty
    std::uint64_t power_losses = 0;
    std::uint64_t dummy_page = 0;          ///< number of the page that unmapped parts of the aperture show; 0: none
    std::uint64_t paging_flushes[2] = {};  ///< flushes of the paging process that worked: of ranges, of all
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

    // The driver table's observers, where an option is missing.
    static void ask_table(vidmm_page_tables& p, std::function<void()>& lose_power, wddmcore_driver_table const& t) {
        void* const adapter = t.adapter;
        if (!p.translate && t.translate != nullptr) {
            p.translate = [ask = t.translate, adapter](std::uint32_t segment, std::uint64_t offset, std::uint64_t va,
                                                       bool past_caches) {
                unsigned long long address = 0;
                unsigned int attributes = 0;
                bool const found = ask(adapter, segment, offset, va, past_caches ? 1 : 0, &address, &attributes) == 0;
                return found ? std::optional(vidmm_translation{address, attributes}) : std::nullopt;
            };
        }
        if (!p.enter && t.enter_address_space != nullptr) {
            p.enter = [tell = t.enter_address_space, adapter](std::uint32_t segment, std::uint64_t offset) {
                tell(adapter, segment, offset);
            };
        }
        if (!p.translate_in_context && t.translate_in_context != nullptr) {
            p.translate_in_context = [ask = t.translate_in_context, adapter](void* context, std::uint64_t va,
                                                                             bool past_caches) {
                unsigned long long address = 0;
                unsigned int attributes = 0;
                bool const found = ask(adapter, context, va, past_caches ? 1 : 0, &address, &attributes) == 0;
                return found ? std::optional(vidmm_translation{address, attributes}) : std::nullopt;
            };
        }
        if (!lose_power && t.lose_power != nullptr) {
            lose_power = [tell = t.lose_power, adapter] { tell(adapter); };
        }
    }

    [[nodiscard]] static bool has_resizable_roots(vidmm_page_tables const& p, wddmcore_driver_table const& t) {
        return p.levels.size() == 2 && t.get_root_page_table_size != nullptr;
    }

    static void check_page_tables(vidmm_options const& o, wddmcore_driver_table const& t) {
        vidmm_page_tables const& p = o.page_tables;
        if (!p.used()) {
            return;
        }
        require(o.addressing == vidmm_addressing::gpu_virtual, "page tables need virtual addressing");
        require(p.levels.size() >= 2 && p.levels.size() <= 6, "there are 2 to 6 levels of page tables");
        require(p.translate != nullptr && p.enter != nullptr, "page tables need translate and enter");
        require(!p.copies || p.mode != page_table_update_mode::cpu_virtual, "operation 14 is not for CPU updates");
        std::uint64_t bits = 0;
        for (vidmm_page_level const& level : p.levels) {
            bits += level.index_bits;
            require(level.index_bits >= 1 && level.index_bits <= 20, "index bits are 1 to 20");
            if (&level != &p.levels.back() || !has_resizable_roots(p, t)) {
                require(level.table_bytes != 0 && level.table_bytes % page_size == 0, "tables are whole pages");
                require((std::uint64_t{level.entry_bytes} << level.index_bits) <= level.table_bytes,
                        "a table holds all its entries");
                require(level.segment != 0 || level.table_bytes == page_size, "a table in system memory is one page");
            }
            bool found = level.segment == 0;
            for (vidmm_segment const& s : o.segments) {
                found = found || (s.id == level.segment && !s.aperture);
            }
            require(found, "page tables are in system memory or a memory segment");
        }
        std::uint64_t const reach = std::uint64_t{page_size} << p.levels.front().index_bits;
        require(bits <= 52 && (o.va_base + o.va_size - 1) >> 12 >> bits == 0, "the window is inside the address space");
        require(o.va_base % reach == 0 && o.va_base > reach, "the window begins with a leaf table, and not the first");
    }

    static void check_features(vidmm_options const& o, wddm version) {
        bool const by_address = o.addressing == vidmm_addressing::gpu_virtual;
        bool const notified = o.notify.on_eviction || o.notify.writes;
        require(!notified || (by_address && at_least(version, wddm::v3_2)),
                "operation 22 needs WDDM 3.2 and addresses");
        require(!notified || (o.notify.block != 0 && o.notify.block % page_size == 0), "blocks are whole pages");
        require(o.contexts.bytes == 0 || at_least(version, wddm::win8), "operation 10 needs WDDM 1.2");
        require(!o.contexts.private_data || (by_address && o.contexts.update != nullptr),
                "operation 13 needs virtual addressing and a model of the update");
        require(!o.notices.residency_of || at_least(version, wddm::v2_0), "operation 15 needs WDDM 2.0");
        require(!o.notices.monitored_fences || (by_address && at_least(version, wddm::v2_2)),
                "operation 16 needs WDDM 2.2 and virtual addressing");
        require((!o.notices.page_residency_of && !o.notices.fence_value_of && o.notices.mmus.empty()) ||
                    at_least(version, wddm::v3_2),
                "operations 18 to 21 need WDDM 3.2");
        require(o.notices.mmus.empty() || o.notices.mmu_page_of != nullptr, "MMUs need mmu_page_of");
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
        ask_table(o.page_tables, o.lose_power, t);
        wddm const version = interface_version_of(t.version);
        check_page_tables(o, t);
        check_features(o, version);
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
        require(o.physical_adapter.value_or(0) < 32, "an affinity has a bit for the physical adapter");
        require(o.command_alignment != 0 && o.command_alignment % 4 == 0 && o.size_granule >= 4 &&
                    o.size_granule % 4 == 0,
                "alignments are multiples of 4");
        return o;
    }
};

}  // namespace wddmcore::testing::vidmm_parts

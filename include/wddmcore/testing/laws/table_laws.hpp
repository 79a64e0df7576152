// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory_laws.hpp"
#include "samples/operations.hpp"
#include "samples/table_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws over page tables in memory that an engine writes, or the CPU: operations 11, 14 and 16.
template <class Hw, class Args, class Build>
class table_laws : memory_laws_base<Hw, Args, Build> {
    using base = memory_laws_base<Hw, Args, Build>;
    using typename base::stretches;
    static constexpr u64 table_room = 4 * page_bytes;

public:
    /// @param mode  how this object's commands name tables; gpu_virtual also serves operations 14 and 16
    table_laws(Hw& hw, law_memory const& memory, law_options const& options, law_report& report, Build const& build,
               table_mode mode)
        : base(hw, memory, options, report, build, 0x7AB5 + static_cast<u64>(mode)), mode_(mode) {}

    void check() {
        nameable_ = has_page_tables<Hw> ? nameable_memory(this->hw_) : std::vector<nameable>{};
        if (mode_ == table_mode::cpu_virtual) {
            if constexpr (has_page_tables<Hw>) {
                for (unsigned i = 0; i < this->options_.rounds * 2; ++i) {
                    store_update();
                }
            }
            return;
        }
        bool const by_virtual = mode_ == table_mode::gpu_virtual;
        auto const& process = this->memory_.process;
        auto const& segment = this->memory_.segment;
        size_ = by_virtual ? process.size.n : segment.size.n;
        if (size_ < 16 * page_bytes ||
            !this->model_.add(by_virtual ? "the paging process" : "the segment",
                              by_virtual ? process.bus_address : segment.bus_address, size_, this->random_)) {
            return;
        }
        if constexpr (tables_by_command<Hw>) {
            check_updates(by_virtual);
        }
        if (by_virtual) {
            check_virtual();
        }
    }

private:
    void check_updates(bool by_virtual) {
        if (!contains(Hw::caps.page_tables, by_virtual ? update_modes::gpu_virtual : update_modes::gpu_physical)) {
            return;
        }
        for (unsigned i = 0; i < this->options_.rounds * 2; ++i) {
            command_update();
        }
        if constexpr (tables_by_command<Hw> && hw::page_table_generator<Hw>) {
            for (unsigned i = 0; i < this->options_.rounds; ++i) {
                generate();
            }
        }
    }

    void check_virtual() {
        for (unsigned i = 0; i < this->options_.rounds; ++i) {
            if constexpr (is_commanded<Hw, paging_operation::copy_page_table_entries, hw::page_table_copier<Hw>>) {
                copy_entries();
            }
            if constexpr (is_commanded<Hw, paging_operation::signal_monitored_fence, hw::fence_writer<Hw>>) {
                signal();
            }
        }
    }

    void store_update() {
        table_update<Hw, Args> const update(this->hw_, this->random_, nameable_, table_room);
        std::string const what = update.name(" at once");
        std::vector<u64> table(table_room / 8);
        for (u64& word : table) {
            word = this->random_.next();
        }
        std::vector<u64> right = table;
        // An update may hold no slot, and then there is nothing to copy from.
        std::copy(update.expected().begin(), update.expected().end(),
                  reinterpret_cast<std::byte*>(right.data()) + update.offset());
        Args args = update.request(mode_);
        args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
        if (this->driver_.drive_without_buffer(args, what)) {
            auto const wrong = std::mismatch(table.begin(), table.end(), right.begin());
            this->report_.judge(law::tables_hold_entries, wrong.first == table.end(), [&] {
                return say(what, ": word ", wrong.first - table.begin(), " is ", as_hex{*wrong.first}, ", not ",
                           as_hex{*wrong.second});
            });
        }
    }

    void command_update() {
        table_update<Hw, Args> const update(this->hw_, this->random_, nameable_, table_room);
        u64 const table = this->random_.multiple(page_bytes, size_ - table_room);
        Args args = update.request(mode_);
        auto& address = args.UpdatePageTable.PageTableAddress;
        if (mode_ == table_mode::gpu_virtual) {
            address.GpuVirtual = this->memory_.process.first.n + table;
        } else {
            address.GpuPhysical.SegmentId = this->memory_.segment.id.n;
            address.GpuPhysical.SegmentOffset = this->memory_.segment.first.n + table;
        }
        stretches const target{{0, static_cast<std::size_t>(table) + update.offset(), update.expected().size()}};
        this->model_.write(target, update.expected());
        carry_out(args, target, law::tables_hold_entries,
                  update.name(mode_ == table_mode::gpu_virtual ? " by virtual address" : " by place"));
    }

    /// No law about sums here: what carries entries is not counted as moved by every engine.
    void carry_out(Args const& args, stretches const& target, law arrives, std::string const& what) {
        if (this->driver_.drive(args, what).done) {
            this->compare(target, arrives, what);
        } else {
            this->model_.accept_everything();
        }
    }

    [[nodiscard]] auto place_of(u64 offset) const {
        if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_virtual)) {
            if constexpr (contains(Hw::caps.page_tables, update_modes::gpu_physical)) {
                return mode_ == table_mode::gpu_virtual
                           ? this->hw_.from_virtual(this->memory_.process.first + bytes{offset})
                           : this->hw_.from_segment(this->memory_.segment.id,
                                                    this->memory_.segment.first + bytes{offset});
            } else {
                return this->hw_.from_virtual(this->memory_.process.first + bytes{offset});
            }
        } else {
            return this->hw_.from_segment(this->memory_.segment.id, this->memory_.segment.first + bytes{offset});
        }
    }

    void generate() {
        constexpr u64 size = Hw::generate_entry_bytes;
        auto const count = static_cast<u32>(1 + this->random_.below(lesser<u64>(Hw::generate_max, table_room / size)));
        u64 const offset = this->random_.multiple(size, size_ - count * size);
        entry_run const run = any_run(this->hw_, this->random_, nameable_.front().pages, count);
        std::vector<std::byte> right;
        for (u64 i = 0; i != count; ++i) {
            u64 const entry = run.add + run.start + i * run.step;
            for (u32 k = 0; k != size; ++k) {
                right.push_back(static_cast<std::byte>((entry >> (8 * k)) & 0xFF));
            }
        }
        stretches const target{{0, static_cast<std::size_t>(offset), right.size()}};
        this->model_.write(target, right);
        auto const place = place_of(offset);
        execution const done =
            this->run_padded(Hw::generate_dwords, [&](u32* at) { this->hw_.encode_generate(at, place, run); });
        std::string const what =
            say("a run of ", count, " entries from ", as_hex{run.add + run.start}, ", step ", as_hex{run.step});
        this->report_.judge(law::commands_execute, done.ok, [&] { return say(what, ": ", done.why); });
        if (done.ok) {
            this->compare(target, law::generated_runs, what);
        } else {
            this->model_.accept_everything();
        }
    }

    /// Ranges one after the other, the later ones over what the earlier ones wrote (OBS-11).
    void copy_entries() {
        constexpr u64 alignment = 0x1'0000;
        constexpr u64 size = hw::any_geometry<Hw>().levels[0].entry_bytes;
        u64 const entries = gpuva::hardware_entry_count(hw::geometry_of(this->hw_), 0);
        u64 const base_address = this->memory_.process.first.n;
        u64 const lead = round_up(base_address, alignment).value - base_address;
        if (size_ < lead + alignment + entries * size) {
            return;
        }
        u64 const tables = (size_ - lead - entries * size) / alignment + 1;
        using range = meta::bare<decltype(*Args{}.CopyPageTableEntries.pRanges)>;
        std::vector<range> ranges(1 + static_cast<std::size_t>(this->random_.below(4)));
        stretches all;
        for (range& r : ranges) {
            u64 const count = 1 + this->random_.below(this->random_.chance(20) ? entries : lesser<u64>(entries, 12));
            u64 const from = this->random_.below(entries - count + 1);
            u64 const to = this->random_.below(entries - count + 1);
            u64 const source = lead + this->random_.below(tables) * alignment;
            u64 const destination = lead + this->random_.below(tables) * alignment;
            r = {};
            r.NumPageTableEntries = static_cast<u32>(count);
            r.SrcPageTableAddress = base_address + source;
            r.DstPageTableAddress = base_address + destination;
            r.SrcStartPteIndex = static_cast<u32>(from);
            r.DstStartPteIndex = static_cast<u32>(to);
            stretches const target{
                {0, static_cast<std::size_t>(destination + to * size), static_cast<std::size_t>(count * size)}};
            this->model_.write(target, this->model_.read({{0, static_cast<std::size_t>(source + from * size),
                                                           static_cast<std::size_t>(count * size)}}));
            all.push_back(target.front());
        }
        Args args = request_of<Args>(paging_operation::copy_page_table_entries);
        args.CopyPageTableEntries = {};
        args.CopyPageTableEntries.NumRanges = static_cast<u32>(ranges.size());
        args.CopyPageTableEntries.pRanges = ranges.data();
        carry_out(args, all, law::copies_arrive, say("a copy of entries in ", ranges.size(), " ranges"));
    }

    void signal() {
        constexpr std::size_t width = static_cast<std::size_t>(Hw::fence_bytes.n);
        u64 const offset = this->random_.multiple(8, size_ - 8);
        u64 const value = this->random_.next();
        Args args = request_of<Args>(paging_operation::signal_monitored_fence);
        args.SignalMonitoredFence = {};
        args.SignalMonitoredFence.MonitoredFenceGpuVa = this->memory_.process.first.n + offset;
        args.SignalMonitoredFence.MonitoredFenceValue = value;
        std::vector<std::byte> right;
        for (u32 i = 0; i != width; ++i) {
            right.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
        }
        stretches const target{{0, static_cast<std::size_t>(offset), width}};
        this->model_.write(target, right);
        carry_out(args, target, law::fences_arrive, say("a fence of value ", as_hex{value}));
    }

    table_mode mode_;
    u64 size_ = 0;
    std::vector<nameable> nameable_;
};

}  // namespace wddmcore::testing::law_parts

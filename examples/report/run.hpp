// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "json.hpp"
#include "record.hpp"

#include <packets/table.hpp>

#include <array>
#include <deque>
#include <string>
#include <vector>

/// What the page shows: each part is played, and written as JSON.
namespace wddmcore::examples::report {

/// A hardware of the page.
struct shown_hardware {
    char const* name;  ///< the beginning of its rigs' names
    char const* title;
    packets::instruction_set const* set;
};

[[nodiscard]] std::vector<shown_hardware> const& all_hardware();

/// What operations cost, summed over runs.
struct operation_totals {
    std::uint64_t requests = 0;
    std::uint64_t passes = 0;
    std::uint64_t commands = 0;
    std::uint64_t command_bytes = 0;
};

/// An entry of a page table that a walk has read.
struct walked {
    std::string level;
    std::uint64_t table;  ///< bus address of its table
    std::uint64_t index;
    std::uint64_t entries;            ///< of the table
    std::vector<std::uint64_t> used;  ///< indices of entries that are not zero
    std::uint64_t high, low;          ///< the bits of the address that choose the entry; equal to 0: no bits
    std::uint64_t value;
    std::span<packets::field const> fields;
};

/// A walk from the root to a page.
struct walk {
    std::uint64_t address = 0;
    std::uint64_t root_segment = 0;
    std::uint64_t root_offset = 0;
    std::vector<walked> steps;
    std::uint64_t leads_to = 0;  ///< on the bus
    std::uint64_t bytes = 0;     ///< to the end of the page; 0: nowhere
    bool writable = false;
};

/// What one adapter did.
struct adapter_run {
    std::string rig;    ///< as make_rig names it
    std::string words;  ///< how it pages
    std::deque<call> calls;
    std::array<operation_totals, paging_operation_count> totals;
    std::string wrong;  ///< a broken rule; empty when none was
    walk lookup;        ///< where the hardware walks page tables
};

/// Every operation of a hardware: with physical paging, with virtual paging, and with page tables in every mode.
[[nodiscard]] std::vector<adapter_run> play(shown_hardware const& hardware);

/// An allocation comes into a memory segment through a window that is smaller than itself.
struct window_run {
    std::uint64_t base = 0;  ///< of the window, GPU virtual
    std::uint64_t size = 0;
    std::uint64_t allocation = 0;  ///< bytes
    std::deque<call> calls;        ///< from the first chunk on, page-table updates and flushes among them
    std::string wrong;
};
[[nodiscard]] window_run play_window(shown_hardware const& hardware);

void write_call(json& out, call const& c, packets::instruction_set const& set);
void write_walk(json& out, walk const& w);
/// @return whether all numbers could be placed
[[nodiscard]] bool write_segments(json& out);
/// @return whether both contexts finished and no rule was broken
[[nodiscard]] bool write_preemption(json& out);

}  // namespace wddmcore::examples::report

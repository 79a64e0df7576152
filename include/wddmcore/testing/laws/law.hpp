// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstdint>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a hardware type promises beyond its signatures. The first group needs the type alone, the others an engine too.
/// `statement` has the sentence of each.
enum class law : std::uint8_t {
    // What the object says of itself.
    declared_numbers,
    // The words of an encoder.
    honest_sizes,
    every_dword,
    nothing_from_memory,
    same_words_again,
    stores_ascend,
    distinct_sizes,
    distinct_patterns,
    distinct_layouts,
    distinct_entries,
    honest_records,
    // Addresses and places.
    distinct_addresses,
    addable_addresses,
    linear_pages,
    linear_segments,
    linear_virtual,
    known_segments,
    // The entries of page tables.
    entries_fit,
    distinct_leaves,
    page_sizes_grow,
    leaf_or_table,
    runs_as_entries,
    // The words of what came with GPU virtual memory.
    distinct_values,
    distinct_notices,
    // What a pass leaves in a paging buffer.
    legal_statuses,
    room_is_kept,
    whole_grains,
    inputs_stay,
    passes_advance,
    same_in_any_buffer,
    // What the engine does with it.
    commands_execute,
    padding_executes,
    largest_commands,
    copies_arrive,
    overlap_as_promised,
    fills_arrive,
    layouts_return,
    entries_arrive,
    access_in_place,
    tables_hold_entries,
    generated_runs,
    fences_arrive,
    notices_arrive,
    nothing_else_changes,
    sums_equal_the_request,
};

/// How many laws there are.
inline constexpr unsigned law_count = static_cast<unsigned>(law::sums_equal_the_request) + 1;

/// The name that a report uses.
[[nodiscard]] constexpr char const* name(law l) {
    switch (l) {
        case law::declared_numbers: return "declared_numbers";
        case law::honest_sizes: return "honest_sizes";
        case law::every_dword: return "every_dword";
        case law::nothing_from_memory: return "nothing_from_memory";
        case law::same_words_again: return "same_words_again";
        case law::stores_ascend: return "stores_ascend";
        case law::distinct_sizes: return "distinct_sizes";
        case law::distinct_patterns: return "distinct_patterns";
        case law::distinct_layouts: return "distinct_layouts";
        case law::distinct_entries: return "distinct_entries";
        case law::honest_records: return "honest_records";
        case law::distinct_addresses: return "distinct_addresses";
        case law::addable_addresses: return "addable_addresses";
        case law::linear_pages: return "linear_pages";
        case law::linear_segments: return "linear_segments";
        case law::linear_virtual: return "linear_virtual";
        case law::known_segments: return "known_segments";
        case law::entries_fit: return "entries_fit";
        case law::distinct_leaves: return "distinct_leaves";
        case law::page_sizes_grow: return "page_sizes_grow";
        case law::leaf_or_table: return "leaf_or_table";
        case law::runs_as_entries: return "runs_as_entries";
        case law::distinct_values: return "distinct_values";
        case law::distinct_notices: return "distinct_notices";
        case law::legal_statuses: return "legal_statuses";
        case law::room_is_kept: return "room_is_kept";
        case law::whole_grains: return "whole_grains";
        case law::inputs_stay: return "inputs_stay";
        case law::passes_advance: return "passes_advance";
        case law::same_in_any_buffer: return "same_in_any_buffer";
        case law::commands_execute: return "commands_execute";
        case law::padding_executes: return "padding_executes";
        case law::largest_commands: return "largest_commands";
        case law::copies_arrive: return "copies_arrive";
        case law::overlap_as_promised: return "overlap_as_promised";
        case law::fills_arrive: return "fills_arrive";
        case law::layouts_return: return "layouts_return";
        case law::entries_arrive: return "entries_arrive";
        case law::access_in_place: return "access_in_place";
        case law::tables_hold_entries: return "tables_hold_entries";
        case law::generated_runs: return "generated_runs";
        case law::fences_arrive: return "fences_arrive";
        case law::notices_arrive: return "notices_arrive";
        case law::nothing_else_changes: return "nothing_else_changes";
        case law::sums_equal_the_request: return "sums_equal_the_request";
    }
    return "?";
}

/// The law itself, one sentence.
[[nodiscard]] constexpr char const* statement(law l) {
    switch (l) {
        case law::declared_numbers: return "Numbers that the object has lie in the ranges that its type declares.";
        case law::honest_sizes: return "An encoder changes nothing outside the dwords that it declares.";
        case law::every_dword: return "An encoder writes every dword that it declares.";
        case law::nothing_from_memory: return "No bit of a command comes from what the buffer held before.";
        case law::same_words_again: return "The same arguments give the same words.";
        case law::stores_ascend: return "Commands are stored once, ascending, in whole dwords, and never read back.";
        case law::distinct_sizes: return "Sizes from one alignment unit to the largest encode to different words.";
        case law::distinct_patterns: return "Patterns that an engine can tell apart encode to different words.";
        case law::distinct_layouts: return "The two directions of a layout change encode to different words.";
        case law::distinct_entries: return "Aperture entries for different pages, indices or coherency differ.";
        case law::honest_records: return "A record is exactly record_bytes long, and one for each pass with commands.";
        case law::distinct_addresses: return "Different pages, offsets and virtual addresses are different addresses.";
        case law::addable_addresses: return "Bytes added to an address add up.";
        case law::linear_pages: return "Page n + 1 lies 4096 bytes after page n, because runs of pages are one copy.";
        case law::linear_segments: return "An offset into a segment is the segment's start with that many bytes added.";
        case law::linear_virtual: return "A virtual address with bytes added is the address of the sum.";
        case law::known_segments: return "A place is told for segments that exist, and for no others.";
        case law::entries_fit: return "An entry sets no bit outside its own bytes.";
        case law::distinct_leaves:
            return "Pages of different rights, ways of access, adapters or protection have different entries.";
        case law::page_sizes_grow:
            return "Each kind of page is larger than the one before, and its entries tell all such pages apart.";
        case law::leaf_or_table: return "A page, a table, a zero and nothing are never the same entry.";
        case law::runs_as_entries: return "Mask and sum make the same entry of every page as encode_leaf does.";
        case law::distinct_values:
            return "Different values of a fence, or first entries of a run, encode to different words.";
        case law::distinct_notices:
            return "Notices of opposite changes, or of different places, encode to different words.";
        case law::legal_statuses: return "A request that can be carried out is done or needs another buffer.";
        case law::room_is_kept: return "Nothing is written outside the room of the paging buffer.";
        case law::whole_grains: return "A pass leaves whole grains of the command stream.";
        case law::inputs_stay: return "A pass changes only the members that carry results.";
        case law::passes_advance: return "A pass with the smallest paging buffer's room advances.";
        case law::same_in_any_buffer: return "What a buffer held before changes nothing about a pass.";
        case law::commands_execute: return "The engine accepts every command.";
        case law::padding_executes: return "The engine accepts padding of every length that can occur.";
        case law::largest_commands: return "The largest copy and fill that are declared do what they say.";
        case law::copies_arrive: return "A copy brings every byte to its place.";
        case law::overlap_as_promised: return "A move within one range ends as if the source had been read first.";
        case law::fills_arrive: return "A fill repeats its pattern from the first byte to the last.";
        case law::layouts_return: return "To the swizzled layout and back restores every byte.";
        case law::entries_arrive: return "An aperture page leads where the request says, by command and at once.";
        case law::access_in_place: return "A physical write changes 1 to 8 bytes from its very address.";
        case law::tables_hold_entries:
            return "A table holds the entries as they are encoded, whichever way they are written.";
        case law::generated_runs: return "A generated run is the entries written one by one.";
        case law::fences_arrive: return "A fence stores its value at its place.";
        case law::notices_arrive:
            return "The hardware hears of the range that the request names, and of every part of it once.";
        case law::nothing_else_changes: return "No byte outside the destination changes.";
        case law::sums_equal_the_request: return "The sizes of all commands add up to the request.";
    }
    return "?";
}

}  // namespace wddmcore::testing

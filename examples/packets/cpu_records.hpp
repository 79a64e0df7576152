// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

/// The records of the reference processor, and the entries of its GPU's page tables.
namespace wddmcore::examples::packets {

namespace processor {

using enum reading;

inline constexpr field code{"code", 0, 7, 0};
inline constexpr field size{"length", 0, 15, 8, number, "dwords of the record"};
inline constexpr field zero{"zero", 1, 31, 0};
inline constexpr field last_zero{"zero", 6, 63, 0};

inline constexpr field nothing[] = {code, size};
inline constexpr field copy[] = {
    code, size, zero, {"destination", 2, 63, 0, hex}, {"source", 4, 63, 0, hex}, {"bytes", 6, 63, 0}};
inline constexpr field fill[] = {
    code, size, {"pattern", 1, 31, 0, hex}, {"destination", 2, 63, 0, hex}, {"bytes", 4, 63, 0}, last_zero};
inline constexpr field access[] = {code, size, zero, {"place", 2, 63, 0, hex}};
inline constexpr field aperture[] = {code,
                                     size,
                                     {"segment", 1, 7, 0},
                                     {"coherent", 1, 8, 8},
                                     {"index", 2, 63, 0, number, "of the entry"},
                                     {"page", 4, 63, 0, hex, "number of the system page"},
                                     last_zero};
inline constexpr field entries[] = {
    code, size, {"dwords", 1, 31, 0, number, "of the entries that follow"}, {"destination", 2, 63, 0, hex}};
inline constexpr field run[] = {code,
                                size,
                                {"count", 1, 31, 0, number, "entries"},
                                {"destination", 2, 63, 0, hex},
                                {"first", 4, 63, 0, hex, "the first entry"},
                                {"step", 6, 63, 0, hex, "from one entry to the next"}};
inline constexpr field drop[] = {code,
                                 size,
                                 {"root_segment", 1, 31, 0},
                                 {"root_offset", 2, 63, 0, hex},
                                 {"first_byte", 4, 63, 0, hex},
                                 {"last_byte", 6, 63, 0, hex, "both 0: the whole address space"}};
inline constexpr field store[] = {
    code, size, {"interrupts", 1, 0, 0}, {"place", 2, 63, 0, hex}, {"value", 4, 63, 0, hex}};
inline constexpr field residency[] = {code,
                                      size,
                                      {"resident", 1, 0, 0},
                                      {"segment", 1, 15, 8},
                                      {"allocation", 2, 63, 0, hex, "the driver's handle"},
                                      {"offset", 4, 63, 0, hex, "in the segment"},
                                      last_zero};
inline constexpr field residency_range[] = {code,
                                            size,
                                            {"resident", 1, 0, 0},
                                            {"segment", 1, 15, 8},
                                            {"allocation", 2, 63, 0, hex, "the driver's handle"},
                                            {"first_page", 4, 31, 0},
                                            {"pages", 5, 31, 0},
                                            {"offset", 6, 63, 0, hex, "in the segment"},
                                            {"list_pages", 8, 63, 0, hex, "a list of pages instead of an offset"}};
inline constexpr field fence[] = {code,
                                  size,
                                  {"current_segment", 1, 7, 0},
                                  {"monitored_segment", 1, 15, 8},
                                  {"fence", 2, 63, 0, hex, "the driver's handle"},
                                  {"current_offset", 4, 63, 0, hex},
                                  {"monitored_offset", 6, 63, 0, hex}};
inline constexpr field unmap[] = {
    code, size, zero, {"virtual_address", 2, 63, 0, hex}, {"bytes", 4, 63, 0}, {"process", 6, 63, 0, hex}};

inline constexpr u32 only_code = 0xFF;
inline constexpr length told{0, true, 0, 15, 8};
inline constexpr layout layouts[] = {
    {"nothing", "Fills a 64-bit unit.", only_code, 0, told, nothing, false},
    {"copy", "Copies bytes.", only_code, 1, told, copy},
    {"fill", "Fills memory with a pattern.", only_code, 2, told, fill},
    {"read", "Reads one byte and drops it.", only_code, 3, told, access},
    {"write", "Writes one byte.", only_code, 4, told, access},
    {"aperture entry", "Lets a page of the aperture point at a system page.", only_code, 5, told, aperture},
    {"entries", "Stores the page-table entries that follow.", only_code, 6, told, entries, true, "entries"},
    {"run of entries", "Writes a run of page-table entries.", only_code, 7, told, run},
    {"drop translations", "Forgets cached translations.", only_code, 8, told, drop},
    {"store", "Stores 64 bits.", only_code, 9, told, store},
    {"residency", "Tells where an allocation is.", only_code, 10, told, residency},
    {"residency of a part", "Tells where pages of an allocation are.", only_code, 11, told, residency_range},
    {"fence residency", "Tells where a native fence has its values.", only_code, 12, told, fence},
    {"drop caches", "Writes back and forgets what is cached of a range.", only_code, 13, told, unmap},
};

inline constexpr field directory[] = {{"VALID", 0, 0, 0},
                                      {"DATA", 0, 5, 5, number, "1: a page instead of a table"},
                                      {"ADDRESS", 0, 51, 12, hex, "of the table, in pages of 4 KiB"}};
inline constexpr field page[] = {{"VALID", 0, 0, 0},
                                 {"READ_ONLY", 0, 1, 1},
                                 {"NO_EXECUTE", 0, 2, 2},
                                 {"COHERENT", 0, 3, 3},
                                 {"ZERO", 0, 4, 4, number, "1: no memory, reads as 0"},
                                 {"DATA", 0, 5, 5, number, "1: a page"},
                                 {"ADDRESS", 0, 51, 12, hex, "of the page, in pages of 4 KiB"}};

}  // namespace processor

inline constexpr instruction_set cpu_records{"reference processor", processor::layouts};

}  // namespace wddmcore::examples::packets

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

/// The packets of AMD SDMA version 5 that paging uses, and the entries of GPUVM page tables: the public numbers.
namespace wddmcore::examples::packets {

namespace sdma {

using enum reading;

inline constexpr field nop[] = {{"op", 0, 7, 0}, {"sub_op", 0, 15, 8}, {"count", 0, 29, 16, number, "dwords to skip"}};
inline constexpr field copy[] = {{"op", 0, 7, 0},
                                 {"sub_op", 0, 15, 8},
                                 {"count", 1, 21, 0, less_one, "bytes"},
                                 {"dst_sw", 2, 17, 16, number, "byte swapping of the destination"},
                                 {"src_sw", 2, 25, 24, number, "byte swapping of the source"},
                                 {"src_addr", 3, 63, 0, hex},
                                 {"dst_addr", 5, 63, 0, hex}};
inline constexpr field write[] = {{"op", 0, 7, 0},
                                  {"sub_op", 0, 15, 8},
                                  {"dst_addr", 1, 63, 0, hex},
                                  {"count", 3, 19, 0, less_one, "dwords of data"},
                                  {"sw", 3, 25, 24, number, "byte swapping"}};
inline constexpr field fill[] = {{"op", 0, 7, 0},
                                 {"sub_op", 0, 15, 8},
                                 {"sw", 0, 17, 16, number, "byte swapping"},
                                 {"fillsize", 0, 31, 30, number, "what is repeated: 0 a byte, 2 a dword"},
                                 {"dst_addr", 1, 63, 0, hex},
                                 {"data", 3, 31, 0, hex, "the pattern"},
                                 {"count", 4, 21, 0, less_one, "bytes"}};
inline constexpr field generate[] = {{"op", 0, 7, 0},
                                     {"sub_op", 0, 15, 8},
                                     {"pe_addr", 1, 63, 0, hex, "where the first entry goes"},
                                     {"flags", 3, 63, 0, hex, "bits of every entry beside its address"},
                                     {"addr", 5, 63, 0, hex, "the first entry's address"},
                                     {"incr", 7, 31, 0, number, "bytes from one entry's address to the next"},
                                     {"zero", 8, 31, 0},
                                     {"count", 9, 18, 0, less_one, "entries"}};
inline constexpr field fence[] = {{"op", 0, 7, 0},
                                  {"sub_op", 0, 15, 8},
                                  {"mtype", 0, 18, 16, number, "memory type; 3 is uncached"},
                                  {"addr", 1, 63, 0, hex},
                                  {"data", 3, 31, 0, hex, "stored when all before it has happened"}};
inline constexpr field trap[] = {
    {"op", 0, 7, 0}, {"sub_op", 0, 15, 8}, {"int_context", 1, 27, 0, number, "comes with the interrupt"}};
inline constexpr field poll[] = {{"op", 0, 7, 0},
                                 {"sub_op", 0, 15, 8},
                                 {"hdp_flush", 0, 26, 26},
                                 {"func", 0, 30, 28, number, "comparison; 3 is equal"},
                                 {"mem_poll", 0, 31, 31, number, "1 waits for memory, 0 for a register"},
                                 {"addr", 1, 63, 0, hex},
                                 {"reference", 3, 31, 0, hex},
                                 {"mask", 4, 31, 0, hex},
                                 {"interval", 5, 15, 0},
                                 {"retry", 5, 27, 16, hex, "0xFFF is for ever"}};
inline constexpr field srbm[] = {{"op", 0, 7, 0},
                                 {"sub_op", 0, 15, 8},
                                 {"byte_en", 0, 31, 28, hex, "bytes of the register that are written"},
                                 {"register", 1, 31, 0, hex, "in dwords"},
                                 {"value", 2, 31, 0, hex}};
inline constexpr field caches[] = {
    {"op", 0, 7, 0},    {"sub_op", 0, 15, 8},
    {"zero", 1, 31, 0}, {"gcr_control", 2, 31, 16, hex, "which caches are written back and emptied"},
    {"zero", 3, 31, 0}, {"zero", 4, 31, 0}};

inline constexpr u32 op_and_sub = 0xFFFF;
inline constexpr layout layouts[] = {
    {"NOP",
     "Does nothing; it fills a window up to a multiple of 8 dwords.",
     op_and_sub,
     0,
     {1, true, 0, 29, 16},
     nop,
     false,
     "skipped"},
    {"COPY_LINEAR", "Copies bytes.", op_and_sub, 1, {7}, copy},
    {"WRITE_LINEAR", "Stores the dwords that follow.", op_and_sub, 2, {5, true, 3, 19, 0}, write, true, "stored"},
    {"FENCE", "Stores a number behind everything before it.", op_and_sub, 5, {4}, fence},
    {"TRAP", "Raises an interrupt.", op_and_sub, 6, {2}, trap},
    {"POLL_REGMEM", "Waits until memory or a register has a value.", op_and_sub, 8, {6}, poll},
    {"CONST_FILL", "Fills memory with a pattern.", op_and_sub, 11, {5}, fill},
    {"PTEPDE_GEN", "Writes a run of page-table entries.", op_and_sub, 12, {10}, generate},
    {"SRBM_WRITE", "Writes a register, here one that drops cached translations.", op_and_sub, 14, {3}, srbm},
    {"GCR_REQ", "Writes caches back and empties them.", op_and_sub, 17, {5}, caches},
};

inline constexpr field directory[] = {{"VALID", 0, 0, 0},
                                      {"SYSTEM", 0, 1, 1, number, "1: the table is in system memory"},
                                      {"SNOOPED", 0, 2, 2},
                                      {"ADDRESS", 0, 47, 12, hex, "of the table, in pages of 4 KiB"},
                                      {"PDE_PTE", 0, 54, 54, number, "1: a large page instead of a table"},
                                      {"BLOCK_FRAGMENT", 0, 63, 59}};
inline constexpr field page[] = {{"VALID", 0, 0, 0},
                                 {"SYSTEM", 0, 1, 1, number, "1: the page is in system memory"},
                                 {"SNOOPED", 0, 2, 2},
                                 {"EXECUTABLE", 0, 4, 4},
                                 {"READABLE", 0, 5, 5},
                                 {"WRITEABLE", 0, 6, 6},
                                 {"FRAGMENT", 0, 11, 7, number, "log2 of the pages that lie together"},
                                 {"ADDRESS", 0, 47, 12, hex, "of the page, in pages of 4 KiB"},
                                 {"MTYPE", 0, 50, 48, number, "0 cached, 3 uncached"},
                                 {"PRT", 0, 51, 51, number, "1: no memory, reads as 0"},
                                 {"PDE_PTE", 0, 54, 54, number, "1: a large page"}};

}  // namespace sdma

inline constexpr instruction_set amd_sdma{"AMD SDMA 5", sdma::layouts};

}  // namespace wddmcore::examples::packets

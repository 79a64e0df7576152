// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

/// The commands of the Intel Xe2 blitter that paging uses, and the entries of PPGTT page tables: the public numbers.
namespace wddmcore::examples::packets {

namespace blitter {

using enum reading;

inline constexpr field client{"client", 0, 31, 29, number, "0 memory interface, 2 blitter"};
inline constexpr field mi_opcode{"opcode", 0, 28, 23, hex};
inline constexpr field blit_opcode{"opcode", 0, 28, 22, hex};
inline constexpr field blit_length{"length", 0, 7, 0, number, "dwords - 2"};

inline constexpr field plain[] = {client, mi_opcode};
inline constexpr field store[] = {client,
                                  mi_opcode,
                                  {"GGTT", 0, 22, 22, number, "1: address in the global table"},
                                  {"QWORD", 0, 21, 21, number, "1: quadwords, 0: dwords"},
                                  {"length", 0, 9, 0, number, "dwords - 2"},
                                  {"address", 1, 63, 0, hex}};
inline constexpr field flush[] = {client,
                                  mi_opcode,
                                  {"STORE_INDEX", 0, 21, 21},
                                  {"INVALIDATE_TLB", 0, 18, 18, number, "1: forgets cached translations"},
                                  {"CCS", 0, 16, 16},
                                  {"OP_STOREDW", 0, 14, 14, number, "1: stores the data when all before it is done"},
                                  {"length", 0, 5, 0, number, "dwords - 2"},
                                  {"address", 1, 63, 0, hex}};
inline constexpr field fast_copy[] = {client,
                                      blit_opcode,
                                      blit_length,
                                      {"tile4_src", 1, 31, 31},
                                      {"tile4_dst", 1, 30, 30},
                                      {"depth", 1, 26, 24, number, "3: 32 bits a pixel"},
                                      {"dst_mocs", 1, 23, 20, number, "caching policy"},
                                      {"dst_pitch", 1, 15, 0, number, "bytes of a row"},
                                      {"dst_first", 2, 31, 0, hex, "its corner"},
                                      {"height", 3, 31, 16, number, "rows"},
                                      {"width", 3, 15, 0, number, "pixels of 4 bytes"},
                                      {"dst_addr", 4, 63, 0, hex},
                                      {"src_first", 6, 31, 0, hex, "its corner"},
                                      {"src_mocs", 7, 23, 20, number, "caching policy"},
                                      {"src_pitch", 7, 15, 0, number, "bytes of a row"},
                                      {"src_addr", 8, 63, 0, hex}};
inline constexpr field mem_set[] = {client,
                                    blit_opcode,
                                    {"matrix", 0, 17, 17, number, "1: rows, 0: bytes in a row"},
                                    blit_length,
                                    {"width", 1, 31, 0, less_one, "bytes of a row"},
                                    {"height", 2, 31, 0, less_one, "rows"},
                                    {"pitch", 3, 31, 0, less_one, "bytes from row to row"},
                                    {"dst_addr", 4, 63, 0, hex},
                                    {"data", 6, 31, 24, hex, "the byte that is repeated"},
                                    {"mocs", 6, 6, 3, number, "caching policy"}};
inline constexpr field mem_copy[] = {client,
                                     blit_opcode,
                                     {"page_copy", 0, 19, 19},
                                     {"matrix", 0, 17, 17, number, "1: rows, 0: bytes in a row"},
                                     blit_length,
                                     {"size", 1, 31, 0, less_one, "bytes"},
                                     {"height", 2, 31, 0},
                                     {"src_pitch", 3, 31, 0},
                                     {"dst_pitch", 4, 31, 0},
                                     {"src_addr", 5, 63, 0, hex},
                                     {"dst_addr", 7, 63, 0, hex},
                                     {"src_mocs", 9, 31, 28, number, "caching policy"},
                                     {"dst_mocs", 9, 6, 3, number, "caching policy"}};

inline constexpr u32 mi = 0xFF80'0000;    // client [31:29] and opcode [28:23]
inline constexpr u32 blit = 0xFFC0'0000;  // client [31:29] and opcode [28:22]
inline constexpr u32 stores = 1u << 14;
inline constexpr layout layouts[] = {
    {"MI_NOOP", "Does nothing; it fills a quadword.", mi, 0, {1}, plain, false},
    {"MI_USER_INTERRUPT", "Raises an interrupt.", mi, 0x02u << 23, {1}, plain, false},
    {"MI_ARB_CHECK", "Lets something more urgent run here.", mi, 0x05u << 23, {1}, plain, false},
    {"MI_STORE_DATA_IMM", "Stores the data that follow.", mi, 0x20u << 23, {2, true, 0, 9, 0}, store, true, "stored"},
    {"MI_FLUSH_DW",
     "Waits for everything before it, then stores the data.",
     mi | stores,
     0x26u << 23 | stores,
     {2, true, 0, 5, 0},
     flush,
     true,
     "stored"},
    {"MI_FLUSH_DW",
     "Waits for everything before it.",
     mi | stores,
     0x26u << 23,
     {2, true, 0, 5, 0},
     flush,
     false,
     "not stored"},
    {"XY_FAST_COPY_BLT",
     "Copies rows; the destination stands first.",
     blit,
     2u << 29 | 0x42u << 22,
     {2, true, 0, 7, 0},
     fast_copy},
    {"MEM_COPY", "Copies bytes; the source stands first.", blit, 2u << 29 | 0x5Au << 22, {2, true, 0, 7, 0}, mem_copy},
    {"MEM_SET", "Repeats one byte.", blit, 2u << 29 | 0x5Bu << 22, {2, true, 0, 7, 0}, mem_set},
};

inline constexpr field directory[] = {{"PRESENT", 0, 0, 0},
                                      {"RW", 0, 1, 1, number, "1: may be written"},
                                      {"TABLE_64K", 0, 6, 6, number, "1: the table has entries of 64 KiB"},
                                      {"PS", 0, 7, 7, number, "1: a large page instead of a table"},
                                      {"ADDRESS", 0, 45, 12, hex, "of the table, in pages of 4 KiB"}};
inline constexpr field page[] = {{"PRESENT", 0, 0, 0},
                                 {"RW", 0, 1, 1, number, "1: may be written"},
                                 {"PAT0", 0, 3, 3, number, "caching policy, bit 0"},
                                 {"PAT1", 0, 4, 4},
                                 {"PAT2", 0, 7, 7},
                                 {"PS64", 0, 8, 8, number, "1: one of sixteen entries of a 64-KiB page"},
                                 {"NULL", 0, 9, 9, number, "1: no memory, reads as 0"},
                                 {"AE", 0, 10, 10, number, "atomic operations"},
                                 {"DM", 0, 11, 11, number, "1: device memory, 0: system memory"},
                                 {"ADDRESS", 0, 45, 12, hex, "of the page, in pages of 4 KiB"},
                                 {"PAT4", 0, 61, 61},
                                 {"PAT3", 0, 62, 62}};

}  // namespace blitter

inline constexpr instruction_set intel_blitter{"Intel Xe2 blitter", blitter::layouts};

}  // namespace wddmcore::examples::packets

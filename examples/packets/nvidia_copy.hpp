// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

/// The methods of NVIDIA's copy engine (class C7B5) and of the host in front of it, and the entries of page tables of
/// format VER2: the public numbers.
namespace wddmcore::examples::packets {

namespace copy_engine {

using enum reading;

inline constexpr field header[] = {{"method", 0, 11, 0, hex, "the first, in dwords"},
                                   {"subchannel", 0, 15, 13, number, "4: the copy engine; the host has none"},
                                   {"count", 0, 28, 16, number, "data dwords that follow"},
                                   {"sec_op", 0, 31, 29, number, "1: each goes to the next method, 3: all to one"}};
inline constexpr u32 operation = 7u << 29;
inline constexpr layout layouts[] = {
    {"methods",
     "Writes the data to methods that lie side by side.",
     operation,
     1u << 29,
     {1, true, 0, 28, 16},
     header,
     false,
     "methods"},
    {"one method",
     "Writes all data to one method.",
     operation,
     3u << 29,
     {1, true, 0, 28, 16},
     header,
     false,
     "methods"},
};

inline constexpr field whole_hex[] = {{"value", 0, 31, 0, hex}};
inline constexpr field whole[] = {{"value", 0, 31, 0}};
inline constexpr field upper[] = {{"upper", 0, 16, 0, hex, "address bits [48:32]"}};
inline constexpr field lower[] = {{"lower", 0, 31, 0, hex, "address bits [31:0]"}};
inline constexpr field target[] = {
    {"target", 0, 1, 0, number, "0 video memory, 1 coherent and 2 non-coherent system memory"},
    {"basic_kind", 0, 5, 2},
    {"peer_id", 0, 8, 6}};
inline constexpr field launch[] = {{"DATA_TRANSFER_TYPE", 0, 1, 0, number, "0 none, 2 after all before it"},
                                   {"FLUSH_ENABLE", 0, 2, 2},
                                   {"SEMAPHORE_TYPE", 0, 4, 3, number, "0 none, 1 a payload without time"},
                                   {"INTERRUPT_TYPE", 0, 6, 5, number, "0 none, 1 blocking, 2 non-blocking"},
                                   {"SRC_LAYOUT", 0, 7, 7, number, "1: bytes in rows"},
                                   {"DST_LAYOUT", 0, 8, 8, number, "1: bytes in rows"},
                                   {"MULTI_LINE", 0, 9, 9},
                                   {"REMAP", 0, 10, 10, number, "1: components come from constants"},
                                   {"FORCE_RMWDISABLE", 0, 11, 11},
                                   {"SRC_TYPE", 0, 12, 12, number, "1: physical address"},
                                   {"DST_TYPE", 0, 13, 13, number, "1: physical address"},
                                   {"SEMAPHORE_REDUCTION", 0, 19, 14},
                                   {"VPRMODE", 0, 23, 22},
                                   {"FLUSH_TYPE", 0, 25, 25},
                                   {"DISABLE_PLC", 0, 26, 26},
                                   {"SEMAPHORE_PAYLOAD_SIZE", 0, 27, 27, number, "1: 64 bits"}};
inline constexpr field components[] = {{"DST_X", 0, 2, 0, number, "4: constant A, 5: constant B"},
                                       {"DST_Y", 0, 6, 4},
                                       {"DST_Z", 0, 10, 8},
                                       {"DST_W", 0, 14, 12},
                                       {"COMPONENT_SIZE", 0, 17, 16, less_one, "bytes"},
                                       {"NUM_SRC", 0, 21, 20, less_one, "components"},
                                       {"NUM_DST", 0, 25, 24, less_one, "components"}};
inline constexpr field memory_a[] = {
    {"size", 0, 5, 0}, {"scope", 0, 7, 6}, {"sysmembar", 0, 11, 11}, {"target_lo", 0, 31, 12, hex}};
inline constexpr field memory_c[] = {
    {"pdb_all", 0, 0, 0, number, "0 one address space, 1 all"},
    {"gpc_disable", 0, 1, 1},
    {"replay", 0, 4, 2},
    {"ack", 0, 6, 5},
    {"level", 0, 9, 7, number, "0: all levels"},
    {"pdb_aperture", 0, 11, 10, number, "of the root: 0 video memory, 2 system memory"},
    {"pdb_lo", 0, 31, 12, hex, "of the root, in pages of 4 KiB"}};
inline constexpr field memory_d[] = {
    {"pdb_hi", 0, 26, 0, hex},
    {"operation", 0, 31, 27, hex, "9 drops translations, 0xE lines of system memory, 0x10 writes dirty lines back"}};
inline constexpr field semaphore[] = {{"op", 0, 2, 0, number, "1: stores the payload"},
                                      {"acquire_switch", 0, 12, 12},
                                      {"wait_for_idle", 0, 20, 20, number, "1: when the engine has finished"},
                                      {"payload_64", 0, 24, 24},
                                      {"timestamp", 0, 25, 25}};

inline constexpr method methods[] = {
    {"MEM_OP_A", "How much a memory operation is about.", 0x28, memory_a},
    {"MEM_OP_B", "Upper bits of its address.", 0x2C, whole_hex},
    {"MEM_OP_C", "Which translations, and whose.", 0x30, memory_c},
    {"MEM_OP_D", "Carries the memory operation out.", 0x34, memory_d, true},
    {"SEM_ADDR_LO", "Where the host's semaphore is.", 0x5C, lower},
    {"SEM_ADDR_HI", "Where the host's semaphore is.", 0x60, upper},
    {"SEM_PAYLOAD_LO", "What is stored there.", 0x64, whole_hex},
    {"SEM_PAYLOAD_HI", "What is stored there.", 0x68, whole_hex},
    {"SEM_EXECUTE", "Stores the payload.", 0x6C, semaphore},
    {"NOP", "Does nothing.", 0x100, whole_hex},
    {"SET_SEMAPHORE_A", "Where the engine's semaphore is.", 0x240, upper},
    {"SET_SEMAPHORE_B", "Where the engine's semaphore is.", 0x244, lower},
    {"SET_SEMAPHORE_PAYLOAD", "What is stored there.", 0x248, whole_hex},
    {"SET_SEMAPHORE_PAYLOAD_UPPER", "What is stored there.", 0x24C, whole_hex},
    {"SET_SRC_PHYS_MODE", "Which memory a physical source is in.", 0x260, target},
    {"SET_DST_PHYS_MODE", "Which memory a physical destination is in.", 0x264, target},
    {"LAUNCH_DMA", "Carries the transfer out.", 0x300, launch, true},
    {"OFFSET_IN_UPPER", "The source.", 0x400, upper},
    {"OFFSET_IN_LOWER", "The source.", 0x404, lower},
    {"OFFSET_OUT_UPPER", "The destination.", 0x408, upper},
    {"OFFSET_OUT_LOWER", "The destination.", 0x40C, lower},
    {"LINE_LENGTH_IN", "Bytes, or elements of a fill.", 0x418, whole},
    {"LINE_COUNT", "Rows.", 0x41C, whole},
    {"SET_REMAP_CONST_A", "The pattern.", 0x700, whole_hex},
    {"SET_REMAP_CONST_B", "A second pattern.", 0x704, whole_hex},
    {"SET_REMAP_COMPONENTS", "How elements are made of the constants.", 0x708, components},
};

inline constexpr field directory[] = {{"IS_PTE", 0, 0, 0, number, "1: a page instead of a table"},
                                      {"APERTURE", 0, 2, 1, number, "0 nothing, 1 video memory, 2 and 3 system memory"},
                                      {"VOL", 0, 3, 3, number, "1: not cached"},
                                      {"NO_ATS", 0, 5, 5},
                                      {"ADDRESS", 0, 53, 8, hex, "of the table, in pages of 4 KiB"}};
inline constexpr field big_half[] = {
    {"IS_PTE", 0, 0, 0, number, "1: a page of 2 MiB"},
    {"APERTURE_BIG", 0, 2, 1, number, "0 nothing, 1 video memory, 2 and 3 system memory"},
    {"VOL_BIG", 0, 3, 3},
    {"ADDRESS_BIG", 0, 53, 4, hex, "of the table of 64-KiB pages, in 256 bytes"}};
inline constexpr field small_half[] = {
    {"APERTURE_SMALL", 0, 2, 1, number, "0 nothing, 1 video memory, 2 and 3 system memory"},
    {"VOL_SMALL", 0, 3, 3},
    {"ADDRESS_SMALL", 0, 53, 8, hex, "of the table of 4-KiB pages, in pages of 4 KiB"}};
inline constexpr field page[] = {{"VALID", 0, 0, 0},
                                 {"APERTURE", 0, 2, 1, number, "0 video memory, 2 and 3 system memory"},
                                 {"VOL", 0, 3, 3, number, "1: not cached"},
                                 {"PRIVILEGE", 0, 5, 5},
                                 {"READ_ONLY", 0, 6, 6},
                                 {"ATOMIC_DISABLE", 0, 7, 7},
                                 {"ADDRESS", 0, 53, 8, hex, "of the page, in pages of 4 KiB"},
                                 {"KIND", 0, 63, 56, number, "0: bytes in rows"}};

}  // namespace copy_engine

inline constexpr instruction_set nvidia_copy{"NVIDIA copy engine C7B5", copy_engine::layouts, copy_engine::methods};

}  // namespace wddmcore::examples::packets

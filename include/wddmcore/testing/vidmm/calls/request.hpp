// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/operation.hpp"
#include "arrays.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// One paging request in words of no interface version.
namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

inline constexpr std::uint64_t page_size = 4096;

/// Page numbers as an MDL or an ADL has them.
struct page_list {
    std::vector<std::uint64_t> numbers;  ///< the whole list, with the foreign pages before and after the range
    std::uint64_t first = 0;             ///< index of the range's first page: MdlOffset or AdlOffset
    bool contiguous = false;             ///< for an ADL: given as a base page number
};

/// One side of a transfer or fill.
struct side {
    std::uint32_t segment = 0;       ///< 0: system memory, named by the list
    std::uint64_t address = 0;       ///< segment address (base included), or GPU virtual address
    std::uint64_t segment_base = 0;  ///< of the segment; not part of any request, known for finding wrong formulas
};

struct request {
    paging_operation operation{};
    std::uint64_t serial = 0;      ///< position in the run
    std::uint32_t allocation = 0;  ///< number of the allocation; 0: none
    void* allocation_handle = nullptr;
    void* device_handle = nullptr;
    std::uint64_t offset = 0;  ///< TransferOffset or AllocationOffsetInBytes
    std::uint64_t size = 0;    ///< bytes
    side source;
    side destination;
    page_list list;
    std::uint32_t pattern = 0;
    bool idle = false;      ///< AllocationIsIdle
    bool start = false;     ///< TransferStart
    bool end = false;       ///< TransferEnd
    bool retried = false;   ///< a TransferStart came before, without a TransferEnd
    bool coherent = false;  ///< CacheCoherent
    bool source_64k = false;
    bool destination_64k = false;
    transfer_direction direction{};
    std::uint32_t aperture = 0;             ///< segment id of the aperture
    std::byte* cpu_visible = nullptr;       ///< CpuVisibleAddress
    std::uint64_t first_aperture_page = 0;  ///< OffsetInPages
    std::uint64_t aperture_pages = 0;       ///< NumberOfPages
    std::uint64_t dummy_page = 0;           ///< page number
    std::uint32_t swizzling_range = 0;      ///< of operation 7
    bool no_buffer = false;
    handed_array array;      ///< page-table entries, ranges, private data or records
    handed_array array_64k;  ///< page-table entries of the other half, with dual tables
    wddm2_request late;      ///< of operations 10 to 16 and 18 to 22

    /// Whether AllocationIsIdle exists, and with it the answer "busy" (AMB-28).
    [[nodiscard]] bool may_be_busy() const {
        return operation == paging_operation::transfer || operation == paging_operation::discard_content ||
               operation == paging_operation::special_lock_transfer;
    }
    [[nodiscard]] bool is_virtual() const {
        return operation == paging_operation::virtual_transfer || operation == paging_operation::virtual_fill;
    }
    [[nodiscard]] bool is_fill() const {
        return operation == paging_operation::fill || operation == paging_operation::virtual_fill;
    }
    [[nodiscard]] bool is_transfer() const {
        return operation == paging_operation::transfer || operation == paging_operation::special_lock_transfer ||
               operation == paging_operation::virtual_transfer;
    }
    [[nodiscard]] bool is_map() const {
        return operation == paging_operation::map_aperture_segment ||
               operation == paging_operation::map_aperture_segment2;
    }
    [[nodiscard]] bool is_unmap() const { return operation == paging_operation::unmap_aperture_segment; }
    [[nodiscard]] bool is_table_update() const { return operation == paging_operation::update_page_table; }
    /// Whether the build function itself stores into the page table.
    [[nodiscard]] bool is_immediate() const {
        return is_table_update() && late.mode == page_table_update_mode::cpu_virtual;
    }
    [[nodiscard]] bool is_late() const {
        auto const code = static_cast<std::uint32_t>(operation);
        return code >= 10 && code <= 22 && operation != paging_operation::map_aperture_segment2;
    }
    [[nodiscard]] bool is_access() const {
        return operation == paging_operation::read_physical || operation == paging_operation::write_physical;
    }
};

[[nodiscard]] inline std::string hex(std::uint64_t value) {
    char digits[17];
    std::size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    return "0x" + std::string(digits + at, sizeof digits - at);
}

/// What operations 10 to 16 and 18 to 22 say, as the end of a line.
[[nodiscard]] inline std::string describe_late(request const& r) {
    wddm2_request const& late = r.late;
    auto const number = [](std::uint64_t n) { return std::to_string(n); };
    std::string out;
    switch (r.operation) {
        case paging_operation::update_page_table: {
            char const* const modes[] = {" by the CPU", " at GPU VA ", " at segment "};
            out = ", level " + number(late.level) + modes[static_cast<std::uint32_t>(late.mode) % 3];
            if (late.mode == page_table_update_mode::gpu_virtual) {
                out += hex(late.address);
            } else if (late.mode == page_table_update_mode::gpu_physical) {
                out += number(late.segment) + " offset " + hex(late.segment_offset);
            }
            out += ", entries " + number(late.start) + " + " + number(late.count) + ", first VA " +
                   hex(late.first_address);
            out += late.repeat ? ", Repeat" : "";
            out += late.initial ? ", InitialUpdate" : "";
            return out + (late.eviction ? ", NotifyEviction" : "");
        }
        case paging_operation::flush_tlb:
            return ", root in segment " + number(late.segment) + " at " + hex(late.segment_offset) + ", VA " +
                   hex(late.first_address) + " to " + hex(late.end_address);
        case paging_operation::copy_page_table_entries:
            for (auto const& range : late.ranges) {
                out += ", " + number(range.NumPageTableEntries) + " entries from " + hex(range.SrcPageTableAddress) +
                       '[' + number(range.SrcStartPteIndex) + "] to " + hex(range.DstPageTableAddress) + '[' +
                       number(range.DstStartPteIndex) + ']';
            }
            return out;
        case paging_operation::notify_alloc:
            return std::string(late.eviction ? ", Eviction" : ", IoMmuUnmap") + ", VA " + hex(late.address) +
                   ", offset " + hex(r.offset) + ", size " + hex(r.size);
        case paging_operation::signal_monitored_fence:
            return ", VA " + hex(late.address) + ", value " + hex(late.value);
        case paging_operation::notify_residency:
        case paging_operation::notify_residency2:
            return std::string(late.resident ? ", resident in segment " : ", not resident, segment ") +
                   number(late.segment) + " at " + hex(late.segment_offset) +
                   (late.count != 0 ? ", pages " + number(late.first_page) + " + " + number(late.count) : "");
        case paging_operation::map_mmu:
        case paging_operation::unmap_mmu: return ", MMU " + number(late.mmu) + ", VA " + hex(late.address);
        case paging_operation::init_context_resource:
            return r.destination.segment == 0
                       ? std::string(", MDL")
                       : ", segment " + number(r.destination.segment) + " address " + hex(r.destination.address);
        default: return ", VA " + hex(late.address);
    }
}

/// The request in one line, simulated addresses only.
[[nodiscard]] inline std::string describe(request const& r) {
    std::string out = "request " + std::to_string(r.serial) + ", operation " +
                      std::to_string(static_cast<std::uint32_t>(r.operation)) + " (" + name(r.operation) + ')';
    if (r.allocation != 0) {
        out += ", allocation " + std::to_string(r.allocation) + (r.allocation_handle == nullptr ? " as NULL" : "");
    }
    auto const place = [&](char const* what, side const& s) {
        out += std::string(", ") + what;
        if (!r.is_virtual() && s.segment == 0) {
            out += " MDL";
        } else {
            out += (r.is_virtual() ? " VA " : " segment " + std::to_string(s.segment) + " address ") + hex(s.address);
        }
    };
    if (r.is_transfer()) {
        place("from", r.source);
        place("to", r.destination);
        out += ", offset " + hex(r.offset) + ", size " + hex(r.size);
    } else if (r.is_fill()) {
        place("to", r.destination);
        out += ", size " + hex(r.size) + ", pattern " + hex(r.pattern);
    } else if (r.is_map() || r.is_unmap()) {
        out += ", aperture pages " + std::to_string(r.first_aperture_page) + " + " + std::to_string(r.aperture_pages);
    } else if (r.is_late()) {
        out += describe_late(r);
    } else {
        place("at", r.destination);
    }
    if (!r.list.numbers.empty()) {
        out +=
            ", list of " + std::to_string(r.list.numbers.size()) + " pages from index " + std::to_string(r.list.first);
        out += r.list.contiguous ? " (contiguous)" : "";
    }
    if (r.may_be_busy()) {
        out += r.idle ? ", idle" : ", not idle";
    }
    out += r.start ? ", start" : "";
    out += r.end ? ", end" : "";
    return out + (r.no_buffer ? ", no buffer" : "");
}

}  // namespace wddmcore::testing::vidmm_parts

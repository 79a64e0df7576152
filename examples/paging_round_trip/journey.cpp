// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "journey.hpp"

#include "rigs.hpp"
#include "trip.hpp"

#include <algorithm>

namespace wddmcore::examples {

namespace {

constexpr std::uint64_t page = 4096;

/// Bytes of a memory segment past the allocations, for page tables if the hardware has them there.
constexpr std::uint64_t table_bytes = std::uint64_t{2} << 20;

// Addresses of a process begin past entry 0 of the root (GVA-30).
[[nodiscard]] std::uint64_t first_address(testing::vidmm_options const& options) {
    std::uint64_t bytes = page;
    for (std::size_t level = 0; level + 1 < options.page_tables.levels.size(); ++level) {
        bytes <<= options.page_tables.levels[level].index_bits;
    }
    return bytes;
}

[[nodiscard]] std::uint64_t leaf_reach(testing::vidmm_options const& options) {
    return page << options.page_tables.levels.front().index_bits;
}

/// Maps an allocation and a small one over a part of it, then unmaps a part and evicts a table.
[[nodiscard]] bool map_and_change(testing::vidmm& system, testing::vidmm_options const& options,
                                  testing::vidmm::allocation_number allocation,
                                  testing::vidmm::process_number process) {
    gpu_virtual_address const base{first_address(options)};
    std::uint64_t const read_only = options.page_tables.attributes & 8;
    auto const small = system.create(bytes{page});
    bool const mapped = small != 0 && system.map(process, allocation, base, read_only) &&
                        system.map(process, small, base) && system.commit(small, {memory_segment}) &&
                        system.map(process, small, {base.n + leaf_reach(options)}) &&
                        system.evict_page_table(process, base) && system.restore_page_table(process, base) &&
                        system.unmap(process, base, bytes{page}) &&
                        (!options.page_tables.zero_pages || system.map_zero(process, base, bytes{page})) &&
                        system.map(process, allocation, base);
    system.destroy(small);
    return mapped;
}

/// Two ranges, the second of which copies what the first has written (OBS-11); then both are unmapped.
[[nodiscard]] bool copy_entries(testing::vidmm& system, testing::vidmm_options const& options, std::uint32_t count,
                                testing::vidmm::process_number process) {
    if (!options.page_tables.copies) {
        return true;
    }
    std::uint64_t const from = first_address(options) / page;
    std::uint64_t const to = from + 4 * (leaf_reach(options) / page);
    return system.copy_page_table_entries(process, {{from, to, count}, {to, to + count, count}}) &&
           system.unmap(process, {to * page}, bytes{2 * count * page});
}

/// The notices to the driver, and what it writes for others.
[[nodiscard]] bool tell(testing::vidmm& system, testing::vidmm_options const& options,
                        testing::vidmm::allocation_number allocation) {
    // Mapped there and unmapped again, unless there is no other MMU or its addresses end before.
    static_cast<void>(system.change_mmu(allocation) && system.change_mmu(allocation));
    return system.notify_iommu_unmap(allocation) && system.use_context() && system.signal_fence(0x1234'5678) &&
           (!options.notices.fence_value_of || system.notice_fences());
}

}  // namespace

void with_tables(testing::vidmm_options& options, page_table_update_mode mode, std::uint64_t size) {
    // With a small window a megabyte already comes in chunks (CHK-09).
    options.va_size = std::uint64_t{2} << 20;
    options.largest_allocation = size;
    options.page_tables.mode = mode;
    options.page_tables.packed = true;
    options.page_tables.copies = options.page_tables.copies && mode != page_table_update_mode::cpu_virtual;
    // A driver keeps one record for both kinds of notice, so each mode shows a different kind.
    if (mode == page_table_update_mode::gpu_virtual || size > (std::uint64_t{1} << 20)) {
        options.notices.residency_of = nullptr;
    }
    if (mode != page_table_update_mode::gpu_virtual || size > (std::uint64_t{1} << 20)) {
        options.notices.page_residency_of = nullptr;
    }
}

bool live_with_processes(testing::vidmm& system, testing::vidmm_options const& options,
                         testing::vidmm::allocation_number allocation) {
    auto const process = system.create_process();
    auto const copied = static_cast<std::uint32_t>(std::min<std::uint64_t>(options.largest_allocation / page, 16));
    bool done = process != 0 && map_and_change(system, options, allocation, process) &&
                copy_entries(system, options, copied, process) && tell(system, options, allocation);
    system.power_loss();
    // A small one with an even number, because those ask for residency notices.
    auto const noticed = done ? system.create(bytes{page}) : 0;
    auto const even = noticed % 2 == 0 ? noticed : system.create(bytes{page});
    done = done && noticed != 0 && even != 0 && system.commit(even, {memory_segment}) &&
           system.map(process, even, {first_address(options)}) && system.evict(even) &&
           system.commit(allocation, {memory_segment}) && system.map(process, allocation, {first_address(options)});
    return done;
}

arrived travel(trip const& t, std::uint64_t seed, bool traced) {
    auto const adapter = make_rig(t.hardware, t.mode ? 4 * t.size + table_bytes : t.size);
    testing::vidmm_options options = adapter->options();
    options.seed = seed;
    // Only the part of the list that this size needs, because a simulated machine with a gigabyte is slow to set up.
    std::size_t const frames = std::min(t.pages->numbers.size(), static_cast<std::size_t>(t.size / page) + spare_pages);
    options.frames.assign(t.pages->numbers.begin(), t.pages->numbers.begin() + static_cast<std::ptrdiff_t>(frames));
    options.pages = testing::vidmm_page_policy::frames;
    options.paging_buffer = t.buffer == 0 ? adapter->smallest_buffer() : t.buffer;
    options.largest_paging_buffer = std::max(options.paging_buffer, options.largest_paging_buffer);
    options.largest_part = std::uint64_t{16} << 20;
    options.inspected_bytes = 1 << 16;
    options.keep_trace = traced;
    if (t.mode) {
        with_tables(options, *t.mode, t.size);
    }
    testing::vidmm system(adapter->table(), options, &adapter->engine());
    adapter->attach(system);

    // Some fills repeat one byte (AMB-09).
    std::uint32_t const pattern = options.byte_patterns ? 0xADAD'ADAD : 0xDEAD'BEEF;
    auto const allocation = system.create(bytes{t.size});
    bool moved = allocation != 0 && system.commit(allocation, {memory_segment}) && system.evict(allocation) &&
                 system.commit(allocation, {memory_segment}) && system.discard(allocation) &&
                 system.fill(allocation, pattern, {memory_segment}) && system.evict(allocation);
    if (moved && t.size <= aperture_bytes) {
        moved = system.map_aperture(allocation) && system.unmap_aperture(allocation);
    }
    if (moved && t.mode) {
        moved = live_with_processes(system, options, allocation);
    }
    system.finish();
    arrived out{moved ? "" : "the simulated system had no memory for this allocation", system.report(),
                system.events()};
    for (testing::vidmm_violation const& v : out.report.violations()) {
        out.wrong = v.rule + ": " + v.sentence + "\n  " + v.state;
        break;
    }
    return out;
}

}  // namespace wddmcore::examples

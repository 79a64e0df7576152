// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_system.hpp"

/// Random requests that are well formed, and the arguments that carry them.
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

/// A page number that lies in the segment of its entry, with all `covered` pages; any where the segment has no known end.
template <class Gpu>
[[nodiscard]] u64 page_inside(u64 flags, u64 page, u64 covered) {
    u64 const pages = model_pages(flags >> 5 & 0x1F);
    if ((flags & 1) == 0 || pages == 0 || Gpu::entry_limits.adapters != 1) {
        return page;
    }
    return Gpu::mmu_caps.non_aligned_large_pages ? page % (pages - covered + 1) : page % pages;
}

/// A random entry: what the GPU claimed may be used, and what carries no meaning holds anything (GVA-22).
///
/// @param may_be_page  above the leaf, a large page or Zero; false: only the name of a table
template <class Gpu>
[[nodiscard]] model_pte random_pte(random_numbers& random, u32 level, bool of_64k, bool may_be_page = true) {
    constexpr gpuva::gpu_mmu_capabilities features = Gpu::mmu_caps;
    constexpr page_table_entry_limits limits = Gpu::entry_limits;
    if (random.one_in(6)) {
        return {random.one_in(2) ? 0 : random.next() & ~u64{1}, random.next()};
    }
    u64 const segments[] = {0, 1, 2, 3, 5};
    u64 flags = 1 | segments[of_64k && !features.system_memory_64k_pages ? 1 + random.below(4) : random.below(5)] << 5;
    flags |= features.read_only && random.one_in(2) ? 8u : 0u;
    flags |= features.no_execute && random.one_in(2) ? 0x10u : 0u;
    flags |= features.cache_coherent && random.one_in(2) ? 4u : 0u;
    flags |= random.one_in(4) ? random.next() << 19 : 0;
    u64 page = random.next() & ((u64{1} << limits.page_number_bits) - 1);
    u64 covered = 1;
    if (level == 0) {
        flags |= u64{limits.adapters > 1 ? random.below(limits.adapters) : 0} << 11;
        page &= ~u64{of_64k ? 15 : model<Gpu>::share - 1};
    } else if (may_be_page && Gpu::page_tables.levels[level].large_pages && random.one_in(3)) {
        for (u32 below = 0; below != level; ++below) {
            covered *= model<Gpu>::entries(below, false);
        }
        flags |= 0x400;
        // GVA-15: system memory has large pages only where that is claimed.
        flags |= (flags >> 5 & 0x1F) == 0 && !features.system_memory_large_pages ? 1u << 5 : 0u;
        page = features.non_aligned_large_pages ? page : page & ~(covered - 1);
    }
    if ((may_be_page || level == 0) && features.zero_in_pte && random.one_in(8)) {
        flags |= 2;
    }
    // PageTablePageSize: level 1 of a single format names a table by it, other entries ignore it.
    flags |= (level != 1 || model<Gpu>::has_64k) && random.one_in(2) ? u64{1} << 17 : 0;
    return {flags, page_inside<Gpu>(flags, page, covered)};
}

/// Entries in runs of consecutive pages, in lines of equal flags, or each for itself.
template <class Gpu>
[[nodiscard]] std::vector<model_pte> random_entries(random_numbers& random, u32 level, bool of_64k, u32 count,
                                                    bool may_be_page = true) {
    std::vector<model_pte> entries;
    u64 const style = random.below(4);
    while (entries.size() != count) {
        model_pte one = random_pte<Gpu>(random, level, of_64k, may_be_page);
        u64 const length = style == 0 ? 1 : style == 1 ? count : 1 + random.below(40);
        u64 const step = style == 2 ? 1 + random.below(3) : 1;
        bool const scattered = random.one_in(3);
        for (u64 i = 0; i != length && entries.size() != count; ++i) {
            entries.push_back(one);
            if (scattered || level != 0 || of_64k || model<Gpu>::share != 1) {
                model_pte const next = random_pte<Gpu>(random, level, of_64k, may_be_page);
                one = (next.flags & one.flags & 1) != 0 && level == 0
                          ? model_pte{one.flags, page_inside<Gpu>(one.flags, next.page, 1)}
                          : next;
            } else {
                u64 const mask = (u64{1} << Gpu::entry_limits.page_number_bits) - 1;
                one.page = page_inside<Gpu>(one.flags, (one.page + step) & mask, 1);
            }
        }
    }
    return entries;
}

/// A well-formed request.
template <class Gpu>
[[nodiscard]] model_request random_request(random_numbers& random) {
    model_request request;
    request.level = random.one_in(2) ? 0 : static_cast<u32>(random.below(model<Gpu>::levels));
    request.of_64k = request.level == 0 && model<Gpu>::has_64k && random.one_in(3);
    u64 const entries = model<Gpu>::entries(request.level, request.of_64k);
    request.start = random.one_in(3) ? 0 : static_cast<u32>(random.below(entries));
    u64 const most = entries - request.start;
    request.count = static_cast<u32>(random.one_in(3) ? most : 1 + random.below(most));
    request.repeat = random.one_in(4);
    request.protection = random.one_in(2) ? 0 : random.next();
    u32 const elements = request.repeat ? 1 : request.count;
    request.entries = random_entries<Gpu>(random, request.level, request.of_64k, elements);
    if (Gpu::page_tables.leaf == gpuva::leaf_tables::both && request.level == 1 && !random.one_in(4)) {
        request.entries_64k = random_entries<Gpu>(random, 1, false, elements, false);
        for (u32 i = 0; i != elements; ++i) {
            // GVA-12: an entry that is a page has no table beside it.
            bool const is_page = (request.entries[i].flags & 1) != 0 && (request.entries[i].flags & 0x402) != 0;
            request.entries_64k[i].flags &= is_page ? ~u64{1} : ~u64{0};
        }
    }
    return request;
}

/// The arrays of a request, each exactly as long as it may be read, in memory that ends where it ends.
struct request_arrays {
    std::unique_ptr<testing::guarded_buffer> entries;
    std::unique_ptr<testing::guarded_buffer> entries_64k;

    static std::unique_ptr<testing::guarded_buffer> array_of(std::vector<model_pte> const& from) {
        if (from.empty()) {
            return nullptr;
        }
        auto to = std::make_unique<testing::guarded_buffer>(from.size() * sizeof(pte));
        std::memcpy(to->data(), from.data(), from.size() * sizeof(pte));
        return to;
    }
    explicit request_arrays(model_request const& request)
        : entries(array_of(request.entries)), entries_64k(array_of(request.entries_64k)) {}
};
static_assert(sizeof(model_pte) == sizeof(pte) && sizeof(pte) == 16);

/// The arguments of a request, but for the table's address.
[[nodiscard]] inline arguments arguments_of(model_request const& request, request_arrays const& arrays) {
    arguments args{};
    args.Operation = 11;
    args.UpdatePageTable = {};
    auto& update = args.UpdatePageTable;
    update.PageTableLevel = request.level;
    update.StartIndex = request.start;
    update.NumPageTableEntries = request.count;
    update.DriverProtection = request.protection;
    update.Flags.Repeat = request.repeat;
    update.Flags.Use64KBPages = request.of_64k;
    update.pPageTableEntries = arrays.entries == nullptr ? nullptr : reinterpret_cast<pte*>(arrays.entries->data());
    update.pPageTableEntries64KB =
        arrays.entries_64k == nullptr ? nullptr : reinterpret_cast<pte*>(arrays.entries_64k->data());
    return args;
}

/// Names the table in one of the modes by command, and gives the memory that it lies in, full of junk.
[[nodiscard]] inline table_memory place_table(arguments& args, u32 mode, u32 segment, u64 at, u64 size) {
    args.UpdatePageTable.UpdateMode = mode;
    if (mode == 1) {
        args.UpdatePageTable.PageTableAddress.GpuVirtual = at;
    } else {
        args.UpdatePageTable.PageTableAddress.GpuPhysical = {};
        args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = segment;
        args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = at;
    }
    table_memory memory{mode == 1 ? 0u : segment == 0 ? 1u : 0x100u + segment, at, {}};
    for (u64 i = 0; i != size; ++i) {
        memory.content.push_back(std::to_integer<unsigned char>(testing::guarded_junk(3, i)));
    }
    return memory;
}

/// The bytes of a table.
template <class Gpu>
[[nodiscard]] u64 size_of_table(u32 level, bool of_64k) {
    u64 const share = level == 0 && !of_64k ? model<Gpu>::share : 1;
    u64 const entry = model<Gpu>::entry(level, of_64k, {1 | 1 << 5, 0}, {}, 0).size;
    u64 const directory = model<Gpu>::entry(level, of_64k, {0, 0}, {}, 0).size;
    return model<Gpu>::entries(level, of_64k) / share * (entry > directory ? entry : directory);
}

}  // namespace wddmcore::table_tests

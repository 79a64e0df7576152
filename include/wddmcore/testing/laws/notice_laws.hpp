// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_command_laws.hpp"

#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws about the words of commands that tell the hardware something: flushes, residency, other MMUs, leaving.
template <class Hw>
class notice_laws {
public:
    notice_laws(Hw const& hw, law_options const& options, law_report& report)
        : hw_(hw), options_(options), judge_(options, report), random_(options.seed ^ 0x2071) {}

    void check() {
        using enum paging_operation;
        if constexpr (is_commanded<Hw, flush_tlb, hw::tlb_by_command<Hw>>) {
            check_flushes();
        }
        if constexpr (is_commanded<Hw, notify_residency, hw::residency_by_command<Hw>>) {
            check_residency();
        }
        if constexpr (is_commanded<Hw, notify_residency2, hw::residency_range_by_command<Hw>>) {
            check_residency_ranges();
        }
        if constexpr (is_commanded<Hw, notify_fence_residency, hw::fence_residency_by_command<Hw>>) {
            check_fence_residency();
        }
        if constexpr (is_commanded<Hw, map_mmu, hw::mmu_by_command<Hw>>) {
            check_mmu();
        }
        if constexpr (is_commanded<Hw, notify_alloc, hw::eviction_notifier<Hw>>) {
            check_evictions();
        }
        if constexpr (is_commanded<Hw, notify_alloc, hw::iommu_unmap_by_command<Hw>>) {
            if (options_.process != nullptr) {
                check_iommu_unmaps();
            }
        }
    }

private:
    /// A memory segment and a page in it, or system memory where there is none.
    struct spot {
        segment_id id;
        u64 page;
    };
    [[nodiscard]] spot any_spot() {
        if constexpr (hw::segment_map<Hw>) {
            for (segment_id const id : placed_segments(hw_)) {
                if (!hw_.is_aperture(id)) {
                    return {id, random_.below(whole_pages(hw_.place(id).size).n)};
                }
            }
        }
        return {segment_id{0}, random_.below(last_page<Hw>())};
    }

    void check_flushes() {
        for (unsigned i = 0; i < options_.rounds; ++i) {
            spot const root = any_spot();
            hw::tlb_flush flush{{root.id, {root.page * page_bytes}}, nullptr, {0}, {0}};
            judge_("flush", Hw::flush_dwords, [&](u32* at) { hw_.encode_flush(at, flush); });
            if constexpr (hw::ranged_tlb<Hw>) {
                constexpr u64 unit = Hw::flush_granule.n;
                u64 const first = random_.below(virtual_limit / unit - 64) * unit;
                u64 const size = (1 + random_.below(64)) * unit;
                flush.first = {first};
                flush.last = {first + size - 1};
                judge_(say("flush of ", size, " bytes"), Hw::flush_range_dwords,
                       [&](u32* at) { hw_.encode_flush_range(at, flush); });
            }
        }
    }

    // What a driver keeps of an allocation is found by its handle, so that these need one.
    void check_residency() {
        if (options_.allocation == nullptr) {
            return;
        }
        for (unsigned i = 0; i < options_.rounds; ++i) {
            spot const where = any_spot();
            auto const encode = [&](u32* at, u64 resident) {
                hw_.encode_residency(at, hw::residency_change{options_.allocation,
                                                              resident != 0,
                                                              resident != 0 ? where.id : segment_id{0},
                                                              {resident != 0 ? where.page * page_bytes : 0}});
            };
            judge_("residency", Hw::residency_dwords, [&](u32* at) { encode(at, 1); });
            judge_("end of residency", Hw::residency_dwords, [&](u32* at) { encode(at, 0); });
            judge_.distinct(law::distinct_notices, Hw::residency_dwords, {0, 1}, "residency", encode);
        }
    }

    void check_residency_ranges() {
        if (options_.allocation == nullptr) {
            return;
        }
        for (unsigned i = 0; i < options_.rounds; ++i) {
            spot const where = any_spot();
            auto const encode = [&](u32* at, u64 resident) {
                hw_.encode_residency_range(at, hw::residency_range{.allocation = options_.allocation,
                                                                   .first_page = 0,
                                                                   .page_count = 1,
                                                                   .resident = resident != 0,
                                                                   .segment = where.id,
                                                                   .offset = {where.page * page_bytes},
                                                                   .page_list = nullptr,
                                                                   .list_pages = 0});
            };
            judge_("residency of a range", Hw::residency_range_dwords, [&](u32* at) { encode(at, 1); });
            judge_("end of residency of a range", Hw::residency_range_dwords, [&](u32* at) { encode(at, 0); });
            judge_.distinct(law::distinct_notices, Hw::residency_range_dwords, {0, 1}, "residency of a range", encode);
        }
    }

    void check_fence_residency() {
        if (options_.fence == nullptr) {
            return;
        }
        spot const where = any_spot();
        auto const encode = [&](u32* at, u64 n) {
            u64 const first = where.page * page_bytes;
            hw_.encode_fence_residency(at, hw::fence_residency{options_.fence,
                                                               {where.id, {first + n * 8}, nullptr},
                                                               {where.id, {first + 512 + n * 8}, nullptr}});
        };
        judge_("fence residency", Hw::fence_residency_dwords, [&](u32* at) { encode(at, 0); });
        judge_.distinct(law::distinct_notices, Hw::fence_residency_dwords, {0, 1, 2, 3, 4, 32}, "fence values at word",
                        encode);
    }

    void check_mmu() {
        std::pair<bool, u32> const mmu = any_mmu(hw_);
        if (!mmu.first) {
            return;
        }
        u32 const id = mmu.second;
        auto const range = [id](u64 address, u64 length, u64 page) {
            return hw::mmu_range{.mmu = id,
                                 .allocation = nullptr,
                                 .address = address,
                                 .length = {length},
                                 .first = {page},
                                 .segment = {0},
                                 .allocation_start = 0,
                                 .position = 0};
        };
        u64 const most = lesser<u64>(Hw::mmu_max.n, 1024);
        for (unsigned i = 0; i < options_.rounds; ++i) {
            hw::mmu_range const map =
                range(random_.below(1024) * page_bytes, 1 + random_.below(most), random_.below(last_page<Hw>() - most));
            hw::mmu_range unmap = map;
            unmap.first = {0};
            judge_("MMU map", Hw::mmu_dwords, [&](u32* at) { hw_.encode_mmu_map(at, map); });
            judge_("MMU unmap", Hw::mmu_dwords, [&](u32* at) { hw_.encode_mmu_unmap(at, unmap); });
        }
        judge_.distinct(law::distinct_notices, Hw::mmu_dwords, telling_numbers(random_, last_page<Hw>(), 60),
                        "MMU maps of page", [&](u32* at, u64 n) { hw_.encode_mmu_map(at, range(0, 1, n)); });
        judge_.distinct(law::distinct_notices, Hw::mmu_dwords, {0, 1, 2, 3, 7, 8, 255, 256}, "MMU maps at page",
                        [&](u32* at, u64 n) { hw_.encode_mmu_map(at, range(n * page_bytes, 1, 5)); });
        judge_.distinct(law::distinct_notices, Hw::mmu_dwords, {0, 1}, "MMU unmap, map:", [&](u32* at, u64 n) {
            n != 0 ? hw_.encode_mmu_map(at, range(0, 1, 5)) : hw_.encode_mmu_unmap(at, range(0, 1, 0));
        });
    }

    [[nodiscard]] hw::alloc_notice notice(hw::alloc_event event, u64 offset, u64 place, u64 size) const {
        return {event, options_.allocation, nullptr, offset, {place}, {size}};
    }

    void check_evictions() {
        constexpr u64 unit = hw::eviction_unit(Hw::eviction_block);
        constexpr u64 most = round_down(Hw::eviction_max.n, unit);
        auto const encode = [&](u32* at, u64 offset, u64 size) {
            hw_.encode_notify_eviction(at, notice(hw::alloc_event::eviction, offset, offset, size));
        };
        for (unsigned i = 0; i < options_.rounds; ++i) {
            u64 const offset = random_.below(1024) * unit;
            u64 const size = (1 + random_.below(lesser<u64>(most / unit, 1024))) * unit;
            judge_(say("eviction of ", size, " bytes"), Hw::eviction_dwords,
                   [&](u32* at) { encode(at, offset, size); });
        }
        judge_.distinct(law::distinct_notices, Hw::eviction_dwords,
                        telling_multiples(random_, unit, lesser(most, virtual_limit)),
                        "evictions of as many bytes:", [&](u32* at, u64 n) { encode(at, 0, n); });
        judge_.distinct(law::distinct_notices, Hw::eviction_dwords,
                        telling_multiples(random_, unit, virtual_limit - unit), "evictions at",
                        [&](u32* at, u64 n) { encode(at, n, unit); });
    }

    /// A flush of everything is an answer too, so that nothing is said about different places.
    void check_iommu_unmaps() {
        for (unsigned i = 0; i < options_.rounds; ++i) {
            u64 const pages = 1 + random_.below(lesser<u64>(Hw::iommu_unmap_max.n / page_bytes, 1024));
            u64 const place = random_.below(virtual_limit / page_bytes - pages) * page_bytes;
            hw::alloc_notice told = notice(hw::alloc_event::iommu_unmap, 0, place, pages * page_bytes);
            told.process = options_.process;
            judge_(say("IOMMU unmap of ", pages, " pages"), Hw::iommu_unmap_dwords,
                   [&](u32* at) { hw_.encode_notify_iommu_unmap(at, told); });
        }
    }

    Hw const& hw_;
    law_options const& options_;
    command_judge judge_;
    random_numbers random_;
};

}  // namespace wddmcore::testing::law_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// What a driver is only told: operations 15 and 18 to 21. For 18 to 21 no page explains more than their shapes
/// (AMB-11).
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Behind the operations that bring an allocation in, in front of those that take it out (OP15-02).
inline void vidmm::notice_residency(allocation const& a, bool resident) {
    bool const asks = a.number % 2 == 0;  // ExplicitResidencyNotification and AccessedPhysically (OP15-01)
    if (m_.stopped || !asks || a.where.is != kind::segment) {
        return;
    }
    vidmm_location const there{a.where.segment, a.where.first * page_size};
    if (m_.options.notices.residency_of) {
        auto op = std::make_shared<operation>();
        op->asked.operation = paging_operation::notify_residency;
        place_notice(*op, a, resident, resident ? there : vidmm_location{});
        op->judge = [this, handle = a.handle, resident, there, o = op.get()] {
            m_.report.exercised(vidmm_rule::op15_03);
            auto const is = m_.options.notices.residency_of(handle);
            if (is != (resident ? std::optional(there) : std::nullopt)) {
                m_.broken(vidmm_rule::op15_03,
                          is ? "the driver takes the allocation for resident elsewhere, or still"
                             : "the driver takes a resident allocation for not resident",
                          vidmm_parts::describe(o->asked), true);
            }
        };
        send_notice(std::move(op));
    }
    // The newer notice, in two ranges where there are two pages.
    std::uint64_t const count = a.page_count();
    std::uint64_t const half = (count + 1) / 2;
    for (std::uint64_t first = 0; first < count && m_.options.notices.page_residency_of; first += half) {
        notice_range(a, {first, std::min(half, count - first)}, resident, there);
    }
}

/// A driver may follow a notice when it is built or when its commands are executed: it is asked when both are over.
inline void vidmm::send_notice(std::shared_ptr<operation> op) {
    send(std::move(op));
    queue_.drain();
}

inline void vidmm::place_notice(operation& op, allocation const& a, bool resident, vidmm_location where) {
    op.asked.allocation = a.number;
    op.asked.allocation_handle = a.handle;
    op.asked.late.resident = resident;
    op.asked.late.segment = where.segment;
    op.asked.late.segment_offset = where.offset;
}

inline void vidmm::notice_range(allocation const& a, vidmm_parts::page_range range, bool resident,
                                vidmm_location there) {
    auto op = std::make_shared<operation>();
    op->asked.operation = paging_operation::notify_residency2;
    vidmm_location const start{there.segment, there.offset + range.first * page_size};
    place_notice(*op, a, resident, resident ? start : vidmm_location{});
    op->asked.late.first_page = static_cast<std::uint32_t>(range.first);
    op->asked.late.count = static_cast<std::uint32_t>(range.count);
    op->judge = [this, handle = a.handle, number = a.number, range, resident, start, o = op.get()] {
        m_.report.exercised(vidmm_rule::op21_01);
        auto& known = pages_told_[number];
        for (std::uint64_t k = 0; k < range.count; ++k) {
            vidmm_location const at{start.segment, start.offset + k * page_size};
            known[range.first + k] = resident ? std::optional(at) : std::nullopt;
        }
        for (auto const& [page, wanted] : known) {
            if (m_.options.notices.page_residency_of(handle, page) != wanted) {
                m_.broken(vidmm_rule::op21_01, "a page is taken for resident where it is not, or the other way round",
                          vidmm_parts::describe(o->asked) + ", page " + std::to_string(page), true);
                return;
            }
        }
    };
    send_notice(std::move(op));
}

inline bool vidmm::notice_fences() {
    if (m_.stopped || !m_.options.notices.fence_value_of) {
        return false;
    }
    struct value {
        void* fence;
        vidmm_location current;
        vidmm_location monitored;
    };
    std::vector<value> values;
    std::vector<mirror::v2_9::dxgk_fence_residency_info> records;
    std::uint64_t const first = m_.random.below(4);
    std::uint64_t const count = m_.random.between(1, 3);
    for (std::uint64_t i = 0; i < count; ++i) {
        value v{m_.options.notices.fence_handle_of
                    ? m_.options.notices.fence_handle_of(static_cast<std::uint32_t>(first + i))
                    : reinterpret_cast<void*>(std::uintptr_t{0xFE4C'E000'0000} + (first + i) * 64),
                {},
                {}};
        v.current.offset = m_.memory.frame(m_.random.below(m_.memory.ram_pages())) * page_size;
        v.monitored.offset = v.current.offset + 8;
        mirror::v2_9::dxgk_fence_residency_info record{};
        record.hGlobalNativeFence = v.fence;
        record.CurrentValuePhysicalAddress.SegmentOffset = v.current.offset;
        record.MonitoredValuePhysicalAddress.SegmentOffset = v.monitored.offset;
        records.push_back(record);
        values.push_back(v);
    }
    auto op = std::make_shared<operation>();
    op->asked.operation = paging_operation::notify_fence_residency;
    op->asked.array.assign(records, "the fences' records", vidmm_rule::op18_01);
    op->judge = [this, values] {
        m_.report.exercised(vidmm_rule::op18_01);
        for (value const& v : values) {
            if (m_.options.notices.fence_value_of(v.fence, 0) != v.current ||
                m_.options.notices.fence_value_of(v.fence, 1) != v.monitored) {
                m_.broken(vidmm_rule::op18_01, "a fence's current or monitored value is taken for elsewhere",
                          "record of current value at " + vidmm_parts::hex(v.current.offset), true);
                return;
            }
        }
    };
    send_notice(std::move(op));
    return !m_.stopped;
}

/// Maps an allocation in system memory in one of the other MMUs, or ends its mapping there.
inline bool vidmm::change_mmu(allocation_number number) {
    allocation const& a = at(number);
    std::vector<std::uint32_t> const& ids = m_.options.notices.mmus;
    if (m_.stopped || ids.empty() || a.where.is != kind::system || !has_mmu_address(a)) {
        return false;
    }
    std::uint32_t const mmu = ids[static_cast<std::size_t>(m_.random.below(ids.size()))];
    if (mmu_pages_.contains({mmu, mmu_address(a)})) {
        unmap_mmu(a, mmu);
        return !m_.stopped;
    }
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::map_mmu;
    r.allocation = a.number;
    r.allocation_handle = a.handle;
    r.late.mmu = mmu;
    r.late.address = mmu_address(a);
    r.list.numbers = a.where.pages;
    r.list.contiguous = in_one_run(a.where.pages) && m_.random.chance(60);
    for (std::uint64_t k = 0; k < a.where.count; ++k) {
        mmu_pages_[{mmu, r.late.address + k * page_size}] = a.where.pages[static_cast<std::size_t>(k)];
    }
    judge_mmu(*op, a.where.count);
    send_notice(std::move(op));
    return !m_.stopped;
}

/// Each allocation has an address of its own there, the same in all of them, for as long as addresses last.
inline std::uint64_t vidmm::mmu_stride() const {
    std::uint64_t const largest = (m_.options.largest_allocation + page_size - 1) / page_size * page_size;
    return std::max(largest, page_size);
}

inline std::uint64_t vidmm::mmu_address(allocation const& a) const {
    return m_.options.notices.mmu_base + a.number * mmu_stride();
}

inline bool vidmm::has_mmu_address(allocation const& a) const {
    std::uint64_t const end = m_.options.notices.mmu_bytes;
    return a.size <= mmu_stride() && (end == 0 || (a.number + std::uint64_t{1}) * mmu_stride() <= end);
}

inline void vidmm::unmap_mmu(allocation const& a, std::uint32_t mmu) {
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::unmap_mmu;
    r.allocation = a.number;
    r.allocation_handle = a.handle;
    r.late.mmu = mmu;
    r.late.address = mmu_address(a);
    while (mmu_pages_.erase({mmu, r.late.address + r.late.count * page_size}) != 0) {
        ++r.late.count;
    }
    judge_mmu(*op, r.late.count);
    send_notice(std::move(op));
}

/// The pages of the range have to be as they were asked for, in every MMU.
inline void vidmm::judge_mmu(operation& op, std::uint64_t count) {
    op.judge = [this, wanted = mmu_pages_, count, &op] {
        bool const maps = op.asked.operation == paging_operation::map_mmu;
        vidmm_rule const rule = maps ? vidmm_rule::op19_01 : vidmm_rule::op19_02;
        m_.report.exercised(rule);
        for (std::uint32_t const id : m_.options.notices.mmus) {
            for (std::uint64_t k = 0; k < count; ++k) {
                std::uint64_t const va = op.asked.late.address + k * page_size;
                auto const found = wanted.find({id, va});
                std::uint64_t const want = found == wanted.end() ? vidmm_parts::nowhere : found->second;
                if (m_.options.notices.mmu_page_of(id, va).value_or(vidmm_parts::nowhere) != want) {
                    m_.broken(rule, "a page of the range is not as it has to be in MMU " + std::to_string(id),
                              vidmm_parts::describe(op.asked) + ", page " + std::to_string(k), true);
                    return;
                }
            }
        }
    };
}

inline bool vidmm::in_one_run(std::vector<std::uint64_t> const& pages) {
    for (std::size_t i = 1; i < pages.size(); ++i) {
        if (pages[i] != pages[i - 1] + 1) {
            return false;
        }
    }
    return true;
}

}  // namespace wddmcore::testing

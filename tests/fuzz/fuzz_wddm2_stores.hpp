// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_tables.hpp"

#include <initializer_list>

/// What hardware is told at once is written down, with the values that a record of it has.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// What was told or done at once in one pass: the kind and the values that a record of it has.
struct at_once_log {
    static constexpr u32 capacity = 1024;
    told list[capacity];
    u32 count = 0;
    void add(record_kind kind, std::initializer_list<u64> values) {
        if (count < capacity) {
            told& one = list[count];
            one = {kind, {}};
            u32 i = 0;
            for (u64 const value : values) {
                one.values[i++] = value;
            }
        }
        ++count;
    }
};
inline at_once_log done_at_once;

// Each of these, by command and at once, with the same values.

struct residency_store {
    static void notify_residency(hw::residency_change const& change) {
        done_at_once.add(record_kind::residency,
                         {handle_bits(change.allocation), change.resident, change.segment.n, change.offset.n});
    }
};

template <class Put>
constexpr void put_range(hw::residency_range const& range, Put put) {
    put({handle_bits(range.allocation), range.first_page | u64{range.page_count} << 32, range.resident, range.segment.n,
         range.offset.n, range.list_pages, u64{reinterpret_cast<usize>(range.page_list)}});
}
struct residency_range_store {
    static void notify_residency_range(hw::residency_range const& range) {
        put_range(range,
                  [](std::initializer_list<u64> values) { done_at_once.add(record_kind::residency_range, values); });
    }
};

struct fence_residency_store {
    static void notify_fence_residency(hw::fence_residency const& fence) {
        done_at_once.add(record_kind::fence_residency,
                         {handle_bits(fence.fence), fence.current.segment.n, fence.current.offset.n,
                          handle_bits(fence.current.cpu), fence.monitored.segment.n, fence.monitored.offset.n,
                          handle_bits(fence.monitored.cpu)});
    }
};

}  // namespace wddmcore::testing::fuzz

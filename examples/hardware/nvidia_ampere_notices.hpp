// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere_table_commands.hpp"

/// The driver's own records of notices, and context allocations. The GPU has no command for notices: the CPU keeps
/// them.
namespace wddmcore::examples::nvidia {

/// The driver's record of an allocation. Its handles (hAllocation of the DDI) point to these.
struct allocation {
    segment_id segment = {0};  ///< where it is; meaningless while it is nowhere
    segment_offset offset = {0};
    bool resident = false;
    u32 changes = 0;         ///< how many changes the system reported
    i64 resident_pages = 0;  ///< for an allocation that is reported part by part
};

/// A native fence as the system named it.
struct native_fence {
    void* handle = nullptr;
    hw::fence_value_place current = {};
    hw::fence_value_place monitored = {};
};

/// Where allocations are (operations 15 and 21). Recorded at once, because commands name places, not allocations.
struct allocation_records {
    static void notify_residency(hw::residency_change const& change) noexcept {
        if (auto* const known = static_cast<allocation*>(change.allocation); known != nullptr) {
            known->segment = change.segment;
            known->offset = change.offset;
            known->resident = change.resident;
            ++known->changes;
        }
    }
    static void notify_residency_range(hw::residency_range const& range) noexcept {
        if (auto* const known = static_cast<allocation*>(range.allocation); known != nullptr) {
            i64 const pages = i64{range.page_count};
            known->resident_pages += range.resident ? pages : -pages;
            ++known->changes;
        }
    }
};

/// Where the values of native fences are (operation 18): a list of the driver's, as long as the fences it created.
struct native_fences {
    native_fence* fences = nullptr;
    u32 fence_count = 0;

    /// A fence that the driver did not create is in no list, and nothing signals it.
    constexpr void notify_fence_residency(hw::fence_residency const& told) noexcept {
        for (u32 i = 0; i != fence_count; ++i) {
            if (fences[i].handle == told.fence) {
                fences[i].current = told.current;
                fences[i].monitored = told.monitored;
            }
        }
    }
};

/// What DxgkCbUpdateContextAllocation was given as private data: an array of these.
struct context_item {
    u64 offset;  ///< bytes from the start of the context allocation, a multiple of 8
    u64 value;
};

/// Contexts: the initial image is copied from one that the driver keeps; each item of an update is a store of 64 bits.
struct contexts {
    bytes context_image = {0};  ///< a multiple of 4
    u64 context_source = 0;     ///< the image's address in video memory

    [[nodiscard]] constexpr bytes context_image_bytes(void*) const noexcept { return context_image; }
    static constexpr bytes context_piece_max{page_bytes};
    static constexpr dwords context_piece_dwords = copy_engine<true>::copy_dwords;
    constexpr void encode_context_piece(u32* at, address place, hw::context_piece const& piece) const noexcept {
        copy_engine<true>::encode_copy(at, place, {context_source + piece.offset, target::video}, bytes{piece.size});
    }

    [[nodiscard]] static constexpr u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / u32{sizeof(context_item)};
    }
    [[nodiscard]] static context_item item(hw::context_update const& update, u32 index) noexcept {
        return static_cast<context_item const*>(update.data)[index];
    }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const& update, u32 index) noexcept {
        return {item(update, index).offset, sizeof(u64)};
    }
    static constexpr dwords context_update_dwords = constant_writes::length;
    static void encode_context_update(u32* at, address place, hw::context_update const& update, u32 index) noexcept {
        constant_writes::encode(at, place, 1, item(update, index).value, constant_writes::qword_elements);
    }
};

/// Before an allocation leaves the IOMMU (operation 22), what the GPU has cached of system memory is written back and
/// dropped, and so are all translations. The address itself is not used (AMB-39).
///
/// There is no eviction notice here, because it is not public how surfaces are compressed.
struct cache_maintenance {
    static constexpr bytes iommu_unmap_max{u64{1} << 49};  // the caches are always handled as a whole
    static constexpr dwords length{cache_operations::wait_dwords.n + 3 * cache_operations::operation_dwords.n};
    static constexpr void encode(u32* at, u64 semaphore) noexcept {
        constexpr u32 step = cache_operations::operation_dwords.n;
        cache_operations::encode_wait(at, semaphore);
        at += cache_operations::wait_dwords.n;
        cache_operations::encode_operation(at, cache_operations::write_dirty_lines, 0);
        cache_operations::encode_operation(at + step, cache_operations::drop_system_lines, 0);
        cache_operations::encode_operation(at + 2 * step, cache_operations::drop_translations,
                                           cache_operations::of_all_roots);
    }
};

}  // namespace wddmcore::examples::nvidia

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a driver would have of the library: DxgkDdiBuildPagingBuffer for a GPU and every argument structure that carries what it
// claims, and for hardware with every kind of promise and one or two of the structures.

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;
namespace amd = wddmcore::examples::amd;
namespace cpu = wddmcore::examples::cpu;

namespace {

// A driver that may run as an older one, whose paging addresses and aperture form the system decides.
constexpr capabilities everything{.version = wddm::v2_9,
                                  .oldest = wddm::vista,
                                  .addresses = paging_addresses::both,
                                  .aperture = aperture_forms::either,
                                  .alternate_address_lock = claim::at_run_time};

constexpr capabilities first_virtual_paging{
    .version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::mdl};

/// DxgkDdiBuildPagingBuffer of one adapter.
template <class Hw, class Arguments>
ntstatus build(void* adapter, Arguments* arguments) {
    return build_paging_buffer(*static_cast<Hw*>(adapter), *arguments);
}

/// The examples' address layouts without their fixed capabilities, and less than one page a command.
struct small_copies : amd::gfx10<everything> {
    static constexpr bytes copy_max{1000};
    static constexpr bytes copy_alignment{8};
    static constexpr bytes fill_max{1000};
    static constexpr bytes fill_alignment{8};
};

/// An address of two words, the largest that there may be.
struct wide_address {
    u64 n;
    u64 space;
    friend constexpr wide_address operator+(wide_address a, bytes b) noexcept { return {a.n + b.n, a.space}; }
};

struct wide_addresses : cpu::processor<everything> {
    using address = wide_address;

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept { return {byte_address(page), 0}; }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {offset.n, id.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n, ~u64{0}}; }

    static constexpr dwords copy_dwords{10};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        put64(at, destination.n);
        put64(at + 2, destination.space);
        put64(at + 4, source.n);
        put64(at + 6, source.space);
        put64(at + 8, size.n);
    }
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        put64(at, destination.n);
        put64(at + 2, destination.space);
        put64(at + 4, size.n);
        put64(at + 6, pattern);
    }
    static constexpr void encode_read(u32* at, address place) noexcept {
        put64(at, place.n);
        put64(at + 2, place.space);
    }
    static constexpr void encode_write(u32* at, address place) noexcept {
        put64(at, place.space);
        put64(at + 2, place.n);
    }
};

/// Every optional promise.
struct with_everything : cpu::processor<everything> {
    static constexpr dwords discard_dwords{4};
    static constexpr void encode_discard(u32* at, address place, void*) noexcept {
        put64(at, cpu::head(cpu::record::nothing, discard_dwords));
        put64(at + 2, place.n);
    }
    static constexpr dwords swizzle_dwords{8};
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<with_everything> const& copy) noexcept {
        encode_copy(at, copy.destination, copy.source, bytes{copy.size});
    }
    static constexpr bytes record_bytes{sizeof(paging_record)};
    static constexpr void encode_record(void* at, paging_record const& record) noexcept {
        *static_cast<paging_record*>(at) = record;
    }
    static constexpr bool decrements_dma_size = true;

    void* busy;
    [[nodiscard]] constexpr bool allocation_is_busy(void* allocation) const noexcept { return allocation == busy; }
};

/// Everything that the operations of WDDM 1.2 and later ask for, by command and at once.
constexpr capabilities wddm2_operations{.version = wddm::v3_2,
                                        .oldest = wddm::v2_0,
                                        .addresses = paging_addresses::both,
                                        .aperture = aperture_forms::either,
                                        .context_allocations = claim::at_run_time,
                                        .residency_notification = claim::at_run_time,
                                        .monitored_fence_signal = claim::at_run_time,
                                        .native_fences = claim::at_run_time,
                                        .mmu_mapping = claim::at_run_time,
                                        .allocation_notification = claim::at_run_time};

/// Three dwords: which command, and a 64-bit value of it. What a GPU would do with them does not matter here.
void put_value(u32* at, u32 code, u64 value) noexcept {
    put32(at, code);
    put64(at + 1, value);
}
constexpr dwords value_dwords{3};

struct with_notices : cpu::processor<wddm2_operations> {
    u64 told;  ///< the sum of all that was told at once

    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords{5};
    static void encode_fence(u32* at, address place, u64 value) noexcept {
        put_value(at, 1, place.n);
        put64(at + 3, value);
    }
    static constexpr bytes eviction_block{0x1'0000};
    static constexpr bytes eviction_alignment{0x1000};
    static constexpr bytes eviction_max{0x10'0000};
    static constexpr dwords eviction_dwords = value_dwords;
    static void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) noexcept {
        put_value(at, 2, notice.place.n + notice.size.n);
    }
    static constexpr bytes iommu_unmap_max{0x10'0000};
    static constexpr dwords iommu_unmap_dwords = value_dwords;
    static void encode_notify_iommu_unmap(u32* at, hw::alloc_notice const& notice) noexcept {
        put_value(at, 3, notice.place.n + notice.size.n);
    }
    void notify_iommu_unmap(hw::alloc_notice const& notice) noexcept { told += notice.place.n; }
    [[nodiscard]] bool has_work(hw::alloc_notice const& notice) const noexcept { return notice.allocation != nullptr; }

    static constexpr dwords residency_dwords = value_dwords;
    static void encode_residency(u32* at, hw::residency_change const& change) noexcept {
        put_value(at, 4, change.offset.n);
    }
    void notify_residency(hw::residency_change const& change) noexcept { told += change.offset.n; }
    static constexpr dwords residency_range_dwords = value_dwords;
    static void encode_residency_range(u32* at, hw::residency_range const& range) noexcept {
        put_value(at, 5, range.offset.n + range.first_page);
    }
    void notify_residency_range(hw::residency_range const& range) noexcept { told += range.list_pages; }
    static constexpr dwords fence_residency_dwords = value_dwords;
    static void encode_fence_residency(u32* at, hw::fence_residency const& fence) noexcept {
        put_value(at, 6, fence.current.offset.n + fence.monitored.offset.n);
    }
    void notify_fence_residency(hw::fence_residency const& fence) noexcept { told += fence.current.offset.n; }
};

struct wddm2_promises : with_notices {
    [[nodiscard]] static bytes context_image_bytes(void* allocation) noexcept {
        return allocation == nullptr ? bytes{0} : bytes{0x3000};
    }
    static constexpr bytes context_piece_max{64};
    static constexpr dwords context_piece_dwords{5};
    static void encode_context_piece(u32* at, address place, hw::context_piece const& piece) noexcept {
        put_value(at, 7, place.n);
        put64(at + 3, piece.offset);
    }
    static void store_context_piece(void* place, hw::context_piece const& piece) noexcept {
        for (u64 i = 0; i != piece.size / 4; ++i) {
            static_cast<u32*>(place)[i] = static_cast<u32>(piece.offset / 4 + i);
        }
    }
    [[nodiscard]] static u32 context_update_count(hw::context_update const& update) noexcept {
        return update.data_bytes / 8;
    }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const& update, u32 index) noexcept {
        return {static_cast<u32 const*>(update.data)[u64{index} * 2], 4};
    }
    static constexpr dwords context_update_dwords{5};
    static void encode_context_update(u32* at, address place, hw::context_update const& update, u32 index) noexcept {
        put_value(at, 8, place.n);
        put64(at + 3, static_cast<u32 const*>(update.data)[u64{index} * 2 + 1]);
    }

    [[nodiscard]] static bool is_mmu(u32 id) noexcept { return id < 4; }
    static constexpr pages mmu_max{512};
    static constexpr dwords mmu_dwords{7};
    static void encode_mmu_map(u32* at, hw::mmu_range const& range) noexcept {
        put_value(at, 9, range.address);
        put64(at + 3, range.first.n);
        put64(at + 5, range.length.n);
    }
    static void encode_mmu_unmap(u32* at, hw::mmu_range const& range) noexcept {
        put_value(at, 10, range.address);
        put64(at + 3, range.allocation_start);
        put64(at + 5, range.length.n);
    }
    void store_mmu_map(hw::mmu_range const& range) noexcept { told += range.first.n; }
    void store_mmu_unmap(hw::mmu_range const& range) noexcept { told += range.address; }
};

}  // namespace

extern "C" {

ntstatus amd_physical_vista(void* adapter, mirror::vista::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<>>(adapter, arguments);
}
ntstatus amd_physical_v1_3(void* adapter, mirror::v1_3::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<>>(adapter, arguments);
}
ntstatus amd_physical_v2_0(void* adapter, mirror::v2_0::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<>>(adapter, arguments);
}
ntstatus amd_physical_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<>>(adapter, arguments);
}
ntstatus amd_physical_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<>>(adapter, arguments);
}
ntstatus amd_first_virtual_v2_0(void* adapter, mirror::v2_0::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<first_virtual_paging>>(adapter, arguments);
}
ntstatus amd_virtual_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<amd::virtual_paging>>(adapter, arguments);
}
ntstatus amd_virtual_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<amd::virtual_paging>>(adapter, arguments);
}
ntstatus amd_everything_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<everything>>(adapter, arguments);
}
ntstatus amd_everything_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<amd::gfx10<everything>>(adapter, arguments);
}

ntstatus cpu_physical_vista(void* adapter, mirror::vista::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_physical_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_virtual_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<cpu::virtual_paging>>(adapter, arguments);
}
ntstatus cpu_everything_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<everything>>(adapter, arguments);
}

ntstatus small_copies_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<small_copies>(adapter, arguments);
}
ntstatus wide_addresses_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<wide_addresses>(adapter, arguments);
}
ntstatus with_everything_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<with_everything>(adapter, arguments);
}
ntstatus wddm2_promises_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<wddm2_promises>(adapter, arguments);
}

/// PagingBufferSize as such a driver would report it.
u32 smallest_paging_buffers(u32 index) {
    switch (index) {
        case 0: return static_cast<u32>(smallest_paging_buffer<amd::gfx10<>>.n);
        case 1: return static_cast<u32>(smallest_paging_buffer<amd::gfx10<amd::virtual_paging>>.n);
        case 2: return static_cast<u32>(smallest_paging_buffer<cpu::processor<>>.n);
        case 3: return static_cast<u32>(smallest_paging_buffer<cpu::processor<cpu::virtual_paging>>.n);
        case 4: return static_cast<u32>(smallest_paging_buffer<small_copies>.n);
        case 5: return static_cast<u32>(smallest_paging_buffer<wddm2_promises>.n);
        default: return static_cast<u32>(smallest_paging_buffer<with_everything>.n);
    }
}
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a driver would have of the library: DxgkDdiBuildPagingBuffer for every example hardware and every argument
// structure that carries what it claims.

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>
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
ntstatus cpu_physical_v1_3(void* adapter, mirror::v1_3::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_physical_v2_0(void* adapter, mirror::v2_0::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_physical_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_physical_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<>>(adapter, arguments);
}
ntstatus cpu_first_virtual_v2_0(void* adapter, mirror::v2_0::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<first_virtual_paging>>(adapter, arguments);
}
ntstatus cpu_virtual_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<cpu::virtual_paging>>(adapter, arguments);
}
ntstatus cpu_virtual_v3_2(void* adapter, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<cpu::virtual_paging>>(adapter, arguments);
}
ntstatus cpu_everything_v2_9(void* adapter, mirror::v2_9::dxgkarg_buildpagingbuffer* arguments) {
    return build<cpu::processor<everything>>(adapter, arguments);
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

/// PagingBufferSize as such a driver would report it.
u32 smallest_paging_buffers(u32 index) {
    switch (index) {
        case 0: return static_cast<u32>(smallest_paging_buffer<amd::gfx10<>>.n);
        case 1: return static_cast<u32>(smallest_paging_buffer<amd::gfx10<amd::virtual_paging>>.n);
        case 2: return static_cast<u32>(smallest_paging_buffer<cpu::processor<>>.n);
        case 3: return static_cast<u32>(smallest_paging_buffer<cpu::processor<cpu::virtual_paging>>.n);
        case 4: return static_cast<u32>(smallest_paging_buffer<small_copies>.n);
        default: return static_cast<u32>(smallest_paging_buffer<with_everything>.n);
    }
}
}

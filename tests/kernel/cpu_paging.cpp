// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What a driver without an engine for paging would have of the library: the CPU executor, and DxgkDdiBuildPagingBuffer
// for everything else.

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;

namespace {

constexpr capabilities by_cpu{.version = wddm::v3_2,
                              .oldest = wddm::vista,
                              .addresses = paging_addresses::both,
                              .aperture = aperture_forms::either,
                              .alternate_address_lock = claim::yes};

struct driver {
    static constexpr capabilities caps = by_cpu;
    static constexpr bool paged_by_cpu = true;
    segment_place places[3];
    u64* entries;

    [[nodiscard]] segment_place place(segment_id id) const noexcept {
        return id.n - 1 < 3 ? places[id.n - 1] : segment_place{{0}, {0}};
    }
    [[nodiscard]] static bool is_aperture(segment_id id) noexcept { return id.n == 1; }
    void store_aperture_entry(segment_id, u64 index, page_number page, bool coherent) const noexcept {
        entries[index] = byte_address(page) | coherent;
    }
    [[nodiscard]] static disposition on_paging_fault(paging_fault const&) noexcept { return disposition::stop; }
};

struct mappings {
    static constexpr pages map_max{512};
    u8* memory;

    [[nodiscard]] void* map_pages(page_number first, pages) const noexcept {
        return memory + static_cast<usize>(byte_address(first));
    }
    [[nodiscard]] void* map_segment(segment_id, segment_offset offset, bytes) const noexcept {
        return memory + static_cast<usize>(offset.n);
    }
    [[nodiscard]] void* map_virtual(gpu_virtual_address va, bytes) const noexcept {
        return memory + static_cast<usize>(va.n);
    }
    static void unmap(void*, bytes) noexcept {}
};

template <class Arguments>
ntstatus build(driver* adapter, mappings* memory, Arguments* arguments) noexcept {
    cpu_answer const answer = execute_on_cpu(*adapter, *memory, *arguments, cpu_moment::at_build);
    switch (answer.what) {
        case cpu_outcome::done: return status::success;
        case cpu_outcome::busy: return status::graphics_allocation_busy;
        case cpu_outcome::not_mine: return build_paging_buffer(*adapter, *arguments);
        default: return status::invalid_parameter;
    }
}

}  // namespace

extern "C" {

ntstatus build_by_cpu(void* adapter, void* memory, mirror::v3_2::dxgkarg_buildpagingbuffer* arguments) {
    return build(static_cast<driver*>(adapter), static_cast<mappings*>(memory), arguments);
}
u64 smallest_buffer_of_cpu() { return smallest_paging_buffer<driver>.n; }
}

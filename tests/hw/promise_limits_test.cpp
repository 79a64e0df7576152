// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// The least and the largest number that each promise of a hardware type takes, and the next ones, which it does not take.
// What the compiler then says is in tests/compile_fail.

#include <wddmcore/hw/promises/command_stream.hpp>
#include <wddmcore/hw/promises/notices/alloc_notifier.hpp>
#include <wddmcore/hw/promises/notices/context_allocations.hpp>
#include <wddmcore/hw/promises/notices/fence_writer.hpp>
#include <wddmcore/hw/promises/notices/mmu_mapper.hpp>
#include <wddmcore/hw/promises/notices/residency_listener.hpp>
#include <wddmcore/paging/group_dwords.hpp>

#include "keeps.hpp"
#include "plain_gpu.hpp"
#include "without.hpp"

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace promise_limits_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace promises = wddmcore::hw::detail;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

using plain = plain_gpu<>;

template <u32 Unit>
struct stream : plain {
    static constexpr dwords unit_dwords{Unit};
};
template <u64 Bytes>
struct recorder : plain {
    static constexpr bytes record_bytes{Bytes};
    static void encode_record(void*, paging_record const&) {}
};

template <u64 Bytes, u32 Dwords = 1>
struct fence : plain {
    static constexpr bytes fence_bytes{Bytes};
    static constexpr dwords fence_dwords{Dwords};
    static void encode_fence(u32*, address, u64) {}
};

template <u64 Block, u64 Alignment = 4, u64 Most = 0x10'0000, u32 Dwords = 1, class Gpu = plain>
struct eviction : Gpu {
    static constexpr bytes eviction_block{Block};
    static constexpr bytes eviction_alignment{Alignment};
    static constexpr bytes eviction_max{Most};
    static constexpr dwords eviction_dwords{Dwords};
    static void encode_notify_eviction(u32*, hw::alloc_notice const&) {}
};
template <u64 Most, u32 Dwords = 1, class Gpu = plain>
struct iommu_unmap : Gpu {
    static constexpr bytes iommu_unmap_max{Most};
    static constexpr dwords iommu_unmap_dwords{Dwords};
    static void encode_notify_iommu_unmap(u32*, hw::alloc_notice const&) {}
};
struct both_notices : eviction<64, 4, 4096, 7> {
    static constexpr bytes iommu_unmap_max{4096};
    static constexpr dwords iommu_unmap_dwords{9};
    static void encode_notify_iommu_unmap(u32*, hw::alloc_notice const&) {}
};
struct iommu_unmap_at_once : plain {
    void notify_iommu_unmap(hw::alloc_notice const&) {}
};
// Of a template nobody can take the address, but it can be called.
struct iommu_unmap_by_template : plain {
    void notify_iommu_unmap(auto const&) {}
};
struct busy_with_notices : iommu_unmap_at_once {
    static bool has_work(hw::alloc_notice const&) { return false; }
};
struct wrong_work : iommu_unmap_at_once {
    static int has_work(hw::alloc_notice const&) { return 0; }
};

template <u32 Dwords, class Gpu = plain>
struct residency : Gpu {
    static constexpr dwords residency_dwords{Dwords};
    static void encode_residency(u32*, hw::residency_change const&) {}
};
template <u32 Dwords, class Gpu = plain>
struct residency_range : Gpu {
    static constexpr dwords residency_range_dwords{Dwords};
    static void encode_residency_range(u32*, hw::residency_range const&) {}
};
template <u32 Dwords, class Gpu = plain>
struct fence_residency : Gpu {
    static constexpr dwords fence_residency_dwords{Dwords};
    static void encode_fence_residency(u32*, hw::fence_residency const&) {}
};
struct listener : plain {
    void notify_residency(hw::residency_change const&) {}
    void notify_residency_range(hw::residency_range const&) {}
    void notify_fence_residency(hw::fence_residency const&) {}
};
struct listener_by_template : plain {
    void notify_residency(auto const&) {}
    void notify_residency_range(auto const&) {}
    void notify_fence_residency(auto const&) {}
};
struct wrong_listener : plain {
    int notify_residency(hw::residency_change const&) { return 0; }
    int notify_residency_range(hw::residency_range const&) { return 0; }
    int notify_fence_residency(hw::fence_residency const&) { return 0; }
};

struct has_mmus : plain {
    static bool is_mmu(u32) { return true; }
};
template <u64 Most, u32 Dwords = 1, class Gpu = has_mmus>
struct mmu_commands : Gpu {
    static constexpr pages mmu_max{Most};
    static constexpr dwords mmu_dwords{Dwords};
    static void encode_mmu_map(u32*, hw::mmu_range const&) {}
    static void encode_mmu_unmap(u32*, hw::mmu_range const&) {}
};
struct mmu_stores : has_mmus {
    void store_mmu_map(hw::mmu_range const&) {}
    void store_mmu_unmap(hw::mmu_range const&) {}
};
struct mmu_stores_by_template : has_mmus {
    void store_mmu_map(auto const&) {}
    void store_mmu_unmap(auto const&) {}
};
struct half_an_mmu : has_mmus {
    void store_mmu_map(hw::mmu_range const&) {}
};

template <u64 Most, u32 Dwords = 1, class Addressed = plain>
struct context : Addressed {
    static bytes context_image_bytes(void*) { return {0}; }
    static constexpr bytes context_piece_max{Most};
    static constexpr dwords context_piece_dwords{Dwords};
    static void encode_context_piece(u32*, auto const&, hw::context_piece const&) {}
};
struct context_stores : plain {
    static bytes context_image_bytes(void*) { return {0}; }
    void store_context_piece(void*, hw::context_piece const&) {}
};

struct context_stores_by_template : plain {
    static bytes context_image_bytes(void*) { return {0}; }
    void store_context_piece(void*, auto const&) {}
};

template <paging_addresses Addresses, wddm Oldest = wddm::v2_0>
using named_by =
    plain_gpu<plain_numbers{}, capabilities{.version = wddm::v3_2, .oldest = Oldest, .addresses = Addresses}>;

}  // namespace types

using namespace types;

TEST_CASE("law 5: the grain of a stream is 1 to 64 dwords, a record has a byte at least") {
    using promises::command_stream_promise;
    expect_both(!keeps<command_stream_promise, stream<0>> && keeps<command_stream_promise, stream<1>>);
    expect_both(keeps<command_stream_promise, stream<64>> && !keeps<command_stream_promise, stream<65>>);
    using promises::submission_recorder_promise;
    expect_both(keeps<submission_recorder_promise, plain>);
    expect_both(!keeps<submission_recorder_promise, recorder<0>> && keeps<submission_recorder_promise, recorder<1>>);
    expect_both(keeps<submission_recorder_promise, recorder<2>>);
}

TEST_CASE("law 5: a fence is stored with 4 bytes or with 8") {
    using promises::fence_writer_promise;
    expect_both(keeps<fence_writer_promise, fence<4>> && keeps<fence_writer_promise, fence<8>>);
    expect_both(!keeps<fence_writer_promise, fence<3>> && !keeps<fence_writer_promise, fence<5>>);
    expect_both(!keeps<fence_writer_promise, fence<7>> && !keeps<fence_writer_promise, fence<9>>);
    expect_both(!keeps<fence_writer_promise, fence<0>> && !keeps<fence_writer_promise, plain>);
    expect_both(!keeps<fence_writer_promise, fence<8, 0>> && keeps<fence_writer_promise, fence<8, 256>>);
    expect_both(!keeps<fence_writer_promise, fence<8, 257>>);
}

TEST_CASE("NTF-13: a block divides pages or is made of them, and a command takes a whole one") {
    using promises::alloc_notifier_promise;
    using promises::eviction_notifier_promise;
    expect_both(keeps<eviction_notifier_promise, plain> && !keeps<alloc_notifier_promise, plain>);
    expect_both(keeps<alloc_notifier_promise, eviction<1>> && keeps<alloc_notifier_promise, eviction<2048>>);
    expect_both(keeps<alloc_notifier_promise, eviction<4096>> && keeps<alloc_notifier_promise, eviction<12288>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<0>> && !keeps<alloc_notifier_promise, eviction<3000>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<4097>> && !keeps<alloc_notifier_promise, eviction<6144>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<4096, 0>> && keeps<alloc_notifier_promise, eviction<4096, 1>>);
    expect_both(keeps<alloc_notifier_promise, eviction<64, 4096>> &&
                !keeps<alloc_notifier_promise, eviction<64, 8192>>);
    expect_both(keeps<alloc_notifier_promise, eviction<8192, 8192>> &&
                !keeps<alloc_notifier_promise, eviction<8192, 3>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<64, 4, 4095>> &&
                keeps<alloc_notifier_promise, eviction<64, 4, 4096>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<8192, 4, 8191>> &&
                keeps<alloc_notifier_promise, eviction<8192, 4, 8192>>);
    expect_both(!keeps<alloc_notifier_promise, eviction<64, 4, 4096, 0>> &&
                keeps<alloc_notifier_promise, eviction<64, 4, 4096, 256>> &&
                !keeps<alloc_notifier_promise, eviction<64, 4, 4096, 257>>);
}

TEST_CASE("law 5: a notice of an IOMMU's mapping covers a page at least, or is a call") {
    using promises::alloc_notifier_promise;
    expect_both(keeps<promises::iommu_unmap_notifier_promise, plain>);
    expect_both(!keeps<alloc_notifier_promise, iommu_unmap<4095>> && keeps<alloc_notifier_promise, iommu_unmap<4096>>);
    expect_both(!keeps<alloc_notifier_promise, iommu_unmap<4096, 0>> &&
                keeps<alloc_notifier_promise, iommu_unmap<4096, 256>> &&
                !keeps<alloc_notifier_promise, iommu_unmap<4096, 257>>);
    expect_both(keeps<alloc_notifier_promise, iommu_unmap_at_once>);
    expect_both(keeps<alloc_notifier_promise, iommu_unmap_by_template>);
    expect_both(keeps<alloc_notifier_promise, busy_with_notices> && !keeps<alloc_notifier_promise, wrong_work>);
}

TEST_CASE("law 7: the longer of two notices has to fit, and a call needs no room") {
    using paging::detail::notice_group_dwords;
    expect_both(notice_group_dwords<plain>() == 0 && notice_group_dwords<iommu_unmap_at_once>() == 0);
    expect_both(notice_group_dwords<eviction<64, 4, 4096, 7>>() == 7);
    expect_both(notice_group_dwords<iommu_unmap<4096, 5>>() == 5 && notice_group_dwords<both_notices>() == 9);
}

TEST_CASE("law 5: who listens to residency is called, or has commands of 1 to 256 dwords") {
    using promises::fence_residency_listener_promise;
    using promises::residency_listener_promise;
    using promises::residency_range_listener_promise;
    expect_both(!keeps<residency_listener_promise, plain> && !keeps<residency_listener_promise, wrong_listener>);
    expect_both(keeps<residency_listener_promise, listener> && !keeps<residency_listener_promise, residency<0>>);
    expect_both(keeps<residency_listener_promise, residency<1>> && keeps<residency_listener_promise, residency<256>>);
    expect_both(!keeps<residency_listener_promise, residency<257>>);
    expect_both(keeps<residency_listener_promise, listener_by_template>);
    expect_both(keeps<residency_range_listener_promise, listener_by_template>);
    expect_both(keeps<fence_residency_listener_promise, listener_by_template>);
    expect_both(!keeps<residency_range_listener_promise, plain>);
    expect_both(!keeps<residency_range_listener_promise, wrong_listener>);
    expect_both(keeps<residency_range_listener_promise, listener>);
    expect_both(!keeps<residency_range_listener_promise, residency_range<0>>);
    expect_both(keeps<residency_range_listener_promise, residency_range<1>>);
    expect_both(keeps<residency_range_listener_promise, residency_range<256>>);
    expect_both(!keeps<residency_range_listener_promise, residency_range<257>>);
    expect_both(!keeps<fence_residency_listener_promise, plain>);
    expect_both(!keeps<fence_residency_listener_promise, wrong_listener>);
    expect_both(keeps<fence_residency_listener_promise, listener>);
    expect_both(!keeps<fence_residency_listener_promise, fence_residency<0>>);
    expect_both(keeps<fence_residency_listener_promise, fence_residency<1>>);
    expect_both(keeps<fence_residency_listener_promise, fence_residency<256>>);
    expect_both(!keeps<fence_residency_listener_promise, fence_residency<257>>);
}

TEST_CASE("law 5: other MMUs are mapped by commands of a page or more, or by calls") {
    using promises::mmu_mapper_promise;
    expect_both(!keeps<mmu_mapper_promise, plain> && !keeps<mmu_mapper_promise, has_mmus>);
    expect_both(keeps<mmu_mapper_promise, mmu_stores> && !keeps<mmu_mapper_promise, half_an_mmu>);
    expect_both(keeps<mmu_mapper_promise, mmu_stores_by_template>);
    expect_both(!keeps<mmu_mapper_promise, mmu_commands<0>> && keeps<mmu_mapper_promise, mmu_commands<1>>);
    expect_both(keeps<mmu_mapper_promise, mmu_commands<2>>);
    expect_both(!keeps<mmu_mapper_promise, mmu_commands<1, 0>> && keeps<mmu_mapper_promise, mmu_commands<1, 256>> &&
                !keeps<mmu_mapper_promise, mmu_commands<1, 257>>);
}

TEST_CASE("law 5: a piece of a context's image is whole dwords, and divides a page") {
    using promises::context_initializer_promise;
    expect_both(!keeps<context_initializer_promise, plain> && keeps<context_initializer_promise, context_stores>);
    expect_both(keeps<context_initializer_promise, context_stores_by_template>);
    expect_both(keeps<context_initializer_promise, context<4>> && keeps<context_initializer_promise, context<4096>>);
    expect_both(!keeps<context_initializer_promise, context<0>> && !keeps<context_initializer_promise, context<2>>);
    expect_both(!keeps<context_initializer_promise, context<12>> && !keeps<context_initializer_promise, context<8192>>);
    expect_both(!keeps<context_initializer_promise, context<4, 0>> &&
                keeps<context_initializer_promise, context<4, 256>> &&
                !keeps<context_initializer_promise, context<4, 257>>);
}

TEST_CASE("law 5: whatever is a command needs a stream of commands") {
    using streamless = without_stream<plain>;
    expect_both(!keeps<promises::alloc_notifier_promise, eviction<64, 4, 4096, 1, streamless>>);
    expect_both(!keeps<promises::alloc_notifier_promise, iommu_unmap<4096, 1, streamless>>);
    expect_both(!keeps<promises::residency_listener_promise, residency<1, streamless>>);
    expect_both(!keeps<promises::residency_range_listener_promise, residency_range<1, streamless>>);
    expect_both(!keeps<promises::fence_residency_listener_promise, fence_residency<1, streamless>>);
    expect_both(!keeps<promises::mmu_mapper_promise, mmu_commands<1, 1, without_stream<has_mmus>>>);
    expect_both(!keeps<promises::context_initializer_promise, context<4, 1, streamless>>);
}

TEST_CASE("OP10-02: an image by commands needs the addresses that a context can be named by") {
    using promises::context_addresses_promise;
    using promises::context_initializer_promise;
    using enum paging_addresses;
    expect_both(keeps<context_addresses_promise, named_by<physical>>);
    expect_both(keeps<context_addresses_promise, named_by<gpu_virtual>>);
    expect_both(!keeps<context_addresses_promise, without_address<named_by<physical>>>);
    expect_both(!keeps<context_addresses_promise, without_address<named_by<gpu_virtual>>>);
    expect_both(keeps<context_addresses_promise, without_virtual<named_by<physical>>>);
    expect_both(!keeps<context_addresses_promise, without_virtual<named_by<gpu_virtual>>>);
    expect_both(!keeps<context_addresses_promise, without_virtual<named_by<both>>>);
    expect_both(keeps<context_addresses_promise, without_virtual<named_by<both, wddm::v1_3>>>);
    expect_both(!keeps<context_addresses_promise, without_pages<named_by<physical>>>);
    expect_both(!keeps<context_addresses_promise, without_pages<named_by<both>>>);
    expect_both(keeps<context_addresses_promise, without_pages<named_by<gpu_virtual>>>);
    expect_both(!keeps<context_addresses_promise, without_stream<named_by<gpu_virtual>>>);
    expect_both(!keeps<context_addresses_promise, without_stream<named_by<physical>>>);
    expect_both(keeps<context_initializer_promise, context<4, 1, named_by<gpu_virtual>>>);
    expect_both(!keeps<context_initializer_promise, context<4, 1, without_address<named_by<physical>>>>);
    expect_both(!keeps<context_initializer_promise, context<4, 1, without_virtual<named_by<gpu_virtual>>>>);
}

}  // namespace promise_limits_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm/adapter/run.hpp>
#include <wddmcore/testing/vidmm/adapter/start.hpp>

#include "../slow_build.hpp"

#include <cstring>
#include <map>

namespace toy {

using namespace wddmcore;
namespace caps = testing::vidmm_cap;
namespace flag = testing::vidmm_segment_flag;

/// What goes wrong in the way that an adapter answers, whatever it answers.
struct adapter_bugs {
    bool first_call_fills_all = false;  ///< also the paging buffer's members
    bool second_call_has_one_more = false;
    bool ignores_stride = false;
    bool writes_whole_stride = false;  ///< clears the caller's element
    bool form_refused = false;
    bool count_grows = false;  ///< with every pair of calls
    bool kinds_change = false;
    bool caps_need_start = false;    ///< IOMMU_CAPS only of a started device
    bool highest_changes = false;    ///< once the device is started
    bool own_highest = false;        ///< each member of the link tells its own
    bool isolation_changes = false;  ///< DRIVERCAPS, once the segments were asked
    bool writes_whole_caps = false;  ///< DRIVERCAPS beyond OutputDataSize
    bool wide_space = false;         ///< PAGINGPROCESSGPUVASIZE as eight bytes
    bool any_level = false;          ///< describes the last level for every number past it
    bool level_index_only = false;   ///< takes both words for the level
    bool reserved_count_grows = false;
    bool states_by_bytes = false;    ///< invalid ranges are not whole pages
    bool mmus_refused = false;       ///< counted, but not described
    bool one_mmu_more = false;       ///< described than counted
    bool dirty_unsupported = false;  ///< STATUS_NOT_SUPPORTED for a segment without dirty bits
    // The CPU host aperture.
    bool late_aperture = false;  ///< works after the first context only
    bool wants_allocation = false;
    bool contiguous_aperture = false;  ///< looks at the first index of each list only
    bool contiguous_memory = false;
    bool small_pages = false;  ///< 4-KiB pages, whatever the segment has
    bool unmaps_all = false;
    // Contexts and exclusive access.
    u32 dma_buffer_set = 1;
    bool scans_out = false;   ///< display goes on during exclusive access
    bool never_ends = false;  ///< exclusive access can be had once
    testing::vidmm_reported_allocation allocation{nullptr, 65536, 0, 0, 3, 3, 1, 2, 0, 0x7800'0000};
    // Memory objects.
    void (*with_services)(wddmcore_memory_services const&) = nullptr;
};

/// What an adapter says; the right one says what its version has.
struct toy_answers {
    u32 memory_caps = 0;
    bool compute_only = false;
    bool preempts = false;
    bool flips_by_registers = false;
    std::optional<u64> highest = (u64{1} << 40) - 1;
    std::optional<u32> iommu = 0;
    std::optional<u64> save_size;
    std::vector<testing::vidmm_memory_range> reserved;
    testing::vidmm_reported_adapter adapter;
    u32 second_address_bits = 0;  ///< of physical adapters beside the first; 0: the same
    bool exclusive_functions = true;
    u32 nodes = 1;  ///< of each physical adapter, and of GpuEngineTopology
    u32 packet_cap = 0;
    u32 graphics_preemption = 0;
    u32 compute_preemption = 0;
    u32 root_entries = 0;  ///< more than asked are given up to a multiple of this; two levels
    u64 root_bytes = 8;    ///< of an entry
    u16 display_mmu = 0;
    u32 dirty_bit_caps = 0;
};

/// A driver that knows how to answer, and nothing else; independent of the library's answers.
class toy_adapter {
public:
    toy_adapter(wddm v, toy_answers a, adapter_bugs b) : said(std::move(a)), wrong(b), version_(v) {}

    toy_answers said;
    adapter_bugs wrong;

    [[nodiscard]] wddm version() const { return version_; }

    [[nodiscard]] wddmcore_driver_table table();

    ntstatus query(mirror::v3_2::dxgkarg_queryadapterinfo const& args);
    ntstatus map(mirror::v2_0::dxgkarg_mapcpuhostaperture const& args);
    ntstatus unmap(mirror::v2_0::dxgkarg_unmapcpuhostaperture const& args);
    [[nodiscard]] bool target(u32 segment, u64 offset, u64& found) const;

    bool started = false;
    bool contexts = false;
    bool exclusive = false;
    bool was_exclusive = false;
    u64 accesses = 0;

private:
    using args_type = mirror::v3_2::dxgkarg_queryadapterinfo;

    [[nodiscard]] u64 page_of(u32 segment) const {
        return wrong.small_pages ? 4096 : said.adapter.segments.at(segment - 1).page_bytes();
    }
    template <class T>
    [[nodiscard]] static T input(args_type const& args) {
        T in{};
        std::memcpy(&in, args.pInputData, sizeof in);
        return in;
    }
    template <class T>
    static void output(args_type const& args, T const& out, bool whole = false) {
        std::memcpy(args.pOutputData, &out,
                    whole ? sizeof out : std::min<std::size_t>(args.OutputDataSize, sizeof out));
    }
    ntstatus driver_caps(args_type const& args);
    ntstatus adapter_caps(args_type const& args);
    ntstatus mmu_caps(args_type const& args);
    ntstatus level(args_type const& args);
    ntstatus space(args_type const& args);
    ntstatus iommu(args_type const& args);
    ntstatus reserved(args_type const& args);
    ntstatus state(args_type const& args);
    ntstatus mmus(args_type const& args);
    ntstatus reserve(args_type const& args);
    ntstatus dirty_page(args_type const& args);
    template <class Out, class Descriptor>
    ntstatus segments(args_type const& args);
    ntstatus segments4(args_type const& args);
    ntstatus segments5(args_type const& args);
    template <class Descriptor>
    [[nodiscard]] Descriptor descriptor(testing::vidmm_reported_segment const& s);
    [[nodiscard]] u32 count();

    wddm version_;
    u32 asked_ = 0;  // first calls
    u32 caps_asked_ = 0;
    u32 reserved_asked_ = 0;
    u32 link_member_ = 0;
    std::map<u64, u64> aperture_;  // bytes of the segment by bytes of the aperture, in 4-KiB pages
    std::vector<usize> banks_;
};

}  // namespace toy

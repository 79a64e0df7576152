// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/checked.hpp"
#include "../../../base/units.hpp"
#include "machine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The queries of WDDM 3.2 that belong to features of their own: MMUs beside the page tables, the reserve for virtual
/// GPUs, dirty bits. A driver without the feature refuses its query, and nothing is judged then.
class later_asker {
public:
    explicit later_asker(adapter_machine& m) : m_(m) {}

    /// QUERYMMUCOUNT and QUERYMMUS. No page describes them: their members say that one counts what the other describes,
    /// and that the display's is one of these (AMB-67).
    void ask_mmus(std::uint32_t index, vidmm_reported_adapter& to) {
        mirror::v3_2::dxgk_querymmucountin in{};
        in.PhysicalAdapterIndex = static_cast<u16>(index);
        mirror::v3_2::dxgk_querymmucountout const none{};
        query_reply const counted =
            m_.ask(adapter_query::querymmucount, bytes_of(in), bytes_of(none), "QUERYMMUCOUNT", vidmm_rule::amb_67);
        u32 const count = counted.success() ? counted.as<mirror::v3_2::dxgk_querymmucountout>().MmuCount : 0;
        if (count != 0) {
            ask_descriptors(index, count, to);
        }
    }

    /// SCATTER_RESERVE of each segment of local memory.
    void ask_reserves(vidmm_reported_adapter& to) {
        for (vidmm_reported_segment& s : to.segments) {
            mirror::v3_2::dxgk_queryscatterreservein const in{s.id};
            mirror::v3_2::dxgk_queryscatterreserveout const none{};
            if (s.is_aperture()) {
                continue;
            }
            query_reply const reply = m_.ask(adapter_query::scatter_reserve, bytes_of(in), bytes_of(none),
                                             "SCATTER_RESERVE", vidmm_rule::amb_66);
            if (reply.success()) {
                s.reserve_page = reply.as<mirror::v3_2::dxgk_queryscatterreserveout>().SetVGPUResourcesPageSize;
                m_.check(is_page_size(s.reserve_page) && s.reserve_page <= s.size, vidmm_rule::amb_66,
                         name_of(s) + ": pages of " + std::to_string(s.reserve_page) + " bytes");
            }
        }
    }

    /// DIRTYBITTRACKINGCAPS and, where bits are tracked, DIRTYBITTRACKINGSEGMENTCAPS of each segment of local memory.
    void ask_dirty_bits(vidmm_adapter_description& to) {
        mirror::v3_2::dxgk_dirty_bit_tracking_caps const none{};
        query_reply const reply =
            m_.ask(adapter_query::dirtybittrackingcaps, {}, bytes_of(none), "DIRTYBITTRACKINGCAPS", vidmm_rule::hws_14);
        if (!reply.success()) {
            return;
        }
        to.dirty_bit_caps = reply.as<mirror::v3_2::dxgk_dirty_bit_tracking_caps>().Value;
        bool const tracked = (to.dirty_bit_caps & 1) != 0;
        // DirtyBitTrackingPerformant is a preference about what DirtyBitTrackingSupported offers; the rest is reserved.
        m_.check(to.dirty_bit_caps <= 3 && (tracked || to.dirty_bit_caps == 0), vidmm_rule::hws_14,
                 "caps " + std::to_string(to.dirty_bit_caps));
        for (vidmm_reported_segment& s : to.adapters.front().segments) {
            if (tracked && !s.is_aperture()) {
                ask_dirty_page(s);
            }
        }
    }

private:
    [[nodiscard]] static bool is_page_size(std::uint64_t size) { return size >= page_bytes && is_power_of_two(size); }
    [[nodiscard]] static std::string name_of(vidmm_reported_segment const& s) {
        return "segment " + std::to_string(s.id);
    }

    void ask_descriptors(std::uint32_t index, u32 count, vidmm_reported_adapter& to) {
        std::vector<mirror::v3_2::dxgk_mmudescriptor> empty(count);
        auto const list =
            m_.lend(std::as_bytes(std::span(empty)), loan_side::end, "MmuDescriptors", vidmm_rule::amb_67);
        mirror::v3_2::dxgk_querymmusin const in{static_cast<u16>(index)};
        mirror::v3_2::dxgk_querymmusout out{};
        out.MmuDescriptors = reinterpret_cast<mirror::v3_2::dxgk_mmudescriptor*>(list->data());
        query_reply const reply =
            m_.ask(adapter_query::querymmus, bytes_of(in), bytes_of(out), "QUERYMMUS", vidmm_rule::amb_67);
        std::string const adapter = "physical adapter " + std::to_string(index) + ": ";
        if (m_.check(reply.success(), vidmm_rule::amb_67,
                     adapter + std::to_string(count) + " MMUs are counted, and QUERYMMUS is refused")) {
            u32 const display = reply.as<mirror::v3_2::dxgk_querymmusout>().DisplayMmuId;
            m_.check(display < count, vidmm_rule::amb_67,
                     adapter + "DisplayMmuId " + std::to_string(display) + " of " + std::to_string(count));
            std::memcpy(empty.data(), list->data(), count * sizeof empty.front());
            for (mirror::v3_2::dxgk_mmudescriptor const& d : empty) {
                to.mmu_sizes.push_back(d.Size);
            }
        }
        list->end();
    }

    void ask_dirty_page(vidmm_reported_segment& s) {
        mirror::v3_2::dxgk_dirty_bit_tracking_segment_caps const none{};
        query_reply const reply = m_.ask(adapter_query::dirtybittrackingsegmentcaps, bytes_of(s.id), bytes_of(none),
                                         "DIRTYBITTRACKINGSEGMENTCAPS", vidmm_rule::hws_14);
        if (!reply.success()) {
            m_.check(reply.status == status::not_implemented, vidmm_rule::hws_14,
                     name_of(s) + " has no dirty bits, which is told by STATUS_NOT_IMPLEMENTED");
            return;
        }
        s.dirty_page = reply.as<mirror::v3_2::dxgk_dirty_bit_tracking_segment_caps>().PageSize;
        m_.check(is_page_size(s.dirty_page), vidmm_rule::hws_14,
                 name_of(s) + ": a bit for " + std::to_string(s.dirty_page) + " bytes");
    }

    adapter_machine& m_;
};

}  // namespace wddmcore::testing::vidmm_parts

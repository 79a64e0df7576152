// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

#include <map>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Maps and unmaps pages of a CPU host aperture as VidMm does for the paging process's page tables, right after the
/// segments were reported (SEG-35): no allocation, scattered pages on both sides.
class host_aperture_user {
public:
    host_aperture_user(adapter_machine& m, std::uint32_t adapter, vidmm_reported_segment const& segment)
        : m_(m), adapter_(adapter), segment_(segment), broken_before_(m.report.violations().size()) {}

    void use() {
        bool const there = m_.table.map_cpu_host_aperture != nullptr && m_.table.unmap_cpu_host_aperture != nullptr;
        if (!m_.check(there, vidmm_rule::seg_35, name() + ": a function is missing")) {
            return;
        }
        std::uint64_t const memory = segment_.size / segment_.page_bytes();
        std::uint32_t const count = segment_.host_aperture_pages;
        auto const some = static_cast<std::uint32_t>(std::min<std::uint64_t>({count, memory, 6}));
        for (std::uint32_t round = 0; round < 3 && passes(); ++round) {
            map(scattered(some));
            look();
            if (passes()) {
                unmap_half();
                look();
            }
        }
    }

private:
    using map_args = mirror::v2_0::dxgkarg_mapcpuhostaperture;
    using unmap_args = mirror::v2_0::dxgkarg_unmapcpuhostaperture;
    using pages = std::map<std::uint32_t, std::uint64_t>;  // of the segment, by page of the aperture

    [[nodiscard]] bool passes() const { return m_.report.violations().size() == broken_before_; }

    [[nodiscard]] std::string name() const {
        return "physical adapter " + std::to_string(adapter_) + ", segment " + std::to_string(segment_.id);
    }

    // The last page of both sides is always among them.
    [[nodiscard]] pages scattered(std::uint32_t some) {
        std::uint64_t const memory = segment_.size / segment_.page_bytes();
        pages chosen;
        while (chosen.size() < some) {
            std::uint64_t const at =
                chosen.empty() ? segment_.host_aperture_pages - 1 : m_.random.below(segment_.host_aperture_pages);
            chosen[static_cast<std::uint32_t>(at)] = chosen.empty() ? memory - 1 : m_.random.below(memory);
        }
        return chosen;
    }

    [[nodiscard]] ntstatus send(map_args const& args) {
        journal& j = journal::current();
        j.call("DxgkDdiMapCpuHostAperture", false);
        j.hand_over_number(0, args.hAllocation == nullptr ? 4096 : 0, "hAllocation, NULL for page tables,",
                           vidmm_rule::seg_38);
        auto const lent = m_.lend(bytes_of(args), loan_side::end, "DXGKARG_MAPCPUHOSTAPERTURE", vidmm_rule::seg_37);
        ntstatus const status = m_.table.map_cpu_host_aperture(m_.table.adapter, lent->data());
        lent->end();
        j.hand_over_number(0, 0, "", vidmm_rule::seg_38);
        return status;
    }

    void map(pages const& chosen) {
        std::vector<u32> aperture;
        std::vector<u64> memory;
        for (auto const& [at, to] : chosen) {
            aperture.push_back(at);
            memory.push_back(to);
        }
        // Neither side is in order.
        for (std::size_t i = chosen.size(); i > 1; --i) {
            std::size_t const other = m_.random.below(i);
            std::swap(aperture[i - 1], aperture[other]);
            std::swap(memory[i - 1], memory[other]);
        }
        auto const first =
            m_.lend(std::as_bytes(std::span(aperture)), loan_side::end, "pCpuHostAperturePages", vidmm_rule::seg_37);
        auto const second =
            m_.lend(std::as_bytes(std::span(memory)), loan_side::end, "pMemorySegmentPages", vidmm_rule::seg_37);
        map_args args{};
        args.SegmentId = static_cast<u16>(segment_.id);
        args.PhysicalAdapterIndex = static_cast<u16>(adapter_);
        args.NumberOfPages = aperture.size();
        args.pCpuHostAperturePages = reinterpret_cast<u32*>(first->data());
        args.pMemorySegmentPages = reinterpret_cast<u64*>(second->data());
        ntstatus const status = send(args);
        if (status < 0) {
            // Whether it is the missing allocation that the driver minds.
            args.hAllocation = reinterpret_cast<void*>(std::uintptr_t{0x00A1'10C0});
            bool const minds = send(args) >= 0;
            m_.check(false, minds ? vidmm_rule::seg_38 : vidmm_rule::seg_35, name() + ": mapping was refused");
        } else {
            m_.check(true, vidmm_rule::seg_35, {});
            m_.check(true, vidmm_rule::seg_38, {});
            for (auto const& [at, to] : chosen) {
                mapped_[at] = to;
            }
        }
        first->end();
        second->end();
    }

    void unmap_half() {
        std::vector<u32> gone;
        for (auto at = mapped_.begin(); at != mapped_.end();) {
            bool const goes = m_.random.chance(50);
            if (goes) {
                gone.push_back(at->first);
            }
            at = goes ? mapped_.erase(at) : std::next(at);
        }
        if (gone.empty()) {
            return;
        }
        auto const list =
            m_.lend(std::as_bytes(std::span(gone)), loan_side::end, "pCpuHostAperturePages", vidmm_rule::seg_37);
        unmap_args args{};
        args.NumberOfPages = gone.size();
        args.pCpuHostAperturePages = reinterpret_cast<u32*>(list->data());
        args.SegmentId = static_cast<u16>(segment_.id);
        args.PhysicalAdapterIndex = static_cast<u16>(adapter_);
        auto const lent = m_.lend(bytes_of(args), loan_side::end, "DXGKARG_UNMAPCPUHOSTAPERTURE", vidmm_rule::seg_37);
        journal::current().call("DxgkDdiUnmapCpuHostAperture", false);
        m_.check(m_.table.unmap_cpu_host_aperture(m_.table.adapter, lent->data()) >= 0, vidmm_rule::seg_35,
                 name() + ": unmapping was refused");
        lent->end();
        list->end();
    }

    // Through the observer: what the CPU finds behind the pages that are mapped.
    void look() {
        if (m_.table.host_aperture_target == nullptr) {
            return;
        }
        std::uint64_t const page = segment_.page_bytes();
        for (auto const& [at, to] : mapped_) {
            for (std::uint64_t inside = 0; inside < page && passes(); inside += 4096) {
                unsigned long long found = 0;
                bool const there = m_.table.host_aperture_target(m_.table.adapter, adapter_, segment_.id,
                                                                 at * page + inside, &found) == 0;
                m_.check(there && found == to * page + inside, page == 4096 ? vidmm_rule::seg_37 : vidmm_rule::seg_36,
                         name() + ": aperture page " + std::to_string(at) + " must show segment page " +
                             std::to_string(to) + ", at byte " + std::to_string(inside) + " it shows " +
                             (there ? std::to_string(found) : "nothing"));
            }
        }
    }

    adapter_machine& m_;
    std::uint32_t adapter_;
    vidmm_reported_segment const& segment_;
    std::size_t broken_before_;
    pages mapped_;
};

}  // namespace wddmcore::testing::vidmm_parts

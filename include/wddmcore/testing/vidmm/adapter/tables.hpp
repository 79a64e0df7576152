// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Asks one physical adapter for its page tables: GPUMMUCAPS, PAGETABLELEVELDESC, PAGINGPROCESSGPUVASIZE.
class table_asker {
public:
    table_asker(adapter_machine& m, std::uint32_t adapter) : m_(m), adapter_(adapter) {}

    void ask(vidmm_reported_adapter& to) {
        mirror::v3_2::dxgk_querygpummucapsin const in{adapter_};
        mirror::v3_2::dxgk_gpummucaps none{};
        query_reply const reply = m_.ask(adapter_query::gpummucaps, bytes_of(in), bytes_of(none), "GPUMMUCAPS");
        if (!m_.check(reply.success(), vidmm_rule::gva_35, "GPUMMUCAPS was refused by an adapter with GpuMmu")) {
            return;
        }
        auto const caps = reply.as<mirror::v3_2::dxgk_gpummucaps>();
        to.mmu = vidmm_reported_mmu{caps.Value, caps.PageTableUpdateMode, caps.VirtualAddressBitCount,
                                    caps.LeafPageTableSizeFor64KPagesInBytes, caps.PageTableLevelCount};
        if (!m_.check(to.mmu->levels >= 2 && to.mmu->levels <= 6, vidmm_rule::gva_01,
                      std::to_string(to.mmu->levels) + " levels")) {
            return;
        }
        for (std::uint32_t level = 0; level < to.mmu->levels; ++level) {
            if (!ask_level(level, to)) {
                return;
            }
        }
        ask_past_the_root(to.mmu->levels);
        ask_paging_space(to);
    }

private:
    // The first number past the levels, and the largest there is.
    void ask_past_the_root(std::uint32_t levels) {
        for (std::uint32_t const level : {levels, 0xFFFFU}) {
            m_.check(!ask_for(level).success(), vidmm_rule::amb_63,
                     "level " + std::to_string(level) + " of " + std::to_string(levels) + " was described");
        }
    }
    [[nodiscard]] query_reply ask_for(std::uint32_t level) {
        mirror::v3_2::dxgk_querypagetableleveldescin in{};
        in.LevelIndex = static_cast<u16>(level);
        in.PhysicalAdapterIndex = static_cast<u16>(adapter_);
        mirror::v3_2::dxgk_page_table_level_desc const none{};
        return m_.ask(adapter_query::pagetableleveldesc, bytes_of(in), bytes_of(none), "PAGETABLELEVELDESC");
    }
    [[nodiscard]] bool ask_level(std::uint32_t level, vidmm_reported_adapter& to) {
        query_reply const reply = ask_for(level);
        auto const d = reply.as<mirror::v3_2::dxgk_page_table_level_desc>();
        to.levels.push_back({d.PageTableIndexBitCount, d.PageTableSegmentId, d.PagingProcessPageTableSegmentId,
                             d.PageTableSizeInBytes, d.PageTableAlignmentInBytes});
        return m_.check(reply.success(), vidmm_rule::gva_38,
                        "level " + std::to_string(level) + " of physical adapter " + std::to_string(adapter_) +
                            " was refused");
    }

    // The number says nothing of version, but only systems of WDDM 3.2 ask it. A refusal leaves the size to them.
    void ask_paging_space(vidmm_reported_adapter& to) {
        if (!at_least(m_.version, wddm::v3_2)) {
            return;
        }
        u32 const in = adapter_;
        u32 const none = 0;
        query_reply const reply = m_.ask(adapter_query::pagingprocessgpuvasize, bytes_of(in), bytes_of(none),
                                         "PAGINGPROCESSGPUVASIZE", vidmm_rule::chk_01);
        to.paging_space_megabytes = reply.success() ? reply.as<u32>() : 0;
    }

    adapter_machine& m_;
    std::uint32_t adapter_;
};

/// Judges the page tables that one physical adapter reported, against its segments.
class table_judge {
public:
    table_judge(adapter_machine& m, vidmm_reported_adapter const& reported) : m_(m), reported_(reported) {}

    void judge() {
        if (!reported_.mmu || reported_.levels.size() != reported_.mmu->levels) {
            return;
        }
        check_address_length();
        for (std::uint32_t level = 0; level < reported_.levels.size(); ++level) {
            check_place(level);
            if (!is_resizable(level)) {
                check_size(level);
            }
        }
        check_leaf_for_64k();
        check_paging_space();
        check_root();
    }

private:
    using rule = vidmm_rule;
    static constexpr std::uint32_t cpu_virtual = 0;  // DXGK_PAGETABLEUPDATE_CPU_VIRTUAL

    // With two levels the root's size is a matter of DxgkDdiGetRootPageTableSize.
    [[nodiscard]] bool is_resizable(std::uint32_t level) const { return reported_.levels.size() == 2 && level == 1; }

    [[nodiscard]] static std::string text(std::uint32_t level, vidmm_reported_level const& l) {
        return "level " + std::to_string(level) + ": " + std::to_string(l.index_bits) + " index bits, " +
               std::to_string(l.table_bytes) + " bytes, segments " + std::to_string(l.segment) + " and " +
               std::to_string(l.paging_process_segment);
    }

    [[nodiscard]] vidmm_reported_segment const* segment(std::uint32_t id) const {
        return id == 0 || id > reported_.segments.size() ? nullptr : &reported_.segments[id - 1];
    }

    [[nodiscard]] bool cpu_reaches(std::uint32_t id) const {
        vidmm_reported_segment const* const s = segment(id);
        return s == nullptr || s->is_aperture() ||
               s->has(vidmm_segment_flag::cpu_visible | vidmm_segment_flag::supports_cpu_host_aperture);
    }

    void check_address_length() {
        std::uint32_t sum = 12;
        for (std::uint32_t level = 0; level < reported_.levels.size(); ++level) {
            sum += is_resizable(level) ? 0 : reported_.levels[level].index_bits;
        }
        std::uint32_t const bits = reported_.mmu->address_bits;
        m_.check(reported_.levels.size() == 2 ? sum < bits && bits <= 64 : sum == bits, rule::gva_03,
                 std::to_string(bits) + " address bits, the levels make " + std::to_string(sum));
    }

    void check_place(std::uint32_t level) {
        vidmm_reported_level const& l = reported_.levels[level];
        std::size_t const count = reported_.segments.size();
        // AMB-21: system memory is 0; a number past the last segment names nothing.
        if (!m_.check(l.segment <= count && l.paging_process_segment <= count, rule::seg_05, text(level, l))) {
            return;
        }
        m_.check(cpu_reaches(l.paging_process_segment), rule::gva_40, text(level, l));
        if (reported_.mmu->update_mode != cpu_virtual) {
            return;
        }
        // AMB-42: directories by the page, leaf tables by what was seen to fail.
        vidmm_reported_segment const* const s = segment(l.segment);
        if (level == 0) {
            m_.check(cpu_reaches(l.segment), rule::obs_05, text(level, l));
        } else {
            m_.check(s == nullptr || s->is_aperture(), rule::gva_07, text(level, l));
        }
    }

    void check_size(std::uint32_t level) {
        vidmm_reported_level const& l = reported_.levels[level];
        // Nobody asks how large the hardware's entries are; there are none below four bytes.
        bool const holds = l.index_bits < 30 && std::uint64_t{l.table_bytes} >= std::uint64_t{4} << l.index_bits;
        m_.check(l.table_bytes != 0 && l.table_bytes % 4096 == 0 && holds, rule::gva_04, text(level, l));
        bool const in_system_memory = l.segment == 0 || l.paging_process_segment == 0;
        m_.check(!in_system_memory || l.table_bytes <= 4096, rule::gva_06, text(level, l));
    }

    void check_leaf_for_64k() {
        std::uint32_t const size = reported_.mmu->leaf_bytes_for_64k;
        std::uint32_t const bits = reported_.levels.front().index_bits;
        if (size == 0) {
            return;
        }
        std::string const numbers =
            std::to_string(size) + " bytes for 64-KiB pages, " + std::to_string(bits) + " index bits";
        if (m_.check(bits >= 4, rule::gva_10, numbers)) {
            m_.check(size % 4096 == 0 && std::uint64_t{size} >= std::uint64_t{4} << (bits - 4), rule::gva_09, numbers);
        }
    }

    void check_paging_space() {
        std::uint64_t const size = std::uint64_t{reported_.paging_space_megabytes} << 20;  // CHK-03: in 64 bits
        std::uint32_t const bits = reported_.mmu->address_bits;
        m_.check(size == 0 || bits >= 64 || size <= std::uint64_t{1} << bits, rule::chk_07,
                 std::to_string(reported_.paging_space_megabytes) + " MB with " + std::to_string(bits) +
                     " address bits");
    }

    // GVA-26: asked with two levels only.
    void check_root() {
        if (reported_.levels.size() != 2) {
            return;
        }
        if (!m_.check(m_.table.get_root_page_table_size != nullptr, rule::gva_26,
                      "there is no function for its size")) {
            return;
        }
        vidmm_reported_segment const* const s = segment(reported_.levels[1].segment);
        std::uint64_t const page = s == nullptr ? 4096 : s->page_bytes();
        for (u32 const wanted : {1U, 255U, 1024U}) {
            mirror::v3_2::dxgkarg_getrootpagetablesize const args{wanted, 0};
            auto const memory =
                m_.lend(bytes_of(args), loan_side::end, "DXGKARG_GETROOTPAGETABLESIZE", rule::output_size);
            journal::current().call("DxgkDdiGetRootPageTableSize", false);
            std::uint64_t const size = m_.table.get_root_page_table_size(m_.table.adapter, memory->data());
            mirror::v3_2::dxgkarg_getrootpagetablesize after{};
            std::memcpy(&after, memory->data(), sizeof after);
            memory->end();
            bool const whole = size != 0 && size % page == 0 && size / 4 >= after.NumberOfPte;
            m_.check(whole && after.NumberOfPte >= wanted, rule::gva_26,
                     std::to_string(wanted) + " entries asked, " + std::to_string(after.NumberOfPte) + " given, " +
                         std::to_string(size) + " bytes");
        }
    }

    adapter_machine& m_;
    vidmm_reported_adapter const& reported_;
};

}  // namespace wddmcore::testing::vidmm_parts

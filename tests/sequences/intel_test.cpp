// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "intel_rig.hpp"
#include "play.hpp"

#include <hardware/intel_xe_virtual.hpp>

namespace sequences {

namespace {

namespace intel = wddmcore::examples::intel;

template <capabilities Caps>
class intel_rig : public intel_adapter {
public:
    using hardware = hooked<intel::xe_virtual<Caps>>;

    explicit intel_rig(machine& m) : intel_adapter(m) {
        layout const& w = m.where;
        std::array<u64, 8> const zeros{};
        static_cast<void>(m.bus.write(own_bus(fence_at), zeros.data(), sizeof zeros));
        hw.at = {.local_segment = memory_id,
                 .local = {{w.segment_base}, {w.segment_bytes()}},
                 .local_virtual = w.local_virtual + w.segment_first,
                 .aperture_segment = aperture_id,
                 .aperture = {{w.aperture_base}, {w.aperture_pages * page_bytes}},
                 .aperture_virtual = w.aperture_virtual,
                 .system_virtual = w.system_virtual,
                 .aperture_table = nullptr,
                 .aperture_table_virtual = 0,
                 .scratch_virtual = own_virtual(scratch_at),
                 .mocs = mocs,
                 .coherent_pat = coherent_pat,
                 .noncoherent_pat = noncoherent_pat};
        hw.policies = {w.segment_first, 0, coherent_pat, noncoherent_pat};
        for (std::size_t i = 0; i != 4; ++i) {
            page_lists_[i] = {&handles_[i], lists_[i].data(), static_cast<u32>(list_pages)};
            records_[i] = {&handles_[i], own_virtual(fence_at + i * 16)};
        }
        hw.lists = page_lists_.data();
        hw.list_count = 4;
        hw.records = records_.data();
        hw.record_count = 4;
        hw.global = {mmu_id, global_.data(), 1, forget_global};
    }
    [[nodiscard]] facts const& known() const override { return facts_; }
    void set_aperture_table(u64 offset) override {
        hw.at.aperture_table = static_cast<u64*>(machine_.cpu(machine_.bus_of_segment(offset)));
        hw.at.aperture_table_virtual = machine_.where.local_virtual + machine_.where.segment_first + offset;
    }
    [[nodiscard]] std::vector<std::byte> image(void* allocation, u64 size) override {
        words_.resize(static_cast<std::size_t>(size / 4));
        for (u32& word : words_) {
            word = 0x9E37'79B9u * ++written_;
        }
        image_ = {allocation, words_.data(), static_cast<u32>(words_.size())};
        hw.images = &image_;
        hw.image_count = 1;
        auto const bytes = std::as_bytes(std::span(words_));
        return {bytes.begin(), bytes.end()};
    }

    hardware hw{};

private:
    facts facts_ = [] {
        facts f = facts_of<hardware>();
        f.aperture_in_tables = true;
        f.aperture_moves = true;
        return f;
    }();
    std::array<intel::page_list, 4> page_lists_{};
    std::array<intel::fence_record, 4> records_{};
    std::vector<u32> words_;
    u32 written_ = 0;
    intel::context_image image_{};
};

}  // namespace

TEST_CASE("OP00 to OP22, OP11-01, OP11-02, OP12-03, OP14-02, OBS-11, NTF-10, GVA-16, GVA-23: "
          "a thousand operations on Intel Xe2 end as the model says") {
    using enum paging_operation;
    check_sequence<intel_rig<intel::declared_at(wddm::v3_2, intel::whole_memory)>,
                   mirror::v3_2::dxgkarg_buildpagingbuffer>(
        intel_layout(),
        {transfer, fill, virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
         init_context_resource, update_context_allocation, notify_residency, signal_monitored_fence,
         map_aperture_segment2, notify_fence_residency, map_mmu, notify_residency2, notify_alloc});
}

TEST_CASE("OP06 to OP16, PGB-05, OP11-03, OP12-01, OP14-01: "
          "a thousand operations on Intel Xe2 end as the model says in WDDM 2.0 and 2.2") {
    using enum paging_operation;
    check_sequence<intel_rig<intel::declared_at(wddm::v2_0)>, mirror::v2_0::dxgkarg_buildpagingbuffer>(
        intel_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
                         init_context_resource, update_context_allocation, notify_residency});
    check_sequence<intel_rig<intel::declared_at(wddm::v2_2)>, mirror::v2_2::dxgkarg_buildpagingbuffer>(
        intel_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, signal_monitored_fence});
}

TEST_CASE("OP06 to OP18, PGB-05, OP17-02, OP18-01: "
          "a thousand operations on Intel Xe2 end as the model says in WDDM 2.9 and 3.1") {
    using enum paging_operation;
    check_sequence<intel_rig<intel::declared_at(wddm::v2_9)>, mirror::v2_9::dxgkarg_buildpagingbuffer>(
        intel_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
    check_sequence<intel_rig<intel::declared_at(wddm::v3_1)>, mirror::v3_1::dxgkarg_buildpagingbuffer>(
        intel_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
}

}  // namespace sequences

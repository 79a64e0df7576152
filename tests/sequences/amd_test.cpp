// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "amd_rig.hpp"
#include "play.hpp"

#include <hardware/amd_gfx10_virtual.hpp>

namespace sequences {

namespace {

namespace amd = wddmcore::examples::amd;

/// The hardware put up: windows where the paging process has them, records where firmware would look.
template <capabilities Caps>
class amd_rig : public amd_adapter {
public:
    using hardware = hooked<amd::gfx10_virtual<Caps>>;

    explicit amd_rig(machine& m) : amd_adapter(m) {
        layout const& w = m.where;
        hw.at = {.gart_segment = aperture_id,
                 .gart = {{w.aperture_base}, {w.aperture_pages * page_bytes}},
                 .vram_segment = memory_id,
                 .vram = {{w.segment_base}, {w.segment_bytes()}},
                 .system_base = w.system_virtual,
                 .gart_table = static_cast<u64*>(m.cpu(w.device_bus + w.reserve_first() + aperture_at)),
                 .gart_table_address = own_virtual(aperture_at)};
        hw.vram_in_entries = w.segment_first;
        hw.invalidation = {request_register, acknowledge_register, request, vmids, own_virtual(scratch_at)};
        hw.flat = {
            mmu_id,
            own_virtual(mmu_at),
            {mmu_request_register, mmu_acknowledge_register, mmu_request, mmu_vmids, own_virtual(mmu_scratch_at)}};
        for (std::size_t i = 0; i != 4; ++i) {
            page_lists_[i] = {&handles_[i], own_virtual(list_at + i * list_pages * 8), list_pages};
            records_[i] = {&handles_[i], own_virtual(fence_at + i * 16)};
        }
        hw.lists = page_lists_.data();
        hw.list_count = 4;
        hw.records = records_.data();
        hw.record_count = 4;
    }
    [[nodiscard]] facts const& known() const override { return facts_; }
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
        f.tables_in_system = true;
        f.aperture_moves = true;
        return f;
    }();
    std::array<amd::page_list, 4> page_lists_{};
    std::array<amd::fence_record, 4> records_{};
    std::vector<u32> words_;
    u32 written_ = 0;
    amd::context_image image_{};
};

}  // namespace

TEST_CASE("OP00 to OP22, OP11-01, OP11-02, OP12-03, OP14-02, OBS-11, NTF-10, GVA-16, GVA-23: "
          "a thousand operations on AMD gfx10 end as the model says") {
    using enum paging_operation;
    check_sequence<amd_rig<amd::declared_at(wddm::v3_2, amd::whole_memory)>, mirror::v3_2::dxgkarg_buildpagingbuffer>(
        amd_layout(),
        {transfer, fill, virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
         init_context_resource, update_context_allocation, notify_residency, signal_monitored_fence,
         map_aperture_segment2, notify_fence_residency, map_mmu, notify_residency2, notify_alloc});
}

TEST_CASE("OP00 to OP22: a thousand operations on AMD gfx10 that names places only end as the model says") {
    using enum paging_operation;
    check_sequence<amd_rig<amd::declared_at(wddm::v3_2, amd::physical_memory)>,
                   mirror::v3_2::dxgkarg_buildpagingbuffer>(
        amd_layout(), {transfer, fill, special_lock_transfer, update_page_table, flush_tlb, map_aperture_segment2,
                       notify_residency, notify_fence_residency, map_mmu, notify_alloc});
}

TEST_CASE("OP06 to OP16, PGB-05, OP11-03, OP12-01, OP14-01: "
          "a thousand operations on AMD gfx10 end as the model says in WDDM 2.0 and 2.2") {
    using enum paging_operation;
    check_sequence<amd_rig<amd::declared_at(wddm::v2_0)>, mirror::v2_0::dxgkarg_buildpagingbuffer>(
        amd_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
                       init_context_resource, update_context_allocation, notify_residency});
    check_sequence<amd_rig<amd::declared_at(wddm::v2_2)>, mirror::v2_2::dxgkarg_buildpagingbuffer>(
        amd_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, signal_monitored_fence});
}

TEST_CASE("OP06 to OP18, PGB-05, OP17-02, OP18-01: "
          "a thousand operations on AMD gfx10 end as the model says in WDDM 2.9 and 3.1") {
    using enum paging_operation;
    check_sequence<amd_rig<amd::declared_at(wddm::v2_9)>, mirror::v2_9::dxgkarg_buildpagingbuffer>(
        amd_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
    check_sequence<amd_rig<amd::declared_at(wddm::v3_1)>, mirror::v3_1::dxgkarg_buildpagingbuffer>(
        amd_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
}

}  // namespace sequences

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "nvidia_rig.hpp"
#include "play.hpp"

#include <hardware/nvidia_ampere_virtual.hpp>

namespace sequences {

namespace {

namespace nvidia = wddmcore::examples::nvidia;

template <capabilities Caps>
class nvidia_rig : public nvidia_adapter {
public:
    using hardware = hooked<nvidia::ampere_virtual<Caps>>;

    explicit nvidia_rig(machine& m) : nvidia_adapter(m) {
        layout const& w = m.where;
        hw.at = {.video_segment = memory_id,
                 .video = {{w.segment_base}, {w.segment_bytes()}},
                 .video_first = w.segment_first,
                 .aperture_segment = aperture_id,
                 .aperture = {{w.aperture_base}, {w.aperture_pages * page_bytes}},
                 .aperture_virtual = w.aperture_virtual,
                 .aperture_table = nullptr,
                 .aperture_table_address = 0,
                 .scratch = w.reserve_first() + scratch_at};
        hw.semaphore = own_virtual(semaphore_at);
        hw.fences = fences_.data();
        hw.fence_count = static_cast<u32>(fences_.size());
        for (std::size_t i = 0; i != fences_.size(); ++i) {
            fences_[i].handle = &allocations_[i];
        }
    }
    [[nodiscard]] facts const& known() const override { return facts_; }
    void set_aperture_table(u64 offset) override {
        hw.at.aperture_table = static_cast<u64*>(machine_.cpu(machine_.bus_of_segment(offset)));
        hw.at.aperture_table_address = machine_.where.segment_first + offset;
    }
    [[nodiscard]] std::vector<std::byte> image(void*, u64 size) override {
        std::vector<std::byte> content(static_cast<std::size_t>(size));
        for (std::byte& b : content) {
            b = static_cast<std::byte>(7 * ++written_ % 251);
        }
        static_cast<void>(machine_.bus.write(own_bus(image_at), content.data(), content.size()));
        hw.context_image = {size};
        hw.context_source = machine_.where.reserve_first() + image_at;
        return content;
    }

    [[nodiscard]] void* handle(u64 random) override { return &allocations_[random % allocations_.size()]; }
    [[nodiscard]] std::string verify(request const& r) override {
        if (r.operation == paging_operation::notify_alloc) {
            return caches_emptied();
        }
        if (r.operation == paging_operation::notify_fence_residency) {
            return verify_fences(r);
        }
        auto& heard = *static_cast<nvidia::allocation*>(r.allocation);
        auto& wanted = wanted_[static_cast<std::size_t>(&heard - allocations_.data())];
        ++wanted.changes;
        if (r.operation == paging_operation::notify_residency) {
            wanted.segment = {r.segment};
            wanted.offset = {r.offset};
            wanted.resident = r.set;
        } else {
            wanted.resident_pages += (r.set ? 1 : -1) * static_cast<i64>(r.size);
        }
        bool const same = heard.segment == wanted.segment && heard.offset.n == wanted.offset.n &&
                          heard.resident == wanted.resident && heard.changes == wanted.changes &&
                          heard.resident_pages == wanted.resident_pages;
        return same ? "" : "the driver's record is wrong";
    }

    hardware hw{};

protected:
    void before(void* buffer, u32) {
        hw.stream = {static_cast<u32 const*>(buffer), {own_virtual(stream_at), nvidia::target::gpu_virtual}};
    }

private:
    [[nodiscard]] std::string verify_fences(request const& r) {
        for (auto f = r.fences.rbegin(); f != r.fences.rend(); ++f) {
            bool const is_last = std::none_of(r.fences.rbegin(), f, [&](auto const& g) { return g.fence == f->fence; });
            nvidia::native_fence const& heard =
                fences_[static_cast<std::size_t>(static_cast<nvidia::allocation*>(f->fence) - allocations_.data())];
            if (is_last &&
                (heard.current.segment.n != f->current_segment || heard.current.offset.n != f->current_offset ||
                 heard.current.cpu != f->current_cpu || heard.monitored.segment.n != f->monitored_segment ||
                 heard.monitored.offset.n != f->monitored_offset || heard.monitored.cpu != f->monitored_cpu)) {
                return "the record of a fence is wrong";
            }
        }
        return {};
    }

    facts facts_ = [] {
        facts f = facts_of<hardware>();
        f.tables_in_system = true;
        f.aperture_in_tables = true;
        f.aperture_moves = true;
        return f;
    }();
    std::array<nvidia::allocation, 4> allocations_{};
    std::array<nvidia::allocation, 4> wanted_{};
    std::array<nvidia::native_fence, 4> fences_{};
    u32 written_ = 0;
};

}  // namespace

TEST_CASE("OP00 to OP18, OP21, OP22, OP11-01, OP11-02, OP12-03, OP14-02, OBS-11, NTF-10, GVA-16, GVA-23, GVA-12: "
          "a thousand operations on NVIDIA Ampere end as the model says") {
    using enum paging_operation;
    constexpr capabilities all = nvidia::every_promise(
        wddm::v3_2, update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
        paging_addresses::both);
    check_sequence<nvidia_rig<all>, mirror::v3_2::dxgkarg_buildpagingbuffer>(
        nvidia_layout(),
        {transfer, fill, virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
         init_context_resource, update_context_allocation, notify_residency, signal_monitored_fence,
         map_aperture_segment2, notify_fence_residency, notify_residency2, notify_alloc});
}

TEST_CASE("OP06 to OP16, PGB-05, OP11-03, OP12-01, OP14-01: "
          "a thousand operations on NVIDIA Ampere end as the model says in WDDM 2.0 and 2.2") {
    using enum paging_operation;
    check_sequence<nvidia_rig<nvidia::every_promise(wddm::v2_0)>, mirror::v2_0::dxgkarg_buildpagingbuffer>(
        nvidia_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
                          init_context_resource, update_context_allocation, notify_residency});
    check_sequence<nvidia_rig<nvidia::every_promise(wddm::v2_2)>, mirror::v2_2::dxgkarg_buildpagingbuffer>(
        nvidia_layout(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, signal_monitored_fence});
}

TEST_CASE("OP06 to OP18, PGB-05, OP17-02, OP18-01: "
          "a thousand operations on NVIDIA Ampere end as the model says in WDDM 2.9 and 3.1") {
    using enum paging_operation;
    check_sequence<nvidia_rig<nvidia::every_promise(wddm::v2_9)>, mirror::v2_9::dxgkarg_buildpagingbuffer>(
        nvidia_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
    check_sequence<nvidia_rig<nvidia::every_promise(wddm::v3_1)>, mirror::v3_1::dxgkarg_buildpagingbuffer>(
        nvidia_layout(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
}

}  // namespace sequences

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "player.hpp"
#include "request_arguments.hpp"

#include <wddmcore/paging/build.hpp>

/// The one place of these sequences that knows both a hardware type and the arguments of a version.
namespace sequences {

/// Whether a structure of arguments has an operation.
template <class Args>
[[nodiscard]] bool has_operation(paging_operation operation) {
    constexpr bool second = requires(Args a) { a.UpdatePageTable; };
    constexpr bool latest = requires(Args a) { a.NotifyAllocation; };
    switch (operation) {
        case paging_operation::transfer:
        case paging_operation::fill:
        case paging_operation::discard_content:
        case paging_operation::read_physical:
        case paging_operation::write_physical:
        case paging_operation::map_aperture_segment:
        case paging_operation::unmap_aperture_segment:
        case paging_operation::special_lock_transfer: return true;
        case paging_operation::init_context_resource: return requires(Args a) { a.InitContextResource; };
        case paging_operation::signal_monitored_fence: return requires(Args a) { a.SignalMonitoredFence; };
        case paging_operation::map_aperture_segment2:
        case paging_operation::notify_fence_residency: return requires(Args a) { a.MapApertureSegment2; };
        case paging_operation::map_mmu:
        case paging_operation::unmap_mmu:
        case paging_operation::notify_residency2:
        case paging_operation::notify_alloc: return latest;
        default: return second;
    }
}

/// A hardware type whose fault hook remembers what it heard, and which finds in use what a sequence says.
template <class Hw>
struct hooked : Hw {
    paging_fault last_fault{};
    bool faulted = false;
    void* in_use = nullptr;
    bool any_in_use = false;
    [[nodiscard]] bool allocation_is_busy(void* allocation) const noexcept {
        return any_in_use && allocation == in_use;
    }
    disposition on_paging_fault(paging_fault const& f) noexcept {
        last_fault = f;
        faulted = true;
        return disposition::stop;
    }
};

/// What the system learns of a hardware type.
template <class Hw>
[[nodiscard]] facts facts_of() {
    facts f;
    f.caps = Hw::caps;
    f.smallest_buffer = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    f.copy_unit = Hw::copy_alignment.n;
    f.fill_unit = Hw::fill_alignment.n;
    f.byte_patterns = Hw::fill_pattern_bytes.n == 1;
    if constexpr (hw::page_table_format<Hw>) {
        f.geometry = Hw::page_tables;
        f.claims = Hw::mmu_caps;
    }
    if constexpr (hw::fence_writer<Hw>) {
        f.fence_bytes = Hw::fence_bytes.n;
    }
    f.contexts_at_once = hw::context_at_once<Hw>;
    f.evictions = hw::eviction_notifier<Hw>;
    f.unmaps = hw::iommu_unmap_by_command<Hw> || hw::iommu_unmap_at_once<Hw>;
    f.unmap_at_once = hw::iommu_unmap_at_once<Hw>;
    f.mmu_at_once = hw::mmu_at_once<Hw>;
    f.residency_at_once = hw::residency_at_once<Hw>;
    f.ranges_at_once = hw::residency_range_at_once<Hw>;
    f.fences_at_once = hw::fence_residency_at_once<Hw>;
    return f;
}

/// @tparam Rig   an adapter but for its calls of the library; `hardware` is its type, `hw` the object
/// @tparam Args  of the version that is played
template <class Rig, class Args>
class versioned final : public Rig {
public:
    using Rig::Rig;

    [[nodiscard]] ntstatus build(request const& r, void*& buffer, u32 size, u32& token) override {
        request_arguments<Args> made(r);
        Args& args = made.args;
        args.pDmaBuffer = buffer;
        args.DmaSize = size;
        args.MultipassOffset = token;
        // Zero only when the buffer was made (PGB-13): here it always was just made.
        private_data_.fill(std::byte{0});
        args.pDmaBufferPrivateData = private_data_.data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(private_data_.size());
        this->hw.faulted = false;
        this->hw.in_use = r.allocation;
        this->hw.any_in_use = r.in_use;
        this->before(buffer, size);
        ntstatus const status = build_paging_buffer(this->hw, args);
        buffer = args.pDmaBuffer;
        token = args.MultipassOffset;
        return status;
    }

    [[nodiscard]] bool observes(paging_operation operation) const override {
        return has_operation<Args>(operation) && reachable(Rig::hardware::caps, operation) && Rig::sees(operation);
    }
    [[nodiscard]] std::string fault() const override {
        if (!this->hw.faulted) {
            return "without a fault";
        }
        paging_fault const& f = this->hw.last_fault;
        return say(rule_id(f.rule), " with ", as_hex{f.value}, " of ", as_hex{f.limit});
    }

private:
    alignas(8) std::array<std::byte, 256> private_data_{};
};

}  // namespace sequences

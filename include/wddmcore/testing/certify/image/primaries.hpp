// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging.hpp"

#include <array>
#include <cstdint>
#include <map>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// The allocations that flips show: made when they are flipped to first, with what the device's user-mode driver sends.
class primaries {
public:
    explicit primaries(played_driver const& driver) : driver_(driver) {}
    primaries(primaries const&) = delete;
    primaries& operator=(primaries const&) = delete;

    /// The driver's handle of a primary; NULL where nothing is known of its private data.
    [[nodiscard]] void* handle_of(std::uint32_t primary) {
        auto const* const m = driver_.model;
        wddmcore_driver_table const& t = driver_.table;
        if (m->allocation_data == nullptr || t.create_allocation == nullptr) {
            return nullptr;
        }
        auto const [at, is_new] = made_.try_emplace(primary, nullptr);
        if (is_new) {
            at->second = create(primary);
        }
        return at->second;
    }

    /// All of them are destroyed, as before the device stops.
    void destroy() {
        for (auto const& [primary, handle] : made_) {
            if (handle != nullptr && driver_.table.destroy_allocation != nullptr &&
                driver_.table.destroy_allocation(driver_.table.adapter, handle) < 0) {
                driver_.find(crash_id::refused, "DxgkDdiDestroyAllocation fails for a primary");
            }
        }
        made_.clear();
    }

private:
    // The structures of all versions begin alike, and have room for larger ones of newer headers here.
    [[nodiscard]] void* create(std::uint32_t primary) {
        auto const* const m = driver_.model;
        std::array<std::byte, 1024> data{};
        auto const bytes = m->allocation_data(m->device, primary + 1, paging_run::largest_allocation, data.data(),
                                              static_cast<unsigned>(data.size()));
        auto const sent = filled(data, bytes, driver_.find);
        struct {
            mirror::v3_2::dxgk_allocationinfo first;
            std::array<std::byte, 512> behind;
        } information{};
        information.first.pPrivateDriverData = sent.data();
        information.first.PrivateDriverDataSize = static_cast<u32>(sent.size());
        struct {
            mirror::v3_2::dxgkarg_createallocation first;
            std::array<std::byte, 512> behind;
        } args{};
        args.first.NumAllocations = 1;
        args.first.pAllocationInfo = &information.first;
        ntstatus const status = driver_.table.create_allocation(driver_.table.adapter, &args);
        if (status < 0) {
            driver_.find(crash_id::refused, "DxgkDdiCreateAllocation returned " +
                                                vidmm_parts::hex(static_cast<std::uint32_t>(status)) +
                                                " for a primary");
            return nullptr;
        }
        return information.first.hAllocation;
    }

    played_driver const& driver_;
    std::map<std::uint32_t, void*> made_;
};

}  // namespace wddmcore::testing::certify_parts

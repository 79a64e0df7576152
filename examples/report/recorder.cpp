// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "recorder.hpp"

#include "json.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

#include <algorithm>
#include <cstring>

namespace wddmcore::examples::report {

namespace {

constexpr std::size_t kept_bytes = 64;
constexpr std::size_t most_pieces = 12;
constexpr u64 most_asked = 4;

[[nodiscard]] std::vector<std::byte> first_bytes(std::byte const* data, std::size_t size) {
    return {data, data + std::min(size, kept_bytes)};
}

/// A bus that remembers which memory was used, and what it held before.
class watched_bus final : public testing::gpu_bus {
public:
    watched_bus(gpu_bus& rest, std::vector<touched_bytes>& seen) : rest_(rest), seen_(seen) {}

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        look(address, size);
        return rest_.read(address, to, size);
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        look(address, size);
        return rest_.write(address, from, size);
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        piece const found = rest_.at(address, size);
        if (found.data != nullptr) {
            see(address, found);
        }
        return found;
    }

private:
    void look(std::uint64_t address, std::size_t size) {
        if (piece const found = rest_.at(address, size); found.data != nullptr) {
            see(address, found);
        }
    }
    void see(std::uint64_t address, piece const& p) {
        for (touched_bytes const& t : seen_) {
            if (p.data >= t.where && p.data + p.size <= t.where + t.size) {
                return;
            }
        }
        // What lies behind the last piece belongs to it.
        if (!seen_.empty() && seen_.back().where + seen_.back().size == p.data) {
            touched_bytes& last = seen_.back();
            std::size_t const more = std::min(kept_bytes - last.before.size(), p.size);
            last.before.insert(last.before.end(), p.data, p.data + more);
            last.size += p.size;
        } else if (seen_.size() < most_pieces) {
            seen_.push_back({hex(address, 12), p.size, first_bytes(p.data, p.size), {}, p.data});
        }
    }

    gpu_bus& rest_;
    std::vector<touched_bytes>& seen_;
};

[[nodiscard]] std::string in_words(std::optional<testing::vidmm_location> const& place) {
    return place ? "segment " + std::to_string(place->segment) + ", offset " + hex(place->offset) : "nowhere";
}

[[nodiscard]] recorder& self_of(void* self) { return *static_cast<recorder*>(self); }

}  // namespace

wddmcore_driver_table recorder::table() {
    wddmcore_driver_table t = driver_;
    t.adapter = this;
    t.build_paging_buffer = build;
    t.patch = driver_.patch != nullptr ? patch : nullptr;
    t.submit_command = driver_.submit_command != nullptr ? submit : nullptr;
    t.submit_command_virtual = driver_.submit_command_virtual != nullptr ? submit_virtual : nullptr;
    return t;
}

int recorder::build(void* self, void* args) {
    recorder& r = self_of(self);
    wddm const version = interface_version_of(r.driver_.version);
    if (!at_least(version, wddm::v2_0)) {
        return r.record(*static_cast<mirror::v1_3::dxgkarg_buildpagingbuffer*>(args));
    }
    return at_least(version, wddm::v3_2) ? r.record(*static_cast<mirror::v3_2::dxgkarg_buildpagingbuffer*>(args))
                                         : r.record(*static_cast<mirror::v2_9::dxgkarg_buildpagingbuffer*>(args));
}
int recorder::patch(void* self, void const* args) {
    wddmcore_driver_table const& driver = self_of(self).driver_;
    return driver.patch(driver.adapter, args);
}
int recorder::submit(void* self, void const* args) {
    wddmcore_driver_table const& driver = self_of(self).driver_;
    return driver.submit_command(driver.adapter, args);
}
int recorder::submit_virtual(void* self, void const* args) {
    wddmcore_driver_table const& driver = self_of(self).driver_;
    return driver.submit_command_virtual(driver.adapter, args);
}

template <class Arguments>
std::vector<recorder::question> recorder::questions(Arguments const& args) {
    std::vector<question> all;
    auto const aperture = [&](u64 first, u64 count) {
        for (u64 i = 0; options_.page_of && i != std::min(count, most_asked); ++i) {
            all.push_back({"aperture entry " + std::to_string(first + i),
                           [this, index = first + i] { return "page " + hex(options_.page_of(index)); }});
        }
    };
    auto const asked = static_cast<paging_operation>(args.Operation);
    if (asked == paging_operation::map_aperture_segment) {
        aperture(args.MapApertureSegment.OffsetInPages, args.MapApertureSegment.NumberOfPages);
    } else if (asked == paging_operation::unmap_aperture_segment) {
        aperture(args.UnmapApertureSegment.OffsetInPages, args.UnmapApertureSegment.NumberOfPages);
    }
    if constexpr (requires { args.MapApertureSegment2; }) {
        if (asked == paging_operation::map_aperture_segment2) {
            aperture(args.MapApertureSegment2.OffsetInPages, args.MapApertureSegment2.NumberOfPages);
        } else if (asked == paging_operation::notify_residency && options_.notices.residency_of) {
            all.push_back(
                {"the driver takes the allocation for resident in",
                 [this, a = args.NotifyResidency.hAllocation] { return in_words(options_.notices.residency_of(a)); }});
        } else if (asked == paging_operation::notify_fence_residency && options_.notices.fence_value_of) {
            void* const fence = args.NotifyFenceResidency.FenceResidencyInfo->hGlobalNativeFence;
            for (u32 const which : {0u, 1u}) {
                all.push_back(
                    {which == 0 ? "current value of the first fence" : "monitored value of the first fence",
                     [this, fence, which] { return in_words(options_.notices.fence_value_of(fence, which)); }});
            }
        }
    }
    if constexpr (requires { args.NotifyResidency2; }) {
        auto const mmu = [&](u32 id, u64 first, u64 count) {
            for (u64 i = 0; options_.notices.mmu_page_of && i != std::min(count, most_asked); ++i) {
                u64 const va = first + i * 4096;
                all.push_back({"MMU " + std::to_string(id) + ", address " + hex(va), [this, id, va] {
                                   auto const page = options_.notices.mmu_page_of(id, va);
                                   return page ? "page " + hex(*page) : std::string("nothing");
                               }});
            }
        };
        if (asked == paging_operation::notify_residency2 && options_.notices.page_residency_of) {
            auto const& r = args.NotifyResidency2;
            for (u64 i = 0; i != std::min<u64>(r.SizeInPages, most_asked); ++i) {
                u64 const page = r.AllocationOffsetInPages + i;
                all.push_back({"the driver takes page " + std::to_string(page) + " for resident in",
                               [this, a = r.hAllocation, page] {
                                   return in_words(options_.notices.page_residency_of(a, page));
                               }});
            }
        } else if (asked == paging_operation::map_mmu) {
            mmu(args.MmapMmu.MmuId, args.MmapMmu.VirtualAddress, args.MmapMmu.Adl.PageCount);
        } else if (asked == paging_operation::unmap_mmu) {
            mmu(args.UnmapMmu.MmuId, args.UnmapMmu.VirtualAddress, args.UnmapMmu.NumberOfPages);
        }
    }
    return all;
}

void recorder::ask(call& c, std::vector<question> const& all) {
    for (question const& q : all) {
        c.knowledge.push_back({q.what, q.answer(), {}});
    }
}

void recorder::look_again(call& c, std::vector<question> const& all) {
    for (std::size_t i = 0; i != all.size(); ++i) {
        c.knowledge[i].after = all[i].answer();
    }
    for (touched_bytes& t : c.memory) {
        t.after = first_bytes(t.where, static_cast<std::size_t>(t.size));
    }
}

template <class Arguments>
int recorder::record(Arguments& args) {
    call& c = calls_.emplace_back();
    c.operation = static_cast<paging_operation>(args.Operation);
    c.version = driver_.version;
    c.members = members_of(args, names_);
    c.multipass_before = args.MultipassOffset;
    c.room = args.pDmaBuffer == nullptr ? 0 : args.DmaSize;
    std::vector<question> const all = questions(args);
    ask(c, all);
    if constexpr (requires { args.UpdatePageTable; }) {
        auto const& u = args.UpdatePageTable;
        if (c.operation == paging_operation::update_page_table && u.UpdateMode == 0) {
            u64 const bytes = options_.page_tables.levels[u.PageTableLevel].entry_bytes;
            auto const* const first =
                static_cast<std::byte const*>(u.PageTableAddress.CpuVirtual) + u.StartIndex * bytes;
            u64 const size = u.NumPageTableEntries * bytes;
            c.memory.push_back({"the page table", size, first_bytes(first, static_cast<std::size_t>(size)), {}, first});
        }
        if (c.operation == paging_operation::virtual_transfer) {
            auto const& t = args.TransferVirtual;
            c.chunk = {t.AllocationOffsetInBytes, t.TransferSizeInBytes, t.SourceVirtualAddress,
                       t.DestinationVirtualAddress};
        }
    }
    auto const* const begin = static_cast<std::uint32_t const*>(args.pDmaBuffer);
    c.status = driver_.build_paging_buffer(driver_.adapter, &args);
    auto const* const end = static_cast<std::uint32_t const*>(args.pDmaBuffer);
    c.dwords.assign(begin, end);
    c.multipass_after = args.MultipassOffset;
    if (begin == end) {
        look_again(c, all);
    } else {
        waiting_[begin] = {&c, all};
    }
    return c.status;
}

testing::execution recorder::execute(std::uint32_t const* commands, std::size_t dwords, testing::gpu_bus& bus) {
    auto const found = waiting_.find(commands);
    if (found == waiting_.end()) {
        return hardware_.execute(commands, dwords, bus);
    }
    call& c = *found->second.first;
    watched_bus watched(bus, c.memory);
    testing::execution done = hardware_.execute(commands, dwords, watched);
    c.executed = done.ok;
    c.commands = done.commands;
    c.interrupts = done.interrupts;
    look_again(c, found->second.second);
    waiting_.erase(found);
    return done;
}

}  // namespace wddmcore::examples::report

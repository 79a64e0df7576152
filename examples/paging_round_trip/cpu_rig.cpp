// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "walking_rig.hpp"

#include <hardware/cpu_virtual.hpp>
#include <wddmcore/testing/processor/engine.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>
#include <wddmcore/testing/split_bus.hpp>

/// The reference processor: records that a CPU executes.
namespace wddmcore::examples {

namespace cpu_rigs {

namespace {

/// The aperture's table, and the engine that reads it.
struct cpu_parts {
    std::vector<cpu::aperture_entry> entries = std::vector<cpu::aperture_entry>(aperture_entry_count);
    testing::cpu_engine engine{{{aperture_segment, std::as_writable_bytes(std::span(entries))}}};

    template <class Hw>
    void start(Hw& hw, u64 memory_bytes) {
        hw.segments[aperture_segment - 1] = {{{aperture_base}, {aperture_bytes}}, true};
        hw.segments[memory_segment - 1] = {{{memory_base}, {memory_bytes}}, false};
        hw.system_base = system_base;
        hw.entries = entries.data();
    }
    void read_aperture(testing::vidmm_options& o) {
        o.page_of = [this](u64 index) { return engine.page_of(aperture_segment, index).value_or(0); };
        o.coherent_of = [this](u64 index) { return engine.coherent_of(aperture_segment, index).value_or(false); };
    }
};

template <class Hw>
class cpu_rig final : public rig {
public:
    explicit cpu_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) { parts_.start(hw_, memory_bytes); }
    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<Hw>::table(hw_); }
    [[nodiscard]] testing::engine& engine() override { return parts_.engine; }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o = options_of<Hw>(memory_bytes_);
        parts_.read_aperture(o);
        return o;
    }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<Hw>.n); }

private:
    cpu_parts parts_;
    Hw hw_{};
    u64 memory_bytes_;
};

/// With page tables: four levels, tables in system memory and in the memory segment. Notices to its driver go through
/// the stream, and the processor passes them on.
class cpu_walking_rig final : public walking_rig {
public:
    using hardware = cpu::virtual_processor<cpu::every_promise(wddm::v3_2)>;

    explicit cpu_walking_rig(u64 memory_bytes) : memory_bytes_(memory_bytes) {
        parts_.start(hw_, memory_bytes);
        parts_.engine.late().on_drop = [this](testing::cpu_drop const& d) {
            u64 const root = bus_of(d.segment, d.offset);
            d.first == 0 && d.last == 0 ? cache_.flush(root) : cache_.flush(root, d.first, d.last);
        };
        hw_.mmu_entries = own_.words(own_memory::mmu_table);
        hw_.mmu_pages = mmu_bytes / page_bytes;
        hw_.context_image = {context_bytes};
    }

    [[nodiscard]] wddmcore_driver_table table() override { return driver_of<hardware>::table(hw_); }
    [[nodiscard]] u32 smallest_buffer() const override { return static_cast<u32>(smallest_paging_buffer<hardware>.n); }
    [[nodiscard]] testing::vidmm_options options() override {
        testing::vidmm_options o =
            walking_options<hardware>(memory_bytes_, {0, memory_segment, 0, memory_segment}, 0xC);
        parts_.read_aperture(o);
        o.contexts.initial = [](std::span<std::byte> image) { std::memset(image.data(), 0, image.size()); };
        update_contexts<cpu::context_item, u64>(o.contexts);
        o.notices.residency_of = [this](void* allocation) { return told(resident_, address(allocation)); };
        o.notices.page_residency_of = [this](void* allocation, u64 page) {
            return told(resident_pages_, std::pair{address(allocation), page});
        };
        o.notices.fence_value_of = [this](void* fence, u32 which) {
            return told(fence_values_, std::pair{address(fence), u64{which}});
        };
        o.notices.mmus = {0};
        o.notices.mmu_base = 0;
        o.notices.mmu_bytes = mmu_bytes;
        o.notices.mmu_page_of = [this](u32, u64 va) {
            u64 const entry = own_.word(own_memory::mmu_table + va / page_bytes * 8);
            return (entry & 1) != 0 ? std::optional((entry - system_base) / page_bytes) : std::nullopt;
        };
        return o;
    }

protected:
    [[nodiscard]] testing::translation walk(u64 root, u64 va) override {
        return testing::cpu_page_walker(memory(), root).walk(va);
    }
    // Records do not say whether an address is virtual; an address that is not that of a place is.
    [[nodiscard]] testing::execution run(std::uint32_t const* commands, std::size_t dwords,
                                         testing::gpu_bus& bus) override {
        testing::split_bus split(
            bus, [](u64 address) { return address < aperture_base || address >= places_end; },
            [this](u64 va) { return reach(va); });
        return parts_.engine.execute(commands, dwords, split);
    }
    void executed() override {
        for (testing::cpu_notice const& n : parts_.engine.late().notices) {
            hear(n.code, n.values);
        }
        parts_.engine.late().notices.clear();
    }

private:
    template <class Map, class Key>
    [[nodiscard]] static std::optional<testing::vidmm_location> told(Map const& map, Key const& key) {
        auto const found = map.find(key);
        return found == map.end() ? std::nullopt : std::optional(found->second);
    }
    template <class Map, class Key>
    static void tell(Map& map, Key const& key, bool resident, testing::vidmm_location where) {
        if (resident) {
            map[key] = where;
        } else {
            map.erase(key);
        }
    }
    [[nodiscard]] static u64 address(void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

    // A notice has its numbers in the order of the record.
    void hear(u32 code, std::vector<std::uint64_t> const& n) {
        if (code == 10) {
            tell(resident_, n[0], n[1] != 0, {static_cast<u32>(n[2]), n[3]});
        } else if (code == 11) {
            for (u64 i = 0; i != n[2]; ++i) {
                tell(resident_pages_, std::pair{n[0], n[1] + i}, n[3] != 0,
                     {static_cast<u32>(n[4]), n[5] + i * page_bytes});
            }
        } else if (code == 12) {
            fence_values_[{n[0], 0}] = {static_cast<u32>(n[1]), n[2]};
            fence_values_[{n[0], 1}] = {static_cast<u32>(n[3]), n[4]};
        } else {
            write_back([&n](cached_word const& w) { return w.process == n[0] && w.va - n[1] < n[2]; });
        }
    }

    cpu_parts parts_;
    hardware hw_{};
    std::map<u64, testing::vidmm_location> resident_;
    std::map<std::pair<u64, u64>, testing::vidmm_location> resident_pages_;
    std::map<std::pair<u64, u64>, testing::vidmm_location> fence_values_;
    u64 memory_bytes_;
};

std::unique_ptr<rig> make(std::string const& kind, std::uint64_t memory_bytes) {
    if (kind.empty()) {
        return std::make_unique<cpu_rig<cpu::processor<>>>(memory_bytes);
    }
    if (kind == "_virtual") {
        return std::make_unique<cpu_rig<cpu::processor<cpu::virtual_paging>>>(memory_bytes);
    }
    return std::make_unique<cpu_walking_rig>(memory_bytes);
}

registered_hardware const registered{0, "cpu", make};

}  // namespace

}  // namespace cpu_rigs

}  // namespace wddmcore::examples

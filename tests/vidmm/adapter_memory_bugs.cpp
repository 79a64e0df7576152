// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_expect.hpp"

namespace toy::memory_bugs {

using services = wddmcore_memory_services;
namespace ddi = mirror::v2_9;

// DXGK_PHYSICAL_MEMORY_TYPE and DXGK_ACCESS_MODE, from the DDI's enumerations.
constexpr u32 mdl = 0;
constexpr u32 contiguous = 1;
constexpr u32 io_space = 3;
constexpr u32 user_mode = 1;

/// A physical memory object as a driver uses it.
struct memory_object {
    services const& of;
    void* object = nullptr;
    void* adapter_handle = nullptr;

    ntstatus create(u32 type, usize size, bool with_adapter = true, i64 base = 0) {
        ddi::dxgkargcb_create_physical_memory_object a{};
        a.hAdapter = with_adapter ? &object : nullptr;
        a.Size = size;
        a.Type = type;
        a.IOSpace.BaseAddress.QuadPart = base;
        ntstatus const s = of.create_physical_memory_object(of.system, &a);
        object = a.hPhysicalMemoryObject;
        adapter_handle = a.hAdapterMemoryObject;
        return s;
    }
    ntstatus open() {
        ddi::dxgkargcb_open_physical_memory_object a{};
        a.hPhysicalMemoryObject = object;
        ntstatus const s = of.open_physical_memory_object(of.system, &a);
        adapter_handle = s >= 0 ? a.hAdapterMemoryObject : adapter_handle;
        return s;
    }
    void close() const {
        ddi::dxgkargcb_close_physical_memory_object const a{adapter_handle};
        of.close_physical_memory_object(of.system, &a);
    }
    void destroy(bool with_handle = true) const {
        ddi::dxgkargcb_destroy_physical_memory_object const a{object, with_handle ? adapter_handle : nullptr};
        of.destroy_physical_memory_object(of.system, &a);
    }
    [[nodiscard]] ddi::dxgk_adl* allocate(usize offset, usize size, bool require_contiguous = false) const {
        ddi::dxgkargcb_allocate_adl a{};
        a.hAdapterMemoryObject = adapter_handle;
        a.Offset = offset;
        a.Size = size;
        a.Flags.RequireContiguous = require_contiguous ? 1 : 0;
        return of.allocate_adl(of.system, &a) >= 0 ? a.pAdl : nullptr;
    }
    void free(ddi::dxgk_adl* adl) const {
        ddi::dxgkargcb_free_adl const a{adapter_handle, adl};
        of.free_adl(of.system, &a);
    }
    [[nodiscard]] ddi::dxgkargcb_map_physical_memory map(usize offset, usize size, u32 mode = 0) const {
        ddi::dxgkargcb_map_physical_memory a{};
        a.hPhysicalMemoryObject = object;
        a.AccessMode = mode;
        a.Offset = offset;
        a.Size = size;
        of.map_physical_memory(of.system, &a);
        return a;
    }
    void unmap(void* at, usize size) const {
        ddi::dxgkargcb_unmap_physical_memory const a{object, at, size};
        of.unmap_physical_memory(of.system, &a);
    }
};

void use_rightly(services const& s) {
    for (u32 const type : {mdl, contiguous, io_space}) {
        memory_object o{s};
        CHECK(o.create(type, 0x8000, type != mdl, 0xF000'0000) == status::success);
        if (type == mdl) {
            CHECK(o.open() == status::success);
        }
        auto const m = o.map(type == io_space ? 0x1000 : 0x1010, type == io_space ? 0x1000 : 0x20);
        REQUIRE(m.pMappedAddress != nullptr);
        std::memset(static_cast<std::byte*>(m.pMappedAddress) + m.Offset, 0, type == io_space ? 0x1000 : 0x20);
        o.unmap(m.pMappedAddress, m.Size);
        ddi::dxgk_adl* const adl = o.allocate(0x1000, 0x3000, type != mdl);
        REQUIRE(adl != nullptr);
        CHECK(adl->PageCount == 3);
        CHECK((adl->Flags.Contiguous != 0) == (type != mdl));
        o.free(adl);
        if (type == contiguous) {
            o.close();
        }
        o.destroy(type != contiguous);
    }
    unsigned const before = s.raise_irql(s.system, 1);  // APC_LEVEL is allowed
    memory_object o{s};
    CHECK(o.create(mdl, 4096) == status::success);
    o.destroy();
    s.lower_irql(s.system, before);
    CHECK(s.current_irql(s.system) == 0);
}

template <void (*Use)(memory_object&)>
void with_object(services const& s) {
    memory_object o{s};
    o.create(mdl, 0x8000);
    Use(o);
    o.destroy();
}

void uses(adapter_life& l, void (*what)(services const&)) { l.wrong.with_services = what; }

void one_adl_too_many(memory_object& o) { static_cast<void>(o.allocate(0, 0x1000)); }
void half_a_page(memory_object& o) { static_cast<void>(o.allocate(0x800, 0x1000)); }
void beyond_the_end(memory_object& o) { static_cast<void>(o.allocate(0x8000, 0x1000)); }
void in_one_piece(memory_object& o) { static_cast<void>(o.allocate(0, 0x2000, true)); }
void opens_again(memory_object& o) { static_cast<void>(o.open()); }
void closes_and_destroys_with_handle(memory_object& o) { o.close(); }
void frees_what_is_not_there(memory_object& o) {
    ddi::dxgk_adl none{};
    o.free(&none);
}
void ignores_offset(memory_object& o) {
    auto const m = o.map(0x1010, 0x20);
    std::memset(m.pMappedAddress, 0, 0x20);
    o.unmap(m.pMappedAddress, m.Size);
}
void unmaps_what_it_asked_for(memory_object& o) {
    auto const m = o.map(0x1010, 0x20);
    o.unmap(m.pMappedAddress, 0x20);
}

u64 used_page = 0;
void keeps_the_page(memory_object& o) {
    ddi::dxgk_adl* const adl = o.allocate(0, 0x1000);
    used_page = adl->Pages[0];
    o.free(adl);
}

constexpr adapter_case objects[] = {
    {"the earlier callbacks with remapping", "IOM-13", wddm::v2_9,
     [](adapter_life& l) {
         l.options.remaps = true;
         uses(l, [](services const& s) { s.earlier_callback(s.system, wddmcore_allocate_contiguous_memory); });
     }},
    {"a memory callback at DISPATCH_LEVEL", "IOM-14", wddm::v3_2,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             unsigned const before = s.raise_irql(s.system, 2);
             memory_object o{s};
             o.create(mdl, 4096);
             s.lower_irql(s.system, before);
             o.destroy();
         });
     }},
    {"IO space of half a page", "IOM-21", wddm::v2_9,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(io_space, 0x800, true, 0xF000'0000);
             o.destroy();
         });
     }},
    {"IO space that begins inside a page", "IOM-21", wddm::v3_0,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(io_space, 0x1000, true, 0xF000'0010);
             o.destroy();
         });
     }},
    {"an ADL that begins inside a page", "ADL-10", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<half_a_page>); }},
    {"an ADL behind the object's end", "ADL-10", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<beyond_the_end>); }},
    {"RequireContiguous for an MDL", "ADL-10", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<in_one_piece>); }},
    {"an object is destroyed that has an ADL", "ADL-12", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<one_adl_too_many>); }},
    {"an object that was created with its adapter is opened", "ADL-13", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<opens_again>); }},
    {"an ADL of an object that nobody opened", "ADL-13", wddm::v2_9,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(mdl, 4096, false);
             static_cast<void>(o.allocate(0, 4096));
             o.destroy();
         });
     }},
    {"the adapter's handle is closed and given to destroy", "ADL-14", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<closes_and_destroys_with_handle>); }},
    {"the adapter's handle is never closed", "ADL-14", wddm::v2_9,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(mdl, 4096);
             o.destroy(false);
         });
     }},
    {"an object is forgotten", "ADL-14", wddm::v2_9,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(mdl, 4096);
         });
     }},
    {"an ADL is freed that is not there", "ADL-14", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<frees_what_is_not_there>); }},
    {"data is taken to begin where the mapping begins", "ADL-15", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<ignores_offset>); }},
    {"a mapping ends with the size that was asked for", "ADL-15", wddm::v2_9,
     [](adapter_life& l) { uses(l, &with_object<unmaps_what_it_asked_for>); }},
    {"IO space is mapped for user mode", "ADL-15", wddm::v2_9,
     [](adapter_life& l) {
         uses(l, [](services const& s) {
             memory_object o{s};
             o.create(io_space, 0x1000, true, 0xF000'0000);
             auto const m = o.map(0, 0x1000, user_mode);
             o.unmap(m.pMappedAddress, m.Size);
             o.destroy();
         });
     }},
};

TEST_CASE("IOM, ADL: wrong use of the memory services is named by its rule") { check_cases(objects); }

TEST_CASE("a driver that uses the memory services rightly breaks no rule") {
    for (wddm const version : {wddm::v2_9, wddm::v3_0, wddm::v3_2}) {
        adapter_life l = life_of(version);
        l.options.remaps = true;
        l.wrong.with_services = &use_rightly;
        testing::vidmm_report const report = live(l);
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(testing::vidmm_rule::adl_15) != 0);
    }
}

TEST_CASE("IOM-13: without remapping the earlier callbacks may be used, and do nothing here") {
    adapter_life l = life_of(wddm::v2_9);
    l.wrong.with_services = [](services const& s) {
        CHECK(s.earlier_callback(s.system, wddmcore_map_mdl_to_iommu) == status::not_supported);
    };
    CHECK(live(l).passed());
}

TEST_CASE("ADL-11: a device that still reaches a page of a freed ADL is found by the observer") {
    adapter_life const l = life_of(wddm::v2_9);
    for (bool const forgets : {true, false}) {
        adapter_bugs wrong;
        wrong.with_services = &with_object<keeps_the_page>;
        used_page = 0;
        toy_adapter driver(l.version, l.said, wrong);
        wddmcore_driver_table table = driver.table();
        table.reaches_page = forgets ? [](void*, unsigned long long) WDDMCORE_DRIVER_CALL { return 0; }
                                     : [](void*, unsigned long long page)
                                           WDDMCORE_DRIVER_CALL { return page == used_page ? 1 : 0; };
        testing::vidmm_adapter system(table, l.options);
        CHECK(system.start() == forgets);
        INFO(system.report().text());
        CHECK(system.report().first_rule() == (forgets ? "" : "ADL-11"));
    }
}

}  // namespace toy::memory_bugs

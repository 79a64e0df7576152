// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/buffers/context_allocation.hpp"

#include <initializer_list>
#include <type_traits>

namespace context_allocation_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

namespace win8 = mirror::win8;
namespace v2_0 = mirror::v2_0;

constexpr int objects[6] = {};  // things to point at
void* handle(int index) { return const_cast<int*>(&objects[index]); }

// A per-context allocation that is in order: segments 1 and 2 of which 1 is an aperture.
context_allocation_wish context_wish() {
    context_allocation_wish wish{};
    wish.owner = context_allocation_owner::context;
    wish.adapter = handle(0);
    wish.device = handle(1);
    wish.context = handle(2);
    wish.driver = {handle(3)};
    wish.size = bytes{0x2000};
    wish.alignment = 0x1000;
    wish.supported_segments = 0b11;
    wish.eviction_segments = 0b01;
    wish.preferred_segment = 0b10;
    wish.aperture_segments = 0b01;
    return wish;
}

context_allocation_wish device_wish() {
    context_allocation_wish wish = context_wish();
    wish.owner = context_allocation_owner::device;
    wish.context = nullptr;
    return wish;
}

context_allocation_wish cpu_wish() {
    context_allocation_wish wish = context_wish();
    wish.cpu_visible = wish.is_protected = wish.wants_cpu_address = true;
    wish.supported_segments = 0b01;
    wish.preferred_segment = 0b01;
    return wish;
}

// Fills a structure that was full of something else; on a defect all of it must still be there.
template <class Args>
context_allocation_defect fill(context_allocation_wish const& wish, Args& args) {
    args = {};
    args.Size = 0xDEAD;
    args.hAllocation = handle(5);
    args.ContextAllocationFlags.Value = args.Flags.Value = args.HintedBank.Value = 0xFFFF'FFFFu;
    context_allocation_defect const defect = fill_context_allocation(args, wish);
    if (defect != context_allocation_defect::none) {
        CHECK(args.Size == 0xDEADu);
        CHECK(args.hAllocation == handle(5));
        CHECK(args.Flags.Value == 0xFFFF'FFFFu);
    }
    return defect;
}

template <class Args = v2_0::dxgkargcb_createcontextallocation>
context_allocation_defect defect_of(context_allocation_wish const& wish) {
    Args args;
    return fill(wish, args);
}

context_allocation created() {
    context_allocation allocation;
    allocation.created({handle(4)});
    return allocation;
}

}  // namespace

TEST_CASE("CTX-07: a system context or device gets no context allocation") {
    context_allocation_wish wish = context_wish();
    CHECK(defect_of(wish) == context_allocation_defect::none);
    CHECK(defect_of<win8::dxgkargcb_createcontextallocation>(wish) == context_allocation_defect::none);
    wish.system_owner = true;
    CHECK(defect_of(wish) == context_allocation_defect::system_owner);
    wish = device_wish();
    wish.system_owner = true;
    CHECK(defect_of(wish) == context_allocation_defect::system_owner);
    // A NULL device handle means the system's device.
    wish = device_wish();
    wish.device = nullptr;
    CHECK(defect_of(wish) == context_allocation_defect::device_missing);
}

TEST_CASE(
    "CTX-08: an allocation of a device is shared and has a NULL context, one of a context is not and has its handle") {
    v2_0::dxgkargcb_createcontextallocation args;
    CHECK(fill(device_wish(), args) == context_allocation_defect::none);
    CHECK((args.ContextAllocationFlags.SharedAcrossContexts == 1u));
    CHECK(args.hContext == nullptr);
    CHECK(args.hDevice == handle(1));
    CHECK(fill(context_wish(), args) == context_allocation_defect::none);
    CHECK((args.ContextAllocationFlags.SharedAcrossContexts == 0u));
    CHECK(args.hContext == handle(2));

    context_allocation_wish wish = device_wish();
    wish.context = handle(2);
    CHECK(defect_of(wish) == context_allocation_defect::context_of_device);
    wish = context_wish();
    wish.context = nullptr;
    CHECK(defect_of(wish) == context_allocation_defect::context_missing);
}

TEST_CASE("CTX-08: every member of the structure is filled, and every other flag is 0") {
    context_allocation_wish wish = cpu_wish();
    wish.accessed_physically = wish.map_gpu_virtual_address = true;
    wish.physical_adapter = 1;
    v2_0::dxgkargcb_createcontextallocation args;
    CHECK(fill(wish, args) == context_allocation_defect::none);
    CHECK((args.ContextAllocationFlags.MapGpuVirtualAddress == 1u && args.ContextAllocationFlags.Reserved == 0u));
    CHECK(args.hAdapter == handle(0));
    CHECK(args.hDriverAllocation == handle(3));
    CHECK(args.Size == 0x2000u);
    CHECK(args.Alignment == 0x1000u);
    CHECK(args.SupportedSegmentSet == 0b01u);
    CHECK(args.EvictionSegmentSet == 0b01u);
    CHECK(args.PreferredSegment.Value == 0b01u);
    CHECK(args.HintedBank.Value == 0u);
    CHECK(args.hAllocation == nullptr);
    CHECK(args.PhysicalAdapterIndex == 1u);
    CHECK((args.Flags.CpuVisible == 1u && args.Flags.Protected == 1u && args.Flags.AccessedPhysically == 1u));
    args.Flags.CpuVisible = args.Flags.Protected = args.Flags.AccessedPhysically = 0;
    CHECK(args.Flags.Value == 0u);
    CHECK(fill(context_wish(), args) == context_allocation_defect::none);
    CHECK(args.Flags.Value == 0u);

    wish = context_wish();
    wish.size = bytes{0};
    CHECK(defect_of(wish) == context_allocation_defect::size_out_of_range);
    wish = context_wish();
    wish.alignment = 3;
    CHECK(defect_of(wish) == context_allocation_defect::alignment_out_of_range);
    wish = context_wish();
    wish.supported_segments = 0;
    CHECK(defect_of(wish) == context_allocation_defect::no_segment);
}

TEST_CASE("PREF-06: the eviction set of a context allocation names apertures only, or nothing") {
    for (u32 eviction = 0; eviction != 16; ++eviction) {
        for (u32 apertures = 0; apertures != 16; ++apertures) {
            context_allocation_wish wish = context_wish();
            wish.eviction_segments = eviction;
            wish.aperture_segments = apertures;
            bool within = true;
            for (u32 segment = 0; segment != 4; ++segment) {
                within = within && ((eviction >> segment & 1) == 0 || (apertures >> segment & 1) != 0);
            }
            CHECK(defect_of(wish) ==
                  (within ? context_allocation_defect::none : context_allocation_defect::eviction_not_aperture));
        }
    }
}

TEST_CASE(
    "PREF-02, PREF-04: a context allocation prefers supported segments, in five slots, and no reserved bit is set") {
    using segment::prefer;
    context_allocation_wish wish = context_wish();
    wish.supported_segments = 0x8000'0002u;  // segments 2 and 32, of which no slot can name the latter
    for (u32 slot = 0; slot != 5; ++slot) {
        for (u32 id = 0; id != 32; ++id) {
            for (u32 const direction : {0u, 32u}) {
                CAPTURE(slot);
                CAPTURE(id);
                wish.preferred_segment = (id | direction) << (6 * slot);
                CHECK(defect_of(wish) == (id == 0 || id == 2 ? context_allocation_defect::none
                                                             : context_allocation_defect::preferred_not_supported));
            }
        }
    }
    wish.preferred_segment = segment::value_of(prefer(segment_id{2}, segment::from_end({2}), segment_id{2}));
    CHECK(defect_of(wish) == context_allocation_defect::none);
    wish.preferred_segment = segment::value_of(prefer(segment_id{2}, segment_id{0}, segment_id{1}));
    CHECK(defect_of(wish) == context_allocation_defect::preferred_not_supported);
    for (u32 const reserved : {0x4000'0000u, 0x8000'0000u}) {
        wish.preferred_segment = 2 | reserved;
        CHECK(defect_of(wish) == context_allocation_defect::preference_reserved);
    }
}

TEST_CASE("CTX-10 OP10-01: a CPU address at initialisation needs CpuVisible, Protected and aperture segments only") {
    for (u32 bits = 0; bits != 16; ++bits) {
        context_allocation_wish wish = context_wish();
        wish.cpu_visible = (bits & 1) != 0;
        wish.is_protected = (bits & 2) != 0;
        wish.supported_segments = (bits & 4) != 0 ? 0b01 : 0b11;
        wish.preferred_segment = 0b01;
        wish.wants_cpu_address = (bits & 8) != 0;
        bool const may = (bits & 7) == 7;
        CHECK(preemption::detail::may_have_cpu_address(wish) == may);
        CHECK(defect_of(wish) == (wish.wants_cpu_address && !may ? context_allocation_defect::not_for_the_cpu
                                                                 : context_allocation_defect::none));
        if (may) {
            wish.supported_segments = 0;
            CHECK(!preemption::detail::may_have_cpu_address(wish));
            wish.supported_segments = 0b01;
        }
    }
}

TEST_CASE("CTX-11: what is accessed physically is in a segment, and the flag exists from WDDM 2.0") {
    context_allocation_wish wish = context_wish();
    wish.accessed_physically = true;
    CHECK(defect_of(wish) == context_allocation_defect::none);
    CHECK(defect_of<win8::dxgkargcb_createcontextallocation>(wish) == context_allocation_defect::no_such_flag);
    wish.accessed_physically = false;
    wish.map_gpu_virtual_address = true;
    CHECK(defect_of<win8::dxgkargcb_createcontextallocation>(wish) == context_allocation_defect::no_such_flag);
}

TEST_CASE("CTX-14: a context allocation is released once, by the system's handle") {
    static_assert(!std::is_convertible_v<driver_allocation_handle, system_allocation_handle>);
    static_assert(!std::is_invocable_v<void (*)(system_allocation_handle), driver_allocation_handle>);
    context_allocation allocation;
    int calls = 0;
    auto const destroy = [&](system_allocation_handle released) {
        ++calls;
        CHECK(released == system_allocation_handle{handle(4)});
        CHECK(released.h != context_wish().driver.h);
        CHECK(!allocation.exists());
    };
    CHECK(!allocation.release(destroy));
    CHECK(calls == 0);
    allocation = created();
    CHECK(allocation.exists());
    CHECK(allocation.system() == system_allocation_handle{handle(4)});
    CHECK(allocation.release(destroy));
    CHECK(calls == 1);
    CHECK(!allocation.release(destroy));
    CHECK(calls == 1);
    allocation = created();
    CHECK(allocation.release(destroy));
    CHECK(calls == 2);
}

TEST_CASE("CTX-10 CTX-14: the same in constant evaluation") {
    constexpr bool filled = [] {
        context_allocation_wish wish{};
        v2_0::dxgkargcb_createcontextallocation args{};
        u32 something = 0;
        wish.owner = context_allocation_owner::device;
        wish.device = &something;
        wish.size = bytes{1};
        wish.alignment = 1;
        wish.supported_segments = 2;
        wish.cpu_visible = wish.is_protected = true;
        context_allocation_defect const defect = fill_context_allocation(args, wish);
        return defect == context_allocation_defect::none && args.Flags.Value == 0b1001u &&
               args.ContextAllocationFlags.Value == 1u;
    }();
    CHECK(filled);
    constexpr u32 releases = [] {
        context_allocation allocation;
        u32 something = 0;
        u32 calls = 0;
        allocation.created({&something});
        allocation.release([&](system_allocation_handle) { ++calls; });
        allocation.release([&](system_allocation_handle) { ++calls; });
        return calls;
    }();
    CHECK(releases == 1);
}

}  // namespace context_allocation_test

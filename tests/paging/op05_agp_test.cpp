// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <hardware/cpu.hpp>
#include <paging/guarded_mdl.hpp>
#include <wddmcore/paging.hpp>
#include <wddmcore/segment/table/mapped.hpp>

#include <doctest/doctest.h>

#include <array>

namespace op05_agp_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace cpu = wddmcore::examples::cpu;
using arguments = mirror::win8::dxgkarg_buildpagingbuffer;

namespace {

// An aperture, memory, and AGP last, as a driver of Windows Vista's day reports them.
constexpr auto reported = segment::table_of(
    segment_id{1}, segment::aperture{.id = segment_id{1}, .base = segment::at(0x7FFF'0000'0000), .size = 1 * mib},
    segment::memory{.id = segment_id{2}, .base = segment::at(0x80'0000'0000), .size = 1 * gib},
    segment::agp_aperture{.id = segment_id{3}});
constexpr u32 agp = 3;
constexpr u64 never_stored = 0xDEAD'BEEF'0000;

struct agp_driver : cpu::processor<cpu::physical_paging> {
    using mapped = segment::mapped_by<reported>;
    std::array<cpu::aperture_entry, 256> table{};
    u32 faults = 0;
    paging_fault last{};

    agp_driver() {
        table.fill({never_stored, 0});
        entries = table.data();
    }
    [[nodiscard]] static constexpr segment_place place(segment_id id) noexcept { return mapped::place(id); }
    [[nodiscard]] static constexpr bool is_aperture(segment_id id) noexcept { return mapped::is_aperture(id); }
    disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last = fault;
        return disposition::dropped;
    }
    [[nodiscard]] u64 stored() const {
        u64 count = 0;
        for (cpu::aperture_entry const& entry : table) {
            count += entry.page != never_stored;
        }
        return count;
    }
};

arguments map(u32 id, mirror::vista::mdl* pages) {
    arguments args{};
    args.Operation = 5;
    args.MapApertureSegment = {};
    args.MapApertureSegment.SegmentId = id;
    args.MapApertureSegment.OffsetInPages = 3;
    args.MapApertureSegment.NumberOfPages = 4;
    args.MapApertureSegment.pMdl = pages;
    return args;
}

arguments unmap(u32 id) {
    arguments args{};
    args.Operation = 6;
    args.UnmapApertureSegment = {};
    args.UnmapApertureSegment.SegmentId = id;
    args.UnmapApertureSegment.OffsetInPages = 3;
    args.UnmapApertureSegment.NumberOfPages = 4;
    args.UnmapApertureSegment.DummyPage.QuadPart = 0x5000;
    return args;
}

}  // namespace

TEST_CASE("OP05-06 SEG-12: AGP segments never produce operation 5; one that names such a segment stores no entry") {
    guarded_mdl storage(4);
    mirror::vista::mdl* const pages = storage.make({0x100, 0x101, 0x102, 0x103});
    agp_driver driver;
    // The table knows the segment, and yet it has no place and no entries of the driver's.
    CHECK(segment::find(reported.all(), segment_id{agp})->kind == segment::kind::agp_aperture);
    CHECK(driver.place(segment_id{agp}).size.n == 0);
    for (arguments args : {map(agp, pages), unmap(agp)}) {
        CAPTURE(args.Operation);
        driver.faults = 0;
        CHECK(build_paging_buffer(driver, args) == status::invalid_parameter);
        CHECK(driver.faults == 1);
        CHECK(driver.last.rule == paging_rule::unknown_segment);
        CHECK(driver.last.value == agp);
        CHECK(driver.stored() == 0);
        CHECK(args.MultipassOffset == 0);
    }
    // The driver's own aperture is as near as can be, and is mapped.
    arguments mine = map(1, pages);
    CHECK(build_paging_buffer(driver, mine) == status::success);
    CHECK(driver.stored() == 4);
}

}  // namespace op05_agp_test

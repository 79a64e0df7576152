// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/broken_rules.hpp>
#include <paging/requests.hpp>
#include <paging/shapes.hpp>

#include <wddmcore/paging.hpp>

namespace malformed_random_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 300'000 / slow_build_factor;

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

constexpr engine_shape ordinary = shapes::engine(shapes::everything, 8 * page_bytes, 64, shapes::ordered, 2);
constexpr engine_shape of_bytes() {
    engine_shape shape = shapes::engine(shapes::everything, 100, 4, shapes::safe, 3);
    shape.fill_pattern_bytes = 1;
    shape.aperture_commands = true;
    return shape;
}
constexpr engine_shape small_steps = of_bytes();
constexpr engine_shape of_short_reach() {
    engine_shape shape = ordinary;
    shape.aperture_commands = true;
    shape.caps.highest_visible_address = 0xFF'FFFF'FFFF;
    return shape;
}
constexpr engine_shape short_reach = of_short_reach();

// Numbers near every limit that there is.
u64 odd_number(seeded_numbers& random) {
    constexpr u64 near[] = {
        0, 1, 4096, 0x1'0000, u64{1} << 32, u64{1} << 44, u64{1} << 52, u64{1} << 62, u64{1} << 63, ~u64{0}};
    u64 const base = near[random.below(10)];
    switch (random.below(4)) {
        case 0: return base;
        case 1: return base - random.below(3 * page_bytes);
        case 2: return base + random.below(3 * page_bytes);
        default: return base + random.below(4) * page_bytes;
    }
}

u64 small_or_odd(seeded_numbers& random) {
    return random.one_in(3)   ? odd_number(random)
           : random.one_in(3) ? random.below(40) * 64
                              : random.below(10) * page_bytes;
}

// An address that may or may not lie in a segment.
u64 odd_address(seeded_numbers& random, segment_place const& place) {
    switch (random.below(8)) {
        case 0: return odd_number(random);
        case 1: return place.base.n - random.below(3) * 64;
        case 2: return place.base.n + place.size.n - random.below(12) * page_bytes;
        case 3: return place.base.n + place.size.n - random.below(300);
        case 4: return 0 - random.below(4) * page_bytes;
        default: return place.base.n + random.below(1000) * page_bytes + (random.one_in(5) ? random.below(100) : 0);
    }
}

class odd_requests {
public:
    odd_requests() : source_(64), destination_(64) {}

    // Any operation with arguments of any quality; what it breaks.
    template <class Hw>
    broken_rules make(seeded_numbers& random, Hw const& hw, arguments& args) {
        constexpr u32 codes[] = {0, 1, 5, 6, 7, 8, 9, 17};
        args.Operation = codes[random.below(8)];
        args.MultipassOffset = static_cast<u32>(random.one_in(4)    ? random.below(12)
                                                : random.one_in(20) ? odd_number(random)
                                                                    : 0);
        switch (args.Operation) {
            case 0: {
                auto& t = args.Transfer = {};
                transfer(random, hw, t);
                t.MdlOffset = static_cast<u32>(random.one_in(10) ? odd_number(random) : random.below(12));
                return broken_by_transfer(hw, args, t, t.MdlOffset);
            }
            case 7: {
                auto& t = args.SpecialLockTransfer = {};
                transfer(random, hw, t);
                return broken_by_transfer(hw, args, t, 0);
            }
            case 1: {
                auto& f = args.Fill = {};
                f.FillSize = static_cast<usize>(small_or_odd(random));
                f.FillPattern = static_cast<u32>(random.one_in(2) ? random.below(256) * 0x0101'0101 : random.next());
                f.Destination.SegmentId = any_segment(random);
                f.Destination.SegmentAddress.QuadPart =
                    static_cast<i64>(odd_address(random, hw.place(segment_id{f.Destination.SegmentId})));
                return broken_by_fill(hw, args);
            }
            case 8: {
                auto& t = args.TransferVirtual = {};
                t.TransferSizeInBytes = small_or_odd(random);
                t.SourceVirtualAddress = odd_number(random);
                t.DestinationVirtualAddress =
                    random.one_in(2) ? odd_number(random) : t.SourceVirtualAddress + random.below(200) * 64 - 6400;
                t.TransferSizeInBytes -= ends_with_space(t.SourceVirtualAddress, t.TransferSizeInBytes) ||
                                         ends_with_space(t.DestinationVirtualAddress, t.TransferSizeInBytes);
                return broken_by_virtual_transfer<Hw>(args);
            }
            case 9: {
                auto& f = args.FillVirtual = {};
                f.FillSizeInBytes = small_or_odd(random);
                f.FillPattern = static_cast<u32>(random.one_in(2) ? random.below(256) * 0x0101'0101 : random.next());
                f.DestinationVirtualAddress = odd_number(random);
                f.FillSizeInBytes -= ends_with_space(f.DestinationVirtualAddress, f.FillSizeInBytes);
                return broken_by_virtual_fill<Hw>(args);
            }
            case 5: {
                auto& m = args.MapApertureSegment = {};
                aperture(random, hw, m);
                m.pMdl = random.one_in(12) ? nullptr : source_.make(near_pages(random, random.below(20)));
                m.MdlOffset = static_cast<u32>(random.one_in(10) ? odd_number(random) : random.below(12));
                return broken_by_map(hw, args);
            }
            case 6: {
                auto& u = args.UnmapApertureSegment = {};
                aperture(random, hw, u);
                u.DummyPage.QuadPart = static_cast<i64>(random.next() >> (random.one_in(2) ? 1 : 25));
                return broken_by_unmap(hw, args);
            }
            default: {
                auto& m = args.MapApertureSegment2 = {};
                aperture(random, hw, m);
                m.AdlOffset = static_cast<u32>(random.one_in(10) ? odd_number(random) : random.below(12));
                m.Adl.PageCount = static_cast<u32>(random.below(20));
                m.Adl.Flags.Value = random.one_in(2);
                if (m.Adl.Flags.Contiguous) {
                    m.Adl.BasePageNumber =
                        static_cast<usize>(random.one_in(2) ? odd_number(random) : random.below(0x1000'0000));
                } else {
                    m.Adl.Pages = random.one_in(12) ? nullptr : source_.make_array(near_pages(random, m.Adl.PageCount));
                }
                return broken_by_map2(hw, args);
            }
        }
    }

private:
    // A range up to the last byte of the space has a test of its own.
    static bool ends_with_space(u64 va, u64 size) { return size != 0 && va + size == 0; }

    // Pages inside the shortest reach: those of a list are judged where they are walked, in tests of their own.
    static std::vector<u64> near_pages(seeded_numbers& random, u64 count) {
        std::vector<u64> list = distinct_pages(random, count, 0);
        for (u64& page : list) {
            page &= 0xFFF'FFFF;
        }
        return list;
    }

    static u32 any_segment(seeded_numbers& random) {
        constexpr u32 ids[] = {local_memory, aperture_segment, huge_memory, top_memory, small_aperture};
        return random.one_in(12) ? static_cast<u32>(odd_number(random)) : ids[random.below(5)];
    }

    template <class Hw, class Transfer>
    void transfer(seeded_numbers& random, Hw const& hw, Transfer& t) {
        t.TransferSize = static_cast<usize>(random.one_in(8) ? odd_number(random) : random.below(130) * 64 * 5);
        t.TransferOffset = static_cast<u32>(random.one_in(6) ? odd_number(random) : random.below(3) * page_bytes);
        auto const side = [&](auto& one, guarded_mdl& mdl, u64 mark) {
            if (random.one_in(2)) {
                one.SegmentId = 0;
                one.pMdl = random.one_in(12) ? nullptr : mdl.make(distinct_pages(random, random.below(24), mark));
            } else {
                do {
                    one.SegmentId = any_segment(random);
                } while (one.SegmentId == 0);
                one.SegmentAddress.QuadPart =
                    static_cast<i64>(odd_address(random, hw.place(segment_id{one.SegmentId})));
            }
        };
        side(t.Source, source_, 0);
        side(t.Destination, destination_, u64{1} << 45);
        if (t.Source.SegmentId != 0 && random.one_in(2)) {
            t.Destination.SegmentId = t.Source.SegmentId;
            t.Destination.SegmentAddress.QuadPart =
                static_cast<i64>(static_cast<u64>(t.Source.SegmentAddress.QuadPart) + random.below(300) * 64 - 6400);
        }
    }

    template <class Hw, class Request>
    void aperture(seeded_numbers& random, Hw const& hw, Request& request) {
        request.SegmentId = any_segment(random);
        u64 const most = hw.place(segment_id{request.SegmentId}).size.n / page_bytes;
        request.NumberOfPages = static_cast<usize>(random.one_in(10) ? odd_number(random) : random.below(12));
        request.OffsetInPages = static_cast<usize>(random.one_in(8)   ? odd_number(random)
                                                   : random.one_in(3) ? most - random.below(14)
                                                                      : random.below(14));
    }

    guarded_mdl source_;
    guarded_mdl destination_;
};

std::string names_of(broken_rules const& rules) {
    std::string names;
    for (paging_rule const rule : rules) {
        names += std::string(" ") + rule_id(rule) + "/" + std::to_string(static_cast<u32>(rule));
    }
    return names;
}

template <engine_shape const& Shape>
void expect_refusals() {
    u64 const seed = seed_of_run();
    recorder<Shape> hw = recorder_with_segments<Shape>();
    odd_requests requests;
    guarded_buffer memory(16 * 1024);
    std::vector<u8> untouched(memory.size());
    std::memcpy(untouched.data(), memory.data(), memory.size());
    auto const is_fresh = [&] { return std::memcmp(untouched.data(), memory.data(), memory.size()) == 0; };
    std::vector<u64> heard(32);
    u64 carried_out = 0;
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        arguments args{};
        // Windows of the buffer of any size, at any dword and sometimes between two.
        u64 const room =
            random.one_in(16) ? 0 : random.below(memory.size() + 1) / 4 * 4 + (random.one_in(8) ? random.below(4) : 0);
        u64 const kept = room > memory.size() ? memory.size() : room;
        std::byte* const at = memory.data() + (memory.size() - kept);
        args.pDmaBuffer = random.one_in(16) ? nullptr : at;
        args.DmaSize = static_cast<u32>(kept);
        broken_rules const broken = requests.make(random, hw, args);
        hw.faults = 0;
        hw.stored = 0;
        hw.answer = random.one_in(2) ? disposition::stop : disposition::dropped;
        // Work of astronomic size is legal, and would be carried out page by page for ever without a buffer.
        if (broken.empty() && (args.pDmaBuffer == nullptr || kept == 0 || !Shape.aperture_commands) &&
            args.Operation == 6 && args.UnmapApertureSegment.NumberOfPages > 4096) {
            continue;
        }
        arguments before;
        std::memcpy(&before, &args, sizeof args);
        ntstatus const status = build_paging_buffer(hw, args);
        std::string problem;
        if (broken.empty()) {
            ++carried_out;
            if (hw.faults != 0) {
                problem = std::string("a good request was refused: ") + names_of({hw.last_fault.rule});
            }
        } else if (hw.faults == 0 && broken == broken_rules{paging_rule::list_wraps} &&
                   status == status::graphics_insufficient_dma_buffer) {
            // The page that is too far belongs to a later pass.
        } else if (hw.faults != 1) {
            problem = "the hook was not called once; broken are" + names_of(broken);
        } else if (!broken.contains(hw.last_fault.rule)) {
            problem = "heard of" + names_of({hw.last_fault.rule}) + ", broken are" + names_of(broken);
        } else {
            ++heard[static_cast<u32>(hw.last_fault.rule)];
            bool const taken = hw.answer == disposition::dropped && harmless(hw.last_fault.rule);
            if (status != (taken ? status::success : status::invalid_parameter)) {
                problem = "law 5: the status is not the disposition's";
            } else if (static_cast<u32>(hw.last_fault.operation) != args.Operation) {
                problem = "the fault names another operation";
            } else if (std::memcmp(&before, &args, sizeof args) != 0) {
                problem = "something was committed";
            } else if (!is_fresh() && hw.last_fault.rule != paging_rule::list_wraps) {
                // The pages of a list are judged while they are written; what was not committed does not exist.
                problem = "the buffer was touched";
            } else if (hw.stored != 0) {
                problem = "entries were stored";
            }
        }
        if (!problem.empty()) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " operation " << args.Operation);
        }
        if (broken.empty() || !is_fresh()) {
            std::memcpy(memory.data(), untouched.data(), memory.size());
        }
    }
    CHECK(carried_out > cases / 50);
    // Every rule was heard of: nothing here tests nothing.
    for (u32 rule = 0; rule <= static_cast<u32>(paging_rule::nothing_to_map); ++rule) {
        auto const one = static_cast<paging_rule>(rule);
        bool const fits_shape =
            one != paging_rule::unknown_operation && one != paging_rule::operation_not_claimed &&
            one != paging_rule::no_private_data &&
            (one != paging_rule::overlap_below_page || Shape.copy_overlap == hw::overlap::by_direction) &&
            (one != paging_rule::pattern_not_fillable || Shape.fill_pattern_bytes == 1);
        CAPTURE(rule);
        CHECK((heard[rule] != 0) == fits_shape);
    }
}

}  // namespace

TEST_CASE("PGB-08 malformed requests: an ordinary engine") { expect_refusals<ordinary>(); }
TEST_CASE("PGB-08 malformed requests: an engine of small steps and one pattern byte") {
    expect_refusals<small_steps>();
}
TEST_CASE("PGB-08 ADL-06 malformed requests: an engine of short reach") { expect_refusals<short_reach>(); }

}  // namespace malformed_random_test

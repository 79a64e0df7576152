// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/model.hpp>
#include <paging/paging_system.hpp>
#include <paging/requests.hpp>
#include <paging/shapes.hpp>

namespace aperture_model_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 20'000 / slow_build_factor;

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

constexpr engine_shape with_commands(u32 grain) {
    engine_shape shape = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, grain);
    shape.aperture_commands = true;
    return shape;
}
constexpr engine_shape by_command = with_commands(1);
constexpr engine_shape by_command_in_threes = with_commands(3);
constexpr engine_shape by_command_in_fives = with_commands(5);
constexpr engine_shape at_once = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 2);

// What a request maps, in the order of pages; of an unmapped page the coherency says nothing (OP06-01).
std::vector<stored_entry> in_order(std::vector<stored_entry> entries, bool unmap) {
    std::sort(entries.begin(), entries.end(),
              [](stored_entry const& a, stored_entry const& b) { return a.index < b.index; });
    for (stored_entry& one : entries) {
        one.coherent = one.coherent && !unmap;
    }
    return entries;
}

class aperture_maker {
public:
    aperture_maker() : list_(most_pages_of_a_list) {}

    // Fills the arguments of operation 5, 6 or 17 and says what has to come of them.
    template <class Hw>
    std::vector<stored_entry> make(seeded_numbers& random, Hw const& hw, arguments& args) {
        u64 const count = random_pages(random, page_bytes);
        u64 const aperture_pages = hw.places[aperture_segment].size.n / page_bytes;
        u64 const first = random.one_in(6)   ? 0
                          : random.one_in(6) ? aperture_pages - count
                                             : random.below(aperture_pages - count + 1);
        u32 const offset = random.one_in(2) ? 0 : static_cast<u32>(random.below(40));
        switch (random.below(4)) {
            case 0: {
                args.Operation = static_cast<u32>(paging_operation::map_aperture_segment);
                auto& m = args.MapApertureSegment = {};
                common(random, m, first, count);
                m.pMdl = list_.make(distinct_pages(random, offset + count + random.below(3), 0));
                m.MdlOffset = offset;
                m.Flags.CacheCoherent = random.one_in(2);
                return map_effect(m);
            }
            case 1: {
                args.Operation = static_cast<u32>(paging_operation::unmap_aperture_segment);
                auto& u = args.UnmapApertureSegment = {};
                common(random, u, first, count);
                u.DummyPage.QuadPart = static_cast<i64>(random.below(u64{1} << 52) * page_bytes);
                return unmap_effect(u, false);
            }
            default: {
                args.Operation = static_cast<u32>(paging_operation::map_aperture_segment2);
                auto& m = args.MapApertureSegment2 = {};
                common(random, m, first, count);
                u64 const pages_of_list = offset + count + random.below(3);
                m.Adl.PageCount = static_cast<u32>(pages_of_list);
                m.Adl.Flags.Value = 0;
                if (random.one_in(2)) {
                    m.Adl.Flags.Contiguous = 1;
                    m.Adl.BasePageNumber =
                        static_cast<usize>(random.one_in(4) ? (u64{1} << 52) - pages_of_list
                                                            : random.below((u64{1} << 52) - pages_of_list));
                } else {
                    m.Adl.Pages = list_.make_array(distinct_pages(random, pages_of_list, 0));
                }
                m.AdlOffset = offset;
                m.Flags.CacheCoherent = random.one_in(2);
                m.CpuVisibleAddress =
                    random.one_in(2) ? nullptr : reinterpret_cast<void*>(usize{8});  // never touched (OP17-05)
                return map2_effect(m);
            }
        }
    }

private:
    template <class Request>
    void common(seeded_numbers& random, Request& request, u64 first, u64 count) {
        request.SegmentId = aperture_segment;
        request.OffsetInPages = static_cast<usize>(first);
        request.NumberOfPages = static_cast<usize>(count);
        request.hAllocation = random.one_in(2) ? nullptr : &marker_;
        request.hDevice = random.one_in(2) ? nullptr : &marker_;
    }

    guarded_mdl list_;
    u32 marker_ = 0;
};

template <engine_shape const& Shape>
void expect_as_modelled() {
    u64 const seed = seed_of_run();
    recorder<Shape> hw = recorder_with_segments<Shape>();
    std::vector<stored_entry> log(2 * most_pages_of_a_list);
    hw.stores = log.data();
    hw.store_capacity = log.size();
    paging_system os;
    aperture_maker maker;
    constexpr u64 smallest = smallest_paging_buffer<recorder<Shape>>.n;
    u64 mixed = 0;
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        arguments args{};
        std::vector<stored_entry> const expected = maker.make(random, hw, args);
        bool const unmap = args.Operation == static_cast<u32>(paging_operation::unmap_aperture_segment);
        hw.stored = 0;
        // Always without a buffer, always with one, or as it comes (OBS-02).
        u64 const buffers = random.below(3);
        pass_result const done = os.run(hw, args, [&] {
            return buffers == 0 || (buffers == 1 && random.one_in(3)) ? 0 : random_room(random, smallest);
        });
        std::vector<stored_entry> found = entries_of(done.commands);
        bool const only_entries = found.size() == done.commands.size();
        mixed += !found.empty() && hw.stored != 0;
        u64 const stored = hw.stored < log.size() ? hw.stored : log.size();
        found.insert(found.end(), log.begin(), log.begin() + static_cast<i64>(stored));
        std::string problem = done.problem;
        if (problem.empty()) {
            problem = done.status != status::success                         ? "not done"
                      : !only_entries                                        ? "other commands than aperture entries"
                      : !Shape.aperture_commands && done.written_dwords != 0 ? "commands of an engine that has none"
                      : buffers == 0 && done.written_dwords != 0             ? "PGB-11: commands without a buffer"
                      : in_order(found, unmap) != in_order(expected, unmap)  ? "the entries are not the model's"
                                                                             : "";
        }
        if (!problem.empty() || hw.faults != 0) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " rule "
                         << std::string(hw.faults != 0 ? rule_id(hw.last_fault.rule) : "none"));
        }
    }
    CHECK(hw.faults == 0);
    CHECK((mixed != 0) == Shape.aperture_commands);
}

}  // namespace

TEST_CASE("OP05-01 OP06-01 OP17-02 model: entries by command") { expect_as_modelled<by_command>(); }
TEST_CASE("OP05-01 OP06-01 OP17-02 model: entries by command, a grain of three") {
    expect_as_modelled<by_command_in_threes>();
}
TEST_CASE("OP05-01 OP06-01 OP17-02 model: entries by command, a grain of five") {
    expect_as_modelled<by_command_in_fives>();
}
TEST_CASE("OP05-01 OP06-01 OP17-02 PGB-11 model: entries stored at once") { expect_as_modelled<at_once>(); }

}  // namespace aperture_model_test

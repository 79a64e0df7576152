// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// One hardware type, several chips: each is judged by its own numbers, and one that is not what its object says is told.
#include "expect_broken.hpp"
#include "expect_lawful.hpp"
#include "virtual_rigs.hpp"

#include <hardware/amd_generations.hpp>

#include <memory>

namespace generations_test {

using namespace law_rigs;
namespace amd = examples::amd;

namespace {

// What the decoder takes at the most; of examples/three_generations.cpp, whose numbers are the vendor's definitions.
constexpr u64 most_bytes[] = {0x3F'FFE0, 0x40'0000, 0x10'0000};
law_options const few{.rounds = 15};
// Its driver claims neither fences nor what commands would tell of notices.
std::vector<law> const own_tables{law::entries_fit,   law::distinct_leaves, law::page_sizes_grow,
                                  law::leaf_or_table, law::distinct_values, law::tables_hold_entries};

/// A chip with memory for more than twice its largest copy.
template <class Hardware, unsigned Chip, unsigned Engine = Chip, unsigned Bytes = 9 << 20>
struct chip_rig : amd_table_rig<Hardware, Bytes> {
    chip_rig() {
        if (this->hw.recognise(amd::generations[Chip]) != no_number_broken) {
            throw std::logic_error("this chip is none of its type");
        }
        this->engine.take_at_most(most_bytes[Engine]);
    }
};

template <class Hardware, unsigned Chip>
void expect_lawful_chip() {
    INFO(std::string(amd::generations[Chip].name));
    expect_lawful<chip_rig<Hardware, Chip>>({always, in_process, own_tables, runs, told, largest}, few);
}

/// Never fills more than the third chip can.
struct fills_by_one_mib : amd::any_generation {
    static void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        any_generation::encode_fill(at, destination, lesser(size, mib), pattern);
    }
};

/// Never heard of more levels than the first chip has.
struct knows_three_levels : amd::any_generation {
    [[nodiscard]] page_table_entry encode_directory(u32 level, pte_target table, pte_target table_64k) const {
        return level < 3 ? any_generation::encode_directory(level, table, table_64k) : page_table_entry{0, 0};
    }
};

/// The mock's engine takes copies of 16 bytes, fills of 2, and repeats one byte.
struct chosen_mock : mock_gpu<mock::vista> {
    using address = mock_gpu<mock::vista>::address;
    bytes copy_units{16};
    bytes fill_units{4};
    bytes pattern_bytes{1};
    static constexpr chosen_within copy_alignment{bytes{4}, bytes{64}, &chosen_mock::copy_units};
    static constexpr chosen_within fill_alignment{bytes{4}, bytes{64}, &chosen_mock::fill_units};
    static constexpr chosen_within fill_pattern_bytes{bytes{1}, bytes{4}, &chosen_mock::pattern_bytes};
};

struct chosen_mock_rig : mock_gpu_rig<chosen_mock> {};
struct coarser_rig : chosen_mock_rig {
    coarser_rig() { hw.copy_units = hw.fill_units = {64}; }
};
struct finer_copies_rig : chosen_mock_rig {
    finer_copies_rig() { hw.copy_units = {4}; }
};
struct wider_patterns_rig : chosen_mock_rig {
    wider_patterns_rig() { hw.pattern_bytes = {4}; }
};

}  // namespace

TEST_CASE("laws: alignments and patterns are the object's; a chip that takes coarser ones does not keep them") {
    expect_lawful<chosen_mock_rig>({always, physical, largest}, few);
    expect_lawful<coarser_rig>({always, physical, largest}, few);
    expect_broken_memory<chosen_mock, finer_copies_rig>(law::commands_execute, "a transfer of ");
    expect_broken_words<chosen_mock, wider_patterns_rig>(law::distinct_patterns, "fills with ");
}

TEST_CASE("laws: every chip of a type that serves three generations") {
    expect_lawful_chip<amd::any_generation, 0>();
    expect_lawful_chip<amd::any_generation, 1>();
    expect_lawful_chip<amd::any_generation, 2>();
}

TEST_CASE("law largest_commands: a chip that takes less than its object says") {
    expect_broken_memory<amd::any_generation, chip_rig<amd::any_generation, 1, 2>>(law::largest_commands,
                                                                                   "a copy of 4194304 bytes");
}

TEST_CASE("law largest_commands: what memory is too small for is told, and not taken for kept") {
    auto const judged = [](auto rig) {
        law_report report;
        laws{rig->hw, few}.check(report, rig->play);
        return report;
    };
    CHECK(judged(std::make_unique<chip_rig<amd::any_generation, 2, 2, 4 << 20>>()).left_out().empty());
    law_report const report = judged(std::make_unique<chip_rig<amd::any_generation, 1, 1, 4 << 20>>());
    CHECK(report.kept());
    CHECK(report.times_exercised(law::largest_commands) == 0);
    REQUIRE(report.left_out().size() == 2);
    CHECK(report.left_out()[0].what == "the largest copy");
    CHECK(report.left_out()[1].what == "the largest fill");
    CHECK(report.verdict().find(
              "\nnot put to the test: largest_commands: the largest copy: it has 4194304 bytes; memory of ") !=
          std::string::npos);
}

TEST_CASE("law_report: a case that was put to the test anywhere is not left out") {
    law_report report;
    report.leave_out({law::largest_commands, "a copy", "too small"});
    report.leave_out({law::largest_commands, "a copy", "too small"});
    report.leave_out({law::largest_commands, "a fill", "too small"});
    CHECK(report.left_out().size() == 2);
    report.exercise_case(law::largest_commands, "a copy");
    report.leave_out({law::largest_commands, "a copy", "too small"});
    REQUIRE(report.left_out().size() == 1);
    CHECK(report.left_out().front() == law_left_out{law::largest_commands, "a fill", "too small"});
    report.leave_out({law::fills_arrive, "a copy", "another law"});
    CHECK(report.left_out().size() == 2);
}

TEST_CASE("law distinct_sizes: an encoder with another chip's largest fill is right for that chip alone") {
    expect_lawful<chip_rig<fills_by_one_mib, 2>>({largest}, few);
    expect_broken_words<fills_by_one_mib, chip_rig<fills_by_one_mib, 1>>(law::distinct_sizes,
                                                                         "fills of 1048576 and of ");
}

TEST_CASE("law leaf_or_table: an encoder with another chip's levels is right for that chip alone") {
    expect_lawful<chip_rig<knows_three_levels, 0>>({own_tables}, few);
    expect_broken_words<knows_three_levels, chip_rig<knows_three_levels, 1>>(law::leaf_or_table, "level 3");
}

TEST_CASE("law declared_numbers: of an object with other numbers nothing else is judged") {
    amd_table_rig<amd::any_generation> rig;
    law_report report;
    SUBCASE("nobody has written them") {
        laws{rig.hw}.check(report, rig.play);
        expect_law(report, law::declared_numbers, "`copy_max`, in bytes, lies outside of its declared range");
    }
    SUBCASE("too large a copy") {
        static_cast<void>(rig.hw.recognise({"newer", 8 * mib, 4, 1}));
        laws{rig.hw}.check(report, rig.play);
        expect_law(report, law::declared_numbers, ": 8388608, not 1048576 to 4194304");
    }
    SUBCASE("no page tables of that number") {
        static_cast<void>(rig.hw.recognise({"newer", mib, 4, 2}));
        laws{rig.hw}.check(report, rig.play);
        expect_law(report, law::declared_numbers, "`page_tables` has no geometry");
    }
    CHECK(report.times_exercised(law::honest_sizes) == 0);
    CHECK(report.times_exercised(law::known_segments) == 0);
    CHECK(report.times_exercised(law::legal_statuses) == 0);
}

}  // namespace generations_test

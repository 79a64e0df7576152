// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Hardware types whose commands do something else than they should, found by what becomes of memory.
#include "expect_broken.hpp"

#include <array>

namespace broken_commands_test {

using namespace law_rigs;

namespace {

using whole = mock_gpu<mock::bare>;
using in_process = mock_gpu<mock::adl_virtual>;
using small_in_process = mock_small_copies<mock::adl_virtual>;

struct wrong_check_word : in_process {
    static void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        in_process::encode_fill(at, destination, size, pattern);
        at[6] = ~at[6];
    }
};

struct padded_with_zeros : in_process {
    static void encode_padding(u32* at, dwords n) {
        for (u32 i = 0; i != n.n; ++i) {
            at[i] = 0;
        }
    }
};

// Whole pages hide it: the library asks for 8192 bytes at the most.
struct claims_more_than_it_takes : in_process {
    static constexpr bytes copy_max{12'000};
};

struct swaps_the_sides : in_process {
    static void encode_copy(u32* at, address destination, address source, bytes size) {
        in_process::encode_copy(at, source, destination, size);
    }
};

struct reversed_pattern : small_in_process {
    static void encode_fill(u32* at, address destination, bytes size, u32 pattern) {
        small_in_process::encode_fill(
            at, destination, size, pattern << 24 | (pattern & 0xFF00) << 8 | (pattern >> 8 & 0xFF00) | pattern >> 24);
    }
};

struct rounds_up : in_process {
    static void encode_copy(u32* at, address destination, address source, bytes size) {
        in_process::encode_copy(at, destination, source, bytes{round_up(size.n, u64{64}).value});
    }
};

struct copies_twice : in_process {
    static constexpr dwords copy_dwords{22};
    static void encode_copy(u32* at, address destination, address source, bytes size) {
        in_process::encode_copy(at, destination, source, size);
        in_process::encode_copy(at + 11, destination, source, size);
    }
};

struct wrong_way_back : whole {
    template <class Hw>
    static void encode_swizzled_copy(u32* at, hw::swizzled_copy<Hw> copy) {
        copy.range_data += copy.direction == hw::swizzle::to_linear;
        whole::encode_swizzled_copy(at, copy);
    }
};

struct writes_around : whole {
    static void encode_write(u32* at, address place) {
        place.value &= ~u64{7};
        whole::encode_write(at, place);
    }
};

struct stores_next_door : in_process {
    void store_aperture_entry(segment_id id, u64 index, page_number page, bool coherent) const {
        in_process::store_aperture_entry(id, index ^ 1, page, coherent);
    }
};

struct stores_incoherently : in_process {
    void store_aperture_entry(segment_id id, u64 index, page_number page, bool) const {
        in_process::store_aperture_entry(id, index, page, false);
    }
};

/// The small mock's engine, except that copies go byte by byte from the lowest address up.
class ascending_engine final : public engine {
public:
    ascending_engine(mock_map map, std::vector<mock_aperture> apertures) : right_(map, apertures) {}

    std::optional<u64> page_of(u32 segment, u64 index) const { return right_.page_of(segment, index); }
    std::optional<bool> coherent_of(u32 segment, u64 index) const { return right_.coherent_of(segment, index); }

    execution execute(u32 const* commands, std::size_t dwords, gpu_bus& bus) override {
        std::vector<u32> words(commands, commands + dwords);
        execution total;
        for (std::size_t at = 0; at < dwords; at += words[at] >> 26) {
            u32 const length = words[at] >> 26;
            if ((words[at] >> 20 & 0x3F) != 0x21) {
                // One command alone, padded to grains: everything else is done right.
                std::vector<u32> one(words.begin() + static_cast<std::ptrdiff_t>(at),
                                     words.begin() + static_cast<std::ptrdiff_t>(at + length));
                u32 const fill = (5 - length % 5) % 5;
                if ((words[at] >> 20 & 0x3F) == 0x3F) {
                    continue;
                }
                for (u32 i = 0; i != fill; ++i) {
                    one.push_back(i == 0 ? fill << 26 | 0x3F0'0000 : ~(fill << 26 | 0x3F0'0000));
                }
                execution const done = right_.execute(one.data(), one.size(), bus);
                total.ok &= done.ok;
                total.why += done.why;
                total.moved_bytes += done.moved_bytes;
            } else {
                u32 const size = words[at] & 0xF'FFFF;
                u64 const from = virtual_base + (u64{words[at + 2]} << 32 | words[at + 1]);
                u64 const to = virtual_base + (u64{words[at + 5]} << 32 | words[at + 4]);
                for (u32 i = 0; i != size; ++i) {
                    std::byte b{};
                    total.ok = total.ok && bus.read(from + i, &b, 1) && bus.write(to + i, &b, 1);
                }
                total.moved_bytes += size;
            }
            ++total.commands;
        }
        return total;
    }

private:
    static constexpr u64 virtual_base = mock_small_rig<small_in_process>::va_bus - 0x4000'0000;
    mock_small_engine right_;
};

}  // namespace

TEST_CASE("law commands_execute: a check word that is wrong") {
    expect_broken_memory<wrong_check_word>(law::commands_execute, "fill ends with");
}

TEST_CASE("law padding_executes: padding that is no padding") {
    expect_broken_memory<padded_with_zeros>(law::padding_executes, "0x0 begins no command");
}

TEST_CASE("law largest_commands: a limit that the engine does not have (OP08-06)") {
    expect_broken_memory<claims_more_than_it_takes>(law::largest_commands, "copy takes 1 to 10000 bytes, not 12000");
}

TEST_CASE("law copies_arrive: source and destination swapped") {
    expect_broken_memory<swaps_the_sides>(law::copies_arrive, "the paging process");
}

TEST_CASE("law overlap_as_promised: safe by the promise, ascending by the engine (OP08-07)") {
    expect_broken_memory<small_in_process, mock_rig<small_in_process, ascending_engine, mock_segment_base>>(
        law::overlap_as_promised, "the paging process");
}

TEST_CASE("law fills_arrive: a pattern of the other byte order (AMB-09)") {
    expect_broken_memory<reversed_pattern, mock_small_rig<reversed_pattern>>(law::fills_arrive, "the paging process");
}

TEST_CASE("law nothing_else_changes: a copy that rounds up") {
    expect_broken_memory<rounds_up>(law::nothing_else_changes, "the paging process");
}

TEST_CASE("law sums_equal_the_request: every copy made twice") {
    expect_broken_memory<copies_twice>(law::sums_equal_the_request, "the commands move");
}

TEST_CASE("law layouts_return: a way back that is not the way there (OP00-08)") {
    expect_broken_memory<wrong_way_back>(law::layouts_return, "and back");
}

TEST_CASE("law access_in_place: a write that takes its neighbours along (OP04-01)") {
    expect_broken_memory<writes_around>(law::access_in_place, "a physical write of segment 2");
}

TEST_CASE("law entries_arrive: the wrong entry, or not coherent (OP05-01, OP05-03)") {
    expect_broken_memory<stores_next_door>(law::entries_arrive, "at once");
    expect_broken_memory<stores_incoherently>(law::entries_arrive, "coherent (OP05-03)");
}

TEST_CASE("laws: an engine that refuses everything is told as that; entries that never came are not") {
    struct refuses_all final : engine {
        execution execute(std::uint32_t const*, std::size_t, gpu_bus&) override {
            return {.ok = false, .dword = 0, .why = "not today"};
        }
    };
    mock_gpu_rig<mock_gpu<mock::everything>> rig;
    refuses_all stubborn;
    rig.play.executor = &stubborn;
    law_report report;
    laws{rig.hw, options_of_run()}.check(report, rig.play);
    expect_law(report, law::commands_execute, "not today");
    CHECK(report.times_broken(law::entries_arrive) == 0);
    CHECK(report.times_broken(law::copies_arrive) == 0);
}

TEST_CASE("laws: a page that no request can name is a mistake of the playground, and told as that") {
    mock_gpu_rig<mock_gpu<mock::everything>> rig;
    rig.play.system_pages.back().number.n = (mock::reach >> 12) + 1;
    law_report report;
    laws{rig.hw, options_of_run()}.check(report, rig.play);
    REQUIRE(report.left_out().size() == 1);
    CHECK(report.left_out().front().why.find("lies above `highest_visible_address`") != std::string::npos);
    CHECK(report.kept());
}

}  // namespace broken_commands_test

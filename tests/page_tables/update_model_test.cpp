// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../slow_build.hpp"
#include "table_requests.hpp"

#include <cstdlib>

namespace update_model_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

constexpr u64 rounds = emulated ? 75 : slow_build ? 300 : 3000;

u64 seed_of_run() {
    char const* const given = std::getenv("WDDMCORE_SEED");
    return given == nullptr ? 0x5EED : std::strtoull(given, nullptr, 0);
}

template <class Gpu>
std::string bytes_differ(table_memory const& is, table_memory const& should) {
    for (u64 i = 0; i != should.content.size(); ++i) {
        if (is.content[i] != should.content[i]) {
            return "byte " + std::to_string(i) + " of the table";
        }
    }
    return {};
}

/// Random requests by command and by the CPU, buffers from the smallest up.
template <class Gpu>
void expect_as_modelled(Gpu gpu) {
    u64 const seed = seed_of_run();
    for (u64 round = 0; round != rounds; ++round) {
        random_numbers random{seed + round * 0x1'0000'0001};
        model_request const request = random_request<Gpu>(random);
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        u64 const size = size_of_table<Gpu>(request.level, request.of_64k);
        u32 const mode = static_cast<u32>(random.below(3));
        std::string problem;
        table_memory should{};
        table_memory is{};
        if (mode == 0) {
            testing::guarded_buffer table(static_cast<std::size_t>(size), {.seed = 3});
            is = table_memory{0, 0, {}};
            for (u64 i = 0; i != size; ++i) {
                is.content.push_back(std::to_integer<unsigned char>(table.data()[i]));
            }
            should = is;
            args.UpdatePageTable.UpdateMode = 0;
            args.UpdatePageTable.PageTableAddress.CpuVirtual = table.data();
            // OP11-04: there may be no buffer, and the operation is complete on return all the same.
            u32 word = 0;
            args.pDmaBuffer = random.one_in(2) ? nullptr : &word;
            args.DmaSize = args.pDmaBuffer == nullptr ? 0 : 4;
            if (build(gpu, args) != status::success || args.MultipassOffset != request.count || word != 0) {
                problem = "OP11-04: not complete on return";
            }
            std::memcpy(is.content.data(), table.data(), static_cast<std::size_t>(size));
            problem = table.intact() ? problem : "the CPU stored outside the table";
        } else {
            u32 const segment = random.one_in(3) ? 0 : 1;
            is = place_table(args, mode, segment, 0x1234'0000 + random.below(16) * 4096, size);
            should = is;
            u64 const smallest = smallest_room<Gpu>();
            u64 const style = random.below(3);
            run_result const done = run(gpu, args, is, [&] {
                return style == 0 ? 0x1'0000 : smallest + (style == 1 ? 0 : random.below(400) * 4);
            });
            problem = done.status == status::success ? done.problem : done.problem + " and no success";
            if (problem.empty() && args.MultipassOffset != request.count) {
                problem = "OP11-12: the token does not end at the count of entries";
            }
        }
        apply<Gpu>(request, should.content.data());
        problem = problem.empty() ? bytes_differ<Gpu>(is, should) : problem;
        if (!problem.empty() || gpu.faults != 0) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " level " << request.level << " of_64k "
                         << request.of_64k << " start " << request.start << " count " << request.count << " repeat "
                         << request.repeat << " mode " << mode << " rule "
                         << (gpu.faults != 0 ? static_cast<u32>(gpu.last_fault.rule) : 0));
        }
    }
    CHECK(gpu.faults == 0);
}

attribute_table by_key{};

template <class Gpu>
Gpu with_table() {
    Gpu gpu = with_segments<Gpu>();
    paging::fill_attribute_table(gpu, 0, by_key);
    gpu.table = &by_key;
    return gpu;
}

}  // namespace

TEST_CASE("OP11-01 OP11-02 OP11-03 OP11-12 GVA-18 model: entries of 8 bytes, inline") {
    expect_as_modelled(with_segments<plain_gpu>());
}
TEST_CASE("OP11-01 OP11-12 GVA-20 GVA-22 model: the same with a table of attributes") {
    expect_as_modelled(with_table<table_gpu>());
}
TEST_CASE("OP11-01 OP11-02 OP11-12 model: a fill whose length depends on where the table lies") {
    expect_as_modelled(with_segments<split_fill_gpu>());
}
TEST_CASE("OP11-01 OP11-02 OP11-12 model: a generator and a fill engine") {
    expect_as_modelled(with_table<generator_gpu>());
}
TEST_CASE("OP11-01 OP11-02 OP11-12 model: odd limits, a tail behind every write") {
    expect_as_modelled(with_segments<odd_gpu>());
}
TEST_CASE("OP11-06 GVA-12 GVA-21 model: dual tables, directory entries of 16 bytes, linked adapters") {
    expect_as_modelled(with_segments<dual_gpu>());
}
TEST_CASE("GVA-11 AMB-22 model: entries of 4 bytes, leaf tables of either size, a root that grows") {
    expect_as_modelled(with_segments<narrow_gpu>());
}
TEST_CASE("OP11-05 OP11-11 model: pages of 16 KiB, five levels, entries of 16 bytes") {
    expect_as_modelled(with_segments<odd_page_gpu>());
}

}  // namespace update_model_test

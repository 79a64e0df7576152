// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Your own GPU: the type in own_hardware/my_gpu.hpp is all that DxgkDdiBuildPagingBuffer needs. Here it is tested
// twice: the laws check that the type does what it promises, and the simulated system checks that a driver made from it
// keeps the DDI's rules.

#include "own_hardware/my_gpu.hpp"

#include "paging_round_trip/adapter.hpp"

#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <cstdio>
#include <vector>

using namespace wddmcore;
using namespace wddmcore::examples;

/// The GPU itself, for both tests: it reads commands and changes memory.
struct my_engine final : testing::engine {
    testing::execution execute(std::uint32_t const* at, std::size_t count, testing::gpu_bus& bus) override {
        testing::execution done;
        for (auto const* const end = at + count; at != end && done.ok; at += 8, ++done.commands) {
            std::vector<std::uint32_t> data(at[6] / 4, at[1]);
            done.ok = at[0] == 2 || bus.read(at[4] | std::uint64_t{at[5]} << 32, data.data(), at[6]);
            done.ok = done.ok && bus.write(at[2] | std::uint64_t{at[3]} << 32, data.data(), at[6]);
            done.moved_bytes += at[6];
        }
        return done;
    }
};

constexpr u64 first_page = 0x12'3000;  // system pages for the laws to play with
constexpr u64 page_count = 40;

int main() {
    my_gpu gpu;
    my_engine engine;
    testing::gpu_memory memory;
    using testing::gpu_memory_error;
    bool there = memory.add_linear(video_memory, segment_size.n) == gpu_memory_error::none &&
                 memory.add_page_window(system_memory, first_page, page_count, page_count) == gpu_memory_error::none;
    testing::law_memory playground{&engine, &memory, {{1}, {0}, segment_size, video_memory}};
    for (u64 page = first_page; page != first_page + page_count; ++page) {
        there = memory.add_page(page) == gpu_memory_error::none && there;
        playground.system_pages.push_back({page_number{page}, my_gpu::from_page(page_number{page}).n});
    }
    testing::law_report laws;
    testing::laws{gpu}.check(laws, playground);
    std::printf("the type means what it says: %s", laws.kept() ? "yes\n" : laws.text().c_str());

    namespace ddi = mirror::v2_0;
    using driver = paging_driver<my_gpu, ddi::dxgkarg_buildpagingbuffer, ddi::dxgkarg_patch, ddi::dxgkarg_submitcommand,
                                 ddi::dxgkarg_submitcommandvirtual>;
    testing::vidmm_options options;
    options.segments = {{.id = 1, .base = video_memory, .size = segment_size.n}};
    options.system_base = system_memory;
    options.alternate_addresses = false;  // operation 7 was not claimed
    options.smallest_paging_buffer = smallest_paging_buffer<my_gpu>.n;
    testing::vidmm windows(driver::table(gpu), options, &engine);
    windows.run(1, 300);
    windows.finish();
    auto const& report = windows.report();
    std::printf("a driver of it keeps the rules: %s", report.passed() ? "yes" : report.text().c_str());
    std::printf(", in %llu transfers\n", report.of(paging_operation::transfer).requests + 0ull);
    return there && laws.kept() && report.passed() ? 0 : 1;
}

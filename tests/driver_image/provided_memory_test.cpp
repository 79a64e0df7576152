// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#include <wddmcore/testing/certify/image/segment_memory.hpp>

#if defined(__x86_64__) && defined(__linux__)

// Memory behind segments that the driver or the device provides.
namespace {

using namespace wddmcore::testing;
using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::ended;
using driver_image_tests::machine;

constexpr std::uint32_t visible = vidmm_segment_flag::cpu_visible;
constexpr std::uint32_t populated = vidmm_segment_flag::populated_from_system_memory;

/// One segment that a driver reports, and what came of it.
struct reported {
    vidmm_options options;
    certify_parts::segment_memory memory;
    bool all = false;
    reported(std::uint32_t flags, std::uint64_t base, std::uint64_t cpu_address, std::uint64_t size) {
        vidmm_reported_adapter adapter;
        vidmm_reported_segment s;
        s.id = 1;
        s.flags = flags;
        s.base = base;
        s.cpu_address = cpu_address;
        s.size = size;
        adapter.segments.push_back(s);
        options.segments = {{1, base, size}};
        all = memory.provide(options, adapter);
        memory_services::release_all();
    }
    [[nodiscard]] std::string rule() const { return memory.report().first_rule(); }
};

TEST_CASE("SEG-14, SEG-19: a segment lies in one piece of memory that the driver has allocated") {
    machine m;
    void* const own = pool_services::contiguous(64 << 10, ~0ULL);
    std::uint64_t const at = memory_services::physical_address(own);
    reported const sound(visible | populated, 0x1000'0000, at, 64 << 10);
    CHECK(sound.all);
    CHECK(sound.rule().empty());
    CHECK(sound.options.segments[0].memory == own);
    // A part of it, and without CpuVisible by the base.
    reported const part(populated, at + 4096, 0, 60 << 10);
    CHECK(part.all);
    CHECK(part.options.segments[0].memory == static_cast<std::byte*>(own) + 4096);
    reported const large(visible | populated, 0, at, 128 << 10);
    CHECK(large.rule() == "SEG-14");
    CHECK(large.options.segments[0].size == 64 << 10);
    CHECK(reported(populated, at, 0, 128 << 10).rule() == "SEG-19");
    CHECK(reported(visible | populated, 0, 0xC000'0000, 4096).rule() == "SEG-19");
    // Of neither kind, or in pool that need not be in one piece: the simulator's own memory.
    CHECK_FALSE(reported(0, at, 0, 4096).all);
    void* const pool_block = pool_services::with_tag(512, 8192, 1);
    CHECK(reported(visible | populated, 0, memory_services::physical_address(pool_block), 4096).rule() == "SEG-19");
    pool_services::free_with_tag(pool_block, 1);
    pool_services::free_contiguous(own);
    CHECK_FALSE(reported(visible, 0, at, 4096).all);
    CHECK(m.record->findings.all().empty());
}

TEST_CASE("SEG-14, SEG-19: memory of the device is what the CPU finds there, and no memory of the driver's") {
    machine m;
    alignas(4096) static std::array<std::byte, 8192> memory{};
    auto& ranges = memory_services::physical_memory::current().ranges;
    ranges.push_back({0xD000'0000, memory.size(), memory.data(), false});
    ranges.push_back({0xE000'0000, 4096, nullptr, true});
    reported const sound(visible, 0, 0xD000'0000, 8192);
    CHECK(sound.all);
    CHECK(sound.options.segments[0].memory == memory.data());
    CHECK(reported(visible, 0, 0xD000'1000, 8192).rule() == "SEG-14");
    CHECK(reported(visible | populated, 0, 0xD000'0000, 8192).rule() == "SEG-19");
    CHECK_FALSE(reported(visible, 0, 0xE000'0000, 4096).all);  // registers
    ranges.clear();
}

TEST_CASE("memory that the system uses is not given back") {
    CHECK(ended([](kernel_system&) {
              void* const own = pool_services::contiguous(8192, ~0ULL);
              memory_services::hold(*memory_services::provided_at(memory_services::physical_address(own)),
                                    "the memory of segment 1");
              pool_services::free_contiguous(own);
          }) == "0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION: MmFreeContiguousMemory frees a block of 8192 bytes of "
                "contiguous memory with the memory of segment 1 in it, which is in use");
    CHECK(ended([](kernel_system&) {
              void* const own = pool_services::contiguous(8192, ~0ULL);
              memory_services::hold(*memory_services::provided_at(memory_services::physical_address(own)),
                                    "the memory of segment 1");
              memory_services::release_all();
              pool_services::free_contiguous(own);
          }) == "exit 0");
}

}  // namespace

#endif

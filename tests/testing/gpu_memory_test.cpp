// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/gpu_memory/view.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

using namespace wddmcore::testing;
using enum gpu_memory_error;

namespace {

std::uint64_t word_at(gpu_bus& bus, std::uint64_t address) {
    std::uint64_t word = 0;
    REQUIRE(bus.read(address, &word, sizeof word));
    return word;
}

}  // namespace

TEST_CASE("DESIGN 8: video memory is zero, readable and writable to the byte, and nothing beside it") {
    gpu_memory memory;
    REQUIRE(memory.add_linear(0x1'0000'0007, 10'000) == none);
    CHECK(word_at(memory, 0x1'0000'0007) == 0);
    char const text[] = "video memory";
    CHECK(memory.write(0x1'0000'0007 + 10'000 - sizeof text, text, sizeof text));
    char back[sizeof text] = {};
    CHECK(memory.read(0x1'0000'0007 + 10'000 - sizeof text, back, sizeof back));
    CHECK(std::memcmp(text, back, sizeof text) == 0);
    CHECK_FALSE(memory.write(0x1'0000'0008 + 10'000 - sizeof text, text, sizeof text));
    CHECK_FALSE(memory.read(0x1'0000'0006, back, 2));
    CHECK(memory.at(0x1'0000'0006, 1).data == nullptr);
    CHECK(memory.at(0x1'0000'0006, 1).size == 0);
    CHECK(memory.at(0x1'0000'0007, 1 << 20).size == 10'000);
    CHECK(memory.at(0x1'0000'0007, 0).data == nullptr);
    CHECK(memory.at(0x1'0000'0007, 0).size == 0);
    CHECK(memory.at(0x1'0000'0007 + 9'999, 50).size == 1);
    CHECK(memory.read(0, back, 0));
}

TEST_CASE("DESIGN 8: an access that is not wholly backed changes nothing") {
    gpu_memory memory;
    REQUIRE(memory.add_linear(0, 4096) == none);
    REQUIRE(memory.add_linear(4096, 4096) == none);
    REQUIRE(memory.add_linear(3 * 4096, 4096) == none);
    std::vector<std::byte> ones(8192, std::byte{1});
    CHECK_FALSE(memory.write(8192 - 100, ones.data(), 101));
    CHECK(word_at(memory, 8192 - 100) == 0);
    CHECK(memory.write(4096 - 50, ones.data(), 100));  // two regions, but no hole
    CHECK(word_at(memory, 4096 - 4) == 0x0101'0101'0101'0101);
    CHECK(word_at(memory, 4096 + 46) == 0x0101'0101);
    CHECK(word_at(memory, 4096 - 54) == 0x0101'0101'0000'0000);
    std::vector<std::byte> counted(200);
    for (std::size_t i = 0; i < counted.size(); ++i) {
        counted[i] = static_cast<std::byte>(i);
    }
    CHECK(memory.write(4000, counted.data(), counted.size()));
    std::vector<std::byte> back(202, std::byte{0xFF});
    CHECK(memory.read(4000, back.data() + 1, 200));
    CHECK(std::equal(counted.begin(), counted.end(), back.begin() + 1));
    CHECK(back.front() == std::byte{0xFF});
    CHECK(back.back() == std::byte{0xFF});
    CHECK(memory.at(4096 - 50, 100).size == 50);
    CHECK_FALSE(memory.write(0, ones.data(), ~std::size_t{0}));
    CHECK_FALSE(memory.read(~std::uint64_t{0}, ones.data(), 2));
}

TEST_CASE("DESIGN 8: regions that touch each other are refused, each for its reason") {
    gpu_memory memory;
    CHECK(memory.add_page(5) == no_window);
    CHECK(memory.remove_page(5) == no_window);
    CHECK(memory.ram() == nullptr);
    CHECK(memory.cpu(5) == nullptr);
    CHECK(memory.add_linear(0x1000, 0) == empty);
    CHECK(memory.add_linear(~std::uint64_t{0}, 2) == wraps);
    CHECK(memory.add_linear(~std::uint64_t{0}, 1) == none);
    CHECK(memory.at(~std::uint64_t{0}, 100).size == 1);
    REQUIRE(memory.add_linear(0x10'0000, 0x10'0000) == none);
    CHECK(memory.add_linear(0x10'0000, 1) == overlap);
    CHECK(memory.add_linear(0x1F'FFFF, 1) == overlap);
    CHECK(memory.add_linear(0xF'FFFF, 2) == overlap);
    CHECK(memory.add_linear(0, 0x1000'0000) == overlap);
    CHECK(memory.add_linear(0xF'F000, 0x1000) == none);
    CHECK(memory.at(0xF'F000, 0x2000).size == 0x1000);
    CHECK(memory.add_page_window(1, 0, 16, 16) == unaligned);
    CHECK(memory.add_page_window(0, 0, 0, 16) == empty);
    CHECK(memory.add_page_window(0, 0, 257, 16) == overlap);
    CHECK(memory.add_page_window(0x1000, std::uint64_t{1} << 53, 1, 1) == wraps);
    CHECK(memory.add_page_window(0xFFFF'FFFF'FFFF'F000, 1, 1, 1) == wraps);
    REQUIRE(memory.add_page_window(0x8000'0000'0000, 0x1'0000, 16, 4) == none);
    CHECK(memory.add_page_window(0, 0, 16, 16) == window_exists);
    CHECK(memory.add_linear(0x8000'1000'0000, 1) == overlap);
    CHECK(memory.add_linear(0x8000'1001'0000, 1) == none);
    CHECK(memory.map(0x10'0000, 0x1000, 0) == overlap);
    CHECK(memory.map(0x8000'1000'F000, 0x1000, 0) == overlap);
    CHECK(memory.map(0xF'E000, 0x1000, 0x10'0000) == none);
    CHECK(memory.at(0xF'E000, 1).data == memory.at(0x10'0000, 1).data);
    CHECK(memory.map(0x4000'0000, 0x2000, 0x10'0000) == none);
    CHECK(memory.add_linear(0x4000'1FFF, 1) == overlap);
    CHECK(memory.add_linear(0x4000'2000, 1) == none);
}

TEST_CASE("DESIGN 8: a page of RAM is there from add_page to remove_page, with any number") {
    gpu_memory memory;
    std::uint64_t const base = 0x100'0000'0000;
    std::uint64_t const first = 0x3'1415'9000;  // an improbable number, so that it is recognised anywhere
    REQUIRE(memory.add_page_window(base, first, 1 << 20, 3) == none);
    std::uint64_t const page = base + (first + 77) * 4096;
    CHECK(memory.at(page, 4096).data == nullptr);
    CHECK(memory.at(page, 4096).size == 0);
    CHECK(memory.add_page(first - 1) == outside);
    CHECK(memory.add_page(first + (1 << 20)) == outside);
    REQUIRE(memory.add_page(first + 77) == none);
    CHECK(memory.add_page(first + 77) == exists);
    std::uint64_t const value = 0x1122'3344'5566'7788;
    CHECK(memory.write(page + 8, &value, 8));
    REQUIRE(memory.cpu(first + 77) != nullptr);
    CHECK(std::memcmp(memory.cpu(first + 77) + 8, &value, 8) == 0);
    CHECK(memory.at(page + 8, 1 << 20).size == 4096 - 8);
    CHECK(memory.remove_page(first + 78) == unknown);
    CHECK(memory.remove_page(first + 77) == none);
    CHECK_FALSE(memory.write(page + 8, &value, 8));
    CHECK(memory.cpu(first + 77) == nullptr);
    for (std::uint64_t i = 0; i < 3; ++i) {
        REQUIRE(memory.add_page(first + i) == none);
        CHECK(word_at(memory, base + (first + i) * 4096 + 8) == 0);
    }
    CHECK(memory.add_page(first + 3) == full);
    CHECK(memory.ram()->size() == 3);
}

TEST_CASE("DESIGN 8: consecutive page numbers are one piece where they lie side by side") {
    gpu_memory memory;
    REQUIRE(memory.add_page_window(0, 0, 1000, 1000) == none);
    for (std::uint64_t const number : {10U, 11U, 12U, 20U, 13U, 15U, 14U}) {
        REQUIRE(memory.add_page(number) == none);
    }
    CHECK(memory.at(10 * 4096, 1 << 20).size == 3 * 4096);
    CHECK(memory.at(10 * 4096 + 100, 5000).size == 5000);
    CHECK(memory.at(10 * 4096 + 100, 1 << 20).size == 3 * 4096 - 100);
    CHECK(memory.at(11 * 4096, 1 << 20).size == 2 * 4096);
    CHECK(memory.at(13 * 4096, 1 << 20).size == 4096);
    CHECK(memory.at(14 * 4096, 1 << 20).size == 4096);
    REQUIRE(memory.remove_page(11) == none);
    CHECK(memory.at(10 * 4096, 1 << 20).size == 4096);
    std::vector<std::byte> bytes(3 * 4096, std::byte{9});
    CHECK(memory.write(13 * 4096 + 1, bytes.data(), bytes.size() - 1));
    CHECK(word_at(memory, 15 * 4096) == 0x0909'0909'0909'0909);
    CHECK(memory.read(12 * 4096, bytes.data(), bytes.size()));
    CHECK_FALSE(memory.read(10 * 4096, bytes.data(), bytes.size()));
}

TEST_CASE("DESIGN 8: a virtual address stands for video memory or RAM, page by page") {
    gpu_memory memory;
    REQUIRE(memory.add_linear(0x10'0000, 0x10'0000) == none);
    REQUIRE(memory.add_page_window(0x1000'0000, 0, 100, 100) == none);
    REQUIRE(memory.add_page(7) == none);
    std::uint64_t const va = 0x7000'0000'0000;
    CHECK(memory.map(va + 1, 4096, 0) == unaligned);
    CHECK(memory.map(va, 4095, 0) == unaligned);
    CHECK(memory.map(va, 4096, 12) == unaligned);
    CHECK(memory.map(va, 0, 0) == empty);
    CHECK(memory.map(0xFFFF'FFFF'FFFF'F000, 0x2000, 0) == wraps);
    CHECK(memory.unmap(0xFFFF'FFFF'FFFF'F000, 0x2000) == wraps);
    CHECK(memory.unmap(va, 5) == unaligned);
    CHECK_FALSE(memory.translate(va).has_value());
    REQUIRE(memory.map(va, 0x3000, 0x10'1000) == none);
    REQUIRE(memory.map(va + 0x3000, 0x1000, 0x1000'7000) == none);
    CHECK(memory.translate(va + 0x3123) == 0x1000'7123);
    CHECK(memory.at(va + 10, 1 << 20).size == 0x3000 - 10);
    CHECK(memory.at(va, 8).data == memory.at(0x10'1000, 8).data);
    std::uint64_t const value = 42;
    CHECK(memory.write(va + 0x3008, &value, 8));
    CHECK(std::memcmp(memory.cpu(7) + 8, &value, 8) == 0);
    CHECK(memory.write(va + 0x2FFC, &value, 8));
    CHECK_FALSE(memory.write(va + 0x3FFC, &value, 8));
    REQUIRE(memory.remove_page(7) == none);
    CHECK_FALSE(memory.write(va + 0x3008, &value, 8));
    REQUIRE(memory.map(va, 0x1000, 0x10'0000) == none);  // mapped again: the old target is forgotten
    CHECK(memory.at(va, 1 << 20).size == 0x1000);
    REQUIRE(memory.unmap(va, 0x10'0000) == none);
    CHECK(memory.at(va, 1).data == nullptr);
    REQUIRE(memory.map(va, 0x1000, va + 0x5000) == none);  // virtual addresses are no targets
    REQUIRE(memory.map(va + 0x5000, 0x1000, 0x10'0000) == none);
    CHECK(memory.at(va, 1).data == nullptr);
}

TEST_CASE("DESIGN 8: a second address space sees the first one's memory through its own addresses") {
    gpu_memory physical;
    REQUIRE(physical.add_linear(0, 0x10'0000) == none);
    REQUIRE(physical.add_page_window(0x1000'0000, 0, 100, 100) == none);
    gpu_memory space(physical);
    CHECK(space.add_linear(0, 4096) == virtual_only);
    CHECK(space.add_page_window(0, 0, 1, 1) == virtual_only);
    CHECK(space.at(0, 1).data == nullptr);
    REQUIRE(space.map(0, 0x1000, 0x2000) == none);
    REQUIRE(space.map(0x1000, 0x1000, 0x1000'3000) == none);
    CHECK(space.at(0, 100).data == physical.at(0x2000, 100).data);
    CHECK(space.at(0x1000, 1).data == nullptr);
    REQUIRE(physical.add_page(3) == none);
    CHECK(space.at(0x1000, 1).data == physical.cpu(3));
    REQUIRE(physical.remove_page(3) == none);
    CHECK(space.at(0x1000, 1).data == nullptr);
}

TEST_CASE("DESIGN 8: memories larger than the machine's cost what is touched") {
    if constexpr (sizeof(std::size_t) >= 8 && guarded_host::possible) {
        gpu_memory memory;
        std::uint64_t const size = std::uint64_t{8} << 30;
        REQUIRE(memory.add_linear(0, size) == none);
        std::uint64_t const value = 3;
        CHECK(memory.write(size - 8, &value, 8));
        CHECK(word_at(memory, size - 8) == 3);
        CHECK(memory.at(0, static_cast<std::size_t>(size)).size == size);
        CHECK_THROWS_AS(static_cast<void>(memory.add_linear(size, std::uint64_t{1} << 62)), std::bad_alloc);
    }
}

TEST_CASE("DESIGN 8: a mapped MDL shows the same pages in its own order, until it is retired") {
    gpu_memory memory;
    REQUIRE(memory.add_page_window(0, 1000, 100, 100) == none);
    for (std::uint64_t n = 1000; n < 1010; ++n) {
        REQUIRE(memory.add_page(n) == none);
        std::memset(memory.cpu(n), static_cast<int>(n % 100), 4096);
    }
    std::uint64_t const numbers[] = {1003, 1004, 1005, 1001, 1003, 1009};
    gpu_memory_view view(*memory.ram(), numbers);
    CHECK(view.valid() == (memory.ram()->pool().file() >= 0));
    std::uint64_t const absent[] = {1003, 1050};
    CHECK_FALSE(gpu_memory_view(*memory.ram(), absent).valid());
    if (!view.valid()) {
        return;
    }
    REQUIRE(view.size() == 6 * 4096);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        equal += view.data()[i] == static_cast<std::byte>(numbers[i / 4096] % 100) ? 1U : 0U;
    }
    CHECK(equal == view.size());
    view.data()[4096] = std::byte{0xEE};  // the CPU stores, the GPU sees it, and the other way round
    CHECK(word_at(memory, 1004 * 4096) % 256 == 0xEE);
    std::uint64_t const value = 0x55;
    REQUIRE(memory.write(1003 * 4096, &value, 8));
    CHECK(view.data()[0] == std::byte{0x55});
    CHECK(view.data()[4 * 4096] == std::byte{0x55});
    CHECK(view.retire());
    CHECK(memory.cpu(1003)[0] == std::byte{0x55});
}

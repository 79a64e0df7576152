// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <vector>

using namespace wddmcore::testing;
using enum gpu_memory_error;

namespace {

std::uint64_t seed_of_run() {
    char const* const given = std::getenv("WDDMCORE_SEED");
    std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'240'607;
    MESSAGE("WDDMCORE_SEED=" << seed);
    return seed;
}

}  // namespace

TEST_CASE("DESIGN 8: 100,000 pages with numbers as a host hands them out, against a map") {
    std::mt19937_64 random(seed_of_run());
    for (std::uint64_t const numbers : {std::uint64_t{1} << 22, std::uint64_t{1} << 40}) {  // array, then hash
        CAPTURE(numbers);
        std::uint64_t const first = 0x2'0000'0000;
        std::uint64_t const base = 0x4000'0000'0000;
        gpu_memory memory;
        REQUIRE(memory.add_page_window(base, first, numbers, 100'000) == none);
        struct page {
            std::byte* cpu;
            std::uint64_t stamp;  // 0: never touched, which keeps the test's memory small
        };
        std::map<std::uint64_t, page> model;
        std::uint64_t number = first;
        std::uint64_t wrong = 0;
        auto const put = [&](std::uint64_t n) {
            wrong += memory.add_page(n) == (model.count(n) != 0 ? exists : none) ? 0U : 1U;
            std::uint64_t const stamp = random() % 16 == 0 ? random() | 1 : 0;
            auto const [at, fresh] = model.try_emplace(n, page{memory.cpu(n), stamp});
            if (fresh && stamp != 0) {
                wrong += memory.write(base + n * 4096 + 4088, &stamp, 8) ? 0U : 1U;
            }
        };
        while (model.size() < 100'000) {
            // Runs of one to eight pages, then a jump to anywhere.
            number = random() % 3 == 0 ? first + random() % numbers : std::min(number + 1, first + numbers - 1);
            put(number);
        }
        CHECK(wrong == 0);
        for (int i = 0; i < 20'000; ++i) {  // some leave, others come
            auto const found = model.lower_bound(first + random() % numbers);
            if (found == model.end()) {
                continue;
            }
            wrong += memory.remove_page(found->first) == none ? 0U : 1U;
            wrong += memory.remove_page(found->first) == unknown ? 0U : 1U;
            model.erase(found);
            put(first + random() % numbers);
        }
        CHECK(wrong == 0);
        CHECK(memory.ram()->size() == model.size());
        std::size_t joined = 0;
        std::vector<std::byte*> places;
        for (auto const& [n, here] : model) {
            std::uint64_t seen = 0;
            if (here.stamp != 0) {
                wrong += memory.read(base + n * 4096 + 4088, &seen, 8) && seen == here.stamp ? 0U : 1U;
            }
            places.push_back(here.cpu);
            std::size_t pages = 1;  // the obvious way to find the longest piece
            for (auto next = model.find(n + 1);
                 next != model.end() && next->first == n + pages && next->second.cpu == here.cpu + pages * 4096;
                 ++next) {
                ++pages;
            }
            gpu_bus::piece const p = memory.at(base + n * 4096, std::size_t{1} << 30);
            wrong += p.data == here.cpu && p.size == pages * 4096 ? 0U : 1U;
            joined += pages > 1 ? 1U : 0U;
            std::uint64_t const other = first + random() % numbers;
            wrong += (memory.cpu(other) != nullptr) == (model.count(other) != 0) ? 0U : 1U;
        }
        std::sort(places.begin(), places.end());
        CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
        CHECK(wrong == 0);
        CHECK(joined > 100);
    }
}

TEST_CASE("DESIGN 8: a random address space, against a map") {
    std::mt19937_64 random(seed_of_run());
    gpu_memory physical;
    REQUIRE(physical.add_linear(0, 0x100'0000) == none);
    gpu_memory space(physical);
    std::map<std::uint64_t, std::uint64_t> model;
    std::uint64_t wrong = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::uint64_t const va = random() % 4096;
        std::uint64_t const pages = 1 + random() % 8;
        if (random() % 3 == 0) {
            wrong += space.unmap(va * 4096, pages * 4096) == none ? 0U : 1U;
            model.erase(model.lower_bound(va), model.lower_bound(va + pages));
        } else {
            std::uint64_t const target = random() % 4096;
            wrong += space.map(va * 4096, pages * 4096, target * 4096) == none ? 0U : 1U;
            for (std::uint64_t k = 0; k < pages; ++k) {
                model[va + k] = target + k;
            }
        }
        std::uint64_t const probe = random() % 4096;
        auto const found = model.find(probe);
        gpu_bus::piece const p = space.at(probe * 4096 + 5, 64 * 4096);
        if (found == model.end() || found->second >= 4096) {
            wrong += p.data == nullptr ? 0U : 1U;
            continue;
        }
        std::size_t run = 1;
        for (auto next = std::next(found); next != model.end() && next->first == probe + run &&
                                           next->second == found->second + run && next->second < 4096;
             ++next) {
            ++run;
        }
        wrong += p.data == physical.at(found->second * 4096 + 5, 1).data ? 0U : 1U;
        wrong += p.size == std::min<std::size_t>(run * 4096 - 5, 64 * 4096) ? 0U : 1U;
    }
    CHECK(wrong == 0);
    CHECK(model.size() > 100);
}

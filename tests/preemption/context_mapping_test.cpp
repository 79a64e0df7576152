// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/buffers/context_mapping.hpp"

#include <doctest/doctest.h>

namespace context_mapping_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

namespace v2_0 = mirror::v2_0;

constexpr int objects[6] = {};  // things to point at
void* handle(int index) { return const_cast<int*>(&objects[index]); }

constexpr context_mapping good_mapping{{nullptr}, {0}, {0x10000}, {0x20000}, {1}, {3}, {4}, 1, 7};

context_mapping mapping() {
    context_mapping wish = good_mapping;
    wish.allocation = {handle(4)};
    return wish;
}

struct mapping_answer {
    errc error;
    v2_0::dxgkargcb_mapcontextallocation args;
};

mapping_answer map(context_mapping const& wish) {
    mapping_answer answer{};
    answer.args.SizeInPages = 0xDEAD;
    answer.error = fill_context_mapping(answer.args, wish);
    if (answer.error != errc::none) {
        CHECK(answer.args.SizeInPages == 0xDEADu);
    }
    return answer;
}

}  // namespace

TEST_CASE("CTX-12: a mapping counts 4-KiB pages, and a base address wins over minimum and maximum") {
    mapping_answer answer = map(mapping());
    CHECK(answer.error == errc::none);
    CHECK(answer.args.OffsetInPages == 1u);
    CHECK(answer.args.SizeInPages == 3u);
    CHECK(answer.args.BaseAddress == 0u);
    CHECK(answer.args.MinimumAddress == 0x10000u);
    CHECK(answer.args.MaximumAddress == 0x20000u);
    CHECK(answer.args.hAllocation == handle(4));
    CHECK(answer.args.Protection.Value == 1u);
    CHECK(answer.args.DriverProtection == 7u);

    context_mapping wish = mapping();
    wish.base = {0x400000};  // far above the limit, which does not count now
    answer = map(wish);
    CHECK(answer.error == errc::none);
    CHECK(answer.args.BaseAddress == 0x400000u);
    CHECK(answer.args.MinimumAddress == 0u);
    CHECK(answer.args.MaximumAddress == 0u);
}

TEST_CASE("CTX-12: mappings that cannot be are refused") {
    auto const refused_with = [](errc reason, auto&& change) {
        context_mapping wish = mapping();
        change(wish);
        CHECK(map(wish).error == reason);
    };
    refused_with(errc::missing, [](context_mapping& m) { m.allocation = {nullptr}; });
    refused_with(errc::misaligned, [](context_mapping& m) { m.base = {0x400800}; });
    refused_with(errc::misaligned, [](context_mapping& m) { m.lowest = {0x10010}; });
    refused_with(errc::misaligned, [](context_mapping& m) { m.limit = {0x20001}; });
    refused_with(errc::out_of_range, [](context_mapping& m) { m.size = {0}; });
    refused_with(errc::out_of_range, [](context_mapping& m) { m.size = {4}; });
    refused_with(errc::out_of_range, [](context_mapping& m) { m.offset = {~u64{0}}; });
    refused_with(errc::out_of_range, [](context_mapping& m) { m.limit = {0x12000}; });
    refused_with(errc::overflow, [](context_mapping& m) { m.base = {~u64{0} - 0xFFF}; });
    refused_with(errc::overflow, [](context_mapping& m) {
        m.allocation_size = m.size = {u64{1} << 60};
        m.offset = {0};
    });
    context_mapping exact = mapping();
    exact.limit = {0x13000};
    CHECK(map(exact).error == errc::none);
    exact.limit = {0};
    CHECK(map(exact).error == errc::none);
}

TEST_CASE("OP13-01: an update names the system's handle and carries the driver's data") {
    v2_0::dxgkargcb_updatecontextallocation args{};
    u32 data = 0;
    CHECK(fill_context_update(args, {handle(4)}, &data, 4) == errc::none);
    CHECK(args.hAllocation == handle(4));
    CHECK(args.pPrivateDriverData == &data);
    CHECK(args.PrivateDriverDataSize == 4u);
    CHECK(fill_context_update(args, {handle(4)}, nullptr, 0) == errc::none);
    CHECK(fill_context_update(args, {handle(4)}, nullptr, 4) == errc::missing);
    CHECK(fill_context_update(args, {nullptr}, &data, 4) == errc::missing);
    CHECK(args.hAllocation == handle(4));
}

TEST_CASE("CTX-12: the same in constant evaluation") {
    constexpr bool mapped = [] {
        v2_0::dxgkargcb_mapcontextallocation args{};
        u32 something = 0;
        context_mapping wish = good_mapping;
        wish.allocation = {&something};
        return fill_context_mapping(args, wish) == errc::none && args.SizeInPages == 3u;
    }();
    CHECK(mapped);
}

}  // namespace context_mapping_test

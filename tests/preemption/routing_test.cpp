// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/engine/routing.hpp"

namespace routing_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr adapter_shape alone{4, 1};
constexpr adapter_shape link{4, 3};
constexpr engine_id third_in_link{2, 1};

// A submission to a node, with a value in the reserved EngineOrdinal that would lead astray.
template <class Args>
constexpr result<engine_id> route(u32 node, engine_id const* context, adapter_shape shape, u32 paging_node = 3) {
    Args args{};
    args.EngineOrdinal = 2;
    if constexpr (preemption::detail::names_its_node<Args>) {
        args.NodeOrdinal = node;
    }
    return engine_of_submission(args, context, shape, paging_node);
}

template <class Args>
constexpr bool routes(u32 node, engine_id const* context, adapter_shape shape, engine_id expected) {
    result<engine_id> const found = route<Args>(node, context, shape);
    return found.ok() && found.value == expected;
}

template <u32 Count>
constexpr result<adapter_shape> shape_of(u32 const (&counts)[Count]) {
    return shape_of_link(span_of(counts));
}

constexpr u32 equal[] = {5, 5, 5};
constexpr u32 differing[] = {5, 5, 4};
constexpr u32 differing_first[] = {4, 5, 5};
constexpr u32 most[] = {64};
constexpr u32 too_many[] = {65, 65};
constexpr u32 none[] = {0};

}  // namespace

TEST_CASE("LDA-01: nodes and engines both count from zero") {
    expect_both(contains(link, {0, 0}));
    expect_both(contains(link, {3, 2}));
    expect_both(!contains(link, {4, 0}));
    expect_both(!contains(link, {0, 3}));
}

TEST_CASE("LDA-02: a link whose physical adapters differ in nodes is refused") {
    expect_both(shape_of(equal).ok() && shape_of(equal).value == adapter_shape{5, 3});
    expect_both(shape_of(differing).error == errc::inconsistent);
    expect_both(shape_of(differing_first).error == errc::inconsistent);
}

TEST_CASE("LDA-06: an adapter has 1 to 64 nodes") {
    expect_both(shape_of(most).ok());
    expect_both(shape_of(too_many).error == errc::out_of_range);
    expect_both(shape_of(none).error == errc::out_of_range);
    CHECK(shape_of_link({nullptr, 0}).error == errc::out_of_range);
    u32 many[33];
    for (u32& count : many) {
        count = 1;
    }
    CHECK(shape_of_link({many, 32}).ok());
    CHECK(shape_of_link({many, 33}).error == errc::out_of_range);
}

TEST_CASE("LDA-03: a context's engine is the one bit of its affinity") {
    for (u32 engine = 0; engine != 32; ++engine) {
        adapter_shape const widest{1, 32};
        CHECK(affinity_of(engine) == u32{1} << engine);
        CHECK(engine_of_context(widest, 0, affinity_of(engine)).get() == engine_id{0, engine});
    }
    expect_both(engine_of_context(link, 3, 4u).ok() && engine_of_context(link, 3, 4u).value == engine_id{3, 2});
    expect_both(engine_of_context(link, 3, 0u).error == errc::inconsistent);
    expect_both(engine_of_context(link, 3, 3u).error == errc::inconsistent);
    expect_both(engine_of_context(link, 3, 8u).error == errc::out_of_range);
    expect_both(engine_of_context(link, 4, 1u).error == errc::out_of_range);
}

TEST_CASE("LDA-03: a submission goes to its context's engine, whatever the reserved EngineOrdinal holds") {
    expect_both(routes<mirror::win8::dxgkarg_submitcommand>(2, &third_in_link, link, third_in_link));
    expect_both(routes<mirror::v2_0::dxgkarg_submitcommand>(2, &third_in_link, link, third_in_link));
    expect_both(routes<mirror::v2_0::dxgkarg_submitcommandvirtual>(2, &third_in_link, link, third_in_link));
    expect_both(routes<mirror::v2_2::dxgkarg_submitcommandvirtual>(2, &third_in_link, link, third_in_link));
    // A structure without NodeOrdinal: the context says both.
    static_assert(!preemption::detail::names_its_node<mirror::win7::dxgkarg_submitcommand>);
    expect_both(routes<mirror::win7::dxgkarg_submitcommand>(99, &third_in_link, link, third_in_link));
    // The node of the structure and of the context cannot differ.
    expect_both(route<mirror::v2_0::dxgkarg_submitcommand>(1, &third_in_link, link).error == errc::inconsistent);
}

TEST_CASE("AMB-54: a submission without context goes to engine 0 of its node") {
    expect_both(routes<mirror::v2_0::dxgkarg_submitcommand>(1, nullptr, link, {1, 0}));
    expect_both(routes<mirror::v2_0::dxgkarg_submitcommandvirtual>(1, nullptr, link, {1, 0}));
    // Before WDDM 1.2 nothing names the node either: it is the paging node.
    expect_both(routes<mirror::win7::dxgkarg_submitcommand>(0, nullptr, alone, {3, 0}));
    expect_both(route<mirror::v2_0::dxgkarg_submitcommand>(4, nullptr, link).error == errc::out_of_range);
}

TEST_CASE("LDA-04: outside a link the engine that is reported is 0") {
    expect_both(!is_link(alone) && is_link(link));
    expect_both(as_reported(alone, {2, 1}) == engine_id{2, 0});
    expect_both(as_reported(link, {2, 1}) == engine_id{2, 1});
}

TEST_CASE("LDA-09: node metadata succeeds for every node below the count and for no other index") {
    for (u32 node = 0; node != 70; ++node) {
        for (u32 adapter = 0; adapter != 4; ++adapter) {
            bool const exists = node < link.nodes && adapter < link.physical_adapters;
            CHECK(node_metadata_status(link, adapter << 16 | node) ==
                  (exists ? status::success : status::invalid_parameter));
        }
    }
    expect_both(node_metadata_status(alone, 3) == status::success);
    expect_both(node_metadata_status(alone, 4) == status::invalid_parameter);
    expect_both(node_metadata_status(alone, 0xFFFF'FFFFu) == status::invalid_parameter);
}

}  // namespace routing_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/one_request.hpp>
#include <paging/transfer_model.hpp>

namespace versions_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

// The most that a driver of an interface version can claim of the operations that there are.
template <wddm Version>
constexpr engine_shape of_version() {
    capabilities caps{.version = Version, .aperture = aperture_forms::mdl, .alternate_address_lock = claim::yes};
    caps.oldest = Version < wddm::v2_0 ? Version : wddm::v1_3;  // operations 3 and 4 come below WDDM 2.0
    if (Version >= wddm::v2_0) {
        caps.addresses = paging_addresses::both;
    }
    if (Version >= wddm::v2_9) {
        caps.aperture = aperture_forms::either;
    }
    engine_shape shape = shapes::engine(caps, 3 * page_bytes, 4, shapes::ordered, 3);
    shape.aperture_commands = true;
    shape.discards = true;
    return shape;
}
template <wddm Version>
constexpr engine_shape shape_of = of_version<Version>();

// Every operation that the version has, against the model.
template <wddm Version, class Args>
void expect_as_modelled() {
    CAPTURE(static_cast<u32>(Version));
    play_transfers<shape_of<Version>, Args>(static_cast<u64>(Version), 400 / slow_build_factor);

    one_request<shape_of<Version>, Args> test;
    auto const effect = [&test](Args args) {
        pass_result const done = test.run(args, 3 * test.smallest);
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        return joined(effect_of(done.commands));
    };
    auto const commands = [&test](Args args) {
        pass_result const done = test.run(args, test.smallest);
        CHECK(done.problem == "");
        return done.commands;
    };
    Args const fill = test.fill(0x2000, 9 * page_bytes + 8);
    CHECK(effect(fill) == joined(fill_effect(test.hw, fill.Fill)));
    CHECK(commands(test.discard(0x5000)).size() == 1);
    CHECK(commands(test.read(0x5001))[0].destination.n == 0x5001);
    CHECK(commands(test.write(0x5003))[0].destination.n == 0x5003);
    Args const map = test.map(6, lonely_pages(11));
    CHECK(entries_of(commands(map)) == map_effect(map.MapApertureSegment));
    Args const unmap = test.unmap(6, 11);
    CHECK(entries_of(commands(unmap)) == unmap_effect(unmap.UnmapApertureSegment, false));
    if constexpr (Version >= wddm::v2_0) {
        Args const transfer = test.virtual_transfer(0x70'0000, 0x10'0000, 20 * page_bytes - 4);
        CHECK(effect(transfer) == joined(virtual_transfer_effect(transfer.TransferVirtual)));
        Args const virtual_fill = test.virtual_fill(0x70'0000, 20 * page_bytes - 4);
        CHECK(effect(virtual_fill) == joined(virtual_fill_effect(virtual_fill.FillVirtual)));
    }
    if constexpr (Version >= wddm::v2_9) {
        for (Args const& map2 : {test.map2(6, lonely_pages(11)), test.map2(6, 0x500, 11)}) {
            CHECK(entries_of(commands(map2)) == map2_effect(map2.MapApertureSegment2));
        }
    }
    CHECK(test.hw.faults == 0);

    // What the version does not have is not acknowledged (PGB-22).
    for (u32 code = 0; code < paging_operation_count; ++code) {
        bool const has = code <= 7 || (code <= 9 && Version >= wddm::v2_0) || (code == 17 && Version >= wddm::v2_9);
        if (!has) {
            Args args{};
            args.Operation = code;
            CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
            CHECK(test.hw.last_fault.rule == paging_rule::operation_not_claimed);
        }
    }
}

// Versions between these have the structure of the one before them.
template <class Args, class Other>
constexpr bool same = meta::same_as<Args, Other>;
static_assert(same<mirror::win7::dxgkarg_buildpagingbuffer, mirror::vista::dxgkarg_buildpagingbuffer>);
static_assert(same<mirror::v1_3::dxgkarg_buildpagingbuffer, mirror::win8::dxgkarg_buildpagingbuffer>);
static_assert(same<mirror::v2_1::dxgkarg_buildpagingbuffer, mirror::v2_0::dxgkarg_buildpagingbuffer>);
static_assert(same<mirror::v2_8::dxgkarg_buildpagingbuffer, mirror::v2_2::dxgkarg_buildpagingbuffer>);
static_assert(same<mirror::v3_0::dxgkarg_buildpagingbuffer, mirror::v2_9::dxgkarg_buildpagingbuffer>);

}  // namespace

TEST_CASE("AMB-02 AMB-25: WDDM 1.0 to 1.3: operations 0 to 7") {
    expect_as_modelled<wddm::vista, mirror::vista::dxgkarg_buildpagingbuffer>();
    expect_as_modelled<wddm::win8, mirror::win8::dxgkarg_buildpagingbuffer>();
}

TEST_CASE("AMB-02 AMB-25: WDDM 2.0 to 2.8: operations 8 and 9 as well") {
    expect_as_modelled<wddm::v2_0, mirror::v2_0::dxgkarg_buildpagingbuffer>();
    expect_as_modelled<wddm::v2_2, mirror::v2_2::dxgkarg_buildpagingbuffer>();
}

TEST_CASE("AMB-02 AMB-25: WDDM 2.9 to 3.2: operation 17 as well") {
    expect_as_modelled<wddm::v2_9, mirror::v2_9::dxgkarg_buildpagingbuffer>();
    expect_as_modelled<wddm::v3_1, mirror::v3_1::dxgkarg_buildpagingbuffer>();
    expect_as_modelled<wddm::v3_2, mirror::v3_2::dxgkarg_buildpagingbuffer>();
}

}  // namespace versions_test

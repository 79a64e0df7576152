// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

/// What resolving a side leaves in an endpoint that was another side before.
namespace resolved_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape plain = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr usize some_pages[] = {5, 6};

template <class Hw>
paging::detail::endpoint<Hw> used() {
    paging::detail::endpoint<Hw> where{};
    where.list = some_pages;
    where.place = 0x1234;
    where.segment = 9;
    return where;
}

}  // namespace

TEST_CASE("OP00-01: a side that is resolved forgets what it was: pages, a place in a segment, an address") {
    one_request<plain> test;
    using hw_type = meta::bare<decltype(test.hw)>;
    auto where = used<hw_type>();
    u64 const base = test.hw.places[local_memory].base.n;
    auto const named = [base] {
        decltype(mirror::vista::dxgkarg_buildpagingbuffer{}.Fill) fill{};
        fill.Destination.SegmentId = local_memory;
        fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(base + 0x3000);
        return fill.Destination;
    }();
    CHECK_FALSE(paging::detail::resolve_segment(test.hw, named, bytes{0x1000}, bytes{16}, where).any);
    CHECK_FALSE(where.paged());
    CHECK(where.place == base + 0x4000);
    CHECK(where.segment == local_memory);
    where = used<hw_type>();
    CHECK_FALSE(paging::detail::resolve_virtual(test.hw, gpu_virtual_address{0x7000}, bytes{16}, where).any);
    CHECK_FALSE(where.paged());
    CHECK(where.place == 0x7000);
    CHECK(where.segment == 0);
    where = used<hw_type>();
    CHECK(
        paging::detail::resolve_mdl<hw_type>(static_cast<mirror::vista::mdl const*>(nullptr), pages{3}, pages{1}, where)
            .any);
    CHECK(where.list == some_pages);
    newest_arguments const listed = test.transfer_in(lonely_pages(3));
    CHECK_FALSE(paging::detail::resolve_mdl<hw_type>(listed.Transfer.Source.pMdl, pages{1}, pages{2}, where).any);
    CHECK(where.paged());
    CHECK(where.list[0] == 0x5002);
    CHECK(where.place == 0);
    CHECK(where.segment == 0);
}

TEST_CASE("a size of one byte is judged as one, of none as none") {
    using paging::detail::check_size;
    CHECK(check_size(0, paging_rule::nothing_to_notify).any);
    CHECK_FALSE(check_size(1, paging_rule::nothing_to_notify).any);
}

}  // namespace resolved_test

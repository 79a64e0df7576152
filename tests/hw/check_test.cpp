// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "keeps.hpp"
#include "plain_gpu.hpp"
#include "without.hpp"

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace check_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace amd = wddmcore::examples::amd;
namespace cpu = wddmcore::examples::cpu;

namespace {

/// In how many of the mirrors, from the one of `first` on, the check accepts a hardware type. A header older than the
/// capabilities is no member of the pack: it would be a compile error (see compile_fail).
template <class Hw, class... Arguments>
constexpr u32 accepted() {
    return (u32{check_hardware<Hw, Arguments>()} + ...);
}

template <class Hw>
constexpr u32 accepted_from_v2_9() {
    return accepted<Hw, mirror::v2_9::dxgkarg_buildpagingbuffer, mirror::v3_0::dxgkarg_buildpagingbuffer,
                    mirror::v3_1::dxgkarg_buildpagingbuffer, mirror::v3_2::dxgkarg_buildpagingbuffer>();
}

template <class Hw>
constexpr u32 accepted_from_v2_0() {
    return accepted<Hw, mirror::v2_0::dxgkarg_buildpagingbuffer, mirror::v2_1::dxgkarg_buildpagingbuffer,
                    mirror::v2_1_5::dxgkarg_buildpagingbuffer, mirror::v2_1_6::dxgkarg_buildpagingbuffer,
                    mirror::v2_2::dxgkarg_buildpagingbuffer, mirror::v2_3::dxgkarg_buildpagingbuffer,
                    mirror::v2_4::dxgkarg_buildpagingbuffer, mirror::v2_5::dxgkarg_buildpagingbuffer,
                    mirror::v2_6::dxgkarg_buildpagingbuffer, mirror::v2_7::dxgkarg_buildpagingbuffer,
                    mirror::v2_8::dxgkarg_buildpagingbuffer>() +
           accepted_from_v2_9<Hw>();
}

template <class Hw>
constexpr u32 accepted_from_vista() {
    return accepted<Hw, mirror::vista::dxgkarg_buildpagingbuffer, mirror::vista_sp1::dxgkarg_buildpagingbuffer,
                    mirror::win7::dxgkarg_buildpagingbuffer, mirror::win8::dxgkarg_buildpagingbuffer,
                    mirror::v1_3::dxgkarg_buildpagingbuffer,
                    mirror::v1_3_path_independent_rotation::dxgkarg_buildpagingbuffer>() +
           accepted_from_v2_0<Hw>();
}

constexpr capabilities virtual_paging_2_0{
    .version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::mdl};
constexpr capabilities everything{.version = wddm::v2_9,
                                  .oldest = wddm::vista,
                                  .addresses = paging_addresses::both,
                                  .aperture = aperture_forms::either,
                                  .alternate_address_lock = claim::at_run_time};

template <capabilities Caps>
using plain = plain_gpu<plain_numbers{}, Caps>;

/// An adapter of the paging process has no segment addresses, no MDLs, no aperture and no physical accesses.
struct only_virtual {
    using address = plain_address;
    static constexpr capabilities caps{.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual};
    static constexpr address from_virtual(gpu_virtual_address va) { return {va.n}; }
    static constexpr dwords unit_dwords{1};
    static constexpr void encode_padding(u32*, dwords) {}
    static constexpr bytes copy_max = mib;
    static constexpr bytes copy_alignment{1};
    static constexpr hw::overlap copy_overlap = hw::overlap::safe;
    static constexpr dwords copy_dwords{1};
    static constexpr void encode_copy(u32* at, address, address, bytes) { put32(at, 1); }
    static constexpr bytes fill_max = mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords{1};
    static constexpr void encode_fill(u32* at, address, bytes, u32) { put32(at, 2); }
    static constexpr disposition on_paging_fault(paging_fault const&) { return disposition::stop; }
};

struct without_engine : plain<plain_caps> {
    static constexpr bool paged_by_cpu = true;
};

}  // namespace

TEST_CASE("law 5: the example hardware keeps its promises at every interface version that fits") {
    CHECK(accepted_from_vista<amd::gfx10<>>() == 21);
    CHECK(accepted_from_vista<cpu::processor<>>() == 21);
    CHECK(accepted_from_v2_9<amd::gfx10<amd::virtual_paging>>() == 4);
    CHECK(accepted_from_v2_9<cpu::processor<cpu::virtual_paging>>() == 4);
}

TEST_CASE("law 5: the example hardware keeps its promises with other capabilities too") {
    CHECK(accepted_from_v2_0<amd::gfx10<virtual_paging_2_0>>() == 15);
    CHECK(accepted_from_v2_0<cpu::processor<virtual_paging_2_0>>() == 15);
    CHECK(accepted_from_v2_9<amd::gfx10<everything>>() == 4);
    CHECK(accepted_from_v2_9<cpu::processor<everything>>() == 4);
}

TEST_CASE("law 5: hardware with no optional promise is complete") {
    CHECK(accepted_from_vista<plain<plain_caps>>() == 21);
    CHECK(accepted_from_v2_0<plain<virtual_paging_2_0>>() == 15);
    CHECK(accepted_from_v2_9<plain<everything>>() == 4);
}

TEST_CASE("law 5: nothing is asked of a hardware type that its capabilities do not make reachable") {
    CHECK(accepted_from_v2_9<only_virtual>() == 4);
    CHECK(smallest_paging_buffer<only_virtual> == bytes{4});
}

TEST_CASE("PGB-22: of an operation that the CPU does nothing is asked but where segments are") {
    using promise = paging::detail::operation_promise<paging_operation::transfer>;
    expect_both(keeps<promise, plain<plain_caps>> && keeps<promise, without_engine>);
    expect_both(keeps<promise, without_stream<without_engine>> && !keeps<promise, without_stream<plain<plain_caps>>>);
    expect_both(!keeps<promise, without_places<without_engine>>);
}

}  // namespace check_test

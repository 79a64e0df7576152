// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// What a hardware type claims, and the addresses that it has: the claims that go together, each with its neighbours that
// do not. What the compiler then says is in tests/compile_fail.

#include <wddmcore/hw/capabilities.hpp>
#include <wddmcore/hw/promises/address_space.hpp>
#include <wddmcore/hw/promises/aperture.hpp>
#include <wddmcore/hw/promises/capabilities.hpp>
#include <wddmcore/hw/promises/keeps.hpp>

#include "plain_gpu.hpp"

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace claims_limits_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace promises = wddmcore::hw::detail;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

template <capabilities Caps>
struct claims {
    static constexpr capabilities caps = Caps;
};
template <capabilities Caps>
constexpr bool are_claims = promises::capabilities_promise::kept<claims<Caps>>();

template <usize Bytes>
struct wide_address {
    u8 bytes_of_it[Bytes];
    friend constexpr wide_address operator+(wide_address a, bytes) noexcept { return a; }
};
template <usize Bytes>
struct with_address {
    using address = wide_address<Bytes>;
};
struct no_sum {
    struct address {};
};
struct no_address {};

struct without_engine : plain_gpu<> {
    static constexpr bool paged_by_cpu = true;
};

template <u32 Dwords>
struct aperture_commands : plain_gpu<> {
    static constexpr dwords aperture_entry_dwords{Dwords};
    static void encode_aperture_entry(u32*, segment_id, u64, page_number, bool) {}
};
struct aperture_length_alone : plain_gpu<> {
    static constexpr dwords aperture_entry_dwords{1};
};

struct kept_promise {
    template <class, bool = false>
    static consteval bool kept() {
        return true;
    }
};
struct broken_promise {
    template <class, bool = false>
    static consteval bool kept() {
        return false;
    }
};
template <class... Promises>
constexpr bool all_kept = promises::all_of<Promises...>::template kept<no_address>();

}  // namespace types

using namespace types;

TEST_CASE("law 5: a version is there, the oldest is no later, and what is seen ends with a page") {
    expect_both(!are_claims<capabilities{.version = static_cast<wddm>(0x1051)}>);
    expect_both(are_claims<capabilities{.version = wddm::vista}>);
    expect_both(are_claims<capabilities{.version = wddm::v2_0, .oldest = wddm::v2_0}>);
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .oldest = wddm::v2_1}>);
    expect_both(are_claims<capabilities{.version = wddm::v2_0, .highest_visible_address = 0xFFF}>);
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .highest_visible_address = 0x1000}>);
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .highest_visible_address = 0xFFE}>);
    expect_both(are_claims<capabilities{.version = wddm::v2_0, .highest_visible_address = ~u64{0}}>);
}

TEST_CASE("GVA-35: page tables and the GPU MMU are claimed together, from WDDM 2.0 on") {
    constexpr update_modes mode = update_modes::gpu_virtual;
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .page_tables = mode}>);
    expect_both(!are_claims<capabilities{.version = wddm::v1_3, .page_tables = mode}>);
    expect_both(are_claims<capabilities{.version = wddm::v2_0, .gpu_mmu = claim::yes, .page_tables = mode}>);
    expect_both(are_claims<capabilities{.version = wddm::v2_0, .gpu_mmu = claim::at_run_time, .page_tables = mode}>);
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .gpu_mmu = claim::yes}>);
    expect_both(!are_claims<capabilities{.version = wddm::v2_0, .gpu_mmu = claim::at_run_time}>);
    expect_both(are_claims<capabilities{.version = wddm::v1_3, .gpu_mmu = claim::yes}>);
}

TEST_CASE("law 5: what is open at compile time is the set of what it can become") {
    expect_both(contains_all(claim::at_run_time, claim::yes) && contains_all(claim::at_run_time, claim::no));
    expect_both(!contains(claim::yes, claim::no) && !contains(claim::no, claim::yes));
    expect_both(!contains_all(claim::yes, claim::no) && !contains_all(claim::no, claim::yes));
    expect_both(!may_be_yes(claim::no) && may_be_yes(claim::yes) && may_be_yes(claim::at_run_time));
    using enum paging_addresses;
    expect_both(contains_all(both, physical) && contains_all(both, gpu_virtual) && !contains(physical, gpu_virtual));
    expect_both(!contains_all(physical, both) && !contains_all(gpu_virtual, both));
    expect_both(contains_all(aperture_forms::either, aperture_forms::mdl) &&
                contains_all(aperture_forms::either, aperture_forms::adl));
    expect_both(!contains(aperture_forms::mdl, aperture_forms::adl) &&
                !contains(aperture_forms::none, aperture_forms::either));
    constexpr update_modes modes[] = {update_modes::cpu_virtual, update_modes::gpu_virtual, update_modes::gpu_physical};
    for (update_modes const one : modes) {
        CHECK(!contains(update_modes::none, one));
        for (update_modes const another : modes) {
            CHECK(contains(one, another) == (one == another));
            CHECK((contains(one | another, one) && contains(one | another, another)));
        }
    }
}

TEST_CASE("PGB-22: without an engine the CPU does the operations on plain memory, and no others") {
    // 0, 1, 3, 4, 7, 8 and 9.
    constexpr u32 of_memory = 0b11'1001'1011;
    for (u32 code = 0; code < 32; ++code) {
        CAPTURE(code);
        auto const operation = static_cast<paging_operation>(code);
        CHECK(hw::is_cpu_operation(operation) == ((of_memory >> code & 1) != 0));
        CHECK(hw::left_to_cpu<without_engine>(operation) == hw::is_cpu_operation(operation));
        CHECK(!hw::left_to_cpu<plain_gpu<>>(operation));
    }
    expect_both(!hw::is_cpu_operation(static_cast<paging_operation>(paging_operation_count)));
}

TEST_CASE("AMB-21: ids 0 and 31 are implicit system memory") {
    for (u32 id = 0; id <= 33; ++id) {
        CHECK(is_system_memory(segment_id{id}) == (id == 0 || id == 31));
    }
}

TEST_CASE("law 5: an address has at most 16 bytes, and a distance can be added") {
    using promises::address_promise;
    expect_both(address_promise::kept<with_address<1>>() && address_promise::kept<with_address<16>>());
    expect_both(!address_promise::kept<with_address<17>>() && !address_promise::kept<no_sum>());
    expect_both(!address_promise::kept<no_address>());
}

TEST_CASE("law 5: an entry of an aperture by command has 1 to 256 dwords") {
    using promises::aperture_promise;
    expect_both(aperture_promise::kept<plain_gpu<>>() && !aperture_promise::kept<no_address>());
    expect_both(!aperture_promise::kept<aperture_commands<0>>() && aperture_promise::kept<aperture_commands<1>>());
    expect_both(aperture_promise::kept<aperture_commands<256>>() && !aperture_promise::kept<aperture_commands<257>>());
    expect_both(!aperture_promise::kept<aperture_length_alone>());
}

TEST_CASE("law 5: several promises are kept when each is") {
    expect_both(all_kept<kept_promise> && all_kept<kept_promise, kept_promise, kept_promise>);
    expect_both(!all_kept<broken_promise> && !all_kept<broken_promise, kept_promise>);
    expect_both(!all_kept<kept_promise, broken_promise> && !all_kept<kept_promise, kept_promise, broken_promise>);
}

}  // namespace claims_limits_test

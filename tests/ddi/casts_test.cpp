// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/casts.hpp>

#include <doctest/doctest.h>

namespace casts_test {

using namespace wddmcore;

TEST_CASE("SEG-24: the ends of banks are handed out as they are, also where SIZE_T is another type of the same bytes") {
    u64 const ends[] = {0x1000, 0x3000};
    CHECK(casts::bank_table<u64*>(ends) == ends);
    CHECK(casts::bank_table<u64*>(static_cast<u64 const*>(nullptr)) == nullptr);
    using other = i64;  // of the same bytes, and never the same type
    CHECK(static_cast<void const*>(casts::bank_table<other*>(ends)) == ends);
    CHECK(casts::bank_table<other*>(static_cast<u64 const*>(nullptr)) == nullptr);
}

TEST_CASE("law 3: constant evaluation has no addresses, and a place no bytes further on is the place itself") {
    static u32 words[4] = {};
    static_assert(casts::bytes_past(words, 8) == 0 && casts::bytes_past_dword(words) == 0);
    static_assert(casts::cpu_address_after(words, bytes{0}) == static_cast<void*>(words));
    CHECK(casts::cpu_address_after(words, bytes{8}) == words + 2);
    CHECK(casts::bytes_past(words, 4) == 0);
    CHECK(casts::bytes_past(reinterpret_cast<u8 const*>(words) + 3, 4) == 3);
}

}  // namespace casts_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/promises/page_table/store.hpp>

#include "../base/expect_both.hpp"

namespace page_table_store_test {

using namespace wddmcore;
using store = hw::coherent_page_table_store;

namespace {

constexpr bool stores_whole_words() {
    u64 wide[3] = {1, 2, 3};
    u32 narrow[3] = {1, 2, 3};
    store::store_entry_word(wide + 1, u64{0x8877'6655'4433'2211});
    store::store_entry_word(narrow + 1, u32{0x4433'2211});
    store::finish_entry_stores();
    return wide[0] == 1 && wide[1] == 0x8877'6655'4433'2211 && wide[2] == 3 && narrow[0] == 1 &&
           narrow[1] == 0x4433'2211 && narrow[2] == 3;
}

}  // namespace

TEST_CASE("OP11-11: an ordinary store of an entry's word writes the word, in its width, and no neighbour") {
    expect_both(stores_whole_words());
    static_assert(hw::page_table_store<store>);
}

}  // namespace page_table_store_test

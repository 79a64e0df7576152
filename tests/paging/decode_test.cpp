// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A good request is asked once whether anything is wrong with it, and a malformed one a second time what it is: both
// have to see the same, also where two checks could be taken for each other.
#include "malformed.hpp"

namespace decode_test {

using namespace wddmcore;
using namespace wddmcore::testing;

TEST_CASE("OP00-02: a sum that wraps is refused also where it would come down inside the segment") {
    malformed<by_command> test;
    // A segment that begins at 0, so that every small address is inside.
    test.hw.places[top_memory] = {{0}, {u64{1} << 30}};
    auto const spoil = [](newest_arguments& args) {
        malformed<by_command>::set_place(args, top_memory, ~u64{0} - 4095);
        (args.Operation == 0 ? args.Transfer.TransferOffset : args.SpecialLockTransfer.TransferOffset) = 8192;
    };
    for (newest_arguments const& good : {test.transfer_in({4}), test.special_lock({4})}) {
        test.expect(good, spoil, paging_rule::offset_wraps, ~u64{0} - 4095, 8192);
    }
}

}  // namespace decode_test

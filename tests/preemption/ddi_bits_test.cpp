// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/engine/submission.hpp>

#include <doctest/doctest.h>

namespace ddi_bits_test {

using namespace wddmcore::preemption;

namespace {

/// The word of a mirror in which one bit was set by its name.
template <class Flags, class Set>
wddmcore::u32 word(Set&& set) {
    Flags flags;
    flags.Value = 0;
    set(flags);
    return flags.Value;
}

}  // namespace

TEST_CASE("PRE-19, PRE-29, CTX-01, CTX-02: the bits of a submission are those of DXGK_SUBMITCOMMANDFLAGS") {
    using flags = decltype(wddmcore::mirror::v2_0::dxgkarg_submitcommand::Flags);
    CHECK(submit_flag::paging == word<flags>([](flags& f) { f.Paging = 1; }));
    CHECK(submit_flag::present == word<flags>([](flags& f) { f.Present = 1; }));
    CHECK(submit_flag::redirected_present == word<flags>([](flags& f) { f.RedirectedPresent = 1; }));
    CHECK(submit_flag::null_rendering == word<flags>([](flags& f) { f.NullRendering = 1; }));
    CHECK(submit_flag::flip == word<flags>([](flags& f) { f.Flip = 1; }));
    CHECK(submit_flag::flip_with_no_wait == word<flags>([](flags& f) { f.FlipWithNoWait = 1; }));
    CHECK(submit_flag::context_switch == word<flags>([](flags& f) { f.ContextSwitch = 1; }));
    CHECK(submit_flag::resubmission == word<flags>([](flags& f) { f.Resubmission = 1; }));
}

}  // namespace ddi_bits_test

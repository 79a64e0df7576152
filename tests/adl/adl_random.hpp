// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "seeded.hpp"

#include <wddmcore/adl.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>

#include <vector>

/// What the tests of adl/ share: random lists, and the address descriptor lists and MDLs that carry them.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Page numbers that break after a page with the given odds: rising runs, now and then falling or repeated pages, and
/// runs that end at the largest page number or begin at 0.
[[nodiscard]] inline std::vector<usize> random_list(seeded_numbers& random, u64 count, u64 one_break_in) {
    std::vector<usize> list;
    usize page = static_cast<usize>(random.next());
    for (u64 i = 0; i < count; ++i) {
        list.push_back(page);
        if (!random.one_in(one_break_in)) {
            ++page;  // wraps to 0 behind the largest page number, which is a break too
            continue;
        }
        switch (random.below(6)) {
            case 0: break;             // the same page again
            case 1: page -= 1; break;  // falling
            case 2: page += 2; break;  // one page left out
            case 3: page = ~usize{0} - static_cast<usize>(random.below(4)); break;
            case 4: page = static_cast<usize>(random.below(4)); break;
            default: page = static_cast<usize>(random.next()); break;
        }
    }
    return list;
}

/// An address descriptor list of scattered pages.
[[nodiscard]] inline mirror::v2_9::dxgk_adl scattered_adl(std::vector<usize> const& list) {
    mirror::v2_9::dxgk_adl adl{};
    adl.PageCount = static_cast<u32>(list.size());
    adl.Flags.Value = 0;
    adl.Pages = list.empty() ? nullptr : list.data();
    return adl;
}

/// An address descriptor list of one run.
[[nodiscard]] inline mirror::v2_9::dxgk_adl contiguous_adl(usize base, u32 count) {
    mirror::v2_9::dxgk_adl adl{};
    adl.PageCount = count;
    adl.Flags.Value = 0;
    adl.Flags.Contiguous = 1;
    adl.BasePageNumber = base;
    return adl;
}

/// The pages of a source, one by one: the slow and obvious walk.
[[nodiscard]] inline std::vector<u64> page_by_page(adl::source const& from) {
    std::vector<u64> all;
    for (u64 i = 0; i < from.count; ++i) {
        all.push_back(from.at(i).n);
    }
    return all;
}

/// The pages of a source, by runs of at most `limit` pages, re-expanded.
[[nodiscard]] inline std::vector<u64> by_runs(adl::source const& from, pages limit) {
    std::vector<u64> all;
    for (adl::cursor at = adl::walk(from); !at.done();) {
        adl::run const run = at.next_run(limit);
        REQUIRE(run.length.n >= 1);
        REQUIRE(run.length <= limit);
        REQUIRE(run.length <= at.remaining());
        for (u64 i = 0; i < run.length.n; ++i) {
            all.push_back(run.first.n + i);
        }
        at = at.advanced(run.length);
    }
    return all;
}

}  // namespace wddmcore::testing

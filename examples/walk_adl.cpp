// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// An address descriptor list names system pages in one of two forms: a base and a count, or a number for each page. A
// driver needs one loop for both. It walks runs of consecutive pages, because each run is one command of a copy engine
// or one large entry of a page table. AdlOffset says where in the list the work begins.

#include <wddmcore/adl.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>

#include <cstdio>

using namespace wddmcore;

/// Prints the runs in `count` pages of a list, from page `adl_offset` on, with at most 4 pages for each command.
/// @return the number of pages in the runs, or 0 when the list has no such part
u64 walk(char const* name, mirror::v2_9::dxgk_adl const& list, u32 adl_offset, u64 count) {
    std::printf("%s, AdlOffset %u, %llu pages\n", name, adl_offset, count);
    result<adl::source> const all = adl::from_adl(list);  // tests the flag, then reads the right side of the union
    if (!all.ok()) {
        std::printf("    not a list: %s\n", text_of(all.error));
        return 0;
    }
    result<adl::source> const part = adl::window(all.get(), pages{adl_offset}, pages{count});
    if (!part.ok()) {
        std::printf("    refused, %s: the list has %llu pages\n", text_of(part.error), all.get().count);
        return 0;
    }
    u64 walked = 0;
    constexpr pages most{4};  // for one command of this engine
    for (adl::cursor at = adl::walk(part.get()); !at.done();) {
        adl::run const run = at.next_run(most);
        u64 const first = byte_address(run.first);
        std::printf("    [%#llx, %#llx)  %llu page(s)\n", first, first + to_bytes(run.length).n, run.length.n);
        // Merging must not change what is walked: the k-th page is the k-th page of the list, whatever the runs are.
        for (u64 k = 0; k != run.length.n; ++k, ++walked) {
            if (run.first.n + k != all.get().at(adl_offset + walked).n) {
                return 0;
            }
        }
        at = at.advanced(run.length);
    }
    return walked;
}

int main() {
    mirror::v2_9::dxgk_adl contiguous{};
    contiguous.PageCount = 10;
    contiguous.Flags.Contiguous = 1;
    contiguous.BasePageNumber = 0x100;

    usize const numbers[] = {0x500, 0x501, 0x502, 0x77, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x76};
    mirror::v2_9::dxgk_adl scattered{};
    scattered.PageCount = 10;
    scattered.Pages = numbers;

    bool good = walk("contiguous", contiguous, 0, 10) == 10;
    good = walk("contiguous", contiguous, 3, 5) == 5 && good;
    good = walk("scattered", scattered, 0, 10) == 10 && good;
    good = walk("scattered", scattered, 1, 6) == 6 && good;
    good = walk("scattered", scattered, 8, 3) == 0 && good;  // past the end: refused, not read

    // A GPU page of 16 KiB needs four pages of the list that are consecutive and aligned.
    adl::source const pages_of_both = adl::from_adl(scattered).get();
    bool const here = adl::walk(pages_of_both, pages{4}).at_gpu_page(2);
    bool const there = adl::walk(pages_of_both, pages{0}).at_gpu_page(2);
    std::printf("a GPU page of 16 KiB fits at page 4: %s, at page 0: %s\n", here ? "yes" : "no", there ? "yes" : "no");
    return good && here && !there ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "hardware_type/simulated.hpp"
#include "verdict.hpp"

#include <wddmcore/mirror.hpp>

#include <cstdio>
#include <vector>

using namespace wddmcore;
using guide::kestrel;
namespace ddi = mirror::v2_0;

// region: by hand
/// A driver keeps its own loop for what comes in from system memory. Where a buffer is too small it calls the library.
ntstatus copy_in_by_hand(kestrel& chip, ddi::dxgkarg_buildpagingbuffer& args) {
    auto const& transfer = args.Transfer;
    usize const count = transfer.TransferSize / page_bytes;
    if (args.MultipassOffset != 0 || args.DmaSize < count * 20 + 4) {
        return build_paging_buffer(chip, args);
    }
    auto const* const pages = reinterpret_cast<usize const*>(transfer.Source.pMdl + 1);
    u64 const to = static_cast<u64>(transfer.Destination.SegmentAddress.QuadPart);
    auto* at = static_cast<u32*>(args.pDmaBuffer);
    for (usize i = 0; i != count; ++i, at += kestrel::copy_dwords.n) {
        auto const from = kestrel::from_page(page_number{pages[transfer.MdlOffset + i]});
        chip.encode_copy(at, {to + i * page_bytes}, from, bytes{page_bytes});
    }
    if (count % 2 != 0) {
        chip.encode_padding(at++, dwords{1});  // the tail is a multiple of two dwords
    }
    args.pDmaBuffer = at;
    return status::success;
}
// end: by hand

// region: driver
struct driver {
    kestrel chip;
    bool by_hand;

    ntstatus build(ddi::dxgkarg_buildpagingbuffer& args) {
        bool const moves_in = args.Operation == static_cast<u32>(paging_operation::transfer) &&
                              args.Transfer.Source.SegmentId == 0 && args.Transfer.TransferSize != 0 &&
                              args.Transfer.Flags.AllocationIsIdle != 0;
        return by_hand && moves_in ? copy_in_by_hand(chip, args) : build_paging_buffer(chip, args);
    }
};
// end: driver

// region: play
bool play(bool by_hand, bool one_allocation) {
    std::vector<u32> table(kestrel::gart_size.n / page_bytes);
    driver d{{.vram_size = 64 * mib, .gart_table = table.data()}, by_hand};
    guide::kestrel_engine engine;
    wddmcore_driver_table t{};
    t.size = sizeof t;
    t.version = static_cast<u32>(kestrel::caps.version);
    t.adapter = &d;
    t.build_paging_buffer = [](void* a, void* args) WDDMCORE_DRIVER_CALL -> int {
        return static_cast<driver*>(a)->build(*static_cast<ddi::dxgkarg_buildpagingbuffer*>(args));
    };
    t.submit_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int { return status::success; };
    testing::vidmm_options options = guide::options_of(d.chip, table);
    testing::vidmm windows(t, options, &engine);
    if (one_allocation) {
        auto const picture = windows.create(bytes{16 * page_bytes});
        static_cast<void>(windows.commit(picture, segment_id{2}));
    } else {
        windows.run(1, 300);
    }
    windows.finish();
    // end: play
    return guide::print_verdict(windows.report());
}

int main() {
    std::printf("anything that Windows could do:\n");
    bool const found = !play(true, false);
    std::printf("\none allocation of sixteen pages:\n");
    bool const shrunk = !play(true, true);
    std::printf("\nwithout the loop:\n");
    return play(false, false) && found && shrunk ? 0 : 1;
}

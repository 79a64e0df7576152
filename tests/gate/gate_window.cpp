// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates of page windows count: whole evictions through build_paging_buffer on hardware with a
// window, validated and resumable, from the operation's arguments to the committed buffer. Inputs are made outside the
// counted functions; bytes are compared here, because they are as exact as instructions.

#include <paging/window_gfx10.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace wddmcore;
using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

constexpr u32 page_count = 16384;

u64 next_random(u64& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/// An MDL whose runs have a given mean length, in tenths of a page; 10: no two neighbours are consecutive.
struct paged_memory {
    std::vector<unsigned char> storage;
    u64 runs = 0;

    explicit paged_memory(u64 mean_tenths) : storage(sizeof(mirror::v1_3::mdl) + page_count * sizeof(usize)) {
        mirror::v1_3::mdl header{};
        header.ByteCount = static_cast<u32>(page_count * page_bytes);
        std::memcpy(storage.data(), &header, sizeof header);
        u64 state = 88172645463325252u + mean_tenths;
        usize page = 0;
        for (u32 i = 0; i != page_count; ++i) {
            bool const goes_on = i != 0 && next_random(state) % mean_tenths >= 10;
            page = goes_on ? page + 1 : static_cast<usize>(next_random(state) % 0x8000'0000 * 2 + (~page & 1));
            runs += goes_on ? 0 : 1;
            std::memcpy(storage.data() + sizeof header + i * sizeof page, &page, sizeof page);
        }
    }
    mirror::v1_3::mdl* mdl() { return reinterpret_cast<mirror::v1_3::mdl*>(storage.data()); }
};

std::vector<u32> buffer(page_count * 7 + 64);

examples::amd::windows const where{.gart_segment = {1},
                                   .gart = {{0x7F'0000'0000}, 512 * mib},
                                   .vram_segment = {2},
                                   .vram = {{0x80'0000'0000}, 8 * gib},
                                   .system_base = 0x10'0000'0000,
                                   .gart_table = nullptr,
                                   .gart_table_address = 0};
testing::windowed_gfx10 windowed = testing::windowed_gfx10::started(
    where, {.address = 0x7E'0000'0000, .entries = 0x80'0000'0000, .hub = {.scratch = 0x80'0010'0000}});
examples::amd::gfx10<> plain = examples::amd::gfx10<>::started(where);

arguments evict(paged_memory& memory) {
    arguments args{};
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    args.Operation = static_cast<u32>(paging_operation::transfer);
    args.Transfer = {};
    args.Transfer.TransferSize = page_count * page_bytes;
    args.Transfer.Source.SegmentId = 2;
    args.Transfer.Source.SegmentAddress.QuadPart = 0x80'0010'0000;
    args.Transfer.Destination.pMdl = memory.mdl();
    return args;
}

u64 dwords_written(arguments const& args) {
    return static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
}

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// What all pages take through the window, from the lengths of the packets alone: a head of 4, a flush of 19 and a copy
/// of 7 for 1,024 pages, a wait of 10 for 4,096.
constexpr u64 all_through_window = page_count * 2 + page_count / 1024 * (4 + 19 + 7) + page_count / 4096 * 10;

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_window(arguments& args) { return build_paging_buffer(windowed, args); }
[[gnu::noinline]] int measured_auto_contiguous(arguments& args) { return build_paging_buffer(windowed, args); }
[[gnu::noinline]] int measured_auto_mixed(arguments& args) { return build_paging_buffer(windowed, args); }
}

int main() {
    paged_memory scatter{10};
    arguments args = evict(scatter);
    require(measured_window(args) == status::success);
    // 8.13 bytes a page, padding left aside.
    require(dwords_written(args) * 400 <= page_count * 813 + 32 * 100);
    require(dwords_written(args) - all_through_window < 8);

    paged_memory line{100'000'000};
    args = evict(line);
    require(measured_auto_contiguous(args) == status::success);

    // Runs of about the length at which both forms cost the same: both occur, and every chunk is looked at to its end.
    paged_memory mix{35};
    args = evict(mix);
    require(measured_auto_mixed(args) == status::success);

    if (std::getenv("GATE_COUNTED_ONLY") != nullptr) {
        return 0;  // each instruction is logged there, and what follows counts none
    }
    // xfer.auto: for every mean run from 1 to 64 pages within 1.02 of the better form's bytes.
    for (u64 tenths = 10; tenths <= 640; tenths += tenths < 60 ? 1 : 10) {
        paged_memory memory{tenths};
        arguments packets = evict(memory);
        require(build_paging_buffer(plain, packets) == status::success);
        u64 const by_packets = dwords_written(packets);
        require(by_packets - memory.runs * 7 < 8);
        arguments chosen = evict(memory);
        require(build_paging_buffer(windowed, chosen) == status::success);
        u64 const better = lesser(by_packets, all_through_window);
        require(dwords_written(chosen) * 100 <= better * 102);
    }
    return 0;
}

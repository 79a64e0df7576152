// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

/// What the instruction gates of transfers and fills are asked to do: made outside the counted functions.
namespace {

using namespace wddmcore;
using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;
using virtual_arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using physical_gpu = examples::amd::gfx10<>;
using virtual_gpu = examples::amd::gfx10<examples::amd::virtual_paging>;

constexpr u32 page_count = 4096;

struct paged_memory {
    std::vector<unsigned char> storage;

    explicit paged_memory(std::vector<usize> const& numbers)
        : storage(sizeof(mirror::v1_3::mdl) + numbers.size() * sizeof(usize)) {
        mirror::v1_3::mdl header{};
        header.ByteCount = static_cast<u32>(numbers.size() * page_bytes);
        std::memcpy(storage.data(), &header, sizeof header);
        std::memcpy(storage.data() + sizeof header, numbers.data(), numbers.size() * sizeof(usize));
    }
    mirror::v1_3::mdl* mdl() { return reinterpret_cast<mirror::v1_3::mdl*>(storage.data()); }
};

u64 next_random(u64& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/// Random page numbers, no two neighbours consecutive.
std::vector<usize> scattered() {
    std::vector<usize> numbers;
    u64 state = 88172645463325252u;
    for (u32 i = 0; i != page_count; ++i) {
        numbers.push_back(static_cast<usize>((next_random(state) % 0x80'0000) * 2));
    }
    return numbers;
}

/// Half of the pages alone, half in runs of mean length 4: a mean run of 1.6 pages.
std::vector<usize> mixed() {
    std::vector<usize> numbers;
    u64 state = 362436069u;
    while (numbers.size() < page_count) {
        usize const start = static_cast<usize>((next_random(state) % 0x80'0000) * 2);
        usize const length = next_random(state) % 5 == 0 ? static_cast<usize>(1 + next_random(state) % 7) : 1;
        for (usize i = 0; i != length && numbers.size() < page_count; ++i) {
            numbers.push_back(start + i);
        }
    }
    return numbers;
}

std::vector<usize> contiguous() {
    std::vector<usize> numbers;
    for (u32 i = 0; i != page_count; ++i) {
        numbers.push_back(0x12345 + i);
    }
    return numbers;
}

std::vector<u32> buffer(page_count * 7 + 64);

examples::amd::windows const where{.gart_segment = {1},
                                   .gart = {{0x7F'0000'0000}, 512 * mib},
                                   .vram_segment = {2},
                                   .vram = {{0x80'0000'0000}, 8 * gib},
                                   .system_base = 0x10'0000'0000,
                                   .gart_table = nullptr,
                                   .gart_table_address = 0};
template <class Arguments>
Arguments fresh(paging_operation operation) {
    Arguments args{};
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    args.Operation = static_cast<u32>(operation);
    return args;
}

arguments evict(paged_memory& memory) {
    arguments args = fresh<arguments>(paging_operation::transfer);
    args.Transfer = {};
    args.Transfer.TransferSize = page_count * page_bytes;
    args.Transfer.Source.SegmentId = 2;
    args.Transfer.Source.SegmentAddress.QuadPart = 0x80'0010'0000;
    args.Transfer.Destination.pMdl = memory.mdl();
    return args;
}

virtual_arguments copy_of_1g() {
    virtual_arguments args = fresh<virtual_arguments>(paging_operation::virtual_transfer);
    args.TransferVirtual = {};
    args.TransferVirtual.TransferSizeInBytes = gib.n;
    args.TransferVirtual.SourceVirtualAddress = 0x1000'0000;
    args.TransferVirtual.DestinationVirtualAddress = 0x10'0000'0000;
    return args;
}

arguments fill_of_1g() {
    arguments args = fresh<arguments>(paging_operation::fill);
    args.Fill = {};
    args.Fill.FillSize = gib.n;
    args.Fill.FillPattern = 0xDEAD'BEEF;
    args.Fill.Destination.SegmentId = 2;
    args.Fill.Destination.SegmentAddress.QuadPart = 0x80'0000'0000;
    return args;
}

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

}  // namespace

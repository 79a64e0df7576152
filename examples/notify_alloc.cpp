// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Before an allocation leaves memory that the GPU sees, the system can tell the driver (NOTIFY_ALLOC, WDDM 3.2): time
// to decompress in place, or to flush caches. A block must be handled exactly once, or it is corrupted; so the hardware
// type says how large a block is, and no pass, however small its buffer, cuts one.

#include <hardware/cpu.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstdio>

using namespace wddmcore;

constexpr capabilities claims{
    .version = wddm::v3_2, .addresses = paging_addresses::gpu_virtual, .allocation_notification = claim::yes};

/// The reference processor with surfaces compressed in blocks of 64 KiB. Its command: 0x90, bytes, address.
struct compressing_gpu : examples::cpu::processor<claims> {
    void* flushed_for = nullptr;

    static constexpr bytes eviction_block = 64 * kib;
    static constexpr bytes eviction_alignment = 64 * kib;
    static constexpr bytes eviction_max = 192 * kib;
    static constexpr dwords eviction_dwords{4};
    static void encode_notify_eviction(u32* at, hw::alloc_notice const& part) noexcept {
        put64(at, dword_pair(0x90, static_cast<u32>(part.size.n)));
        put64(at + 2, part.place.n);
    }
    void notify_iommu_unmap(hw::alloc_notice const& part) noexcept { flushed_for = part.process; }
};

int main() {
    compressing_gpu hw{};
    constexpr u64 va = 0x7'0000'0000;
    mirror::v3_2::dxgkarg_buildpagingbuffer args{};
    args.Operation = static_cast<u32>(paging_operation::notify_alloc);
    args.NotifyAllocation.Flags.Eviction = 1;
    args.NotifyAllocation.OffsetInBytes = 0x10'0000;  // the second megabyte of the surface, which ends inside a block
    args.NotifyAllocation.SizeInBytes = 0xF'8000;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = va;  // already includes the offset

    u64 handled = 0;
    ntstatus answer = status::graphics_insufficient_dma_buffer;
    for (u32 pass = 0; answer == status::graphics_insufficient_dma_buffer && pass != 10; ++pass) {
        u32 buffer[10] = {};  // room for two commands
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        answer = build_paging_buffer(hw, args);
        std::printf("pass %u\n", pass);
        for (u32 const* at = buffer; at != args.pDmaBuffer; at += 4) {
            u64 const place = at[2] | u64{at[3]} << 32;
            std::printf("    decompress [%#llx, %#llx)\n", place, place + at[1]);
            if (place != va + handled || handled % (64 * kib).n != 0) {
                std::printf("a block was cut, lost or handled twice\n");
                return 1;
            }
            handled += at[1];
        }
    }
    std::printf("%#llx of %#llx bytes, each block once\n", handled, args.NotifyAllocation.SizeInBytes + 0ull);
    bool const evicted = answer == status::success && handled == args.NotifyAllocation.SizeInBytes;

    // The other event names a process, and this hardware answers it at once: no buffer is needed.
    int process = 0;
    args = {};
    args.Operation = static_cast<u32>(paging_operation::notify_alloc);
    args.NotifyAllocation.Flags.IoMmuUnmap = 1;
    args.NotifyAllocation.hKmdProcessHandle = &process;
    args.NotifyAllocation.SizeInBytes = 4096;
    args.NotifyAllocation.GpuVirtualAddressAtOffset = va;
    bool const flushed = build_paging_buffer(hw, args) == status::success && hw.flushed_for == &process;
    std::printf("caches flushed for the process before the IOMMU forgets it: %s\n", flushed ? "yes" : "no");
    return evicted && flushed ? 0 : 1;
}

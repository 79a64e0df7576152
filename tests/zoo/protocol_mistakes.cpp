// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with the call itself: statuses, pointers, progress, buffers.
#include "mistake.hpp"

namespace zoo {

namespace {

constexpr char const* illegal_status = "illegal NTSTATUS from the build function";
constexpr char const* false_success = "unhandled operation answered SUCCESS, content lost";
constexpr char const* multipass = "multipass absent, byte-valued, or lost";

[[nodiscard]] char* bytes_at(void* p) { return static_cast<char*>(p); }

using enum sound_driver;

constexpr mistake protocol_rows[] = {
    {"DISCARD is not supported", illegal_status, "PGB-08", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation == 2 ? status::not_supported : build(d, a); }>},
    {"FILL answers that there is no such function", illegal_status, "PGB-08", physical,
     physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 1 ? static_cast<int>(0xC0000002) : build(d, a);
     }>},
    {"a pool allocation in the build function fails now and then", illegal_status, "PGB-08", physical,
     physical_builds<[](void* d, physical_args& a) {
         return ++kept.calls % 50 == 0 ? static_cast<int>(0xC000009A) : build(d, a);
     }>},
    {"the device is not ready while the allocation is in use", illegal_status, "PGB-08", physical,
     physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 0 && a.Transfer.Flags.AllocationIsIdle == 0 ? static_cast<int>(0xC00000A3) : build(d, a);
     }>},
    {"a mapping without a DMA buffer is an invalid parameter", "NULL or empty DMA buffer not handled", "PGB-08",
     physical, physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 5 && a.pDmaBuffer == nullptr ? status::invalid_parameter : build(d, a);
     }>},
    {"busy is said although the allocation is idle", "busy answered for ever", "PGB-09", physical,
     physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 0 ? status::graphics_allocation_busy : build(d, a);
     }>},
    {"busy is said for a fill", "busy answered where it is no answer", "AMB-28", physical,
     physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 1 ? status::graphics_allocation_busy : build(d, a);
     }>},
    {"FILL succeeds and does nothing", false_success, "PGB-22", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation == 1 ? status::success : build(d, a); }>},
    {"TRANSFER succeeds and does nothing", false_success, "PGB-22", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation == 0 ? status::success : build(d, a); }>},
    {"VIRTUAL_FILL succeeds and does nothing", false_success, "PGB-22", skeleton,
     virtual_builds<[](void* d, virtual_args& a) { return a.Operation == 9 ? status::success : build(d, a); }>},
    {"VIRTUAL_TRANSFER succeeds and does nothing", false_success, "PGB-22", skeleton,
     virtual_builds<[](void* d, virtual_args& a) { return a.Operation == 8 ? status::success : build(d, a); }>},
    {"COPY_PAGE_TABLE_ENTRIES succeeds and does nothing", false_success, "PGB-22", tables,
     virtual_builds<[](void* d, virtual_args& a) { return a.Operation == 14 ? status::success : build(d, a); }>},
    {"an unknown operation is acknowledged", "the default branch answers SUCCESS", "PGB-22", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation >= 31 ? status::success : build(d, a); }>},
    {"an unknown operation is asked for again and again", "the default branch answers INSUFFICIENT_DMA_BUFFER",
     "PGB-08", skeleton, virtual_builds<[](void* d, virtual_args& a) {
         return a.Operation >= 31 ? status::graphics_insufficient_dma_buffer : build(d, a);
     }>},
    {"a transfer without an allocation succeeds and does nothing", false_success, "PGB-21", physical,
     physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 0 && a.Transfer.hAllocation == nullptr ? status::success : build(d, a);
     }>},
    {"the allocation is looked at although there is none", "NULL mapping not detected", "NULL-ACCESS", physical,
     physical_builds<[](void* d, physical_args& a) {
         if (a.Operation == 0 && a.Transfer.hAllocation == nullptr) {
             std::uintptr_t const volatile member = 24;  // of what is not there
             *reinterpret_cast<char volatile*>(reinterpret_cast<std::uintptr_t>(a.Transfer.hAllocation) + member) = 1;
         }
         return build(d, a);
     }>},
    {"a pointer of the user-mode driver is used", "a handle taken for a pointer", "WILD-ACCESS", physical,
     physical_builds<[](void* d, physical_args& a) {
         if (a.Operation == 1) {
             *reinterpret_cast<char volatile*>(std::uintptr_t{0x7777'0000'1000}) = 1;
         }
         return build(d, a);
     }>},
    {"the function waits for ever for an allocation in use", "a failure inside a do/while loops for ever", "HANG",
     physical, physical_builds<[](void* d, physical_args& a) {
         while (a.Operation == 2 && ++kept.calls != 0) {
             kept.last = *const_cast<u64 volatile*>(&kept.calls);
         }
         return build(d, a);
     }>},
    {"a map without a buffer wants a larger one", "NULL or empty DMA buffer not handled", "PGB-11", physical,
     physical_builds<[](void* d, physical_args& a) {
         bool const maps = a.Operation == 5 || a.Operation == 6;
         return maps && a.DmaSize == 0 ? status::graphics_insufficient_dma_buffer : build(d, a);
     }>},
    {"a map writes to the buffer that is not there", "the buffer used unchecked", "PGB-11", physical,
     physical_builds<[](void* d, physical_args& a) {
         if (a.Operation == 5 && a.DmaSize == 0 && a.pDmaBuffer == nullptr) {
             *const_cast<u32 volatile*>(static_cast<u32*>(a.pDmaBuffer)) = 0;
         }
         return build(d, a);
     }>},
    {"pDmaBuffer stays where it was", "pDmaBuffer advanced wrongly", "PGB-02", physical,
     physical_builds<[](void* d, physical_args& a) {
         void* const before = a.pDmaBuffer;
         int const status = build(d, a);
         a.pDmaBuffer = before;
         return status;
     }>},
    {"pDmaBuffer advances by a dummy amount, whatever is left", "pDmaBuffer advanced without a check of DmaSize",
     "PGB-01", physical, physical_builds<[](void* d, physical_args& a) {
         u32 const left = a.DmaSize;
         char* const before = bytes_at(a.pDmaBuffer);
         int const status = build(d, a);
         if (before != nullptr && left != 0 && a.Operation == 0) {
             a.pDmaBuffer = before + left + 64;
         }
         return status;
     }>},
    {"a fence is written past the returned pDmaBuffer", "pDmaBuffer advanced wrongly", "PGB-02", physical,
     physical_builds<[](void* d, physical_args& a) {
         char* const end = bytes_at(a.pDmaBuffer) + a.DmaSize;
         int const status = build(d, a);
         if (status == status::success && end - bytes_at(a.pDmaBuffer) >= 4 && a.DmaSize != 0) {
             *static_cast<u32*>(a.pDmaBuffer) ^= 0xF00D;
         }
         return status;
     }>},
    {"every buffer is taken for 4-KiB aligned", "pDmaBuffer advanced wrongly", "PGB-02", physical,
     physical_builds<[](void* d, physical_args& a) {
         int const status = build(d, a);
         auto const at = reinterpret_cast<std::uintptr_t>(a.pDmaBuffer);
         a.pDmaBuffer = reinterpret_cast<void*>(at / 4096 * 4096);
         return status;
     }>},
    {"DmaBufferWriteOffset is advanced", "[in] member written", "PGB-02", skeleton,
     virtual_builds<[](void* d, virtual_args& a) {
         char const* const before = bytes_at(a.pDmaBuffer);
         int const status = build(d, a);
         a.DmaBufferWriteOffset += static_cast<u32>(bytes_at(a.pDmaBuffer) - before);
         return status;
     }>},
    {"TransferOffset carries the progress", "[in] member written", "OP00-04", physical,
     physical_builds<[](void* d, physical_args& a) {
         int const status = build(d, a);
         if (a.Operation == 0 && a.Transfer.TransferSize != 0) {
             a.Transfer.TransferOffset += static_cast<u32>(a.Transfer.TransferSize);
         }
         return status;
     }>},
    {"the private data's pointer leaves its area", "private data pointer or size not kept in step", "PGB-13", skeleton,
     virtual_builds<[](void* d, virtual_args& a) {
         int const status = build(d, a);
         a.pDmaBufferPrivateData = bytes_at(a.pDmaBufferPrivateData) + 0x10000;
         return status;
     }>},
    {"the private data's size is not kept in step", "private data pointer or size not kept in step", "PGB-13", skeleton,
     virtual_builds<[](void* d, virtual_args& a) {
         int const status = build(d, a);
         a.DmaBufferPrivateDataSize -= 4;
         return status;
     }>},
    {"DmaSize goes down by another amount", "two decrement DmaSize as well", "AMB-06", physical,
     physical_builds<[](void* d, physical_args& a) {
         int const status = build(d, a);
         a.DmaSize -= a.DmaSize >= 4 ? 4 : 0;
         return status;
     }>},
    {"each pass begins anew", multipass, "PGB-05", physical,
     physical_reads<[](physical_args& a) { a.MultipassOffset = 0; }>},
    {"a pass that ends early loses its progress", multipass, "PGB-05", physical,
     physical_builds<[](void* d, physical_args& a) {
         u32 const before = a.MultipassOffset;
         int const status = build(d, a);
         a.MultipassOffset = status == status::success ? a.MultipassOffset : before;
         return status;
     }>},
    {"the page that found no room counts as done", multipass, "PGB-05", physical,
     physical_builds<[](void* d, physical_args& a) {
         int const status = build(d, a);
         a.MultipassOffset += status == status::graphics_insufficient_dma_buffer ? 1 : 0;
         return status;
     }>},
    {"the last page before a full buffer is done twice", multipass, "PGB-04", physical,
     physical_builds<[](void* d, physical_args& a) {
         u32 const before = a.MultipassOffset;
         int const status = build(d, a);
         bool const more = status == status::graphics_insufficient_dma_buffer && before + 1 < a.MultipassOffset;
         a.MultipassOffset -= more ? 1 : 0;
         return status;
     }>},
    {"patch wants allocation lists", "paging buffers treated as render buffers", "PGB-14", physical,
     [](wddmcore_driver_table& t) {
         t.patch = [](void*, void const* args) WDDMCORE_DRIVER_CALL -> int {
             auto const& a = *static_cast<mirror::v1_3::dxgkarg_patch const*>(args);
             return a.pAllocationList == nullptr ? status::invalid_parameter : status::success;
         };
     }},
    {"patch writes to the buffer's start", "paging buffers treated as render buffers", "PGB-16", physical,
     [](wddmcore_driver_table& t) {
         t.patch = [](void*, void const* args) WDDMCORE_DRIVER_CALL -> int {
             auto const& a = *static_cast<mirror::v1_3::dxgkarg_patch const*>(args);
             *static_cast<u32*>(a.pDmaBuffer) ^= a.DmaBufferSubmissionStartOffset != 0 ? 0x100 : 0;
             return status::success;
         };
     }},
    {"submit wants a device or a context", "paging buffers treated as render buffers", "PGB-15", physical,
     [](wddmcore_driver_table& t) {
         t.submit_command = [](void*, void const* args) WDDMCORE_DRIVER_CALL -> int {
             auto const& a = *static_cast<mirror::v1_3::dxgkarg_submitcommand const*>(args);
             return a.hContext == nullptr ? status::invalid_parameter : status::success;
         };
     }},
    {"submit has a full queue", "submit returns INSUFFICIENT_DMA_BUFFER on a full queue", "PGB-15", physical,
     [](wddmcore_driver_table& t) {
         t.submit_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int {
             return ++kept.calls % 20 == 0 ? status::graphics_insufficient_dma_buffer : status::success;
         };
     }},
};

}  // namespace

std::span<mistake const> protocol_mistakes() { return protocol_rows; }

}  // namespace zoo

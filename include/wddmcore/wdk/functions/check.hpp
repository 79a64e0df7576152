// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../../base/types.hpp"
#include "device.hpp"

namespace wddmcore::inline WDDMCORE_ABI::wdk {

namespace detail {

template <class Gpu>
concept has_locks = requires(Gpu& hw, synchronized_routine* routine, void* argument, irq_level before) {
    { hw.take_submission_lock() } noexcept -> meta::same_as<irq_level>;
    { hw.leave_submission_lock(before) } noexcept;
    { hw.run_synchronized(routine, argument) } noexcept;
};

template <class Gpu>
concept has_callbacks = requires(Gpu& hw, _DXGKARGCB_NOTIFY_INTERRUPT_DATA& record) {
    { hw.notify_interrupt(record) } noexcept;
    { hw.queue_dpc() } noexcept;
    { hw.notify_dpc() } noexcept;
};

template <class Gpu>
concept has_ring =
    requires(Gpu& hw, wddmcore_packet const& packet, wddmcore_engine_news& news, u32 n, void const* data) {
        { hw.write_packet(n, packet) } noexcept;
        { hw.read_news(n, news) } noexcept;
        { hw.request_stop(n, n) } noexcept;
        { hw.withdraw_stop(n) } noexcept;
        { hw.address_of_packet(data) } noexcept -> meta::same_as<u64>;
        { hw.accepts_packet(data) } noexcept -> meta::same_as<bool>;
    };

template <class Gpu>
concept has_resets = requires(Gpu& hw, u32 n, u32& serial) {
    { hw.halt(n, serial) } noexcept -> meta::same_as<wddmcore_halted>;
    { hw.reset_node(n) } noexcept -> meta::same_as<bool>;
    { hw.nodes_reset_with(n) } noexcept -> meta::same_as<u64>;
};

template <class Gpu>
concept has_contexts = requires(Gpu& hw, void* own, usize size) {
    { hw.allocate_nonpaged(size) } noexcept -> meta::same_as<void*>;
    { hw.release_nonpaged(own) } noexcept;
    { hw.close_context(own) } noexcept;
    { Gpu::adapter_of_device(own) } noexcept -> meta::same_as<void*>;
};

}  // namespace detail

/// What the functions ask of a driver's adapter, besides its being a hardware type. A driver asserts it once. `n` is a
/// node.
///
/// Nonpaged, called up to device IRQL, but for the lock, which is called up to DISPATCH_LEVEL:
///
///     irq_level take_submission_lock()           KeAcquireSpinLock, gives the level before
///     void leave_submission_lock(irq_level)      KeReleaseSpinLock
///     void run_synchronized(routine, argument)   DxgkCbSynchronizeExecution
///     void notify_interrupt(record)              DxgkCbNotifyInterrupt
///     void queue_dpc(), void notify_dpc()        DxgkCbQueueDpc, DxgkCbNotifyDpc
///     void write_packet(n, packet)               append to the hardware's ring; it may begin at once
///     void read_news(n, news)                    dismiss the interrupt, then read (INT-05)
///     void request_stop(n, generation)           stop where the hardware next can; the ring becomes empty
///     void withdraw_stop(n)                      an unanswered request is taken back
///     u64 address_of_packet(private data)        the GPU address of a packet's first byte, for a packet that comes
///                                                without (OBS-08); 0: the data does not say
///     bool accepts_packet(private data)          false: its commands cannot be executed (PRE-30)
///                                                never NULL in both: a packet without private data, as a switch to
///                                                the null context may be (CTX-01), is not asked about
///     wddmcore_halted halt(n, u32& serial)       nothing is executed from here on
///     bool reset_node(n)                         empty, and takes packets again; false: it failed
///     u64 nodes_reset_with(n)                    bits of the nodes that a reset disturbs, itself included
///
/// Nonpaged, called at PASSIVE_LEVEL:
///
///     void* allocate_nonpaged(size)              NULL when there is none
///     void release_nonpaged(memory)
///     ntstatus open_context(args, void*& own)    DXGKARG_CREATECONTEXT; writes the sizes of DMA buffers
///     void close_context(own)
///     void* adapter_of_device(hDevice)           static: the hAdapter of a device
///     void set_root(own, gpuva::root_table)      only with page tables
///
/// Pageable, called at PASSIVE_LEVEL:
///
///     ntstatus answer_first(args)                DXGKARG_QUERYADAPTERINFO: the driver's own members and queries
///     result<segment::allocation> allocation_of(private data, u32 size)
///     void* keep_allocation(allocation)          hAllocation; NULL when there is no memory
///     void drop_allocation(hAllocation)
///     void begin_paging_buffer(pDmaBuffer)       optional: the buffer of the commands that are built next
///
/// More is asked by the functions for physical addresses, which check_rendering() lists, for hardware scheduling, which
/// check_hw_queues() lists, and for the CPU host aperture: segment::host_aperture_mapper.
///
/// @return true, or it does not compile: the error names the group of what is missing, has other types or may throw
template <class Gpu>
consteval bool check_device() {
    static_assert(detail::has_locks<Gpu>,
                  "wdk: the adapter needs take_submission_lock, leave_submission_lock and run_synchronized, noexcept");
    static_assert(detail::has_callbacks<Gpu>,
                  "wdk: the adapter needs notify_interrupt, queue_dpc and notify_dpc, noexcept");
    static_assert(detail::has_ring<Gpu>,
                  "wdk: the adapter needs write_packet, read_news, request_stop, withdraw_stop, address_of_packet and "
                  "accepts_packet, noexcept");
    static_assert(detail::has_resets<Gpu>, "wdk: the adapter needs halt, reset_node and nodes_reset_with, noexcept");
    static_assert(
        detail::has_contexts<Gpu>,
        "wdk: the adapter needs allocate_nonpaged, release_nonpaged, close_context and adapter_of_device, noexcept");
    return true;
}

}  // namespace wddmcore::wdk

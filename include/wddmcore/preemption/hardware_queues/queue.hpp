// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../../base/span.hpp"
#include "../../base/units.hpp"
#include "../members.hpp"

/// Submissions to hardware queues (hardware scheduling, from WDDM 2.2).
/// Source page: ns-d3dkmddi-_dxgkarg_submitcommandtohwqueue.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A submission to a hardware queue, without a pointer into the system's arguments.
struct queue_submission {
    u64 progress_fence;                     ///< HwQueueProgressFenceId
    gpu_virtual_address buffer;             ///< DmaBufferVirtualAddress
    u32 buffer_bytes;                       ///< DmaBufferSize; 0 is legal
    u32 flags;                              ///< the DDI's bits
    gpu_virtual_address progress_fence_at;  ///< HwQueueProgressFenceGpuVa
    u32 private_data_bytes;                 ///< how much of the driver's copy is used
    friend constexpr bool operator==(queue_submission const&, queue_submission const&) = default;
};

/// Takes a submission over (DXGKARG_SUBMITCOMMANDTOHWQUEUE): copies its private data, which the system frees when the
/// call returns (HWS-05). (That of packets, up to WDDM 2.3, lives until completion.)
///
/// @param args  the members of the structure are read
/// @param room  bytes of the driver's own for the copy, which live until the submission has completed
/// @return the submission. out_of_range: the private data is larger than the room. missing: it has a size but no data.
///         On an error nothing is copied
/// IRQL: PASSIVE_LEVEL or DISPATCH_LEVEL (IRQ-04), nonpaged. From WDDM 2.2 and header build 17763. Source:
/// ns-d3dkmddi-_dxgkarg_submitcommandtohwqueue.md.
template <class Args>
[[nodiscard]] constexpr result<queue_submission> take_queue_submission(Args const& args, span<u8> room) noexcept {
    static_assert(members::queue_submission<Args>,
                  "hardware queue: DXGKARG_SUBMITCOMMANDTOHWQUEUE of the included header has no Flags or no "
                  "HwQueueProgressFenceGpuVa: it has both from build 17763 on");
    if constexpr (members::queue_submission<Args>) {
        u32 const size = args.DmaBufferPrivateDataSize;
        if (size > room.count) {
            return refused<queue_submission>(errc::out_of_range);
        }
        if (size != 0 && args.pDmaBufferPrivateData == nullptr) {
            return refused<queue_submission>(errc::missing);
        }
        // The DDI's pointer has no type; a twin with bytes in it runs in constant evaluation too.
        auto const* const data = static_cast<u8 const*>(args.pDmaBufferPrivateData);
        for (u32 i = 0; i != size; ++i) {
            room[i] = data[i];
        }
        return good(queue_submission{args.HwQueueProgressFenceId,
                                     {args.DmaBufferVirtualAddress},
                                     args.DmaBufferSize,
                                     args.Flags.Value,
                                     {args.HwQueueProgressFenceGpuVa},
                                     size});
    } else {
        return refused<queue_submission>(errc::missing);
    }
}

/// Who writes a queue's progress fence, and when.
enum class fence_writer_of_queue : u32 {
    user_mode_buffer,    ///< the last instruction of the DMA buffer, put there by the user-mode driver
    kernel_mode_buffer,  ///< the last instruction of the DMA buffer, put there by DxgkDdiSignalMonitoredFence
    retirement,          ///< the hardware or the driver, after neither GPU nor CPU use the buffer any more
};

/// Decides who writes a queue's progress fence (HWS-06). Any IRQL, nonpaged.
///
/// @param ring_buffer_fence_release  the RingBufferFenceRelease cap of the node
/// @param kernel_submission          the buffer was made by this driver (Present, paging), not by its user-mode half
/// @return retirement with that cap; else who made the buffer
/// Source: ns-d3dkmddi-_dxgkarg_submitcommandtohwqueue.md.
[[nodiscard]] constexpr fence_writer_of_queue fence_writer_of(bool ring_buffer_fence_release,
                                                              bool kernel_submission) noexcept {
    if (ring_buffer_fence_release) {
        return fence_writer_of_queue::retirement;
    }
    return kernel_submission ? fence_writer_of_queue::kernel_mode_buffer : fence_writer_of_queue::user_mode_buffer;
}

/// Whether the fence may be written now (HWS-06). Any IRQL, nonpaged.
///
/// @param writer             as from fence_writer_of()
/// @param instructions_left  of the DMA buffer, the fence write not counted
/// @param buffer_in_use      whether GPU or CPU still use the buffer
/// @return true: all instructions ran, and for retirement the buffer is free
[[nodiscard]] constexpr bool may_write_fence(fence_writer_of_queue writer, u32 instructions_left,
                                             bool buffer_in_use) noexcept {
    return instructions_left == 0 && (writer != fence_writer_of_queue::retirement || !buffer_in_use);
}

}  // namespace wddmcore::preemption

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "stream.hpp"

#include <wddmcore/paging.hpp>
#include <wddmcore/testing/guarded/buffer.hpp>

#include <cstring>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What one pass did, as the system sees it.
struct pass_result {
    ntstatus status = status::success;
    u32 first_token = 0;
    u32 next_token = 0;
    u64 written_dwords = 0;
    u64 private_bytes = 0;                   ///< how far the private-data pointer moved
    std::vector<recorded_command> commands;  ///< empty when a sink took them
    std::string problem;                     ///< empty, or which part of the protocol was broken
};

/// The system's side of one build call: hands over a buffer that ends at an inaccessible page and compares everything
/// that the driver must not touch.
class paging_system {
public:
    static constexpr u64 capacity = 128 * 1024;    ///< bytes of the largest paging buffer
    static constexpr u64 private_capacity = 4096;  ///< bytes of the largest private data
    static constexpr u64 watched_before = 64;      ///< bytes before the buffer that are compared

    paging_system() : memory_(capacity + watched_before), private_(private_capacity), fresh_(memory_.size()) {
        std::memcpy(fresh_.data(), memory_.data(), memory_.size());
    }

    u32 private_size = 256;  ///< bytes of private data handed over with each buffer

    /// One call with a fresh buffer; every record goes to `each`.
    ///
    /// @param dma_size  bytes, 0 allowed, at most `capacity`; the buffer begins at a dword
    template <class Hw, class Args, class Each>
    pass_result pass(Hw& hw, Args& args, u64 dma_size, Each&& each) {
        u64 const room = (dma_size + 3) / 4 * 4;
        std::byte* const start = memory_.data() + (memory_.size() - room);
        u64 const lead = memory_.size() - room - watched_before;
        std::byte* const private_start = private_.data() + (private_.size() - private_size);
        std::memset(private_start, 0xA5, private_size);

        args.pDmaBuffer = start;
        args.DmaSize = static_cast<u32>(dma_size);
        args.pDmaBufferPrivateData = private_start;
        args.DmaBufferPrivateDataSize = private_size;
        Args expected;
        std::memcpy(&expected, &args, sizeof args);
        u32 const faults = hw.faults;

        pass_result result;
        result.first_token = args.MultipassOffset;
        result.status = build_paging_buffer(hw, args);
        result.next_token = args.MultipassOffset;

        u64 const end = reinterpret_cast<usize>(args.pDmaBuffer) - reinterpret_cast<usize>(start);
        if (end > dma_size || end % 4 != 0) {
            result.problem = "PGB-02: pDmaBuffer points outside the buffer";
            return result;
        }
        result.written_dwords = end / 4;
        result.private_bytes =
            reinterpret_cast<usize>(args.pDmaBufferPrivateData) - reinterpret_cast<usize>(private_start);
        if (result.private_bytes > private_size) {
            result.problem = "PGB-13: the private-data pointer left its buffer";
            return result;
        }
        if (std::memcmp(memory_.data() + lead, fresh_.data() + lead, watched_before) != 0) {
            result.problem = "PGB-02: bytes before the buffer were changed";
            return result;
        }
        // The nearest bytes always; all of them now and then, since whatever is changed stays changed.
        u64 const behind = room - end < 512 || ++passes_ % 16 == 0 ? room - end : 512;
        if (std::memcmp(start + end, fresh_.data() + (memory_.size() - room) + end, behind) != 0) {
            result.problem = "PGB-02: bytes behind pDmaBuffer were changed";
            return result;
        }
        expected.pDmaBuffer = args.pDmaBuffer;
        expected.pDmaBufferPrivateData = args.pDmaBufferPrivateData;
        expected.MultipassOffset = args.MultipassOffset;
        if constexpr (Hw::shape.decrements_dma_size) {
            expected.DmaSize -= static_cast<u32>(end);
        }
        if (std::memcmp(&expected, &args, sizeof args) != 0) {
            result.problem = "PGB-04: a member that is not the driver's was changed";
            return result;
        }
        result.problem = parse_stream(words_at(start), end / 4, Hw::shape.grain, each);
        std::memcpy(start, fresh_.data() + (memory_.size() - room), end);
        if (result.problem.empty()) {
            result.problem = judged(result, Hw::shape, smallest_paging_buffer<Hw>.n, dma_size, hw.faults - faults);
        }
        return result;
    }

    /// The same, records kept in the result.
    template <class Hw, class Args>
    pass_result pass(Hw& hw, Args& args, u64 dma_size) {
        std::vector<recorded_command> commands;
        pass_result result = pass(hw, args, dma_size, keeper{commands});
        result.commands = std::move(commands);
        return result;
    }

    /// Calls until the operation is complete, each time with the room that `choose` gives, in bytes.
    template <class Hw, class Args, class Choose>
    pass_result run(Hw& hw, Args& args, Choose&& choose) {
        pass_result all;
        args.MultipassOffset = 0;
        for (u64 without_progress = 0;;) {
            u64 const room = choose();
            pass_result one = pass(hw, args, room, keeper{all.commands});
            all.status = one.status;
            all.next_token = one.next_token;
            all.written_dwords += one.written_dwords;
            all.private_bytes += one.private_bytes;
            all.problem = std::move(one.problem);
            without_progress = one.next_token != one.first_token ? 0 : without_progress + 1;
            if (without_progress > 64) {
                all.problem = "PGB-05: sixty-four passes without progress";
            }
            if (!all.problem.empty() || one.status != status::graphics_insufficient_dma_buffer) {
                return all;
            }
        }
    }

    /// The private data of the last pass.
    [[nodiscard]] u8 const* private_data() const {
        return reinterpret_cast<u8 const*>(private_.data() + (private_.size() - private_size));
    }

private:
    // What does not depend on the hardware's type is compiled once for all of them.
    struct keeper {
        std::vector<recorded_command>& commands;
        void operator()(recorded_command const& one) const { commands.push_back(one); }
    };

    [[nodiscard]] static u32 const* words_at(std::byte const* at) { return reinterpret_cast<u32 const*>(at); }

    /// @param smallest  bytes of the smallest buffer in which a pass gets on
    [[nodiscard]] std::string judged(pass_result const& pass, engine_shape const& shape, u64 smallest, u64 dma_size,
                                     u32 faults) const {
        switch (pass.status) {
            case status::success: break;
            case status::graphics_insufficient_dma_buffer:
                if (dma_size == 0) {
                    return "OBS-02: INSUFFICIENT without a buffer";
                }
                if (pass.next_token < pass.first_token) {
                    return "PGB-05: the token went back";
                }
                if (pass.next_token == pass.first_token && pass.written_dwords != 0) {
                    return "PGB-05: commands were written that the token does not know";
                }
                if (dma_size / 4 / shape.grain * shape.grain >= pass.written_dwords + smallest / 4 &&
                    private_size >= shape.record_bytes) {
                    return "PGB-01: INSUFFICIENT although the next command fits";
                }
                if (pass.next_token == pass.first_token && dma_size >= smallest && private_size >= shape.record_bytes) {
                    return "PGB-05: no progress in a buffer of the smallest size";
                }
                break;
            case status::graphics_allocation_busy:
            case status::invalid_parameter:
                if (pass.written_dwords != 0 || pass.next_token != pass.first_token || pass.private_bytes != 0) {
                    return "PGB-04: something was committed although nothing was done";
                }
                break;
            default: return "PGB-08: an illegal status";
        }
        if (faults > 1) {
            return "the fault hook was called more than once";
        }
        if ((pass.status == status::invalid_parameter) > (faults == 1)) {
            return "PGB-08: STATUS_INVALID_PARAMETER without the fault hook";
        }
        return {};
    }

    guarded_buffer memory_;
    guarded_buffer private_;
    std::vector<u8> fresh_;  ///< what the memory holds between two passes
    u64 passes_ = 0;
};

}  // namespace wddmcore::testing

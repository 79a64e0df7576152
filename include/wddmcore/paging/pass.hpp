// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/casts.hpp"
#include "../ddi/ntstatus.hpp"
#include "../hw/defaults.hpp"
#include "../hw/promises/fault_hook.hpp"
#include "finding.hpp"
#include "writer.hpp"

/// How a pass begins and ends, the same for every operation: one place knows what is committed and what is returned.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Tells the driver's hook of a broken rule, and turns its answer into the status for the system (law 5).
///
/// @return success when the hook drops a harmless request, else invalid_parameter: the system stops, nothing was
///         committed
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus report(auto& hw, paging_operation operation, paging_rule rule,
                                                          u64 value, u64 limit) noexcept {
    disposition const answer = hw.on_paging_fault(paging_fault{operation, rule, value, limit});
    return answer == disposition::dropped && harmless(rule) ? status::success : status::invalid_parameter;
}

/// The same for a finding. Its parts are handed on in registers: as one value it would cost every good request a stack
/// frame.
///
/// @return as report
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus fault(auto& hw, paging_operation operation,
                                                       finding const& problem) noexcept {
    return report(hw, operation, problem.rule, problem.value, problem.limit);
}

/// Judges a request a second time, out of line, and tells what is wrong with it; success where only nothing is left of
/// it. So a good request is decoded in registers and has to know no more than that something is wrong.
///
/// @param request  what `judge` looks at
/// @param judge    (hw, request, values...) to a finding: the same plan that refused; it captures nothing
/// @return as report, or success
template <class Hw, class Request, class Judge, class... Values>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus refuse(Hw& hw, Request const& request, paging_operation operation,
                                                          Judge judge, Values... values) noexcept {
    finding const problem = judge(hw, request, values...);
    return problem.any ? fault(hw, operation, problem) : status::success;
}

/// Answers a token that is not inside the work: past its end is a fault, at its end nothing is left (PGB-04).
///
/// @return success when the token stands at the end, else as report
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus nothing_left(auto& hw, paging_operation operation, u32 token,
                                                                u64 count) noexcept {
    finding const problem = check_token(token, count);
    return problem.any ? fault(hw, operation, problem) : status::success;
}

/// Whether there is a buffer at all: neither pDmaBuffer NULL nor DmaSize 0 (OBS-02).
[[nodiscard]] WDDMCORE_INLINE constexpr bool has_buffer(auto const& args) noexcept {
    return args.pDmaBuffer != nullptr && args.DmaSize != 0;
}

/// Judges the buffer of an operation that needs one: it is there, it begins at a dword, and it has private data where
/// the hardware type keeps records (PGB-11, PGB-03, PGB-13).
///
/// Without private data no buffer would do, and the system would come back for ever (PGB-05). Private data that is too
/// small is no fault: there is room for the record in the next buffer's.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_buffer(Args const& args) noexcept {
    if (!has_buffer(args)) {
        return found(paging_rule::no_buffer, args.DmaSize);
    }
    if constexpr (constexpr bytes record = hw::record_bytes_of<Hw>(); record.n != 0) {
        if (args.pDmaBufferPrivateData == nullptr) {
            return found(paging_rule::no_private_data, args.DmaBufferPrivateDataSize, record.n);
        }
    }
    u32 const past = casts::bytes_past_dword(casts::dma_words(args.pDmaBuffer));
    return past == 0 ? nothing_wrong : found(paging_rule::misaligned_buffer, past, 4);
}

/// The room of this pass. It is rounded down to the stream's grain first, so that padding always fits (PGB-03).
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr dma_writer open(Args const& args) noexcept {
    return {casts::dma_words(args.pDmaBuffer), round_down<u32>(static_cast<u32>(args.DmaSize) / 4, Hw::unit_dwords.n)};
}

/// Whether a pass can begin: check_buffer finds nothing wrong, and there is room for `need` dwords.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr bool can_begin(Args const& args, dwords need) noexcept {
    if constexpr (hw::record_bytes_of<Hw>().n != 0) {
        if (args.pDmaBufferPrivateData == nullptr) {
            return false;
        }
    }
    // DmaSize is not compared with 0: with room for a command it is more.
    return casts::bytes_past_dword(casts::dma_words(args.pDmaBuffer)) == 0 && args.pDmaBuffer != nullptr &&
           open<Hw>(args).has(need);
}

/// A pass that cannot begin (can_begin), with the token inside the work: it changes nothing.
///
/// @return graphics_insufficient_dma_buffer when only room is missing, else as report
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus cannot_begin(Hw& hw, Args const& args,
                                                                paging_operation operation) noexcept {
    finding const problem = check_buffer<Hw>(args);
    return problem.any ? fault(hw, operation, problem) : status::graphics_insufficient_dma_buffer;
}

/// Pads the pass to the stream's grain.
template <class Hw>
constexpr void pad(Hw const& hw, dma_writer& writer, u32 written) noexcept {
    if constexpr (Hw::unit_dwords.n != 1) {
        if (u32 const over = written % Hw::unit_dwords.n; over != 0) {
            dwords const fill{Hw::unit_dwords.n - over};
            hw.encode_padding(writer.take(fill), fill);
        }
    }
}

/// Commits a pass: the buffer's pointer, the private data and the token, together (PGB-02, PGB-04).
///
/// DmaSize stays as it came, unless the hardware type asks for the other reading of its page (AMB-06). No [in] member
/// is written. A pass that could write nothing changes nothing.
///
/// @return success, or graphics_insufficient_dma_buffer when work is left
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus commit(Hw const& hw, Args& args, dma_writer writer,
                                                        progress reached) noexcept {
    u32* const begin = casts::dma_words(args.pDmaBuffer);
    u32 const commands = static_cast<u32>(writer.at - begin);
    constexpr bytes record = hw::record_bytes_of<Hw>();
    if (commands != 0) {
        if constexpr (record.n != 0) {
            if (args.DmaBufferPrivateDataSize < record.n) {
                return status::graphics_insufficient_dma_buffer;
            }
        }
        pad(hw, writer, commands);
        u32 const written = static_cast<u32>(writer.at - begin) * 4;
        if constexpr (record.n != 0) {
            hw.encode_record(args.pDmaBufferPrivateData,
                             paging_record{static_cast<paging_operation>(static_cast<u32>(args.Operation)), written,
                                           static_cast<u32>(args.MultipassOffset), reached.token});
            args.pDmaBufferPrivateData = casts::private_data_after(args.pDmaBufferPrivateData, record);
        }
        args.pDmaBuffer = writer.at;
        if constexpr (hw::decrements_dma_size<Hw>) {
            args.DmaSize -= written;
        }
    }
    args.MultipassOffset = reached.token;
    return reached.what == outcome::done ? status::success : status::graphics_insufficient_dma_buffer;
}

/// A pass of one command, which `encode` writes in `need` dwords: the token is 0 before it and 1 after it.
///
/// @return success; graphics_insufficient_dma_buffer when it does not fit; else as report
template <class Hw, class Args, class Encode>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus one_command(Hw& hw, Args& args, paging_operation operation,
                                                             dwords need, Encode encode) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token != 0) [[unlikely]] {
        return nothing_left(hw, operation, token, 1);
    }
    if (!can_begin<Hw>(args, need)) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    dma_writer writer = open<Hw>(args);
    encode(writer.take(need));
    return commit(hw, args, writer, progress{outcome::done, 1});
}

/// The same at once, by a call of `store`: never a second time.
[[nodiscard]] constexpr ntstatus one_store(auto& hw, auto& args, paging_operation operation, auto store) noexcept {
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token != 0) [[unlikely]] {
        return nothing_left(hw, operation, token, 1);
    }
    store();
    args.MultipassOffset = 1;
    return status::success;
}

/// By command where there is a buffer and hardware that can, else at once (PGB-11).
///
/// @tparam ByCommand, AtOnce   what the hardware can do, at least one of them
/// @param commands, stores     (hw) to the answer; only of what the hardware can do the body is compiled
template <bool ByCommand, bool AtOnce>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus by_command_or_at_once(auto& hw, auto const& args, auto commands,
                                                                       auto stores) noexcept {
    if constexpr (!ByCommand) {
        return stores(hw);
    } else {
        if constexpr (AtOnce) {
            if (!has_buffer(args)) {
                return stores(hw);
            }
        }
        return commands(hw);
    }
}

/// Whether the driver must be told to come back with an idle allocation: only while nothing was done, and only while
/// the idle flag is clear (PGB-09).
[[nodiscard]] WDDMCORE_INLINE constexpr bool must_wait(auto const& hw, auto const& args, void* allocation,
                                                       bool idle) noexcept {
    return !idle && args.MultipassOffset == 0 && hw::is_busy(hw, allocation);
}

}  // namespace wddmcore::paging::detail

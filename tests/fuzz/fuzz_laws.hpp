// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_call.hpp"
#include "fuzz_cpu_stores.hpp"
#include "fuzz_hardware.hpp"
#include "fuzz_model.hpp"
#include "fuzz_packets_amd.hpp"
#include "fuzz_packets_cpu.hpp"
#include "fuzz_packets_intel.hpp"
#include "fuzz_packets_nvidia.hpp"
#include "fuzz_request.hpp"
#include "fuzz_stream.hpp"

#include <cstring>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// One call of build_paging_buffer, and whether what came of it is allowed (law 5) and right.
template <class Hw, class Args>
class checked_pass {
public:
    checked_pass(Hw& hw, request<Args>& os) : hw_(hw), os_(os), before_(os.args), expected_(judge(hw, before_)) {
        hw.faults = 0;
        if constexpr (recording<Hw>) {
            hw.stored = 0;
        }
        if constexpr (example_packets<Hw>) {
            cpu_stores<Hw, Args>(hw, before_).prepare();
        }
        done_at_once.count = 0;
        entry_stores.count = 0;
        entry_stores.finished = 0;
        if constexpr (nvidia_packets<Hw>) {
            hw.stream = {static_cast<u32 const*>(os.args.pDmaBuffer), {nvidia_stream_address, {}}};
            hw.stream.place.in = Hw::from_virtual(gpu_virtual_address{0}).in;
        }
        status_ = call_driver(hw, os.args);
        check_status();
        check_arguments();
        check_buffer();
        if constexpr (recording<Hw>) {
            check_content();
        }
        if constexpr (example_packets<Hw>) {
            check_packets();
        }
    }

    [[nodiscard]] ntstatus status() const { return status_; }
    [[nodiscard]] expectation<Hw> const& expected_result() const { return expected_; }
    [[nodiscard]] u64 moved() const { return moved_; }

private:
    Hw& hw_;
    request<Args> const& os_;
    Args const before_;
    expectation<Hw> const expected_;
    ntstatus status_;
    u64 moved_ = 0;

    static constexpr u32 grain_bytes = Hw::unit_dwords.n * 4;
    static constexpr u64 record = hw::record_bytes_of<Hw>().n;

    [[nodiscard]] bool has_buffer() const { return before_.pDmaBuffer != nullptr && before_.DmaSize != 0; }
    [[nodiscard]] bool record_fits() const {
        return record == 0 || (before_.pDmaBufferPrivateData != nullptr && before_.DmaBufferPrivateDataSize >= record);
    }
    [[nodiscard]] u8 const* write_position() const { return static_cast<u8 const*>(os_.args.pDmaBuffer); }
    [[nodiscard]] usize written() const {
        return static_cast<usize>(write_position() - static_cast<u8 const*>(before_.pDmaBuffer));
    }
    [[nodiscard]] bool need_buffer() const { return status_ == status::graphics_insufficient_dma_buffer; }

    /// Whether something is, or may be, found while commands are written.
    [[nodiscard]] bool may_be_refused_late() const { return expected_.unreachable != ~u64{0}; }

    void check_hook() const {
        require(hw_.faults == 1, "law 5: the fault hook hears of it once");
        require(static_cast<u32>(hw_.last_fault.operation) == before_.Operation,
                "law 5: the hook is told the operation");
        require(std::strcmp(rule_id(hw_.last_fault.rule), "?") != 0, "law 5: the hook is told a rule");
        bool const let_go = hw_.answer == disposition::dropped && harmless(hw_.last_fault.rule);
        require(status_ == (let_go ? status::success : status::invalid_parameter),
                "law 5: what the hook's answer becomes");
        require(harmless(hw_.last_fault.rule) == (expected_.what == verdict::harmless),
                "law 5: harmless only without work");
    }

    void check_status() const {
        require(!need_buffer() || has_buffer(), "OBS-02: never INSUFFICIENT without a buffer");
        switch (expected_.what) {
            case verdict::wrong:
            case verdict::harmless: check_hook(); return;
            case verdict::busy: require(status_ == status::graphics_allocation_busy, "PGB-09: busy"); break;
            case verdict::nothing: require(status_ == status::success, "PGB-04: nothing is left to do"); break;
            case verdict::work: check_progress(); break;
        }
        if (expected_.what != verdict::work || !may_be_refused_late()) {
            require(hw_.faults == 0, "law 5: the hook hears of nothing that is right");
        }
    }

    /// How far the request came. What follows the last of 2^32 tokens is written as 0, by the pass that ends it
    /// (PGB-06).
    [[nodiscard]] u64 reached() const {
        u32 const token = os_.args.MultipassOffset;
        bool const ended = status_ == status::success && expected_.what == verdict::work && token == 0;
        return ended && expected_.count == end_of_tokens ? expected_.count : token;
    }

    void check_progress() const {
        u64 const token = reached();
        if (hw_.faults != 0) {
            require(may_be_refused_late(), "law 5: the hook hears of nothing that is right");
            check_hook();
            return;
        }
        require(status_ == status::success || need_buffer(), "PGB-08: done, or need a buffer");
        require(token <= expected_.unreachable, "ADL-06 GVA-20 OP13-01: what is wrong is not written");
        require(token >= before_.MultipassOffset && token <= expected_.count,
                "PGB-04: the token stays within the work");
        require((status_ == status::success) == (token == expected_.count), "PGB-05: done is when all is done");
        require(!expected_.at_once || status_ == status::success, "PGB-11: what is done at once is done");
        u64 const room = round_down<u64>(before_.DmaSize, grain_bytes);
        if (need_buffer() && room >= smallest_paging_buffer<Hw>.n && record_fits()) {
            require(token > before_.MultipassOffset, "PGB-05: a pass with room advances");
        }
        if (written() != 0) {
            require(token > before_.MultipassOffset && record_fits(), "PGB-05: commands without progress");
        }
    }

    /// Only what a pass may change has changed.
    void check_arguments() const {
        Args after = os_.args;
        if (status_ == status::success || need_buffer()) {
            usize const kept = written() != 0 && record != 0 ? record : 0;
            bool const moved_on = static_cast<u8*>(after.pDmaBufferPrivateData) ==
                                  (kept == 0 ? static_cast<u8*>(before_.pDmaBufferPrivateData)
                                             : static_cast<u8*>(before_.pDmaBufferPrivateData) + kept);
            require(moved_on, "PGB-13: the private data moves with commands");
            u32 const used = hw::decrements_dma_size<Hw> ? static_cast<u32>(written()) : 0;
            require(after.DmaSize == before_.DmaSize - used, "AMB-06: DmaSize");
            after.pDmaBuffer = before_.pDmaBuffer;
            after.pDmaBufferPrivateData = before_.pDmaBufferPrivateData;
            after.DmaSize = before_.DmaSize;
            if (expected_.what == verdict::work) {
                after.MultipassOffset = before_.MultipassOffset;
            }
        }
        require(std::memcmp(&after, &before_, sizeof after) == 0, "PGB-04: no other argument changes");
    }

    /// The write position lies in the buffer at the stream's grain, and nothing behind it was touched.
    void check_buffer() const {
        if (before_.pDmaBuffer == nullptr) {
            require(os_.args.pDmaBuffer == nullptr, "PGB-11: no buffer stays no buffer");
            return;
        }
        u8 const* const begin = os_.buffer().data();
        u8 const* const end = begin + os_.buffer().size();
        u8 const* const first = static_cast<u8 const*>(before_.pDmaBuffer);
        require(write_position() >= first && write_position() <= end, "PGB-02: pDmaBuffer lies in the buffer");
        require(written() % grain_bytes == 0, "PGB-03: a pass is a multiple of the grain");
        require(all_unwritten(begin, first), "PGB-02: nothing is written before the buffer");
        // Bytes that were not committed do not exist for the OS, and only a pass that is refused late has any.
        require(may_be_refused_late() || !record_fits() || all_unwritten(write_position(), end),
                "PGB-02: nothing is written behind the commit");
        if constexpr (record != 0) {
            check_record();
        }
    }

    [[nodiscard]] static bool all_unwritten(u8 const* first, u8 const* end) {
        usize const size = static_cast<usize>(end - first);
        return size == 0 || (*first == unwritten && std::memcmp(first, first + 1, size - 1) == 0);
    }

    void check_record() const {
        exact_block const& data = os_.private_data();
        usize const kept = written() != 0 ? record : 0;
        require(all_unwritten(data.data() + kept, data.data() + data.size()), "PGB-13: nothing behind the record");
        if (kept != 0) {
            u32 const wanted[] = {before_.Operation, static_cast<u32>(written()), before_.MultipassOffset,
                                  os_.args.MultipassOffset};
            require(std::memcmp(data.data(), wanted, sizeof wanted) == 0, "PGB-13: what the record says");
        }
    }

    /// The commands, or the entries that were stored at once, are the work that the token counts.
    void check_content() {
        u32 const from = before_.MultipassOffset;
        u64 const to = reached();
        u32 const others = done_at_once.count + entry_stores.count + entry_stores.finished;
        if (expected_.what != verdict::work || hw_.faults != 0) {
            require(hw_.stored + others == 0, "law 5: nothing is stored for a request that is not done");
            return;
        }
        if (!expected_.at_once) {
            require(hw_.stored + others == 0, "PGB-10: nothing is stored at once where commands can be written");
            u32 const* const words = reinterpret_cast<u32 const*>(before_.pDmaBuffer);
            moved_ = stream_check<Hw, Args>(hw_, before_, expected_, from, to).follow(words, written() / 4);
            return;
        }
        require(written() == 0, "PGB-11: no command for what was done at once");
        if constexpr (late<Hw>) {
            if (before_.Operation == 11) {
                check_table(from, to);
                return;
            }
            require(entry_stores.count + entry_stores.finished == 0, "OP11-04: no entry for another operation");
            if (before_.Operation >= 10 && before_.Operation != 17) {
                require(hw_.stored == 0, "OP05-01: no aperture entry for another operation");
                stream_check<Hw, Args>(hw_, before_, expected_, from, to)
                    .follow_calls(done_at_once.list, done_at_once.count);
                return;
            }
        }
        check_aperture(from, to);
    }

    /// The same of an example: its packets, or what the CPU stored into its memory.
    void check_packets() {
        u32 const from = before_.MultipassOffset;
        u64 const to = reached();
        bool const done = expected_.what == verdict::work && hw_.faults == 0;
        cpu_stores<Hw, Args>(hw_, before_).check(expected_, from, to, done && expected_.at_once);
        if (done && expected_.at_once) {
            require(written() == 0, "PGB-11: no command for what was done at once");
            if (before_.Operation == 11) {
                check_table(from, to);
                return;
            }
        }
        require(entry_stores.count + entry_stores.finished == 0, "OP11-04: no entry for another operation");
        if constexpr (nvidia_packets<Hw>) {
            if (done && expected_.at_once && before_.Operation != 5 && before_.Operation != 6 &&
                before_.Operation != 17) {
                stream_check<Hw, Args>(hw_, before_, expected_, from, to)
                    .follow_calls(done_at_once.list, done_at_once.count);
                return;
            }
        }
        require(done_at_once.count == 0, "law 5: nothing is told for a request that is not done");
        if (!done || expected_.at_once) {
            return;
        }
        u32 const* const words = reinterpret_cast<u32 const*>(before_.pDmaBuffer);
        if constexpr (amd_packets<Hw>) {
            moved_ = amd_stream<Hw, Args>(hw_, before_, expected_, from, to).follow(words, written() / 4);
        } else if constexpr (cpu_packets<Hw>) {
            moved_ = cpu_stream<Hw, Args>(hw_, before_, expected_, from, to).follow(words, written() / 4);
        } else if constexpr (nvidia_packets<Hw>) {
            moved_ = nvidia_stream<Hw, Args>(hw_, before_, expected_, from, to).follow(words, written() / 4);
        } else {
            moved_ = intel_stream<Hw, Args>(hw_, before_, expected_, from, to).follow(words, written() / 4);
        }
    }

    /// The entries of a page table that the CPU stored.
    void check_table(u64 from, u64 to) const {
        if constexpr (recording<Hw>) {
            require(hw_.stored == 0, "OP11-04: entries, and nothing else");
        }
        require(done_at_once.count == 0, "OP11-04: entries, and nothing else");
        if constexpr (late<Hw>) {
            update_stream<Hw, Args> entries(hw_, expected_, from, to);
            if (before_.UpdatePageTable.UpdateMode != 0) {
                require(entry_stores.count == 0, "OP11-03: nothing is stored in the other modes");
                return;
            }
            exact_block const& memory = os_.table_memory();
            u8 const* const table = static_cast<u8 const*>(before_.UpdatePageTable.PageTableAddress.CpuVirtual);
            entries.stored(table, static_cast<u64>(memory.data() + memory.size() - table));
        }
    }

    /// The entries of an aperture that were stored at once.
    void check_aperture(u64 from, u64 to) const {
        require(hw_.stored == to - from, "OP05-01: one store an entry");
        aperture_request const request = aperture_request::of(before_);
        for (u64 i = from; i != to; ++i) {
            stored_entry const wanted{request.segment, request.first + i, expected_.entry(i), request.coherent};
            require(hw_.stores[i - from] == wanted, "OP05-01: entry k gets page k");
        }
    }
};

}  // namespace wddmcore::testing::fuzz

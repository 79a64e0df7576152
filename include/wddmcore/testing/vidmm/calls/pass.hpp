// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "build_call.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

enum class pass_outcome : std::uint8_t {
    done,     ///< success
    more,     ///< insufficient buffer: go on with MultipassOffset
    busy,     ///< once more with AllocationIsIdle
    stopped,  ///< a rule was broken in a way that leaves nothing to go on with
};

/// One call of DxgkDdiBuildPagingBuffer, with everything that can be judged from the call alone.
class pass : private build_call {
public:
    using build_call::build_call;

    [[nodiscard]] pass_outcome run() {
        ++op_.passes;
        call();
        pass_outcome const outcome = judge_status();
        if (outcome == pass_outcome::stopped || !judge_pointers()) {
            return pass_outcome::stopped;
        }
        judge_members();
        judge_bytes();
        judge_side_effects();
        commit(outcome);
        return m_.stopped ? pass_outcome::stopped : outcome;
    }

    [[nodiscard]] std::uint32_t token() const { return out_.multipass; }
    [[nodiscard]] std::uint32_t written() const { return written_; }

private:
    [[nodiscard]] pass_outcome judge_status() {
        m_.report.exercised(vidmm_rule::pgb_08);
        if (r_.no_buffer) {
            m_.report.exercised(vidmm_rule::pgb_11);
        }
        if (status_ == status::success) {
            return pass_outcome::done;
        }
        if (status_ == status::graphics_insufficient_dma_buffer) {
            if (r_.no_buffer) {
                m_.broken(r_.is_immediate() ? vidmm_rule::op11_04 : vidmm_rule::pgb_11,
                          "there is no buffer, and the driver wants a larger one", where(), false);
                return pass_outcome::stopped;
            }
            return pass_outcome::more;
        }
        if (status_ == status::graphics_allocation_busy) {
            if (!r_.may_be_busy()) {
                m_.broken(vidmm_rule::amb_28, "this operation has no idle flag, and the driver says busy", where(),
                          false);
                return pass_outcome::stopped;
            }
            if (r_.idle) {
                m_.broken(vidmm_rule::pgb_09, "the driver says busy although AllocationIsIdle is set", where(), false);
                return pass_outcome::stopped;
            }
            return pass_outcome::busy;
        }
        m_.broken(vidmm_rule::pgb_08,
                  "the build function returns status " + hex(static_cast<std::uint32_t>(status_)) +
                      ", on which the system stops (OBS-01)",
                  where(), false);
        return pass_outcome::stopped;
    }

    [[nodiscard]] bool judge_pointers() {
        auto const number = [](std::byte const* p) { return reinterpret_cast<std::uintptr_t>(p); };
        m_.report.exercised(vidmm_rule::pgb_01);
        m_.report.exercised(vidmm_rule::pgb_02);
        if (number(out_.buffer) < number(in_.buffer)) {
            m_.broken(vidmm_rule::pgb_02, "pDmaBuffer comes back in front of where it was", where(), false);
            return false;
        }
        if (number(out_.buffer) - number(in_.buffer) > in_.buffer_size) {
            m_.broken(vidmm_rule::pgb_01, "pDmaBuffer comes back past the end of the buffer", where(), false);
            return false;
        }
        written_ = static_cast<std::uint32_t>(number(out_.buffer) - number(in_.buffer));
        if (in_.private_size != 0) {
            m_.report.exercised(vidmm_rule::pgb_13);
        }
        if (number(out_.private_data) < number(in_.private_data) ||
            number(out_.private_data) - number(in_.private_data) > in_.private_size) {
            m_.broken(vidmm_rule::pgb_13, "pDmaBufferPrivateData comes back outside its area", where(), false);
            return false;
        }
        private_written_ = static_cast<std::uint32_t>(number(out_.private_data) - number(in_.private_data));
        return true;
    }

    void judge_members() {
        m_.report.exercised(vidmm_rule::amb_06);
        if (out_.buffer_size != in_.buffer_size && out_.buffer_size != in_.buffer_size - written_) {
            m_.broken(vidmm_rule::amb_06,
                      "DmaSize went from " + std::to_string(in_.buffer_size) + " to " +
                          std::to_string(out_.buffer_size) + " while " + std::to_string(written_) +
                          " bytes were written",
                      where(), true);
        }
        if (out_.private_size != in_.private_size && out_.private_size != in_.private_size - private_written_) {
            m_.broken(vidmm_rule::pgb_13,
                      "DmaBufferPrivateDataSize went from " + std::to_string(in_.private_size) + " to " +
                          std::to_string(out_.private_size) + " while the pointer moved by " +
                          std::to_string(private_written_),
                      where(), true);
        }
        bool const is_transfer = r_.is_transfer() && !r_.is_virtual();
        if (is_transfer) {
            m_.report.exercised(vidmm_rule::op00_04);
        }
        if (changed_member_) {
            std::size_t const at = *changed_member_;
            bool const offset = is_transfer && at >= m_.calls.transfer_offset && at < m_.calls.transfer_offset + 4;
            m_.broken(offset ? vidmm_rule::op00_04 : vidmm_rule::pgb_02,
                      offset ? "the driver writes TransferOffset"
                             : "the driver writes an [in] member, at byte " + std::to_string(at) + " of the arguments",
                      where(), true);
        }
        if (op_.list->changed()) {
            m_.broken(vidmm_rule::pgb_02, "the driver writes into the page list", where(), true);
        }
    }

    void judge_bytes() {
        if (buffer_ == nullptr) {
            return;
        }
        m_.report.exercised(vidmm_rule::pgb_16);
        std::uint32_t const begin = r_.no_buffer ? buffer_->size : buffer_->position;
        if (auto const at = buffer_->changed_outside(begin, begin + written_)) {
            if (*at < begin) {
                m_.broken(vidmm_rule::pgb_16, "a byte in front of pDmaBuffer changed, which belongs to another window",
                          here(*at), true);
            } else if (*at >= buffer_->size) {
                m_.broken(vidmm_rule::pgb_01, "a byte past the end of the buffer changed", here(*at), true);
            } else if (status_ == status::success || written_ != 0) {
                // Of a pass that commits nothing nothing exists for the system.
                m_.broken(vidmm_rule::pgb_02, "a byte past the returned pDmaBuffer changed", here(*at), true);
            }
        }
        if (!buffer_->watched()) {
            return;
        }
        m_.report.exercised(vidmm_rule::law_04);
        for (watched_violation const& v : buffer_->law_violations()) {
            m_.broken(v.rule == watched_rule::out_of_bounds ? vidmm_rule::pgb_01 : vidmm_rule::law_04, v.sentence,
                      where(), true);
        }
        if (!buffer_->wrote_all(begin, begin + written_)) {
            m_.broken(vidmm_rule::law_04, "a byte in front of the returned pDmaBuffer was never written", where(),
                      true);
        }
    }

    void judge_side_effects() {
        if (!op_.effect.empty()) {
            m_.report.exercised(vidmm_rule::pgb_10);
        }
        if (touched_memory_ || stray_) {
            m_.broken(r_.operation == paging_operation::copy_page_table_entries ? vidmm_rule::op14_02
                                                                                : vidmm_rule::pgb_10,
                      touched_memory_ ? "the build function changed the memory that the commands are to move"
                                      : "the build function used the engine's memory at " + hex(*stray_),
                      where(), false);
        }
        if (r_.is_transfer() && r_.size == 0) {
            m_.report.exercised(vidmm_rule::op00_09);
            if (written_ != 0) {
                m_.broken(vidmm_rule::op00_09, "the transfer has no bytes, and commands were written", where(), true);
            }
        }
    }

    // Bytes that the driver did not commit do not exist for the system, and an operation that was busy did not happen.
    void commit(pass_outcome outcome) {
        if (buffer_ == nullptr || outcome == pass_outcome::busy) {
            written_ = 0;
            show();
            return;
        }
        buffer_->position += written_;
        buffer_->private_position += private_written_;
        op_.wrote = op_.wrote || written_ != 0;
        m_.report.of(r_.operation).command_bytes += written_;
        show();
        if (written_ != 0) {
            m_.report.exercised(vidmm_rule::pgb_03);
            if (buffer_->position % m_.options.command_alignment != 0) {
                m_.broken(vidmm_rule::pgb_03,
                          "the commands end at byte " + std::to_string(buffer_->position) +
                              " of the buffer, not at a multiple of " + std::to_string(m_.options.command_alignment),
                          where(), buffer_->position % 4 == 0);
            }
        }
    }

    // In the trace. What it wrote is on its way from here on.
    void show() {
        std::uint64_t const took = 200 + written_;
        op_.flow = 0;
        if (m_.events.kept()) {
            m_.events.span(track_driver, std::string("build ") + name(r_.operation), m_.clock, took,
                           {trace::argument::number("request", r_.serial), trace::argument::number("pass", op_.passes),
                            trace::argument::number("bytes", written_),
                            trace::argument::number("MultipassOffset", out_.multipass)});
            if (written_ != 0) {
                op_.flow = m_.events.new_flow();
                m_.events.flow(op_.flow, track_system, m_.clock);
                m_.events.flow(op_.flow, track_driver, m_.clock);
            }
        }
        m_.clock += took;
    }

    [[nodiscard]] std::string here(std::uint32_t at) const { return where() + ", byte " + std::to_string(at); }

    std::uint32_t written_ = 0;
    std::uint32_t private_written_ = 0;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../machine.hpp"
#include "operation.hpp"
#include "paging_buffer.hpp"

#include <chrono>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What one call of the build function was given and what came back; nothing is judged here.
class build_call {
public:
    build_call(machine& m, operation& op, paging_buffer* buffer, std::uint32_t token)
        : m_(m), op_(op), r_(op.asked), buffer_(buffer), in_(envelope_of(token)) {}

    /// Calls the driver.
    void call() {
        auto const args = m_.memory_for_calls.lend(m_.calls.build_size, loan_side::end, m_.junk(),
                                                   "the argument structure", vidmm_rule::pgb_02);
        m_.calls.fill_build(args->data(), r_, in_, *op_.list);
        std::vector<std::byte> const before = copy_of(*args);
        bool const no_cpu_address = r_.operation == paging_operation::map_aperture_segment2 &&
                                    r_.cpu_visible == nullptr && r_.allocation_handle != nullptr;
        journal::current().call("build_paging_buffer, " + where(), r_.no_buffer,
                                no_cpu_address ? std::optional(vidmm_rule::op17_05) : std::nullopt,
                                r_.allocation_handle == nullptr ? "; hAllocation is NULL in this call (PGB-21)" : "");
        choose_inspected();
        std::uint64_t const destination = r_.is_immediate() ? 0 : fingerprint(&extent::destination);
        std::uint64_t const source = fingerprint(&extent::source);
        static_cast<void>(m_.bus.stray_access());
        if (buffer_ != nullptr) {
            buffer_->begin_call();
        }
        auto const started = std::chrono::steady_clock::now();
        status_ = m_.table.build_paging_buffer(m_.table.adapter, args->data());
        auto const ended = std::chrono::steady_clock::now();
        if (buffer_ != nullptr) {
            buffer_->end_call();
        }
        out_ = m_.calls.read(args->data());
        changed_member_ = m_.calls.changed(args->data(), before.data());
        touched_memory_ = destination != (r_.is_immediate() ? 0 : fingerprint(&extent::destination)) ||
                          source != fingerprint(&extent::source);
        stray_ = m_.bus.stray_access();
        args->end();

        vidmm_operation_statistics& s = m_.report.of(r_.operation);
        ++s.passes;
        s.build_ns +=
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(ended - started).count());
    }

    [[nodiscard]] std::string where() const {
        return describe(r_) + ", pass " + std::to_string(op_.passes) + ", MultipassOffset " +
               std::to_string(in_.multipass) + ", buffer position " + std::to_string(in_.write_offset) + ", DmaSize " +
               std::to_string(in_.buffer_size);
    }

protected:
    machine& m_;
    operation& op_;
    request const& r_;
    paging_buffer* buffer_;
    envelope in_;
    envelope out_;
    ntstatus status_ = 0;
    std::optional<std::size_t> changed_member_;  ///< where an [in] member was written, in bytes
    std::optional<std::uint64_t> stray_;         ///< what the driver used of the engine's memory
    bool touched_memory_ = false;                ///< what is to be moved was changed

private:
    [[nodiscard]] envelope envelope_of(std::uint32_t token) {
        envelope e;
        e.multipass = token;
        e.system_context = m_.named_paging_context();
        if (void* const real = m_.options.physical_adapter && m_.context_of ? m_.context_of(nullptr) : nullptr) {
            e.system_context = real;
        }
        if (buffer_ != nullptr && !r_.no_buffer) {
            e.buffer = buffer_->data() + buffer_->position;
            e.buffer_size = buffer_->size - buffer_->position;
            e.write_offset = buffer_->position;
        } else if (buffer_ != nullptr) {
            e.buffer = buffer_->data() + buffer_->size;  // OBS-02 in its second form: a pointer, and no bytes
            e.write_offset = buffer_->size;
        }
        if (buffer_ != nullptr && buffer_->private_size != 0) {
            e.private_data = buffer_->private_data() + buffer_->private_position;
            e.private_size = buffer_->private_size - buffer_->private_position;
        }
        return e;
    }

    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t extent::* side) {
        std::uint64_t sum = 0;
        if (side == &extent::source && (r_.is_fill() || r_.is_late())) {
            return sum;
        }
        std::uint64_t const most = m_.options.inspected_bytes == 0 ? ~std::uint64_t{0} : m_.options.inspected_bytes;
        std::uint64_t left = most;
        for (std::size_t i = first_inspected_; i < op_.effect.size() && left != 0; i += inspected_step_) {
            extent const& e = op_.effect[i];
            std::uint64_t const size = std::min(e.size, left);
            sum = mixed(sum ^ m_.memory.fingerprint(e.*side, size));
            left -= size;
        }
        return sum;
    }

    // With a limit only some pieces are looked at: others in each pass, spread over the whole, by seed.
    void choose_inspected() {
        if (m_.options.inspected_bytes == 0 || op_.effect.empty()) {
            return;
        }
        std::uint64_t const pieces = std::max<std::uint64_t>(1, m_.options.inspected_bytes / page_size);
        inspected_step_ = static_cast<std::size_t>((op_.effect.size() + pieces - 1) / pieces);
        first_inspected_ = static_cast<std::size_t>(m_.random.below(inspected_step_));
    }

    std::size_t first_inspected_ = 0;
    std::size_t inspected_step_ = 1;
};

}  // namespace wddmcore::testing::vidmm_parts

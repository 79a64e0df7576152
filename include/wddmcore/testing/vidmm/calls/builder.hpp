// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pass.hpp"
#include "window_queue.hpp"

#include <deque>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Takes one request through all its passes, with buffers of any size and any position.
class builder {
public:
    builder(machine& m, window_queue& queue) : m_(m), queue_(queue) {}

    /// Builds the request; submission and execution may come later.
    void run(std::shared_ptr<operation> op) {
        if (m_.stopped) {
            return;
        }
        request& r = op->asked;
        r.serial = ++serial_;
        op->prepare();
        op->list = std::make_shared<handed_list>(r, m_.memory_for_calls, m_.junk());
        if (r.list.contiguous) {
            journal::current().hand_over_number(r.list.numbers.front(), r.list.numbers.size() * sizeof(usize),
                                                "the base page number of a contiguous ADL", vidmm_rule::op17_04);
        }
        if (r.is_table_update() && r.late.mode == page_table_update_mode::gpu_virtual) {
            journal::current().hand_over_number(r.late.address, 1 << 16, "the GPU virtual address of a page table",
                                                vidmm_rule::op11_03);
        }
        if (r.is_map() || r.is_unmap() || r.is_immediate()) {
            queue_.drain();  // such an operation may be done at once, so nothing may still use the old mapping
        }
        queue_.change_to(op->in);
        bool const told_busy = r.may_be_busy() && !r.idle && m_.options.set_busy && r.allocation_handle != nullptr &&
                               m_.random.chance(m_.options.chances.busy);
        if (told_busy) {
            m_.options.set_busy(r.allocation_handle, true);
        }
        std::uint64_t const asked_at = m_.clock;
        passes(op, told_busy);
        if (m_.events.kept()) {
            m_.events.span(track_system, name(r.operation), asked_at, m_.clock - asked_at,
                           {trace::argument::number("request", r.serial), trace::argument::number("passes", op->passes),
                            trace::argument::number("bytes", r.size)});
        }
        if (told_busy) {
            m_.options.set_busy(r.allocation_handle, false);
        }
        retire(*op);
    }

    /// Everything that was built is executed.
    void drain() { queue_.drain(); }

    [[nodiscard]] std::uint64_t requests() const { return serial_; }

private:
    static constexpr std::uint32_t most_passes = 1 << 20;
    static constexpr std::size_t most_kept = 1024;  // an address range each

    // What a driver may no longer read; page lists that do not expire stay for a while (AMB-60).
    void retire(operation& op) {
        bool const expires = m_.options.page_lists_expire;
        if (op.list->has_list() && expires) {
            m_.report.exercised(vidmm_rule::amb_60);
        } else if (op.list->has_list() && (kept_.empty() || kept_.back() != op.list)) {
            kept_.push_back(op.list);
            if (kept_.size() > most_kept) {
                kept_.front()->retire();
                kept_.pop_front();
            }
        }
        op.list->retire(expires);
    }

    void passes(std::shared_ptr<operation> const& op, bool told_busy) {
        request& r = op->asked;
        std::uint32_t token = 0;
        std::set<std::uint32_t> begun;
        bool need_fresh = m_.options.packing == vidmm_packing::fresh ||
                          (m_.options.packing == vidmm_packing::by_seed && m_.random.chance(30));
        while (!m_.stopped) {
            std::shared_ptr<paging_buffer> const buffer = r.no_buffer ? empty_buffer() : room(need_fresh);
            bool const fresh = buffer != nullptr && buffer->position == 0;
            op->last_token = token;
            pass p(m_, *op, buffer.get(), token);
            pass_outcome const outcome = p.run();
            if (outcome == pass_outcome::stopped) {
                return;
            }
            if (outcome == pass_outcome::busy) {
                m_.report.busy_answer();
                if (told_busy) {
                    m_.options.set_busy(r.allocation_handle, false);
                }
                r.idle = true;
                continue;
            }
            if (outcome == pass_outcome::done) {
                op->built = true;
                retire(*op);  // before anything is executed: the lists live no longer than the call
                queue_.add(op, r.no_buffer ? nullptr : buffer, r.no_buffer ? 0 : p.written());
                if (r.no_buffer || m_.hardware == nullptr || m_.options.packing == vidmm_packing::fresh ||
                    m_.random.chance(m_.options.chances.submit)) {
                    queue_.submit();
                }
                if (r.is_immediate()) {
                    queue_.drain();  // nothing but the call itself has had a chance to do the work (OP11-04)
                }
                return;
            }
            // Insufficient: what was written is submitted on its own, and the rest goes into a fresh buffer.
            begun.insert(token);
            op->skipped = op->skipped || (p.written() == 0 && p.token() != token);
            judge_progress(*op, begun, p.token(), token, fresh);
            queue_.add(op, buffer, p.written());
            queue_.submit();
            token = p.token();
            need_fresh = true;
        }
    }

    void judge_progress(operation const& op, std::set<std::uint32_t> const& begun, std::uint32_t now,
                        std::uint32_t before, bool fresh) {
        std::string const state = describe(op.asked) + ", pass " + std::to_string(op.passes) + ", MultipassOffset " +
                                  std::to_string(before) + " -> " + std::to_string(now);
        bool const huge = op.asked.size >> 32 != 0;
        if (fresh) {
            m_.report.exercised(vidmm_rule::pgb_05);
        }
        if (now == before && fresh) {
            m_.broken(vidmm_rule::pgb_05,
                      "a pass with a fresh buffer wants another one, and MultipassOffset has not moved", state, false);
        } else if (now != before && begun.contains(now)) {
            m_.broken(
                huge ? vidmm_rule::pgb_06 : vidmm_rule::pgb_05,
                huge ? "MultipassOffset has come back to an earlier value: it counts bytes, and these do not fit it"
                     : "MultipassOffset has come back to an earlier value",
                state, false);
        } else if (op.passes >= most_passes) {
            m_.broken(vidmm_rule::pgb_05, "the operation does not come to an end", state, false);
        }
    }

    /// A buffer with some room: the open one, or a fresh one.
    [[nodiscard]] std::shared_ptr<paging_buffer> room(bool fresh) {
        if (current_ == nullptr || fresh || current_->size - current_->position < m_.options.command_alignment) {
            queue_.submit();
            current_ = make(m_.options.paging_buffer != 0 ? m_.options.paging_buffer : some_size());
            if (!fresh && m_.options.chances.begun_buffer != 0) {
                begin_late(*current_);
            }
        }
        return current_;
    }

    // As if windows of other operations had been built into it and submitted; mostly a few commands have room.
    void begin_late(paging_buffer& b) {
        std::uint32_t const unit = m_.options.command_alignment;
        std::uint32_t const units = b.size / unit;
        std::uint64_t const left = m_.random.between(1, std::min<std::uint64_t>(units, 24));
        if (m_.random.chance(m_.options.chances.begun_buffer)) {
            b.position = b.window_start = static_cast<std::uint32_t>(units - left) * unit;
        }
    }

    // Small ones often: the partial buffers are where drivers fail. Whole pages end at an inaccessible page.
    [[nodiscard]] std::uint32_t some_size() {
        std::uint32_t const least = m_.options.smallest_paging_buffer;
        std::uint32_t const most = m_.options.largest_paging_buffer;
        std::uint64_t size = m_.random.chance(50)
                                 ? m_.random.between(least, std::min<std::uint64_t>(most, least * 4ULL))
                                 : m_.random.between(least, most);
        if (m_.random.chance(25)) {
            size = least;
        }
        std::uint64_t const step = m_.random.chance(50) ? page_size : m_.options.command_alignment;
        std::uint64_t const rounded = (size + step - 1) / step * step;
        return static_cast<std::uint32_t>(rounded <= std::max<std::uint64_t>(most, page_size) ? rounded : least);
    }

    /// For operations without a buffer (OBS-02): none at all, or a pointer with no room after it.
    [[nodiscard]] std::shared_ptr<paging_buffer> empty_buffer() {
        return m_.random.chance(50) ? nullptr : make(m_.options.command_alignment);
    }

    [[nodiscard]] std::shared_ptr<paging_buffer> make(std::uint32_t size) {
        // In system memory it is the physical address: where the GPU sees that is for the driver to add.
        return std::make_shared<paging_buffer>(m_.memory_for_calls, size, m_.memory.buffer_page(made_++) * page_size,
                                               m_.options, m_.options.watch, m_.junk());
    }

    machine& m_;
    window_queue& queue_;
    std::shared_ptr<paging_buffer> current_;
    std::uint64_t serial_ = 0;
    std::deque<std::shared_ptr<handed_list>> kept_;  // page lists that do not expire
    std::uint64_t made_ = 0;
};

}  // namespace wddmcore::testing::vidmm_parts

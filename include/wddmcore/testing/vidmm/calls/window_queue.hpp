// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../checks/content.hpp"
#include "../machine.hpp"
#include "operation.hpp"
#include "paging_buffer.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Windows of paging buffers on their way: opened by the first pass, submitted with a fence, executed in order.
class window_queue {
public:
    explicit window_queue(machine& m) : m_(m) {}

    /// What one pass wrote, zero bytes included, joins the open window.
    void add(std::shared_ptr<operation> op, std::shared_ptr<paging_buffer> const& buffer, std::uint32_t written) {
        open_.in = op->in;
        if (open_.buffer == nullptr) {
            open_.buffer = buffer;
        }
        std::uint32_t const end = buffer == nullptr ? 0 : buffer->position;
        ++op->parts_left;
        std::uint64_t const flow = op->flow;
        open_.parts.push_back({std::move(op), end - written, end, flow});
    }

    /// What is built next belongs to the context of this address space, and so to a window of its own.
    void change_to(address_space const* in) {
        if (!open_.parts.empty() && open_.in != in) {
            submit();
        }
    }

    /// Ends the open window: Patch and Submit, then execution now or later, by seed.
    void submit() {
        if (open_.parts.empty()) {
            return;
        }
        window w = std::exchange(open_, {});
        if (w.buffer != nullptr) {
            paging_buffer& b = *w.buffer;
            w.start = std::exchange(b.window_start, b.position);
            w.end = b.position;
            w.private_start = std::exchange(b.private_window_start, b.private_position);
            w.private_end = b.private_position;
        }
        if (w.start != w.end && !m_.stopped) {
            hand_over(w);
        }
        submitted_.push_back(std::move(w));
        while (submitted_.size() > m_.options.most_waiting_windows ||
               (!submitted_.empty() && (m_.options.execution == vidmm_execution::at_submit || m_.hardware == nullptr ||
                                        m_.random.chance(m_.options.chances.execute)))) {
            execute_next();
        }
    }

    /// Everything that was built is executed.
    void drain() {
        submit();
        while (!submitted_.empty()) {
            execute_next();
        }
    }

    void drain_if(bool wanted) {
        if (wanted) {
            drain();
        }
    }

    /// A fence is reported, while it is submitted or waited for.
    void reported(std::uint32_t fence) {
        if (outstanding_ != nullptr && outstanding_->fence == fence && !outstanding_->at_report) {
            outstanding_->at_report = destinations(*outstanding_);
        }
    }

    [[nodiscard]] bool idle() const { return open_.parts.empty() && submitted_.empty(); }

private:
    struct part {
        std::shared_ptr<operation> op;
        std::uint32_t start;
        std::uint32_t end;
        std::uint64_t flow;  ///< of these commands, in the trace
    };

    struct window {
        std::shared_ptr<paging_buffer> buffer;
        address_space const* in = nullptr;
        std::vector<part> parts;
        std::uint32_t start = 0;
        std::uint32_t end = 0;
        std::uint32_t private_start = 0;
        std::uint32_t private_end = 0;
        std::uint32_t fence = 0;
        std::uint64_t fingerprint = 0;
        std::optional<std::uint64_t> at_report{};  ///< of the destinations, when the fence was reported
    };

    void hand_over(window& w) {
        paging_buffer& b = *w.buffer;
        if (m_.enter) {
            m_.enter(w.in);
        }
        w.fence = ++last_fence_;
        window_arguments a;
        a.buffer = b.data();
        a.buffer_size = b.size;
        a.buffer_address = b.address;
        a.start = w.start;
        a.end = w.end;
        a.private_data = b.private_data();
        a.private_size = b.private_size;
        a.private_start = w.private_start;
        a.private_end = w.private_end;
        a.fence = w.fence;
        a.node = m_.options.paging_node;
        a.context = m_.named_paging_context();
        if (void* const real = m_.context_of ? m_.context_of(w.in) : nullptr; real != nullptr) {
            a.context = w.in == nullptr && a.context == nullptr ? nullptr : real;
        }
        m_.report.window();
        m_.report.exercised(vidmm_rule::pgb_07);
        b.remember();
        outstanding_ = &w;
        bool const is_virtual = m_.options.addressing == vidmm_addressing::gpu_virtual;
        bool const by_address =
            m_.table.submit_command_virtual != nullptr && (is_virtual || m_.table.submit_command == nullptr);
        if (m_.options.patch && m_.table.patch != nullptr && !by_address) {
            call("patch", vidmm_rule::pgb_14, m_.table.patch, m_.calls.patch_size, m_.calls.fill_patch, a);
        }
        if (m_.stopped) {
            return;
        }
        if (m_.hardware == nullptr) {
            m_.bus.begin_window();  // the driver's own submit is the engine
        }
        if (by_address) {
            call("submit_command_virtual", vidmm_rule::pgb_15, m_.table.submit_command_virtual,
                 m_.calls.submit_virtual_size, m_.calls.fill_submit_virtual, a);
        } else {
            call("submit_command", vidmm_rule::pgb_15, m_.table.submit_command, m_.calls.submit_size,
                 m_.calls.fill_submit, a);
        }
        show_submission(w);
        if (m_.hardware == nullptr) {
            m_.bus.end_window();
        }
        if (auto const at = b.changed_outside(w.start, w.end)) {
            m_.broken(vidmm_rule::pgb_16,
                      *at < b.size ? "patch or submit changed a byte outside the window"
                                   : "patch or submit changed a byte past the end of the buffer",
                      in(w) + ", byte " + std::to_string(*at), true);
        }
        w.fingerprint = fingerprint(w);
        outstanding_ = nullptr;
    }

    // Commands go through the call that ended just now.
    void show_submission(window const& w) {
        for (part const& p : w.parts) {
            if (p.flow != 0) {
                m_.events.flow(p.flow, track_driver, m_.clock - call_ns);
            }
        }
    }

    // The commands of a window were executed, and its fence has its value.
    void show_fence(window const& w) {
        if (m_.events.kept()) {
            m_.events.span(track_fences, "fence " + std::to_string(w.fence), m_.clock, call_ns,
                           {trace::argument::number("fence", w.fence)});
            for (part const& p : w.parts) {
                if (p.flow != 0) {
                    m_.events.flow(p.flow, track_fences, m_.clock);
                }
            }
        }
        m_.clock += call_ns;
    }

    static constexpr std::uint64_t call_ns = 100;

    using entry = int(WDDMCORE_DRIVER_CALL*)(void*, void const*);

    void call(char const* what, vidmm_rule rule, entry function, std::size_t size,
              void (*fill)(void*, window_arguments const&), window_arguments const& a) {
        auto const args =
            m_.memory_for_calls.lend(size, loan_side::end, m_.junk(), "the argument structure", vidmm_rule::pgb_02);
        fill(args->data(), a);
        std::string const state = std::string(what) + " of fence " + std::to_string(a.fence) + ", window [" +
                                  std::to_string(a.start) + ", " + std::to_string(a.end) + ") of " +
                                  std::to_string(a.buffer_size) + " bytes";
        journal::current().call(state, false);
        m_.report.exercised(rule);
        ntstatus const status = function(m_.table.adapter, args->data());
        args->end();
        if (m_.events.kept()) {
            m_.events.span(track_driver, what, m_.clock, call_ns,
                           {trace::argument::number("fence", a.fence), trace::argument::number("start", a.start),
                            trace::argument::number("end", a.end)});
        }
        m_.clock += call_ns;
        if (!succeeded(status)) {
            m_.broken(rule,
                      std::string(what) + " of a paging buffer returns status " +
                          hex(static_cast<std::uint32_t>(status)),
                      state, false);
        }
    }

    void execute_next() {
        window w = std::move(submitted_.front());
        submitted_.pop_front();
        if (m_.stopped) {
            return;
        }
        if (w.start != w.end && w.fingerprint != fingerprint(w)) {
            m_.broken(vidmm_rule::pgb_16, "a window changed after it was submitted", in(w), true);
        }
        if (m_.enter) {
            m_.enter(w.in);
        }
        if (w.start != w.end && !wait_for(w)) {
            m_.stopped = true;
            return;
        }
        for (part const& p : w.parts) {
            if (p.start != p.end) {
                run(w, p);
            }
            if (m_.stopped) {
                return;
            }
            operation& op = *p.op;
            --op.parts_left;
            if (op.built && op.parts_left == 0) {
                content_check(m_, op).run();
                if (op.finished) {
                    op.finished();
                }
            }
        }
        if (w.start != w.end) {
            show_fence(w);
            if (m_.options.other_work) {
                m_.options.other_work();
            }
        }
    }

    /// For an engine that is not the simulator's: it has executed the window when it says so.
    [[nodiscard]] bool wait_for(window& w) {
        if (m_.hardware != nullptr || !m_.options.wait_for_fence) {
            return true;
        }
        outstanding_ = &w;
        bool const is_over = m_.options.wait_for_fence(w.fence);
        outstanding_ = nullptr;
        if (is_over && w.at_report) {
            m_.report.exercised(vidmm_rule::int_11);
            if (*w.at_report != destinations(w)) {
                m_.broken(vidmm_rule::int_11, "the fence was reported before what the commands write was in memory",
                          in(w) + ", " + describe(w.parts.front().op->asked), true);
            }
        }
        return is_over && !m_.stopped;
    }
    /// A number that changes with what the commands of a window write.
    [[nodiscard]] std::uint64_t destinations(window const& w) {
        std::uint64_t sum = 0;
        for (part const& p : w.parts) {
            for (interval const& i : p.op->destination.sorted()) {
                sum = sum * 31 + m_.memory.fingerprint(i.begin, i.end - i.begin);
            }
        }
        return sum;
    }

    void run(window const& w, part const& p) {
        operation& op = *p.op;
        if (m_.hardware == nullptr) {
            take_touched(op);
            return;
        }
        std::string const state = describe(op.asked) + ", commands at [" + std::to_string(p.start) + ", " +
                                  std::to_string(p.end) + ") of the buffer, fence " + std::to_string(w.fence);
        journal::current().call("the engine, " + state, false);
        m_.bus.begin_window();
        execution const x = m_.hardware->execute(reinterpret_cast<std::uint32_t const*>(w.buffer->data() + p.start),
                                                 (p.end - p.start) / 4, m_.bus);
        m_.bus.end_window();
        m_.report.of(op.asked.operation).commands += x.commands;
        std::uint64_t const took = 1000 + x.moved_bytes / 16;
        if (m_.events.kept()) {
            m_.events.span(track_engine, std::string("execute ") + name(op.asked.operation), m_.clock, took,
                           {trace::argument::number("request", op.asked.serial),
                            trace::argument::number("fence", w.fence), trace::argument::number("commands", x.commands),
                            trace::argument::number("moved bytes", x.moved_bytes)});
            m_.events.flow(p.flow, track_engine, m_.clock);
        }
        m_.clock += took;
        if (op.asked.may_be_busy() && op.asked.size == 0) {
            m_.report.exercised(vidmm_rule::op00_09);
        }
        if (!x.ok) {
            explain_failure(m_, op, x, state);
            return;
        }
        take_touched(op);
    }

    // What is unmapped points at the dummy page: whoever uses it has a stale place in the aperture.
    void look_for_strays(operation const& op) {
        if (m_.dummy_page == 0 || m_.report.of(paging_operation::unmap_aperture_segment).requests == 0) {
            return;
        }
        m_.report.exercised(vidmm_rule::op06_02);
        std::uint64_t const dummy = m_.memory.page_address(m_.dummy_page);
        for (interval const& i : m_.bus.touched().sorted()) {
            if (i.begin >= dummy + page_size || i.end <= dummy) {
                continue;
            }
            m_.broken(vidmm_rule::op06_02, "the commands use a part of the aperture that is unmapped",
                      describe(op.asked), false);
            return;
        }
    }

    void take_touched(operation& op) {
        look_for_strays(op);
        op.touched.add(m_.bus.touched());
        intervals const here = m_.bus.touched().common(op.destination);
        if (op.passes > 1 && !op.overlaps) {
            m_.report.exercised(vidmm_rule::pgb_04);
            // Only what a pass before this one did: inside one window hardware may touch a place as often as it likes.
            if (intervals const again = here.common(op.done); !again.empty() && !op.repeated) {
                op.repeated = again.sorted().front().begin;
                op.begun_anew = op.done.without(again).empty();
            }
        }
        op.done.add(here);
    }

    [[nodiscard]] static std::uint64_t fingerprint(window const& w) {
        std::uint64_t sum = 1;
        for (std::uint32_t i = w.start; i < w.end; ++i) {
            sum = (sum ^ static_cast<std::uint64_t>(w.buffer->data()[i])) * 0x100'0000'01b3U;
        }
        return sum;
    }

    [[nodiscard]] static std::string in(window const& w) {
        return "fence " + std::to_string(w.fence) + ", window [" + std::to_string(w.start) + ", " +
               std::to_string(w.end) + ")";
    }

    machine& m_;
    window open_;
    std::deque<window> submitted_;
    window* outstanding_ = nullptr;  // being submitted or waited for
    std::uint32_t last_fence_ = 0;
};

}  // namespace wddmcore::testing::vidmm_parts

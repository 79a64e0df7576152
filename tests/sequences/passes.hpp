// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "cpu_window.hpp"
#include "memory.hpp"
#include "shapes.hpp"

namespace sequences {

/// Carries requests out: buffers of the system's choice, the engine behind each pass, the model beside it.
class passes {
public:
    passes(adapter& hw, machine& m, random_numbers& random, bool always_smallest)
        : hw_(hw), machine_(m), random_(random), model_(m.bus), always_smallest_(always_smallest), window_(m.bus) {
        fail_unless(model_.add("the segment", m.bus_of_segment(0), m.where.data_bytes, random), "no segment");
        for (std::size_t i = 0; i != machine::data_pages; ++i) {
            u64 const number = m.system_pages[i];
            fail_unless(
                model_.add(say("page ", as_hex{number}), m.bus_of_system(number * page_bytes), page_bytes, random),
                "no page");
        }
    }

    void fail_unless(bool right, std::string const& why) {
        if (!right && wrong_.empty()) {
            wrong_ = why;
        }
    }
    [[nodiscard]] std::string const& wrong() const { return wrong_; }
    [[nodiscard]] counts const& done() const { return counts_; }
    [[nodiscard]] facts const& known() const { return hw_.known(); }

    /// Carries a request out, pass by pass (PGB-01, PGB-02, PGB-05).
    bool run(request const& asked, std::string const& what, buffers which = buffers::always) {
        if (!wrong_.empty()) {
            return false;
        }
        ++counts_.times[static_cast<std::size_t>(asked.operation)];
        interrupts_due_ += asked.operation == paging_operation::signal_monitored_fence && known().fences_interrupt;
        request r = asked;
        if (!r.idle && !wait_until_idle(r, what)) {
            return false;
        }
        if (filling_) {
            return add(r, what);
        }
        for (u32 token = 0;;) {
            ++counts_.passes;
            bool const without = which == buffers::never || (which == buffers::at_first && token != 0);
            u32 const room = without ? 0 : any_room(which);
            buffer_.assign(room / 4 + 16, filler);
            void* at = without ? nullptr : static_cast<void*>(buffer_.data());
            u32 const before = token;
            note_pass(r, which, without, token);
            window_.map();
            ntstatus const status = hw_.build(r, at, room, token);
            if (!window_.unmap()) {
                return stop(say(what, " stores beside what its CPU address leads to"));
            }
            std::size_t const written = without ? 0 : static_cast<std::size_t>(static_cast<u32*>(at) - buffer_.data());
            if (status != status::success && (without || status != status::graphics_insufficient_dma_buffer)) {
                return stop(say(what, " is answered ", as_hex{static_cast<u32>(status)}, ": ", hw_.fault()));
            }
            if (written > room / 4 ||
                std::any_of(buffer_.end() - 16, buffer_.end(), [](u32 w) { return w != filler; })) {
                return stop(say(what, " leaves its buffer of ", room, " bytes"));
            }
            if (written != 0 && moves_nothing(r)) {
                return stop(say(what, " has commands, though there is nothing to move"));
            }
            if (written != 0) {
                execution const ran = hw_.execute(buffer_.data(), written);
                if (!ran.ok) {
                    return stop(say(what, ", dword ", ran.dword, " of ", written, ": ", ran.why));
                }
                interrupts_ += ran.interrupts;
            }
            if (status == status::success) {
                return interrupts_are_right(what);
            }
            if (token <= before) {
                return stop(say(what, " does not advance from ", before));
            }
        }
    }

    void meet(shape s) { counts_.shapes.meet(s); }

    /// The CPU address that leads to a place until the next call of it, or of forget_cpu_address.
    [[nodiscard]] void* cpu_address_of(stretches const& where) {
        std::vector<std::pair<u64, std::size_t>> all;
        for (stretch const& s : where) {
            all.emplace_back(bus_of(s), s.size);
        }
        return window_.lead_to(std::move(all));
    }
    void forget_cpu_address() { window_.forget(); }

    /// From here on requests are built one behind the other into one buffer, and nothing is executed (PGB-03, PGB-20).
    void begin_buffer() {
        u32 const smallest = known().smallest_buffer;
        shared_.assign((smallest + random_.below(24 * smallest)) / 4 + 16, filler);
        filled_ = 0;
        filling_ = true;
    }
    /// The buffer is executed, and everything has to be as if each request had been.
    void end_buffer(std::string const& what) {
        if (wrong_.empty() && execute_shared(what) && interrupts_are_right(what)) {
            compare({}, what);
        }
        filling_ = false;
    }
    [[nodiscard]] bool filling() const { return filling_; }

    /// All of memory against the model.
    void compare(stretches const& destination, std::string const& what) {
        if (!wrong_.empty()) {
            return;
        }
        if (auto const d = model_.compare(destination)) {
            fail_unless(false, say(what, ": ", d->place, " is ", as_hex{std::to_integer<u64>(d->found)}, ", not ",
                                   as_hex{std::to_integer<u64>(d->expected)}));
        }
    }
    /// Only the part of it that changed.
    void look(stretches const& where, std::string const& what) {
        if (filling_) {
            return;
        }
        std::vector<std::byte> const expected = model_.read(where);
        std::vector<std::byte> found(expected.size());
        std::size_t done = 0;
        for (stretch const& s : where) {
            fail_unless(machine_.bus.read(bus_of(s), found.data() + done, s.size), "memory is gone");
            done += s.size;
        }
        if (found != expected) {
            auto const at = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
            fail_unless(false, say(what, ": byte ", at, " is ",
                                   as_hex{std::to_integer<u64>(found[static_cast<std::size_t>(at)])}, ", not ",
                                   as_hex{std::to_integer<u64>(expected[static_cast<std::size_t>(at)])}));
        }
    }

    /// The bus address of a frame.
    [[nodiscard]] u64 bus_of(frame const& f) const {
        return f.part == 0 ? machine_.bus_of_segment(f.page * page_bytes)
                           : machine_.bus_of_system(system_page(f) * page_bytes);
    }
    /// The number of a system page.
    [[nodiscard]] u64 system_page(frame const& f) const {
        return f.part == frame::any_system ? f.page : machine_.system_pages[f.part - 1];
    }
    [[nodiscard]] u64 bus_of(stretch const& s) const { return bus_of(frame{s.part, 0}) + s.offset; }

    adapter& hw_;
    machine& machine_;
    random_numbers& random_;
    memory_model model_;

private:
    static constexpr u32 filler = 0xD15E'A5ED;

    [[nodiscard]] u32 any_room(buffers which) {
        u32 const smallest = known().smallest_buffer;
        bool const least = always_smallest_ || which != buffers::always || random_.chance(40);
        return least ? smallest
                     : smallest + static_cast<u32>(random_.below(random_.chance(70) ? 3 * smallest : 16 * smallest));
    }
    [[nodiscard]] static bool moves_nothing(request const& r) {
        return r.size == 0 &&
               (r.operation == paging_operation::transfer || r.operation == paging_operation::special_lock_transfer);
    }

    /// While the driver finds the allocation in use and the request does not say that it is idle, the answer is busy and
    /// nothing else happens; then the request comes again and says so (PGB-09, OP02-02).
    [[nodiscard]] bool wait_until_idle(request& r, std::string const& what) {
        if (moves_nothing(r)) {
            return true;
        }
        if (!r.in_use) {
            meet(shape::perhaps_in_use);
            return true;
        }
        meet(shape::in_use);
        if (!filling_) {
            buffer_.assign(known().smallest_buffer / 4 + 16, filler);
        }
        std::vector<u32>& all = filling_ ? shared_ : buffer_;
        u32* const begin = all.data() + (filling_ ? filled_ : 0);
        void* at = begin;
        u32 token = 0;
        auto const room = static_cast<u32>((all.data() + all.size() - 16 - begin) * 4);
        ntstatus const status = hw_.build(r, at, room, token);
        bool const untouched =
            at == begin && token == 0 && std::all_of(begin, all.data() + all.size(), [](u32 w) { return w == filler; });
        r.idle = true;
        return (status == status::graphics_allocation_busy && untouched) ||
               stop(say(what, " of an allocation in use is answered ", as_hex{static_cast<u32>(status)},
                        untouched ? "" : " with something done"));
    }
    /// Counts what is special about a pass; an allocation comes into use while the request is half done.
    void note_pass(request& r, buffers which, bool without, u32 token) {
        if (token != 0 && !r.idle && !r.in_use) {
            r.in_use = true;
            meet(shape::in_use_midway);
        }
        bool const context = r.operation == paging_operation::init_context_resource;
        if (context && which == buffers::never) {
            meet(shape::context_at_once);
        } else if (without && which == buffers::at_first) {
            meet(context ? shape::context_begun : shape::buffer_goes_away);
        }
    }
    /// Builds a request behind what the buffer holds; a full one is executed, and the next begins.
    bool add(request const& r, std::string const& what) {
        for (u32 token = 0;;) {
            ++counts_.passes;
            // A buffer without any room is none (PGB-11).
            if (filled_ + 16 == shared_.size() && !execute_shared(what)) {
                return false;
            }
            u32* const begin = shared_.data() + filled_;
            auto const room = static_cast<u32>((shared_.size() - 16 - filled_) * 4);
            void* at = begin;
            u32 const before = token;
            ntstatus const status = hw_.build(r, at, room, token);
            auto const written = static_cast<std::size_t>(static_cast<u32*>(at) - begin);
            if (status != status::success && status != status::graphics_insufficient_dma_buffer) {
                return stop(say(what, " is answered ", as_hex{static_cast<u32>(status)}, ": ", hw_.fault()));
            }
            if (written > room / 4) {
                return stop(say(what, " leaves its buffer of ", room, " bytes"));
            }
            filled_ += written;
            if (status == status::success) {
                return true;
            }
            if (filled_ == 0 && token <= before) {
                return stop(say(what, " does not advance from ", before));
            }
            if (!execute_shared(what)) {
                return false;
            }
        }
    }
    bool execute_shared(std::string const& what) {
        if (std::any_of(shared_.end() - 16, shared_.end(), [](u32 w) { return w != filler; })) {
            return stop(say(what, ": something was written behind the buffer"));
        }
        if (filled_ != 0) {
            execution const ran = hw_.execute(shared_.data(), filled_);
            if (!ran.ok) {
                return stop(say(what, ", dword ", ran.dword, " of ", filled_, ": ", ran.why));
            }
            interrupts_ += ran.interrupts;
        }
        std::fill(shared_.begin(), shared_.end(), filler);
        filled_ = 0;
        return true;
    }

    /// One for each signal, behind its store, and none beside (OP16-03).
    bool interrupts_are_right(std::string const& what) {
        return interrupts_ == interrupts_due_ ||
               stop(say(what, ": ", interrupts_, " interrupts so far, not ", interrupts_due_));
    }

    bool stop(std::string const& why) {
        fail_unless(false, why);
        return false;
    }

    bool always_smallest_;
    cpu_window window_;
    std::vector<u32> buffer_;
    std::vector<u32> shared_;  ///< of several operations; 16 dwords behind its room
    std::size_t filled_ = 0;
    bool filling_ = false;
    u64 interrupts_ = 0;
    u64 interrupts_due_ = 0;
    counts counts_;
    std::string wrong_;
};

}  // namespace sequences

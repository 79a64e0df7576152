// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory.hpp"

#include <array>

namespace sequences {

/// How often each operation was carried out, and in how many passes.
struct counts {
    std::array<unsigned, paging_operation_count> times{};
    unsigned passes = 0;
};

/// Carries requests out: buffers of the system's choice, the engine behind each pass, the model beside it.
class passes {
public:
    passes(adapter& hw, machine& m, random_numbers& random, bool always_smallest)
        : hw_(hw), machine_(m), random_(random), model_(m.bus), always_smallest_(always_smallest) {
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
    ///
    /// @param without_buffer  there is none, so that all of it has to happen at once
    bool run(request const& r, std::string const& what, bool without_buffer = false) {
        if (!wrong_.empty()) {
            return false;
        }
        ++counts_.times[static_cast<std::size_t>(r.operation)];
        interrupts_due_ += r.operation == paging_operation::signal_monitored_fence && known().fences_interrupt;
        if (filling_) {
            return add(r, what);
        }
        for (u32 token = 0;;) {
            ++counts_.passes;
            u32 const smallest = known().smallest_buffer;
            u32 const room = smallest + (always_smallest_ || random_.chance(40) ? 0 : some_room(smallest));
            buffer_.assign(room / 4 + 16, filler);
            void* at = without_buffer ? nullptr : static_cast<void*>(buffer_.data());
            u32 const before = token;
            ntstatus const status = hw_.build(r, at, without_buffer ? 0 : room, token);
            std::size_t const written =
                without_buffer ? 0 : static_cast<std::size_t>(static_cast<u32*>(at) - buffer_.data());
            if (status != status::success && (without_buffer || status != status::graphics_insufficient_dma_buffer)) {
                return stop(say(what, " is answered ", as_hex{static_cast<u32>(status)}, ": ", hw_.fault()));
            }
            if (written > room / 4 ||
                std::any_of(buffer_.end() - 16, buffer_.end(), [](u32 w) { return w != filler; })) {
                return stop(say(what, " leaves its buffer of ", room, " bytes"));
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
                           : machine_.bus_of_system(machine_.system_pages[f.part - 1] * page_bytes);
    }
    [[nodiscard]] u64 bus_of(stretch const& s) const { return bus_of(frame{s.part, 0}) + s.offset; }

    adapter& hw_;
    machine& machine_;
    random_numbers& random_;
    memory_model model_;

private:
    static constexpr u32 filler = 0xD15E'A5ED;

    [[nodiscard]] u32 some_room(u32 smallest) {
        return static_cast<u32>(random_.below(random_.chance(70) ? 3 * smallest : 16 * smallest));
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

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/buffer.hpp"
#include "log.hpp"
#include "trap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A paging buffer that reports what native code does to it between `arm` and `disarm` (law 4).
///
/// Nothing needs to be instrumented: on x86-64 Linux every access faults, is stepped over and logged, whoever makes it,
/// a driver's machine code or the C library. It works in plain, optimised and sanitized builds, and hands every signal
/// that is not its own to whoever had it before, so crashes are reported as ever.
///
/// Cost, measured in a virtual machine: 25 to 30 microseconds for a store of a general-purpose register or for one
/// iteration of a repeated string instruction, 40 for a vector store (two signals and two changes of page access each),
/// 10 for `arm` with `disarm`; nothing while it is not armed.
///
/// Seen are the accesses of the thread that armed it; any other thread's access is a crash. Not seen: what the kernel
/// stores for a system call (the call fails with EFAULT instead). The bytes of a load are counted as far as the
/// instruction is in the table of `watched_decode`, else as one. Stores of one instruction that reach further than 64
/// bytes (XSAVE, AVX-512 scatter) are logged in part. A debugger must let SIGSEGV and SIGTRAP through.
///
/// Where `watching` is false, `arm` keeps a copy instead, and only stores outside the window are found, afterwards and
/// if they changed a byte.
class watched_buffer {
public:
    /// Makes a buffer full of junk.
    /// @param size          bytes
    /// @param options       placement, seed; `plain` forgoes both guards and watching
    /// @param log_capacity  accesses that one call can log; 0: twice the buffer's dwords and 4,096 more
    /// @throws std::bad_alloc  no address space
    explicit watched_buffer(std::size_t size, guarded_options options = {}, std::size_t log_capacity = 0)
        : memory_(size, with_room(options)),
          plain_(options.plain),
          log_(log_capacity != 0 ? log_capacity : size / 2 + 4096) {
        guarded_pages const& pages = memory_.pages();
        region_.begin = pages.begin() - pages.guard();
        region_.end = pages.begin() + pages.size() + pages.guard();
        region_.data = memory_.data();
        region_.log = &log_;
    }

    watched_buffer(watched_buffer const&) = delete;
    watched_buffer& operator=(watched_buffer const&) = delete;
    ~watched_buffer() { disarm(); }

    /// The first byte.
    [[nodiscard]] std::byte* data() const { return memory_.data(); }

    /// @return bytes from `data`
    [[nodiscard]] std::size_t size() const { return memory_.size(); }

    /// @return all bytes; only between `disarm` and `arm`, since the simulator's own accesses are logged like any other
    [[nodiscard]] std::span<std::byte> bytes() const { return memory_.bytes(); }

    /// What a byte holds that nobody has ever written.
    /// @param offset  bytes from `data`, below `size`
    [[nodiscard]] std::byte fresh(std::size_t offset) const { return memory_.fresh(offset); }

    /// Whether this host can watch: x86-64 Linux, and single steps really happen (under valgrind they do not).
    [[nodiscard]] static bool available() {
        static bool const steps = watched_trap::possible && probe();
        return steps;
    }

    /// Whether `arm` will see every access of this buffer.
    [[nodiscard]] bool watching() const { return !plain_ && memory_.guarded() && available(); }

    /// Forgets the last log and begins to watch; until `disarm` the buffer belongs to the watched code.
    ///
    /// Up to eight buffers can be armed at the same time, all by one thread.
    /// @param window_begin  bytes from `data` to what is handed out
    /// @param window_end    bytes from `data` to its end; the same as window_begin for an empty window
    /// @return false, and nothing is watched: the window is not inside the buffer, the buffer is armed or retired,
    ///         eight others are armed, another thread has armed one, or SIGSEGV is blocked
    [[nodiscard]] bool arm(std::size_t window_begin, std::size_t window_end) {
        if (armed_ || memory_.retired() || window_begin > window_end || window_end > size()) {
            return false;
        }
        bool const watch = watching();
        log_.clear();
        if (watch && !watched_trap::add(region_)) {
            return false;
        }
        window_ = {window_begin, window_end};
        armed_ = true;
        watched_ = watch;
        before_.clear();
        outside_.clear();
        if (!watch) {
            auto const all = visible();
            before_.assign(all.begin(), all.end());
        }
        return true;
    }

    /// Stops watching; the buffer belongs to the simulator again. Without `arm` before it does nothing.
    void disarm() {
        if (!armed_) {
            return;
        }
        armed_ = false;
        if (watched_) {
            stop();
        } else {
            compare();
        }
    }

    /// Whether the buffer belongs to the watched code.
    [[nodiscard]] bool armed() const { return armed_; }

    /// What happened since `arm`, in order; empty where `watching` is false.
    [[nodiscard]] std::span<watched_access const> accesses() const { return log_.entries(); }

    /// Whether the log was too small; the watching ended there, and `violations` ends with `log_full`.
    [[nodiscard]] bool overflowed() const { return log_.overflowed(); }

    /// What was wrong with it, in the order in which it happened.
    [[nodiscard]] std::vector<watched_violation> violations() const {
        watched_judge judge(window_);
        for (watched_access const& access : log_.entries()) {
            judge.see(access);
        }
        if (log_.overflowed()) {
            judge.overflow(log_.entries().size());
        }
        std::vector<watched_violation> found = judge.violations();
        found.insert(found.end(), outside_.begin(), outside_.end());
        return found;
    }

    /// Whether every byte of a part was stored since `arm`; true where `watching` is false, since nothing is known.
    /// @param part  bytes from `data`, inside the buffer
    [[nodiscard]] bool wrote_all(watched_window part) const {
        if (!watched_) {
            return true;
        }
        std::vector<bool> stored(size());
        for (watched_access const& access : log_.entries()) {
            auto const limit = static_cast<std::int64_t>(size());
            std::int64_t const end = access.offset + static_cast<std::int64_t>(access.size);
            auto const first = std::clamp<std::int64_t>(access.offset, 0, limit);
            auto const last = std::clamp<std::int64_t>(end, 0, limit);
            if (access.kind == watched_kind::write) {
                std::fill(stored.begin() + first, stored.begin() + last, true);
            }
        }
        auto const at = [&stored](std::size_t i) { return stored.begin() + static_cast<std::ptrdiff_t>(i); };
        return std::all_of(at(part.begin), at(part.end), [](bool b) { return b; });
    }

    /// Ends the buffer's time: it is disarmed, and from now on every access faults.
    void retire() {
        disarm();
        memory_.retire();
    }

private:
    [[nodiscard]] static guarded_options with_room(guarded_options options) {
        options.guard = std::max<std::size_t>(options.guard, 0x1'0000);  // an overrun should end in the log
        return options;
    }

    [[nodiscard]] static bool probe() {
        watched_buffer trial(8);
        if (!trial.memory_.guarded() || !watched_trap::add(trial.region_)) {
            return false;
        }
        *reinterpret_cast<std::uint32_t volatile*>(trial.data() + 4) = 0;
        bool const ended = trial.stop();
        auto const seen = trial.accesses();
        return ended && seen.size() == 1 && seen[0].offset == 4 && seen[0].size == 4 &&
               seen[0].kind == watched_kind::write;
    }

    bool stop() {
        bool const ended = watched_trap::remove(region_);
        guarded_pages const& pages = memory_.pages();
        std::byte* const behind = pages.begin() + pages.size();
        bool const open = pages.allow(pages.begin(), pages.size(), guarded_access::write);
        bool const shut = pages.allow(region_.begin, pages.guard(), guarded_access::none) &&
                          pages.allow(behind, pages.guard(), guarded_access::none);
        return ended && open && shut;
    }

    /// What can be looked at when nothing is watched.
    [[nodiscard]] std::span<std::byte const> visible() const {
        guarded_pages const& pages = memory_.pages();
        std::size_t const more = pages.protects() ? 0 : pages.guard();
        return {pages.begin() - more, pages.size() + 2 * more};
    }

    void compare() {
        auto const now = visible();
        std::int64_t const shift = now.data() - data();
        bool in_run = false;
        for (std::size_t i = 0; i < now.size(); ++i) {
            std::int64_t const offset = static_cast<std::int64_t>(i) + shift;
            bool const inside =
                offset >= static_cast<std::int64_t>(window_.begin) && offset < static_cast<std::int64_t>(window_.end);
            bool const changed = !inside && now[i] != before_[i];
            if (changed && !in_run) {
                outside_.push_back({watched_rule::out_of_bounds, offset,
                                    "byte " + std::to_string(offset) + " changed, outside the window, bytes [" +
                                        std::to_string(window_.begin) + ", " + std::to_string(window_.end) + ")"});
            }
            in_run = changed;
        }
    }

    guarded_buffer memory_;
    bool plain_;
    watched_log log_;
    watched_trap::region region_;
    watched_window window_;
    bool armed_ = false;
    bool watched_ = false;
    std::vector<std::byte> before_;
    std::vector<watched_violation> outside_;
};

}  // namespace wddmcore::testing

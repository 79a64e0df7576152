// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The direction of an access.
enum class watched_kind : std::uint8_t { read, write };

/// One access of an instruction, or of all iterations of one repeated string instruction that join on.
struct watched_access {
    std::int64_t offset = 0;                  ///< bytes from the buffer's start; negative before it
    std::uint64_t size = 0;                   ///< bytes; of a read at least this many
    watched_kind kind = watched_kind::write;  ///< read or write
    std::uintptr_t instruction = 0;           ///< host address of the code, for a debugger; differs from run to run
};

/// What is wrong with an access under law 4.
enum class watched_rule : std::uint8_t {
    written_twice,  ///< a dword of the window was stored a second time
    out_of_order,   ///< a dword was stored after one past it
    read,           ///< a byte was loaded, by itself or by a read-modify-write
    out_of_bounds,  ///< a byte outside the window was loaded or stored
    partial_dword,  ///< a store does not begin or end at a dword
    log_full,       ///< the log was too small: what came later was not seen
};

/// One broken rule.
struct watched_violation {
    watched_rule rule = watched_rule::log_full;  ///< which
    std::int64_t offset = 0;                     ///< bytes from the buffer's start to the first offending byte
    std::string sentence;                        ///< one sentence with the numbers; no host address
};

/// The part of a buffer that was handed out, in bytes from the buffer's start, half-open.
struct watched_window {
    std::size_t begin = 0;  ///< first byte
    std::size_t end = 0;    ///< past the last byte

    /// Same bytes.
    [[nodiscard]] constexpr bool operator==(watched_window const&) const = default;
};

/// A log of fixed size, so that a signal handler can write it.
class watched_log {
public:
    /// Takes room for the entries; memory is touched only for those that come to be.
    /// @param capacity  entries
    explicit watched_log(std::size_t capacity)
        : entries_(std::allocator<watched_access>().allocate(capacity)), capacity_(capacity) {}

    watched_log(watched_log const&) = delete;
    watched_log& operator=(watched_log const&) = delete;
    ~watched_log() { std::allocator<watched_access>().deallocate(entries_, capacity_); }

    /// Forgets all entries.
    void clear() {
        count_ = 0;
        overflowed_ = false;
        repeating_ = false;
    }

    /// Tells that the next accesses belong to a further iteration of the same string instruction, or do not.
    /// @param repeating  true: an access that joins on to the last one of its kind becomes part of it
    void continue_last(bool repeating) {
        if (!repeating) {
            last_[0] = none;
            last_[1] = none;
        }
        repeating_ = repeating;
    }

    /// Adds an access; allocates nothing.
    /// @param access  what happened
    void add(watched_access const& access) {
        std::size_t& last = last_[access.kind == watched_kind::write ? 1 : 0];
        if (repeating_ && last != none) {
            watched_access& before = entries_[last];
            if (before.offset + static_cast<std::int64_t>(before.size) == access.offset) {
                before.size += access.size;
                return;
            }
        }
        if (count_ == capacity_) {
            overflowed_ = true;
            return;
        }
        last = count_;
        std::construct_at(entries_ + count_++, access);
    }

    /// All entries, in the order in which they happened.
    [[nodiscard]] std::span<watched_access const> entries() const { return {entries_, count_}; }

    /// Whether an entry found no room.
    [[nodiscard]] bool overflowed() const { return overflowed_; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    watched_access* entries_;
    std::size_t capacity_;
    std::size_t count_ = 0;
    std::size_t last_[2] = {none, none};
    bool overflowed_ = false;
    bool repeating_ = false;
};

/// Judges accesses under law 4: once, ascending, whole dwords, no reads, inside the window.
class watched_judge {
public:
    /// Begins with nothing written.
    /// @param window  what was handed out
    explicit watched_judge(watched_window window)
        : window_(window), written_((window.end + 3) / 4 - window.begin / 4), highest_(window.begin / 4 * 4) {}

    /// Looks at the next access.
    /// @param access  in the order in which they happened
    void see(watched_access const& access) {
        auto const begin = static_cast<std::int64_t>(window_.begin);
        auto const end = static_cast<std::int64_t>(window_.end);
        std::int64_t const last = access.offset + static_cast<std::int64_t>(access.size);
        if (access.offset < begin || last > end) {
            std::int64_t const first = access.offset < begin || access.offset >= end ? access.offset : end;
            report(watched_rule::out_of_bounds, first, access, " leaves the window, bytes " + range(begin, end));
        }
        if (access.kind == watched_kind::read) {
            report(watched_rule::read, access.offset, access, ", but this memory must never be read back");
            return;
        }
        if (((static_cast<std::uint64_t>(access.offset) | access.size) & 3) != 0) {
            report(watched_rule::partial_dword, access.offset, access, " is not whole dwords");
        }
        std::int64_t const from = access.offset < begin ? begin : access.offset;
        std::int64_t const to = last > end ? end : last;
        if (from < to) {
            mark(static_cast<std::size_t>(from), static_cast<std::size_t>(to), access);
        }
    }

    /// Tells that the log was too small.
    /// @param entries  how many it holds
    void overflow(std::size_t entries) {
        found_.push_back({watched_rule::log_full, 0,
                          "the log holds " + std::to_string(entries) +
                              " accesses and was too small: later ones were "
                              "not seen"});
    }

    /// What was found, in the order in which it happened.
    [[nodiscard]] std::vector<watched_violation> const& violations() const { return found_; }

private:
    [[nodiscard]] static std::string range(std::int64_t begin, std::int64_t end) {
        return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
    }

    void report(watched_rule rule, std::int64_t offset, watched_access const& access, std::string const& what) {
        std::string const verb = access.kind == watched_kind::read ? "the load of bytes " : "the store to bytes ";
        auto const end = access.offset + static_cast<std::int64_t>(access.size);
        found_.push_back({rule, offset, verb + range(access.offset, end) + what});
    }

    void mark(std::size_t from, std::size_t to, watched_access const& access) {
        bool twice = false;
        bool behind = false;
        std::size_t const origin = window_.begin / 4;
        for (std::size_t dword = from / 4; dword < (to + 3) / 4; ++dword) {
            auto const at = static_cast<std::int64_t>(dword * 4);
            if (written_[dword - origin]) {
                if (!twice) {
                    report(watched_rule::written_twice, at, access,
                           " writes dword " + std::to_string(dword) + " a second time");
                }
                twice = true;
            } else if (dword * 4 < highest_) {
                if (!behind) {
                    report(watched_rule::out_of_order, at, access,
                           " comes after a store that ended at byte " + std::to_string(highest_));
                }
                behind = true;
            }
            written_[dword - origin] = true;
        }
        highest_ = to > highest_ ? to : highest_;
    }

    watched_window window_;
    std::vector<bool> written_;
    std::size_t highest_;
    std::vector<watched_violation> found_;
};

}  // namespace wddmcore::testing

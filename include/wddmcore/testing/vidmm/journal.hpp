// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../finding_log.hpp"
#include "checks/rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What is needed to say something about a crash: the last call, and what memory was whose.
///
/// Everything is of fixed size, so that a signal handler can read it.
class journal {
public:
    static constexpr std::size_t text_size = 600;

    /// One object that the driver was given.
    struct object {
        std::byte const* begin = nullptr;
        std::byte const* end = nullptr;
        char const* what = "";
        vidmm_rule outside = vidmm_rule::pgb_01;  ///< broken by an access beside it
        vidmm_rule late = vidmm_rule::pgb_07;     ///< broken by an access after its time
        bool retired = false;
        bool number = false;  ///< no object at all: a number that somebody may take for a pointer
    };

    /// The journal of this process.
    [[nodiscard]] static journal& current() {
        static journal one;
        return one;
    }

    /// Where the last call is also written, for example memory that another process sees; text_size characters.
    void also_write_to(char* where) { mirror_ = where; }

    /// The driver or the engine is about to be called.
    /// @param null_rule  what using a NULL pointer breaks, where the call says so; else it is named as what it is
    /// @param null_hint  which pointers of the call are NULL, in words; lives longer than the call
    void call(std::string const& what, bool no_buffer, std::optional<vidmm_rule> null_rule = {},
              char const* null_hint = "") {
        null_rule_ = no_buffer ? vidmm_rule::pgb_11 : null_rule;
        null_hint_ = null_hint;
        std::snprintf(last_.data(), last_.size(), "%s", what.c_str());
        if (mirror_ != nullptr) {
            std::snprintf(mirror_, text_size, "%s", what.c_str());
        }
    }

    [[nodiscard]] char const* last_call() const { return last_.data(); }

    static constexpr std::size_t none = ~std::size_t{0};

    /// An object that the driver may use from now on.
    /// @param entry  what this function answered before, to use that entry again; or none
    /// @return the entry, or none when there are too many objects to remember
    std::size_t hand_over(std::size_t entry, std::byte const* begin, std::size_t size, char const* what,
                          vidmm_rule outside, vidmm_rule late = vidmm_rule::pgb_07) {
        std::size_t const at = entry != none ? entry : free_entry();
        if (at != none) {
            objects_[at] = {begin, begin + size, what, outside, late, false, false};
        }
        return at;
    }

    /// A number in the arguments that is no pointer; only its use as one is explained. Only the last one is known.
    void hand_over_number(std::uint64_t number, std::size_t size, char const* what, vidmm_rule rule) {
        // Both ends from numbers: there is no object, and from 0 none can be reached by adding to a pointer.
        auto const at = [](std::uint64_t n) {
            return reinterpret_cast<std::byte const*>(static_cast<std::uintptr_t>(n));
        };
        objects_[0] = {at(number), at(number + size), what, rule, rule, false, true};
    }

    /// An object whose time is over.
    void take_back(std::size_t entry) {
        if (entry != none) {
            objects_[entry].retired = true;
        }
    }

    /// An object whose memory is gone, so that its addresses say nothing any more.
    void forget(std::size_t entry) {
        if (entry != none) {
            objects_[entry] = {};
        }
    }

    /// What an access to this host address means, in words without host addresses.
    struct finding {
        char const* rule = crash_id::wild_access;
        std::array<char, 160> sentence{"an address was used at which the driver was given nothing"};
    };
    [[nodiscard]] finding explain(void const* where) const {
        finding out;
        auto const* const at = static_cast<std::byte const*>(where);
        auto const say = [&out](vidmm_rule rule, char const* form, char const* what, std::ptrdiff_t n) {
            out.rule = id_of(rule);
            std::snprintf(out.sentence.data(), out.sentence.size(), form, what, static_cast<long>(n));
        };
        for (object const& o : objects_) {
            if (o.number && at >= o.begin && at < o.end) {
                say(o.outside, "%s was used as a pointer, at byte %ld", o.what, at - o.begin);
                return out;
            }
            if (o.begin != nullptr && o.retired && at >= o.begin && at < o.end) {
                say(o.late, "%s was used after its time, at byte %ld", o.what, at - o.begin);
                return out;
            }
        }
        constexpr std::ptrdiff_t reach = 4096;
        for (object const& o : objects_) {
            if (!o.number && o.begin != nullptr && !o.retired && at >= o.end && at - o.end < reach) {
                say(o.outside, "%s was left at its end, by %ld bytes", o.what, at - o.end);
                return out;
            }
            if (!o.number && o.begin != nullptr && !o.retired && at < o.begin && o.begin - at <= reach) {
                say(o.outside, "%s was left at its start, by %ld bytes", o.what, o.begin - at);
                return out;
            }
        }
        if (reinterpret_cast<std::uintptr_t>(where) < 0x1'0000) {
            out.rule = null_rule_ ? id_of(*null_rule_) : crash_id::null_access;
            std::snprintf(out.sentence.data(), out.sentence.size(), "a NULL pointer was used, at byte %ld%s",
                          static_cast<long>(reinterpret_cast<std::uintptr_t>(where)), null_hint_);
        }
        return out;
    }

private:
    std::array<char, text_size> last_{};
    char* mirror_ = nullptr;
    std::optional<vidmm_rule> null_rule_;
    char const* null_hint_ = "";
    // Entry 0 belongs to the number.
    [[nodiscard]] std::size_t free_entry() {
        for (std::size_t n = 1; n < objects_.size(); ++n) {
            next_ = next_ + 1 < objects_.size() ? next_ + 1 : 1;
            if (objects_[next_].begin == nullptr) {
                return next_;
            }
        }
        return none;
    }

    std::array<object, 4096> objects_{};
    std::size_t next_ = 0;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"
#include "law.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One way in which a hardware type broke a law.
struct law_violation {
    law broken;
    std::string sentence;  ///< what was done and what came of it, with the numbers
};

/// A case of a law for which the playground has no room.
struct law_left_out {
    law of;
    std::string what;  ///< the case
    std::string why;   ///< what there is, and what it needs

    /// @return whether every member is equal
    [[nodiscard]] bool operator==(law_left_out const&) const = default;
};

/// What a run of the laws found. A law whose precondition never occurred was not exercised, which is not the same as
/// kept.
class law_report {
public:
    /// A law keeps at most this many sentences: the first ones tell most.
    static constexpr std::size_t sentences_per_law = 3;

    /// Notes that a law was put to the test once more.
    void exercise(law l) { ++exercised_[index(l)]; }

    /// Notes that a law is broken.
    void violate(law l, std::string sentence) {
        if (broken_[index(l)]++ < sentences_per_law) {
            violations_.push_back({l, std::move(sentence)});
        }
    }

    /// Puts a law to the test: counts, and notes the sentence if it does not hold.
    /// @param holds     whether the law is kept this time
    /// @param sentence  called for the text only when it is needed
    /// @return `holds`
    template <class Sentence>
    bool judge(law l, bool holds, Sentence&& sentence) {
        exercise(l);
        if (!holds) {
            violate(l, sentence());
        }
        return holds;
    }

    /// Whether nothing was found.
    [[nodiscard]] bool kept() const { return violations_.empty(); }

    /// @return everything that was found, in the order in which it was
    [[nodiscard]] std::vector<law_violation> const& violations() const { return violations_; }

    /// How often a law was broken, sentences that were not kept included.
    [[nodiscard]] std::uint64_t times_broken(law l) const { return broken_[index(l)]; }

    /// How often a law was put to the test.
    [[nodiscard]] std::uint64_t times_exercised(law l) const { return exercised_[index(l)]; }

    /// The laws whose precondition never occurred: what the type does not promise, and what the playground has no part
    /// for.
    [[nodiscard]] std::vector<law> not_exercised() const {
        std::vector<law> all;
        for (unsigned i = 0; i != law_count; ++i) {
            if (exercised_[i] == 0) {
                all.push_back(static_cast<law>(i));
            }
        }
        return all;
    }

    /// Notes that a case of a law was put to the test, whatever else is left out of that law.
    /// @param what  names the case as `leave_out` does
    void exercise_case(law l, std::string_view what) {
        exercised_cases_.push_back({l, std::string(what), ""});
        std::erase_if(left_out_, [&](law_left_out const& one) { return one.of == l && one.what == what; });
    }

    /// Notes that a case of a law cannot be put to the test here; nothing, if it was somewhere else.
    void leave_out(law_left_out one) {
        law_left_out const exercised{one.of, one.what, ""};
        if (std::ranges::find(exercised_cases_, exercised) == exercised_cases_.end() &&
            std::ranges::find(left_out_, one) == left_out_.end()) {
            left_out_.push_back(std::move(one));
        }
    }

    /// The cases that were left out of laws that may have been exercised by others.
    [[nodiscard]] std::vector<law_left_out> const& left_out() const { return left_out_; }

    /// @return all sentences; where nothing was found, a line with how many of the laws that was said of; then a line
    ///         for each case that was left out
    [[nodiscard]] std::string verdict() const {
        std::string const of_all = " of " + std::to_string(law_count) + " put to the test\n";
        std::string all = kept() ? "kept, " + std::to_string(law_count - not_exercised().size()) + of_all : text();
        for (law_left_out const& one : left_out_) {
            all += "not put to the test: " + std::string(name(one.of)) + ": " + one.what + ": " + one.why + "\n";
        }
        return all;
    }

    /// @return all sentences, a line each, with the law in front; empty when nothing was found
    [[nodiscard]] std::string text() const {
        std::string all;
        for (law_violation const& v : violations_) {
            all += std::string(name(v.broken)) + ": " + v.sentence + "\n";
        }
        return all;
    }

private:
    [[nodiscard]] static std::size_t index(law l) { return static_cast<std::size_t>(l); }

    std::vector<law_violation> violations_;
    std::vector<law_left_out> exercised_cases_;  // without a reason
    std::vector<law_left_out> left_out_;
    std::array<std::uint64_t, law_count> exercised_{};
    std::array<std::uint64_t, law_count> broken_{};
};

/// What the caller of the laws decides.
struct law_options {
    std::uint64_t seed = 1;  ///< everything random follows from it
    unsigned rounds = 40;    ///< requests of each kind
    /// System pages of consecutive numbers lie one after the other. False only for hardware whose engine copies less
    /// than two pages at once: otherwise the library makes one copy of a run of pages.
    bool linear_pages = true;
    bool coherent_apertures = true;  ///< aperture entries can ask for coherency (OP05-03)
    /// A handle as the driver gave it to the system, for hardware types that look behind it. NULL: what needs one is
    /// not exercised, layout changes above all.
    void* allocation = nullptr;
    /// Trap every store of an encoder (x86-64 Linux). A compiler may reorder stores, so unoptimised builds judge best.
    bool watch_stores = false;
    /// A process's handle as the driver gave it to the system. NULL: unmaps from the IOMMU are not exercised.
    void* process = nullptr;
    /// A native fence's handle, of which the driver keeps what it needs for operation 18. NULL: not exercised.
    void* fence = nullptr;
    /// Private data of a context update, as the driver gives it to DxgkCbUpdateContextAllocation, and the bytes of the
    /// context allocation. NULL: not exercised.
    void const* update_data = nullptr;
    std::uint32_t update_data_bytes = 0;  ///< bytes of the private data
    std::uint64_t context_bytes = 0;      ///< bytes of the context allocation
    /// Hears where the stream begins that is written next: for hardware whose commands name their own place. May be
    /// empty.
    std::function<void(std::uint32_t const* first)> stream_begins{};
};

namespace law_parts {

/// Numbers from a seed, the same on every host.
class random_numbers {
public:
    explicit constexpr random_numbers(u64 seed) : state_(seed) {}

    [[nodiscard]] constexpr u64 next() {
        state_ += 0x9E37'79B9'7F4A'7C15U;
        u64 n = state_;
        n = (n ^ (n >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        n = (n ^ (n >> 27)) * 0x94D0'49BB'1331'11EBU;
        return n ^ (n >> 31);
    }
    /// 0 to bound - 1; bound at least 1.
    [[nodiscard]] constexpr u64 below(u64 bound) { return next() % bound; }
    /// 0 to most.
    [[nodiscard]] constexpr u64 up_to(u64 most) { return most == ~u64{0} ? next() : below(most + 1); }
    [[nodiscard]] constexpr bool chance(unsigned percent) { return below(100) < percent; }
    /// A multiple of `unit`, 0 to most.
    [[nodiscard]] constexpr u64 multiple(u64 unit, u64 most) { return up_to(most / unit) * unit; }

private:
    u64 state_;
};

/// A number as it is best read in a sentence about addresses.
struct as_hex {
    u64 n;
};

/// One part of a sentence: a text or a number. It owns nothing, so that the many sentences cost little to compile.
struct sentence_part {
    std::string_view text;
    u64 number = 0;
    enum class form : std::uint8_t { text, decimal, negative, hex } how = form::text;

    constexpr sentence_part(char const* t) : text(t) {}
    sentence_part(std::string const& t) : text(t) {}
    template <std::integral Number>
    constexpr sentence_part(Number n)
        : number(n < 0 ? 0 - static_cast<u64>(n) : static_cast<u64>(n)), how(n < 0 ? form::negative : form::decimal) {}
    constexpr sentence_part(as_hex n) : number(n.n), how(form::hex) {}
};

[[nodiscard]] inline std::string join(std::initializer_list<sentence_part> parts) {
    std::string all;
    for (sentence_part const& part : parts) {
        std::string digits;
        bool const hex = part.how == sentence_part::form::hex;
        if (part.how != sentence_part::form::text) {
            u64 left = part.number;
            do {
                digits.insert(digits.begin(), "0123456789abcdef"[left % (hex ? 16 : 10)]);
                left /= hex ? 16 : 10;
            } while (left != 0);
        }
        all += part.how == sentence_part::form::negative ? "-" : hex ? "0x" : "";
        all += part.text;
        all += digits;
    }
    return all;
}

/// All parts one after the other.
template <class... Parts>
[[nodiscard]] std::string say(Parts const&... parts) {
    return join({sentence_part(parts)...});
}

}  // namespace law_parts

}  // namespace wddmcore::testing

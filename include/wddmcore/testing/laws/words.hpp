// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"
#include "../watched/buffer.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

/// What can be told from the words of one encoder alone.
namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// Words around an encoder's place that must stay as they are.
inline constexpr std::size_t guard_words = 300;

/// What memory holds before an encoder runs; the two backgrounds differ in every bit.
[[nodiscard]] constexpr u32 background(std::size_t i, bool inverted) {
    auto const word = static_cast<u32>((i + 1) * 0x9E37'79B9U ^ 0x5BD1'E995U);
    return inverted ? ~word : word;
}

/// Something that writes one command; refers to a callable that lives longer.
class encoder_ref {
public:
    template <class Encode>
    encoder_ref(Encode const& encode)
        : object_(&encode), call_([](void const* object, u32* at) { (*static_cast<Encode const*>(object))(at); }) {}
    void operator()(u32* at) const { call_(object_, at); }

private:
    void const* object_;
    void (*call_)(void const*, u32*);
};

/// Memory of a background, an encoder run in its middle.
[[nodiscard]] inline std::vector<u32> encoded_on(bool inverted, std::size_t dwords, encoder_ref encode) {
    std::vector<u32> memory(dwords + 2 * guard_words);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = background(i, inverted);
    }
    encode(memory.data() + guard_words);
    return memory;
}

/// The laws about one command: its declared size, its memory, its repeatability.
///
/// @param what    names the command and its arguments
/// @param dwords  what the encoder declares
inline void judge_words(law_report& report, std::string const& what, std::size_t dwords, encoder_ref encode) {
    std::vector<u32> const one = encoded_on(false, dwords, encode);
    std::vector<u32> const other = encoded_on(true, dwords, encode);
    std::vector<u32> const again = encoded_on(false, dwords, encode);
    report.exercise(law::honest_sizes);
    report.exercise(law::every_dword);
    report.exercise(law::nothing_from_memory);
    for (std::size_t i = 0; i < one.size(); ++i) {
        bool const same_one = one[i] == background(i, false);
        bool const same_other = other[i] == background(i, true);
        auto const at = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(guard_words);
        if (i < guard_words || i >= guard_words + dwords) {
            if (!same_one || !same_other) {
                report.violate(law::honest_sizes, say(what, " declares ", dwords, " dwords and changes dword ", at));
            }
        } else if (same_one && same_other) {
            report.violate(law::every_dword, say(what, " declares ", dwords, " dwords and does not write dword ", at));
        } else if (one[i] != other[i]) {
            report.violate(law::nothing_from_memory, say(what, " leaves bits ", as_hex{one[i] ^ other[i]}, " of dword ",
                                                         at, " as the buffer had them"));
        }
    }
    bool const repeats =
        std::equal(one.begin() + guard_words, one.begin() + static_cast<std::ptrdiff_t>(guard_words + dwords),
                   again.begin() + guard_words);
    report.judge(law::same_words_again, repeats, [&] { return say(what, " gives other words the second time"); });
}

/// The law about stores: on a host that can watch them.
inline void watch_words(law_report& report, std::string const& what, std::size_t dwords, encoder_ref encode) {
    watched_buffer buffer(dwords * 4);
    if (dwords == 0 || !buffer.watching() || !buffer.arm(0, dwords * 4)) {
        return;
    }
    encode(reinterpret_cast<u32*>(buffer.data()));
    buffer.disarm();
    std::vector<watched_violation> const found = buffer.violations();
    report.judge(law::stores_ascend, found.empty(), [&] { return say(what, ": ", found.front().sentence); });
}

/// Says in what two commands of the same words ought to differ.
using describe_pair = std::function<std::string(u64, u64)> const&;

/// Commands of one length, each made from a number, to find two numbers that give the same words.
class distinct_commands {
public:
    explicit distinct_commands(std::size_t dwords) : dwords_(dwords) {}

    /// @param encode  writes the command for `number`
    void add(u64 number, encoder_ref encode) {
        std::size_t const first = words_.size();
        // The encoder may write more than it declares: that is another law's business.
        words_.resize(first + dwords_ + guard_words);
        encode(words_.data() + first);
        words_.resize(first + dwords_);
        numbers_.push_back(number);
    }

    [[nodiscard]] std::size_t size() const { return numbers_.size(); }

    /// Judges all; `describe` is given two different numbers of the same words.
    void judge(law_report& report, law l, describe_pair describe) const {
        std::vector<std::size_t> order(numbers_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto const begin = [&](std::size_t i) { return words_.begin() + static_cast<std::ptrdiff_t>(i * dwords_); };
        auto const end = [&](std::size_t i) { return begin(i + 1); };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            auto const [left, right] = std::mismatch(begin(a), end(a), begin(b));
            return left == end(a) ? numbers_[a] < numbers_[b] : *left < *right;
        });
        std::vector<std::pair<u64, u64>> pairs;
        for (std::size_t i = 1; i < order.size(); ++i) {
            std::size_t const a = order[i - 1];
            std::size_t const b = order[i];
            if (numbers_[a] != numbers_[b] && std::equal(begin(a), end(a), begin(b))) {
                pairs.emplace_back(numbers_[a], numbers_[b]);
            }
        }
        std::sort(pairs.begin(), pairs.end());
        report.exercise(l);
        for (auto const& [a, b] : pairs) {
            report.violate(l, describe(a, b));
        }
    }

private:
    std::size_t dwords_;
    std::vector<u32> words_;
    std::vector<u64> numbers_;
};

/// Multiples of `unit` from one unit to `most`: the ends, the powers of two and their neighbours, and pairs that differ
/// in one bit only, which is how a field that is too narrow shows.
[[nodiscard]] inline std::vector<u64> telling_multiples(random_numbers& random, u64 unit, u64 most) {
    u64 const count = most / unit;
    std::vector<u64> units;
    auto const add = [&](u64 n) {
        if (n >= 1 && n <= count) {
            units.push_back(n);
        }
    };
    for (u64 i = 0; i < 600; ++i) {
        add(1 + i);
        add(count - i);
    }
    for (unsigned bit = 0; bit < 64; ++bit) {
        u64 const power = u64{1} << bit;
        add(power - 1);
        add(power);
        add(power + 1);
    }
    for (unsigned i = 0; i < 40 && count != 0; ++i) {
        u64 const n = 1 + random.below(count);
        for (unsigned bit = 0; bit < 64; ++bit) {
            add(n ^ u64{1} << bit);
        }
        add(n);
    }
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    for (u64& n : units) {
        n *= unit;
    }
    return units;
}

}  // namespace wddmcore::testing::law_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "passes.hpp"
#include "samples/requests.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// What the laws over memory share: the model, the driver of passes, and how a wrong byte is told.
template <class Hw, class Args, class Build>
class memory_laws_base {
public:
    memory_laws_base(Hw& hw, law_memory const& memory, law_options const& options, law_report& report,
                     Build const& build, u64 salt)
        : hw_(hw),
          memory_(memory),
          options_(options),
          report_(report),
          random_(options.seed ^ salt),
          model_(*memory.bus),
          driver_(hw, memory_, options_, report_, random_, build) {}
    memory_laws_base(memory_laws_base const&) = delete;
    memory_laws_base& operator=(memory_laws_base const&) = delete;

protected:
    using stretches = memory_model::stretches;

    /// A size for a request: mostly a few pages, sometimes all there is.
    [[nodiscard]] u64 any_size(u64 unit, u64 most) {
        u64 const limit = round_down(
            random_.chance(15) ? most : lesser(most, random_.chance(40) ? 2 * page_bytes : 12 * page_bytes), unit);
        return random_.chance(10) ? limit : unit + random_.multiple(unit, limit - unit);
    }

    /// Makes a copy in the model, of fresh bytes.
    void model_copy(stretches const& from, stretches const& to) {
        static_cast<void>(model_.scramble(from, random_));
        model_.write(to, model_.read(from));
    }

    /// Carries out a copy or a fill that the model has made already, and compares.
    void judge_request(Args const& request, stretches const& destination, u64 size, law arrives,
                       std::string const& what) {
        driven const run = driver_.drive(request, what);
        finish(run, destination, size, arrives, what);
    }

    void finish(driven const& run, stretches const& destination, u64 size, law arrives, std::string const& what) {
        if (!run.done) {
            model_.accept_everything();
            return;
        }
        report_.judge(law::sums_equal_the_request, run.moved_bytes == size,
                      [&] { return say(what, ": the commands move ", run.moved_bytes, " bytes"); });
        compare(destination, arrives, what);
    }

    void compare(stretches const& destination, law arrives, std::string const& what) {
        auto const wrong = model_.compare(destination);
        auto const sentence = [&] {
            return say(what, ": ", wrong->place, " is ", as_hex{std::to_integer<u64>(wrong->found)}, ", not ",
                       as_hex{std::to_integer<u64>(wrong->expected)});
        };
        report_.judge(arrives, !wrong || !wrong->inside, sentence);
        report_.judge(law::nothing_else_changes, !wrong || wrong->inside, sentence);
    }

    /// Runs one command as the engine gets it: padded, and nothing else.
    [[nodiscard]] execution run_padded(dwords n, encoder_ref encode) {
        constexpr u32 grain = Hw::unit_dwords.n;
        u32 const over = n.n % grain;
        u32 const fill = over == 0 ? 0 : grain - over;
        std::vector<u32> words(n.n + fill + guard_words);
        if (options_.stream_begins) {
            options_.stream_begins(words.data());
        }
        encode(words.data());
        if (fill != 0) {
            hw_.encode_padding(words.data() + n.n, dwords{fill});
        }
        return memory_.executor->execute(words.data(), n.n + fill, *memory_.bus);
    }

    /// The largest copy and fill, `second` lying after `first` by at least both; room in bytes after each.
    template <class Address>
    void check_largest(Address first, Address second, std::size_t part, u64 distance, u64 room) {
        if constexpr (hw::copy_engine<Hw>) {
            u64 const size = round_down(copy_most(hw_).n, copy_unit(hw_).n);
            if (has_room_for("the largest copy", size, lesser(room, distance), distance + room)) {
                stretches const to{{part, static_cast<std::size_t>(distance), static_cast<std::size_t>(size)}};
                model_copy({{part, 0, static_cast<std::size_t>(size)}}, to);
                execution const run =
                    run_padded(Hw::copy_dwords, [&](u32* at) { hw_.encode_copy(at, second, first, bytes{size}); });
                judge_largest(run, to, say("a copy of ", size, " bytes"));
            }
        }
        if constexpr (hw::fill_engine<Hw>) {
            u64 const size = round_down(fill_most(hw_).n, fill_unit(hw_).n);
            if (has_room_for("the largest fill", size, room, distance + room)) {
                stretches const to{{part, static_cast<std::size_t>(distance), static_cast<std::size_t>(size)}};
                u32 const pattern = any_pattern();
                model_.write(to, repeated(pattern, size));
                execution const run = run_padded(hw::fill_length(hw_, second, bytes{size}, pattern),
                                                 [&](u32* at) { hw_.encode_fill(at, second, bytes{size}, pattern); });
                judge_largest(run, to, say("a fill of ", size, " bytes"));
            }
        }
    }

    /// Whether the largest command of a kind can be put to the test; told where it cannot.
    /// @param most   bytes that it may have here
    /// @param range  bytes that there are in all
    [[nodiscard]] bool has_room_for(char const* what, u64 size, u64 most, u64 range) {
        if (size <= most) {
            report_.exercise_case(law::largest_commands, what);
            return true;
        }
        report_.leave_out({law::largest_commands, what,
                           say("it has ", size, " bytes; memory of ", range, " has room for one of ", most)});
        return false;
    }

    void judge_largest(execution const& run, stretches const& to, std::string const& what) {
        report_.judge(law::largest_commands, run.ok, [&] { return say(what, ": ", run.why); });
        if (run.ok) {
            compare(to, law::largest_commands, what);
        } else {
            model_.accept_everything();
        }
    }

    /// Padding of every length that some number of equal commands leaves room for.
    template <class Address>
    void check_padding(Address first, Address second, stretches const& touched) {
        if constexpr (hw::copy_engine<Hw>) {
            check_padding_behind(Hw::copy_dwords, [&](u32* at) { hw_.encode_copy(at, second, first, copy_unit(hw_)); });
        }
        if constexpr (hw::fill_engine<Hw>) {
            check_padding_behind(hw::fill_length(hw_, second, fill_unit(hw_), 0),
                                 [&](u32* at) { hw_.encode_fill(at, second, fill_unit(hw_), 0); });
        }
        model_.accept(touched);
        compare(touched, law::padding_executes, "commands and padding");
    }

    void check_padding_behind(dwords command, encoder_ref encode) {
        constexpr u32 grain = Hw::unit_dwords.n;
        for (u32 count = 1; count <= grain; ++count) {
            u32 const length = count * command.n;
            u32 const fill = (grain - length % grain) % grain;
            if (fill == 0) {
                continue;
            }
            std::vector<u32> words(length + fill + guard_words);
            for (u32 i = 0; i != count; ++i) {
                encode(words.data() + i * command.n);
            }
            hw_.encode_padding(words.data() + length, dwords{fill});
            execution const run = memory_.executor->execute(words.data(), length + fill, *memory_.bus);
            report_.judge(law::padding_executes, run.ok && run.commands == count, [&] {
                return say("padding of ", fill, " after ", count, " commands, dword ", run.dword, ": ", run.why, " (",
                           run.commands, " commands executed)");
            });
        }
    }

    [[nodiscard]] u32 any_pattern() { return pattern_of(hw_, static_cast<u32>(random_.next())); }

    /// A pattern from a destination's first byte on, little-endian (AMB-09).
    [[nodiscard]] static std::vector<std::byte> repeated(u32 pattern, u64 size) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>((pattern >> (8 * (i % 4))) & 0xFF);
        }
        return bytes;
    }

    /// Whether this engine may be given a move from one place of a range to another (OP08-07).
    [[nodiscard]] static bool may_move(u64 from, u64 to, u64 size) {
        u64 const distance = from < to ? to - from : from - to;
        return distance >= size || (distance != 0 && (Hw::copy_overlap == hw::overlap::safe || distance >= page_bytes));
    }
    /// A move within a range, whose two places overlap: on either side, by a little or by much, as the engine may be
    /// asked.
    struct shift {
        u64 from;
        u64 to;
        u64 size;
    };
    [[nodiscard]] shift any_shift(u64 unit, u64 range) {
        u64 const least = Hw::copy_overlap == hw::overlap::safe ? copy_unit(hw_).n : page_bytes;
        // Somewhat more than the distance, so that there is something to overlap.
        u64 const distance = least + random_.multiple(unit, random_.chance(50) ? 4 * page_bytes : least);
        u64 const size = lesser(distance + unit + random_.multiple(unit, distance), round_down(range - distance, unit));
        u64 const low = random_.multiple(unit, range - distance - size);
        return random_.chance(50) ? shift{low, low + distance, size} : shift{low + distance, low, size};
    }
    [[nodiscard]] static law move_law(u64 from, u64 to, u64 size) {
        return ranges_overlap(from, size, to, size) ? law::overlap_as_promised : law::copies_arrive;
    }

    Hw& hw_;
    law_memory const& memory_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
    memory_model model_;
    pass_driver<Hw, Args, Build> driver_;
};

}  // namespace wddmcore::testing::law_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../config.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A run as a Chrome trace-event file, for any viewer of that format.
///
/// Times are virtual and in nanoseconds; the file is equal for equal runs. Whoever adds events names simulated
/// addresses only, or it would not be.
class trace {
public:
    /// A named number or text beside an event.
    struct argument {
        std::string name;   ///< what the viewer calls it
        std::string value;  ///< digits, or the text
        bool text = false;  ///< true: written in quotation marks

        /// A number, in decimal.
        /// @param name   what the viewer calls it
        /// @param value  any number
        /// @return the argument
        [[nodiscard]] static argument number(std::string name, std::uint64_t value) {
            return {std::move(name), std::to_string(value), false};
        }
        /// A simulated address, in hexadecimal.
        /// @param name   what the viewer calls it
        /// @param value  the address
        /// @return the argument
        [[nodiscard]] static argument address(std::string name, std::uint64_t value) {
            return {std::move(name), hexadecimal(value), true};
        }
        /// A text.
        /// @param name   what the viewer calls it
        /// @param value  the text
        /// @return the argument
        [[nodiscard]] static argument words(std::string name, std::string value) {
            return {std::move(name), std::move(value), true};
        }
    };
    using arguments = std::vector<argument>;  ///< what is told beside an event

private:
    struct event {
        char phase;
        std::uint32_t track;
        std::string name;
        std::uint64_t start;
        std::uint64_t duration;  ///< of a flow: its number
        arguments args;
    };
    struct row {
        std::uint32_t track;
        std::string title;
        std::string category;
    };

public:
    /// Decides whether events are remembered; without them a long run costs no memory. Titles always are.
    /// @param on  true, as at first: they are
    void keep(bool on) { kept_ = on; }

    /// Whether they are; who has many events need not make those that are forgotten.
    [[nodiscard]] bool kept() const { return kept_; }

    /// Gives a row of the picture its title.
    /// @param track     any number; rows are sorted by it
    /// @param title     what the viewer calls the row
    /// @param category  one word, by which viewers filter the row's events
    void name_track(std::uint32_t track, std::string title, std::string category = "simulated") {
        tracks_.push_back({track, std::move(title), std::move(category)});
    }

    /// Something that took time.
    /// @param track     its row
    /// @param name      what the viewer calls it
    /// @param start     when it began, in virtual nanoseconds
    /// @param duration  how long it took, in virtual nanoseconds
    /// @param args      what is told beside it
    void span(std::uint32_t track, std::string name, std::uint64_t start, std::uint64_t duration, arguments args = {}) {
        add({'X', track, std::move(name), start, duration, std::move(args)});
    }

    /// Something that happened at one moment.
    /// @param track  its row
    /// @param name   what the viewer calls it
    /// @param at     when, in virtual nanoseconds
    /// @param args   what is told beside it
    void moment(std::uint32_t track, std::string name, std::uint64_t at, arguments args = {}) {
        add({'i', track, std::move(name), at, 0, std::move(args)});
    }

    /// The value of something from a moment on.
    /// @param name    what the viewer calls it
    /// @param at      the moment, in virtual nanoseconds
    /// @param values  numbers, which the viewer stacks
    void counter(std::string name, std::uint64_t at, arguments values) {
        add({'C', 0, std::move(name), at, 0, std::move(values)});
    }

    /// @return a number for the arrows from span to span of one flow, from 1
    [[nodiscard]] std::uint64_t new_flow() { return ++flows_; }

    /// A flow passes through the span that a row shows at a moment. Its arrows begin at the earliest one and end at the
    /// last; a flow that passes only once has none.
    /// @param number  of the flow, from `new_flow`
    /// @param track   the row
    /// @param at      the moment, in virtual nanoseconds
    void flow(std::uint64_t number, std::uint32_t track, std::uint64_t at) {
        add({'t', track, "flow", at, number, {}});
    }

    /// How many events there are.
    [[nodiscard]] std::size_t size() const { return events_.size(); }

    /// @return when the last event ends, in virtual nanoseconds
    [[nodiscard]] std::uint64_t end() const {
        std::uint64_t last = 0;
        for (event const& e : events_) {
            last = std::max(last, e.start + (e.phase == 'X' ? e.duration : 0));
        }
        return last;
    }

    /// Writes all of it as JSON.
    /// @param to  where the text goes
    void write(std::ostream& to) const {
        file all(to);
        all.add(*this, 1, "simulated machine");
        all.finish();
    }

    /// Several runs in one file.
    class file {
    public:
        /// Begins the file.
        /// @param to  where the text goes; must live longer
        explicit file(std::ostream& to) : to_(to) { to_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"; }

        /// The events of a run, in the order of their times; of spans that begin together the longest comes first.
        ///
        /// @param run      whose events
        /// @param process  a group of rows in the picture; any number
        /// @param title    of the group, at its first run
        /// @param start    nanoseconds by which the run begins later than the picture
        void add(trace const& run, std::uint32_t process, std::string_view title, std::uint64_t start = 0) {
            if (titled_.insert(process).second) {
                name("process_name", process, 0, title);
            }
            for (row const& r : run.tracks_) {
                if (named_.insert({process, r.track}).second) {
                    name("thread_name", process, r.track, r.title);
                }
            }
            std::vector<event const*> sorted;
            std::vector<std::uint32_t> passes(static_cast<std::size_t>(run.flows_ + 1));
            for (event const& e : run.events_) {
                sorted.push_back(&e);
                passes[e.phase == 't' ? static_cast<std::size_t>(e.duration) : 0] += 1;
            }
            std::sort(sorted.begin(), sorted.end(), [](event const* a, event const* b) {
                if (a->start != b->start || rank(*a) != rank(*b)) {
                    return a->start != b->start ? a->start < b->start : rank(*a) < rank(*b);
                }
                return a->phase == 'X' && a->duration != b->duration ? a->duration > b->duration : a < b;
            });
            std::vector<std::uint32_t> left = passes;
            for (event const* const e : sorted) {
                if (e->phase != 't') {
                    begin(run, *e, e->phase, process, start);
                    end_of(*e);
                } else if (auto const i = static_cast<std::size_t>(e->duration); passes[i] > 1) {
                    begin(run, *e, left[i] == passes[i] ? 's' : left[i] == 1 ? 'f' : 't', process, start);
                    to_ << ",\"id\":" << flows_ + e->duration << ",\"bp\":\"e\"}";
                    --left[i];
                }
            }
            flows_ += run.flows_;
        }

        /// Ends the file; nothing can be added any more.
        void finish() { to_ << "\n]}\n"; }

    private:
        // What begins at the same time: spans first, and flows last, because they pass through spans.
        [[nodiscard]] static int rank(event const& e) { return e.phase == 'X' ? 0 : e.phase == 't' ? 2 : 1; }

        void name(char const* what, std::uint32_t process, std::uint32_t track, std::string_view title) {
            to_ << std::exchange(separator_, ",\n") << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << process
                << ",\"tid\":" << track << ",\"args\":{\"name\":" << quoted(title) << "}}";
        }

        void begin(trace const& run, event const& e, char phase, std::uint32_t process, std::uint64_t start) {
            to_ << std::exchange(separator_, ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << process
                << ",\"tid\":" << e.track << ",\"cat\":" << quoted(e.phase == 't' ? "flow" : run.category_of(e.track))
                << ",\"name\":" << quoted(e.name) << ",\"ts\":" << microseconds(start + e.start);
        }

        void end_of(event const& e) {
            if (e.phase == 'X') {
                to_ << ",\"dur\":" << microseconds(e.duration);
            } else if (e.phase == 'i') {
                to_ << ",\"s\":\"t\"";
            }
            to_ << ",\"args\":{";
            for (std::size_t i = 0; i < e.args.size(); ++i) {
                argument const& a = e.args[i];
                to_ << (i == 0 ? "" : ",") << quoted(a.name) << ':' << (a.text ? quoted(a.value) : a.value);
            }
            to_ << "}}";
        }

        std::ostream& to_;
        char const* separator_ = "";
        std::set<std::uint32_t> titled_;
        std::set<std::pair<std::uint32_t, std::uint32_t>> named_;
        std::uint64_t flows_ = 0;
    };

    /// A number in hexadecimal.
    /// @param value  any number
    /// @return "0x" and 1 to 16 lower-case digits
    [[nodiscard]] static std::string hexadecimal(std::uint64_t value) {
        std::string digits;
        do {
            digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
            value >>= 4;
        } while (value != 0);
        return "0x" + digits;
    }

private:
    [[nodiscard]] std::string_view category_of(std::uint32_t track) const {
        for (row const& r : tracks_) {
            if (r.track == track) {
                return r.category;
            }
        }
        return "simulated";
    }

    void add(event e) {
        if (kept_) {
            events_.push_back(std::move(e));
        }
    }

    [[nodiscard]] static std::string quoted(std::string_view text) {
        std::string out = "\"";
        for (char const c : text) {
            if (c == '"' || c == '\\') {
                out += '\\';
            }
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        return out + '"';
    }

    // The format counts microseconds; three decimals keep the nanoseconds without floating point.
    [[nodiscard]] static std::string microseconds(std::uint64_t nanoseconds) {
        std::string const fraction = std::to_string(1000 + nanoseconds % 1000).substr(1);
        return std::to_string(nanoseconds / 1000) + '.' + fraction;
    }

    std::vector<row> tracks_;
    std::vector<event> events_;
    std::uint64_t flows_ = 0;
    bool kept_ = true;
};

}  // namespace wddmcore::testing

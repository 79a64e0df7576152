// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../config.hpp"

#include <cstdint>
#include <ostream>
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
        std::string name;
        std::string value;
        bool text = false;  ///< true: written in quotation marks

        [[nodiscard]] static argument number(std::string name, std::uint64_t value) {
            return {std::move(name), std::to_string(value), false};
        }
        /// A simulated address, in hexadecimal.
        [[nodiscard]] static argument address(std::string name, std::uint64_t value) {
            return {std::move(name), hexadecimal(value), true};
        }
        [[nodiscard]] static argument words(std::string name, std::string value) {
            return {std::move(name), std::move(value), true};
        }
    };
    using arguments = std::vector<argument>;

    /// Whether events are remembered; without it a long run costs no memory. Titles always are.
    void keep(bool on) { kept_ = on; }

    /// Gives a row of the picture its title; `track` is any number, rows are sorted by it.
    void name_track(std::uint32_t track, std::string title) { tracks_.emplace_back(track, std::move(title)); }

    /// Something that took time: from `start` for `duration` nanoseconds.
    void span(std::uint32_t track, std::string name, std::uint64_t start, std::uint64_t duration, arguments args = {}) {
        add({'X', track, std::move(name), start, duration, std::move(args)});
    }

    /// Something that happened at one moment.
    void moment(std::uint32_t track, std::string name, std::uint64_t at, arguments args = {}) {
        add({'i', track, std::move(name), at, 0, std::move(args)});
    }

    /// The value of something from this moment on.
    void counter(std::string name, std::uint64_t at, arguments values) {
        add({'C', 0, std::move(name), at, 0, std::move(values)});
    }

    /// How many events there are.
    [[nodiscard]] std::size_t size() const { return events_.size(); }

    /// Writes all of it as JSON.
    void write(std::ostream& to) const {
        to << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
        char const* separator = "";
        for (auto const& [track, title] : tracks_) {
            to << separator << "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":" << track
               << ",\"args\":{\"name\":" << quoted(title) << "}}";
            separator = ",\n";
        }
        for (event const& e : events_) {
            to << separator << "{\"ph\":\"" << e.phase << "\",\"pid\":1,\"tid\":" << e.track
               << ",\"name\":" << quoted(e.name) << ",\"ts\":" << microseconds(e.start);
            if (e.phase == 'X') {
                to << ",\"dur\":" << microseconds(e.duration);
            } else if (e.phase == 'i') {
                to << ",\"s\":\"t\"";
            }
            to << ",\"args\":{";
            for (std::size_t i = 0; i < e.args.size(); ++i) {
                argument const& a = e.args[i];
                to << (i == 0 ? "" : ",") << quoted(a.name) << ':' << (a.text ? quoted(a.value) : a.value);
            }
            to << "}}";
            separator = ",\n";
        }
        to << "\n]}\n";
    }

    /// 0x and sixteen digits at most.
    [[nodiscard]] static std::string hexadecimal(std::uint64_t value) {
        std::string digits;
        do {
            digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
            value >>= 4;
        } while (value != 0);
        return "0x" + digits;
    }

private:
    struct event {
        char phase;
        std::uint32_t track;
        std::string name;
        std::uint64_t start;
        std::uint64_t duration;
        arguments args;
    };

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

    std::vector<std::pair<std::uint32_t, std::string>> tracks_;
    std::vector<event> events_;
    bool kept_ = true;
};

}  // namespace wddmcore::testing

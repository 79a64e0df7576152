// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "trip.hpp"

#include <cstddef>
#include <fstream>
#include <map>
#include <string>

namespace wddmcore::examples {

/// Every round trip of a run in one file of Chrome trace events, one after the other; each adapter is a process of its
/// own in the picture, with a row that shows its trips.
class trace_file {
public:
    explicit trace_file(std::string const& path) : to_(path, std::ios::binary), file_(to_) {}

    /// @param adapter  title of the group of rows
    /// @param words    name of the trip
    void add(std::string const& adapter, std::string const& words, trip const& t, testing::trace const& events) {
        std::uint32_t const process =
            processes_.try_emplace(adapter, static_cast<std::uint32_t>(processes_.size() + 1)).first->second;
        using argument = testing::trace::argument;
        testing::trace row;
        row.name_track(0, "round trips", "trip");
        row.span(0, words, 0, events.end(),
                 {argument::words("pages", t.pages->origin), argument::number("bytes", t.size),
                  argument::number("bytes of a paging buffer", t.buffer), argument::number("trip", ++trips_)});
        file_.add(row, process, adapter, now_);
        file_.add(events, process, adapter, now_);
        now_ += events.end() + pause_ns;
    }

    /// @return false when the file could not be written
    [[nodiscard]] bool finish() {
        file_.finish();
        size_ = to_ ? static_cast<std::uint64_t>(to_.tellp()) : 0;
        to_.close();
        return !to_.fail();
    }

    [[nodiscard]] std::size_t trips() const { return trips_; }
    /// In bytes, of the finished file.
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    static constexpr std::uint64_t pause_ns = 1000;

    std::ofstream to_;
    testing::trace::file file_;
    std::map<std::string, std::uint32_t> processes_;
    std::uint64_t now_ = 0;
    std::uint64_t size_ = 0;
    std::size_t trips_ = 0;
};

}  // namespace wddmcore::examples

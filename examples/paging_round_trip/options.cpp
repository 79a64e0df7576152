// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "options.hpp"

#include <algorithm>
#include <charconv>

namespace wddmcore::examples {

namespace {

constexpr std::uint64_t smallest_size = 4096;
constexpr std::uint64_t largest_size = std::uint64_t{4} << 30;
constexpr std::uint64_t smallest_buffer = 32;
constexpr std::uint64_t largest_buffer = 1 << 20;

/// Bytes with an optional K, M or G; nothing for anything else.
std::optional<std::uint64_t> number_in(std::string const& word, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    std::string const unit(end, word.data() + word.size());
    unsigned const shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 64;
    if (error != std::errc{} || shift == 64 || value > (most >> shift) || (value << shift) < least) {
        return std::nullopt;
    }
    return value << shift;
}

std::string joined(std::vector<std::string> const& names) {
    std::string text;
    for (std::string const& name : names) {
        text += text.empty() ? name : ", " + name;
    }
    return text;
}

}  // namespace

parsed_options parse(std::vector<std::string> const& words, std::vector<std::string> const& names) {
    parsed_options parsed;
    round_trip_options& options = parsed.options;
    for (std::size_t i = 0; i < words.size() && parsed.problem.empty(); ++i) {
        std::string const& word = words[i];
        if (word == "--help" || word == "-h") {
            options.help = true;
            continue;
        }
        if (word == "--full" || word == "--brief") {
            (word == "--full" ? options.full : options.brief) = true;
            continue;
        }
        bool const known = word == "--hardware" || word == "--pages" || word == "--size" || word == "--buffer" ||
                           word == "--seed" || word == "--trace";
        if (!known) {
            parsed.problem = "unknown option " + word;
        } else if (i + 1 == words.size()) {
            parsed.problem = word + " needs a value";
        } else if (std::string const& value = words[++i]; word == "--hardware") {
            if (std::find(names.begin(), names.end(), value) == names.end()) {
                parsed.problem = "--hardware " + value + ": expected one of " + joined(names);
            }
            options.hardware = value;
        } else if (word == "--pages") {
            if (value.empty()) {
                parsed.problem = "--pages: expected host, random, contiguous or a file";
            }
            options.pages = value;
        } else if (word == "--size") {
            options.size = number_in(value, smallest_size, largest_size);
            if (!options.size || *options.size % smallest_size != 0) {
                parsed.problem =
                    "--size " + value + ": expected bytes, a multiple of 4096 from 4096 to 4G (K, M and G are units)";
            }
        } else if (word == "--buffer") {
            std::optional<std::uint64_t> const bytes = number_in(value, smallest_buffer, largest_buffer);
            if (!bytes || *bytes % 4 != 0) {
                parsed.problem =
                    "--buffer " + value + ": expected bytes, a multiple of 4 from 32 to 1M (K and M are units)";
            } else {
                options.buffer = static_cast<std::uint32_t>(*bytes);
            }
        } else if (word == "--seed") {
            std::optional<std::uint64_t> const seed = number_in(value, 0, ~std::uint64_t{0});
            if (!seed) {
                parsed.problem = "--seed " + value + ": expected a number";
            }
            options.seed = seed.value_or(1);
        } else {
            options.trace = value;
        }
    }
    return parsed;
}

std::string usage(std::vector<std::string> const& names) {
    return "usage: paging_round_trip [--full] [--hardware NAME] [--pages host|random|contiguous|FILE] [--size BYTES]\n"
           "                         [--buffer BYTES] [--seed N] [--trace FILE] [--brief]\n"
           "Moves the bytes of allocations from a memory segment to system pages and back, by the commands of simulated\n"
           "GPUs, and compares every byte.\n"
           "  --full      allocations up to 1G, which takes minutes; without it up to 1M\n"
           "  --hardware  " +
           joined(names) +
           "; without it all of them\n"
           "  --pages     where the system pages come from: this host's own page frames, random or contiguous numbers, or a\n"
           "              file of recorded runs (examples/data); without it all of the first three\n"
           "  --size      bytes of an allocation, 4096 to 4G; without it 4K to 1M\n"
           "  --buffer    bytes of a paging buffer, 32 to 1M; without it the smallest the hardware allows to 1M\n"
           "  --seed      what content and order follow from; 1\n"
           "  --trace     writes Chrome trace events for ui.perfetto.dev or chrome://tracing: every round trip, with each\n"
           "              request, build, submission, execution and fence, and arrows from one to the next. All times in\n"
           "              it are the model's, none is measured: a build takes 200 ns and 1 ns for each byte of commands,\n"
           "              an execution 1 us and 1 ns for 16 bytes that it moves, a submission or a fence 100 ns. Alone\n"
           "              the option writes some 80 MiB; --hardware, --pages, --size or --buffer make that less\n"
           "  --brief     only the last sentence, not the table\n";
}

}  // namespace wddmcore::examples

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Where page numbers come from: this host's own page frames, a list recorded that way, or made by a rule.
namespace wddmcore::examples {

/// Page numbers in the order of an allocation's pages, and a text that says where they come from.
struct page_list {
    std::vector<std::uint64_t> numbers;
    std::string origin;
};

/// The highest page number that all the example hardware reaches where the simulated adapters put system memory.
inline constexpr std::uint64_t highest_page = 0x1'EFFF'FFFF;

/// The runs of consecutive numbers in a list.
[[nodiscard]] std::size_t count_runs(std::vector<std::uint64_t> const& numbers);

/// The page frames that this host gives to a fresh mapping of `count` pages; nothing, with the reason in `why_not`,
/// when the host does not reveal them (without the privilege /proc/self/pagemap shows zeros).
[[nodiscard]] std::optional<page_list> host_pages(std::size_t count, std::string& why_not);

/// The list in a file: lines of `first count`, both hexadecimal, '#' begins a comment.
[[nodiscard]] std::optional<page_list> recorded_pages(std::string const& path, std::string& why_not);

/// The text form that recorded_pages reads.
[[nodiscard]] std::string as_text(page_list const& list);

/// `count` different page numbers, no two neighbours consecutive, from a seed.
[[nodiscard]] page_list random_pages(std::size_t count, std::uint64_t seed);

/// `count` consecutive page numbers.
[[nodiscard]] page_list contiguous_pages(std::size_t count);

/// The first `count` numbers of a list. A list that is too short is repeated, each time with higher numbers; nothing if
/// they would pass highest_page, with the reason in `why_not`.
[[nodiscard]] std::optional<page_list> stretched(page_list const& list, std::size_t count, std::string& why_not);

}  // namespace wddmcore::examples

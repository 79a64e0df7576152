// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/pages.hpp"
#include "ram.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Pages of RAM in any order, side by side for the CPU: what a mapped MDL is to a driver.
///
/// The bytes are those of the pages themselves, and an inaccessible page lies on both sides. It needs a host that can
/// show memory twice, with 4-KiB pages (Linux), and pages that come from guarded_source::shared (a simulator's do where
/// vidmm_options::memory_file is set); each stretch of pages that do not follow each other in the pool is one
/// mapping, of which Linux allows a process some 65,000. A page that is removed meanwhile stays visible here.
class gpu_memory_view {
public:
    /// Makes the view; `valid` tells whether it worked.
    /// @param ram      whose pages; the view may outlive it
    /// @param numbers  page numbers in the order in which the driver shall see them
    /// @throws std::bad_alloc  no address space
    gpu_memory_view(gpu_memory_ram const& ram, std::span<std::uint64_t const> numbers)
        : pages_(numbers.size() * page, 1, guarded_source::own), valid_(guarded_host::page_bytes() == page) {
        for (std::size_t i = 0; valid_ && i < numbers.size();) {
            std::uint64_t const place = ram.place_of(numbers[i]);
            std::size_t run = 1;
            while (i + run < numbers.size() && ram.place_of(numbers[i + run]) == place + run) {
                ++run;
            }
            valid_ = place != gpu_memory_index::nothing &&
                     pages_.overlay(i * page, run * page, ram.pool(), static_cast<std::size_t>(place) * page);
            i += run;
        }
    }

    /// Whether every page is there and the host could show it; otherwise nothing may be touched.
    [[nodiscard]] bool valid() const { return valid_; }

    /// The first byte of the first page.
    [[nodiscard]] std::byte* data() const { return pages_.begin(); }

    /// @return bytes, whole pages
    [[nodiscard]] std::size_t size() const { return pages_.size(); }

    /// Ends the mapping's time: from now on every access faults; the pages themselves are not touched.
    /// @return false: the host cannot, and the view is as before
    [[nodiscard]] bool retire() { return pages_.allow(pages_.begin(), pages_.size(), guarded_access::none); }

private:
    static constexpr std::size_t page = gpu_memory_ram::page_bytes;

    guarded_pages pages_;
    bool valid_;
};

}  // namespace wddmcore::testing

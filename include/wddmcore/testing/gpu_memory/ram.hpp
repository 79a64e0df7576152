// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/pages.hpp"
#include "index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <new>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Why simulated memory did not change.
enum class gpu_memory_error : std::uint8_t {
    none,           ///< it did
    empty,          ///< a size of zero
    wraps,          ///< the range goes past the end of the address space
    unaligned,      ///< an address or a size is not whole 4-KiB pages
    overlap,        ///< the range touches one that is there already
    virtual_only,   ///< this is an address space over other memory and has none of its own
    no_window,      ///< there is no page window yet
    window_exists,  ///< there is a page window already
    outside,        ///< the page number is not one of the window's
    exists,         ///< the page is there already
    unknown,        ///< the page is not there
    full,           ///< the pool has no page left
};

/// Pages of RAM with page numbers of the caller's choice, kept in one pool.
class gpu_memory_ram {
public:
    /// Bytes of a page.
    static constexpr std::uint64_t page_bytes = 4096;

    /// Reserves the pool; memory is used only for pages that are touched.
    /// @param first_number  lowest page number there can be
    /// @param numbers       how many page numbers there can be
    /// @param capacity      how many pages may be there at the same time, below 2^40
    /// @param source        where they come from
    /// @throws std::bad_alloc  the host has not that much address space
    gpu_memory_ram(std::uint64_t first_number, std::uint64_t numbers, std::uint64_t capacity,
                   guarded_source source = guarded_source::shared)
        : first_number_(first_number),
          numbers_(numbers),
          capacity_(std::min(capacity, numbers)),
          pool_(pool_bytes(capacity_), 1, source),
          places_(first_number, numbers) {}

    /// Adds one page, all zero.
    /// @param number  page number
    /// @return none, outside, exists, full
    [[nodiscard]] gpu_memory_error add(std::uint64_t number) {
        if (!in_range(number)) {
            return gpu_memory_error::outside;
        }
        if (places_.find(number) != gpu_memory_index::nothing) {
            return gpu_memory_error::exists;
        }
        if (used_ < capacity_) {
            places_.set(number, used_++);
            return gpu_memory_error::none;
        }
        if (released_.empty()) {
            return gpu_memory_error::full;
        }
        std::uint64_t const place = released_.front();  // the longest unused: stale pointers meet new owners late
        released_.pop_front();
        std::memset(at(place), 0, page_bytes);
        places_.set(number, place);
        return gpu_memory_error::none;
    }

    /// Takes one page away.
    /// @param number  page number
    /// @return none, outside, unknown
    [[nodiscard]] gpu_memory_error remove(std::uint64_t number) {
        if (!in_range(number)) {
            return gpu_memory_error::outside;
        }
        std::uint64_t const place = places_.find(number);
        if (place == gpu_memory_index::nothing) {
            return gpu_memory_error::unknown;
        }
        places_.erase(number);
        released_.push_back(place);
        return gpu_memory_error::none;
    }

    /// How many pages there are.
    [[nodiscard]] std::size_t size() const { return places_.size(); }

    /// Which page of the pool holds a page.
    /// @param number  any number
    /// @return pages from the pool's start, or gpu_memory_index::nothing
    [[nodiscard]] std::uint64_t place_of(std::uint64_t number) const {
        return in_range(number) ? places_.find(number) : gpu_memory_index::nothing;
    }

    /// Where the CPU finds a page.
    /// @param number  any number
    /// @return its first byte, or nullptr
    [[nodiscard]] std::byte* cpu(std::uint64_t number) const {
        std::uint64_t const place = place_of(number);
        return place == gpu_memory_index::nothing ? nullptr : at(place);
    }

    /// The pages that all of it is kept in.
    [[nodiscard]] guarded_pages const& pool() const { return pool_; }

private:
    [[nodiscard]] static std::size_t pool_bytes(std::uint64_t capacity) {
        if (capacity >= std::uint64_t{1} << 40 || capacity * page_bytes > std::numeric_limits<std::size_t>::max()) {
            throw std::bad_alloc();
        }
        return static_cast<std::size_t>(capacity * page_bytes);
    }

    [[nodiscard]] bool in_range(std::uint64_t number) const {
        return number >= first_number_ && number - first_number_ < numbers_;
    }

    [[nodiscard]] std::byte* at(std::uint64_t place) const { return pool_.begin() + place * page_bytes; }

    std::uint64_t first_number_;
    std::uint64_t numbers_;
    std::uint64_t capacity_;
    guarded_pages pool_;
    gpu_memory_index places_;
    std::uint64_t used_ = 0;
    std::deque<std::uint64_t> released_;
};

}  // namespace wddmcore::testing

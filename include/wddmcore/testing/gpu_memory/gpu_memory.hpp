// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/pages.hpp"
#include "bus.hpp"
#include "index.hpp"
#include "ram.hpp"
#include "runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The memory that a simulated engine reaches: video memory, pages of RAM, and virtual addresses that stand for both.
///
/// All of it is zero at first, and costs only what is touched unless `populate` is called. Nothing that can be seen
/// depends on host addresses except the pointers themselves. Every change ends the validity of pieces handed out
/// before.
class gpu_memory final : public gpu_bus {
public:
    /// Bytes of a page.
    static constexpr std::uint64_t page_bytes = gpu_memory_ram::page_bytes;

    /// Memory of its own.
    gpu_memory() = default;

    /// A virtual address space over somebody else's memory: only `map` and `unmap` put something behind an address.
    /// @param physical  must live longer; what is mapped here are its addresses
    explicit gpu_memory(gpu_memory& physical) : physical_(&physical) {}

    /// Puts video memory behind a range of addresses.
    /// @param base    first GPU address, in bytes
    /// @param size    bytes
    /// @param memory  somebody else's, of that size, which must live longer; nullptr: it is taken, with guards
    /// @return none, empty, wraps, overlap, virtual_only
    /// @throws std::bad_alloc  the host has not that much address space
    [[nodiscard]] gpu_memory_error add_linear(std::uint64_t base, std::uint64_t size, std::byte* memory = nullptr) {
        if (auto const wrong = check_new(base, size); wrong != gpu_memory_error::none) {
            return wrong;
        }
        if (size > std::numeric_limits<std::size_t>::max()) {
            throw std::bad_alloc();
        }
        auto const behind = std::upper_bound(linear_.begin(), linear_.end(), base,
                                             [](std::uint64_t a, linear const& l) { return a < l.first; });
        std::unique_ptr<guarded_pages> own;
        if (memory == nullptr) {
            own = std::make_unique<guarded_pages>(static_cast<std::size_t>(size), 1, guarded_source::own);
            memory = own->begin();
        }
        linear_.insert(behind, linear{base, base + (size - 1), memory, std::move(own)});
        ++version_;
        return gpu_memory_error::none;
    }

    /// Reserves addresses for RAM: once page number n is added, it is behind base + n * 4096.
    /// @param base          GPU address that page number 0 would have, whole pages
    /// @param first_number  lowest page number there can be
    /// @param numbers       how many page numbers there can be; up to 2^26 are looked up in an array, else by hash
    /// @param capacity      how many pages may be there at the same time, below 2^40
    /// @param source        where they come from; only of `shared` pages there can be views (gpu_memory_view)
    /// @return none, empty, wraps, unaligned, overlap, virtual_only, window_exists
    /// @throws std::bad_alloc  the host has not that much address space
    [[nodiscard]] gpu_memory_error add_page_window(std::uint64_t base, std::uint64_t first_number,
                                                   std::uint64_t numbers, std::uint64_t capacity,
                                                   guarded_source source = guarded_source::shared) {
        std::uint64_t const most = highest / page_bytes;
        if (ram_) {
            return gpu_memory_error::window_exists;
        }
        if (base % page_bytes != 0) {
            return gpu_memory_error::unaligned;
        }
        if (first_number > most || numbers > most || base > highest - first_number * page_bytes) {
            return gpu_memory_error::wraps;
        }
        std::uint64_t const first = base + first_number * page_bytes;
        if (auto const wrong = check_new(first, numbers * page_bytes); wrong != gpu_memory_error::none) {
            return wrong;
        }
        ram_.emplace(first_number, numbers, capacity, source);
        ram_base_ = base;
        ram_first_ = first;
        ram_last_ = first + (numbers * page_bytes - 1);
        ++version_;
        return gpu_memory_error::none;
    }

    /// Adds one page of RAM, all zero; pages added one after the other lie side by side while the pool is fresh.
    /// @param number  page number
    /// @return none, no_window, outside, exists, full
    [[nodiscard]] gpu_memory_error add_page(std::uint64_t number) {
        ++version_;
        return ram_ ? ram_->add(number) : gpu_memory_error::no_window;
    }

    /// Takes a page of RAM away; every later access to it fails.
    /// @param number  page number
    /// @return none, no_window, outside, unknown
    [[nodiscard]] gpu_memory_error remove_page(std::uint64_t number) {
        ++version_;
        return ram_ ? ram_->remove(number) : gpu_memory_error::no_window;
    }

    /// Gets the host's memory for all of it at once, which is faster than page by page if all of it will be written.
    void populate() const {
        for (linear const& l : linear_) {
            if (l.own) {
                l.own->populate();
            }
        }
        if (ram_) {
            ram_->pool().populate();
        }
    }

    /// The pages of RAM; nullptr without a page window.
    [[nodiscard]] gpu_memory_ram const* ram() const { return ram_ ? &*ram_ : nullptr; }

    /// Where the CPU finds a page of RAM, the same bytes that the GPU sees.
    /// @param number  page number
    /// @return its first byte, valid until it is removed; nullptr: there is no such page
    [[nodiscard]] std::byte* cpu(std::uint64_t number) const { return ram_ ? ram_->cpu(number) : nullptr; }

    /// Lets virtual addresses stand for others, page by page; what they stood for before is forgotten.
    ///
    /// Nothing needs to be behind the target yet. The cost is a table entry for each page.
    /// @param va      first virtual address, whole pages
    /// @param size    bytes, whole pages
    /// @param target  first GPU address of video memory or RAM, whole pages; never virtual itself
    /// @return none, empty, unaligned, wraps; overlap: memory of this space is behind one of the virtual addresses
    [[nodiscard]] gpu_memory_error map(std::uint64_t va, std::uint64_t size, std::uint64_t target) {
        auto wrong = check_pages(va, size);
        if (wrong == gpu_memory_error::none) {
            wrong = check_pages(target, size);
        }
        if (wrong == gpu_memory_error::none && overlaps_memory(va, va + (size - 1))) {
            wrong = gpu_memory_error::overlap;
        }
        if (wrong != gpu_memory_error::none) {
            return wrong;
        }
        for (std::uint64_t i = 0; i < size / page_bytes; ++i) {
            mapped_.set(va / page_bytes + i, target / page_bytes + i);
        }
        ++version_;
        return gpu_memory_error::none;
    }

    /// Lets virtual addresses stand for nothing; those that already do are left so.
    /// @param va    first virtual address, whole pages
    /// @param size  bytes, whole pages
    /// @return none, empty, unaligned, wraps
    [[nodiscard]] gpu_memory_error unmap(std::uint64_t va, std::uint64_t size) {
        auto const wrong = check_pages(va, size);
        if (wrong == gpu_memory_error::none) {
            for (std::uint64_t i = 0; i < size / page_bytes; ++i) {
                mapped_.erase(va / page_bytes + i);
            }
            ++version_;
        }
        return wrong;
    }

    /// What a virtual address stands for.
    /// @param va  any virtual address
    /// @return the address of video memory or RAM, or none
    [[nodiscard]] std::optional<std::uint64_t> translate(std::uint64_t va) const {
        std::uint64_t const target = mapped_.find(va / page_bytes);
        return target == gpu_memory_index::nothing ? std::nullopt
                                                   : std::optional(target * page_bytes + va % page_bytes);
    }

    /// Reads, wholly or not at all.
    /// @param address  GPU address
    /// @param to       room for the bytes
    /// @param size     bytes; 0 is always right
    /// @return false: a byte of it has nothing behind it
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        auto* byte = static_cast<std::byte*>(to);
        return transfer(address, size, [&byte](piece const& p) {
            std::memmove(byte, p.data, p.size);
            byte += p.size;
        });
    }

    /// Writes, wholly or not at all.
    /// @param address  GPU address
    /// @param from     the bytes
    /// @param size     bytes; 0 is always right
    /// @return false: a byte of it has nothing behind it
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        auto const* byte = static_cast<std::byte const*>(from);
        return transfer(address, size, [&byte](piece const& p) {
            std::memmove(p.data, byte, p.size);
            byte += p.size;
        });
    }

    /// The longest piece: neighbours in the address space are one where they are neighbours in the host's memory.
    ///
    /// O(1) on average for whoever goes through a range from its start to its end.
    /// @param address  GPU address
    /// @param size     bytes wanted at most
    /// @return the piece, valid until something changes; {nullptr, 0}: nothing is there, or size is 0
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        std::uint64_t const now = version_ + (physical_ != nullptr ? physical_->version_ : 0);
        if (now != seen_) {
            runs_.clear();
            seen_ = now;
        }
        return size == 0 ? piece{nullptr, 0} : runs_.at(address, size, [this](std::uint64_t a) { return resolve(a); });
    }

private:
    static constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();

    struct linear {
        std::uint64_t first;
        std::uint64_t last;
        std::byte* begin;
        std::unique_ptr<guarded_pages> own;  // nullptr: somebody else's
    };

    [[nodiscard]] static bool touch(std::uint64_t a, std::uint64_t a_last, std::uint64_t b, std::uint64_t b_last) {
        return a <= b_last && b <= a_last;
    }

    [[nodiscard]] bool overlaps_memory(std::uint64_t first, std::uint64_t last) const {
        return (ram_ && touch(first, last, ram_first_, ram_last_)) ||
               std::any_of(linear_.begin(), linear_.end(),
                           [&](linear const& l) { return touch(first, last, l.first, l.last); });
    }

    [[nodiscard]] gpu_memory_error check_new(std::uint64_t base, std::uint64_t size) const {
        if (physical_ != nullptr) {
            return gpu_memory_error::virtual_only;
        }
        if (size == 0) {
            return gpu_memory_error::empty;
        }
        if (size - 1 > highest - base) {
            return gpu_memory_error::wraps;
        }
        std::uint64_t const last = base + (size - 1);
        return overlaps_memory(base, last) || mapped_.any_in(base / page_bytes, last / page_bytes)
                   ? gpu_memory_error::overlap
                   : gpu_memory_error::none;
    }

    [[nodiscard]] static gpu_memory_error check_pages(std::uint64_t base, std::uint64_t size) {
        if (size == 0) {
            return gpu_memory_error::empty;
        }
        if (((base | size) & (page_bytes - 1)) != 0) {
            return gpu_memory_error::unaligned;
        }
        return size - 1 > highest - base ? gpu_memory_error::wraps : gpu_memory_error::none;
    }

    // The piece up to the end of the page or region that holds the address.
    [[nodiscard]] piece resolve(std::uint64_t address) const {
        piece const own = resolve_memory(address);
        if (own.data != nullptr || mapped_.size() == 0) {
            return own;
        }
        std::uint64_t const target = mapped_.find(address / page_bytes);
        if (target == gpu_memory_index::nothing) {
            return {nullptr, 0};
        }
        std::uint64_t const within = address % page_bytes;
        gpu_memory const& memory = physical_ != nullptr ? *physical_ : *this;
        piece const found = memory.resolve_memory(target * page_bytes + within);
        return {found.data, static_cast<std::size_t>(std::min<std::uint64_t>(found.size, page_bytes - within))};
    }

    [[nodiscard]] piece resolve_memory(std::uint64_t address) const {
        if (ram_ && address >= ram_first_ && address <= ram_last_) {
            std::byte* const page = ram_->cpu((address - ram_base_) / page_bytes);
            std::uint64_t const within = address % page_bytes;
            return page == nullptr ? piece{nullptr, 0}
                                   : piece{page + within, static_cast<std::size_t>(page_bytes - within)};
        }
        auto const behind = std::upper_bound(linear_.begin(), linear_.end(), address,
                                             [](std::uint64_t a, linear const& l) { return a < l.first; });
        if (behind == linear_.begin() || address > std::prev(behind)->last) {
            return {nullptr, 0};
        }
        linear const& l = *std::prev(behind);
        return {l.begin + (address - l.first), static_cast<std::size_t>(l.last - address) + 1};
    }

    // Looks at all pieces before it touches the first one, so that a wrong access changes nothing.
    template <class Move>
    [[nodiscard]] bool transfer(std::uint64_t address, std::size_t size, Move const& move) {
        if (size != 0 && size - 1 > highest - address) {
            return false;
        }
        for (std::size_t done = 0; done < size;) {
            piece const p = at(address + done, size - done);
            if (p.data == nullptr) {
                return false;
            }
            if (p.size == size) {
                break;
            }
            done += p.size;
        }
        for (std::size_t done = 0; done < size;) {
            piece const p = at(address + done, size - done);
            move(p);
            done += p.size;
        }
        return true;
    }

    gpu_memory* physical_ = nullptr;
    std::vector<linear> linear_;
    std::optional<gpu_memory_ram> ram_;
    std::uint64_t ram_base_ = 0;
    std::uint64_t ram_first_ = 0;
    std::uint64_t ram_last_ = 0;
    gpu_memory_index mapped_;
    gpu_memory_runs runs_;
    std::uint64_t version_ = 0;
    std::uint64_t seen_ = 0;
};

}  // namespace wddmcore::testing

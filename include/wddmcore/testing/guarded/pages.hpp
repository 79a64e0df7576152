// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "host.hpp"
#include "kept.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where pages come from.
enum class guarded_source : std::uint8_t {
    own,     ///< memory of one object alone
    kept,    ///< the same, but a small mapping that nobody changed is left to the next object (guarded_kept)
    shared,  ///< memory behind a file descriptor, so that it can also be seen at a second address
    heap,    ///< the heap: nothing can be made inaccessible, the guards hold a pattern instead
};

/// Whole pages, all zero, between two guards that nobody may touch.
///
/// Where the host cannot protect pages the guards hold a pattern, and `guards_intact` tells afterwards whether somebody
/// stored there; loads from a guard are not seen then.
class guarded_pages {
public:
    /// Takes address space; of more than a few pages, memory is used only where it is touched.
    /// @param size    bytes wanted between the guards, rounded up to whole pages; 0 is allowed
    /// @param guard   bytes of each guard, rounded up to whole pages
    /// @param source  where the pages come from; `shared` becomes `own` where there are no memory files, and both
    ///                become `heap` where there is no mmap; see `file` and `protects`
    /// @throws std::bad_alloc  the host has not that much address space
    guarded_pages(std::size_t size, std::size_t guard, guarded_source source) {
        std::size_t const page = guarded_host::page_bytes();
        std::size_t const most = std::numeric_limits<std::size_t>::max() / 4;
        if (size > most || guard > most) {
            throw std::bad_alloc();
        }
        size_ = (size + page - 1) / page * page;
        guard_ = (guard + page - 1) / page * page;
        total_ = size_ + 2 * guard_;
        if (!guarded_host::possible || source == guarded_source::heap) {
            take_heap(page);
        } else if (!take_mapped(source)) {
            throw std::bad_alloc();
        }
    }

    guarded_pages(guarded_pages const&) = delete;
    guarded_pages& operator=(guarded_pages const&) = delete;

    /// Takes over another object's pages; their address does not change.
    /// @param other  left without pages
    guarded_pages(guarded_pages&& other) noexcept
        : base_(std::exchange(other.base_, nullptr)),
          heap_(std::exchange(other.heap_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          guard_(std::exchange(other.guard_, 0)),
          total_(std::exchange(other.total_, 0)),
          file_(std::exchange(other.file_, -1)),
          may_be_kept_(other.may_be_kept_),
          changed_(other.changed_.load(std::memory_order_relaxed)) {}
    guarded_pages& operator=(guarded_pages&&) = delete;

    ~guarded_pages() {
        if (file_ >= 0) {
            guarded_host::close_file(file_);
        }
        if (heap_ != nullptr) {
            std::free(heap_);
        } else if (base_ != nullptr && !keep()) {
            guarded_host::release(base_, total_);
        }
    }

    /// The first byte between the guards, page-aligned.
    [[nodiscard]] std::byte* begin() const { return base_ + guard_; }

    /// Bytes between the guards, whole pages.
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Bytes of each of the two guards, whole pages.
    [[nodiscard]] std::size_t guard() const { return guard_; }

    /// Whether a guard really faults; false: it holds a pattern.
    [[nodiscard]] bool protects() const { return heap_ == nullptr; }

    /// The memory file behind the pages, or -1.
    [[nodiscard]] int file() const { return file_; }

    /// Changes what may be done with whole pages, guards included; may be called in a signal handler.
    /// @param from    page-aligned, inside this object's address space
    /// @param size    bytes, whole pages
    /// @param access  what is allowed from now on
    /// @return false: the host cannot or would not
    [[nodiscard]] bool allow(std::byte* from, std::size_t size, guarded_access access) const {
        changed_.store(true, std::memory_order_relaxed);
        return protects() && guarded_host::protect(from, size, access);
    }

    /// Makes every page between the guards inaccessible for good and gives the memory behind them back.
    /// @return false: the host cannot
    [[nodiscard]] bool close() const {
        if (!allow(begin(), size_, guarded_access::none)) {
            return false;
        }
        guarded_host::discard(begin(), size_);
        return true;
    }

    /// Gets the host's memory for all pages at once, which is faster than page by page if all of them will be written.
    void populate() const {
        if (protects()) {
            guarded_host::populate(begin(), size_);
        }
    }

    /// Shows pages of a `shared` object here as well.
    /// @param at      byte offset from `begin`, whole pages
    /// @param size    bytes, whole pages
    /// @param other   whose memory is shown
    /// @param offset  byte offset in `other`, whole pages
    /// @return false: `other` has no memory file, or the host has no room for one more mapping
    [[nodiscard]] bool overlay(std::size_t at, std::size_t size, guarded_pages const& other, std::size_t offset) {
        changed_.store(true, std::memory_order_relaxed);
        return protects() && other.file_ >= 0 && guarded_host::overlay(begin() + at, size, other.file_, offset);
    }

    /// Whether no byte of a guard was changed; always true where guards fault.
    [[nodiscard]] bool guards_intact() const {
        auto const untouched = [](std::byte b) { return b == pattern; };
        return protects() || (std::all_of(base_, base_ + guard_, untouched) &&
                              std::all_of(begin() + size_, begin() + size_ + guard_, untouched));
    }

private:
    static constexpr std::byte pattern{0xC9};

    [[nodiscard]] bool take_mapped(guarded_source source) {
        may_be_kept_ =
            source == guarded_source::kept && size_ <= guarded_kept::most_bytes && guard_ == guarded_host::page_bytes();
        if (may_be_kept_) {
            base_ = guarded_kept::take(size_);
            if (base_ != nullptr) {
                return true;
            }
        }
        bool const large = size_ >= guarded_host::large_page_bytes && guard_ < guarded_host::large_page_bytes;
        base_ = large ? guarded_host::reserve_at_large_page(total_, guard_) : guarded_host::reserve(total_);
        if (base_ == nullptr) {
            return false;
        }
        if (source == guarded_source::shared && size_ != 0) {
            file_ = guarded_host::memory_file(size_);
            if (file_ >= 0 && guarded_host::overlay(begin(), size_, file_, 0)) {
                return true;
            }
            if (file_ >= 0) {
                guarded_host::close_file(std::exchange(file_, -1));
            }
        }
        if (!guarded_host::protect(begin(), size_, guarded_access::write)) {
            guarded_host::release(std::exchange(base_, nullptr), total_);
            return false;
        }
        return true;
    }

    // Leaves the mapping to the next one that wants as much, if it is as it was at first.
    [[nodiscard]] bool keep() const {
        return may_be_kept_ && !changed_.load(std::memory_order_relaxed) && guarded_kept::keep(base_, size_);
    }

    void take_heap(std::size_t page) {
        heap_ = std::calloc(1, total_ + page);
        if (heap_ == nullptr) {
            throw std::bad_alloc();
        }
        auto const address = reinterpret_cast<std::uintptr_t>(heap_);
        base_ = static_cast<std::byte*>(heap_) + (page - address % page) % page;
        std::fill_n(base_, guard_, pattern);
        std::fill_n(begin() + size_, guard_, pattern);
    }

    std::byte* base_ = nullptr;
    void* heap_ = nullptr;
    std::size_t size_ = 0;
    std::size_t guard_ = 0;
    std::size_t total_ = 0;
    int file_ = -1;
    bool may_be_kept_ = false;
    mutable std::atomic<bool> changed_ = false;  ///< `allow`, `close` or `overlay` was called
};

}  // namespace wddmcore::testing

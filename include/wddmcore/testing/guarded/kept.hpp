// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "host.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Small mappings whose owners are gone, kept for the next ones that want as much: a test makes thousands of buffers,
/// and each new mapping costs three system calls and a page fault for every page.
///
/// All of them are private memory between one inaccessible page on either side. Until one is taken again its memory can
/// still be reached: a pointer that somebody kept for too long is not noticed here, and what is lent to a driver, which
/// may do that, is not kept.
class guarded_kept {
public:
    /// Mappings of more bytes between their guards are not worth keeping.
    static constexpr std::size_t most_bytes = std::size_t{32} * 4096;

    /// @param size  bytes between the guards, whole pages
    /// @return the first byte of the lower guard, the memory between the guards being zero; nullptr: there is none
    [[nodiscard]] static std::byte* take(std::size_t size) {
        std::byte* found = nullptr;
        if (shelf* const s = shelf_of(size); s != nullptr && !busy_.test_and_set(std::memory_order_acquire)) {
            if (s->count != 0) {
                found = s->mappings[--s->count];
            }
            busy_.clear(std::memory_order_release);
        }
        if (found != nullptr) {
            std::fill_n(found + guarded_host::page_bytes(), size, std::byte{});
        }
        return found;
    }

    /// @param base  the first byte of the lower guard; memory between the guards can be written
    /// @param size  bytes between the guards, whole pages
    /// @return false: there is no room, and the mapping stays the caller's
    [[nodiscard]] static bool keep(std::byte* base, std::size_t size) {
        shelf* const s = shelf_of(size);
        if (s == nullptr || busy_.test_and_set(std::memory_order_acquire)) {
            return false;
        }
        // 64 pages of each size and at least two mappings: some 12 MiB in all.
        bool const has_room = s->count < std::max<std::size_t>(2, shelf_room * guarded_host::page_bytes() / size);
        if (has_room) {
            s->mappings[s->count++] = base;
        }
        busy_.clear(std::memory_order_release);
        return has_room;
    }

private:
    static constexpr std::size_t shelf_room = 64;

    // Those of one size; nothing is destroyed at the end, since objects of static storage may be made of such mappings.
    struct shelf {
        std::byte* mappings[shelf_room];
        std::size_t count;
    };

    [[nodiscard]] static shelf* shelf_of(std::size_t size) {
        std::size_t const pages = size / guarded_host::page_bytes();
        return size <= most_bytes && pages != 0 ? &shelves_[pages - 1] : nullptr;
    }

    static inline shelf shelves_[most_bytes / 4096] = {};
    static inline std::atomic_flag busy_ = ATOMIC_FLAG_INIT;  ///< a thread that meets another one goes to the host
};

}  // namespace wddmcore::testing

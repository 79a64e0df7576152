// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <cstdint>

#if __has_include(<sys/mman.h>)
#    include <sys/mman.h>
#    include <unistd.h>
#endif

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What code may do with a range of pages.
enum class guarded_access : std::uint8_t {
    none,   ///< every access faults
    read,   ///< a store faults
    write,  ///< loads and stores work
};

/// The host's memory calls; where there are none, each answers false, -1 or nullptr.
namespace guarded_host {

/// Bytes of a large page, as most hosts have them; fewer page faults by far where a mapping begins at one.
inline constexpr std::size_t large_page_bytes = std::size_t{1} << 21;

#if __has_include(<sys/mman.h>)

/// Whether the host's calls are there.
inline constexpr bool possible = true;

/// Bytes of the smallest range whose access can be changed.
[[nodiscard]] inline std::size_t page_bytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

/// Takes `size` bytes of address space that nobody may touch yet.
[[nodiscard]] inline std::byte* reserve(std::size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#    if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;  // simulated memories may be larger than the machine's; only touched pages cost
#    endif
    void* const at = ::mmap(nullptr, size, PROT_NONE, flags, -1, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

/// Takes `size` bytes of address space like `reserve`, the byte at `offset` being the first of a large page.
/// @param size    bytes, whole pages, at most half of the address space
/// @param offset  bytes, whole pages, less than a large page
/// @return its first byte, or nullptr: the host has not that much address space
[[nodiscard]] inline std::byte* reserve_at_large_page(std::size_t size, std::size_t offset) {
    std::size_t const more = size + large_page_bytes;
    std::byte* const all = reserve(more);
    if (all == nullptr) {
        return nullptr;
    }
    auto const address = reinterpret_cast<std::uintptr_t>(all) + offset;
    std::size_t const skipped = (large_page_bytes - address % large_page_bytes) % large_page_bytes;
    if (skipped != 0) {
        ::munmap(all, skipped);
    }
    ::munmap(all + skipped + size, more - size - skipped);
    return all + skipped;
}

/// Changes what may be done with whole pages; may be called in a signal handler.
[[nodiscard]] inline bool protect(std::byte* from, std::size_t size, guarded_access access) {
    int const how = access == guarded_access::none   ? PROT_NONE
                    : access == guarded_access::read ? PROT_READ
                                                     : PROT_READ | PROT_WRITE;
    return size == 0 || ::mprotect(from, size, how) == 0;
}

/// Opens a nameless memory file of `size` bytes, all zero and untouched.
[[nodiscard]] inline int memory_file(std::size_t size) {
#    if defined(MFD_CLOEXEC)
    int const file = ::memfd_create("wddmcore", MFD_CLOEXEC);
    if (file >= 0 && ::ftruncate(file, static_cast<::off_t>(size)) != 0) {
        ::close(file);
        return -1;
    }
    return file;
#    else
    static_cast<void>(size);
    return -1;
#    endif
}

/// Puts `size` bytes of a memory file over reserved address space.
[[nodiscard]] inline bool overlay(std::byte* at, std::size_t size, int file, std::size_t offset) {
    return ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<::off_t>(offset)) !=
           MAP_FAILED;
}

/// Takes memory for whole pages before they are touched, for as many as the host likes.
inline void populate([[maybe_unused]] std::byte* at, [[maybe_unused]] std::size_t size) {
#    if defined(MADV_HUGEPAGE)
    static_cast<void>(::madvise(at, size, MADV_HUGEPAGE));
#    endif
#    if defined(MADV_POPULATE_WRITE)
    static_cast<void>(::madvise(at, size, MADV_POPULATE_WRITE));
#    endif
}

/// Gives the memory behind private pages back, but not their addresses.
inline void discard(std::byte* at, std::size_t size) { static_cast<void>(::madvise(at, size, MADV_DONTNEED)); }

/// Gives reserved address space back.
inline void release(std::byte* at, std::size_t size) { ::munmap(at, size); }

/// Closes a memory file; what is mapped from it stays.
inline void close_file(int file) { ::close(file); }

#else

inline constexpr bool possible = false;
[[nodiscard]] inline std::size_t page_bytes() { return 4096; }
[[nodiscard]] inline std::byte* reserve(std::size_t) { return nullptr; }
[[nodiscard]] inline std::byte* reserve_at_large_page(std::size_t, std::size_t) { return nullptr; }
[[nodiscard]] inline bool protect(std::byte*, std::size_t, guarded_access) { return false; }
[[nodiscard]] inline int memory_file(std::size_t) { return -1; }
[[nodiscard]] inline bool overlay(std::byte*, std::size_t, int, std::size_t) { return false; }
inline void populate(std::byte*, std::size_t) {}
inline void discard(std::byte*, std::size_t) {}
inline void release(std::byte*, std::size_t) {}
inline void close_file(int) {}

#endif

}  // namespace guarded_host

}  // namespace wddmcore::testing

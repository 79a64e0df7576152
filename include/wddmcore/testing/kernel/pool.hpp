// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/buffer.hpp"
#include "system.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

/// Memory of the driver: each block ends at an inaccessible page, and what was freed stays inaccessible for good.
///
/// Blocks of a page and more begin at a page, as the pool has them; what lies between their end and the page's is
/// compared when they are freed.
class pool {
public:
    struct block {
        std::byte* data = nullptr;
        std::size_t size = 0;
        std::byte* page = nullptr;  // the first page
        std::size_t pages = 0;
        std::uint32_t tag = 0;
        bool live = true;
        char const* kind = "pool";
        bool pageable = false;
        bool in_one_piece = false;  // its physical addresses follow each other
        std::string taken_in{};     // which call of the system's; empty: none, or a thread of the driver's
    };

    pool() {
        void* const memory = ::mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
        begin_ = next_ = static_cast<std::byte*>(memory);
    }
    pool(pool const&) = delete;
    pool& operator=(pool const&) = delete;
    ~pool() { ::munmap(begin_, room); }

    [[nodiscard]] static pool& current() {
        static pool one;
        return one;
    }

    /// @return nullptr: there is no room left
    [[nodiscard]] std::byte* take(std::size_t size, std::uint32_t tag, bool zero, char const* kind = "pool",
                                  bool pageable = false) {
        std::size_t const pages = std::max<std::size_t>(1, (size + 4095) / 4096);
        if (size > room / 4 || static_cast<std::size_t>(begin_ + room - next_) < (pages + 2) * 4096) {
            return nullptr;
        }
        block b;
        b.page = next_ + 4096;
        b.pages = pages;
        b.size = size;
        b.tag = tag;
        b.kind = kind;
        if (::mprotect(b.page, pages * 4096, PROT_READ | PROT_WRITE) != 0) {
            return nullptr;
        }
        next_ = b.page + pages * 4096;
        b.data = size >= 4096 ? b.page : b.page + (pages * 4096 - size) / 16 * 16;
        for (std::size_t i = 0; i < pages * 512; ++i) {
            std::uint64_t const junk = guarded_junk_word(seed, i);
            std::memcpy(b.page + i * 8, &junk, sizeof junk);
        }
        if (zero) {
            std::memset(b.data, 0, size);
        }
        b.pageable = pageable;
        kernel_system const& k = system();
        b.taken_in = k.running == k.threads.front().get() ? k.record.call : "";
        blocks_[b.data] = b;
        if (pageable) {
            pageable_.insert(b.data);
            system().on_paging = [this](bool resident) { page_in(resident); };
            page_in(system().level() < dispatch_level);
        }
        return b.data;
    }

    /// A block whose physical addresses follow each other.
    /// @return nullptr: there is no room left
    [[nodiscard]] std::byte* take_in_one_piece(std::size_t size, bool zero, char const* kind) {
        std::byte* const data = take(size, 0, zero, kind);
        if (data != nullptr) {
            blocks_.at(data).in_one_piece = true;
        }
        return data;
    }

    /// Whether paged pool can be touched; at DISPATCH_LEVEL and above it cannot.
    void page_in(bool resident) {
        for (std::byte* const data : resident == resident_ ? std::set<std::byte*>() : pageable_) {
            block const& b = blocks_[data];
            ::mprotect(b.page, b.pages * 4096, resident ? PROT_READ | PROT_WRITE : PROT_NONE);
        }
        resident_ = resident;
    }

    /// Gives a block back. Says what is wrong with it.
    void give(void* data, std::uint32_t tag, char const* what) {
        kernel_system& k = system();
        auto const found = blocks_.find(static_cast<std::byte*>(data));
        if (found == blocks_.end()) {
            k.stop("0xC2 BAD_POOL_CALLER", std::string(what) + " frees what was never allocated: " + k.name_of(data));
        }
        block& b = found->second;
        if (b.pageable && b.live && k.level() >= dispatch_level) {
            k.stop("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                   std::string(what) + " frees " + words(b) + " at IRQL " + std::to_string(k.level()));
        }
        if (!b.live) {
            k.stop("0xC2 BAD_POOL_CALLER", std::string(what) + " frees " + words(b) + " again");
        }
        if (tag != 0 && b.tag != 0 && tag != b.tag) {
            k.find("0xC2 BAD_POOL_CALLER", std::string(what) + " frees " + words(b) + " under another tag");
        }
        for (std::size_t i = 0; i < b.pages * 4096; ++i) {
            std::byte const* const at = b.page + i;
            if ((at < b.data || at >= b.data + b.size) && *at != guarded_junk(seed, i)) {
                k.find("0x19 BAD_POOL_HEADER", "somebody wrote beside " + words(b) + ", " + beside(b, at));
                break;
            }
        }
        check_contents(b, what);
        b.live = false;
        pageable_.erase(b.data);
        ::mprotect(b.page, b.pages * 4096, PROT_NONE);
        ::madvise(b.page, b.pages * 4096, MADV_DONTNEED);
    }

    /// What an access to this address means; empty: it is no memory of the driver's.
    [[nodiscard]] std::string explain(void const* address) const {
        auto const* const at = static_cast<std::byte const*>(address);
        if (at < begin_ || at >= begin_ + room) {
            return {};
        }
        for (auto const& [data, b] : blocks_) {
            if (!b.live && at >= b.page && at < b.page + b.pages * 4096) {
                return words(b) + " is used after it was freed, at byte " + std::to_string(at - b.data);
            }
            if (b.live && b.pageable && at >= b.data && at < b.data + b.size) {
                return words(b) + " is touched at IRQL " + std::to_string(system().level());
            }
            if (b.live && at >= b.page - 4096 && at < b.page + (b.pages + 1) * 4096) {
                return words(b) + " is left, " + beside(b, at);
            }
        }
        return "memory is touched that was never allocated";
    }

    /// Sentences about what was not given back, block by block.
    [[nodiscard]] std::vector<std::string> leaks() const {
        std::vector<std::string> out;
        for (auto const& [data, b] : blocks_) {
            if (b.live) {
                out.push_back(words(b) + " was not given back" +
                              (b.taken_in.empty() ? "" : ", and was taken in " + b.taken_in));
            }
        }
        return out;
    }
    /// Where the pool's addresses begin: physical addresses count from there.
    [[nodiscard]] std::byte const* begin() const { return begin_; }
    [[nodiscard]] bool holds(void const* address) const {
        auto const* const at = static_cast<std::byte const*>(address);
        return at >= begin_ && at < begin_ + room;
    }
    /// The live block that has this byte; nullptr: none does.
    [[nodiscard]] block const* around(void const* address) const {
        auto const found = std::find_if(blocks_.begin(), blocks_.end(), [address](auto const& each) {
            return each.second.live && address >= each.first && address < each.first + each.second.size;
        });
        return found == blocks_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] block const* find(void* data) const {
        auto const found = blocks_.find(static_cast<std::byte*>(data));
        return found == blocks_.end() || !found->second.live ? nullptr : &found->second;
    }

private:
    /// What the system still uses must not lie in a block that is freed.
    static void check_contents(block const& b, char const* what) {
        kernel_system& k = system();
        while (auto const* const inside = k.owed.inside(b.data, b.size)) {
            k.find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                   std::string(what) + " frees " + words(b) + " with " + inside->words + " in it, which is in use");
            k.owed.remove(inside->at);
        }
        std::erase_if(k.timers, [&](auto const& set) {
            auto const* const at = reinterpret_cast<std::byte const*>(set.first);
            bool const inside = at >= b.data && at < b.data + b.size;
            if (inside) {
                k.find("0xC7 TIMER_OR_DPC_INVALID",
                       std::string(what) + " frees " + words(b) + " with a timer that is set");
            }
            return inside;
        });
    }

    static constexpr std::size_t room = std::size_t{64} << 30;
    static constexpr std::uint64_t seed = 0x5EED;

    [[nodiscard]] static std::string words(block const& b) {
        std::string tag;
        for (std::uint32_t i = 0; i < 4; ++i) {
            char const c = static_cast<char>(b.tag >> (8 * i) & 0xFF);
            tag += c >= ' ' && c <= '~' ? std::string(1, c) : std::string();
        }
        return "a block of " + std::to_string(b.size) + " bytes of " + b.kind +
               (tag.empty() ? "" : " (tag " + tag + ")");
    }
    [[nodiscard]] static std::string beside(block const& b, std::byte const* at) {
        return at < b.data ? std::to_string(b.data - at) + " bytes before its start"
                           : std::to_string(at - b.data - static_cast<std::ptrdiff_t>(b.size)) + " bytes past its end";
    }

    std::byte* begin_ = nullptr;
    std::byte* next_ = nullptr;
    std::map<std::byte*, block> blocks_;
    std::set<std::byte*> pageable_;  // of them, live
    bool resident_ = true;
};

namespace pool_services {

[[nodiscard]] inline void* allocate(std::size_t size, std::uint32_t tag, bool zero, bool pageable) {
    system().at_most(pageable ? apc_level : dispatch_level, pageable ? "an allocation of paged pool" : "an allocation");
    return system().fails() ? nullptr
                            : pool::current().take(size, tag, zero, pageable ? "paged pool" : "pool", pageable);
}
inline void* WDDMCORE_DRIVER_CALL with_tag(std::uint32_t type, std::size_t size, std::uint32_t tag) {
    return allocate(size, tag, false, (type & 1) != 0);  // PagedPool is odd, with its variants
}
inline void* WDDMCORE_DRIVER_CALL plain(std::uint32_t type, std::size_t size) { return with_tag(type, size, 0); }
inline void* WDDMCORE_DRIVER_CALL pool2(std::uint64_t flags, std::size_t size, std::uint32_t tag) {
    constexpr std::uint64_t uninitialized = 2, paged = 0x100;
    return allocate(size, tag, (flags & uninitialized) == 0, (flags & paged) != 0);
}
inline void* WDDMCORE_DRIVER_CALL pool3(std::uint64_t flags, std::size_t size, std::uint32_t tag, void const*,
                                        std::uint32_t) {
    return pool2(flags, size, tag);
}
inline void WDDMCORE_DRIVER_CALL free_with_tag(void* data, std::uint32_t tag) {
    system().at_most(dispatch_level, "ExFreePoolWithTag");
    pool::current().give(data, tag, "ExFreePoolWithTag");
}
inline void WDDMCORE_DRIVER_CALL free_plain(void* data) { free_with_tag(data, 0); }

inline constexpr std::uint64_t contiguous_base = 0x7A00'0000;  // physical addresses that nobody guesses

inline void* WDDMCORE_DRIVER_CALL contiguous(std::size_t size, std::uint64_t) {
    system().at_most(dispatch_level, "MmAllocateContiguousMemory");
    std::size_t const whole = (size + 4095) / 4096 * 4096;
    return system().fails() ? nullptr : pool::current().take_in_one_piece(whole, false, "contiguous memory");
}
inline void* WDDMCORE_DRIVER_CALL contiguous_cache(std::size_t size, std::uint64_t, std::uint64_t, std::uint64_t,
                                                   std::uint32_t) {
    return contiguous(size, 0);
}
inline void WDDMCORE_DRIVER_CALL free_contiguous(void* data) {
    pool::current().give(data, 0, "MmFreeContiguousMemory");
}
inline void WDDMCORE_DRIVER_CALL free_contiguous_cache(void* data, std::size_t, std::uint32_t) {
    free_contiguous(data);
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ExAllocatePoolWithTag", &with_tag),
            entry("ExAllocatePoolWithQuotaTag", &with_tag),
            entry("ExAllocatePool", &plain),
            entry("ExAllocatePool2", &pool2),
            entry("ExAllocatePool3", &pool3),
            entry("ExFreePoolWithTag", &free_with_tag),
            entry("ExFreePool", &free_plain),
            entry("ExFreePool2", &free_with_tag),
            entry("MmAllocateContiguousMemory", &contiguous),
            entry("MmAllocateContiguousMemorySpecifyCache", &contiguous_cache),
            entry("MmFreeContiguousMemory", &free_contiguous),
            entry("MmFreeContiguousMemorySpecifyCache", &free_contiguous_cache)};
}

}  // namespace pool_services

}  // namespace wddmcore::testing::kernel_parts

#endif

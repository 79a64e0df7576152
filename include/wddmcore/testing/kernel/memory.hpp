// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../gpu_memory/view.hpp"
#include "pool.hpp"
#include "user_space/thunk.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <fcntl.h>
#    include <iterator>
#    include <optional>
#    include <span>
#    include <stdexcept>
#    include <unistd.h>

/// MDLs, physical addresses and the device's memory.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::memory_services {

/// MDL; the page numbers lie after it.
struct mdl {
    mdl* next;
    std::int16_t size;
    std::int16_t flags;
    void* process;
    void* mapped;
    void* start;
    std::uint32_t bytes;
    std::uint32_t offset;
};
static_assert(sizeof(mdl) == 48);
inline constexpr std::int16_t mapped_to_system = 1, pages_locked = 2, source_is_nonpaged = 4, allocated_fixed = 8;

/// Memory of the device at physical addresses: what a resource list says.
struct device_range {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::byte* memory = nullptr;  ///< of registers: addresses at which each access faults
    bool is_registers = false;
};
/// What stands behind physical addresses beside the pool.
struct physical_memory {
    std::vector<device_range> ranges;
    /// Shows pages of system memory side by side; nullptr: there is no such page.
    std::function<void*(std::span<std::uint64_t const>)> show;
    /// A view of such pages is over.
    std::function<void(void*)> hide;
    std::map<void*, std::uint32_t> mapped;  // views that are not unmapped, and how often
    struct lent_buffer {
        std::size_t size = 0;
        std::uint64_t address = 0;
    };
    std::map<std::byte const*, lent_buffer> lent;  // buffers of the system's, by where they begin
    /// Pages that are none of the pool's, stacks and the image, by their number: the host's addresses are others in
    /// each run, and a report must be the same.
    std::map<std::uintptr_t, std::uint64_t> foreign;
    std::vector<std::byte const*> held;  // memory of the driver's that the system uses
    static physical_memory& current() {
        static physical_memory one;
        return one;
    }
};

inline constexpr std::uint64_t foreign_base = 0x6'0000'0000;  // of addresses that are no pool: stacks, the image

inline std::uint64_t WDDMCORE_DRIVER_CALL physical_address(void* va) {
    auto const* const at = static_cast<std::byte const*>(va);
    if (pool::current().holds(va)) {
        return pool_services::contiguous_base + static_cast<std::uint64_t>(at - pool::current().begin());
    }
    for (device_range const& r : physical_memory::current().ranges) {
        if (at >= r.memory && at < r.memory + r.size) {
            return r.address + static_cast<std::uint64_t>(at - r.memory);
        }
    }
    auto const& lent = physical_memory::current().lent;
    if (auto const behind = lent.upper_bound(at); behind != lent.begin()) {
        auto const& [begin, buffer] = *std::prev(behind);
        if (at < begin + buffer.size) {
            return buffer.address + static_cast<std::uint64_t>(at - begin);
        }
    }
    auto const number = reinterpret_cast<std::uintptr_t>(va);
    auto& foreign = physical_memory::current().foreign;
    std::uint64_t const next = foreign.size();
    return foreign_base + foreign.emplace(number / 4096, next).first->second * 4096 + number % 4096;
}
/// The system lends a buffer whose physical address it names in other calls: MmGetPhysicalAddress has to agree.
/// @param address  of its first byte; none: it is over
inline void lend_buffer(std::span<std::byte const> buffer, std::optional<std::uint64_t> address) {
    auto& lent = physical_memory::current().lent;
    lent.erase(buffer.data());
    if (address) {
        lent[buffer.data()] = {buffer.size(), *address};
    }
}
/// Memory behind physical addresses that somebody else than the system provides.
struct provided_memory {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;  ///< from there to its end
    std::string words{};      ///< what it is
};
/// What the driver has allocated at a physical address in one piece, or what the device has there; registers are no
/// memory.
[[nodiscard]] inline std::optional<provided_memory> provided_at(std::uint64_t address) {
    if (address >= pool_services::contiguous_base) {
        std::byte const* const at = pool::current().begin() + (address - pool_services::contiguous_base);
        pool::block const* const b = pool::current().holds(at) ? pool::current().around(at) : nullptr;
        if (b != nullptr && b->in_one_piece) {
            auto const before = static_cast<std::uint64_t>(at - b->data);
            return provided_memory{b->data + before, b->size - before,
                                   "a block of " + std::to_string(b->size) + " bytes of " + b->kind};
        }
    }
    for (device_range const& r : physical_memory::current().ranges) {
        if (!r.is_registers && address >= r.address && address - r.address < r.size) {
            return provided_memory{r.memory + (address - r.address), r.size - (address - r.address),
                                   "device memory of " + std::to_string(r.size) + " bytes"};
        }
    }
    return std::nullopt;
}
/// The system uses memory of the driver's, and finds it wrong where it is given back before `release_all`.
inline void hold(provided_memory const& memory, std::string words) {
    if (pool::current().holds(memory.data)) {
        static_cast<void>(system().owed.add(memory.data, 1, std::move(words)));
        physical_memory::current().held.push_back(memory.data);
    }
}
/// The system uses memory of the driver's no longer.
inline void release_all() {
    for (std::byte const* const each : std::exchange(physical_memory::current().held, {})) {
        static_cast<void>(system().owed.remove(each));
    }
}
[[nodiscard]] inline std::uint64_t* pages_of(mdl* m) { return reinterpret_cast<std::uint64_t*>(m + 1); }
[[nodiscard]] inline std::uint32_t page_count(mdl const* m) { return (m->offset + m->bytes + 4095) / 4096; }
[[nodiscard]] inline std::byte* address_of(mdl const* m) { return static_cast<std::byte*>(m->start) + m->offset; }

inline mdl* WDDMCORE_DRIVER_CALL allocate_mdl(void* va, std::uint32_t bytes, std::uint8_t, std::uint8_t, void*) {
    system().at_most(dispatch_level, "IoAllocateMdl");
    auto const at = reinterpret_cast<std::uintptr_t>(va);
    std::uint64_t const pages = ((at & 4095) + bytes + 4095) / 4096;
    std::size_t const size = sizeof(mdl) + 8 * static_cast<std::size_t>(pages);
    std::byte* const memory = system().fails() ? nullptr : pool::current().take(size, 0, true, "an MDL");
    if (memory == nullptr) {
        return nullptr;
    }
    auto* const m = new (memory) mdl{};
    m->size = static_cast<std::int16_t>(size);
    m->flags = allocated_fixed;
    m->start = reinterpret_cast<void*>(at & ~std::uintptr_t{4095});
    m->bytes = bytes;
    m->offset = static_cast<std::uint32_t>(at & 4095);
    return m;
}
inline void WDDMCORE_DRIVER_CALL free_mdl(mdl* m) { pool::current().give(m, 0, "IoFreeMdl"); }

inline void describe(mdl* m) {
    for (std::uint32_t i = 0; i < page_count(m); ++i) {
        pages_of(m)[i] = physical_address(static_cast<std::byte*>(m->start) + std::size_t{i} * 4096) >> 12;
    }
}
inline void WDDMCORE_DRIVER_CALL build_nonpaged(mdl* m) {
    describe(m);
    m->flags = static_cast<std::int16_t>(m->flags | source_is_nonpaged);
    m->mapped = address_of(m);
}
inline void WDDMCORE_DRIVER_CALL lock_pages_reached(mdl* m, std::uint8_t, std::uint32_t) {
    system().at_most(apc_level, "MmProbeAndLockPages");
    describe(m);
    m->flags = static_cast<std::int16_t>(m->flags | pages_locked);
}
inline void* WDDMCORE_DRIVER_CALL lock_target(mdl*, std::uint8_t, std::uint32_t) asm(WDDMCORE_LABEL("lock_target"));
[[gnu::used]] inline void* WDDMCORE_DRIVER_CALL lock_target(mdl* m, std::uint8_t, std::uint32_t) {
    return user_space::unless_it_faults(&lock_pages_reached, {{address_of(m), m->bytes, false}});
}
/// Raises an exception where the pages are a process's that it has given back.
[[gnu::naked]] inline void WDDMCORE_DRIVER_CALL lock_pages(mdl*, std::uint8_t, std::uint32_t) {
    WDDMCORE_GO_ON_WHERE("lock_target");
}
inline void WDDMCORE_DRIVER_CALL unlock_pages(mdl* m) {
    if ((m->flags & pages_locked) == 0) {
        system().stop("0x76 PROCESS_HAS_LOCKED_PAGES", "MmUnlockPages: the pages of this MDL are not locked");
    }
    m->flags = static_cast<std::int16_t>(m->flags & ~(pages_locked | mapped_to_system));
}
inline void* WDDMCORE_DRIVER_CALL map_pages(mdl* m, std::uint8_t, std::uint32_t, void*, std::uint32_t, std::uint32_t) {
    system().at_most(dispatch_level, "MmMapLockedPagesSpecifyCache");
    if (system().mapping_fails()) {
        return nullptr;
    }
    if ((m->flags & source_is_nonpaged) != 0) {
        system().find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                      "MmMapLockedPagesSpecifyCache is called for an MDL that describes nonpaged pool");
        return m->mapped;
    }
    std::span<std::uint64_t const> const numbers(pages_of(m), page_count(m));
    auto& memory = physical_memory::current();
    void* at = memory.show ? memory.show(numbers) : nullptr;
    if (at != nullptr) {
        at = static_cast<std::byte*>(at) + m->offset;
    } else if (m->start != nullptr && !numbers.empty() && physical_address(m->start) >> 12 == numbers[0]) {
        at = address_of(m);
    }
    if (at == nullptr) {
        return nullptr;
    }
    ++memory.mapped[at];
    m->mapped = at;
    m->flags = static_cast<std::int16_t>(m->flags | mapped_to_system);
    return at;
}
inline void WDDMCORE_DRIVER_CALL unmap_pages(void* at, mdl* m) {
    auto& all = physical_memory::current().mapped;
    auto const found = all.find(at);
    if (found == all.end() || found->second == 0) {
        system().stop("0xDA SYSTEM_PTE_MISUSE", "MmUnmapLockedPages: nothing is mapped there");
    }
    if (--found->second == 0) {
        all.erase(found);
        if (auto const& hide = physical_memory::current().hide) {
            hide(at);
        }
    }
    m->flags = static_cast<std::int16_t>(m->flags & ~mapped_to_system);
}
inline mdl* WDDMCORE_DRIVER_CALL allocate_pages(std::uint64_t, std::uint64_t, std::uint64_t, std::size_t bytes) {
    std::size_t const whole = (bytes + 4095) / 4096 * 4096;
    std::byte* const memory =
        system().fails() ? nullptr : pool::current().take_in_one_piece(whole, true, "pages of an MDL");
    mdl* const m = memory == nullptr ? nullptr : allocate_mdl(memory, static_cast<std::uint32_t>(whole), 0, 0, nullptr);
    if (m != nullptr) {
        describe(m);
        m->flags = static_cast<std::int16_t>(m->flags | pages_locked);
    }
    return m;
}
inline mdl* WDDMCORE_DRIVER_CALL allocate_pages_ex(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::size_t bytes,
                                                   std::uint32_t, std::uint32_t) {
    return allocate_pages(a, b, c, bytes);
}
inline void WDDMCORE_DRIVER_CALL free_pages(mdl* m) { pool::current().give(m->start, 0, "MmFreePagesFromMdl"); }

inline void* WDDMCORE_DRIVER_CALL map_io(std::uint64_t address, std::size_t size, std::uint32_t) {
    system().at_most(dispatch_level, "MmMapIoSpace");
    if (system().mapping_fails(2)) {
        return nullptr;
    }
    for (device_range const& r : physical_memory::current().ranges) {
        if (address >= r.address && address - r.address < r.size && size <= r.size - (address - r.address)) {
            void* const at = r.memory + (address - r.address);
            ++physical_memory::current().mapped[at];
            return at;
        }
    }
    system().find("0x1A MEMORY_MANAGEMENT", "MmMapIoSpace: the device has no memory there");
    return nullptr;
}
inline void WDDMCORE_DRIVER_CALL unmap_io(void* at, std::size_t) {
    auto& all = physical_memory::current().mapped;
    auto const found = all.find(at);
    if (found == all.end()) {
        system().stop("0xDA SYSTEM_PTE_MISUSE", "MmUnmapIoSpace: nothing is mapped there");
    }
    if (--found->second == 0) {
        all.erase(found);
    }
}
/// Whether this process may read a byte: the host's kernel refuses what is not mapped and what is inaccessible, with no
/// signal. So freed pool, guard pages and what is paged out at the moment are no valid addresses.
[[nodiscard]] inline bool can_be_read(void const* va) {
    static std::array<int, 2> const ends = [] {
        std::array<int, 2> made{-1, -1};
        if (::pipe2(made.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
            throw std::runtime_error("no pipe");
        }
        return made;
    }();
    static_cast<void>(system().paged_in_late());  // nobody tells the host's kernel that a page is on its way
    char byte = 0;
    return ::write(ends[1], va, 1) == 1 && ::read(ends[0], &byte, 1) == 1;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL is_valid(void* va) {
    constexpr std::uintptr_t shared_page = 0xFFFF'F780'0000'0000;  // KUSER_SHARED_DATA, which is emulated
    if (reinterpret_cast<std::uintptr_t>(va) - shared_page < 4096) {
        return 1;
    }
    auto const* const at = static_cast<std::byte const*>(va);
    auto const& ranges = physical_memory::current().ranges;
    bool const is_device = std::any_of(
        ranges.begin(), ranges.end(), [at](device_range const& r) { return at >= r.memory && at < r.memory + r.size; });
    return is_device || can_be_read(va) ? 1 : 0;
}

/// Lets MDLs of a simulator's pages be mapped: the driver sees the pages side by side, and what it writes is in them.
/// The simulator needs vidmm_options::memory_file.
/// @param ram  the pages; nullptr: there are none, and every view is over
inline void show_pages_of(gpu_memory_ram const* ram) {
    static std::map<void*, std::unique_ptr<gpu_memory_view>> views;
    auto& memory = physical_memory::current();
    views.clear();
    memory.show = nullptr;
    memory.hide = nullptr;
    if (ram == nullptr) {
        return;
    }
    memory.show = [ram](std::span<std::uint64_t const> numbers) -> void* {
        auto view = std::make_unique<gpu_memory_view>(*ram, numbers);
        if (!view->valid()) {
            return nullptr;
        }
        void* const at = view->data();
        views[at] = std::move(view);
        return at;
    };
    memory.hide = [](void* at) {
        auto const page = reinterpret_cast<std::uintptr_t>(at) & ~std::uintptr_t{4095};
        if (auto const found = views.find(reinterpret_cast<void*>(page)); found != views.end()) {
            static_cast<void>(found->second->retire());  // its addresses go to nobody else
        }
    };
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("IoAllocateMdl", &allocate_mdl),
            entry("IoFreeMdl", &free_mdl),
            entry("MmBuildMdlForNonPagedPool", &build_nonpaged),
            entry("MmProbeAndLockPages", &lock_pages),
            entry("MmUnlockPages", &unlock_pages),
            entry("MmMapLockedPagesSpecifyCache", &map_pages),
            entry("MmUnmapLockedPages", &unmap_pages),
            entry("MmAllocatePagesForMdl", &allocate_pages),
            entry("MmAllocatePagesForMdlEx", &allocate_pages_ex),
            entry("MmFreePagesFromMdl", &free_pages),
            entry("MmGetPhysicalAddress", &physical_address),
            entry("MmIsAddressValid", &is_valid),
            entry("MmMapIoSpace", &map_io),
            entry("MmMapIoSpaceEx", &map_io),
            entry("MmUnmapIoSpace", &unmap_io)};
}

}  // namespace wddmcore::testing::kernel_parts::memory_services

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../locks.hpp"
#include "../pool.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Lookaside lists. A kit compiles their fast paths into the driver: it pops and pushes on the list itself, and calls
/// what the list names for the rest. Their depth is 0 here, as it is under Driver Verifier: every block comes from the
/// pool and goes back to it, so that what is wrong with one is seen.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::lookaside_services {

/// GENERAL_LOOKASIDE; LOOKASIDE_LIST_EX is one, NPAGED_LOOKASIDE_LIST and PAGED_LOOKASIDE_LIST have 32 bytes more.
struct list {
    lock_services::single_list entries;
    std::uint16_t depth;
    std::uint16_t maximum_depth;
    std::uint32_t allocates;
    std::uint32_t allocate_misses;
    std::uint32_t frees;
    std::uint32_t free_misses;
    std::uint32_t type;
    std::uint32_t tag;
    std::uint32_t size;
    void* allocate;
    void* free;
    void* links[2];
    std::uint32_t last[2];
    std::uint32_t future[2];
};
static_assert(sizeof(list) == 0x60);

using plain_allocate = void*(WDDMCORE_DRIVER_CALL*)(std::uint32_t type, std::size_t size, std::uint32_t tag);
using plain_free = void(WDDMCORE_DRIVER_CALL*)(void* block);
using list_allocate = void*(WDDMCORE_DRIVER_CALL*)(std::uint32_t type, std::size_t size, std::uint32_t tag, list* from);
using list_free = void(WDDMCORE_DRIVER_CALL*)(void* block, list* to);

[[nodiscard]] inline bool pageable(std::uint32_t type) { return (type & 1) != 0; }
inline constexpr std::uint32_t raises = 16;  // POOL_RAISE_IF_ALLOCATION_FAILURE

inline void* WDDMCORE_DRIVER_CALL take(std::uint32_t type, std::size_t size, std::uint32_t tag) {
    return pool_services::with_tag(type, size, tag);
}
inline void* WDDMCORE_DRIVER_CALL take_for_list(std::uint32_t type, std::size_t size, std::uint32_t tag, list*) {
    // A list that was made to raise has no way to say that there is no memory: such a request is not made to fail.
    return (type & raises) != 0 ? pool::current().take(size, tag, false, "pool", pageable(type))
                                : pool_services::with_tag(type, size, tag);
}
inline void WDDMCORE_DRIVER_CALL give_for_list(void* block, list*) { pool_services::free_plain(block); }

inline void begin(list* l, std::uint32_t type, std::size_t size, std::uint32_t tag, void* allocate, void* free,
                  std::size_t bytes, char const* what) {
    kernel_system& k = system();
    k.at_most(pageable(type) ? apc_level : dispatch_level, what);
    if (!k.owed.add(l, bytes, "a lookaside list for blocks of " + std::to_string(size) + " bytes")) {
        k.find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
               std::string(what) + " initializes a lookaside list that is in use");
    }
    *l = {};
    l->maximum_depth = 256;
    l->type = type;
    l->tag = tag;
    l->size = static_cast<std::uint32_t>(size);
    l->allocate = allocate;
    l->free = free;
}
/// Whether a list is one that is in use; says so if not.
inline bool is_list(list const* l, char const* what) {
    bool const known = system().owed.find(l) != nullptr;
    if (!known) {
        system().find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                      std::string(what) + " is given a lookaside list that is not initialized");
    }
    return known;
}

// The older lists, whose functions do not know the list.

inline void start_plain(list* l, plain_allocate allocate, plain_free free, std::uint32_t type, std::size_t size,
                        std::uint32_t tag, char const* what) {
    plain_allocate const takes = allocate != nullptr ? allocate : &take;
    plain_free const gives = free != nullptr ? free : &pool_services::free_plain;
    begin(l, type, size, tag, reinterpret_cast<void*>(takes), reinterpret_cast<void*>(gives), 0x80, what);
}
inline void WDDMCORE_DRIVER_CALL initialize_nonpaged(list* l, plain_allocate allocate, plain_free free,
                                                     std::uint32_t flags, std::size_t size, std::uint32_t tag,
                                                     std::uint16_t) {
    start_plain(l, allocate, free, flags, size, tag, "ExInitializeNPagedLookasideList");
}
inline void WDDMCORE_DRIVER_CALL initialize_paged(list* l, plain_allocate allocate, plain_free free,
                                                  std::uint32_t flags, std::size_t size, std::uint32_t tag,
                                                  std::uint16_t) {
    start_plain(l, allocate, free, flags | 1, size, tag, "ExInitializePagedLookasideList");
}
inline void remove_plain(list* l, char const* what) {
    if (!is_list(l, what)) {
        return;
    }
    system().at_most(pageable(l->type) ? apc_level : dispatch_level, what);
    while (auto* const one = lock_services::pop(&l->entries)) {
        reinterpret_cast<plain_free>(l->free)(one);
    }
    system().owed.remove(l);
}
inline void WDDMCORE_DRIVER_CALL delete_nonpaged(list* l) { remove_plain(l, "ExDeleteNPagedLookasideList"); }
inline void WDDMCORE_DRIVER_CALL delete_paged(list* l) { remove_plain(l, "ExDeletePagedLookasideList"); }
inline void* WDDMCORE_DRIVER_CALL allocate_plain(list* l) {
    if (!is_list(l, "ExAllocateFromPagedLookasideList")) {
        return nullptr;
    }
    ++l->allocates;
    if (auto* const one = lock_services::pop(&l->entries); one != nullptr) {
        return one;
    }
    ++l->allocate_misses;
    return reinterpret_cast<plain_allocate>(l->allocate)(l->type, l->size, l->tag);
}
inline void WDDMCORE_DRIVER_CALL free_to_plain(list* l, void* block) {
    if (is_list(l, "ExFreeToPagedLookasideList")) {
        ++l->frees;
        ++l->free_misses;
        reinterpret_cast<plain_free>(l->free)(block);
    }
}

// The newer list.

inline ntstatus WDDMCORE_DRIVER_CALL initialize_list(list* l, list_allocate allocate, list_free free,
                                                     std::uint32_t type, std::uint32_t flags, std::size_t size,
                                                     std::uint32_t tag, std::uint16_t depth) {
    constexpr std::uint32_t raise_on_failure = 1, no_raise_for_quota = 2;
    if (size < sizeof(void*)) {
        return nt::invalid_parameter_6;
    }
    if ((flags & ~(raise_on_failure | no_raise_for_quota)) != 0 || flags == (raise_on_failure | no_raise_for_quota)) {
        return nt::invalid_parameter_5;
    }
    if (depth != 0) {
        return nt::invalid_parameter_8;  // reserved
    }
    list_allocate const takes = allocate != nullptr ? allocate : &take_for_list;
    list_free const gives = free != nullptr ? free : &give_for_list;
    begin(l, type | ((flags & raise_on_failure) != 0 ? raises : 0), size, tag, reinterpret_cast<void*>(takes),
          reinterpret_cast<void*>(gives), sizeof *l, "ExInitializeLookasideListEx");
    return nt::success;
}
inline void flush(list* l) {
    while (auto* const one = lock_services::pop(&l->entries)) {
        reinterpret_cast<list_free>(l->free)(one, l);
    }
}
inline void WDDMCORE_DRIVER_CALL delete_list(list* l) {
    if (is_list(l, "ExDeleteLookasideListEx")) {
        system().at_most(pageable(l->type) ? apc_level : dispatch_level, "ExDeleteLookasideListEx");
        flush(l);
        system().owed.remove(l);
    }
}
inline void WDDMCORE_DRIVER_CALL flush_list(list* l) {
    if (is_list(l, "ExFlushLookasideListEx")) {
        flush(l);
    }
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ExInitializeNPagedLookasideList", &initialize_nonpaged),
            entry("ExInitializePagedLookasideList", &initialize_paged),
            entry("ExDeleteNPagedLookasideList", &delete_nonpaged),
            entry("ExDeletePagedLookasideList", &delete_paged),
            entry("ExAllocateFromPagedLookasideList", &allocate_plain),
            entry("ExFreeToPagedLookasideList", &free_to_plain),
            entry("ExInitializeLookasideListEx", &initialize_list),
            entry("ExDeleteLookasideListEx", &delete_list),
            entry("ExFlushLookasideListEx", &flush_list)};
}

}  // namespace wddmcore::testing::kernel_parts::lookaside_services

#endif

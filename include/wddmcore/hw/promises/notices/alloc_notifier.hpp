// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../command_stream.hpp"
#include "../keeps.hpp"

/// When the system notifies, and in which order (WDDM 3.2; the driver asks for it per allocation, with NotifyEviction
/// or NotifyIoMmuUnmap of segment/allocation/flags.hpp, NTF-02).
///
/// **Eviction** (NTF-08): only when an allocation leaves an aperture segment or implicit system memory, where its
/// content would stay as the hardware left it, for example compressed. Never when it leaves local memory: a transfer
/// moves it then, and can decompress by itself. In this order (NTF-07):
///
///   1. the system maps the part into the address space of the paging process;
///   2. it calls DxgkDdiBuildPagingBuffer with operation 22 and Eviction;
///   3. the driver writes commands that make the part fit to leave: they find it at the address of the notice;
///   4. the buffer is submitted in the system context, and executes;
///   5. the system takes the mapping away. What the commands have not finished then is lost (NTF-12).
///
/// An allocation larger than the space comes part by part, each with these five steps (NTF-06, NTF-13).
///
/// **IOMMU unmap** (NTF-11): only with the GpuVaIoMmu or GpuVaIoMmuGlobal model, when pages are about to leave the
/// IOMMU. In this order (NTF-09):
///
///   1. the system calls DxgkDdiBuildPagingBuffer with operation 22 and IoMmuUnmap;
///   2. the driver writes commands, or does the work at once: caches that hold the range are flushed or dropped;
///   3. the buffer is submitted, if there is something in it;
///   4. the system waits until all paging work is done;
///   5. it unmaps the pages from the IOMMU. Nothing may touch the allocation's addresses from here on (NTF-10).
///
/// Source page: allocation-notification.md.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// What is about to happen to an allocation. There is no notice of promotion, whatever the overview's first sentence
/// says: no flag and no step of it exists (AMB-27).
enum class alloc_event : u32 { eviction, iommu_unmap };

/// A part of an allocation to which something is about to happen.
struct alloc_notice {
    alloc_event event;
    void* allocation;           ///< the driver's handle; may be NULL (PGB-21)
    void* process;              ///< whose address space `place` is in; NULL: the paging process's (NTF-04)
    u64 offset;                 ///< bytes from the allocation's start
    gpu_virtual_address place;  ///< where the part begins: the offset is in it already (NTF-05)
    bytes size;
};

/// @return the step in which an eviction notice is worked through: a block, and never less than a page.
[[nodiscard]] constexpr u64 eviction_unit(bytes block) noexcept { return greater(block.n, page_bytes); }

/// Prepares a part of an allocation for leaving (operation 22, Eviction): for example decompression in place.
///
/// For library users: every block is handled by exactly one command of one pass, because a block that is decompressed
/// twice is corrupted (NTF-14). The commands are complete when the buffer is (NTF-12).
/// For hardware authors: `static constexpr bytes eviction_block`, what is handled as a whole, counted from the
/// allocation's start: a divisor or a multiple of 4096; `static constexpr bytes eviction_alignment`, what a command's
/// address is a multiple of: a divisor of the larger of a block and 4096; `static constexpr bytes eviction_max`, the
/// most bytes of one command, at least a block and at least 4096; `static constexpr dwords eviction_dwords`, 1 to 256,
/// the exact length of `void encode_notify_eviction(u32* at, wddmcore::hw::alloc_notice const&) const`. Only the
/// command that reaches the end of the request may have less than whole blocks.
template <class Hw>
concept eviction_notifier = requires(Hw const& hw, u32* at, alloc_notice const& notice) {
    requires meta::is_constant_of<bytes, Hw::eviction_block>;
    requires meta::is_constant_of<bytes, Hw::eviction_alignment>;
    requires meta::is_constant_of<bytes, Hw::eviction_max>;
    requires meta::is_constant_of<dwords, Hw::eviction_dwords>;
    { hw.encode_notify_eviction(at, notice) } -> meta::same_as<void>;
};

/// Prepares a part of an allocation for leaving the IOMMU (operation 22, IoMmuUnmap): for example cache maintenance.
///
/// For library users: AMB-39: the address belongs to the process of the notice, and the commands run in the system
/// context. It names what to flush; no load and no store may go through it.
/// For hardware authors: `static constexpr bytes iommu_unmap_max`, the most bytes of one command, at least 4096;
/// `static constexpr dwords iommu_unmap_dwords`, 1 to 256, the exact length of
/// `void encode_notify_iommu_unmap(u32* at, wddmcore::hw::alloc_notice const&) const`.
template <class Hw>
concept iommu_unmap_by_command = requires(Hw const& hw, u32* at, alloc_notice const& notice) {
    requires meta::is_constant_of<bytes, Hw::iommu_unmap_max>;
    requires meta::is_constant_of<dwords, Hw::iommu_unmap_dwords>;
    { hw.encode_notify_iommu_unmap(at, notice) } -> meta::same_as<void>;
};

/// The same at once, by the CPU; where there is a buffer, commands are preferred.
///
/// For library users: without it a notice that comes without a buffer goes to the fault hook.
/// For hardware authors: `void notify_iommu_unmap(wddmcore::hw::alloc_notice const&)`, complete on return: nothing
/// touches the range afterwards (NTF-10).
template <class Hw>
concept iommu_unmap_at_once = requires(Hw& hw, alloc_notice const& notice) {
    { hw.notify_iommu_unmap(notice) } -> meta::same_as<void>;
};

/// Prepares allocations for leaving: at least one of the three promises above. A notice of the other event is one that
/// the driver never asked for (NTF-02).
template <class Hw>
concept alloc_notifier = eviction_notifier<Hw> || iommu_unmap_by_command<Hw> || iommu_unmap_at_once<Hw>;

/// Tells whether a notice means work at all (optional: it always does).
///
/// For library users: where it does not, nothing is written and no buffer is needed (NTF-16).
/// For hardware authors: `bool has_work(wddmcore::hw::alloc_notice const&) const`, of the whole request; asked until
/// the first commands are committed, and the answer must not change until then.
template <class Hw>
concept work_reporter = requires(Hw const& hw, alloc_notice const& notice) {
    { hw.has_work(notice) } -> meta::same_as<bool>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_eviction = requires { &Hw::encode_notify_eviction; } || requires {
    &Hw::eviction_dwords;
} || requires { &Hw::eviction_max; } || requires { &Hw::eviction_block; } || requires { &Hw::eviction_alignment; };

template <class Hw>
inline constexpr bool declares_iommu_unmap = requires { &Hw::encode_notify_iommu_unmap; } || requires {
    &Hw::iommu_unmap_dwords;
} || requires { &Hw::iommu_unmap_max; };

template <class Hw>
inline constexpr bool declares_iommu_unmap_at_once = iommu_unmap_at_once<Hw> || requires { &Hw::notify_iommu_unmap; };

/// The numbers of an eviction notifier whose members are all there.
struct eviction_numbers_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr u64 block = Hw::eviction_block.n;
        constexpr u64 alignment = Hw::eviction_alignment.n;
        if constexpr (block == 0 || (page_bytes % block != 0 && block % page_bytes != 0)) {
            static_assert(!Aloud, "alloc_notifier: `eviction_block` must divide 4096 bytes or be a multiple of them: "
                                  "notices come in pages");
        } else if constexpr (alignment == 0 || eviction_unit(Hw::eviction_block) % alignment != 0) {
            static_assert(!Aloud, "alloc_notifier: `eviction_alignment` must divide the larger of `eviction_block` "
                                  "and 4096 bytes, or the second command of a notice would break it");
        } else if constexpr (Hw::eviction_max.n < eviction_unit(Hw::eviction_block)) {
            static_assert(!Aloud, "alloc_notifier: `eviction_max` must hold a whole `eviction_block` and at least "
                                  "4096 bytes: no block may be cut (NTF-13)");
        } else if constexpr (!is_command_length(Hw::eviction_dwords)) {
            static_assert(!Aloud, "alloc_notifier: `eviction_dwords` must be 1 to 256 dwords");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Notices of eviction, judged.
struct eviction_notifier_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!declares_eviction<Hw>) {
            return true;
        } else if constexpr (!eviction_notifier<Hw>) {
            static_assert(!Aloud, "alloc_notifier: `encode_notify_eviction`, `static constexpr wddmcore::bytes "
                                  "eviction_block, eviction_alignment, eviction_max` and `static constexpr "
                                  "wddmcore::dwords eviction_dwords` go together and do not fit `void "
                                  "encode_notify_eviction(wddmcore::u32* at, wddmcore::hw::alloc_notice const&) "
                                  "const`");
        } else {
            return eviction_numbers_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Notices of an IOMMU unmap, judged.
struct iommu_unmap_notifier_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (declares_iommu_unmap_at_once<Hw> && !iommu_unmap_at_once<Hw>) {
            static_assert(!Aloud, "alloc_notifier: `notify_iommu_unmap` exists but cannot be called as `void "
                                  "notify_iommu_unmap(wddmcore::hw::alloc_notice const&)`");
        } else if constexpr (!declares_iommu_unmap<Hw>) {
            return true;
        } else if constexpr (!iommu_unmap_by_command<Hw>) {
            static_assert(!Aloud, "alloc_notifier: `encode_notify_iommu_unmap`, `static constexpr wddmcore::bytes "
                                  "iommu_unmap_max` and `static constexpr wddmcore::dwords iommu_unmap_dwords` go "
                                  "together and do not fit `void encode_notify_iommu_unmap(wddmcore::u32* at, "
                                  "wddmcore::hw::alloc_notice const&) const`");
        } else if constexpr (!is_command_length(Hw::iommu_unmap_dwords)) {
            static_assert(!Aloud, "alloc_notifier: `iommu_unmap_dwords` must be 1 to 256 dwords");
        } else if constexpr (Hw::iommu_unmap_max.n < page_bytes) {
            static_assert(!Aloud,
                          "alloc_notifier: `iommu_unmap_max` must be at least 4096 bytes: notices come in pages");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Notices of operation 22, judged.
struct alloc_notifier_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool reports_work = requires { &Hw::has_work; };
        if constexpr (!declares_eviction<Hw> && !declares_iommu_unmap<Hw> && !declares_iommu_unmap_at_once<Hw>) {
            static_assert(!Aloud, "alloc_notifier: nothing hears of a notice: write `encode_notify_eviction` with its "
                                  "`eviction_block`, `eviction_alignment`, `eviction_max` and `eviction_dwords`, or "
                                  "`encode_notify_iommu_unmap` with its `iommu_unmap_max` and `iommu_unmap_dwords`, or "
                                  "`void notify_iommu_unmap(wddmcore::hw::alloc_notice const&)`");
        } else if constexpr (!eviction_notifier_promise::kept<Hw>()) {
            return eviction_notifier_promise::kept<Hw, Aloud>();
        } else if constexpr (!iommu_unmap_notifier_promise::kept<Hw>()) {
            return iommu_unmap_notifier_promise::kept<Hw, Aloud>();
        } else if constexpr (reports_work && !work_reporter<Hw>) {
            static_assert(!Aloud, "alloc_notifier: `has_work` exists but cannot be called as `bool "
                                  "has_work(wddmcore::hw::alloc_notice const&) const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail

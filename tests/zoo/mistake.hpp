// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/ddi/ntstatus.hpp>
#include <wddmcore/testing/driver_table.h>
#include <wddmcore/testing/scheduler_table.h>

#include <cstdint>
#include <set>
#include <span>

/// Sound drivers of the examples, and the mistakes that real ones have been seen to make, one function each.
namespace zoo {

using namespace wddmcore;

/// The driver that a mistake is a mutation of, and the simulator that has to see it.
enum class sound_driver : u32 {
    physical,   ///< examples/paging_round_trip, the reference processor with WDDM 1.3: operations 0 to 7 by MDLs
    tables,     ///< the same with WDDM 3.2 and page tables of its own: every operation of virtual addressing
    larger,     ///< examples/paging_round_trip, Intel's page tables: allocations that have 64-KiB and large pages
    skeleton,   ///< examples/kmd_skeleton, a whole driver, in all scenarios: answers, paging, scheduling
    scheduled,  ///< the same, in the scenarios of the scheduler alone: the others call nothing of what is replaced
};

/// One row of the zoo.
struct mistake {
    char const* name;  ///< what the driver does
    char const* seen;  ///< what real drivers have been seen to do, or what the rule's own page warns of
    char const* rule;  ///< the rule that has to be reported first
    sound_driver of;
    /// Replaces a function of the sound driver, which is still reached by `sound`.
    void (*make)(wddmcore_driver_table&);
};

[[nodiscard]] std::span<mistake const> protocol_mistakes();
[[nodiscard]] std::span<mistake const> content_mistakes();
[[nodiscard]] std::span<mistake const> aperture_mistakes();
[[nodiscard]] std::span<mistake const> table_mistakes();
[[nodiscard]] std::span<mistake const> answer_mistakes();
[[nodiscard]] std::span<mistake const> request_mistakes();
[[nodiscard]] std::span<mistake const> recovery_mistakes();

/// The functions of the sound driver of this run.
inline wddmcore_driver_table sound{};

/// What a mistake remembers from call to call.
struct memory {
    u64 calls = 0;
    u64 first = 0;
    u64 last = 0;
    std::set<std::pair<u64, u64>> done{};
    wddmcore_system_services services{};
    wddmcore_gpu gpu{};
};
inline memory kept{};

using physical_args = mirror::v1_3::dxgkarg_buildpagingbuffer;
using virtual_args = mirror::v3_2::dxgkarg_buildpagingbuffer;

/// The sound function with other arguments; what it gives back goes to the caller's.
template <class Args, class Change>
int with(void* adapter, Args& args, Change const& change) {
    Args other = args;
    change(other);
    int const status = sound.build_paging_buffer(adapter, &other);
    args.pDmaBuffer = other.pDmaBuffer;
    args.DmaSize = other.DmaSize;
    args.pDmaBufferPrivateData = other.pDmaBufferPrivateData;
    args.DmaBufferPrivateDataSize = other.DmaBufferPrivateDataSize;
    args.MultipassOffset = other.MultipassOffset;
    return status;
}

namespace detail {

template <class Args, void (*Change)(Args&)>
int WDDMCORE_DRIVER_CALL changed(void* adapter, void* args) {
    return with(adapter, *static_cast<Args*>(args), Change);
}
template <class Args, int (*Body)(void*, Args&)>
int WDDMCORE_DRIVER_CALL replaced(void* adapter, void* args) {
    return Body(adapter, *static_cast<Args*>(args));
}

}  // namespace detail

/// DxgkDdiBuildPagingBuffer understands its arguments otherwise.
template <void (*Change)(physical_args&)>
void physical_reads(wddmcore_driver_table& t) {
    t.build_paging_buffer = detail::changed<physical_args, Change>;
}
template <void (*Change)(virtual_args&)>
void virtual_reads(wddmcore_driver_table& t) {
    t.build_paging_buffer = detail::changed<virtual_args, Change>;
}

/// DxgkDdiBuildPagingBuffer does something else.
template <int (*Body)(void*, physical_args&)>
void physical_builds(wddmcore_driver_table& t) {
    t.build_paging_buffer = detail::replaced<physical_args, Body>;
}
template <int (*Body)(void*, virtual_args&)>
void virtual_builds(wddmcore_driver_table& t) {
    t.build_paging_buffer = detail::replaced<virtual_args, Body>;
}

/// The sound build.
template <class Args>
int build(void* adapter, Args& args) {
    return sound.build_paging_buffer(adapter, &args);
}

/// Changes the records that the sound build wrote: `use` gets each as dwords, with its code in the lowest byte.
template <class Args, class Use>
int then_each_record(void* adapter, Args& args, Use const& use) {
    u32* const from = static_cast<u32*>(args.pDmaBuffer);
    int const status = build(adapter, args);
    for (u32* at = from; at != nullptr && at < static_cast<u32*>(args.pDmaBuffer); at += (*at >> 8) & 0xff) {
        use(at);
    }
    return status;
}

/// A 64-bit member of a record.
[[nodiscard]] inline u64 word(u32 const* at) { return at[0] | u64{at[1]} << 32; }
inline void set_word(u32* at, u64 value) {
    at[0] = static_cast<u32>(value);
    at[1] = static_cast<u32>(value >> 32);
}

/// Page numbers of an MDL.
[[nodiscard]] inline usize* pages_of(mirror::v1_3::mdl* list) { return reinterpret_cast<usize*>(list + 1); }
[[nodiscard]] inline u64 page_count(mirror::v1_3::mdl const* list) { return list->ByteCount / 4096; }

}  // namespace zoo

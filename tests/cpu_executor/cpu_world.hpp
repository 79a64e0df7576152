// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <adl/seeded.hpp>
#include <paging/guarded_mdl.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/paging/cpu/executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

/// A driver without an engine: segments, system pages and a process whose memory the CPU reaches through mappings that
/// are all watched, and can be made to fail.
namespace cpu_world {

using namespace wddmcore;
using namespace wddmcore::testing;

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

inline constexpr u32 aperture_id = 1;
inline constexpr u32 memory_id = 2;
inline constexpr u32 other_id = 3;
inline constexpr u64 aperture_base = 0x7F'0000'0000;
inline constexpr u64 memory_base = 0x80'0000'0000;
inline constexpr u64 other_base = 0x90'0000'0000;
inline constexpr u64 process_base = 0x4000'0000;
inline constexpr u64 first_page = 0xA5C'3000;  // improbable, so that a number is not taken for an index
inline constexpr u64 part_pages = 96;
inline constexpr u64 part_bytes = part_pages * 4096;

/// The half of a hardware type that the executor wants.
struct driver {
    u32 faults = 0;
    paging_fault last{};
    disposition answer = disposition::stop;

    [[nodiscard]] segment_place place(segment_id id) const noexcept {
        switch (id.n) {
            case aperture_id: return {{aperture_base}, {part_bytes}};
            case memory_id: return {{memory_base}, {part_bytes}};
            case other_id: return {{other_base}, {part_bytes}};
            default: return {{0}, {0}};
        }
    }
    [[nodiscard]] bool is_aperture(segment_id id) const noexcept { return id.n == aperture_id; }
    disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last = fault;
        return answer;
    }
};

/// Which memory.
enum class part : u8 { system, memory, other, process };
inline constexpr u32 part_count = 4;

/// The bytes of everything, four parts of the same size. A word more in front keeps unaligned places honest.
struct content {
    std::array<std::vector<u8>, part_count> of;

    content() { of.fill(std::vector<u8>(part_bytes)); }
    explicit content(seeded_numbers& random) : content() {
        for (auto& bytes : of) {
            std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<u8>(random.next()); });
        }
    }
    [[nodiscard]] u8* at(part p, u64 offset) { return of[static_cast<u32>(p)].data() + offset; }
    friend bool operator==(content const&, content const&) = default;
};

/// The driver's mapping functions, over `bytes`. Whatever breaks the contract of paging::cpu_memory is in `wrong`.
template <u64 MapMax>
struct watched_memory {
    static constexpr pages map_max{MapMax};

    content bytes_now;
    std::string wrong;
    u64 calls = 0;    ///< of mapping functions
    u64 fail_at = 0;  ///< the call that answers NULL, from 1; 0: none
    u64 fail_all_from = ~u64{0};
    cpu_place failed{};
    u64 unmaps = 0;
    std::vector<std::pair<void*, u64>> live;

    explicit watched_memory(seeded_numbers& random) : bytes_now(random) {}

    void* map_pages(page_number first, pages count) noexcept {
        return map({cpu_mapping::system_pages, {0}, first.n, {count.n * 4096}}, part::system,
                   (first.n - first_page) * 4096);
    }
    void* map_segment(segment_id id, segment_offset offset, bytes size) noexcept {
        return map({cpu_mapping::segment, id, offset.n, size}, id.n == memory_id ? part::memory : part::other,
                   offset.n);
    }
    void* map_virtual(gpu_virtual_address va, bytes size) noexcept {
        return map({cpu_mapping::process_virtual, {0}, va.n, size}, part::process, va.n - process_base);
    }
    void unmap(void* at, bytes size) noexcept {
        ++unmaps;
        if (live.empty() || live.back() != std::pair<void*, u64>(at, size.n)) {
            wrong += "unmapped what was not mapped last; ";
        } else {
            live.pop_back();
        }
    }

    /// Whether every mapping was undone, and nothing else was wrong.
    [[nodiscard]] bool clean() const { return wrong.empty() && live.empty() && failed_calls + unmaps == calls; }

    /// Counts from here on, and lets one mapping fail.
    /// @param call  which one, from 1; 0: none
    void fail_only(u64 call) {
        calls = unmaps = failed_calls = 0;
        fail_at = call;
    }

private:
    u64 failed_calls = 0;

    void* map(cpu_place what, part p, u64 offset) noexcept {
        ++calls;
        if (what.size.n == 0 || what.size.n > MapMax * 4096) {
            wrong += "asked for " + std::to_string(what.size.n) + " bytes; ";
        }
        if (!fits(offset, what.size.n, part_bytes)) {
            wrong += "asked for what nobody has; ";
            ++failed_calls;
            return nullptr;
        }
        if (live.size() == 2) {
            wrong += "a third mapping; ";
        }
        if (calls == fail_at || calls >= fail_all_from) {
            failed = what;
            ++failed_calls;
            return nullptr;
        }
        void* const at = bytes_now.at(p, offset);
        live.emplace_back(at, what.size.n);
        return at;
    }
};

/// One side of a transfer: a part and an offset, or pages of the system part.
struct side {
    part where = part::system;
    u64 offset = 0;               ///< bytes, for a linear side
    std::vector<u64> page_index;  ///< in the system part, one a page

    [[nodiscard]] u64 byte(u64 i) const {
        return where == part::system ? page_index[i / 4096] * 4096 + i % 4096 : offset + i;
    }
};

/// What a copy must leave behind: the source as it was, byte by byte (the slow and obvious way).
inline void model_copy(content& bytes, side const& to, side const& from, u64 first, u64 end) {
    std::vector<u8> moving;
    for (u64 i = first; i != end; ++i) {
        moving.push_back(*bytes.at(from.where, from.byte(i)));
    }
    for (u64 i = first; i != end; ++i) {
        *bytes.at(to.where, to.byte(i)) = moving[i - first];
    }
}

/// Different pages in runs of random lengths, in random order.
[[nodiscard]] inline std::vector<u64> scattered_pages(seeded_numbers& random, u64 count, u64 first, u64 behind) {
    std::vector<u64> list;
    u64 const longest = std::array<u64, 4>{1, 3, 9, 64}[random.below(4)];
    std::vector<bool> used(behind);
    while (list.size() < count) {
        u64 at = first + random.below(behind - first);
        for (u64 length = 1 + random.below(longest); length != 0 && at < behind && !used[at] && list.size() < count;
             --length, ++at) {
            used[at] = true;
            list.push_back(at);
        }
    }
    return list;
}

/// Page numbers of a list of indices.
[[nodiscard]] inline std::vector<u64> numbers_of(std::vector<u64> list) {
    for (u64& index : list) {
        index += first_page;
    }
    return list;
}

[[nodiscard]] inline arguments of(paging_operation operation) {
    arguments args{};
    args.Operation = static_cast<decltype(args.Operation)>(operation);
    return args;
}

[[nodiscard]] inline arguments virtual_transfer(u64 to, u64 from, u64 size) {
    arguments args = of(paging_operation::virtual_transfer);
    args.TransferVirtual.SourceVirtualAddress = process_base + from;
    args.TransferVirtual.DestinationVirtualAddress = process_base + to;
    args.TransferVirtual.TransferSizeInBytes = size;
    return args;
}

/// A fill of a part of the memory segment.
[[nodiscard]] inline arguments fill(u64 offset, u64 size, u32 pattern) {
    arguments args = of(paging_operation::fill);
    args.Fill.FillSize = size;
    args.Fill.FillPattern = pattern;
    args.Fill.Destination.SegmentId = memory_id;
    args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(memory_base + offset);
    return args;
}

/// A fill of addresses of the paging process, by offset in its part.
[[nodiscard]] inline arguments virtual_fill(u64 to, u64 size, u32 pattern) {
    arguments args = of(paging_operation::virtual_fill);
    args.FillVirtual.FillSizeInBytes = size;
    args.FillVirtual.FillPattern = pattern;
    args.FillVirtual.DestinationVirtualAddress = process_base + to;
    return args;
}

}  // namespace cpu_world

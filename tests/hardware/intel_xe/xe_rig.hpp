// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "blitter.hpp"
#include "ppgtt_walker.hpp"

#include <hardware/intel_xe.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

/// An adapter of the Intel example, put up in simulated memory: the GPU's own memory, system pages, page tables, a
/// blitter.
namespace xe_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace intel = wddmcore::examples::intel;

inline void require(bool there) {
    if (!there) {
        throw std::logic_error("the simulated adapter's memory is not what it should be");
    }
}

/// Page tables in the GPU's own memory, entry by entry with the example's encoders.
class table_tree {
public:
    /// @param device  bus address of the GPU's own memory
    /// @param first   address there of the first table: the root
    table_tree(gpu_bus& bus, u64 device, u64 first) : bus_(bus), device_(device), next_(first), root_(allocate()) {}

    [[nodiscard]] u64 root() const { return root_; }

    /// Lets a page of virtual addresses stand for a page of memory.
    void map(u64 va, intel::page_size size, intel::page_use use, u64 physical) {
        auto const parts = intel::page_tables::attributes(size, use);
        for (u32 i = 0; i != intel::page_tables::entries_of(size); ++i) {
            set(va + i * page_bytes, size, intel::page_tables::encode_leaf(page_number{(physical >> 12) + i}, parts));
        }
    }
    void unmap(u64 va, intel::page_size size) {
        for (u32 i = 0; i != intel::page_tables::entries_of(size); ++i) {
            set(va + i * page_bytes, size, intel::page_tables::nothing);
        }
    }

    void set(u64 va, intel::page_size size, u64 entry) { store(place_of(va, size), entry); }

    /// The address of a page's entry; the tables above it are there afterwards.
    [[nodiscard]] u64 place_of(u64 va, intel::page_size size) {
        using tables = intel::page_tables;
        u32 const last = tables::level_of(size);
        bool const compact = size == intel::page_size::kib64_compact;
        u64 table = root_;
        for (u32 level = tables::levels - 1; level != last; --level) {
            u64& child = children_[{level - 1, va >> tables::first_bit(level)}];
            if (child == 0) {
                child = allocate();
                store(table + index(va, level) * 8, tables::encode_directory(child, compact && level == 1));
            }
            table = child;
        }
        return table + (compact ? va >> 16 & low_mask<u64>(tables::index_bits_of_compact) : index(va, last)) * 8;
    }

private:
    [[nodiscard]] static u64 index(u64 va, u32 level) {
        return va >> intel::page_tables::first_bit(level) & low_mask<u64>(intel::page_tables::index_bits(level));
    }
    [[nodiscard]] u64 allocate() {
        u64 const at = next_;
        next_ += page_bytes;
        return at;
    }
    void store(u64 at, u64 entry) { require(bus_.write(device_ + at, &entry, 8)); }

    gpu_bus& bus_;
    u64 device_;
    u64 next_;
    u64 root_;
    std::map<std::pair<u32, u64>, u64> children_;
};

inline constexpr segment_id aperture_id{1};
inline constexpr segment_id memory_id{2};
inline constexpr u64 aperture_pages = 64;
inline constexpr u64 first_page = 0xA5C'3000;  // improbable, so that a number is not taken for an index

/// What of an adapter does not depend on what its driver claims. Addresses of the GPU's own memory begin at 0.
/// @param SegmentBytes  whole 2 MiB
template <u64 SegmentBytes, u64 PageCount>
class adapter {
public:
    static constexpr u64 device_bus = 0x80'0000'0000;
    static constexpr u64 system_bus = 0x10'0000'0000;
    static constexpr u64 segment_first = 2 << 20;
    static constexpr u64 segment_bytes = SegmentBytes;
    static constexpr u64 tables_first = segment_first + segment_bytes;
    static constexpr u64 device_bytes = tables_first + (4 << 20);
    static constexpr u64 scratch = device_bytes - page_bytes;
    static constexpr u64 segment_base = 0x12'0000'0000;  ///< as the OS sees it
    static constexpr u64 aperture_base = 0x7F'0000'0000;
    // The paging context: the GPU's own memory, all system pages, the aperture, and the window of the paging process.
    static constexpr u64 device_virtual = 0x2345'4000'0000;
    static constexpr u64 system_virtual = 0x1000'0000'0000;
    static constexpr u64 aperture_virtual = 0x5123'4560'0000;
    static constexpr u64 window_virtual = 0x5A5A'4000'0000;
    static constexpr u64 window_bytes = segment_bytes;
    static constexpr u32 mocs = 5;
    static constexpr u32 coherent_pat = 0b10110;
    static constexpr u32 noncoherent_pat = 0b01001;

    gpu_memory bus;
    law_memory play;
    table_tree tables;
    ppgtt mmu;
    xe_blitter engine;
    intel::windows windows{};

    adapter()
        : tables((put_memory(), bus), device_bus, tables_first),
          mmu(bus, device_bus, system_bus, tables.root(), coherent_pat),
          engine(mocs, [this](u64 va) { return mmu.walk(va); }) {
        for (u64 done = 0; done < device_bytes; done += 2 << 20) {
            tables.map(device_virtual + done, intel::page_size::mib2, {.device_memory = true}, done);
        }
        u64 const gib_of_pages = round_down(byte_address(page_number{first_page}), gib.n);
        tables.map(system_virtual + gib_of_pages, intel::page_size::gib1, {}, gib_of_pages);
        u64 const table = tables.place_of(aperture_virtual, intel::page_size::kib4);
        windows = {.local_segment = memory_id,
                   .local = {{segment_base}, {segment_bytes}},
                   .local_virtual = device_virtual + segment_first,
                   .aperture_segment = aperture_id,
                   .aperture = {{aperture_base}, {aperture_pages * page_bytes}},
                   .aperture_virtual = aperture_virtual,
                   .system_virtual = system_virtual,
                   .aperture_table =
                       static_cast<u64*>(static_cast<void*>(bus.at(device_bus + table, aperture_pages * 8).data)),
                   .aperture_table_virtual = device_virtual + table,
                   .scratch_virtual = device_virtual + scratch,
                   .mocs = mocs,
                   .coherent_pat = coherent_pat,
                   .noncoherent_pat = noncoherent_pat};
        play.executor = &engine;
        play.bus = &bus;
        play.segment = {memory_id, {0}, {segment_bytes}, device_bus + segment_first};
        play.aperture = {aperture_id, 3, aperture_pages - 5, [this](u64 index) { return aperture_page(index); },
                         [this](u64 index) -> std::optional<bool> { return aperture_entry(index).coherent; }};
        play.process = {{window_virtual}, {window_bytes}, device_bus + segment_first};
    }
    adapter(adapter const&) = delete;
    adapter& operator=(adapter const&) = delete;

    /// Where an entry of the aperture leads.
    [[nodiscard]] translation aperture_entry(u64 index) const {
        return mmu.walk(aperture_virtual + index * page_bytes);
    }
    [[nodiscard]] std::optional<u64> aperture_page(u64 index) const {
        translation const t = aperture_entry(index);
        return t.ok() ? std::optional<u64>((t.bus - system_bus) / page_bytes) : std::nullopt;
    }

    /// Lets 2^page_lg2 bytes of the process's addresses stand for memory.
    /// @param physical  of a system page its address, else that of the GPU's own memory
    void map(u64 va, unsigned page_lg2, bool is_system, u64 physical) {
        tables.map(va, size_of(page_lg2), {.device_memory = !is_system}, physical);
    }
    void unmap(u64 va, unsigned page_lg2) { tables.unmap(va, size_of(page_lg2)); }

private:
    [[nodiscard]] static intel::page_size size_of(unsigned page_lg2) {
        return page_lg2 == 21   ? intel::page_size::mib2
               : page_lg2 == 16 ? intel::page_size::kib64_by_hint
                                : intel::page_size::kib4;
    }

    void put_memory() {
        auto const put = [](gpu_memory_error e) { require(e == gpu_memory_error::none); };
        put(bus.add_linear(device_bus, device_bytes));
        put(bus.add_page_window(system_bus, first_page, PageCount * 2, PageCount));
        for (u64 i = 0, n = first_page; i != PageCount; ++i, ++n) {
            n += n % (PageCount < 1000 ? 7 : 1000) == 3;
            put(bus.add_page(n));
            play.system_pages.push_back({page_number{n}, system_bus + byte_address(page_number{n})});
        }
    }
};

/// @tparam Hardware  intel::xe, or something made of it
template <class Hardware, u64 SegmentBytes = 4 << 20, u64 PageCount = 48>
struct rig : adapter<SegmentBytes, PageCount> {
    using hardware = Hardware;
    hardware hw{};

    rig() { hw.at = this->windows; }
};

/// A rig with room for twice the largest copy, whose paging process sees the segment in order, through pages of every
/// size: what the laws want.
template <class Hardware>
struct law_rig : rig<Hardware, 18 << 20, 2200> {
    law_rig() {
        using base = rig<Hardware, 18 << 20, 2200>;
        for (u64 done = 0; done < base::window_bytes;) {
            unsigned const page_lg2 = done < 1 << 20 ? 12 : done < 2 << 20 ? 16 : 21;
            this->map(base::window_virtual + done, page_lg2, false, base::segment_first + done);
            done += u64{1} << page_lg2;
        }
    }
};

}  // namespace xe_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "copy_engine.hpp"
#include "mmu_walker.hpp"

#include <hardware/nvidia_ampere.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>

/// An adapter of the NVIDIA example, put up in simulated memory: video memory, system pages, page tables, an engine.
namespace ampere_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace nvidia = wddmcore::examples::nvidia;

inline void require(bool there) {
    if (!there) {
        throw std::logic_error("the simulated adapter's memory is not what it should be");
    }
}

/// Page tables in video memory, entry by entry with the example's encoders.
class table_tree {
public:
    /// @param video  bus address of video memory's first byte
    /// @param first  address in video memory of the first table: the root
    table_tree(gpu_bus& bus, u64 video, u64 first) : bus_(bus), video_(video), next_(first), root_(allocate()) {}

    [[nodiscard]] u64 root() const { return root_; }

    /// Lets a page of virtual addresses stand for a page of memory.
    void map(u64 va, nvidia::page_size size, nvidia::page_use use, u64 physical) {
        store(place_of(va, size), nvidia::page_tables::level_of(size),
              nvidia::page_tables::encode_leaf(page_number{physical >> 12}, nvidia::page_tables::attributes(use)));
    }

    /// Stores an entry where a page's entry stands.
    void set(u64 va, nvidia::page_size size, nvidia::page_table_entry entry) {
        store(place_of(va, size), nvidia::page_tables::level_of(size), entry);
    }

    /// The address in video memory of a page's entry; the tables above it are there afterwards.
    [[nodiscard]] u64 place_of(u64 va, nvidia::page_size size) {
        using tables = nvidia::page_tables;
        u64 table = root_;
        for (u32 level = tables::levels - 1; level != 1; --level) {
            u64 const entry = table + index(va, level) * tables::entry_bytes(level).n;
            u64& child = children_[{level - 1, va >> tables::first_bit(level), false}];
            if (child == 0) {
                child = allocate();
                store(entry, level, tables::encode_directory({true, nvidia::memory::video, child}));
            }
            table = child;
        }
        u64 const dual = table + index(va, 1) * tables::entry_bytes(1).n;
        if (size == nvidia::page_size::mib2) {
            return dual;
        }
        u64& of_4kib = children_[{0, va >> tables::first_bit(1), false}];
        u64& of_64kib = children_[{0, va >> tables::first_bit(1), true}];
        u64& wanted = size == nvidia::page_size::kib64 ? of_64kib : of_4kib;
        if (wanted == 0) {
            wanted = allocate(size == nvidia::page_size::kib64);
            store(dual, 1,
                  tables::encode_directory({of_64kib != 0, nvidia::memory::video, of_64kib},
                                           {of_4kib != 0, nvidia::memory::video, of_4kib}));
        }
        return size == nvidia::page_size::kib64 ? of_64kib + (va >> 16 & low_mask<u64>(tables::index_bits_of_64kib)) * 8
                                                : of_4kib + index(va, 0) * 8;
    }

private:
    [[nodiscard]] static u64 index(u64 va, u32 level) {
        return va >> nvidia::page_tables::first_bit(level) & low_mask<u64>(nvidia::page_tables::index_bits(level));
    }

    /// Tables of 64-KiB pages begin at the last KiB of a page, so that their address bits below 4 KiB count.
    [[nodiscard]] u64 allocate(bool of_64kib = false) {
        u64 const at = next_ + (of_64kib ? 3 << 10 : 0);
        next_ += page_bytes;
        return at;
    }

    void store(u64 at, u32 level, nvidia::page_table_entry entry) {
        require(bus_.write(video_ + at, &entry.low, 8));
        if (nvidia::page_tables::entry_bytes(level).n == 16) {
            require(bus_.write(video_ + at + 8, &entry.high, 8));
        }
    }

    gpu_bus& bus_;
    u64 video_;
    u64 next_;
    u64 root_;
    std::map<std::tuple<u32, u64, bool>, u64> children_;
};

inline constexpr segment_id aperture_id{1};
inline constexpr segment_id memory_id{2};
inline constexpr u64 aperture_pages = 64;
inline constexpr u64 first_page = 0xA5C'3000;  // improbable, so that a number is not taken for an index
inline constexpr u64 page_count = 48;

/// What of an adapter does not depend on what its driver claims. Physical addresses of video memory begin at 0.
class adapter {
public:
    static constexpr u64 video_bus = 0x80'0000'0000;
    static constexpr u64 system_bus = 0x10'0000'0000;
    static constexpr u64 segment_first = 2 << 20;  ///< in video memory; the segment ends where the tables begin
    static constexpr u64 segment_bytes = 4 << 20;
    static constexpr u64 tables_first = segment_first + segment_bytes;
    static constexpr u64 scratch = tables_first + (1 << 20);
    static constexpr u64 segment_base = 0x12'0000'0000;  ///< as the OS sees it
    static constexpr u64 aperture_base = 0x7F'0000'0000;
    static constexpr u64 aperture_virtual = 0x1'8765'4320'0000;
    static constexpr u64 window_virtual = 0x5A5A'4000'0000;  ///< of the paging process
    static constexpr u64 window_bytes = segment_bytes;

    gpu_memory bus;
    law_memory play;
    table_tree tables;
    ver2_mmu mmu;
    nvidia_copy_engine engine;
    nvidia::windows windows{};

    adapter()
        : tables((put_memory(), bus), video_bus, tables_first),
          mmu(bus, video_bus, system_bus, tables.root()),
          engine({video_bus, system_bus, [this](u64 va) { return mmu.walk(va); }}) {
        u64 const table = tables.place_of(aperture_virtual, nvidia::page_size::kib4);
        windows = {.video_segment = memory_id,
                   .video = {{segment_base}, {segment_bytes}},
                   .video_first = segment_first,
                   .aperture_segment = aperture_id,
                   .aperture = {{aperture_base}, {aperture_pages * page_bytes}},
                   .aperture_virtual = aperture_virtual,
                   .aperture_table =
                       static_cast<u64*>(static_cast<void*>(bus.at(video_bus + table, aperture_pages * 8).data)),
                   .aperture_table_address = table,
                   .scratch = scratch};
        play.executor = &engine;
        play.bus = &bus;
        play.segment = {memory_id, {0}, {segment_bytes}, video_bus + segment_first};
        play.aperture = {aperture_id, 3, aperture_pages - 5, [this](u64 index) { return aperture_page(index); },
                         [this](u64 index) -> std::optional<bool> { return aperture_entry(index).coherent; }};
        play.process = {{window_virtual}, {window_bytes}, video_bus + segment_first};
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
    /// @param physical  of a system page its address, else that of video memory
    void map(u64 va, unsigned page_lg2, bool is_system, u64 physical) {
        tables.map(
            va, size_of(page_lg2),
            {.where = is_system ? nvidia::memory::coherent_system : nvidia::memory::video, .is_volatile = is_system},
            physical);
    }
    void unmap(u64 va, unsigned page_lg2) { tables.set(va, size_of(page_lg2), nvidia::page_tables::nothing); }

private:
    [[nodiscard]] static nvidia::page_size size_of(unsigned page_lg2) {
        return page_lg2 == 21   ? nvidia::page_size::mib2
               : page_lg2 == 16 ? nvidia::page_size::kib64
                                : nvidia::page_size::kib4;
    }

    void put_memory() {
        auto const put = [](gpu_memory_error e) { require(e == gpu_memory_error::none); };
        put(bus.add_linear(video_bus, scratch + page_bytes));
        put(bus.add_page_window(system_bus, first_page, page_count * 2, page_count));
        for (u64 i = 0, n = first_page; i != page_count; ++i, ++n) {
            n += n % 7 == 3;  // runs of every length up to six
            put(bus.add_page(n));
            play.system_pages.push_back({page_number{n}, system_bus + byte_address(page_number{n})});
        }
    }
};

/// @tparam Hardware  nvidia::ampere, or something made of it
template <class Hardware>
struct rig : adapter {
    using hardware = Hardware;
    hardware hw{};

    rig() { hw.at = windows; }
};

/// A rig whose paging process sees the segment in order, through pages of every size: what the laws want.
template <class Hardware>
struct law_rig : rig<Hardware> {
    law_rig() {
        using base = adapter;
        for (u64 done = 0; done < base::window_bytes;) {
            unsigned const page_lg2 = done < 1 << 20 ? 12 : done < 2 << 20 ? 16 : 21;
            this->map(base::window_virtual + done, page_lg2, false, base::segment_first + done);
            done += u64{1} << page_lg2;
        }
    }
};

}  // namespace ampere_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <hardware/cpu.hpp>
#include <hardware/mock/mock_engine.hpp>
#include <hardware/mock/mock_gpu.hpp>
#include <hardware/mock/mock_small_copies.hpp>
#include <hardware/mock/mock_small_engine.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>
#include <wddmcore/testing/processor/engine.hpp>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <vector>

/// Hardware types, put up where the laws can play with them: memory on a bus, an engine, and segments that have a place.
namespace law_rigs {

using namespace wddmcore;
using namespace wddmcore::testing;

[[nodiscard]] inline std::uint64_t seed_of_run() {
    char const* const text = std::getenv("WDDMCORE_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 0) : 20260726;
}

inline void require(gpu_memory_error error) {
    if (error != gpu_memory_error::none) {
        throw std::logic_error("the rig's memory is not what it should be");
    }
}

inline constexpr u64 aperture_pages = 64;
inline constexpr segment_id aperture_id{1};
inline constexpr segment_id memory_id{2};
inline constexpr u64 first_page = 0xA5C'3000;  // improbable, so that a number is not taken for an index

/// The bus, and the parts of it that do not depend on the hardware.
struct rig_memory {
    gpu_memory bus;
    law_memory play;

    /// @param segment_bus, segment_bytes  a memory segment
    /// @param system_bus                  where page number 0 would be
    /// @param page_count                  pages, every seventh number left out
    /// @param va, va_bytes, va_bus        a range of the paging process; 0 bytes: none
    rig_memory(u64 segment_bus, u64 segment_bytes, u64 system_bus, u64 page_count, u64 va, u64 va_bytes, u64 va_bus) {
        require(bus.add_linear(segment_bus, segment_bytes));
        require(bus.add_page_window(system_bus, first_page, page_count * 2, page_count));
        for (u64 i = 0, n = first_page; i != page_count; ++i, ++n) {
            if (n % 1000 == 7) {
                ++n;
            } else if (page_count < 1000 && n % 7 == 3) {
                ++n;
            }
            require(bus.add_page(n));
            play.system_pages.push_back({page_number{n}, system_bus + byte_address(page_number{n})});
        }
        if (va_bytes != 0) {
            require(bus.add_linear(va_bus, va_bytes));
            play.process = {{va}, {va_bytes}, va_bus};
        }
        // A part of the segment that begins and ends inside it.
        play.segment = {memory_id, {2 * page_bytes}, {segment_bytes - 3 * page_bytes}, segment_bus + 2 * page_bytes};
        play.bus = &bus;
    }

    template <class Engine>
    void attach(Engine& engine) {
        play.executor = &engine;
        play.aperture = {aperture_id, 3, aperture_pages - 5,
                         [&engine](u64 index) { return engine.page_of(aperture_id.n, index); },
                         [&engine](u64 index) { return engine.coherent_of(aperture_id.n, index); }};
    }
};

template <capabilities Caps>
struct cpu_rig : rig_memory {
    using hardware = examples::cpu::processor<Caps>;
    std::vector<examples::cpu::aperture_entry> table = std::vector<examples::cpu::aperture_entry>(aperture_pages);
    cpu_engine engine{{cpu_aperture{aperture_id.n, std::as_writable_bytes(std::span(table))}}};
    hardware hw{};

    cpu_rig() : rig_memory(0x80'0000'0000, 512 * 1024, 0x10'0000'0000, 48, 0x4000'0000, 512 * 1024, 0x4000'0000) {
        hw.segments[0] = {{{0x7F'0000'0000}, {aperture_pages * page_bytes}}, true};
        hw.segments[1] = {{{0x80'0000'0000}, {512 * 1024}}, false};
        hw.system_base = 0x10'0000'0000;
        hw.entries = table.data();
        attach(engine);
    }
};

/// The example's capabilities with the reach that its aperture entries have: 48 bits.
[[nodiscard]] constexpr capabilities within_48_bits(capabilities caps) {
    caps.highest_visible_address = (u64{1} << 48) - 1;
    return caps;
}

template <capabilities Caps>
struct amd_rig : rig_memory {
    using hardware = examples::amd::gfx10<within_48_bits(Caps)>;
    static constexpr u64 table_address = 0x90'0000'0000;
    static constexpr u64 vram_bytes = 9 << 20;  // twice the largest copy, and more
    amd_sdma_engine engine;
    hardware hw{};

    amd_rig() : rig_memory(0x80'0000'0000, vram_bytes, 0x10'0000'0000, 2300, 0x4000'0000, vram_bytes, 0x4000'0000) {
        require(bus.add_linear(table_address, aperture_pages * 8));
        hw.at = {.gart_segment = aperture_id,
                 .gart = {{0x7F'0000'0000}, {aperture_pages * page_bytes}},
                 .vram_segment = memory_id,
                 .vram = {{0x80'0000'0000}, {vram_bytes}},
                 .system_base = 0x10'0000'0000,
                 .gart_table = static_cast<u64*>(static_cast<void*>(bus.at(table_address, aperture_pages * 8).data)),
                 .gart_table_address = table_address};
        play.executor = &engine;
        play.aperture = {aperture_id, 3, aperture_pages - 5,
                         [this](u64 index) -> std::optional<std::uint64_t> {
                             // Valid, system, executable, readable, writeable, or it leads nowhere.
                             return (entry(index) & 0x73) == 0x73
                                        ? std::optional<std::uint64_t>((entry(index) >> 12) & 0xF'FFFF'FFFF)
                                        : std::nullopt;
                         },
                         [this](u64 index) { return std::optional((entry(index) & 4) != 0); }};
    }

    [[nodiscard]] u64 entry(u64 index) {
        u64 value = 0;
        if (!bus.read(table_address + index * 8, &value, sizeof value)) {
            throw std::logic_error("the GART's table is gone");
        }
        return value;
    }
};

/// Both mocks: their addresses lie on the bus somewhere that has nothing to do with their values.
template <class Hardware, class Engine, u64 SegmentBase>
struct mock_rig : rig_memory {
    using hardware = Hardware;
    static constexpr u64 segment_bytes = 512 * 1024;
    static constexpr u64 segment_bus = 0x1234'0000'0000;
    static constexpr u64 va_bus = 0x2345'0000'0000;
    static constexpr u64 system_bus = 0x3456'0000'0000;
    std::vector<u64> table = std::vector<u64>(aperture_pages);
    // What value 0 of a segment stands for: the smaller mock's values have the base in them.
    Engine engine{mock_map{{{memory_id.n, segment_bus - SegmentBase}}, system_bus, va_bus - 0x4000'0000},
                  {mock_aperture{aperture_id.n, std::as_writable_bytes(std::span(table))}}};
    hardware hw{};
    int allocation = 0;

    mock_rig() : rig_memory(segment_bus, segment_bytes, system_bus, 48, 0x4000'0000, segment_bytes, va_bus) {
        hw.segments.of[0] = {{{0x7F'0000'0000}, {aperture_pages * page_bytes}}, true};
        hw.segments.of[1] = {{{0x12'0000'0000}, {segment_bytes}}, false};
        hw.entries = table.data();
        attach(engine);
    }
};

inline constexpr u64 mock_segment_base = 0x12'0000'0000;

/// A mock that fills more than half a page by two commands, so that the length depends on the size.
template <class Mock>
struct fills_by_two : Mock {
    using address = typename Mock::address;
    static constexpr bytes first{2048};

    static constexpr dwords fill_dwords_most{2 * Mock::fill_dwords.n};
    [[nodiscard]] static constexpr dwords fill_dwords_of(address, bytes size, u32) noexcept {
        return first < size ? fill_dwords_most : Mock::fill_dwords;
    }
    static constexpr void encode_fill(u32* at, address destination, bytes size, u32 pattern) noexcept {
        if (first < size) {
            Mock::encode_fill(at, destination, first, pattern);
            Mock::encode_fill(at + Mock::fill_dwords.n, destination + first, size - first, pattern);
        } else {
            Mock::encode_fill(at, destination, size, pattern);
        }
    }

private:
    using Mock::fill_dwords;
};

template <class Hardware>
using mock_gpu_rig = mock_rig<Hardware, mock_engine, 0>;
template <class Hardware>
using mock_small_rig = mock_rig<Hardware, mock_small_engine, mock_segment_base>;

}  // namespace law_rigs

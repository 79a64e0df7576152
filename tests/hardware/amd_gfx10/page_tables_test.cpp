// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sdma_test_bus.hpp"

#include <hardware/amd_gfx10.hpp>
#include <hardware/amd_gfx10_page_tables.hpp>
#include <hardware/cpu/test_bus.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/walking_bus.hpp>

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

namespace amd_page_tables_test {

namespace {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace amd = wddmcore::examples::amd;
using amd::page_size;
using decoder_tests::has;
using tables = amd::page_tables;

constexpr u64 video_bus = 0x80'0000'0000;
constexpr u64 system_bus = 0x10'0000'0000;
constexpr u64 video_bytes = 8 << 20;
constexpr u64 tables_first = 6 << 20;  // in video memory, whose addresses begin at 0
constexpr u64 va = 0x7654'3210'0000 & ~0x1F'FFFFull;
constexpr u64 kib64 = 0x1'0000;
constexpr u64 mib2 = 0x20'0000;

void require(bool there) {
    if (!there) {
        throw std::logic_error("the simulated memory is not what it should be");
    }
}

/// A walker of GPUVM tables, written from the vendor's entry bits alone. Stricter than the hardware: the entries of a
/// fragment must agree, and bits that have no use here must be 0.
class gpuvm {
public:
    gpuvm(gpu_bus& memory, u64 root) : memory_(memory), root_(root) {}

    [[nodiscard]] translation walk(u64 address) const {
        if (address >> 48 != 0) {
            return no_translation("more than 48 bits");
        }
        u64 table = video_bus + root_;
        for (int shift = 39; shift != 12; shift -= 9) {
            u64 const entry = load(table, address >> shift & 511);
            if (entry % 2 == 0) {
                return no_translation("directory entry is not valid");
            }
            if ((entry >> 54 & 1) != 0) {
                return shift == 21 ? page(address, entry, 21, entry >> 7 & 31) : no_translation("a page of a gigabyte");
            }
            // Valid, system, snooped and the address; no rights, no fragment.
            if ((entry & ~0xFFFF'FFFF'F007ull) != 0) {
                return no_translation("directory entry has stray bits");
            }
            table = (entry & 2 ? system_bus : video_bus) + (entry & 0xFFFF'FFFF'F000);
        }
        u64 const index = address >> 12 & 511;
        u64 const entry = load(table, index);
        u64 const fragment = entry >> 7 & 31;
        if (entry % 2 == 0) {
            return no_translation((entry >> 51 & 1) != 0 ? "page is sparse" : "page is not valid");
        }
        if ((entry >> 54 & 1) != 0 || fragment > 9) {
            return no_translation("page says that it is one of a directory");
        }
        u64 const first = index >> fragment << fragment;
        for (u64 i = 0; i != u64{1} << fragment; ++i) {
            if (load(table, first + i) != entry + (first + i) * 4096 - index * 4096) {
                return no_translation("the entries of a fragment differ");
            }
        }
        return page(address, load(table, first), 12 + static_cast<unsigned>(fragment), fragment);
    }

private:
    [[nodiscard]] u64 load(u64 table, u64 index) const {
        u64 entry = 0;
        return memory_.read(table + index * 8, &entry, sizeof entry) ? entry : 0;
    }

    [[nodiscard]] static translation page(u64 address, u64 entry, unsigned page_lg2, u64 fragment) {
        u64 const size = u64{1} << page_lg2;
        u64 const place = entry & 0xFFFF'FFFF'F000;
        u64 const memory_type = entry >> 48 & 7;
        if (place % size != 0 || fragment != page_lg2 - 12) {
            return no_translation("page is not as long or as aligned as its fragment says");
        }
        if ((entry & 0xFFB8'0000'0000'0008) != 0 || (memory_type != 0 && memory_type != 3)) {
            return no_translation("page has stray bits");
        }
        if ((entry >> 5 & 1) == 0) {
            return no_translation("page may not be read");
        }
        translation t;
        t.bus = ((entry & 2) != 0 ? system_bus : video_bus) + place + address % size;
        t.bytes = size - address % size;
        t.writable = (entry >> 6 & 1) != 0;
        t.coherent = (entry >> 2 & 1) != 0;
        return t;
    }

    gpu_bus& memory_;
    u64 root_;
};

/// 8 MiB of video memory, 64 system pages, and tables that the example's encoders write.
class tree {
public:
    gpu_memory bus;

    tree() {
        require(bus.add_linear(video_bus, video_bytes) == gpu_memory_error::none);
        require(bus.add_page_window(system_bus, 0x1000, 64, 64) == gpu_memory_error::none);
        for (u64 i = 0; i != 64; ++i) {
            require(bus.add_page(0x1000 + i) == gpu_memory_error::none);
        }
        root_ = allocate();
    }

    [[nodiscard]] translation walk(u64 address) { return gpuvm(bus, root_).walk(address); }

    void map(u64 address, page_size size, amd::page_use use, u64 physical) {
        auto const parts = tables::attributes(size, use);
        for (u32 i = 0; i != tables::entries_of(size); ++i) {
            set(address + i * page_bytes, size, tables::encode_leaf(page_number{(physical >> 12) + i}, parts));
        }
    }
    void set(u64 address, page_size size, u64 entry) { require(bus.write(place_of(address, size), &entry, 8)); }

    /// The bus address of a page's entry.
    [[nodiscard]] u64 place_of(u64 address, page_size size) {
        u64 table = root_;
        for (u32 level = tables::levels - 1; level != tables::level_of(size); --level) {
            u64& child = children_[{level, address >> tables::first_bit(level)}];
            if (child == 0) {
                child = allocate();
                u64 const entry = tables::encode_directory(child);
                require(bus.write(video_bus + table + index(address, level) * 8, &entry, 8));
            }
            table = child;
        }
        return video_bus + table + index(address, tables::level_of(size)) * 8;
    }

private:
    [[nodiscard]] static u64 index(u64 address, u32 level) {
        return address >> tables::first_bit(level) & low_mask<u64>(tables::index_bits(level));
    }
    [[nodiscard]] u64 allocate() { return std::exchange(next_, next_ + page_bytes); }

    u64 next_ = tables_first;
    u64 root_ = 0;
    std::map<std::pair<u32, u64>, u64> children_;
};

}  // namespace

TEST_CASE("GPUVM: a page of each size is found through all levels, at its first and at its last byte") {
    tree t;
    t.map(va, page_size::kib4, {}, 0x12'3000);
    t.map(va + 0x1000, page_size::kib4, {.system = true, .snooped = true}, 0xFFFF'FFFF'F000);
    t.map(va + kib64, page_size::kib64, {}, 0x13'0000);
    t.map(va + mib2, page_size::mib2, {.system = true}, 0x1'2340'0000);
    auto const expect = [&](u64 at, u64 bus, u64 size) {
        CAPTURE(at);
        translation const first = t.walk(at);
        CHECK_MESSAGE(first.ok(), first.why);
        CHECK(first.bus == bus);
        CHECK(first.bytes == size);
        CHECK(first.writable);
        CHECK(t.walk(at + size - 1).bus == bus + size - 1);
    };
    expect(va, video_bus + 0x12'3000, 0x1000);
    expect(va + 0x1000, system_bus + 0xFFFF'FFFF'F000, 0x1000);
    CHECK(t.walk(va + 0x1000).coherent);
    expect(va + kib64, video_bus + 0x13'0000, kib64);
    expect(va + mib2, system_bus + 0x1'2340'0000, mib2);
    CHECK_FALSE(t.walk(va + 0x2000).ok());
    CHECK_FALSE(t.walk(va + 2 * mib2).ok());
    CHECK_FALSE(t.walk(va - 1).ok());
    for (unsigned bit = 12; bit != 48; ++bit) {
        t.map(va ^ u64{1} << bit, page_size::kib4, {}, bit * page_bytes);
    }
    for (unsigned bit = 12; bit != 48; ++bit) {
        CAPTURE(bit);
        CHECK(t.walk(va ^ u64{1} << bit).bus == video_bus + bit * page_bytes);
    }
}

TEST_CASE("GPUVM: what a page is used for stands where the vendor's driver says") {
    CHECK(tables::attributes(page_size::kib4, {}).add == 0x61);
    CHECK(tables::attributes(page_size::kib4, {.system = true}).add == 0x63);
    CHECK(tables::attributes(page_size::kib4, {.system = true, .snooped = true}).add == 0x67);
    CHECK(tables::attributes(page_size::kib4, {.executable = true}).add == 0x71);
    CHECK(tables::attributes(page_size::kib4, {.read_only = true}).add == 0x21);
    CHECK(tables::attributes(page_size::kib4, {.uncached = true}).add == 0x3'0000'0000'0061);
    CHECK(tables::attributes(page_size::kib4, {}, 6).add == 0x361);
    CHECK(tables::attributes(page_size::kib64, {}).add == 0x261);
    CHECK(tables::attributes(page_size::mib2, {}).add == 0x40'0000'0000'04E1);
    CHECK(tables::encode_directory(0x1'2345'6000) == 0x1'2345'6001);
    CHECK(tables::encode_directory(0x1'2345'6000, true) == 0x1'2345'6007);
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes(page_size::kib4, {})) == 0xFFFF'FFFF'F061);
    tree t;
    t.map(va, page_size::kib4, {.read_only = true, .uncached = true}, 0x5000);
    CHECK_FALSE(t.walk(va).writable);
    t.set(va, page_size::kib4, tables::sparse);
    CHECK(has(t.walk(va).why, "sparse"));
}

TEST_CASE("GPUVM: the entries of a fragment are one run, or the page is refused") {
    tree t;
    auto const parts = tables::attributes(page_size::kib64, {});
    for (u64 broken = 0; broken != 16; ++broken) {
        t.map(va, page_size::kib64, {}, 0x13'0000);
        CHECK(t.walk(va + 0x5000).bytes == 0xB000);
        t.set(va + broken * page_bytes, page_size::kib4, tables::encode_leaf({0x999}, parts));
        CHECK(has(t.walk(va + (broken ^ 1) * page_bytes).why, "differ"));
    }
    t.map(va, page_size::kib64, {}, 0x13'1000);
    CHECK(has(t.walk(va).why, "aligned"));
}

TEST_CASE("GPUVM: the engine's own packet for runs of entries makes what the encoder makes") {
    tree t;
    auto const parts = tables::attributes(page_size::kib64, {.system = true, .snooped = true});
    t.map(va, page_size::kib64, {.system = true, .snooped = true}, 0x100'0000);
    std::vector<u64> made(16);
    std::vector<u64> generated(16);
    u64 const place = t.place_of(va, page_size::kib4);
    require(t.bus.read(place, made.data(), 128));
    // PTEPDE GEN: where, flags, first address, step, entries - 1.
    auto const packet = sdma_test::window({0x0000000C, low_dword(place), high_dword(place), low_dword(parts.add),
                                           high_dword(parts.add), 0x100'0000, 0, 0x1000, 0, 15});
    require(t.bus.write(place, generated.data(), 128));
    CHECK(sdma_test::run(t.bus, packet).ok);
    require(t.bus.read(place, generated.data(), 128));
    CHECK(generated == made);
    CHECK(t.walk(va + 0x3456).bus == system_bus + 0x100'3456);
}

TEST_CASE("OP08: a copy and a fill of SDMA arrive through GPUVM tables, byte for byte") {
    using hardware = amd::gfx10<amd::virtual_paging>;
    tree t;
    // A 2-MiB page of video memory; behind it system pages in falling order.
    t.map(va, page_size::mib2, {}, mib2);
    for (u64 i = 0; i != 32; ++i) {
        t.map(va + mib2 + i * page_bytes, page_size::kib4, {.system = true, .snooped = true},
              (0x101F - i) * page_bytes);
    }
    std::vector<std::byte> source(20 * page_bytes);
    decoder_tests::numbers random(decoder_tests::seed_of_run());
    for (std::byte& b : source) {
        b = static_cast<std::byte>(random.below(256));
    }
    std::vector<u32> words(16);
    hardware::encode_copy(words.data(), hardware::from_virtual({va + mib2 + 0x2000}),
                          hardware::from_virtual({va + 0x12'3000}), bytes{source.size()});
    hardware::encode_fill(words.data() + 7, hardware::from_virtual({va + mib2 + 0x5000}), bytes{0x1000}, 0xA1B2C3D4);
    require(t.bus.write(video_bus + mib2 + 0x12'3000, source.data(), source.size()));
    walking_bus bus(t.bus, [&t](u64 address) { return t.walk(address); }, true);
    CHECK(sdma_test::run(bus, words).ok);
    decoder_tests::model_fill(source, 0x3000, 0x1000, 0xA1B2C3D4);
    for (u64 i = 0; i != 20; ++i) {
        CAPTURE(i);
        CHECK(std::memcmp(t.bus.cpu(0x101F - 2 - i), source.data() + i * page_bytes, page_bytes) == 0);
    }
}

}  // namespace amd_page_tables_test

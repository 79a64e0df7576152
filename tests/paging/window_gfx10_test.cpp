// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "window_gfx10.hpp"

#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <wddmcore/ddi/mirror/wddm1/v1_3.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/laws.hpp>
#include <wddmcore/testing/translation_cache.hpp>
#include <wddmcore/wddmcore.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

/// The window that figures are measured with, executed: its streams are as long as a GPU that keeps translations needs.
namespace window_gfx10_test {

namespace {

using namespace wddmcore;
using namespace wddmcore::testing;
using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

constexpr segment_id memory{2};
constexpr u64 memory_at = 0x80'0000'0000;
constexpr u64 system_at = 0x10'0000'0000;
constexpr u64 window_at = 0x7E'0000'0000;
constexpr u64 memory_bytes = u64{2} << 20;
constexpr u64 entries_at = memory_at + memory_bytes;  // of the window's slots, behind the segment
constexpr u64 word_at = entries_at + windowed_gfx10::window_slots * 8;
constexpr u64 first_page = 0x5000;
constexpr std::size_t page_total = 128;
constexpr examples::amd::invalidation_engine hub{0x2894, 0x28A6, 0x00F8'0001, 1, word_at};

/// Memory, and an engine that keeps a translation of the window until an invalidation has been asked for and waited for.
class adapter {
public:
    adapter() {
        put(bus_.add_linear(memory_at, memory_bytes + windowed_gfx10::window_slots * 8 + page_bytes));
        put(bus_.add_page_window(system_at, first_page, 2 * page_total, page_total));
        for (std::size_t i = 0; i != page_total; ++i) {
            put(bus_.add_page(first_page + 2 * i));  // no two are neighbours
        }
        u32 const zero = 0;
        static_cast<void>(bus_.write(word_at, &zero, sizeof zero));
        engine_.translate_by([this](u64 va) { return cache_.translate(0, va); });
    }
    adapter(adapter const&) = delete;
    adapter& operator=(adapter const&) = delete;

    /// The bytes of a page, or of as much memory.
    [[nodiscard]] std::vector<u8> read(u64 at) {
        std::vector<u8> all(page_bytes);
        static_cast<void>(bus_.read(at, all.data(), all.size()));
        return all;
    }
    void fill(u64 at, u8 value) {
        std::vector<u8> const all(page_bytes, value);
        static_cast<void>(bus_.write(at, all.data(), all.size()));
    }

    /// Carries a transfer out in passes of some dwords.
    void expect_transfer(law_parts::transfer_end const& from, law_parts::transfer_end const& to, u64 size,
                         std::size_t room) {
        law_parts::transfer_arguments<arguments> made(paging_operation::transfer, from, to, 0, size, 0);
        for (ntstatus status = status::graphics_insufficient_dma_buffer; status != status::success;) {
            std::vector<u32> buffer(room);
            made.args.pDmaBuffer = buffer.data();
            made.args.DmaSize = static_cast<u32>(room * 4);
            status = build_paging_buffer(hw_, made.args);
            auto const written = static_cast<std::size_t>(static_cast<u32*>(made.args.pDmaBuffer) - buffer.data());
            execution const ran = engine_.execute(buffer.data(), written, bus_);
            REQUIRE_MESSAGE(ran.ok, ran.why);
            REQUIRE((status == status::success || status == status::graphics_insufficient_dma_buffer));
            through_window_ += static_cast<u64>(std::count(buffer.begin(), buffer.end(), 0xF000'000Eu));
        }
    }
    [[nodiscard]] u64 through_window() const { return through_window_; }

private:
    static void put(gpu_memory_error e) {
        if (e != gpu_memory_error::none) {
            throw std::logic_error("the simulated memory is not what it should be");
        }
    }

    /// Addresses of the window lead where its entries say; all others are those of the bus.
    [[nodiscard]] translation walk(u64 va) {
        translation found;
        found.bus = va;
        found.bytes = page_bytes;
        found.writable = true;
        if (va >= window_at && va - window_at < windowed_gfx10::window_slots * page_bytes) {
            u64 entry = 0;
            static_cast<void>(bus_.read(entries_at + (va - window_at) / page_bytes * 8, &entry, sizeof entry));
            found.bus = system_at + (entry & 0xFFFF'FFFF'F000);
            return (entry & 0x77) == 0x77 ? found : no_translation("a slot of the window is not valid");
        }
        return found;
    }

    gpu_memory bus_;
    translation_cache cache_{[this](u64, u64 va) { return walk(va); }, true};
    bool asked_ = false;
    amd_sdma_engine engine_{[this](u32 index, u32 value) {
                                asked_ = true;
                                return index == hub.request_register && value == hub.request;
                            },
                            [this](u32 index) {
                                if (std::exchange(asked_, false)) {
                                    cache_.flush_all();
                                }
                                return index == hub.acknowledge_register ? std::optional(hub.vmids) : std::nullopt;
                            }};
    windowed_gfx10 hw_ = windowed_gfx10::started({.gart_segment = {1},
                                                  .gart = {{0x7F'0000'0000}, 512 * mib},
                                                  .vram_segment = memory,
                                                  .vram = {{memory_at}, {memory_bytes}},
                                                  .system_base = system_at,
                                                  .gart_table = nullptr,
                                                  .gart_table_address = 0},
                                                 {.address = window_at, .entries = entries_at, .hub = hub});
    u64 through_window_ = 0;
};

}  // namespace

TEST_CASE("OP00-10 PGB-20 window: pages arrive through slots that were used before, in both directions") {
    adapter gpu;
    std::vector<usize> list;
    for (std::size_t i = 0; i != page_total; ++i) {
        list.push_back(static_cast<usize>(first_page + 2 * i));
        gpu.fill(system_at + byte_address(page_number{list[i]}), static_cast<u8>(i + 1));
    }
    auto const number = [&](usize page) { return static_cast<u8>((page - first_page) / 2 + 1); };
    // A whole request in one pass, and passes that the buffer ends; each begins with slot 0 again.
    for (std::size_t const room : {std::size_t{2048}, std::size_t{160}}) {
        std::reverse(list.begin(), list.end());
        gpu.expect_transfer({{}, 0, list}, {memory, memory_at, {}}, page_total * page_bytes, room);
        bool arrived = true;
        for (std::size_t i = 0; i != page_total; ++i) {
            arrived = arrived && gpu.read(memory_at + i * page_bytes) == std::vector<u8>(page_bytes, number(list[i]));
        }
        CHECK(arrived);
    }
    u64 const there = gpu.through_window();
    CHECK(there > 2);
    for (std::size_t i = 0; i != page_total; ++i) {
        gpu.fill(memory_at + i * page_bytes, static_cast<u8>(255 - i));
    }
    std::rotate(list.begin(), list.begin() + 5, list.end());
    gpu.expect_transfer({memory, memory_at, {}}, {{}, 0, list}, page_total * page_bytes, 160);
    bool arrived = true;
    for (std::size_t i = 0; i != page_total; ++i) {
        arrived = arrived && gpu.read(system_at + byte_address(page_number{list[i]})) ==
                                 std::vector<u8>(page_bytes, static_cast<u8>(255 - i));
    }
    CHECK(arrived);
    CHECK(gpu.through_window() > there);
}

}  // namespace window_gfx10_test

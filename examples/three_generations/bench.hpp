// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_generations.hpp>
#include <hardware/amd_gfx10/gpuvm_walker.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>

#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstddef>
#include <vector>

/// A chip on the bench: its memory, and the decoder of its packets and page tables, which knows the chip's numbers from
/// the vendor's definitions and not from the hardware type.
namespace wddmcore::examples {

using arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;
using pte = mirror::v3_2::dxgk_pte;

/// What the decoder knows of a chip.
struct silicon {
    u64 most_bytes;
    unsigned levels;
    u32 nodes;
};

inline constexpr u64 memory_base = 0x80'0000'0000;
inline constexpr bytes memory_size = 64 * mib;

class bench {
public:
    bench(amd::any_generation& gpu, silicon chip) : gpu_(gpu), chip_(chip) {
        good_ = memory_.add_linear(memory_base, memory_size.n) == testing::gpu_memory_error::none;
        engine_.take_at_most(chip.most_bytes);
        engine_.translate_by([this](u64 va) { return walker_.walk(va); });
    }

    /// The adapter after StartDevice, of whatever generation.
    [[nodiscard]] static amd::any_generation started() {
        amd::any_generation gpu{};
        gpu.at.vram_segment = amd::any_generation::vram;
        gpu.at.vram = {{memory_base}, memory_size};
        static_cast<void>(gpu.segments.place(amd::any_generation::vram,
                                             {.size = memory_size, .host_aperture = {{0xD000'0000}, 65536}}));
        return gpu;
    }

    /// Maps whole 2 MiB of video memory from `offset` on, in tables that the CPU writes and that lie at its start.
    [[nodiscard]] bool map(u64 va, u64 offset, u64 size) {
        for (u64 k = 0; k != size >> 21; ++k) {
            for (u64 i = 0; i != 512; ++i) {
                entries_[i] = {};
                entries_[i].Flags = in_memory;
                entries_[i].PageAddress = (offset >> 12) + k * 512 + i;
            }
            good_ = good_ && store(0, next_, 0, 512);
            point_at(next_);
            good_ = good_ && store(1, table_of(1), ((va >> 21) + k) & 511, 1);
            next_ += 4096;
        }
        for (u32 level = 2; level != chip_.levels; ++level) {
            point_at(table_of(level - 1));
            good_ = good_ && store(level, table_of(level), (va >> (12 + 9 * level)) & 511, 1);
        }
        return good_;
    }

    /// Builds a request in buffers of 4 KiB and lets the engine execute each; counts its commands.
    [[nodiscard]] bool run(arguments args) {
        std::vector<u32> buffer(1024);
        ntstatus status = status::graphics_insufficient_dma_buffer;
        while (good_ && status == status::graphics_insufficient_dma_buffer) {
            args.pDmaBuffer = buffer.data();
            args.DmaSize = 4096;
            status = build_paging_buffer(gpu_, args);
            auto const words = static_cast<std::size_t>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
            testing::execution const done = engine_.execute(buffer.data(), words, memory_);
            commands += done.commands;
            good_ = good_ && done.ok;
        }
        return good_ && status == status::success;
    }

    /// The bytes of video memory from `offset` on.
    [[nodiscard]] std::byte* at(u64 offset) { return memory_.at(memory_base + offset, 1).data; }

    u64 commands = 0;

private:
    static constexpr u64 in_memory = 1 | u64{2} << 5;  // valid, in segment 2

    /// One table of each level above the leaf is enough for what is mapped here.
    [[nodiscard]] static constexpr u64 table_of(u32 level) { return level * u64{4096}; }
    void point_at(u64 table) {
        entries_[0] = {};
        entries_[0].Flags = in_memory;
        entries_[0].PageAddress = table >> 12;
    }
    [[nodiscard]] bool store(u32 level, u64 table, u64 start, u32 count) {
        arguments args{};
        args.Operation = static_cast<u32>(paging_operation::update_page_table);
        args.UpdatePageTable = {};
        args.UpdatePageTable.PageTableLevel = level;
        args.UpdatePageTable.PageTableAddress.CpuVirtual = at(table);
        args.UpdatePageTable.pPageTableEntries = entries_;
        args.UpdatePageTable.StartIndex = static_cast<u32>(start);
        args.UpdatePageTable.NumPageTableEntries = count;
        return build_paging_buffer(gpu_, args) == status::success;
    }

    amd::any_generation& gpu_;
    silicon chip_;
    testing::gpu_memory memory_;
    testing::amd_sdma_engine engine_;
    testing::gpuvm walker_{memory_, memory_base, 0, memory_base + (chip_.levels - 1) * u64{4096}, chip_.levels};
    pte entries_[512] = {};
    u64 next_ = u64{16} * 4096;
    bool good_ = false;
};

}  // namespace wddmcore::examples

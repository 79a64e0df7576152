// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <cstring>
#include <random>
#include <vector>

/// Page lists and requests that every variant of a benchmark gets.
namespace bench {

using namespace wddmcore;
using arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;
using virtual_arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using gpu = examples::amd::gfx10<>;
using virtual_gpu = examples::amd::gfx10<examples::amd::virtual_paging>;

inline constexpr u64 vram_base = 0x80'0000'0000;
inline constexpr u64 system_base = 0x10'0000'0000;

inline examples::amd::windows const where{.gart_segment = {1},
                                          .gart = {{0x7F'0000'0000}, 512 * mib},
                                          .vram_segment = {2},
                                          .vram = {{vram_base}, 8 * gib},
                                          .system_base = system_base,
                                          .gart_table = nullptr,
                                          .gart_table_address = 0};

/// Random page numbers, no two neighbours consecutive.
inline std::vector<usize> scattered(std::size_t count) {
    std::vector<usize> numbers(count);
    std::mt19937_64 random(1);
    for (usize& number : numbers) {
        number = static_cast<usize>((random() % 0x400'0000) * 2);
    }
    return numbers;
}

/// Half of the pages alone, half in runs of mean length 4: 1.6 pages a run over all.
inline std::vector<usize> mixed(std::size_t count) {
    std::vector<usize> numbers;
    std::mt19937_64 random(2);
    while (numbers.size() < count) {
        usize const first = static_cast<usize>((random() % 0x400'0000) * 2 + 1);
        usize const length = random() % 5 == 0 ? static_cast<usize>(1 + random() % 7) : 1;
        for (usize i = 0; i < length && numbers.size() < count; ++i) {
            numbers.push_back(first + i);
        }
    }
    return numbers;
}

/// Runs of a mean length in tenths of a page, of any length.
inline std::vector<usize> runs_of(std::size_t count, u64 mean_tenths) {
    std::vector<usize> numbers;
    std::mt19937_64 random(mean_tenths);
    usize page = 0;
    while (numbers.size() != count) {
        bool const goes_on = !numbers.empty() && random() % mean_tenths >= 10;
        page = goes_on ? page + 1 : static_cast<usize>(random() % 0x400'0000 * 2 + (~page & 1));
        numbers.push_back(page);
    }
    return numbers;
}

/// Runs of one length, as a host that has larger pages gives them.
inline std::vector<usize> equal_runs(std::size_t count, std::size_t length) {
    std::vector<usize> numbers(count);
    std::mt19937_64 random(3);
    usize first = 0;
    for (std::size_t i = 0; i != count; ++i) {
        first = i % length == 0 ? static_cast<usize>(random() % 0x20'0000 * 2 * length) : first;
        numbers[i] = first + i % length;
    }
    return numbers;
}

inline std::vector<usize> contiguous(std::size_t count) {
    std::vector<usize> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = 0x12'3456 + i;
    }
    return numbers;
}

/// An MDL with its array behind it.
class memory_list {
public:
    explicit memory_list(std::vector<usize> const& numbers)
        : storage_(sizeof(mirror::v1_3::mdl) / sizeof(usize) + numbers.size()), count_(numbers.size()) {
        mirror::v1_3::mdl header{};
        // 4 GiB and more do not fit ByteCount; the lists here are shorter.
        header.ByteCount = static_cast<u32>(numbers.size() * page_bytes);
        std::memcpy(storage_.data(), &header, sizeof header);
        std::memcpy(storage_.data() + sizeof header / sizeof(usize), numbers.data(), numbers.size() * sizeof(usize));
    }
    [[nodiscard]] mirror::v1_3::mdl* mdl() { return reinterpret_cast<mirror::v1_3::mdl*>(storage_.data()); }
    [[nodiscard]] usize const* numbers() const { return storage_.data() + sizeof(mirror::v1_3::mdl) / sizeof(usize); }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    std::vector<usize> storage_;
    std::size_t count_;
};

/// From video memory to the pages of a list.
inline arguments eviction(memory_list& list) {
    arguments args{};
    args.Operation = static_cast<u32>(paging_operation::transfer);
    args.Transfer = {};
    args.Transfer.TransferSize = list.size() * page_bytes;
    args.Transfer.Source.SegmentId = 2;
    args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(vram_base);
    args.Transfer.Destination.pMdl = list.mdl();
    return args;
}

}  // namespace bench

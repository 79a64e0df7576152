// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "request.hpp"

#include <algorithm>
#include <utility>

namespace sequences {

/// A range of CPU addresses that leads to some memory: what is stored there arrives when it is unmapped.
class cpu_window {
public:
    explicit cpu_window(gpu_bus& bus) : bus_(bus) {}

    /// @param where  bus addresses and sizes, in order
    [[nodiscard]] void* lead_to(std::vector<std::pair<u64, std::size_t>> where) {
        where_ = std::move(where);
        std::size_t size = 0;
        for (auto const& [address, part] : where_) {
            size += part;
        }
        bytes_.assign(size + 2 * edge, guard);
        return bytes_.data() + edge;
    }
    void forget() { where_.clear(); }

    void map() {
        std::size_t done = edge;
        for (auto const& [address, size] : where_) {
            there_ = bus_.read(address, bytes_.data() + done, size) && there_;
            done += size;
        }
    }
    /// @return false: something was stored beside it, or there is no memory
    [[nodiscard]] bool unmap() {
        std::size_t done = edge;
        for (auto const& [address, size] : where_) {
            there_ = bus_.write(address, bytes_.data() + done, size) && there_;
            done += size;
        }
        auto const is_guard = [](std::byte b) { return b == guard; };
        return there_ && (where_.empty() || (std::all_of(bytes_.begin(), bytes_.begin() + edge, is_guard) &&
                                             std::all_of(bytes_.end() - edge, bytes_.end(), is_guard)));
    }

private:
    static constexpr std::ptrdiff_t edge = 64;
    static constexpr std::byte guard{0xC5};

    gpu_bus& bus_;
    std::vector<std::pair<u64, std::size_t>> where_;
    std::vector<std::byte> bytes_;
    bool there_ = true;
};

}  // namespace sequences

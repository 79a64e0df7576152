// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/nvidia_ampere/walking_bus.hpp>

#include <functional>
#include <utility>

namespace sequences {

/// A bus for engines that do not know what an address is: some are of the paging process, the others of memory.
class split_bus final : public wddmcore::testing::gpu_bus {
public:
    using walker = wddmcore::testing::walking_bus::walker;
    using choice = std::function<bool(std::uint64_t)>;

    /// @param is_virtual  whether an address is one that `walk` translates
    split_bus(gpu_bus& memory, choice is_virtual, walker walk)
        : memory_(memory),
          is_virtual_(std::move(is_virtual)),
          readable_(memory, walk, false),
          writable_(memory, walk, true) {}

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return is_virtual_(address) ? readable_.read(address, to, size) : memory_.read(address, to, size);
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return is_virtual_(address) ? writable_.write(address, from, size) : memory_.write(address, from, size);
    }
    /// What an engine gathers it may read or write: which, nobody says, so that both are let through.
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        return is_virtual_(address) ? readable_.at(address, size) : memory_.at(address, size);
    }
    [[nodiscard]] std::string const& why() const { return readable_.why().empty() ? writable_.why() : readable_.why(); }

private:
    gpu_bus& memory_;
    choice is_virtual_;
    wddmcore::testing::walking_bus readable_;
    wddmcore::testing::walking_bus writable_;
};

}  // namespace sequences

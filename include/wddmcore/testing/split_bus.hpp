// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "walking_bus.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A bus for engines that do not know what an address is: some are of the paging process, the others of memory.
class split_bus final : public gpu_bus {
public:
    using walker = walking_bus::walker;  ///< where a virtual address leads
    /// Tells whether an address is one that the walker translates.
    using choice = std::function<bool(std::uint64_t)>;

    /// @param memory      physical memory; must live longer
    /// @param is_virtual  which addresses are virtual
    /// @param walk        where a virtual address leads, for example translation_cache::translate with the root at work
    split_bus(gpu_bus& memory, choice is_virtual, walker walk)
        : memory_(memory),
          is_virtual_(std::move(is_virtual)),
          readable_(memory, walk, false),
          writable_(memory, walk, true) {}

    /// Reads, wholly or not at all.
    /// @param address  virtual or physical address of the first byte
    /// @param to       room for `size` bytes
    /// @param size     bytes
    /// @return false: a page is missing
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return is_virtual_(address) ? readable_.read(address, to, size) : memory_.read(address, to, size);
    }
    /// Writes, wholly or not at all.
    /// @param address  virtual or physical address of the first byte
    /// @param from     `size` bytes
    /// @param size     bytes
    /// @return false: a page is missing, or may only be read
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return is_virtual_(address) ? writable_.write(address, from, size) : memory_.write(address, from, size);
    }
    /// The memory from an address on. What an engine gathers it may read or write: which, nobody says, so that both are
    /// let through.
    /// @param address  virtual or physical address of the first byte
    /// @param size     most bytes that are wanted
    /// @return the piece; {nullptr, 0} where there is none
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        return is_virtual_(address) ? readable_.at(address, size) : memory_.at(address, size);
    }
    /// @return why the last access through a virtual address failed; empty when none did
    [[nodiscard]] std::string const& why() const { return readable_.why().empty() ? writable_.why() : readable_.why(); }

private:
    gpu_bus& memory_;
    choice is_virtual_;
    walking_bus readable_;
    walking_bus writable_;
};

}  // namespace wddmcore::testing

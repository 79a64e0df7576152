// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a simulated engine reaches: the GPU's address space, as far as somebody has put memory behind it.
///
/// An access that is not wholly backed changes nothing and returns false; the engine reports it as a fault.
struct gpu_bus {
    gpu_bus() = default;
    gpu_bus(gpu_bus const&) = delete;
    gpu_bus& operator=(gpu_bus const&) = delete;
    virtual ~gpu_bus() = default;

    /// Reads bytes.
    /// @param address  GPU address of the first byte
    /// @param to       room for `size` bytes
    /// @param size     bytes
    /// @return false: not all of them are backed, and nothing was read
    [[nodiscard]] virtual bool read(std::uint64_t address, void* to, std::size_t size) = 0;

    /// Writes bytes.
    /// @param address  GPU address of the first byte
    /// @param from     `size` bytes
    /// @param size     bytes
    /// @return false: not all of them are backed, and nothing was written
    [[nodiscard]] virtual bool write(std::uint64_t address, void const* from, std::size_t size) = 0;

    /// Memory behind addresses: whole memory, never a shadow.
    struct piece {
        std::byte* data;   ///< the first byte; nullptr where nothing is backed
        std::size_t size;  ///< bytes; 0 where nothing is backed
    };
    /// The longest directly usable piece at an address. An engine moves bulk data piece by piece through it.
    /// @param address  GPU address of the first byte
    /// @param size     most bytes that are wanted
    /// @return the piece, of at most `size` bytes; {nullptr, 0} where nothing is backed
    [[nodiscard]] virtual piece at(std::uint64_t address, std::size_t size) = 0;
};

/// What became of one window of a command stream.
struct execution {
    bool ok = true;                 ///< false: the stream or one of its accesses is wrong, `why` says how
    std::size_t dword = 0;          ///< position of the offending packet, in dwords from the start of the window
    std::string why;                ///< one sentence; empty when ok
    std::uint64_t commands = 0;     ///< packets executed, padding not counted
    std::uint64_t moved_bytes = 0;  ///< bytes written to memory by copies and fills
    std::uint64_t interrupts = 0;   ///< interrupts that the stream raised
};

/// An engine that executes one window of commands on memory: the independent decoder of one hardware.
struct engine {
    engine() = default;
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;
    virtual ~engine() = default;

    /// Decodes and executes a window; stops at the first packet that is wrong, having changed nothing for it.
    /// @param commands  the first word of the window
    /// @param dwords    32-bit words in it
    /// @param bus       what the commands reach
    /// @return what became of it
    [[nodiscard]] virtual execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) = 0;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace wddmcore::examples {

/// A bus with one additional range: the entries of a GART, which belong to the adapter and not to any segment.
class gart_bus final : public testing::gpu_bus {
public:
    gart_bus(gpu_bus& rest, std::uint64_t address, std::span<std::byte> table)
        : rest_(rest), address_(address), table_(table) {}

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        if (!inside(address, size)) {
            return rest_.read(address, to, size);
        }
        std::memcpy(to, table_.data() + (address - address_), size);
        return true;
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        if (!inside(address, size)) {
            return rest_.write(address, from, size);
        }
        std::memcpy(table_.data() + (address - address_), from, size);
        return true;
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        if (!inside(address, 1)) {
            return rest_.at(address, size);
        }
        std::size_t const offset = static_cast<std::size_t>(address - address_);
        return {table_.data() + offset, size < table_.size() - offset ? size : table_.size() - offset};
    }

private:
    [[nodiscard]] bool inside(std::uint64_t address, std::size_t size) const {
        return address >= address_ && address - address_ < table_.size() &&
               size <= table_.size() - (address - address_);
    }

    gpu_bus& rest_;
    std::uint64_t address_;
    std::span<std::byte> table_;
};

/// An engine that can also reach the GART's entries.
class gart_engine final : public testing::engine {
public:
    gart_engine(engine& inner, std::uint64_t address, std::span<std::byte> table)
        : inner_(inner), address_(address), table_(table) {}

    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        gart_bus with_table(bus, address_, table_);
        return inner_.execute(commands, dwords, with_table);
    }

private:
    engine& inner_;
    std::uint64_t address_;
    std::span<std::byte> table_;
};

}  // namespace wddmcore::examples

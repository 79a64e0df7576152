// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>

#if defined(__x86_64__) && defined(__linux__)
#    include <sys/mman.h>

/// What a driver's instructions reach of the device beside its memory.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// What registers and ports do. Where a function is empty nothing answers: a read gives ones, a write is lost.
struct device_access {
    std::function<std::uint64_t(std::uint32_t range, std::uint64_t offset, std::uint32_t bytes)> read;
    std::function<void(std::uint32_t range, std::uint64_t offset, std::uint32_t bytes, std::uint64_t value)> write;
    std::function<std::uint32_t(std::uint32_t port, std::uint32_t bytes)> read_port;
    std::function<void(std::uint32_t port, std::uint32_t bytes, std::uint32_t value)> write_port;
    std::uint32_t first_port = 0;
    std::uint32_t port_count = 0;

    static device_access& current() {
        static device_access one;
        return one;
    }
    [[nodiscard]] bool has_ports(std::uint32_t port, std::uint32_t bytes) const {
        return port >= first_port && bytes <= port_count && port - first_port <= port_count - bytes;
    }
    [[nodiscard]] std::uint32_t in(std::uint32_t port, std::uint32_t bytes) {
        asking const now(*this);
        return read_port && has_ports(port, bytes) ? read_port(port, bytes) : 0xFFFF'FFFF;
    }
    void out(std::uint32_t port, std::uint32_t bytes, std::uint32_t value) {
        asking const now(*this);
        if (write_port && has_ports(port, bytes)) {
            write_port(port, bytes, value);
        }
    }
    [[nodiscard]] std::uint64_t load(std::uint32_t range, std::uint64_t offset, std::uint32_t bytes) {
        asking const now(*this);
        return read ? read(range, offset, bytes) : ~std::uint64_t{0};
    }
    void store(std::uint32_t range, std::uint64_t offset, std::uint32_t bytes, std::uint64_t value) {
        asking const now(*this);
        if (write) {
            write(range, offset, bytes, value);
        }
    }
    /// Whether the device is being asked, so that the driver cannot be interrupted: its instruction has not ended.
    [[nodiscard]] bool is_asked() const { return asked_ != 0; }

private:
    struct asking {
        explicit asking(device_access& d) : to(d) { ++to.asked_; }
        ~asking() { --to.asked_; }
        asking(asking const&) = delete;
        asking& operator=(asking const&) = delete;
        device_access& to;
    };
    std::uint32_t asked_ = 0;
};

/// Addresses at which every access faults, for registers.
/// @throws std::bad_alloc  the host has none
[[nodiscard]] inline std::byte* reserve_registers(std::uint64_t size) {
    std::size_t const whole = (static_cast<std::size_t>(size) + 4095) / 4096 * 4096;
    void* const at = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        throw std::bad_alloc();
    }
    return static_cast<std::byte*>(at);
}

}  // namespace wddmcore::testing::kernel_parts::traps

#endif

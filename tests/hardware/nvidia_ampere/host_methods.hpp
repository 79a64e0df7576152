// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/piece_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Translations that go: those of one address space, named by its root, or all.
struct nvidia_invalidation {
    bool all;
    std::uint32_t aperture;  ///< of the root: 0 video memory, 2 and 3 system memory
    std::uint64_t root;      ///< its address there
};

/// The methods of the host in front of the engines: semaphores and memory operations, written from the vendor's public
/// class header alone.
///
/// It keeps nothing over windows; a method that is executed has to find its operands set in this one.
class nvidia_host {
public:
    /// Stores a payload: virtual address, value, bytes; the empty string, or why it cannot.
    using store = std::function<std::string(std::uint64_t, std::uint64_t, std::size_t)>;

    static constexpr std::uint32_t memory_operation_d = 0x34;  ///< the method that carries an operation out

    std::function<void(nvidia_invalidation const&)> on_invalidate;  ///< none: such an operation is refused

    std::uint64_t system_drops = 0;   ///< of lines of system memory, MEM_OP 0xE
    std::uint64_t dirty_flushes = 0;  ///< MEM_OP 0x10

    void begin() {
        values_.clear();
        is_idle_ = false;
    }

    [[nodiscard]] std::string set(std::uint32_t method, std::uint32_t value, store const& release) {
        switch (method) {
            case 0x28:
            case 0x2C:
            case 0x30:
            case 0x5C:
            case 0x60:
            case 0x64:
            case 0x68: values_[method] = value; return {};
            case 0x6C: return semaphore(value, release);
            case memory_operation_d: return memory_operation(value);
            default: return "method " + pieces::hex(method) + " of the host is not one of these";
        }
    }

private:
    [[nodiscard]] bool has(std::initializer_list<std::uint32_t> methods) const {
        for (std::uint32_t const m : methods) {
            if (values_.count(m) == 0) {
                return false;
            }
        }
        return true;
    }

    /// SEM_EXECUTE: only a release that waits for the engine, without timestamp. Its address has 40 bits.
    [[nodiscard]] std::string semaphore(std::uint32_t word, store const& release) {
        if (!has({0x5C, 0x60, 0x64})) {
            return "SEM_EXECUTE reads a method which this window has not set";
        }
        bool const wide = (word >> 24 & 1) != 0;
        if ((word & 7) != 1 || (word >> 20 & 1) == 0 || (word & ~0x0110'0007u) != 0 || (wide && !has({0x68}))) {
            return "SEM_EXECUTE with " + pieces::hex(word) + " is no release that waits for the engine";
        }
        if ((values_[0x5C] & 3) != 0 || (values_[0x60] & ~0xFFu) != 0) {
            return "SEM_EXECUTE has an address with reserved bits";
        }
        is_idle_ = true;
        std::uint64_t const payload = values_[0x64] | (wide ? std::uint64_t{values_[0x68]} << 32 : 0);
        return release(std::uint64_t{values_[0x60]} << 32 | values_[0x5C], payload, wide ? 8 : 4);
    }

    /// MEM_OP_D: dirty lines that go to memory (0x10), lines of system memory that are dropped (0xE), and an
    /// invalidation of translations (9), in all GPCs, for every address and level.
    [[nodiscard]] std::string memory_operation(std::uint32_t word) {
        std::uint32_t const operation = word >> 27;
        if (operation != 9 && operation != 0xE && operation != 0x10) {
            return "MEM_OP_D has operation " + std::to_string(operation) + ", not 9, 14 or 16";
        }
        if (!has({0x28, 0x2C, 0x30})) {
            return "MEM_OP_D reads a method which this window has not set";
        }
        // Nothing makes the host wait for page tables that the engine is still writing but a semaphore (OP12-03).
        if (!is_idle_) {
            return "MEM_OP_D invalidates without having waited for the engine";
        }
        if (operation != 9) {
            ++(operation == 0xE ? system_drops : dirty_flushes);
            bool const plain = values_[0x28] == 0 && values_[0x2C] == 0 && values_[0x30] == 0 && (word << 5) == 0;
            return plain ? "" : "MEM_OP of lines has operands";
        }
        std::uint32_t const c = values_[0x30];
        if ((values_[0x28] & ~0x800u) != 0 || values_[0x2C] != 0 || (c & 0x39E) != 0) {
            return "MEM_OP_A to MEM_OP_C ask for a part only: " + pieces::hex(values_[0x28]) + " " +
                   pieces::hex(values_[0x2C]) + " " + pieces::hex(c);
        }
        if (!on_invalidate) {
            return "there are no translations to invalidate";
        }
        std::uint64_t const root = std::uint64_t{word & 0x7FF'FFFF} << 32 | (c & 0xFFFF'F000);
        on_invalidate({(c & 1) != 0, c >> 10 & 3, root});
        return {};
    }

    std::map<std::uint32_t, std::uint32_t> values_;
    bool is_idle_ = false;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "system.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <optional>

/// Unwinding by an image's own tables, as the x64 calling convention's documentation describes them.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::unwinding {

/// CONTEXT of x64: what a driver's filter may look at. Registers lie in the order of their numbers in unwind codes.
struct alignas(16) register_context {
    std::uint64_t home[6];
    std::uint32_t flags;
    std::uint32_t vector_control;
    std::uint16_t segments[6];
    std::uint32_t processor_flags;
    std::uint64_t debug[6];
    std::uint64_t registers[16];
    std::uint64_t rip;
    std::byte legacy[160];
    struct alignas(16) vector {
        std::uint64_t low, high;
    } vectors[16];
    std::byte rest[1232 - 0x2A0];
};
static_assert(offsetof(register_context, registers) == 0x78 && offsetof(register_context, rip) == 0xF8 &&
              offsetof(register_context, vectors) == 0x1A0 && sizeof(register_context) == 1232);
inline constexpr std::size_t rsp = 4;

/// EXCEPTION_RECORD.
struct exception_record {
    std::uint32_t code;
    std::uint32_t flags;
    exception_record* next;
    void* address;
    std::uint32_t parameters;
    std::uint64_t information[15];
};
static_assert(sizeof(exception_record) == 152);

/// What unwinding one frame has found.
struct frame {
    image_function const* function = nullptr;  // nullptr: a function without a frame
    std::uint64_t pc = 0;                      // where control is in it
    std::uint64_t establisher = 0;
    std::uint32_t handler = 0;  // RVA of its language's handler, 0: none
    std::uint32_t data = 0;     // RVA of what the handler needs
    std::uint8_t wants = 0;     // bit 0: exceptions, bit 1: unwinding
};

class unwinder {
public:
    explicit unwinder(loaded_driver const& image) : image_(image) {}

    [[nodiscard]] bool holds(std::uint64_t pc) const { return image_.holds(at(pc)); }

    /// Undoes one frame.
    /// @return nothing: the tables make no sense, or control is not in the image
    [[nodiscard]] std::optional<frame> step(register_context& c) const {
        if (!holds(c.rip)) {
            return std::nullopt;
        }
        frame f;
        f.pc = c.rip;
        f.function = find(image_.rva_of(at(c.rip)));
        if (f.function == nullptr) {
            f.establisher = c.registers[rsp];
            return leave(c) ? std::optional(f) : std::nullopt;
        }
        image_function row = *f.function;
        bool first = true;
        for (std::uint32_t depth = 0; depth < 32; ++depth) {
            if (!undo(c, row, first, f)) {
                return std::nullopt;
            }
            std::byte const* const info = image_.base() + row.unwind;
            if ((std::to_integer<unsigned>(info[0]) >> 3 & 4) == 0) {
                return leave(c) ? std::optional(f) : std::nullopt;
            }
            std::memcpy(&row, info + tail(info), sizeof row);
            first = false;
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] static void const* at(std::uint64_t address) { return reinterpret_cast<void const*>(address); }

    [[nodiscard]] image_function const* find(std::uint32_t rva) const {
        auto const& all = image_.functions();
        auto const after = std::upper_bound(
            all.begin(), all.end(), rva, [](std::uint32_t value, image_function const& f) { return value < f.begin; });
        return after == all.begin() || rva >= std::prev(after)->end ? nullptr : &*std::prev(after);
    }
    /// Bytes of unwind information before what follows the codes.
    [[nodiscard]] static std::size_t tail(std::byte const* info) {
        return 4 + 2 * ((std::to_integer<std::size_t>(info[2]) + 1) & ~std::size_t{1});
    }
    /// The return address is taken off the stack.
    [[nodiscard]] static bool leave(register_context& c) {
        if (c.registers[rsp] % 8 != 0) {
            return false;
        }
        std::memcpy(&c.rip, at(c.registers[rsp]), 8);
        c.registers[rsp] += 8;
        return true;
    }

    [[nodiscard]] bool undo(register_context& c, image_function const& row, bool first, frame& f) const {
        std::byte const* const info = image_.base() + row.unwind;
        auto const byte = [info](std::size_t i) { return std::to_integer<unsigned>(info[i]); };
        if ((byte(0) & 7) != 1 && (byte(0) & 7) != 2) {
            return false;
        }
        std::uint32_t const into = image_.rva_of(at(f.pc)) - row.begin;
        bool const in_prologue = first && into < byte(1);
        unsigned const frame_register = byte(3) & 15;
        if (first) {
            f.establisher = frame_register != 0 && !in_prologue ? c.registers[frame_register] - 16 * (byte(3) >> 4)
                                                                : c.registers[rsp];
            f.wants = static_cast<std::uint8_t>(in_prologue ? 0 : byte(0) >> 3 & 3);
            if (f.wants != 0) {
                std::memcpy(&f.handler, info + tail(info), 4);
                f.data = row.unwind + static_cast<std::uint32_t>(tail(info)) + 4;
            }
        }
        for (std::size_t i = 0; i < byte(2);) {
            std::size_t const slots = undo_code(c, info, i, in_prologue && byte(4 + 2 * i) > into);
            if (slots == 0) {
                return false;
            }
            i += slots;
        }
        return true;
    }

    /// One unwind code. @return how many slots it takes; 0: it is none
    [[nodiscard]] static std::size_t undo_code(register_context& c, std::byte const* info, std::size_t i, bool later) {
        unsigned const code = std::to_integer<unsigned>(info[5 + 2 * i]);
        unsigned const value = code >> 4;
        auto const slot = [&](std::size_t k) {
            std::uint16_t word = 0;
            std::memcpy(&word, info + 4 + 2 * (i + k), 2);
            return std::uint32_t{word};
        };
        auto const wide = [&] { return slot(1) | slot(2) << 16; };
        std::uint64_t& sp = c.registers[rsp];
        switch (code & 15) {
            case 0:  // a register was pushed
                if (!later) {
                    std::memcpy(&c.registers[value], at(sp), 8);
                    sp += 8;
                }
                return 1;
            case 1: sp += later ? 0 : value == 0 ? std::uint64_t{slot(1)} * 8 : wide(); return value == 0 ? 2 : 3;
            case 2: sp += later ? 0 : value * 8 + 8; return 1;
            case 3: {
                unsigned const by = std::to_integer<unsigned>(info[3]);
                sp = later ? sp : c.registers[by & 15] - 16 * (by >> 4);
                return 1;
            }
            case 4:
            case 5: {
                std::uint64_t const offset = (code & 15) == 4 ? std::uint64_t{slot(1)} * 8 : wide();
                if (!later) {
                    std::memcpy(&c.registers[value], at(sp + offset), 8);
                }
                return (code & 15) == 4 ? 2 : 3;
            }
            case 6: return 2;  // where epilogues are, of version 2
            case 8:
            case 9: {
                std::uint64_t const offset = (code & 15) == 8 ? std::uint64_t{slot(1)} * 16 : wide();
                if (!later) {
                    std::memcpy(&c.vectors[value], at(sp + offset), 16);
                }
                return (code & 15) == 8 ? 2 : 3;
            }
            default: return 0;  // a machine frame is not in a driver's function
        }
    }

    loaded_driver const& image_;
};

}  // namespace wddmcore::testing::kernel_parts::unwinding

#endif

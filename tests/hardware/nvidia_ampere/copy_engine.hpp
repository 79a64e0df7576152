// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "host_methods.hpp"
#include <wddmcore/testing/walking_bus.hpp>

#include <wddmcore/testing/piece_list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where the targets of the copy engine's addresses lie on the bus.
struct copy_engine_targets {
    std::optional<std::uint64_t> video;   ///< bus address of video memory's first byte; none: no physical video memory
    std::optional<std::uint64_t> system;  ///< bus address of system address 0; none: no physical system memory
    walking_bus::walker walk;             ///< translates virtual addresses; none: they are bus addresses
};

/// Decoder and executor of the copy engine of class C7B5, written from the vendor's public class headers alone.
///
/// It keeps methods as the hardware does, but only for one window, since other work may run between two (PGB-07): a
/// launch that reads a method which the window has not set is refused. Also refused is what is only a mistake here:
/// pipelined launches, launches without flush, more than one line, overlapping copies, semaphores beside a transfer.
/// Methods below 0x100 are the host's, whatever the subchannel.
class nvidia_copy_engine final : public engine {
public:
    explicit nvidia_copy_engine(copy_engine_targets targets) : targets_(std::move(targets)) {}

    /// The host in front of the engine.
    [[nodiscard]] nvidia_host& host() { return host_; }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        methods_.clear();
        host_.begin();
        for (std::size_t at = 0; at < dwords;) {
            std::uint32_t const header = commands[at];
            std::uint32_t const operation = header >> 29;
            std::uint32_t const count = header >> 16 & 0x1FFF;
            std::uint32_t const method = (header & 0xFFF) * 4;
            std::string why;
            std::size_t length = 1;
            if ((header >> 13 & 7) != 4 && method >= 0x100) {
                why = "header " + pieces::hex(header) + " is for subchannel " + std::to_string(header >> 13 & 7) +
                      ", where no copy engine is bound";
            } else if ((header & 0x1000) != 0) {
                why = "header " + pieces::hex(header) + " sets reserved bit 12";
            } else if (operation == 4) {
                why = set(method, count, bus, done);
            } else if (operation != 1 && !(operation == 3 && method == nop)) {
                why = "header " + pieces::hex(header) + " has operation " + std::to_string(operation);
            } else if (count == 0 || count >= dwords - at) {
                why = "header " + pieces::hex(header) + " wants " + std::to_string(count) + " dwords, but " +
                      std::to_string(dwords - at - 1) + " follow";
            } else {
                for (std::uint32_t i = 0; i != count && why.empty(); ++i) {
                    why = set(operation == 3 ? method : method + 4 * i, commands[at + 1 + i], bus, done);
                }
                length += count;
            }
            if (!why.empty()) {
                done.ok = false;
                done.dword = at;
                done.why = std::move(why);
                return done;
            }
            at += length;
        }
        return done;
    }

private:
    enum : std::uint32_t {
        nop = 0x100,
        semaphore_upper = 0x240,
        semaphore_lower = 0x244,
        semaphore_payload = 0x248,
        semaphore_payload_upper = 0x24C,
        source_mode = 0x260,
        target_mode = 0x264,
        launch_dma = 0x300,
        in_upper = 0x400,
        in_lower = 0x404,
        out_upper = 0x408,
        out_lower = 0x40C,
        line_length = 0x418,
        line_count = 0x41C,
        constant_a = 0x700,
        constant_b = 0x704,
        components = 0x708,
    };

    /// The bits that a method's value may have; none for a method that this decoder does not know.
    [[nodiscard]] static std::optional<std::uint32_t> value_bits(std::uint32_t method) {
        switch (method) {
            case source_mode:
            case target_mode: return 3u;
            case semaphore_upper:
            case in_upper:
            case out_upper: return 0x1FFFFu;
            case components: return 0x0333'7777u;
            case nop:
            case launch_dma:
            case semaphore_lower:
            case semaphore_payload:
            case semaphore_payload_upper:
            case in_lower:
            case out_lower:
            case line_length:
            case line_count:
            case constant_a:
            case constant_b: return ~0u;
            default: return std::nullopt;
        }
    }

    [[nodiscard]] std::string set(std::uint32_t method, std::uint32_t value, gpu_bus& bus, execution& done) {
        if (method < nop) {
            std::string why = host_.set(method, value, [&](std::uint64_t to, std::uint64_t payload, std::size_t size) {
                return release(to, payload, size, bus);
            });
            done.commands += why.empty() && method == nvidia_host::memory_operation_d;
            return why;
        }
        std::optional<std::uint32_t> const bits = value_bits(method);
        if (!bits) {
            return "method " + pieces::hex(method) + " is not one of these";
        }
        if ((value & ~*bits) != 0) {
            return "method " + pieces::hex(method) + " gets reserved bits " + pieces::hex(value & ~*bits);
        }
        if (method == launch_dma) {
            std::string why = launch(value, bus, done);
            done.commands += why.empty();
            return why;
        }
        if (method != nop) {
            methods_[method] = value;
        }
        return {};
    }

    /// The value of a method that this window has set.
    [[nodiscard]] std::uint32_t value(std::uint32_t method, std::string& why) const {
        auto const found = methods_.find(method);
        if (found == methods_.end()) {
            why = !why.empty() ? why
                               : "LAUNCH_DMA reads method " + pieces::hex(method) + ", which this window has not set";
            return 0;
        }
        return found->second;
    }

    /// Stores a semaphore's payload at a virtual address.
    [[nodiscard]] std::string release(std::uint64_t to, std::uint64_t payload, std::size_t size, gpu_bus& bus) const {
        std::string const what = "a release of " + std::to_string(size) + " bytes at virtual " + pieces::hex(to);
        if (to % size != 0) {
            return what + ", which is not aligned to them";
        }
        if (!targets_.walk) {
            return bus.write(to, &payload, size) ? "" : what + ", which are not all backed";
        }
        walking_bus pages(bus, targets_.walk, true);
        return pages.write(to, &payload, size) ? "" : what + ": " + pages.why();
    }

    /// A launch that moves nothing: a semaphore behind all that the engine did, and perhaps an interrupt.
    [[nodiscard]] std::string signal(std::uint32_t word, gpu_bus& bus, execution& done) {
        std::uint32_t const interrupt = word >> 5 & 3;
        if ((word >> 2 & 1) == 0 || (word >> 3 & 3) != 1 || interrupt == 3) {
            return "LAUNCH_DMA without a transfer has neither flush nor a semaphore of one word: " + pieces::hex(word);
        }
        if (std::uint32_t const rest = word & ~0x0800'006Cu; rest != 0) {
            return "LAUNCH_DMA without a transfer sets bits " + pieces::hex(rest);
        }
        bool const wide = (word >> 27 & 1) != 0;
        std::string why;
        std::uint64_t const to = std::uint64_t{value(semaphore_upper, why)} << 32 | value(semaphore_lower, why);
        std::uint64_t const payload =
            value(semaphore_payload, why) | (wide ? std::uint64_t{value(semaphore_payload_upper, why)} << 32 : 0);
        if (why.empty()) {
            why = release(to, payload, wide ? 8 : 4, bus);
        }
        done.interrupts += why.empty() && interrupt != 0;
        return why;
    }

    [[nodiscard]] std::string launch(std::uint32_t word, gpu_bus& bus, execution& done) {
        if ((word & 3) == 0) {
            return signal(word, bus, done);
        }
        if ((word & 3) != 2) {
            return "LAUNCH_DMA has transfer type " + std::to_string(word & 3) +
                   ": only a non-pipelined one waits for what it may depend on";
        }
        if ((word >> 2 & 1) == 0) {
            return "LAUNCH_DMA does not flush";
        }
        bool const remap = (word >> 10 & 1) != 0;
        if ((word >> 7 & 3) != 3) {
            return "LAUNCH_DMA has a side that is not pitch-linear";
        }
        if (std::uint32_t const rest = word & ~0x3587u; rest != 0) {
            return "LAUNCH_DMA sets bits " + pieces::hex(rest) + ", which have no use here";
        }
        std::string why;
        if (std::uint32_t const lines = value(line_count, why); why.empty() && lines != 1) {
            return "LAUNCH_DMA has " + std::to_string(lines) + " lines but no multi-line bit";
        }
        std::uint64_t const length = value(line_length, why);
        if (why.empty() && length == 0) {
            return "LAUNCH_DMA moves nothing";
        }
        if (!why.empty()) {
            return why;
        }
        bool const from_physical = (word >> 12 & 1) != 0;
        bool const to_physical = (word >> 13 & 1) != 0;
        return remap ? fill(length, to_physical, bus, done) : copy(length, from_physical, to_physical, bus, done);
    }

    /// Gathers one side.
    [[nodiscard]] std::string side(bool physical, bool writes, std::uint64_t size, gpu_bus& bus,
                                   pieces::piece_list& list) {
        std::string why;
        std::uint64_t const address =
            std::uint64_t{value(writes ? out_upper : in_upper, why)} << 32 | value(writes ? out_lower : in_lower, why);
        std::uint32_t const target = physical ? value(writes ? target_mode : source_mode, why) : 0;
        if (!why.empty()) {
            return why;
        }
        std::string const what = std::string(writes ? "writes " : "reads ") + std::to_string(size) + " bytes at " +
                                 (physical ? "physical target " + std::to_string(target) + " " : "virtual ") +
                                 pieces::hex(address);
        if (!physical && !targets_.walk) {
            return list.gather(bus, address, size) ? "" : "LAUNCH_DMA " + what + ", which are not all backed";
        }
        if (!physical) {
            walking_bus pages(bus, targets_.walk, writes);
            return list.gather(pages, address, size) ? "" : "LAUNCH_DMA " + what + ": " + pages.why();
        }
        std::optional<std::uint64_t> const zero = target == 0 ? targets_.video : targets_.system;
        if (target == 3 || !zero) {
            return "LAUNCH_DMA " + what + ", but there is no such target";
        }
        distant_bus from_zero(bus, *zero);
        return list.gather(from_zero, address, size) ? "" : "LAUNCH_DMA " + what + ", which are not all backed";
    }

    [[nodiscard]] std::string copy(std::uint64_t size, bool from_physical, bool to_physical, gpu_bus& bus,
                                   execution& done) {
        if (std::string why = side(from_physical, false, size, bus, source_); !why.empty()) {
            return why;
        }
        if (std::string why = side(to_physical, true, size, bus, target_); !why.empty()) {
            return why;
        }
        if (source_.shares_memory_with(target_)) {
            return "LAUNCH_DMA copies " + std::to_string(size) + " bytes over themselves";
        }
        target_.assign(source_);
        done.moved_bytes += size;
        return {};
    }

    /// A fill: each element is made of constants; nothing is read.
    [[nodiscard]] std::string fill(std::uint64_t elements, bool to_physical, gpu_bus& bus, execution& done) {
        std::string why;
        std::uint32_t const map = value(components, why);
        std::uint32_t const a = value(constant_a, why);
        std::uint32_t const b = value(constant_b, why);
        if (!why.empty()) {
            return why;
        }
        std::uint32_t const component_bytes = (map >> 16 & 3) + 1;
        std::uint32_t const count = (map >> 24 & 3) + 1;
        std::vector<std::byte> element;
        for (std::uint32_t i = 0; i != count; ++i) {
            std::uint32_t const source = map >> (4 * i) & 7;
            if (source != 4 && source != 5) {
                return "component " + std::to_string(i) + " of a fill comes from " + std::to_string(source) +
                       ", which is no constant";
            }
            std::uint32_t const constant = source == 4 ? a : b;
            for (std::uint32_t k = 0; k != component_bytes; ++k) {
                element.push_back(static_cast<std::byte>(constant >> (8 * k) & 0xFF));
            }
        }
        std::uint64_t const size = elements * element.size();
        if (std::string wrong = side(to_physical, true, size, bus, target_); !wrong.empty()) {
            return wrong;
        }
        if (element.size() == 4) {
            std::uint32_t pattern = 0;
            std::memcpy(&pattern, element.data(), sizeof pattern);
            target_.fill(pattern);
        } else {
            std::vector<std::byte> all(static_cast<std::size_t>(size));
            for (std::size_t i = 0; i != all.size(); ++i) {
                all[i] = element[i % element.size()];
            }
            target_.scatter(all);
        }
        done.moved_bytes += size;
        return {};
    }

    copy_engine_targets targets_;
    nvidia_host host_;
    std::map<std::uint32_t, std::uint32_t> methods_;
    pieces::piece_list source_;
    pieces::piece_list target_;
};

}  // namespace wddmcore::testing

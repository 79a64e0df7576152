// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sdma_control_packets.hpp"
#include "sdma_memory_packets.hpp"
#include "sdma_words.hpp"

#include <wddmcore/testing/walking_bus.hpp>

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Independent decoder and executor of AMD SDMA version 5 (gfx10) command streams.
///
/// It is stricter than the hardware on purpose: what the hardware ignores, leaves undefined or waits for ever on is
/// refused, because in a stream of this library it can only be an encoder's mistake.
///
/// Unverified: the place of NOP's count, bits [29:16]. A stream that pads with plain NOP words does not depend on it.
class amd_sdma_engine final : public engine {
public:
    /// Takes a register write (dword index, value); false when there is no such register.
    using register_writer = sdma::register_writer;

    /// An engine without registers: SRBM_WRITE is refused.
    amd_sdma_engine() = default;
    explicit amd_sdma_engine(register_writer registers, sdma::register_reader read = {})
        : registers_(std::move(registers)), read_register_(std::move(read)) {}

    /// Makes addresses virtual: they are translated by `walk`, and what is written needs a page that may be written.
    void translate_by(walking_bus::walker walk) { walk_ = std::move(walk); }

    /// Makes it the engine of a chip, or of a driver's policy, whose copies and fills are shorter than their counts can be.
    void take_at_most(std::uint64_t bytes) { most_ = bytes; }

    /// How often all caches were written back and emptied.
    [[nodiscard]] std::uint64_t cache_requests() const { return cache_requests_; }

    /// Executes a window in order; one that is not whole groups of 8 dwords is refused, at its end, before it starts.
    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution done;
        if (dwords % 8 != 0) {
            done.ok = false;
            done.dword = dwords;
            done.why =
                "the window has " + std::to_string(dwords) + " dwords and is not padded to a multiple of 8 dwords";
            return done;
        }
        for (std::size_t at = 0; at < dwords;) {
            sdma::words const packet(commands + at, dwords - at);
            sdma::verdict next = execute_through(packet, bus, done);
            if (next.length == 0) {
                done.ok = false;
                done.dword = at;
                done.why = std::move(next.why);
                return done;
            }
            if (sdma::field(packet[0], 7, 0) != 0) {
                ++done.commands;
            }
            at += next.length;
        }
        return done;
    }

private:
    [[nodiscard]] sdma::verdict execute_through(sdma::words packet, gpu_bus& bus, execution& done) {
        if (!walk_) {
            return execute_packet(packet, bus, bus, done);
        }
        walking_bus readable(bus, walk_, false);
        walking_bus writable(bus, walk_, true);
        sdma::verdict next = execute_packet(packet, readable, writable, done);
        for (walking_bus const* side : {&readable, &writable}) {
            next.why += next.length == 0 && !side->why().empty() ? ": " + side->why() : "";
        }
        return next;
    }

    [[nodiscard]] sdma::verdict execute_packet(sdma::words packet, gpu_bus& readable, gpu_bus& bus, execution& done) {
        // Every packet that is executed here is the one with sub-opcode 0.
        switch (sdma::field(packet[0], 15, 0)) {
            case 0: return sdma::nop(packet);
            case 1:
                if (packet.size() > 1 && packet[1] >= most_) {
                    return sdma::refuse("a copy of more than " + std::to_string(most_) + " bytes");
                }
                return sdma::copy_linear(packet, readable, bus, lists_, done);
            case 2: return sdma::write_linear(packet, bus);
            case 5: return sdma::fence(packet, bus);
            case 6: return sdma::trap(packet, done);
            case 8: return sdma::poll(packet, readable, read_register_);
            case 11:
                if (packet.size() > 4 && packet[4] >= most_) {
                    return sdma::refuse("a fill of more than " + std::to_string(most_) + " bytes");
                }
                return sdma::const_fill(packet, bus, lists_, done);
            case 12: return sdma::generate_entries(packet, bus);
            case 14: return sdma::write_register(packet, registers_);
            case 17: {
                sdma::verdict const request = sdma::cache_request(packet);
                cache_requests_ += request.length != 0;
                return request;
            }
            default: break;
        }
        return sdma::refuse(sdma::opcode_name(sdma::field(packet[0], 7, 0)) + " with sub-opcode " +
                            std::to_string(sdma::field(packet[0], 15, 8)) + " is not a packet of this engine");
    }

    walking_bus::walker walk_;
    register_writer registers_;
    sdma::register_reader read_register_;
    std::uint64_t cache_requests_ = 0;
    std::uint64_t most_ = ~std::uint64_t{0};  // the packets' own limit holds beside it
    sdma::scratch_lists lists_;
};

}  // namespace wddmcore::testing

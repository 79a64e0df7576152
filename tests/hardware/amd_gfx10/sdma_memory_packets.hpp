// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sdma_bulk.hpp"
#include "sdma_words.hpp"

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The packets that move, fill and write memory; each is checked whole before its first byte is written.
namespace wddmcore::inline WDDMCORE_ABI::testing::sdma {

/// Lists kept between packets, so that a stream of copies does not allocate.
struct scratch_lists {
    memory_pieces source;
    memory_pieces target;
    memory_pieces sorted_source;
    memory_pieces sorted_target;
};

[[nodiscard]] inline verdict copy_linear(words packet, gpu_bus& source, gpu_bus& target, scratch_lists& scratch,
                                         execution& done) {
    constexpr char const* name = "COPY LINEAR";
    if (packet.size() < 7) {
        return truncated(name, 7, packet.size());
    }
    constexpr std::uint32_t modes = mask(16, 16) | mask(18, 18) | mask(27, 27);
    if ((packet[0] & modes) != 0) {
        return refuse("COPY LINEAR asks for encryption, protected memory or broadcast");
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 16)) {
        return reserved(name, 0, extra);
    }
    if ((packet[1] & ~mask(21, 0)) != 0) {
        return refuse("COPY LINEAR moves at most 0x400000 bytes and its count has 22 bits, not " + hex(packet[1]));
    }
    if ((packet[2] & (mask(17, 16) | mask(25, 24))) != 0) {
        return refuse("COPY LINEAR asks to swap bytes");
    }
    if (packet[2] != 0) {
        return reserved(name, 2, packet[2]);
    }
    std::uint64_t const size = std::uint64_t{packet[1]} + 1;
    std::uint64_t const from = join(packet[3], packet[4]);
    std::uint64_t const to = join(packet[5], packet[6]);
    if (ranges_overlap(from, to, size)) {
        return refuse("COPY LINEAR of " + std::to_string(size) + " bytes from " + hex(from) + " to " + hex(to) +
                      " overlaps itself");
    }
    if (!gather(source, from, size, scratch.source)) {
        return unbacked(name, "reads", from, size);
    }
    if (!gather(target, to, size, scratch.target)) {
        return unbacked(name, "writes", to, size);
    }
    scratch.sorted_source = scratch.source;
    scratch.sorted_target = scratch.target;
    if (share_memory(scratch.sorted_source, scratch.sorted_target)) {
        return refuse("COPY LINEAR of " + std::to_string(size) + " bytes from " + hex(from) + " to " + hex(to) +
                      " reaches the same memory through both addresses");
    }
    move_bytes(scratch.source, scratch.target);
    done.moved_bytes += size;
    return {7, {}};
}

[[nodiscard]] inline verdict write_linear(words packet, gpu_bus& bus) {
    constexpr char const* name = "WRITE LINEAR";
    if (packet.size() < 4) {
        return truncated(name, 4, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 16)) {
        return reserved(name, 0, extra);
    }
    if ((packet[3] & mask(25, 24)) != 0) {
        return refuse("WRITE LINEAR asks to swap bytes");
    }
    if (std::uint32_t const extra = packet[3] & ~mask(19, 0)) {
        return reserved(name, 3, extra);
    }
    std::size_t const count = std::size_t{packet[3]} + 1;
    if (packet.size() < 4 + count) {
        return truncated(name, 4 + count, packet.size());
    }
    std::uint64_t const to = join(packet[1], packet[2]);
    if (to % 4 != 0) {
        return misaligned(name, 4, to);
    }
    std::size_t const size = count * sizeof packet[4];
    if (wraps(to, size) || !bus.write(to, &packet[4], size)) {
        return unbacked(name, "writes", to, size);
    }
    return {4 + count, {}};
}

[[nodiscard]] inline verdict const_fill(words packet, gpu_bus& bus, scratch_lists& scratch, execution& done) {
    constexpr char const* name = "CONST_FILL";
    if (packet.size() < 5) {
        return truncated(name, 5, packet.size());
    }
    if ((packet[0] & mask(17, 16)) != 0) {
        return refuse("CONST_FILL asks to swap bytes");
    }
    if (std::uint32_t const extra = packet[0] & mask(29, 18)) {
        return reserved(name, 0, extra);
    }
    std::uint32_t const fill_size = field(packet[0], 31, 30);
    if (fill_size != 0 && fill_size != 2) {
        return refuse("CONST_FILL knows fill sizes 0 (byte) and 2 (dword), not " + std::to_string(fill_size));
    }
    if ((packet[4] & ~mask(21, 0)) != 0) {
        return refuse("CONST_FILL writes at most 0x400000 bytes and its count has 22 bits, not " + hex(packet[4]));
    }
    std::uint64_t const to = join(packet[1], packet[2]);
    bool const whole_dwords = fill_size == 2;
    if (whole_dwords && to % 4 != 0) {
        return misaligned(name, 4, to);
    }
    std::uint64_t const size = std::uint64_t{whole_dwords ? packet[4] | 3 : packet[4]} + 1;
    if (!gather(bus, to, size, scratch.target)) {
        return unbacked(name, "writes", to, size);
    }
    fill_bytes(scratch.target, whole_dwords ? packet[3] : field(packet[3], 7, 0) * 0x01010101u);
    done.moved_bytes += size;
    return {5, {}};
}

[[nodiscard]] inline verdict generate_entries(words packet, gpu_bus& bus) {
    constexpr char const* name = "PTEPDE GEN";
    constexpr std::uint64_t address_field = 0x0000'ffff'ffff'f000;
    if (packet.size() < 10) {
        return truncated(name, 10, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 16)) {
        return reserved(name, 0, extra);
    }
    if (packet[8] != 0) {
        return reserved(name, 8, packet[8]);
    }
    if (std::uint32_t const extra = packet[9] & ~mask(18, 0)) {
        return reserved(name, 9, extra);
    }
    std::uint64_t const to = join(packet[1], packet[2]);
    std::uint64_t const flags = join(packet[3], packet[4]);
    std::uint64_t const address = join(packet[5], packet[6]);
    std::uint64_t const step = packet[7];
    std::uint64_t const last = packet[9];
    if (to % 8 != 0) {
        return misaligned(name, 8, to);
    }
    // With the two kept apart it does not matter whether the engine adds flags and address or merges them.
    if ((flags & address_field) != 0) {
        return refuse("PTEPDE GEN has flags " + hex(flags) + " inside the address bits [47:12]");
    }
    // No term can carry out of 64 bits once the first address is known to fit its field.
    if ((address & ~address_field) != 0 || ((address + last * step) & ~address_field) != 0 ||
        (last != 0 && step % 4096 != 0)) {
        return refuse("PTEPDE GEN of " + std::to_string(last + 1) + " entries from address " + hex(address) + " by " +
                      hex(step) + " leaves the address bits [47:12]");
    }
    std::vector<std::uint64_t> entries(static_cast<std::size_t>(last) + 1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i] = (address + i * step) | flags;
    }
    std::size_t const size = entries.size() * sizeof entries[0];
    if (wraps(to, size) || !bus.write(to, entries.data(), size)) {
        return unbacked(name, "writes", to, size);
    }
    return {10, {}};
}

}  // namespace wddmcore::testing::sdma

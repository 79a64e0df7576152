// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../host_buffers.hpp"
#include "twin.hpp"

#include <algorithm>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What the engines of a link read of buffers that are broadcast: from the first patch of a portion to the last
/// completion of its packets the bytes stay as they were (LDA-05).
class broadcasts {
public:
    broadcasts(world& w, host_buffers const& bytes) : w_(w), bytes_(bytes) {}

    /// The driver has patched a packet: the first time says what every engine reads.
    void patched(packet const& p) {
        if (!p.twin || p.start == p.end) {
            return;
        }
        auto const [at, is_first] = portions_.try_emplace(p.buffer + p.start);
        if (is_first) {
            at->second.buffer = p.buffer;
            at->second.packet = p.number;
            at->second.start = p.start;
            auto const now = here(at->second, p.end - p.start);
            at->second.bytes.assign(now.begin(), now.end());
            return;
        }
        compare();
        if (at->second.packet != p.number) {
            w_.held(rule::lda_05);
        }
    }

    /// Compares what the engines still read with what was patched first.
    void compare() {
        for (auto& [address, read] : portions_) {
            auto const now = here(read, read.bytes.size());
            auto const first = std::mismatch(now.begin(), now.end(), read.bytes.begin()).first - now.begin();
            if (!is_read(read) || static_cast<std::size_t>(first) == now.size()) {
                continue;
            }
            read.bytes.assign(now.begin(), now.end());  // said once
            w_.broken(rule::lda_05,
                      "byte " + std::to_string(read.start + static_cast<std::size_t>(first)) +
                          " of a DMA buffer that is broadcast to both adapters of the link was modified after its "
                          "first patch",
                      w_.os_of(w_.context_of(w_.packets[read.packet])));
        }
    }

    /// Forgets the portions of buffers that are not lent any more.
    void forget_over() {
        std::erase_if(portions_, [this](auto const& p) { return bytes_.find(p.second.buffer).empty(); });
    }

private:
    struct portion {
        std::uint64_t buffer = 0;  // its address
        std::uint32_t packet = 0;  // the one that was patched first
        std::uint32_t start = 0;
        std::vector<std::byte> bytes;
    };

    [[nodiscard]] std::span<std::byte const> here(portion const& p, std::size_t bytes) const {
        return bytes_.find(p.buffer).subspan(p.start, bytes);
    }
    // Whether an engine will read it, now or when its packet comes back.
    [[nodiscard]] bool is_read(portion const& p) const {
        auto const goes_on = [this](std::uint32_t number) {
            packet::stage const now = w_.packets[number].now;
            return now == packet::stage::queued || now == packet::stage::in_flight;
        };
        return goes_on(p.packet) || goes_on(*w_.packets[p.packet].twin);
    }

    world& w_;
    host_buffers const& bytes_;
    std::map<std::uint64_t, portion> portions_;  // by the address of the first byte
};

}  // namespace wddmcore::testing::scheduler::parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The bytes of DMA buffers as the driver sees them in DxgkDdiPatch and DxgkDdiCancelCommand. They are the same for all
/// portions of a buffer, for each engine that reads it and whenever a packet comes back, until all its packets are
/// over. To the simulator they are junk: it keeps the commands elsewhere.
class host_buffers {
public:
    explicit host_buffers(world& w) : w_(w) {}
    ~host_buffers() {
        while (!lent_.empty()) {
            forget(lent_.begin()->first);
        }
    }
    host_buffers(host_buffers const&) = delete;
    host_buffers& operator=(host_buffers const&) = delete;

    /// The buffer of a packet, from its first byte on; lent now if it was not yet.
    [[nodiscard]] std::span<std::byte> of(packet const& p) {
        auto const [at, is_new] = lent_.try_emplace(p.buffer);
        if (is_new) {
            // Whole pages: a driver that asks for the physical address of one gets that of this buffer alone.
            at->second.pages.reset(new (page) std::byte[(std::size_t{p.buffer_size} / 4096 + 1) * 4096]{});
            at->second.size = p.buffer_size;
            at->second.packet = p.number;
            tell(at->second, p.buffer - w_.opt.buffers_base());
        }
        return at->second.all();
    }

    /// The same if it is lent.
    [[nodiscard]] std::span<std::byte const> find(std::uint64_t address) const {
        auto const found = lent_.find(address);
        return found == lent_.end() ? std::span<std::byte const>{} : found->second.all();
    }

    /// Forgets the buffers whose packets are all over.
    void forget_over() {
        for (auto at = lent_.begin(); at != lent_.end();) {
            auto const here = at++;
            if (is_over(here->first, here->second)) {
                forget(here->first);
            }
        }
    }

    /// The buffer at an address is over, because another one is about to be there.
    void forget(std::uint64_t address) {
        auto const found = lent_.find(address);
        if (found != lent_.end()) {
            tell(found->second, std::nullopt);
            lent_.erase(found);
        }
    }

private:
    static constexpr std::align_val_t page{4096};
    struct page_delete {
        void operator()(std::byte* pages) const { ::operator delete[](pages, page); }
    };
    struct loan {
        std::unique_ptr<std::byte[], page_delete> pages;
        std::size_t size = 0;
        std::uint32_t packet = 0;  // one of those that are in it
        [[nodiscard]] std::span<std::byte> all() const { return {pages.get(), size}; }
    };

    // The packets of a buffer have numbers that follow each other.
    [[nodiscard]] bool is_over(std::uint64_t address, loan const& l) const {
        auto const goes_on = [&](std::size_t i) {
            return w_.packets[i].now == packet::stage::queued || w_.packets[i].now == packet::stage::in_flight;
        };
        std::size_t first = l.packet;
        while (first != 0 && w_.packets[first - 1].buffer == address) {
            --first;
        }
        for (std::size_t i = first; i != w_.packets.size() && w_.packets[i].buffer == address; ++i) {
            if (goes_on(i)) {
                return false;
            }
        }
        return true;
    }

    void tell(loan const& l, std::optional<std::uint64_t> address) const {
        if (w_.opt.on_dma_buffer) {
            w_.opt.on_dma_buffer(l.all(), address);
        }
    }

    world& w_;
    std::map<std::uint64_t, loan> lent_;  // by the address where the GPU finds the buffer
};

}  // namespace wddmcore::testing::scheduler::parts

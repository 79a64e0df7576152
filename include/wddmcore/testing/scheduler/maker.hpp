// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "calls/ddi.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// What a new packet is to be.
struct packet_order {
    std::uint32_t commands = 1;  ///< 0: zero length
    bool null_rendering = false;
    bool invalid = false;                      ///< the driver is to refuse it; virtual submission only (PRE-30)
    bool null_handle = false;                  ///< a paging packet without its context
    std::optional<std::uint32_t> waits_for{};  ///< number of the packet that has to finish first
    std::uint32_t wait_at = 0;                 ///< the command that waits
    /// A command that fails: it hangs, or faults in one of three ways.
    parts::command::kind trouble = parts::command::kind::work;
    std::uint32_t trouble_at = 0;
};

namespace parts {

/// Makes contexts, DMA buffers and packets.
class maker {
public:
    maker(world& w, ddi& calls) : w_(w), ddi_(calls), next_buffer_(0x1'0000'0000U + w.opt.buffers_base()) {}

    /// A new context; returns its index.
    std::uint32_t create_context(std::uint32_t node, std::uint32_t engine, bool system = false) {
        context c;
        c.index = static_cast<std::uint32_t>(w_.contexts.size());
        c.node = node;
        c.engine = engine;
        c.system = system;
        c.area = 0x4000'0000U + (free_areas_.empty() ? std::uint64_t{c.index} : free_areas_.back()) * 0x1000U;
        if (!free_areas_.empty()) {
            free_areas_.pop_back();
        }
        w_.areas[c.area].resident = false;
        w_.contexts.push_back(c);
        ddi_.create(w_.contexts.back());
        return c.index;
    }

    /// A new buffer of the context with its packets at the end of the context's queue: one for each order.
    /// @return number of the first packet
    std::uint32_t create_packets(std::uint32_t owner, std::vector<packet_order> const& orders) {
        context& c = w_.contexts[owner];
        auto const first = static_cast<std::uint32_t>(w_.packets.size());
        std::uint32_t size = 0;
        for (packet_order const& o : orders) {
            size += o.commands * step_bytes;
        }
        std::uint64_t const address = buffer_for(size);
        ddi_.forget_buffer(address);
        std::vector<command>& commands = w_.memory[address];
        commands.clear();
        std::uint32_t at = 0;
        for (packet_order const& o : orders) {
            packet p;
            p.number = static_cast<std::uint32_t>(w_.packets.size());
            p.context = owner;
            p.is = c.system ? packet::kind::paging : packet::kind::render;
            p.paging = c.system;
            p.null_rendering = o.null_rendering;
            p.invalid = o.invalid;
            p.null_handle = o.null_handle;
            p.buffer = address;
            p.buffer_size = size;
            p.start = at;
            p.end = at + o.commands * step_bytes;
            p.commands = o.commands;
            p.waits_for = o.waits_for;
            for (std::uint32_t i = 0; i < o.commands; ++i) {
                commands.push_back(command_of(o, p.number, i));
            }
            at = p.end;
            add(c, p);
        }
        return first;
    }

    /// The same for a buffer that is broadcast in a link: each portion is a packet of two contexts, one on each adapter
    /// (LDA-05).
    /// @param owner  context on one of them
    /// @param other  context on the other one
    /// @return number of the first packet; after all of the first context's come the other's
    std::uint32_t create_broadcast(std::uint32_t owner, std::uint32_t other, std::vector<packet_order> const& orders) {
        std::uint32_t const first = create_packets(owner, orders);
        auto const count = static_cast<std::uint32_t>(orders.size());
        for (std::uint32_t i = first; i != first + count; ++i) {
            packet p = w_.packets[i];
            p.number = i + count;
            p.context = other;
            p.twin = i;
            w_.packets[i].twin = p.number;
            add(w_.contexts[other], p);
        }
        return first;
    }

    /// A zero-length packet that leaves the context for the null context (CTX-01, CTX-02).
    std::uint32_t create_switch(std::uint32_t owner) {
        context& c = w_.contexts[owner];
        packet p;
        p.number = static_cast<std::uint32_t>(w_.packets.size());
        p.context = owner;
        p.is = packet::kind::context_switch;
        p.paging = c.system;
        p.buffer = buffer_for(0);
        add(c, p);
        return p.number;
    }

    /// The context allocation of a destroyed context may be given to another.
    void reuse_area(context const& c) { free_areas_.push_back((c.area - 0x4000'0000U) / 0x1000U); }

    /// The buffer of a cancelled packet that was half run is the next one to be used again.
    void reuse_first(packet const& p) { cancelled_buffer_ = p.half ? p.buffer : cancelled_buffer_; }

private:
    [[nodiscard]] static command command_of(packet_order const& o, std::uint32_t number, std::uint32_t i) {
        command c;
        c.packet = number;
        c.index = i;
        if (o.waits_for && o.wait_at == i) {
            c.does = command::kind::wait;
            c.awaited = *o.waits_for;
        }
        if (o.trouble != command::kind::work && o.trouble_at == i) {
            c.does = o.trouble;
        }
        return c;
    }

    void add(context& c, packet const& p) {
        w_.windows[p.buffer + p.start] = p.number;
        w_.packets.push_back(p);
        c.queue.push_back(p.number);
        c.all.push_back(p.number);
        ++w_.out.count.packets;
    }

    // Addresses are used again when all packets of a buffer are over, those of a cancelled packet first: if the driver
    // kept that packet's state, it now matches a new packet.
    [[nodiscard]] std::uint64_t buffer_for(std::uint32_t size) {
        auto const last = w_.memory.find(cancelled_buffer_);
        if (last != w_.memory.end() && last->second.size() * step_bytes == size && is_free(last->first, last->second)) {
            return last->first;
        }
        for (auto& [address, commands] : w_.memory) {
            if (commands.size() * step_bytes == size && size != 0 && is_free(address, commands)) {
                return address;
            }
        }
        next_buffer_ += 0x1'0000;
        return next_buffer_;
    }
    [[nodiscard]] bool is_free(std::uint64_t address, std::vector<command> const& commands) const {
        return address != 0 && !commands.empty() &&
               std::all_of(commands.begin(), commands.end(), [this](command const& c) {
                   packet const& p = w_.packets[c.packet];
                   return is_over(p) && (!p.twin || is_over(w_.packets[*p.twin]));
               });
    }
    [[nodiscard]] static bool is_over(packet const& p) {
        return p.now != packet::stage::queued && p.now != packet::stage::in_flight;
    }

    world& w_;
    ddi& ddi_;
    std::vector<std::uint64_t> free_areas_;
    std::uint64_t cancelled_buffer_ = 0;  // of the half-run packet that was cancelled last
    std::uint64_t next_buffer_;
};

}  // namespace parts

}  // namespace wddmcore::testing::scheduler

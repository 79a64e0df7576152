// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "run.hpp"

#include <packets/decode.hpp>

#include <wddmcore/ddi/ntstatus.hpp>

namespace wddmcore::examples::report {

namespace {

/// Long streams repeat themselves; so much of them is on the page.
constexpr std::size_t most_shown_dwords = 64;

[[nodiscard]] std::string in_words(packets::field const& f, std::uint64_t value) {
    switch (f.as) {
        case packets::reading::number: return std::to_string(value);
        case packets::reading::hex: return hex(value);
        case packets::reading::less_one: return std::to_string(value) + " + 1";
    }
    return {};
}

void write_field(json& out, packets::field const& f, std::uint64_t value) {
    out.text("name", f.name).number("high", f.high).number("low", f.low);
    out.text("value", in_words(f, value)).text("means", f.means);
}

[[nodiscard]] std::string status_in_words(std::int32_t value) {
    return value == status::success                            ? "STATUS_SUCCESS"
           : value == status::graphics_insufficient_dma_buffer ? "STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER"
           : value == status::graphics_allocation_busy         ? "STATUS_GRAPHICS_ALLOCATION_BUSY"
                                                               : hex(static_cast<std::uint32_t>(value), 8);
}

[[nodiscard]] std::string digits_of(std::vector<std::byte> const& bytes) {
    std::string text;
    for (std::byte const b : bytes) {
        text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
        text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
    }
    return text;
}

void write_packet(json& out, packets::found_packet const& p) {
    out.open('{');
    std::string name = p.what == nullptr ? "unknown" : p.what->name;
    std::string means = p.what == nullptr ? "No packet of this engine." : p.what->means;
    if (!p.methods.empty()) {
        bool const one = p.methods.front() == p.methods.back();
        name = one ? p.methods.front()->name : p.methods.front()->name + std::string(" to ") + p.methods.back()->name;
    }
    out.text("name", name).text("means", means).number("first", p.first).number("dwords", p.dwords);
    out.truth("command", p.commands != 0).number("unexplained", p.unexplained);
    out.key("fields").open('[');
    for (packets::found_field const& f : p.fields) {
        out.open('{').number("dword", f.dword).text("owner", f.owner == nullptr ? "" : f.owner->name);
        out.text("purpose", f.owner == nullptr ? "" : f.owner->means);
        write_field(out, *f.what, f.value);
        out.close('}');
    }
    out.close(']').close('}');
}

}  // namespace

void write_call(json& out, call const& c, packets::instruction_set const& set) {
    out.key("members").open('[');
    for (member const& m : c.members) {
        out.open('[').text(m.name).text(m.value).close(']');
    }
    out.close(']').text("status", status_in_words(c.status)).number("room", c.room);
    out.number("multipassBefore", c.multipass_before).number("multipassAfter", c.multipass_after);
    out.truth("executed", c.executed).number("commands", c.commands).number("interrupts", c.interrupts);
    std::vector<packets::found_packet> const packets = packets::decode(set, c.dwords);
    std::size_t shown = 0;
    std::size_t dwords = 0;
    while (shown != packets.size() && (dwords == 0 || dwords + packets[shown].dwords <= most_shown_dwords)) {
        dwords += packets[shown++].dwords;
    }
    out.number("dwordCount", c.dwords.size()).number("packetCount", packets.size());
    out.key("dwords").open('[');
    for (std::size_t i = 0; i != dwords; ++i) {
        out.text(hex(c.dwords[i], 8));
    }
    out.close(']').key("packets").open('[');
    for (std::size_t i = 0; i != shown; ++i) {
        write_packet(out, packets[i]);
    }
    out.close(']').key("memory").open('[');
    for (touched_bytes const& t : c.memory) {
        out.open('{').text("place", t.place).number("size", t.size).truth("changed", t.changed());
        out.text("before", digits_of(t.before)).text("after", digits_of(t.after)).close('}');
    }
    out.close(']').key("knowledge").open('[');
    for (known const& k : c.knowledge) {
        out.open('{').text("what", k.what).text("before", k.before).text("after", k.after).close('}');
    }
    out.close(']');
}

void write_walk(json& out, walk const& w) {
    out.open('{').text("address", hex(w.address, 12)).number("rootSegment", w.root_segment);
    out.text("rootOffset", hex(w.root_offset)).text("leadsTo", hex(w.leads_to, 12)).number("bytes", w.bytes);
    out.truth("writable", w.writable).key("steps").open('[');
    for (walked const& s : w.steps) {
        out.open('{').text("level", s.level).text("table", hex(s.table, 12)).number("index", s.index);
        out.number("entries", s.entries).number("high", s.high).number("low", s.low).text("value", hex(s.value, 16));
        out.key("used").open('[');
        for (std::uint64_t const i : s.used) {
            out.number(i);
        }
        out.close(']').key("fields").open('[');
        u32 const halves[2] = {static_cast<u32>(s.value), static_cast<u32>(s.value >> 32)};
        for (packets::field const& f : s.fields) {
            out.open('{');
            write_field(out, f, packets::value_of(f, halves));
            out.close('}');
        }
        out.close(']').close('}');
    }
    out.close(']').close('}');
}

}  // namespace wddmcore::examples::report

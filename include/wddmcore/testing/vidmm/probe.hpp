// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "manager.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// One call that Windows does not make. Commands are not executed; only what the driver does at once has an effect.
inline void send_probe(machine& m, std::string const& what, request const& r) {
    handed_list list(r, m.memory_for_calls, m.junk());
    paging_buffer buffer(m.memory_for_calls, std::max(m.options.smallest_paging_buffer, m.options.command_alignment),
                         m.options.paging_private_data, m.memory.page_address(m.memory.beyond_pages() + 0x200'0000),
                         false, m.junk());
    envelope in;
    in.buffer = buffer.data();
    in.buffer_size = buffer.size;
    in.private_data = buffer.private_data();
    in.private_size = buffer.private_size;
    auto const args = m.memory_for_calls.lend(m.calls.build_size, loan_side::end, m.junk(), "the argument structure",
                                              vidmm_rule::pgb_02);
    m.calls.fill_build(args->data(), r, in, list);
    journal::current().call("probe, " + what, false);
    ntstatus const status = m.table.build_paging_buffer(m.table.adapter, args->data());
    envelope const out = m.calls.read(args->data());
    args->end();
    list.retire();
    std::ptrdiff_t const moved = out.buffer - in.buffer;
    std::uint64_t entries = 0;
    for (std::uint64_t k = 0; k < m.aperture_must_be.size(); ++k) {
        std::uint64_t const now = m.options.page_of(k);
        entries += now != m.aperture_must_be[static_cast<std::size_t>(k)] ? 1U : 0U;
        m.aperture_must_be[static_cast<std::size_t>(k)] = now;
    }
    m.report.probe(what, "status " + hex(static_cast<std::uint32_t>(status)) + ", " + std::to_string(moved) +
                             " bytes of commands, " + std::to_string(entries) + " aperture entries changed");
}

}  // namespace vidmm_parts

inline void vidmm::probe() {
    queue_.drain();
    request unknown;
    unknown.operation = static_cast<paging_operation>(0xff);
    vidmm_parts::send_probe(m_, "operation 255, which no version has (PGB-22)", unknown);
    if (m_.aperture.size == 0) {
        return;
    }
    request past;
    past.operation = m_.options.aperture == vidmm_aperture::adl ? paging_operation::map_aperture_segment2
                                                                : paging_operation::map_aperture_segment;
    past.aperture = m_.aperture.id;
    past.first_aperture_page = m_.aperture.size / page_size - 1;
    past.aperture_pages = 2;
    past.list = maker_.list_of({land_.dummy_page(), land_.dummy_page()}, true, false);
    vidmm_parts::send_probe(m_, "a mapping that goes one page past the aperture's end (OP05-02)", past);
    if (!is_virtual()) {
        request fill;
        fill.operation = paging_operation::fill;
        fill.size = page_size;
        fill.destination = {m_.aperture.id, m_.aperture.base, m_.aperture.base};
        vidmm_parts::send_probe(m_, "a fill of the aperture segment (OP01-01)", fill);
    }
}

}  // namespace wddmcore::testing

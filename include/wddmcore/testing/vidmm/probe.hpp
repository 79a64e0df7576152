// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "manager.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// What a driver made of such a call.
struct probe_answer {
    ntstatus status = 0;
    std::ptrdiff_t command_bytes = 0;
    std::uint64_t aperture_entries = 0;  ///< that changed

    [[nodiscard]] std::string text() const {
        return "status " + hex(static_cast<std::uint32_t>(status)) + ", " + std::to_string(command_bytes) +
               " bytes of commands, " + std::to_string(aperture_entries) + " aperture entries changed";
    }
};

/// One call that Windows does not make. Commands are not executed; only what the driver does at once has an effect.
inline probe_answer send_probe(machine& m, std::string const& what, request const& r) {
    handed_list list(r, m.memory_for_calls, m.junk());
    paging_buffer buffer(m.memory_for_calls, std::max(m.options.smallest_paging_buffer, m.options.command_alignment),
                         m.memory.probe_page() * page_size, m.options, false, m.junk());
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
    return {status, moved, entries};
}

[[nodiscard]] inline request unknown_request() {
    request r;
    r.operation = static_cast<paging_operation>(0xff);
    return r;
}

}  // namespace vidmm_parts

inline void vidmm::send_unknown_operation() {
    queue_.drain();
    vidmm_parts::probe_answer const answer =
        vidmm_parts::send_probe(m_, "operation 255, which no version has", vidmm_parts::unknown_request());
    bool const again =
        answer.status == status::graphics_insufficient_dma_buffer || answer.status == status::graphics_allocation_busy;
    std::string const seen = "operation 255, " + answer.text();
    auto const judge = [&](bool holds, vidmm_rule rule, char const* sentence) {
        if (holds) {
            m_.report.exercised(rule);
        } else {
            m_.broken(rule, sentence, seen, true);
        }
    };
    judge(!again, vidmm_rule::pgb_08, "an operation that nobody knows would be asked for again without end");
    judge(answer.status < 0, vidmm_rule::pgb_22, "an operation that nobody knows is answered with success");
}

inline void vidmm::probe() {
    queue_.drain();
    auto const send = [this](char const* what, request const& r) {
        m_.report.probe(what, vidmm_parts::send_probe(m_, what, r).text());
    };
    send("operation 255, which no version has (PGB-22)", vidmm_parts::unknown_request());
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
    send("a mapping that goes one page past the aperture's end (OP05-02)", past);
    if (!is_virtual()) {
        request fill;
        fill.operation = paging_operation::fill;
        fill.size = page_size;
        fill.destination = {m_.aperture.id, m_.aperture.base, m_.aperture.base};
        send("a fill of the aperture segment (OP01-01)", fill);
    }
}

}  // namespace wddmcore::testing

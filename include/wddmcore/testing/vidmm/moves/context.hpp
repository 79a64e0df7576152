// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// Context allocations and monitored fences: operations 10, 13 and 16.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What of a placement's first `size` bytes an operation changes, page by page.
inline void vidmm::affect(operation& op, placement const& where, std::uint64_t size) {
    for (std::uint64_t at = 0; at < size; at += page_size) {
        op.effect.push_back({land_.address(where, at / page_size), 0, std::min(page_size, size - at)});
    }
}

/// Initialised once (OP10-03), updated a few times (OP13-01), and gone.
inline bool vidmm::use_context() {
    vidmm_contexts const& contexts = m_.options.contexts;
    if (m_.stopped || contexts.bytes == 0 || !contexts.initial) {
        return false;
    }
    ready();
    std::uint64_t const count = (contexts.bytes + page_size - 1) / page_size;
    std::vector<std::uint32_t> segments;
    for (vidmm_segment const& s : m_.options.segments) {
        if (!s.aperture && !s.hollow) {
            segments.push_back(s.id);
        }
    }
    bool const local = !segments.empty() && m_.random.chance(50);
    std::uint32_t const id = local ? segments[static_cast<std::size_t>(m_.random.below(segments.size()))] : 0;
    auto const place = with_space([&] { return local ? land_.in_segment(id, count) : land_.system(count); });
    if (!place) {
        return false;
    }
    initialise_context(*place);
    for (std::uint64_t n = m_.random.below(3); n != 0 && contexts.private_data; --n) {
        update_context(*place);
    }
    queue_.drain();
    if (!m_.stopped) {
        land_.give_back(*place);
    }
    return !m_.stopped;
}

inline void vidmm::initialise_context(placement const& place) {
    vidmm_contexts const& contexts = m_.options.contexts;
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::init_context_resource;
    r.allocation_handle =
        contexts.handle != nullptr ? contexts.handle : reinterpret_cast<void*>(std::uintptr_t{0xC017'E470'0000});
    if (place.is == kind::segment) {
        r.destination = {place.segment, land_.address(place, 0), m_.memory.segment(place.segment)->base};
    } else {
        r.list = maker_.list_of(place.pages, true, false);
    }
    if (is_virtual()) {
        r.late.address = maker_.map_part(*op, place, {0, contexts.bytes});  // OP10-02
    }
    affect(*op, place, contexts.bytes);
    op->becomes = [&contexts](std::span<std::byte> image) { contexts.initial(image); };
    op->explain = [this](operation const& o, std::span<std::byte const> wanted) {
        std::size_t at = 0;
        bool begun = false;
        for (vidmm_parts::extent const& e : o.effect) {
            std::span<std::byte> const is = m_.memory.is(e.destination, e.size);
            begun = begun || (at == 0 && std::memcmp(is.data(), wanted.data(), 4) == 0);
            at += is.size();
        }
        return begun ? vidmm_parts::finding{vidmm_rule::op10_03, "a part of the initial image is missing or wrong"}
                     : vidmm_parts::finding{vidmm_rule::op10_01, "the initial image is not where the context is"};
    };
    op->judge = [this] {
        m_.report.exercised(vidmm_rule::op10_01);
        m_.report.exercised(vidmm_rule::op10_03);
    };
    send(std::move(op));
}

inline void vidmm::update_context(placement const& place) {
    vidmm_contexts const& contexts = m_.options.contexts;
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::update_context_allocation;
    r.size = contexts.bytes;
    r.late.address = maker_.map_part(*op, place, {0, contexts.bytes});
    std::vector<std::byte> const data = contexts.private_data(m_.random.next());
    r.array.assign(data, "the private data", vidmm_rule::op13_01);
    affect(*op, place, contexts.bytes);
    op->becomes = [&contexts, data](std::span<std::byte> image) { contexts.update(image, data); };
    op->explain = [](operation const&, std::span<std::byte const>) {
        return vidmm_parts::finding{vidmm_rule::op13_01, "the context allocation does not follow the private data"};
    };
    op->judge = [this] { m_.report.exercised(vidmm_rule::op13_01); };
    send(std::move(op));
}

/// A fence in a page of its own, in the paging process.
inline bool vidmm::signal_fence(std::uint64_t value) {
    if (m_.stopped || !m_.options.notices.monitored_fences) {
        return false;
    }
    ready();
    auto const place = with_space([&] { return land_.system(1); });
    if (!place) {
        return false;
    }
    std::uint64_t const offset = m_.random.below(page_size / 8) * 8;
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::signal_monitored_fence;
    r.late.address = maker_.map_part(*op, *place, {0, page_size}) + offset;
    r.late.value = value;
    op->effect.push_back({land_.address(*place, 0) + offset, 0, m_.options.notices.monitored_fence_bytes});
    op->becomes = [value](std::span<std::byte> bytes) { std::memcpy(bytes.data(), &value, bytes.size()); };
    op->explain = [](operation const&, std::span<std::byte const>) {
        return vidmm_parts::finding{vidmm_rule::op16_01, "the fence does not hold its value, every bit of it"};
    };
    op->judge = [this] { m_.report.exercised(vidmm_rule::op16_01); };
    send(std::move(op));
    queue_.drain();
    if (!m_.stopped) {
        land_.give_back(*place);
    }
    return !m_.stopped;
}

}  // namespace wddmcore::testing

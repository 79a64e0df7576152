// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// Operation 22: allocations that leave system memory or the aperture, and IOMMU mappings that end.
namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// What became of blocks that an eviction notice was for.
class notice_check {
public:
    notice_check(machine& m, bool known_address) : m_(m), known_address_(known_address) {}

    [[nodiscard]] finding explain(operation const& op, std::span<std::byte const> wanted) const {
        std::uint64_t const size = m_.options.notify.block;
        std::vector<std::byte> const is = bytes_of(op, false);
        std::vector<std::byte> const was = bytes_of(op, true);
        std::uint64_t right = 0;
        std::uint64_t untouched = 0;
        std::uint64_t twice = 0;
        std::uint64_t blocks = 0;
        for (std::uint64_t at = 0; at < wanted.size(); at += size, ++blocks) {
            auto const n = static_cast<std::size_t>(std::min<std::uint64_t>(size, wanted.size() - at));
            std::vector<std::byte> again(wanted.begin() + static_cast<std::ptrdiff_t>(at),
                                         wanted.begin() + static_cast<std::ptrdiff_t>(at + n));
            bool const as_wanted = std::memcmp(again.data(), is.data() + at, n) == 0;
            m_.options.notify.on_eviction(again);
            right += as_wanted ? 1U : 0U;
            untouched += std::memcmp(was.data() + at, is.data() + at, n) == 0 ? 1U : 0U;
            twice += std::memcmp(again.data(), is.data() + at, n) == 0 ? 1U : 0U;
        }
        std::string const count = " of " + std::to_string(blocks) + " blocks";
        if (twice != 0) {
            return {op.passes > 1 ? vidmm_rule::ntf_14 : vidmm_rule::ntf_06,
                    std::to_string(twice) + count + " were handled twice, and are destroyed"};
        }
        if (untouched == blocks && !op.wrote) {
            return known_address_
                       ? finding{vidmm_rule::chk_14, "nothing was done at an address where another chunk was"}
                       : finding{vidmm_rule::ntf_04, "nothing was done for an eviction notice"};
        }
        if (untouched == blocks) {
            return {vidmm_rule::ntf_12, "the notice's own commands have done nothing with its blocks"};
        }
        if (untouched + right == blocks) {
            return {op.passes > 1 ? vidmm_rule::pgb_05 : vidmm_rule::ntf_06,
                    std::to_string(untouched) + count + " were left out"};
        }
        return {vidmm_rule::ntf_06, "blocks hold neither what they held nor what they have to"};
    }

private:
    [[nodiscard]] std::vector<std::byte> bytes_of(operation const& op, bool image) const {
        std::vector<std::byte> out;
        for (extent const& e : op.effect) {
            std::span<std::byte> const piece =
                image ? m_.memory.must_be(e.destination, e.size) : m_.memory.is(e.destination, e.size);
            out.insert(out.end(), piece.begin(), piece.end());
        }
        return out;
    }

    machine& m_;
    bool known_address_;
};

}  // namespace vidmm_parts

/// Chunk by chunk: map, build, submit, unmap (NTF-07); no chunk boundary inside a block (NTF-13).
inline bool vidmm::notify_eviction(allocation_number number) {
    allocation& a = at(number);
    vidmm_notify const& notify = m_.options.notify;
    // Leaving local memory is never noticed (NTF-08).
    if (m_.stopped || !notify.on_eviction || (a.where.is != kind::system && a.where.is != kind::aperture)) {
        return false;
    }
    ready();
    leave_processes(a);
    std::uint64_t const unit = std::max(notify.block, land_.alignment() * page_size);
    std::uint64_t const window = m_.options.va_size / 4;  // CHK-09
    std::uint64_t const most =
        std::max((notify.largest_chunk != 0 ? std::min(notify.largest_chunk, window) : window) / unit * unit, unit);
    for (std::uint64_t offset = 0; offset < a.size && !m_.stopped; offset += most) {
        notice_chunk(a, {offset, std::min(most, a.size - offset)});
    }
    queue_.drain();
    if (a.where.is == kind::aperture) {
        unmap_aperture(number);
    }
    page_out(a);
    return !m_.stopped;
}

inline void vidmm::notice_chunk(allocation const& a, part const& p) {
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::notify_alloc;
    r.allocation = a.number;
    r.allocation_handle = a.handle;
    r.offset = p.offset;
    r.size = p.size;
    r.late.eviction = true;
    r.late.process = nullptr;  // the paging process (NTF-04)
    r.late.address = maker_.map_part(*op, a.where, p);
    for (std::uint64_t at = 0; at < p.size; at += page_size) {
        op->effect.push_back(
            {land_.address(a.where, (p.offset + at) / page_size), 0, std::min(page_size, p.size - at)});
    }
    op->becomes = [this](std::span<std::byte> bytes) {
        std::uint64_t const block = m_.options.notify.block;
        for (std::uint64_t at = 0; at < bytes.size(); at += block) {
            m_.options.notify.on_eviction(
                bytes.subspan(static_cast<std::size_t>(at),
                              static_cast<std::size_t>(std::min<std::uint64_t>(block, bytes.size() - at))));
        }
    };
    bool const known = !noticed_.insert(r.late.address).second;
    op->explain = [this, known](operation const& o, std::span<std::byte const> wanted) {
        return vidmm_parts::notice_check(m_, known).explain(o, wanted);
    };
    op->judge = [this, known, offset = p.offset, o = op.get()] {
        for (vidmm_rule const rule : {vidmm_rule::ntf_04, vidmm_rule::ntf_06, vidmm_rule::ntf_12}) {
            m_.report.exercised(rule);
        }
        m_.report.exercised(vidmm_rule::chk_14, known ? 1 : 0);
        m_.report.exercised(vidmm_rule::ntf_05, offset != 0 ? 1 : 0);
        m_.report.exercised(vidmm_rule::ntf_14, o->passes > 1 ? 1 : 0);
    };
    send(std::move(op));
}

/// The system takes an allocation's pages and gives it others: what was in them is moved by the CPU.
inline void vidmm::page_out(allocation& a) {
    if (m_.stopped || a.where.is != kind::system) {
        return;
    }
    auto place = with_space([&] { return land_.system(a.page_count()); });
    if (!place) {
        return;
    }
    for (std::uint64_t k = 0; k < place->count; ++k) {
        std::span<std::byte> const from = m_.memory.must_be(land_.address(a.where, k), page_size);
        for (std::span<std::byte> const to : {m_.memory.must_be(land_.address(*place, k), page_size),
                                              m_.memory.is(land_.address(*place, k), page_size)}) {
            std::memcpy(to.data(), from.data(), from.size());
        }
    }
    placement const old = std::exchange(a.where, *place);
    land_.give_back(old);
}

/// Build, submit, wait for all paging work, and only then the IOMMU's mapping goes (NTF-09).
inline bool vidmm::notify_iommu_unmap(allocation_number number) {
    allocation& a = at(number);
    vidmm_notify const& notify = m_.options.notify;
    // Without an IOMMU for GPU virtual addresses there is no mapping that could end (NTF-11).
    if (m_.stopped || !notify.writes || !notify.gpu_va_iommu || a.where.is != kind::system) {
        return false;
    }
    leave_processes(a);
    queue_.drain();
    auto const& process_of = m_.options.page_tables.process_of;
    void* const owner = process_of ? process_of(1) : reinterpret_cast<void*>(std::uintptr_t{0x9A0C'E55F'0000});
    std::uint64_t const va = 0x7FFD'0000'0000 + m_.random.below(1 << 20) * page_size;
    for (part const& p : maker_.parts(a.size, true)) {
        unmap_notice(a, p, owner, va);
    }
    queue_.drain();
    placement const old = a.where;
    page_out(a);
    if (m_.stopped || !notify.write_back) {
        return !m_.stopped;
    }
    notify.write_back();
    for (std::uint64_t k = 0; k < old.count && !m_.stopped; ++k) {
        if (auto const where = m_.memory.difference(land_.address(old, k), page_size)) {
            m_.broken(vidmm_rule::ntf_10, "a cache wrote to pages whose IOMMU mapping was gone",
                      "allocation " + std::to_string(a.number) + ", at " + vidmm_parts::hex(*where), false,
                      vidmm_parts::compared_page(m_.memory, *where));
        }
    }
    return !m_.stopped;
}

inline void vidmm::unmap_notice(allocation const& a, part const& p, void* owner, std::uint64_t va) {
    struct cached {
        std::uint64_t offset;
        std::uint64_t value;
    };
    std::vector<cached> lines;
    std::uint64_t const count = m_.random.between(1, 4);
    for (std::uint64_t i = 0; i < count && p.size >= 8; ++i) {
        cached const line{i == 0 ? 0 : m_.random.below(p.size / 8) * 8, m_.random.next()};
        std::uint64_t const at = p.offset + line.offset;
        std::uint64_t const address = land_.address(a.where, at / page_size) + at % page_size;
        m_.options.notify.writes(owner, va + at, address, std::as_bytes(std::span(&line.value, 1)));
        lines.push_back(line);
    }
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::notify_alloc;
    r.allocation = a.number;
    r.allocation_handle = a.handle;
    r.offset = p.offset;
    r.size = p.size;
    r.late.process = owner;
    r.late.address = va + p.offset;
    for (std::uint64_t at = 0; at < p.size; at += page_size) {
        op->effect.push_back(
            {land_.address(a.where, (p.offset + at) / page_size), 0, std::min(page_size, p.size - at)});
    }
    op->becomes = [lines](std::span<std::byte> bytes) {
        for (cached const& line : lines) {
            std::memcpy(bytes.data() + line.offset, &line.value, sizeof line.value);
        }
    };
    op->explain = [offset = p.offset](operation const&, std::span<std::byte const>) {
        return vidmm_parts::finding{offset != 0 ? vidmm_rule::ntf_05 : vidmm_rule::ntf_10,
                                    "what the GPU had written was still in a cache when all paging work was done"};
    };
    op->judge = [this, offset = p.offset] {
        m_.report.exercised(vidmm_rule::ntf_10);
        m_.report.exercised(vidmm_rule::ntf_05, offset != 0 ? 1 : 0);
    };
    send(std::move(op));
}

}  // namespace wddmcore::testing

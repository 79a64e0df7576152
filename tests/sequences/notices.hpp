// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_copies.hpp"

namespace sequences {

/// The operations that tell, signal and initialise: 10, 13, 15, 16, 18 to 22.
class notices : public table_copies {
public:
    using table_copies::table_copies;

protected:
    [[nodiscard]] void* any_handle() { return passes_.hw_.handle(random_.next()); }

    /// @param at_once  whether it needs no buffer
    void expect(request const& r, std::string const& what, bool at_once) {
        passes_.hw_.expect_notice();
        if (passes_.run(r, what, any_buffers(at_once))) {
            std::string const wrong = passes_.hw_.verify(r);
            passes_.fail_unless(wrong.empty(), say(what, ": ", wrong));
        }
    }

    /// Operation 10: the whole image, once (OP10-03).
    void init_context() {
        bool const by_virtual = hw::context_by_virtual(known().caps) && takes(paging_operation::virtual_fill);
        request r;
        r.operation = paging_operation::init_context_resource;
        r.allocation = any_handle();
        u64 const size = 4 * (1 + random_.below(random_.chance(60) ? 400 : 3000));
        stretches where;
        if (by_virtual) {
            auto const to = some_window(size, 4, true);
            if (!to) {
                return;
            }
            r.source = to->va;
            where = to->where;
        } else if (random_.chance(50)) {
            auto const pages = any_pages(static_cast<std::size_t>(pages_of(size)));
            r.pages = numbers_of(pages);
            for (u64 done = 0; done < size; done += page_bytes) {
                where.push_back({1 + pages[static_cast<std::size_t>(done / page_bytes)], 0,
                                 static_cast<std::size_t>(lesser<u64>(page_bytes, size - done))});
            }
        } else {
            u64 const place = random_.multiple(4, there().where.data_bytes - size);
            r.segment = memory_id.n;
            r.address = there().where.segment_base + place;
            where = in_segment(place, size).where;
        }
        passes_.model_.write(where, passes_.hw_.image(r.allocation, size));
        std::string const what = say("the image of a context, ", size, " bytes");
        bool const at_once = known().contexts_at_once && random_.chance(60);
        r.cpu = at_once ? passes_.cpu_address_of(where) : nullptr;
        judge(r, where, what + (at_once ? " at a CPU address" : ""), any_buffers(at_once));
        passes_.forget_cpu_address();
    }

    /// Operation 13: what the driver's own data asks for (OP13-01).
    void update_context() {
        u64 const size = 4 * (8 + random_.below(500)) / 8 * 8;
        auto const to = some_window(size, 8, true);
        if (!to) {
            return;
        }
        request r;
        r.operation = paging_operation::update_context_allocation;
        r.address = to->va;
        r.size = size;
        std::vector<std::byte> content = passes_.model_.read(to->where);
        r.data = passes_.hw_.context_update(random_, content);
        passes_.model_.write(to->where, content);
        judge(r, to->where, say("an update of a context of ", size, " bytes"));
    }

    /// Operation 15: exactly one notice for a change (OP15-04), and only `resident` counts when it left (OP15-03).
    void residency() {
        request r;
        r.operation = paging_operation::notify_residency;
        r.allocation = any_handle();
        r.set = random_.chance(60);
        r.segment = r.set ? memory_id.n : 0;
        r.offset = r.set ? random_.multiple(page_bytes, there().where.data_bytes - page_bytes) : 0;
        expect(r, "a change of residency", known().residency_at_once);
    }

    /// Operation 21: the same for a range of pages (OP21-01).
    void range_residency() {
        request r;
        r.operation = paging_operation::notify_residency2;
        r.allocation = any_handle();
        r.offset = random_.below(1000);
        r.size = 1 + random_.below(30);
        r.set = random_.chance(60);
        if (r.set && random_.chance(50)) {
            r.segment = memory_id.n;
            r.address = random_.multiple(page_bytes, there().where.data_bytes - r.size * page_bytes);
        } else if (r.set) {
            r.pages = numbers_of(any_pages(static_cast<std::size_t>(r.size)));
        }
        expect(r, "a change of residency of a range", known().ranges_at_once);
    }

    /// Operation 16: the value is stored behind everything else (OP16-01).
    void signal() {
        auto const to = some_window(8, 8, true);
        if (!to) {
            return;
        }
        request r;
        r.operation = paging_operation::signal_monitored_fence;
        r.address = to->va;
        r.value = random_.next();
        std::vector<std::byte> value(static_cast<std::size_t>(known().fence_bytes));
        std::memcpy(value.data(), &r.value, value.size());
        stretches stored = to->where;
        stored[0].size = value.size();
        passes_.model_.write(stored, value);
        judge(r, to->where, say("a signal of ", as_hex{r.value}));
    }

    /// Operation 18: each record exactly once, in order.
    void fence_residency() {
        request r;
        r.operation = paging_operation::notify_fence_residency;
        for (u64 left = 1 + random_.below(9); left != 0; --left) {
            moved_fence f;
            f.fence = any_handle();
            f.current_segment = random_.chance(50) ? memory_id.n : 0;
            f.current_offset = f.current_segment != 0
                                   ? random_.multiple(8, there().where.data_bytes - 8)
                                   : there().system_pages[0] * page_bytes + random_.multiple(8, page_bytes - 8);
            f.monitored_segment = memory_id.n;
            f.monitored_offset = random_.multiple(8, there().where.data_bytes - 8);
            f.current_cpu = any_handle();
            f.monitored_cpu = any_handle();
            r.fences.push_back(f);
        }
        expect(r, say("places of ", r.fences.size(), " fences"), known().fences_at_once);
    }

    /// Operations 19 and 20: pages of a list in an MMU of its own.
    void map_mmu() {
        std::vector<u32> const ids = passes_.hw_.mmus();
        u64 const pages = passes_.hw_.mmu_pages();
        request r;
        bool const maps = random_.chance(60);
        r.operation = maps ? paging_operation::map_mmu : paging_operation::unmap_mmu;
        r.mmu = ids[random_.below(ids.size())];
        r.allocation = any_handle();
        r.size = 1 + random_.below(lesser<u64>(30, pages));
        u64 const first = random_.below(pages - r.size + 1);
        r.address = first * page_bytes;
        std::vector<frame> frames;
        if (maps) {
            r.contiguous = random_.chance(30);
            r.size = r.contiguous ? lesser<u64>(r.size, 8) : r.size;
            auto chosen = any_pages(static_cast<std::size_t>(r.size));
            if (r.contiguous) {
                std::iota(chosen.begin(), chosen.end(),
                          static_cast<std::size_t>(random_.multiple(8, machine::data_pages - 8)));
            }
            r.pages = numbers_of(chosen);
            for (std::size_t const page : chosen) {
                frames.push_back({1 + page, 0});
            }
            if (random_.chance(40)) {
                // Pages of the memory segment count from its start (AMB-11).
                r.segment = memory_id.n;
                u64 const start = random_.below(there().where.data_bytes / page_bytes - machine::data_pages);
                for (std::size_t i = 0; i != chosen.size(); ++i) {
                    frames[i] = {0, start + chosen[i]};
                    r.pages[i] = static_cast<usize>(start + chosen[i]);
                }
            }
        }
        std::string const what = say(maps ? "a map of " : "an unmap of ", r.size, " pages in MMU ", r.mmu);
        if (!passes_.run(r, what, any_buffers(known().mmu_at_once))) {
            return;
        }
        for (u64 i = 0; i != r.size; ++i) {
            auto& entry = in_mmu_[{r.mmu, first + i}];
            entry = maps ? std::optional<u64>(passes_.bus_of(frames[static_cast<std::size_t>(i)])) : std::nullopt;
        }
        in_mmu_.try_emplace({r.mmu, random_.below(pages)}, std::nullopt);  // looked at while it is not mapped
        check_mmus(what);
    }
    void check_mmus(std::string const& what) {
        for (auto const& [place, page] : in_mmu_) {
            passes_.fail_unless(passes_.hw_.mmu_page(place.first, place.second) == page,
                                say(what, ": entry ", place.second, " of MMU ", place.first, " is wrong"));
        }
    }

    /// Operation 22, Eviction: each block handled once, whole (NTF-14); twice would show in its bytes.
    void evict_allocation() {
        u64 const block = passes_.hw_.eviction_block();
        u64 const unit = greater<u64>(passes_.hw_.eviction_alignment(), 4096);
        u64 const size = page_bytes * (1 + random_.below(30));
        auto const to = some_window(size, unit, true);
        if (!to) {
            return;
        }
        request r;
        r.operation = paging_operation::notify_alloc;
        r.set = true;
        r.allocation = any_handle();
        r.offset = block * random_.below(100);
        r.size = size;
        r.address = to->va;
        std::vector<std::byte> content = passes_.model_.read(to->where);
        if (passes_.hw_.transform(content)) {
            passes_.model_.write(to->where, content);
        }
        judge(r, to->where, say("a notice of eviction of ", size, " bytes"));
    }

    /// Operation 22, IoMmuUnmap: the whole range, in order, each byte once (NTF-10).
    void unmap_allocation() {
        request r;
        r.operation = paging_operation::notify_alloc;
        r.allocation = any_handle();
        r.process = spaces_.back()->tables.process();
        r.size = page_bytes * (1 + random_.below(64));
        r.address = spaces_.back()->spans[0].va;
        expect(r, say("a notice of an unmap of ", r.size, " bytes"), known().unmap_at_once);
    }

    std::map<std::pair<u32, u64>, std::optional<u64>> in_mmu_;  ///< bus addresses
};

}  // namespace sequences

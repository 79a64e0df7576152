// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/walking_bus.hpp>

#include <wddmcore/testing/laws.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

/// What the parts of a random sequence share: an adapter, the model of its memory, and how one request is carried out.
namespace paging_sequence {

using namespace wddmcore;
using namespace wddmcore::testing;
using law_parts::as_hex;
using law_parts::memory_model;
using law_parts::random_numbers;
using law_parts::say;

/// The memory of one page, or of a part of the segment: what the model calls a stretch.
using stretch = memory_model::stretch;
using stretches = memory_model::stretches;

template <class Rig>
class passes {
protected:
    using hardware = typename Rig::hardware;
    using arguments = law_arguments<hardware>;

    explicit passes(u64 seed) : random_(seed), model_(rig_.bus), first_word_(static_cast<u32>(seed)) {
        fail_unless(model_.add("the segment", part().bus_address, part().size.n, random_), "no segment");
        for (law_memory::page const& page : rig_.play.system_pages) {
            fail_unless(model_.add(say("page ", page.number.n), page.bus_address, page_bytes, random_), "no page");
        }
    }

    [[nodiscard]] law_memory::segment_part const& part() const { return rig_.play.segment; }
    [[nodiscard]] std::size_t page_count() const { return rig_.play.system_pages.size(); }

    void fail_unless(bool right, std::string const& why) {
        if (!right && wrong_.empty()) {
            wrong_ = why;
        }
    }

    /// Carries a request out, pass by pass, in buffers from the smallest legal size up.
    bool carry_out(arguments const& request, std::string const& what, bool without_buffer = false) {
        ++times_[static_cast<u32>(request.Operation)];
        u32 token = 0;
        for (;;) {
            ++passes_;
            auto const smallest = static_cast<u32>(smallest_paging_buffer<hardware>.n);
            u32 const room = smallest + (random_.chance(40) ? 0 : static_cast<u32>(random_.below(3 * smallest)));
            std::vector<u32> buffer(room / 4 + 16, first_word_);
            arguments args = request;
            args.pDmaBuffer = without_buffer ? nullptr : buffer.data();
            args.DmaSize = without_buffer ? 0 : room;
            args.MultipassOffset = token;
            ntstatus const status = build_paging_buffer(rig_.hw, args);
            std::size_t const written =
                without_buffer ? 0 : static_cast<std::size_t>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
            if (status != status::success && (without_buffer || status != status::graphics_insufficient_dma_buffer)) {
                fail_unless(false, say(what, " is answered ", as_hex{static_cast<u32>(status)}));
                return false;
            }
            if (written > room / 4 ||
                std::any_of(buffer.end() - 16, buffer.end(), [this](u32 w) { return w != first_word_; })) {
                fail_unless(false, say(what, " leaves its buffer of ", room, " bytes"));
                return false;
            }
            if (written != 0) {
                execution const run = rig_.play.executor->execute(buffer.data(), written, rig_.bus);
                if (!run.ok) {
                    fail_unless(false, say(what, ", dword ", run.dword, " of ", written, ": ", run.why));
                    return false;
                }
            }
            if (status == status::success) {
                return true;
            }
            if (args.MultipassOffset <= token) {
                fail_unless(false, say(what, " does not advance from ", token));
                return false;
            }
            token = args.MultipassOffset;
        }
    }

    /// Carries out and compares all of memory with the model, which has what is expected already.
    void judge(arguments const& request, stretches const& destination, std::string const& what) {
        if (carry_out(request, what)) {
            compare(destination, what);
        }
    }
    void compare(stretches const& destination, std::string const& what) {
        if (auto const d = model_.compare(destination)) {
            fail_unless(false, say(what, ": ", d->place, " is ", as_hex{std::to_integer<u64>(d->found)}, ", not ",
                                   as_hex{std::to_integer<u64>(d->expected)}));
        }
    }

    /// Mostly whole pages; sometimes the last one is shorter.
    [[nodiscard]] u64 any_size(u64 unit, u64 most) {
        u64 const whole =
            (1 + random_.below(random_.chance(80) ? lesser<u64>(12, most / page_bytes) : most / page_bytes)) *
            page_bytes;
        return random_.chance(60) ? whole : whole - random_.multiple(unit, page_bytes - unit);
    }
    [[nodiscard]] u32 any_pattern() {
        auto const n = static_cast<u32>(random_.next());
        return hardware::fill_pattern_bytes.n == 1 ? (n & 0xFF) * 0x0101'0101u : n;
    }
    [[nodiscard]] static std::vector<std::byte> repeated(u32 pattern, u64 size) {
        std::vector<std::byte> all(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i != all.size(); ++i) {
            all[i] = static_cast<std::byte>((pattern >> (8 * (i % 4))) & 0xFF);
        }
        return all;
    }
    /// Two places of one range that an engine may be asked to copy between: apart, or overlapping by whole pages at
    /// least.
    [[nodiscard]] bool any_places(u64 unit, u64 range, u64 size, u64& from, u64& to) {
        from = random_.multiple(unit, range - size);
        to = random_.chance(40)
                 ? from + (random_.chance(50) ? 1 : -u64{1}) * (page_bytes + random_.multiple(unit, 2 * size))
                 : random_.multiple(unit, range - size);
        u64 const distance = from < to ? to - from : from - to;
        return to <= range - size && distance >= page_bytes;
    }

    /// Fresh bytes, sometimes: what was filled looks the same everywhere.
    void renew(stretches const& where) {
        if (random_.chance(40)) {
            fail_unless(model_.scramble(where, random_), "memory is gone");
        }
    }

    /// All pages in some order.
    [[nodiscard]] std::vector<std::size_t> any_pages() {
        std::vector<std::size_t> order(page_count());
        std::iota(order.begin(), order.end(), std::size_t{0});
        // Few exchanges leave long runs of consecutive pages.
        for (u64 left = random_.below(random_.chance(50) ? 4 : 2 * order.size()); left != 0; --left) {
            std::swap(order[random_.below(order.size())], order[random_.below(order.size())]);
        }
        return order;
    }

    Rig rig_;
    random_numbers random_;
    memory_model model_;
    u32 first_word_;
    std::string wrong_;
    std::array<unsigned, paging_operation_count> times_{};
    unsigned passes_ = 0;
};

}  // namespace paging_sequence

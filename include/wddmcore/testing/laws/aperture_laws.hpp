// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../paging/operations.hpp"
#include "passes.hpp"
#include "samples/requests.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws over the entries of an aperture: operations 5, 6 and 17, with a buffer and without.
template <class Hw, class Args, class Build>
class aperture_laws {
public:
    aperture_laws(Hw& hw, law_memory const& memory, law_options const& options, law_report& report, Build const& build)
        : hw_(hw),
          memory_(memory),
          options_(options),
          report_(report),
          random_(options.seed ^ 0xA9E7),
          driver_(hw, memory_, options_, report_, random_, build) {}
    aperture_laws(aperture_laws const&) = delete;
    aperture_laws& operator=(aperture_laws const&) = delete;

    void check() {
        if (part().count < 8 || !part().page_of) {
            return;
        }
        pages_.assign(static_cast<std::size_t>(part().count), 0);
        coherent_.assign(pages_.size(), false);
        unmap(0, part().count);  // from here on every entry is known
        for (unsigned i = 0; i < options_.rounds * 2; ++i) {
            u64 const count = 1 + random_.below(random_.chance(20) ? part().count : lesser<u64>(part().count, 9));
            u64 const first = random_.below(part().count - count + 1);
            if (random_.chance(35)) {
                unmap(first, count);
            } else {
                map(first, count);
            }
        }
    }

private:
    [[nodiscard]] law_memory::aperture_part const& part() const { return memory_.aperture; }

    void map(u64 first, u64 count) {
        bool const with_adl = reachable(Hw::caps, paging_operation::map_aperture_segment2) &&
                              (!reachable(Hw::caps, paging_operation::map_aperture_segment) || random_.chance(50));
        bool const contiguous = with_adl && random_.chance(50);
        bool const coherent = options_.coherent_apertures && random_.chance(50);
        u64 const skip = random_.below(5);
        std::vector<usize> list = page_list(skip + count + random_.below(3), contiguous);
        for (u64 i = 0; i != count; ++i) {
            pages_[static_cast<std::size_t>(first + i)] = list[static_cast<std::size_t>(skip + i)];
            coherent_[static_cast<std::size_t>(first + i)] = coherent;
        }
        if constexpr (reachable(Hw::caps, paging_operation::map_aperture_segment2)) {
            if (with_adl) {
                map_adl(first, count, skip, list, contiguous, coherent);
                return;
            }
        }
        if constexpr (reachable(Hw::caps, paging_operation::map_aperture_segment)) {
            map_mdl(first, count, skip, list, coherent);
        }
    }

    [[nodiscard]] std::vector<usize> page_list(u64 count, bool contiguous) {
        std::vector<usize> list;
        u64 const last = last_page<Hw>();
        u64 next = random_.below(last - count + 2);
        for (u64 i = 0; i != count; ++i) {
            // Nobody looks behind an entry here, so any page within reach will do.
            next = contiguous || random_.chance(60) ? (next <= last ? next : 0) : random_.up_to(last);
            list.push_back(static_cast<usize>(next++));
        }
        return list;
    }

    void map_mdl(u64 first, u64 count, u64 skip, std::vector<usize> const& list, bool coherent) {
        if constexpr (reachable(Hw::caps, paging_operation::map_aperture_segment)) {
            mdl_of<Args> storage(list);
            Args args = request_of<Args>(paging_operation::map_aperture_segment);
            args.MapApertureSegment = {};
            fill_in(args.MapApertureSegment, first, count, coherent);
            args.MapApertureSegment.pMdl = storage.get();
            args.MapApertureSegment.MdlOffset = static_cast<u32>(skip);
            carry_out(args, say("a map of ", count, " pages at entry ", part().first + first));
        }
    }

    void map_adl(u64 first, u64 count, u64 skip, std::vector<usize> const& list, bool contiguous, bool coherent) {
        if constexpr (reachable(Hw::caps, paging_operation::map_aperture_segment2)) {
            Args args = request_of<Args>(paging_operation::map_aperture_segment2);
            args.MapApertureSegment2 = {};
            auto& map = args.MapApertureSegment2;
            fill_in(map, first, count, coherent);
            map.Adl.PageCount = static_cast<u32>(list.size());
            map.AdlOffset = static_cast<u32>(skip);
            if (contiguous) {
                map.Adl.Flags.Contiguous = 1;
                map.Adl.BasePageNumber = list.front();
            } else {
                map.Adl.Pages = list.data();
            }
            carry_out(args, say("a map of ", count, contiguous ? " contiguous" : " listed", " ADL pages at entry ",
                                part().first + first));
        }
    }

    template <class Map>
    void fill_in(Map& map, u64 first, u64 count, bool coherent) {
        map.SegmentId = part().id.n;
        map.OffsetInPages = static_cast<usize>(part().first + first);
        map.NumberOfPages = static_cast<usize>(count);
        map.Flags.CacheCoherent = coherent;
    }

    void unmap(u64 first, u64 count) {
        // A byte address in a LARGE_INTEGER: 51 bits of page number at the most.
        u64 const dummy = random_.up_to(lesser(last_page<Hw>(), (u64{1} << 51) - 1));
        for (u64 i = first; i != first + count; ++i) {
            pages_[static_cast<std::size_t>(i)] = dummy;
            coherent_[static_cast<std::size_t>(i)] = std::nullopt;  // nobody says what a dummy page shall be
        }
        Args args = request_of<Args>(paging_operation::unmap_aperture_segment);
        args.UnmapApertureSegment = {};
        args.UnmapApertureSegment.SegmentId = part().id.n;
        args.UnmapApertureSegment.OffsetInPages = static_cast<usize>(part().first + first);
        args.UnmapApertureSegment.NumberOfPages = static_cast<usize>(count);
        args.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(byte_address(page_number{dummy}));
        carry_out(args, say("an unmap of ", count, " pages at entry ", part().first + first));
    }

    void carry_out(Args const& args, std::string what) {
        bool done = false;
        if (random_.chance(50)) {
            done = driver_.drive(args, what).done;
        } else {
            what += " at once";
            done = driver_.drive_without_buffer(args, what);
        }
        for (std::size_t i = 0; i < pages_.size(); ++i) {
            std::optional<std::uint64_t> const page = part().page_of(part().first + i);
            if (done) {
                judge_entry(i, page, what);
            } else {
                // What refused commands did not write was told with them: from here on the entries are as they are now.
                pages_[i] = page;
                coherent_[i] = std::nullopt;
            }
        }
    }

    void judge_entry(std::size_t i, std::optional<std::uint64_t> page, std::string const& what) {
        u64 const index = part().first + i;
        auto const text_of = [](std::optional<std::uint64_t> one) {
            return one ? say("to page ", as_hex{*one}) : std::string("nowhere");
        };
        bool const right = report_.judge(law::entries_arrive, page == pages_[i], [&] {
            return say(what, ": entry ", index, " leads ", text_of(page), ", not ", text_of(pages_[i]));
        });
        if (!right) {
            pages_[i] = page;  // told once
        } else if (options_.coherent_apertures && part().coherent_of && coherent_[i]) {
            report_.judge(law::entries_arrive, part().coherent_of(index) == coherent_[i], [&] {
                return say(what, ": entry ", index, " is ", *coherent_[i] ? "not " : "", "coherent (OP05-03)");
            });
        }
    }

    Hw& hw_;
    law_memory const& memory_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
    pass_driver<Hw, Args, Build> driver_;
    std::vector<std::optional<std::uint64_t>> pages_;  // none: it leads nowhere
    std::vector<std::optional<bool>> coherent_;
};

}  // namespace wddmcore::testing::law_parts

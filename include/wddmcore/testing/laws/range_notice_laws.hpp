// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../paging/operations.hpp"
#include "passes.hpp"
#include "samples/operations.hpp"
#include "samples/requests.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws about what the hardware hears of a range: operations 12 and 22. Their commands are executed always; what
/// the engine makes of them is judged where it tells it again, and so is what the hardware type does at once.
template <class Hw, class Args, class Build>
class range_notice_laws {
public:
    range_notice_laws(Hw& hw, law_memory const& memory, law_options const& options, law_report& report,
                      Build const& build)
        : hw_(hw),
          memory_(memory),
          options_(options),
          report_(report),
          random_(options.seed ^ 0x701D),
          driver_(hw, memory_, options_, report_, random_, build) {}
    range_notice_laws(range_notice_laws const&) = delete;
    range_notice_laws& operator=(range_notice_laws const&) = delete;

    void check() {
        for (unsigned i = 0; i < options_.rounds; ++i) {
            if constexpr (is_commanded<Hw, paging_operation::flush_tlb, hw::tlb_by_command<Hw>>) {
                flush<hw::ranged_tlb<Hw>>(true);
            }
            if constexpr (reachable(Hw::caps, paging_operation::flush_tlb) && hw::tlb_at_once<Hw>) {
                flush<hw::ranged_tlb_at_once<Hw>>(false);
            }
            if constexpr (is_commanded<Hw, paging_operation::notify_alloc, hw::eviction_notifier<Hw>>) {
                evict();
            }
            if constexpr (is_commanded<Hw, paging_operation::notify_alloc, hw::iommu_unmap_by_command<Hw>>) {
                if (options_.process != nullptr) {
                    leave_iommu();
                }
            }
        }
    }

private:
    using notice = law_memory::notice;

    /// Carries a request out; what the engine was told, in order. One told of a range twice tells it twice.
    ///
    /// @param judged  whether it was carried out and the engine tells it again
    /// @param buffer  whether there is one
    [[nodiscard]] std::vector<notice> told_of(Args const& args, std::string const& what, bool& judged,
                                              bool buffer = true) {
        if (memory_.take_notices) {
            static_cast<void>(memory_.take_notices());
        }
        bool const done = buffer ? driver_.drive(args, what).done : driver_.drive_without_buffer(args, what);
        judged = done && memory_.take_notices;
        return judged ? memory_.take_notices() : std::vector<notice>{};
    }

    /// @tparam Ranged  whether a range is told as one
    /// @param buffer   false: it is done at once, also where there are commands
    template <bool Ranged>
    void flush(bool buffer) {
        Args args = request_of<Args>(paging_operation::flush_tlb);
        args.FlushTlb = {};
        if (memory_.segment.size.n != 0) {
            args.FlushTlb.RootPageTableAddress.SegmentId = memory_.segment.id.n;
            args.FlushTlb.RootPageTableAddress.SegmentOffset = memory_.segment.first.n;
        }
        u64 const first = random_.below(virtual_limit_of(hw_) / page_bytes - 4096) * page_bytes;
        u64 const size = (1 + random_.below(random_.chance(20) ? 4096 : 40)) * page_bytes;
        bool const all = random_.chance(20);
        args.FlushTlb.StartVirtualAddress = all ? 0 : first;
        args.FlushTlb.EndVirtualAddress = all ? 0 : first + size;
        std::string const what =
            say("a flush of ", all ? "everything" : say(size, " bytes at ", as_hex{first}), buffer ? "" : ", at once");
        bool judged = false;
        std::vector<notice> const told = told_of(args, what, judged, buffer);
        if (!judged) {
            return;
        }
        bool const one = told.size() == 1 && told[0].what == notice::kind::flush;
        bool right = one && told[0].size == 0;
        if constexpr (Ranged) {
            // Rounded outward to whole granules, the one that holds the end among them (OP12-03, AMB-20).
            u64 const begin = round_down(first, Hw::flush_granule.n);
            u64 const end = round_down(first + size, Hw::flush_granule.n) + Hw::flush_granule.n;
            right = all ? right : one && told[0].first == begin && told[0].size == end - begin;
        }
        report_.judge(law::notices_arrive, right, [&] {
            return one ? say(what, ": the engine drops ", told[0].size, " bytes at ", as_hex{told[0].first})
                       : say(what, ": the engine hears ", told.size(), " notices");
        });
    }

    [[nodiscard]] Args leaving(u32 flags, u64 offset, u64 place, u64 size) const {
        Args args = request_of<Args>(paging_operation::notify_alloc);
        args.NotifyAllocation = {};
        args.NotifyAllocation.hAllocation = options_.allocation;
        args.NotifyAllocation.hKmdProcessHandle = (flags & 2) != 0 ? options_.process : nullptr;
        args.NotifyAllocation.Flags.Value = flags;
        args.NotifyAllocation.OffsetInBytes = offset;
        args.NotifyAllocation.SizeInBytes = size;
        args.NotifyAllocation.GpuVirtualAddressAtOffset = place;
        return args;
    }

    /// Parts of a range: each begins where the one before ends, and together they are the range.
    void judge_parts(std::vector<notice> const& told, notice::kind kind, u64 first, u64 size, std::string const& what) {
        u64 next = first;
        bool in_order = true;
        for (notice const& n : told) {
            in_order = in_order && n.what == kind && n.first == next && n.size != 0;
            next += n.size;
        }
        report_.judge(law::notices_arrive, in_order && next == first + size, [&] {
            return say(what, ": the engine hears ", told.size(), " notices, ", next - first, " bytes in all",
                       in_order ? "" : ", not one after the other");
        });
        report_.judge(law::sums_equal_the_request, next - first == size,
                      [&] { return say(what, ": the commands name ", next - first, " bytes"); });
    }

    void evict() {
        constexpr u64 unit = hw::eviction_unit(Hw::eviction_block);
        auto const& process = memory_.process;
        u64 const blocks = process.size.n / unit;
        if (blocks < 2) {
            return;
        }
        u64 const offset = random_.below(blocks) * unit;
        u64 const most = (process.size.n - offset) / page_bytes;
        u64 const size = (1 + random_.below(random_.chance(20) ? most : lesser<u64>(most, 16))) * page_bytes;
        Args const args = leaving(1, offset, process.first.n + offset, size);
        std::string const what = say("an eviction of ", size, " bytes at ", as_hex{process.first.n + offset});
        bool judged = false;
        std::vector<notice> const told = told_of(args, what, judged);
        if (judged) {
            judge_parts(told, notice::kind::eviction, process.first.n + offset, size, what);
        }
    }

    void leave_iommu() {
        u64 const place = random_.below(virtual_limit_of(hw_) / page_bytes - 4096) * page_bytes;
        u64 const size = (1 + random_.below(random_.chance(20) ? 4096 : 20)) * page_bytes;
        Args const args = leaving(2, 0, place, size);
        std::string const what = say("an IOMMU unmap of ", size, " bytes at ", as_hex{place});
        bool judged = false;
        std::vector<notice> const told = told_of(args, what, judged);
        if (judged && !empties_everything(told)) {
            judge_parts(told, notice::kind::iommu_unmap, place, size, what);
        } else if (judged) {
            report_.judge(law::notices_arrive, true, [] { return std::string(); });
        }
    }

    /// Whether everything was emptied instead of a range: right too, and nothing adds up.
    [[nodiscard]] static bool empties_everything(std::vector<notice> const& told) {
        return !told.empty() && std::all_of(told.begin(), told.end(), [](notice const& n) {
            return n.what != notice::kind::eviction && n.size == 0;
        });
    }

    Hw& hw_;
    law_memory const& memory_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
    pass_driver<Hw, Args, Build> driver_;
};

}  // namespace wddmcore::testing::law_parts

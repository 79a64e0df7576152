// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "dma_pass.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <functional>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Where the two allocations of a present or a render lie, as DXGK_ALLOCATIONLIST names it.
struct allocation_place {
    std::uint32_t segment = 0;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
};

/// Presents or renders: passes until the driver says that it is done, and each pass is patched and handed over to
/// whoever submits.
class dma_builder {
public:
    static constexpr std::uint32_t most_passes = 1000;

    /// @param fence  of the pass before, of whichever kind
    dma_builder(image_driver& driver, vidmm_report& report, std::uint32_t& fence)
        : driver_(driver), report_(report), fence_(fence) {}
    dma_builder(dma_builder const&) = delete;
    dma_builder& operator=(dma_builder const&) = delete;

    /// Gets each pass that has commands, patched for where the allocations are, and the fence that it was patched for.
    std::function<void(dma_pass const&, std::uint32_t fence)> submit;

    /// @param asked  with the handles in its allocation list, and no addresses
    /// @param at     where the allocations are
    /// @param ahead  the addresses are told with the request already (SPL-06), not only when it is patched
    /// @return whether the driver has done it
    bool play(asked_commands asked, allocation_place const& at, bool ahead) {
        asked_commands const placed = with_addresses(asked, at);
        asked_commands const& told = ahead ? placed : asked;
        std::uint32_t progress = 0;
        for (std::uint32_t number = 1; number <= most_passes; ++number) {
            dma_pass pass(driver_, report_, lender_, told);
            if (!pass.call(progress, number)) {
                refused(pass);
                return false;
            }
            ++passes_;
            ++fence_;
            if (!patch(pass, placed, at, ahead)) {
                return false;
            }
            if (submit && !pass.commands().empty()) {
                submit(pass, fence_);
            }
            if (!pass.is_insufficient()) {
                ++done_;
                return true;
            }
            report_.exercised(rule::spl_19);
            if (pass.progress() == progress) {
                report_.broken(rule::spl_19, "another buffer is asked for, and MultipassOffset is what it was",
                               pass.state());
                return false;
            }
            progress = pass.progress();
        }
        report_.broken(rule::spl_19, "a present or render does not end", std::to_string(most_passes) + " passes");
        return false;
    }

    /// Renders once more, after the process has given a part of the request back: the driver must fail it and live on.
    /// With which status no page says.
    void play_without_memory(asked_commands const& asked) {
        std::uint32_t progress = 0;
        for (std::uint32_t number = 1; number <= most_passes; ++number) {
            dma_pass pass(driver_, report_, lender_, asked);
            static_cast<void>(pass.call(progress, number));
            if (!pass.is_gone()) {
                return;
            }
            if (pass.is_insufficient() && pass.progress() != progress) {
                progress = pass.progress();
                continue;
            }
            // The list is there for drivers that use it, and so is what lies behind a page.
            if (asked.gone == given_back::commands) {
                check(!pass.is_insufficient(), rule::spl_17, "another buffer is asked for where nothing can be read",
                      pass);
                check(pass.status() < 0, rule::spl_17,
                      "commands that the process has given back are said to be translated", pass);
            } else if (pass.is_refused()) {
                report_.exercised(rule::spl_17);
            }
            return;
        }
    }

    /// How many requests the driver has done.
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] std::uint64_t passes() const { return passes_; }
    /// With what the driver refused a request; 0: it did not.
    [[nodiscard]] ntstatus refusal() const { return refusal_; }

private:
    using rule = vidmm_rule;
    static constexpr std::uint64_t junk = 0xFA7C'4ED0;

    /// Nobody says what kind of surfaces these allocations are: only a driver that has presented them before needs one
    /// of the page's reasons not to. So does one that gets commands which its user-mode driver would send.
    void refused(dma_pass const& pass) {
        if (!pass.is_refused()) {
            return;
        }
        refusal_ = pass.status();
        if (done_ != 0 || pass.is_render()) {
            check(pass.is_of_page(), rule::spl_22, "the status is none of those of the page", pass,
                  image_driver::hex(pass.status()));
        }
    }

    [[nodiscard]] static asked_commands with_addresses(asked_commands asked, allocation_place const& at) {
        for (auto const& [index, address] : {std::pair(object_layouts::source_index, at.source),
                                             std::pair(object_layouts::destination_index, at.destination)}) {
            auto& entry = asked.allocations[index];
            if (asked.has(index)) {
                entry.SegmentId = at.segment & 31;
                entry.PhysicalAddress.QuadPart = static_cast<i64>(address);
            }
        }
        return asked;
    }

    /// What one call of DxgkDdiPatch makes of the commands.
    /// @return false: it failed, or wrote elsewhere
    bool patch_once(dma_pass const& pass, asked_commands const& placed) {
        auto const f = driver_.function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void const*)>("DxgkDdiPatch");
        auto const patches = pass.patches();
        auto const list = lend(placed.allocations.data(), sizeof placed.allocations, "the allocation list of a patch");
        auto const elements = lend(patches.data(), patches.size_bytes(), "the patch-location list of a patch");
        mirror::vista::dxgkarg_patch args{};
        args.hContext = placed.context;
        args.DmaBufferPhysicalAddress.QuadPart = asked_commands::buffer_address;
        args.pDmaBuffer = pass.commands().data();
        args.DmaBufferSize = placed.sizes.DmaBufferSize;
        args.DmaBufferSubmissionEndOffset = static_cast<u32>(pass.commands().size());
        args.pDmaBufferPrivateData = pass.private_data().data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(pass.private_data().size());
        args.DmaBufferPrivateDataSubmissionEndOffset = args.DmaBufferPrivateDataSize;
        args.pAllocationList = reinterpret_cast<mirror::vista::dxgk_allocationlist const*>(list->data());
        args.AllocationListSize = object_layouts::list_entries;
        args.pPatchLocationList = reinterpret_cast<object_layouts::patch_location const*>(elements->data());
        args.PatchLocationListSize = static_cast<u32>(patches.size());
        args.PatchLocationListSubmissionLength = args.PatchLocationListSize;
        args.SubmissionFenceId = fence_;
        args.Flags.Present = placed.rendered ? 0 : 1;
        auto const memory = lend(&args, sizeof args, "DXGKARG_PATCH");
        ntstatus const status = driver_.kernel().call("DxgkDdiPatch", kp::passive_level,
                                                      [&] { return f(driver_.miniport(), memory->data()); });
        memory->end();
        elements->end();
        list->end();
        bool const good = check(status >= 0, rule::spl_15, "DxgkDdiPatch fails", pass, image_driver::hex(status));
        return check(pass.is_untouched_behind(), rule::spl_07,
                     "DxgkDdiPatch changed bytes outside the portion that is submitted", pass) &&
               good;
    }
    /// Patches a pass for where the allocations are, and looks what patching it for another place and again would do.
    /// Nothing is patched for allocations that are nowhere.
    bool patch(dma_pass const& pass, asked_commands const& placed, allocation_place const& at, bool ahead) {
        if (at.segment == 0 || placed.addresses || pass.patches().empty() || !driver_.has("DxgkDdiPatch")) {
            return true;
        }
        auto const copy = [&pass] { return std::vector<std::byte>(pass.commands().begin(), pass.commands().end()); };
        auto const built = copy();
        if (!patch_once(pass, placed)) {
            return false;
        }
        auto const patched = copy();
        if (ahead) {
            check(same_at_patches(pass, built, patched), rule::spl_06,
                  "the allocation list had addresses, and they were not in the buffer before it was patched", pass);
        }
        allocation_place const moved{at.segment, at.destination, at.source};  // a place that both may have
        if (!patch_once(pass, with_addresses(placed, moved)) || !patch_once(pass, placed)) {
            return false;
        }
        return check(copy() == patched, rule::pre_20,
                     "patching for another place and back has left other bytes than patching once", pass);
    }
    /// Only what an address can be is compared: a driver may write more when it patches, such as the fence.
    [[nodiscard]] static bool same_at_patches(dma_pass const& pass, std::vector<std::byte> const& a,
                                              std::vector<std::byte> const& b) {
        auto const patches = pass.patches();
        return std::all_of(patches.begin(), patches.end(), [&](auto const& p) {
            return p.PatchOffset + std::uint64_t{4} > a.size() ||
                   std::memcmp(a.data() + p.PatchOffset, b.data() + p.PatchOffset, 4) == 0;
        });
    }

    [[nodiscard]] std::shared_ptr<vidmm_parts::loan> lend(void const* content, std::size_t bytes, char const* what) {
        auto memory = lender_.lend(bytes, vidmm_parts::loan_side::end, junk, what, rule::spl_07, rule::spl_07);
        if (bytes != 0) {
            std::memcpy(memory->data(), content, bytes);
        }
        return memory;
    }
    bool check(bool holds, rule which, char const* sentence, dma_pass const& pass, std::string const& more = {}) {
        report_.exercised(which);
        if (!holds) {
            report_.broken(which, sentence, pass.state() + (more.empty() ? "" : "; " + more));
        }
        return holds;
    }

    image_driver& driver_;
    vidmm_report& report_;
    vidmm_parts::lender lender_;
    std::uint32_t& fence_;
    std::uint64_t done_ = 0;
    std::uint64_t passes_ = 0;
    ntstatus refusal_ = 0;
};

}  // namespace wddmcore::testing::certify_parts

#endif

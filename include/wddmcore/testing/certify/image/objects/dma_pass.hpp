// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../kernel/user_space/memory.hpp"
#include "../driver.hpp"
#include "layouts.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <array>
#    include <optional>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What the user-mode driver sends to DxgkDdiRender.
struct user_commands {
    std::vector<std::byte> commands{};
    std::vector<object_layouts::patch_location> patches{};
};

/// Which part of it the process has given back, before the driver is called.
enum class given_back : std::uint8_t {
    nothing,
    commands,
    patches,
    behind_first_pages,  ///< of either
};

/// How the source of a present comes to the screen.
enum class present_kind : std::uint8_t {
    blt,
    color_fill,         ///< there is no source
    flip_by_registers,  ///< there is no destination, and nothing is put into a DMA buffer (FLP-02)
};

/// GPU virtual addresses of what a present is about, in the address space of its context.
struct present_addresses {
    std::uint32_t process = 0;  ///< of the memory manager's simulator
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
    std::uint64_t buffer = 0;
};

/// What a present or a render is asked for: the same in each of its passes.
struct asked_commands {
    /// Where DMA buffers are in system memory, as patching and submission both say.
    static constexpr i64 buffer_address = 0x10'0000;

    void* context = nullptr;
    mirror::v2_0::dxgk_contextinfo sizes{};  ///< of the context's buffers, as the driver said
    std::array<object_layouts::listed_allocation, object_layouts::list_entries> allocations{};
    present_kind kind = present_kind::blt;  ///< of a present
    /// Of a present in a context with GPU virtual addresses, which has no allocation list: drivers that are public read
    /// DXGK_PRESENTALLOCATIONINFO there, which its page reserves for the system.
    std::optional<present_addresses> addresses{};
    object_layouts::rectangle whole{};               ///< of a present
    std::vector<object_layouts::rectangle> parts{};  ///< of a present, inside `whole`
    std::optional<user_commands> rendered{};         ///< of a render
    given_back gone = given_back::nothing;

    [[nodiscard]] char const* function() const { return rendered ? "DxgkDdiRender" : "DxgkDdiPresent"; }
    /// Whether there is a source or a destination.
    [[nodiscard]] bool has(std::uint32_t index) const {
        return rendered || kind != (index == object_layouts::source_index ? present_kind::color_fill
                                                                          : present_kind::flip_by_registers);
    }
    [[nodiscard]] bool has_buffer() const { return rendered || kind != present_kind::flip_by_registers; }
    /// The function, and which present it is, in words.
    [[nodiscard]] std::string words() const {
        return std::string(function()) + (rendered                                  ? ""
                                          : kind == present_kind::color_fill        ? ", a color fill"
                                          : kind == present_kind::flip_by_registers ? ", a flip by registers"
                                                                                    : "");
    }
};

/// One call of DxgkDdiPresent or DxgkDdiRender with fresh buffers, each of which ends where nobody may go on; they live
/// as long as this.
class dma_pass {
public:
    dma_pass(image_driver& driver, vidmm_report& report, vidmm_parts::lender& lender, asked_commands const& asked)
        : driver_(driver), report_(report), lender_(lender), asked_(asked) {}
    dma_pass(dma_pass const&) = delete;
    dma_pass& operator=(dma_pass const&) = delete;
    ~dma_pass() {
        if (dma_.memory != nullptr) {
            kp::memory_services::lend_buffer({dma_.memory->data(), dma_.memory->size()}, std::nullopt);
        }
        for (auto const& each : {dma_.memory, private_.memory, patches_}) {
            if (each != nullptr) {
                each->end();
            }
        }
    }

    /// @param progress  MultipassOffset
    /// @param number    of the pass, for the state of findings
    /// @return whether there are commands, or another pass is asked for; false: it is over with this request
    [[nodiscard]] bool call(std::uint32_t progress, std::uint32_t number) {
        using namespace object_layouts;
        state_ = asked_.words() + ", pass " + std::to_string(number) + ", MultipassOffset " + std::to_string(progress);
        dma_ = area_of(asked_.sizes.DmaBufferSize, true, "the DMA buffer");
        kp::memory_services::lend_buffer({dma_.memory->data(), dma_.memory->size()},
                                         static_cast<std::uint64_t>(asked_commands::buffer_address));
        private_ = area_of(asked_.sizes.DmaBufferPrivateDataSize, false, "the private data of the DMA buffer");
        private_.make_zero();  // as the system has made it (PGB-13)
        patches_ =
            lend(nullptr, asked_.sizes.PatchLocationListSize * sizeof(patch_location), "the patch-location list");
        auto const infos = presented();
        auto const list = asked_.addresses
                              ? lend(infos.data(), sizeof infos, "pAllocationInfo")
                              : lend(asked_.allocations.data(), sizeof asked_.allocations, "the allocation list");
        auto* const allocations = reinterpret_cast<listed_allocation*>(list->data());
        left const l = asked_.rendered ? render_once(progress, allocations) : present_once(progress, allocations);
        list->end();
        progress_ = l.progress;
        return judge(l);
    }

    [[nodiscard]] ntstatus status() const { return status_; }
    [[nodiscard]] std::uint32_t progress() const { return progress_; }
    [[nodiscard]] std::string const& state() const { return state_; }
    /// The commands, which the patch function changes.
    [[nodiscard]] std::span<std::byte> commands() const { return {dma_.memory->data(), used_}; }
    [[nodiscard]] std::span<std::byte> private_data() const {
        return {private_.memory->data(), private_.memory->size()};
    }
    [[nodiscard]] std::span<object_layouts::patch_location const> patches() const { return {patch_list(), patched_}; }
    /// Whether everything behind the commands is as it was, in the buffer and past it.
    [[nodiscard]] bool is_untouched_behind() const { return dma_.is_untouched_from(used_); }

    /// Whether something of what the driver was given was gone.
    [[nodiscard]] bool is_gone() const { return is_gone_; }
    /// Whether another pass goes on.
    [[nodiscard]] bool is_insufficient() const { return status_ == insufficient; }
    [[nodiscard]] bool is_render() const { return asked_.rendered.has_value(); }
    /// Whether the driver will not do this.
    [[nodiscard]] bool is_refused() const { return status_ < 0 && !is_insufficient(); }
    /// Whether a refusal has one of the page's statuses.
    [[nodiscard]] bool is_of_page() const {
        auto const is_one_of = [this](auto const& all) {
            return std::find(std::begin(all), std::end(all), static_cast<std::uint32_t>(status_)) != std::end(all);
        };
        return is_one_of(refusals) ||
               (asked_.rendered ? is_one_of(refusals_to_render) : is_one_of(refusals_to_present));
    }

private:
    using rule = vidmm_rule;
    static constexpr std::uint64_t junk = 0x92E5'E172;
    static constexpr ntstatus insufficient = static_cast<ntstatus>(0xC01E0001);
    // Statuses of both pages; those of only one of them follow.
    static constexpr std::uint32_t refusals[] = {
        0xC0000017,  // STATUS_NO_MEMORY
        0xC0000096,  // STATUS_PRIVILEGED_INSTRUCTION
        0xC000001D,  // STATUS_ILLEGAL_INSTRUCTION
        0xC0000008,  // STATUS_INVALID_HANDLE
        0xC01E0200,  // STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE
    };
    static constexpr std::uint32_t refusals_to_present[] = {
        0xC000009A,  // STATUS_INSUFFICIENT_RESOURCES
        0xC01E0008,  // STATUS_GRAPHICS_CANNOTCOLORCONVERT
    };
    static constexpr std::uint32_t refusals_to_render[] = {
        0xC000000D,  // STATUS_INVALID_PARAMETER
        0xC00000E8,  // STATUS_INVALID_USER_BUFFER
        0xC01E0009,  // STATUS_GRAPHICS_DRIVER_MISMATCH
    };

    /// Where the driver has left its pointers, and MultipassOffset.
    struct left {
        std::byte* dma_buffer;
        std::byte* private_data;
        object_layouts::patch_location* patches;
        std::uint32_t progress;
    };
    template <class Args>
    void fill(Args& args, std::uint32_t progress, object_layouts::listed_allocation* allocations) const {
        if (asked_.has_buffer()) {
            args.dma_buffer = dma_.memory->data();
            args.dma_size = asked_.sizes.DmaBufferSize;
            args.private_data = private_.memory->data();
            args.private_data_size = asked_.sizes.DmaBufferPrivateDataSize;
        }
        args.allocations = allocations;
        args.patches = patch_list();
        args.patches_size = asked_.sizes.PatchLocationListSize;
        args.multipass_offset = progress;
    }
    /// As large as the newest: members of a later version are zero.
    template <class Args>
    [[nodiscard]] left call_with(Args& args, char const* structure) {
        auto const memory = lend(&args, sizeof args, structure);
        auto const f = driver_.function<ntstatus(WDDMCORE_DRIVER_CALL*)(void*, void*)>(asked_.function());
        status_ = driver_.kernel().call(asked_.function(), kp::passive_level,
                                        [&] { return f(asked_.context, memory->data()); });
        std::memcpy(&args, memory->data(), sizeof args);
        memory->end();
        return {args.dma_buffer, args.private_data, args.patches, args.multipass_offset};
    }
    /// The allocation list of a present by addresses.
    [[nodiscard]] std::array<object_layouts::presented_allocation, object_layouts::list_entries> presented() const {
        std::array<object_layouts::presented_allocation, object_layouts::list_entries> out{};
        present_addresses const at = asked_.addresses.value_or(present_addresses{});
        for (auto const& [index, address] : {std::pair(object_layouts::source_index, at.source),
                                             std::pair(object_layouts::destination_index, at.destination)}) {
            out[index].device_specific = asked_.allocations[index].hDeviceSpecificAllocation;
            out[index].virtual_address = asked_.has(index) ? address : 0;
        }
        return out;
    }
    [[nodiscard]] left present_once(std::uint32_t progress, object_layouts::listed_allocation* allocations) {
        using namespace object_layouts;
        auto const parts = lend(asked_.parts.data(), asked_.parts.size() * sizeof(rectangle), "pDstSubRects");
        present args{};
        fill(args, progress, allocations);
        args.destination = asked_.whole;
        args.source = asked_.has(source_index) ? asked_.whole : rectangle{};
        if (asked_.addresses && asked_.has_buffer()) {
            args.dma_virtual_address = asked_.addresses->buffer;
        }
        args.parts_count = static_cast<std::uint32_t>(asked_.parts.size());
        args.parts = reinterpret_cast<rectangle const*>(parts->data());
        args.source_count = asked_.has(source_index) ? 1 : 0;
        args.destination_count = asked_.has(destination_index) ? 1 : 0;
        auto& known = vidmm_parts::journal::current();
        switch (asked_.kind) {
            case present_kind::blt: args.flags = present_blt; break;
            case present_kind::color_fill:
                args.flags = present_color_fill;
                args.color = 0xFF33'6699;
                break;
            case present_kind::flip_by_registers:
                args.flags = present_flip;
                args.flip_interval = 1;
                known.call(state_, false, rule::flp_02, ": this flip has no DMA buffer, nor a destination");
                break;
        }
        left const l = call_with(args, "DXGKARG_PRESENT");
        known.call(state_, false);
        parts->end();
        return l;
    }
    [[nodiscard]] left render_once(std::uint32_t progress, object_layouts::listed_allocation* allocations) {
        using namespace object_layouts;
        user_commands const& sent = *asked_.rendered;
        kp::user_space::user_memory commands(sent.commands);
        kp::user_space::user_memory patches(std::as_bytes(std::span(sent.patches)));
        switch (asked_.gone) {
            case given_back::nothing: break;
            case given_back::commands: is_gone_ = commands.give_back(false); break;
            case given_back::patches: is_gone_ = patches.give_back(false); break;
            case given_back::behind_first_pages: {
                bool const of_commands = commands.give_back(true);
                is_gone_ = patches.give_back(true) || of_commands;
                break;
            }
        }
        render args{};
        fill(args, progress, allocations);
        args.allocations_size = list_entries;
        args.command = commands.data();
        args.command_length = static_cast<std::uint32_t>(sent.commands.size());
        args.patches_in = reinterpret_cast<patch_location const*>(patches.data());
        args.patches_in_size = static_cast<std::uint32_t>(sent.patches.size());
        bool const watches = driver_.kernel().options.watch_user_reads && asked_.gone == given_back::nothing;
        if (watches) {
            report_.exercised(rule::amb_68);
            kp::user_space::read_watch::current().begin({&commands, &patches});
        }
        left const l = call_with(args, "DXGKARG_RENDER");
        kp::user_space::read_watch::current().end();
        return l;
    }

    /// Memory that a store past its end reaches only where its size is odd; there the bytes are compared.
    struct area {
        std::shared_ptr<vidmm_parts::loan> memory;
        std::vector<std::byte> fresh;  // with what follows up to the end of the page
        /// Past the last byte of the buffer that changed, in whole dwords.
        [[nodiscard]] std::size_t end_of_changes() const {
            std::size_t end = memory->size();
            while (end != 0 && memory->data()[end - 1] == fresh[end - 1]) {
                --end;
            }
            return std::min((end + 3) / 4 * 4, memory->size());
        }
        void make_zero() {
            std::fill_n(memory->data(), memory->size(), std::byte{0});
            std::fill_n(fresh.begin(), memory->size(), std::byte{0});
        }
        [[nodiscard]] bool is_untouched_from(std::size_t offset) const {
            auto const now = memory->with_slack();
            return std::equal(now.begin() + static_cast<std::ptrdiff_t>(offset), now.end(),
                              fresh.begin() + static_cast<std::ptrdiff_t>(offset), fresh.end());
        }
    };
    [[nodiscard]] area area_of(std::size_t bytes, bool page_aligned, char const* what) {
        auto const side = page_aligned || bytes % 16 != 0 ? vidmm_parts::loan_side::start : vidmm_parts::loan_side::end;
        area a{lender_.lend(bytes, side, junk, what, rule::spl_20, rule::spl_20), {}};
        auto const all = a.memory->with_slack();
        a.fresh.assign(all.begin(), all.end());
        return a;
    }
    [[nodiscard]] std::shared_ptr<vidmm_parts::loan> lend(void const* content, std::size_t bytes, char const* what) {
        auto memory = lender_.lend(bytes, vidmm_parts::loan_side::end, junk, what, rule::spl_20, rule::spl_20);
        if (content != nullptr && bytes != 0) {
            std::memcpy(memory->data(), content, bytes);
        }
        return memory;
    }
    [[nodiscard]] object_layouts::patch_location* patch_list() const {
        return reinterpret_cast<object_layouts::patch_location*>(patches_->data());
    }
    bool check(bool holds, rule which, char const* sentence, std::string const& more = {}) {
        report_.exercised(which);
        if (!holds) {
            report_.broken(which, sentence, state_ + (more.empty() ? "" : "; " + more));
        }
        return holds;
    }

    [[nodiscard]] bool judge(left const& l) {
        check(dma_.is_untouched_from(dma_.memory->size()), rule::spl_20,
              "bytes past the end of the DMA buffer changed");
        check(private_.is_untouched_from(private_.memory->size()), rule::spl_20,
              "bytes past the end of the private data of the DMA buffer changed");
        return !is_refused() && (asked_.has_buffer() ? take(l) : take_nothing(l)) && judge_patches();
    }
    /// Of a present that has no buffer.
    [[nodiscard]] bool take_nothing(left const& l) {
        return check(l.dma_buffer == nullptr && l.private_data == nullptr, rule::flp_02,
                     "pDmaBuffer or pDmaBufferPrivateData of a flip by registers is no longer NULL") &&
               check(!is_insufficient(), rule::flp_02, "another DMA buffer is asked for, and there was none") &&
               check(reinterpret_cast<std::byte const*>(l.patches) == patches_->data(), rule::flp_02,
                     "pPatchLocationListOut of a flip by registers went on, and there is nothing to patch");
    }
    /// How far the driver's pointers went.
    [[nodiscard]] bool take(left const& l) {
        auto const dma = l.dma_buffer - dma_.memory->data();
        auto const own = l.private_data - private_.memory->data();
        auto const list = reinterpret_cast<std::byte const*>(l.patches) - patches_->data();
        auto const inside = [](std::ptrdiff_t at, std::size_t bytes) {
            return at >= 0 && static_cast<std::size_t>(at) <= bytes;
        };
        bool const good =
            check(inside(dma, dma_.memory->size()), rule::spl_21, "pDmaBuffer leaves the buffer") &&
            check(inside(list, patches_->size()) &&
                      list % static_cast<int>(sizeof(object_layouts::patch_location)) == 0,
                  rule::spl_21, "pPatchLocationListOut is not at an element of the list, nor at its end") &&
            check(inside(own, private_.memory->size()), rule::spl_21, "pDmaBufferPrivateData leaves its area");
        if (good) {
            used_ = static_cast<std::size_t>(dma);
            // A driver that has no room left may say so with a pointer to the buffer's end: its commands end before.
            if (is_insufficient() && used_ == dma_.memory->size()) {
                used_ = dma_.end_of_changes();
            }
            patched_ = static_cast<std::size_t>(list) / sizeof(object_layouts::patch_location);
            // Half a command that found no room may be left behind the others.
            if (!is_insufficient()) {
                check(is_untouched_behind(), rule::spl_21, "bytes of the DMA buffer changed behind pDmaBuffer",
                      std::to_string(used_) + " bytes are said to be written");
            }
        }
        return good;
    }
    [[nodiscard]] bool judge_patches() {
        std::uint32_t before = 0;
        bool good = true;
        for (std::size_t i = 0; i < patched_ && good; ++i) {
            auto const& p = patch_list()[i];
            std::string const which = "element " + std::to_string(i) + ": AllocationIndex " +
                                      std::to_string(p.AllocationIndex) + ", slot " + std::to_string(p.Value) +
                                      ", PatchOffset " + std::to_string(p.PatchOffset) + ", SplitOffset " +
                                      std::to_string(p.SplitOffset) + ", of " + std::to_string(used_) + " bytes";
            check(p.SplitOffset >= before, rule::spl_02, "a SplitOffset is below that of the element before", which);
            check(p.Reserved == 0, rule::spl_03, "a SlotId has more than 24 bits", which);
            good = check(p.AllocationIndex < object_layouts::list_entries, rule::spl_09,
                         "an AllocationIndex is not in the allocation list", which);
            // An element that unbinds may have no place in the buffer.
            bool const binds = good && asked_.allocations[p.AllocationIndex].hDeviceSpecificAllocation != nullptr;
            good = good && (!binds || check(p.PatchOffset + std::uint64_t{4} <= used_, rule::spl_09,
                                            "there is no room for an address at a PatchOffset", which));
            before = p.SplitOffset;
        }
        return good;
    }

    image_driver& driver_;
    vidmm_report& report_;
    vidmm_parts::lender& lender_;
    asked_commands const& asked_;
    area dma_;
    area private_;
    std::shared_ptr<vidmm_parts::loan> patches_;
    std::string state_;
    ntstatus status_ = 0;
    bool is_gone_ = false;
    std::uint32_t progress_ = 0;
    std::size_t used_ = 0;
    std::size_t patched_ = 0;
};

}  // namespace wddmcore::testing::certify_parts

#endif

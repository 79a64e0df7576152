// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../paging.hpp"
#include "dma_builder.hpp"
#include "opener.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What an application has done in a context with two allocations of its device: presents, and renders of what the
/// device model's user-mode driver would send.
class context_commands {
public:
    context_commands(image_driver& driver, played_driver const& played, paging_run& run, paging_services& services,
                     vidmm_report& report)
        : driver_(driver),
          played_(played),
          run_(run),
          services_(services),
          report_(report),
          presents_(driver, report, fence_),
          fills_(driver, report, fence_),
          flips_(driver, report, fence_),
          renders_(driver, report, fence_) {}
    context_commands(context_commands const&) = delete;
    context_commands& operator=(context_commands const&) = delete;

    /// @param opened  the two allocations, of which `source` is read and `destination` written
    void play(vidmm& system, opened_in_device const& opened, vidmm::allocation_number source,
              vidmm::allocation_number destination) {
        is_virtual_ = run_.description().has(vidmm_cap::virtual_addressing);
        bool const presents = has("DxgkDdiPresent", "presents (SPL-19 to SPL-23)");
        bool const renders = has("DxgkDdiRender", "renders (SPL-17, SPL-19 to SPL-23)") && is_rendering_known();
        asked_commands asked;
        if ((!presents && !renders) || !make_context(asked)) {
            return;
        }
        virtual_place mapped;
        asked.allocations[object_layouts::source_index].hDeviceSpecificAllocation = opened.handles[0];
        auto& to = asked.allocations[object_layouts::destination_index];
        to.hDeviceSpecificAllocation = opened.handles[1];
        to.WriteOperation = 1;
        allocation_place const at = placed(system, source, destination);
        if (is_virtual_ && !map(system, mapped, asked, at, source, destination)) {
            leave(system, mapped, asked);
            return;
        }
        std::vector<std::byte> before(at.segment != 0 ? paging_run::largest_allocation : 0);
        if (at.segment != 0) {
            static_cast<void>(system.memory().read(at.destination, before.data(), before.size()));
            presents_.submit = [&](dma_pass const& pass, std::uint32_t fence) { submit(system, asked, pass, fence); };
            fills_.submit = renders_.submit = presents_.submit;
        } else {
            played_.leave_unjudged(
                "what presents and renders become when they are patched; no memory segment has room for both sides");
        }
        if (presents) {
            present(asked, at);
        }
        if (renders && has_lists(asked.sizes)) {
            render(asked, at);
        }
        if (presents) {
            fill(asked, at);
            flip(asked);
        }
        // The simulator of memory knows nothing of either: what they changed is as it was.
        if (at.segment != 0) {
            static_cast<void>(system.memory().write(at.destination, before.data(), before.size()));
        }
        leave(system, mapped, asked);
    }

    /// What was done, for the lines of a report.
    [[nodiscard]] std::string text() const {
        auto const said = [](dma_builder const& of, char const* what) {
            return std::to_string(of.done()) + ' ' + what + " in " + std::to_string(of.passes()) + " passes";
        };
        return said(presents_, "presents") + ", " + said(renders_, "renders") + ", " + said(fills_, "color fills") +
               ", " + std::to_string(flips_.done()) + " flips";
    }

private:
    using rule = vidmm_rule;
    static constexpr std::int32_t surface = 32;  // pixels, in each direction
    static constexpr std::uint32_t most_renders = 16;

    [[nodiscard]] bool has(char const* function, char const* what) {
        if (!driver_.has(function)) {
            played_.leave_unjudged(std::string(what) + "; " + function + " is not registered");
        }
        return driver_.has(function);
    }
    [[nodiscard]] bool is_rendering_known() {
        if (is_virtual_) {
            played_.leave_unjudged(
                "renders (SPL-17, SPL-19 to SPL-23); contexts with GPU virtual addresses take them from the user-mode "
                "driver as they are");
            return false;
        }
        if (played_.model->render_commands == nullptr) {
            played_.leave_unjudged(
                "renders (SPL-17, SPL-19 to SPL-23); the device model has no `render_commands`: nothing says what its "
                "user-mode driver would send");
        }
        return played_.model->render_commands != nullptr;
    }

    // With GPU virtual addresses: a process of the memory manager's simulator has both allocations and the DMA buffer.

    struct virtual_place {
        vidmm::process_number process = 0;
        vidmm::allocation_number buffer = 0;
        std::uint64_t buffer_address = 0;  // in its segment
        std::vector<std::byte> before{};   // in the buffer
    };
    [[nodiscard]] bool map(vidmm& system, virtual_place& to, asked_commands& asked, allocation_place const& at,
                           vidmm::allocation_number source, vidmm::allocation_number destination) {
        to.process = system.create_process();
        bool mapped = false;
        if (to.process != 0 && at.segment != 0) {
            system.adopt_context(to.process, asked.context);
            to.buffer = system.create(bytes{asked.sizes.DmaBufferSize});
            static_cast<void>(to.buffer != 0 && system.commit(to.buffer, segment_id{at.segment}));
            to.buffer_address = to.buffer != 0 ? system.address_in_segment(to.buffer).n : 0;
            constexpr std::uint64_t apart = 64 << 20;
            // Past what entry 0 of the root covers, whatever the tables are.
            for (unsigned bits = 40; bits >= 30 && !mapped && to.buffer_address != 0; bits -= 2) {
                std::uint64_t const base = std::uint64_t{1} << bits;
                mapped = system.map(to.process, source, {base}) &&
                         system.map(to.process, destination, {base + apart}) &&
                         system.map(to.process, to.buffer, {base + 2 * apart});
                asked.addresses = {to.process, base, base + apart, base + 2 * apart};
            }
        }
        if (mapped) {
            to.before.resize(asked.sizes.DmaBufferSize);
            static_cast<void>(system.memory().read(to.buffer_address, to.before.data(), to.before.size()));
            buffer_address_ = to.buffer_address;
        } else {
            played_.leave_unjudged(
                "presents (SPL-19 to SPL-23); there is no place for the allocations and the DMA buffer in a memory "
                "segment and in the address space of a process");
        }
        return mapped;
    }
    void leave(vidmm& system, virtual_place const& at, asked_commands const& asked) {
        if (!at.before.empty()) {
            static_cast<void>(system.memory().write(at.buffer_address, at.before.data(), at.before.size()));
        }
        if (at.buffer != 0) {
            system.destroy(at.buffer);
        }
        if (at.process != 0) {
            system.release_context(at.process, asked.context);
        }
        static_cast<void>(driver_.call_with("DxgkDdiDestroyContext", kp::passive_level, asked.context));
    }

    [[nodiscard]] bool has_lists(mirror::v2_0::dxgk_contextinfo const& sizes) {
        bool const has = sizes.AllocationListSize >= object_layouts::list_entries && sizes.PatchLocationListSize != 0;
        if (!has) {
            played_.leave_unjudged("renders (SPL-17, SPL-19 to SPL-23); contexts have no lists of three allocations");
        }
        return has;
    }

    void present(asked_commands asked, allocation_place const& at) {
        asked.kind = present_kind::blt;
        play_parts(presents_, asked, at, "presents (SPL-19 to SPL-23)");
    }
    void fill(asked_commands asked, allocation_place const& at) {
        asked.kind = present_kind::color_fill;
        asked.allocations[object_layouts::source_index] = {};
        play_parts(fills_, asked, at, "color fills (SPL-19 to SPL-23)");
    }
    /// One part, then more than a buffer may hold; each once without and once with the addresses.
    void play_parts(dma_builder& with, asked_commands& asked, allocation_place const& at, char const* what) {
        asked.whole = {0, 0, surface, surface};
        for (std::uint32_t const parts : {1U, 400U}) {
            asked.parts = parts_of(parts);
            for (bool const ahead : {false, true}) {
                if (report_.passed() && with.refusal() == 0) {
                    static_cast<void>(with.play(asked, at, ahead && at.segment != 0));
                }
            }
        }
        leave_refused(with, what);
    }
    void leave_refused(dma_builder const& of, char const* what) {
        if (of.refusal() != 0) {
            played_.leave_unjudged(std::string(what) + "; DxgkDdiPresent returned " + image_driver::hex(of.refusal()));
        }
    }
    /// Only those of which it is known that they have no DMA buffer; the second one changes nothing, and is played all
    /// the same.
    void flip(asked_commands asked) {
        if (!run_.description().flips_by_registers) {
            played_.leave_unjudged("flips (FLP-02); the driver does not have FlipOnVSyncMmIo");
            return;
        }
        asked.kind = present_kind::flip_by_registers;
        asked.whole = {0, 0, surface, surface};
        asked.allocations[object_layouts::destination_index] = {};
        for (int i = 0; i < 2 && report_.passed() && flips_.refusal() == 0; ++i) {
            static_cast<void>(flips_.play(asked, {}, false));
        }
        leave_refused(flips_, "flips (FLP-02)");
    }

    /// All that the device model's user-mode driver would send, and some of it once more while the process gives its
    /// memory back.
    void render(asked_commands asked, allocation_place const& at) {
        std::uint32_t number = 0;
        for (; number < most_renders && report_.passed() && renders_.refusal() == 0; ++number) {
            asked.rendered = sent(number, asked.sizes);
            if (!asked.rendered) {
                break;
            }
            for (bool const ahead : {false, true}) {
                if (report_.passed() && renders_.refusal() == 0) {
                    static_cast<void>(renders_.play(asked, at, ahead && at.segment != 0));
                }
            }
            if (report_.passed() && renders_.refusal() == 0) {
                give_back(asked, number == 0);
            }
        }
        if (number == 0) {
            played_.leave_unjudged(
                "renders (SPL-17, SPL-19 to SPL-23); the device model's user-mode driver sends none");
        }
        if (renders_.refusal() != 0 && report_.passed()) {
            played_.find(crash_id::refused, "DxgkDdiRender returned " + image_driver::hex(renders_.refusal()) +
                                                " for what the device model's user-mode driver sends");
        }
    }
    /// @param is_first  its memory goes as a whole; of others what lies behind a page
    void give_back(asked_commands asked, bool is_first) {
        // From source no exception is handled: it is called all the same, so that the kernel throws its dice as often.
        bool const handles_exceptions = !driver_.kernel().image->functions().empty();
        if (!handles_exceptions && is_first) {
            played_.leave_unjudged(
                "exception protection of user-mode memory (SPL-17); the driver handles no exceptions");
        }
        auto const play = [&](given_back what) {
            asked.gone = handles_exceptions ? what : given_back::nothing;
            renders_.play_without_memory(asked);
        };
        if (is_first) {
            play(given_back::commands);
            play(given_back::patches);
        } else {
            play(given_back::behind_first_pages);
        }
    }
    /// What the device model's user-mode driver would send, as its `number`-th request, with no more than the context
    /// has room for; nothing: it has no more.
    [[nodiscard]] std::optional<user_commands> sent(std::uint32_t number, mirror::v2_0::dxgk_contextinfo const& sizes) {
        auto const* const m = played_.model;
        std::vector<std::byte> room(sizes.DmaBufferSize);
        std::vector<wddmcore_patch_location> places(sizes.PatchLocationListSize);
        auto count = static_cast<unsigned>(places.size());
        auto const bytes = m->render_commands(m->device, number, paging_run::largest_allocation, room.data(),
                                              static_cast<unsigned>(room.size()), places.data(), &count);
        if (bytes > room.size() || count > places.size()) {
            played_.find(crash_id::refused, "the device model sends " + std::to_string(bytes) +
                                                " bytes of commands and " + std::to_string(count) +
                                                " patch locations; there is room for " + std::to_string(room.size()) +
                                                " and " + std::to_string(places.size()));
            return std::nullopt;
        }
        if (bytes == 0) {
            return std::nullopt;
        }
        user_commands out;
        out.commands.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(bytes));
        places.resize(count);
        for (wddmcore_patch_location const& p : places) {
            object_layouts::patch_location to{};
            to.AllocationIndex = p.allocation_index;
            to.Value = p.slot & 0xFF'FFFF;
            to.DriverId = p.driver_id;
            to.AllocationOffset = p.allocation_offset;
            to.PatchOffset = p.patch_offset;
            to.SplitOffset = p.split_offset;
            out.patches.push_back(to);
        }
        return out;
    }

    [[nodiscard]] bool make_context(asked_commands& to) {
        mirror::v3_2::dxgkarg_createcontext args{};
        std::array<std::byte, 256> data{};
        auto const* const m = played_.model;
        args.EngineAffinity = 1;
        args.Flags.VirtualAddressing = is_virtual_;
        if (m->context_data != nullptr) {
            auto const sent = filled(data, m->context_data(m->device, 0x2000, data.data(), data.size()), played_.find);
            args.PrivateDriverDataSize = static_cast<std::uint32_t>(sent.size());
            args.pPrivateDriverData = data.data();
        }
        driver_.before_contexts(owners::of_application);
        if (ntstatus const status = driver_.create_context(&args); status < 0) {
            played_.find(crash_id::refused, refused_context(args, status));
            return false;
        }
        to.context = args.hContext;
        std::memcpy(&to.sizes, &args.ContextInfo, sizeof to.sizes);
        char const* const left = why_not(to.sizes);
        if (*left != '\0') {
            played_.leave_unjudged(
                std::string(
                    "presents and renders (SPL-17, SPL-19 to SPL-23); the DMA buffers of DxgkDdiCreateContext ") +
                left);
            static_cast<void>(driver_.call_with("DxgkDdiDestroyContext", kp::passive_level, to.context));
        }
        return *left == '\0';
    }
    /// What is not played of a context's buffers; empty: nothing.
    [[nodiscard]] static char const* why_not(mirror::v2_0::dxgk_contextinfo const& sizes) {
        constexpr std::uint32_t most_bytes = 16 << 20;
        return sizes.DmaBufferSize == 0 ? "have no size"
               : sizes.DmaBufferSize > most_bytes || sizes.DmaBufferPrivateDataSize > most_bytes ||
                       sizes.PatchLocationListSize > most_bytes / sizeof(object_layouts::patch_location)
                   ? "have more than 16 MiB, or as much private data or patch locations"
                   : "";
    }
    /// Both allocations in the first memory segment; segment 0: there is none, or no room.
    [[nodiscard]] allocation_place placed(vidmm& system, vidmm::allocation_number source,
                                          vidmm::allocation_number destination) {
        for (vidmm_reported_segment const& s : run_.description().adapters.at(0).segments) {
            if (!s.is_aperture() && system.commit(source, segment_id{s.id}) &&
                system.commit(destination, segment_id{s.id})) {
                return {s.id, system.address_in_segment(source).n, system.address_in_segment(destination).n};
            }
        }
        return {};
    }
    /// Parts of a surface that every allocation here has room for: nobody says how wide it is.
    [[nodiscard]] std::vector<object_layouts::rectangle> parts_of(std::uint32_t count) {
        std::vector<object_layouts::rectangle> out;
        // Of its own: the kernel throws its dice at each call, and how often memset is called is a compiler's choice.
        vidmm_parts::dice dice(driver_.kernel().options.seed ^ count);
        auto const below = [&dice](std::int32_t end) {
            return static_cast<std::int32_t>(dice.below(static_cast<std::uint64_t>(end)));
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            std::int32_t const left = below(surface);
            std::int32_t const top = below(surface);
            out.push_back({left, top, left + 1 + below(surface - left), top + 1 + below(surface - top)});
        }
        return out;
    }
    /// A pass goes to the engine, which executes it and interrupts.
    void submit(vidmm& system, asked_commands const& asked, dma_pass const& pass, std::uint32_t fence) {
        auto const* const m = played_.model;
        char const* const function = is_virtual_ ? "DxgkDdiSubmitCommandVirtual" : "DxgkDdiSubmitCommand";
        if (!driver_.has(function) || pass.commands().size() % 4 != 0) {
            return;
        }
        services_.submitted(fence);
        ntstatus const status =
            is_virtual_ ? submit_virtual(system, asked, pass, fence) : submit_physical(asked, pass, fence);
        if (status < 0) {
            played_.find(crash_id::refused, std::string(function) + " returned " + image_driver::hex(status));
            return;
        }
        if (m->execute == nullptr) {
            static_cast<void>(run_.wait_for_fences());
            return;
        }
        model_engine engine(*m);
        std::vector<std::uint32_t> words(pass.commands().size() / 4);
        std::memcpy(words.data(), pass.commands().data(), pass.commands().size());
        execution const done = engine.execute(words.data(), words.size(), system.memory());
        report_.exercised(rule::spl_23);
        if (!done.ok) {
            report_.broken(rule::spl_23, "the engine stops in the commands of a present or render",
                           pass.state() + ": at dword " + std::to_string(done.dword) + ": " + done.why);
            return;
        }
        if (m->window_done != nullptr) {
            m->window_done(m->device);
        }
        services_.run_deferred();
        static_cast<void>(run_.wait_for_fences());
    }
    [[nodiscard]] ntstatus submit_virtual(vidmm& system, asked_commands const& asked, dma_pass const& pass,
                                          std::uint32_t fence) {
        auto const commands = pass.commands();
        static_cast<void>(system.memory().write(buffer_address_, commands.data(), commands.size()));
        system.enter(asked.addresses->process);
        mirror::v2_0::dxgkarg_submitcommandvirtual args{};
        args.hContext = asked.context;
        args.DmaBufferVirtualAddress = asked.addresses->buffer;
        args.DmaBufferSize = static_cast<u32>(commands.size());
        args.pDmaBufferPrivateData = pass.private_data().data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(pass.private_data().size());
        args.SubmissionFenceId = fence;
        args.Flags.Present = 1;
        return driver_.call("DxgkDdiSubmitCommandVirtual", kp::dispatch_level, &args);
    }
    [[nodiscard]] ntstatus submit_physical(asked_commands const& asked, dma_pass const& pass, std::uint32_t fence) {
        mirror::v2_0::dxgkarg_submitcommand args{};
        args.hContext = asked.context;
        args.DmaBufferPhysicalAddress.QuadPart = asked_commands::buffer_address;
        args.DmaBufferSize = asked.sizes.DmaBufferSize;
        args.DmaBufferSubmissionEndOffset = static_cast<u32>(pass.commands().size());
        args.pDmaBufferPrivateData = pass.private_data().data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(pass.private_data().size());
        args.DmaBufferPrivateDataSubmissionEndOffset = args.DmaBufferPrivateDataSize;
        args.SubmissionFenceId = fence;
        args.Flags.Present = pass.is_render() ? 0 : 1;
        return driver_.call("DxgkDdiSubmitCommand", kp::dispatch_level, &args);
    }

    image_driver& driver_;
    played_driver const& played_;
    paging_run& run_;
    paging_services& services_;
    vidmm_report& report_;
    std::uint32_t fence_ = 0x4000'0000;  // far from those of paging
    bool is_virtual_ = false;            // contexts have GPU virtual addresses
    std::uint64_t buffer_address_ = 0;   // of what stands for the DMA buffer then, in its segment
    dma_builder presents_;
    dma_builder fills_;
    dma_builder flips_;
    dma_builder renders_;
};

}  // namespace wddmcore::testing::certify_parts

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../paging.hpp"
#include "opener.hpp"
#include "presenter.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What applications do with allocations: they are opened in the devices of two processes, presented, closed, and
/// opened while the kernel has no memory to give. For `paging_run::instead`.
class object_run {
public:
    object_run(image_driver& driver, played_driver const& played, paging_run& run, paging_services& services)
        : driver_(driver),
          played_(played),
          run_(run),
          services_(services),
          opener_(driver, report_),
          presenter_(driver, report_) {}
    object_run(object_run const&) = delete;
    object_run& operator=(object_run const&) = delete;

    void use(vidmm& system) {
        tell_what_is_absent();
        if (opener_.is_possible() && played_.model->allocation_data != nullptr) {
            auto const first = system.create(bytes{paging_run::largest_allocation});
            auto const second = system.create(bytes{paging_run::largest_allocation});
            if (run_.allocations().size() == 2) {
                open_and_present(system, first, second);
                if (opens_again_) {
                    open_while_requests_fail();
                }
            }
            system.destroy(second);
            system.destroy(first);
        }
        played_.say("objects: " + std::to_string(driver_.processes().count()) + " processes, " +
                    std::to_string(opener_.opened()) + " times opened, " + std::to_string(presenter_.presents()) +
                    " presents in " + std::to_string(presenter_.passes()) + " passes; of " + std::to_string(attempts_) +
                    " openings without memory " + std::to_string(failed_) + " failed");
        played_.count(report_);
        played_.count(driver_.processes().report());
    }

private:
    using rule = vidmm_rule;
    static constexpr std::uint32_t other_process = 2;

    void tell_what_is_absent() {
        bool const has_processes = at_least(run_.description().version, wddm::v2_0);
        if (has_processes && !driver_.has("DxgkDdiCreateProcess")) {
            played_.leave_unjudged("processes (AMB-64); DxgkDdiCreateProcess is not registered");
        }
        if (!opener_.is_possible()) {
            played_.leave_unjudged(
                "opened allocations (OBJ-01 to OBJ-03); DxgkDdiOpenAllocation and DxgkDdiCloseAllocation are not both "
                "registered");
        } else if (played_.table.create_allocation == nullptr) {
            played_.leave_unjudged("opened allocations (OBJ-01 to OBJ-03); DxgkDdiCreateAllocation is not registered");
        } else if (played_.model->allocation_data == nullptr) {
            played_.leave_unjudged("opened allocations (OBJ-01 to OBJ-03); the device model has no `allocation_data`");
        }
        if (driver_.has("DxgkDdiRender")) {
            played_.leave_unjudged("DxgkDdiRender; nothing says what commands the user-mode driver would send");
        }
    }

    void open_and_present(vidmm& system, vidmm::allocation_number source, vidmm::allocation_number destination) {
        auto const mine = open(owners::of_application, true);
        if (!mine) {
            return;
        }
        if (driver_.processes().make(other_process, driver_.miniport()) >= 0) {
            if (auto const theirs = open(other_process, false)) {
                opener_.close(*theirs);
                opens_again_ = true;
            }
        }
        if (!driver_.has("DxgkDdiPresent")) {
            played_.leave_unjudged("presents (SPL-19 to SPL-23); DxgkDdiPresent is not registered");
        } else if (run_.description().has(vidmm_cap::virtual_addressing)) {
            played_.leave_unjudged(
                "presents (SPL-19 to SPL-23); no page says what a context with GPU virtual addresses is given");
        } else if (std::find(mine->handles.begin(), mine->handles.end(), nullptr) == mine->handles.end()) {
            present(system, *mine, source, destination);
        }
        opener_.close(*mine);
    }
    [[nodiscard]] std::optional<opened_in_device> open(std::uint32_t process, bool creates) {
        ntstatus status = 0;
        auto opened = opener_.open(process, run_.allocations(), creates, status);
        if (!opened && creates) {
            played_.find(crash_id::refused, "DxgkDdiOpenAllocation returned " + image_driver::hex(status));
        } else if (!opened) {
            // These allocations belong to no resource that was made to be shared.
            played_.leave_unjudged("allocations opened by another process; DxgkDdiOpenAllocation returned " +
                                   image_driver::hex(status));
        }
        return opened;
    }

    // Presents.

    void present(vidmm& system, opened_in_device const& opened, vidmm::allocation_number source,
                 vidmm::allocation_number destination) {
        asked_present asked;
        if (!make_context(asked)) {
            return;
        }
        asked.allocations[object_layouts::source_index].hDeviceSpecificAllocation = opened.handles[0];
        auto& to = asked.allocations[object_layouts::destination_index];
        to.hDeviceSpecificAllocation = opened.handles[1];
        to.WriteOperation = 1;
        asked.whole = {0, 0, surface, surface};
        present_place const at = placed(system, source, destination);
        if (at.segment == 0) {
            played_.leave_unjudged(
                "what presents become when they are patched; no memory segment has room for both sides");
        }
        std::vector<std::byte> before(at.segment != 0 ? paging_run::largest_allocation : 0);
        if (at.segment != 0) {
            static_cast<void>(system.memory().read(at.destination, before.data(), before.size()));
            presenter_.submit = [&](present_pass const& pass, std::uint32_t fence) {
                submit(system, asked, pass, fence);
            };
        }
        // One part, then more than a buffer may hold; each once without and once with the addresses.
        for (std::uint32_t const parts : {1U, 400U}) {
            asked.parts = parts_of(parts);
            for (bool const ahead : {false, true}) {
                if (report_.passed() && presenter_.refusal() == 0) {
                    static_cast<void>(presenter_.play(asked, at, ahead && at.segment != 0));
                }
            }
        }
        if (presenter_.refusal() != 0) {
            played_.leave_unjudged("presents (SPL-19 to SPL-23); DxgkDdiPresent returned " +
                                   image_driver::hex(presenter_.refusal()));
        }
        // The simulator of memory knows nothing of presents: what they changed is as it was.
        if (at.segment != 0) {
            static_cast<void>(system.memory().write(at.destination, before.data(), before.size()));
        }
        static_cast<void>(driver_.call_with("DxgkDdiDestroyContext", kp::passive_level, asked.context));
    }
    [[nodiscard]] bool make_context(asked_present& to) {
        mirror::v3_2::dxgkarg_createcontext args{};
        std::array<std::byte, 256> data{};
        auto const* const m = played_.model;
        args.EngineAffinity = 1;
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
                std::string("presents (SPL-19 to SPL-23); the DMA buffers of DxgkDdiCreateContext ") + left);
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
    [[nodiscard]] present_place placed(vidmm& system, vidmm::allocation_number source,
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
    void submit(vidmm& system, asked_present const& asked, present_pass const& pass, std::uint32_t fence) {
        auto const* const m = played_.model;
        if (!driver_.has("DxgkDdiSubmitCommand") || pass.commands().size() % 4 != 0) {
            return;
        }
        mirror::v2_0::dxgkarg_submitcommand args{};
        args.hContext = asked.context;
        args.DmaBufferPhysicalAddress.QuadPart = asked_present::buffer_address;
        args.DmaBufferSize = asked.sizes.DmaBufferSize;
        args.DmaBufferSubmissionEndOffset = static_cast<u32>(pass.commands().size());
        args.pDmaBufferPrivateData = pass.private_data().data();
        args.DmaBufferPrivateDataSize = static_cast<u32>(pass.private_data().size());
        args.DmaBufferPrivateDataSubmissionEndOffset = args.DmaBufferPrivateDataSize;
        args.SubmissionFenceId = fence;
        args.Flags.Present = 1;
        services_.submitted(fence);
        if (ntstatus const status = driver_.call("DxgkDdiSubmitCommand", kp::dispatch_level, &args); status < 0) {
            played_.find(crash_id::refused, "DxgkDdiSubmitCommand returned " + image_driver::hex(status));
            return;
        }
        model_engine engine(*m);
        std::vector<std::uint32_t> words(pass.commands().size() / 4);
        std::memcpy(words.data(), pass.commands().data(), pass.commands().size());
        execution const done = engine.execute(words.data(), words.size(), system.memory());
        report_.exercised(rule::spl_23);
        if (!done.ok) {
            report_.broken(rule::spl_23, "the engine stops in the commands of a present",
                           pass.state() + ": at dword " + std::to_string(done.dword) + ": " + done.why);
            return;
        }
        if (m->window_done != nullptr) {
            m->window_done(m->device);
        }
        services_.run_deferred();
        run_.wait_for_fences();
    }

    // Without memory.

    /// Several allocations in one call: a driver that fails at one of them has to give back what it has for the others,
    /// or that is what it leaves behind in the end.
    void open_while_requests_fail() {
        kp::kernel_system& kernel = driver_.kernel();
        std::uint64_t const failed_before = kernel.requests_failed;
        for (attempts_ = 0; attempts_ < 24; ++attempts_) {
            ntstatus status = 0;
            std::uint32_t const share = std::exchange(kernel.options.failures, 300U);
            auto const opened = opener_.open(owners::of_application, run_.allocations(), false, status);
            kernel.options.failures = share;
            // What the driver refuses where no request failed, or later, has nothing to do with it.
            bool const had_memory = std::exchange(kernel.requests_failed, failed_before) == failed_before;
            if (opened) {
                opener_.close(*opened);
                continue;
            }
            ++failed_;
            if (had_memory) {
                played_.find(crash_id::refused, "DxgkDdiOpenAllocation returned " + image_driver::hex(status));
            }
        }
    }

    static constexpr std::int32_t surface = 32;  // pixels, in each direction

    image_driver& driver_;
    played_driver const& played_;
    paging_run& run_;
    paging_services& services_;
    vidmm_report report_;
    opener opener_;
    presenter presenter_;
    bool opens_again_ = false;  // allocations that exist already
    std::uint32_t attempts_ = 0;
    std::uint32_t failed_ = 0;
};

}  // namespace wddmcore::testing::certify_parts

#endif

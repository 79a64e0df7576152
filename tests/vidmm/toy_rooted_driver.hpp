// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_driver.hpp"

#include <wddmcore/testing/vidmm/adapter/bindings.hpp>

#include <functional>
#include <optional>

namespace toy {

/// What a context was told of its root.
struct toy_root {
    u32 segment = 0;
    u64 offset = 0;
    u32 entries = 0;
};

/// The toy driver with contexts.
class toy_rooted_driver : public toy_driver {
public:
    using toy_driver::toy_driver;

    context_log log;  ///< where it makes the contexts itself

    void add_context_functions(wddmcore_driver_table& to) {
        makes_contexts_ = true;
        testing::vidmm_parts::with_adapter_types(static_cast<wddm>(to.version), [&to](auto tag) {
            using types = typename decltype(tag)::type;
            to.create_context_with_info = &testing::vidmm_parts::call_create_context<toy_rooted_driver, types>;
        });
        to.destroy_context = [](void* adapter, void* context) WDDMCORE_DRIVER_CALL -> int {
            return static_cast<toy_rooted_driver*>(adapter)->destroy_context(context);
        };
    }

    template <class Args>
    ntstatus create_context_with_info(Args& args) {
        if (args.EngineAffinity != 1U << own_adapter) {
            return status::invalid_parameter;
        }
        args.hContext = reinterpret_cast<void*>(std::uintptr_t{0xD01D'0000} + ++log.made * 16);
        bool const of_the_system = args.Flags.SystemContext != 0;
        contexts_[args.hContext] = of_the_system;
        log.of_the_system += of_the_system ? 1U : 0U;
        log.paging_node = of_the_system ? args.NodeOrdinal : log.paging_node;
        return status::success;
    }

    ntstatus destroy_context(void* context) {
        ++log.destroyed;
        return contexts_.erase(context) != 0 ? status::success : status::invalid_handle;
    }

    template <class Args>
    ntstatus build_paging_buffer(Args& args) {
        log.unnamed += args.hSystemContext == nullptr ? 1U : 0U;
        return toy_driver::build_paging_buffer(args);
    }

    std::function<void(void* context)> on_submit;  ///< somebody watches

    /// Whether a handle is one of the system's contexts that there are.
    [[nodiscard]] bool is_of_the_system(void* context) const {
        auto const named = contexts_.find(context);
        return named != contexts_.end() && named->second;
    }

    template <class Args>
    ntstatus submit_command_virtual(Args const& args) {
        if (on_submit) {
            on_submit(args.hContext);
        }
        log.unnamed += args.hContext == nullptr ? 1U : 0U;
        if (makes_contexts_ && args.hContext != nullptr) {
            auto const named = contexts_.find(args.hContext);
            log.strangers += named == contexts_.end() ? 1U : 0U;
            log.companion_windows += named != contexts_.end() && !named->second ? 1U : 0U;
        }
        return toy_driver::submit_command_virtual(args);
    }

    void set_root_page_table(mirror::v2_0::dxgkarg_setrootpagetable const& args) {
        log.strangers += makes_contexts_ && !contexts_.contains(args.hContext) ? 1U : 0U;
        if (auto const* const before = std::exchange(kept_, &args); wrong.root_keeps_arguments && before != nullptr) {
            static_cast<void>(*static_cast<u32 const volatile*>(&before->NumEntries));
        }
        if (wrong.root_never) {
            return;
        }
        toy_root now{args.Address.SegmentId, args.Address.SegmentOffset, args.NumEntries};
        now.segment = wrong.root_without_segment ? 0 : now.segment;
        now.offset = wrong.root_cut ? now.offset & 0xffff'ffff : now.offset;
        auto const [last, first] = roots_.try_emplace(wrong.root_for_all ? nullptr : args.hContext, now);
        now.entries = wrong.root_entries_once ? last->second.entries : now.entries;
        last->second = wrong.root_once && !first ? last->second : now;
    }

    /// Whole pages, and as many entries as there is room for.
    u64 get_root_page_table_size(mirror::v2_0::dxgkarg_getrootpagetablesize& args) {
        if (args.PhysicalAdapterIndex != own_adapter) {
            return 0;
        }
        u32 const in_page = 4096 / 8;
        u32 const pages =
            wrong.root_too_few ? std::max(args.NumberOfPte / in_page, 1U) : (args.NumberOfPte + in_page - 1) / in_page;
        args.NumberOfPte = wrong.root_uneven ? args.NumberOfPte : pages * in_page;
        return wrong.root_uneven ? u64{args.NumberOfPte} * 8 : u64{pages} * 4096;
    }

    [[nodiscard]] std::optional<toy_root> root_of(void* context) const {
        auto const found = roots_.find(wrong.root_for_all ? nullptr : context);
        return found == roots_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::map<void*, toy_root> roots_;
    std::map<void*, bool> contexts_;  ///< the living ones, and whether one is the system's
    bool makes_contexts_ = false;
    mirror::v2_0::dxgkarg_setrootpagetable const* kept_ = nullptr;
};

}  // namespace toy

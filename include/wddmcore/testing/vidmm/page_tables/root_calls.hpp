// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../adapter/machine.hpp"
#include "../machine.hpp"
#include "tables.hpp"

/// The calls that are about roots and about contexts: DxgkDdiGetRootPageTableSize, DxgkDdiSetRootPageTable,
/// DxgkDdiCreateContext and DxgkDdiDestroyContext.
namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What a root needs.
struct root_extent {
    std::uint64_t size = 0;     ///< bytes; 0: there is none
    std::uint32_t entries = 0;  ///< that fit
};

/// Makes the contexts of address spaces, tells each of them where its root is, and asks for the sizes of roots.
class root_calls {
public:
    explicit root_calls(machine& m) : m_(m) {}

    /// Whether contexts exist and hear of their roots: the driver has the function, and its handles can be had.
    [[nodiscard]] bool used() const {
        return m_.table.set_root_page_table != nullptr &&
               (m_.options.page_tables.context_of || m_.table.create_context_with_info != nullptr);
    }

    /// Whether roots are as large as the driver says, and grow (GVA-26).
    [[nodiscard]] bool resizable() const { return m_.resizable_roots(); }

    /// Asks for the size of a root (GVA-26).
    /// @param wanted  entries that it has to have
    /// @param page    bytes of a page of the segment that holds it
    /// @return of size 0: the answer breaks the rule
    [[nodiscard]] root_extent size_for(std::uint32_t wanted, std::uint64_t page, std::uint32_t entry_bytes) {
        mirror::v2_0::dxgkarg_getrootpagetablesize args{};
        args.NumberOfPte = wanted;
        args.PhysicalAdapterIndex = m_.options.physical_adapter.value_or(0);
        auto const memory = lent(args, vidmm_rule::gva_26, "DXGKARG_GETROOTPAGETABLESIZE");
        std::string const state = "DxgkDdiGetRootPageTableSize, " + std::to_string(wanted) + " entries";
        journal::current().call(state, false);
        std::uint64_t const size = m_.table.get_root_page_table_size(m_.table.adapter, memory->data());
        std::memcpy(&args, memory->data(), sizeof args);
        memory->end();
        m_.report.exercised(vidmm_rule::gva_26);
        bool const enough = args.NumberOfPte >= wanted && size / entry_bytes >= args.NumberOfPte;
        if (size == 0 || size % page != 0 || !enough) {
            m_.broken(vidmm_rule::gva_26,
                      enough ? "the size of a root is not whole pages of its segment"
                             : "a root has fewer entries than were asked for, or no room for those it has",
                      state + ": " + std::to_string(size) + " bytes and " + std::to_string(args.NumberOfPte) +
                          " entries were given",
                      false);
            return {};
        }
        return {size, args.NumberOfPte};
    }

    /// Tells every context of an address space, which are idle now, where its root is (GVA-28). The first time they
    /// are made before.
    void tell(address_space& space, page_table const& root) {
        if (m_.stopped || !used()) {
            return;
        }
        make_contexts(space);
        vidmm_location const at = location_of(root.where);
        for (void* const context : space.contexts) {
            mirror::v2_0::dxgkarg_setrootpagetable args{};
            args.hContext = context;
            args.Address.SegmentId = at.segment;
            args.Address.SegmentOffset = at.offset;
            args.NumEntries = static_cast<u32>(root.entries.size());
            auto const memory = lent(args, vidmm_rule::gva_28, "DXGKARG_SETROOTPAGETABLE");
            journal::current().call("DxgkDdiSetRootPageTable, " + describe(space, root), false);
            m_.table.set_root_page_table(m_.table.adapter, memory->data());
            memory->end();
        }
        m_.events.moment(track_system, "root page table", m_.clock,
                         {trace::argument::number("process", space.number),
                          trace::argument::number("entries", root.entries.size())});
        m_.clock += 100;
        space.root_told = true;
    }

    /// Destroys the contexts of an address space that were made here.
    void destroy_contexts(address_space& space) {
        if (m_.options.page_tables.context_of == nullptr && m_.table.destroy_context != nullptr && !m_.stopped) {
            for (void* const context : space.contexts) {
                journal::current().call("DxgkDdiDestroyContext", false);
                static_cast<void>(m_.table.destroy_context(m_.table.adapter, context));
            }
        }
        space.contexts.clear();
    }

    /// An address space and its root, in words.
    [[nodiscard]] static std::string describe(address_space const& space, page_table const& root) {
        vidmm_location const at = location_of(root.where);
        return "process " + std::to_string(space.number) + ", root of " + std::to_string(root.entries.size()) +
               " entries in segment " + std::to_string(at.segment) + " at " + hex(at.offset);
    }

private:
    template <class Args>
    [[nodiscard]] std::shared_ptr<loan> lent(Args const& args, vidmm_rule rule, char const* what) {
        auto memory = m_.memory_for_calls.lend(sizeof args, loan_side::end, m_.junk(), what, rule, rule);
        std::memcpy(memory->data(), &args, sizeof args);
        return memory;
    }

    // Every second process has two contexts: what is kept of one of them is not kept of the other.
    void make_contexts(address_space& space) {
        std::uint32_t const count = space.contexts.empty() ? 1 + space.number % 2 : 0;
        if (count != 0 && m_.options.page_tables.before_contexts) {
            m_.options.page_tables.before_contexts(space.number);
        }
        for (std::uint32_t which = 0; which < count; ++which) {
            space.contexts.push_back(m_.options.page_tables.context_of
                                         ? m_.options.page_tables.context_of(space.number, which)
                                         : create_context(space.number == 0));
        }
    }

    [[nodiscard]] void* create_context(bool of_the_system) {
        mirror::v3_2::dxgkarg_createcontext args{};
        args.NodeOrdinal = of_the_system ? m_.options.page_tables.paging_node : 0;
        args.EngineAffinity = 1U << m_.options.physical_adapter.value_or(0);
        args.Flags.SystemContext = of_the_system ? 1 : 0;
        args.Flags.VirtualAddressing = 1;
        std::size_t const size = adapter_sizes_of(m_.version).context;
        auto const memory =
            m_.memory_for_calls.lend(size, loan_side::end, m_.junk(), "DXGKARG_CREATECONTEXT", vidmm_rule::output_size);
        std::memcpy(memory->data(), &args, size);
        journal::current().call("DxgkDdiCreateContext", false);
        ntstatus const status = m_.table.create_context_with_info(m_.table.adapter, memory->data());
        std::memcpy(&args, memory->data(), size);
        memory->end();
        if (!succeeded(status)) {
            throw std::runtime_error("vidmm: DxgkDdiCreateContext returned " + hex(static_cast<std::uint32_t>(status)));
        }
        return args.hContext;
    }

    machine& m_;
};

}  // namespace wddmcore::testing::vidmm_parts

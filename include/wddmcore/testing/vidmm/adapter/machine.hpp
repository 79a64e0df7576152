// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/adapter_query.hpp"
#include "../calls/lending.hpp"
#include "../checks/report.hpp"
#include "bindings.hpp"
#include "options.hpp"

#include <cstring>
#include <stdexcept>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Bytes of a version's structures: every structure here is, in an older version, the beginning of the newest one.
struct adapter_sizes {
    std::size_t query = 0;
    std::size_t context = 0;
    std::size_t create_allocation = 0;
    std::size_t allocation_info = 0;
    std::size_t drivercaps = 0;
    std::size_t descriptor4 = 0;
    std::size_t physical_adapter = 0;
};

[[nodiscard]] inline adapter_sizes adapter_sizes_of(wddm version) {
    return with_adapter_types(version, [](auto tag) {
        using types = typename decltype(tag)::type;
        using queries = typename types::queries;
        adapter_sizes s;
        s.query = sizeof(typename types::query);
        s.context = sizeof(typename types::context);
        s.create_allocation = sizeof(typename types::allocation);
        s.allocation_info = sizeof(meta::bare<decltype(*typename types::allocation{}.pAllocationInfo)>);
        s.drivercaps = sizeof(typename queries::drivercaps);
        if constexpr (present<typename queries::segmentdescriptor4>) {
            s.descriptor4 = sizeof(typename queries::segmentdescriptor4);
            s.physical_adapter = sizeof(typename queries::physicaladaptercaps);
        }
        return s;
    });
}

/// What a query came back with; of no meaning unless `success`.
struct query_reply {
    ntstatus status = status::not_supported;
    std::vector<std::byte> output;

    [[nodiscard]] bool success() const { return status >= 0; }

    /// The output as the newest structure, zero where the version has no such member.
    template <class Structure>
    [[nodiscard]] Structure as() const {
        Structure s{};
        std::memset(&s, 0, sizeof s);
        std::memcpy(&s, output.data(), std::min(output.size(), sizeof s));
        return s;
    }
};

/// What the parts of an adapter's start share.
struct adapter_machine {
    adapter_machine(wddmcore_driver_table const& driver, vidmm_adapter_options o)
        : table(taken_from(driver)),
          options(std::move(o)),
          version(interface_version_of(table.version)),
          sizes(adapter_sizes_of(version)),
          random(options.seed) {
        require(table.query_adapter_info != nullptr, "query_adapter_info is required");
        // A driver may register an old version and be compiled with newer headers, whose structures begin with the old.
        auto const compare = [](unsigned told, std::size_t mirrored, char const* sentence) {
            require(told == 0 || told >= mirrored, sentence);
        };
        compare(table.query_adapter_info_size, sizes.query,
                "the driver's DXGKARG_QUERYADAPTERINFO is smaller than its version's");
        compare(table.create_context_size, sizes.context,
                "the driver's DXGKARG_CREATECONTEXT is smaller than its version's");
        compare(table.create_allocation_size, sizes.create_allocation,
                "the driver's DXGKARG_CREATEALLOCATION is smaller than its version's");
        compare(table.map_cpu_host_aperture_size, sizeof(mirror::v2_0::dxgkarg_mapcpuhostaperture),
                "the driver's DXGKARG_MAPCPUHOSTAPERTURE is smaller than its version's");
        compare(table.unmap_cpu_host_aperture_size, sizeof(mirror::v2_0::dxgkarg_unmapcpuhostaperture),
                "the driver's DXGKARG_UNMAPCPUHOSTAPERTURE is smaller than its version's");
        require(options.physical_adapters >= 1 && options.physical_adapters <= 64, "1 to 64 physical adapters");
        require(options.stride_slack % 8 == 0, "the stride keeps descriptors aligned");
        require(!options.form5 || at_least(version, wddm::v3_2), "form 5 belongs to WDDM 3.2");
        description.version = version;
    }

    adapter_machine(adapter_machine const&) = delete;
    adapter_machine& operator=(adapter_machine const&) = delete;

    /// Counts a rule as looked at, and as broken unless it holds.
    bool check(bool holds, vidmm_rule rule, std::string const& state) {
        if (holds) {
            report.exercised(rule);
        } else {
            report.broken(rule, vidmm_rules[static_cast<std::size_t>(rule)].sentence, state);
        }
        return holds;
    }

    [[nodiscard]] std::uint64_t junk() { return random.next() | 1; }

    /// Sends a query. The output is as large as `output` and starts with its bytes; what is past it may not change.
    query_reply ask(adapter_query type, std::span<std::byte const> input, std::span<std::byte const> output,
                    char const* name, vidmm_rule outside = vidmm_rule::output_size) {
        auto const in = input.empty() ? nullptr : lend(input, loan_side::end, "the query's input", outside);
        auto const out = lend(output, loan_side::start, "the query's output", outside);
        std::vector<std::byte> const slack = behind(*out);
        mirror::v3_2::dxgkarg_queryadapterinfo args{};
        args.Type = static_cast<u32>(type);
        args.pInputData = in ? in->data() : nullptr;
        args.InputDataSize = static_cast<u32>(input.size());
        args.pOutputData = out->data();
        args.OutputDataSize = static_cast<u32>(output.size());
        query_reply reply = send(args, name);
        reply.output.assign(out->data(), out->data() + out->size());
        check(slack == behind(*out), outside, std::string(name) + ": bytes past the output were written");
        out->end();
        if (in) {
            in->end();
        }
        return reply;
    }

    /// Sends a query whose structure is input and output at once (AMB-43).
    query_reply ask_in_place(adapter_query type, std::span<std::byte const> both, char const* name) {
        auto const memory = lend(both, loan_side::end, "the query's structure", vidmm_rule::output_size);
        mirror::v3_2::dxgkarg_queryadapterinfo args{};
        args.Type = static_cast<u32>(type);
        args.pInputData = memory->data();
        args.InputDataSize = static_cast<u32>(both.size());
        args.pOutputData = memory->data();
        args.OutputDataSize = static_cast<u32>(both.size());
        query_reply reply = send(args, name);
        reply.output.assign(memory->data(), memory->data() + memory->size());
        memory->end();
        return reply;
    }

    [[nodiscard]] std::shared_ptr<loan> lend(std::span<std::byte const> content, loan_side side, char const* what,
                                             vidmm_rule outside) {
        auto memory = lent.lend(content.size(), side, junk(), what, outside);
        if (!content.empty()) {
            std::memcpy(memory->data(), content.data(), content.size());
        }
        return memory;
    }

    /// Lends a structure of the version, with as many bytes of junk behind it as the driver may copy.
    [[nodiscard]] std::shared_ptr<loan> lend_structure(std::span<std::byte const> content, unsigned told,
                                                       char const* what, vidmm_rule outside) {
        auto memory = lent.lend(std::max<std::size_t>(told, content.size()), loan_side::end, junk(), what, outside);
        std::memcpy(memory->data(), content.data(), content.size());
        return memory;
    }

    wddmcore_driver_table table;
    vidmm_adapter_options options;
    wddm version;
    adapter_sizes sizes;
    dice random;
    lender lent;
    vidmm_report report;
    vidmm_adapter_description description;
    unsigned irql = 0;

private:
    [[nodiscard]] static wddmcore_driver_table taken_from(wddmcore_driver_table const& given) {
        wddmcore_driver_table known{};
        std::memcpy(&known, &given, std::min<std::size_t>(given.size, sizeof known));
        return known;
    }

    static void require(bool holds, char const* sentence) {
        if (!holds) {
            throw std::invalid_argument(std::string("vidmm_adapter: ") + sentence);
        }
    }

    [[nodiscard]] static std::vector<std::byte> behind(loan const& memory) {
        auto const all = memory.with_slack();
        return {all.begin() + static_cast<std::ptrdiff_t>(memory.size()), all.end()};
    }

    query_reply send(mirror::v3_2::dxgkarg_queryadapterinfo const& args, char const* name) {
        auto const* const begin = reinterpret_cast<std::byte const*>(&args);
        auto const lent_args = lend_structure({begin, sizes.query}, table.query_adapter_info_size,
                                              "DXGKARG_QUERYADAPTERINFO", vidmm_rule::output_size);
        journal::current().call(std::string("DxgkDdiQueryAdapterInfo, ") + name, false);
        query_reply reply;
        reply.status = table.query_adapter_info(table.adapter, lent_args->data());
        lent_args->end();
        return reply;
    }
};

/// The bytes of a structure.
template <class Structure>
[[nodiscard]] std::span<std::byte const> bytes_of(Structure const& s) {
    return std::as_bytes(std::span(&s, 1));
}

}  // namespace wddmcore::testing::vidmm_parts

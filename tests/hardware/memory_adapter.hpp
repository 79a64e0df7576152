// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/expect_both.hpp"

#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/segment.hpp>
#include <wddmcore/testing/vidmm/adapter/start.hpp>

#include <map>
#include <utility>

/// The least driver around a memory description: it answers queries and moves a CPU host aperture, for the simulator's
/// judge of adapters, which shares nothing with the library's.
namespace memory_adapters {

using namespace wddmcore;

/// Nodes and their scheduling, which belong to an adapter's answers but not to its memory.
struct one_node {
    static constexpr preemption_engine engines[] = {{.other = {other_preemption_granularity::dma_buffer_boundary}}};
    static constexpr scheduling_capabilities scheduling{.virtual_addressing = claim::yes};
};

/// @tparam Hw  a hardware type of an interface version from 2.9 on
template <class Hw>
class adapter_driver {
public:
    static constexpr wddm version = Hw::caps.version;
    using binding = mirror_binding<version>;
    using query_args = mirror::v2_4::dxgkarg_queryadapterinfo;

    explicit adapter_driver(Hw started) : hw(std::move(started)) {}

    Hw hw;
    std::map<std::pair<u32, u32>, u64> host_aperture;  ///< pages of the segment, by segment and aperture page

    void store_host_aperture_entry(segment_id segment, u32 at, u64 to) { host_aperture[{segment.n, at}] = to; }
    void clear_host_aperture_entry(segment_id segment, u32 at) { host_aperture.erase({segment.n, at}); }

    /// A query: `ask(adapter_query::gpummucaps, in, out)`.
    template <class Input, class Output>
    query_answer ask(adapter_query type, Input const& input, Output& output) const {
        Input copy = input;
        query_args args{};
        args.Type = static_cast<u32>(type);
        args.pInputData = &copy;
        args.InputDataSize = sizeof copy;
        args.pOutputData = &output;
        args.OutputDataSize = sizeof output;
        return answer_query_adapter_info<binding>(hw, args);
    }

    [[nodiscard]] wddmcore_driver_table table() {
        wddmcore_driver_table t{};
        t.size = sizeof t;
        t.version = static_cast<u32>(version);
        t.adapter = this;
        t.query_adapter_info = query;
        t.query_adapter_info_size = sizeof(query_args);
        t.begin_exclusive_access = agree;
        t.end_exclusive_access = agree;
        t.map_cpu_host_aperture = map;
        t.unmap_cpu_host_aperture = unmap;
        t.host_aperture_target = target;
        return t;
    }

private:
    [[nodiscard]] static adapter_driver& of(void* d) { return *static_cast<adapter_driver*>(d); }
    [[nodiscard]] segment::view table_of_segments() const { return adapter_info::detail::segments_of(hw, 0); }

    static int WDDMCORE_DRIVER_CALL query(void* d, void const* args) {
        query_answer const answer = answer_query_adapter_info<binding>(of(d).hw, *static_cast<query_args const*>(args));
        return answer.done() ? answer.status : status::not_supported;
    }
    static int WDDMCORE_DRIVER_CALL agree(void*, void const*) { return status::success; }
    static int WDDMCORE_DRIVER_CALL map(void* d, void const* args) {
        auto const& a = *static_cast<mirror::v2_0::dxgkarg_mapcpuhostaperture const*>(args);
        return segment::map_cpu_host_aperture(of(d).table_of_segments(), of(d), a);
    }
    static int WDDMCORE_DRIVER_CALL unmap(void* d, void const* args) {
        auto const& a = *static_cast<mirror::v2_0::dxgkarg_unmapcpuhostaperture const*>(args);
        return segment::unmap_cpu_host_aperture(of(d).table_of_segments(), of(d), a);
    }
    static int WDDMCORE_DRIVER_CALL target(void* d, unsigned, unsigned id, unsigned long long at,
                                           unsigned long long* to) {
        segment::flags const flags = of(d).table_of_segments().reported[id - 1].flags;
        u64 const page = flags.has(segment::flag::use_64kb_pages) ? 65536 : 4096;
        auto const found = of(d).host_aperture.find({id, static_cast<u32>(at / page)});
        if (found == of(d).host_aperture.end()) {
            return 1;
        }
        *to = found->second * page + at % page;
        return 0;
    }
};

/// Starts an adapter on the simulator, with and without remapping, and returns what it said.
template <class Hw>
testing::vidmm_adapter_description expect_starts(adapter_driver<Hw>& driver, bool remaps) {
    testing::vidmm_adapter_options options;
    options.remaps = remaps;
    testing::vidmm_adapter adapter(driver.table(), options);
    bool const started = adapter.start();
    INFO(adapter.report().text(), adapter.refusal());
    CHECK(started);
    CHECK(adapter.report().passed());
    return adapter.description();
}

/// Everything that the compiler can judge of a table: it, and page tables that lie in its segments.
template <auto const& Table, class Hw>
constexpr bool is_sound = check_segments<Table, segment::profile_of(Hw::caps)>() &&
                          check_page_table_segments<Table, Hw::page_tables, Hw::table_segments, Hw::caps.page_tables>();

}  // namespace memory_adapters

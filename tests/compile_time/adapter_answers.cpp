// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// One source file of a driver: DxgkDdiQueryAdapterInfo for one hardware type. Stage compile_time counts what it
// instantiates.

#include <wddmcore/adapter_info.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/segment/table/table.hpp>

#include <hardware/amd_gfx10.hpp>

using namespace wddmcore;

namespace {

struct gpu : examples::amd::gfx10<> {
    static constexpr scheduling_capabilities scheduling{};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::none}}};

    segment::table<2> table;

    [[nodiscard]] segment::view segments(u32) const { return table.all(); }
};

}  // namespace

ntstatus query_adapter_info(gpu& adapter, mirror::v1_3::dxgkarg_queryadapterinfo const& args) {
    return answer_query_adapter_info<mirror_binding<wddm::v1_3>>(adapter, args).status;
}

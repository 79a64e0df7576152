// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "answers/my_adapter.hpp"

#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/mirror.hpp>

#include <cstdio>

using namespace wddmcore;
using guide::kestrel, guide::my_adapter;

// region: ask
namespace ddi = mirror::v2_0;
using binding = mirror_binding<wddm::v2_0>;

template <class Input, class Output>
query_answer ask(my_adapter const& adapter, adapter_query type, Input input, Output& output) {
    ddi::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(type);
    args.pInputData = &input;
    args.InputDataSize = sizeof input;
    args.pOutputData = &output;
    args.OutputDataSize = sizeof output;
    return answer_query_adapter_info<binding>(adapter, args);
}
// end: ask

int main() {
    my_adapter adapter{};
    binding::querysegmentout4 out{};
    // region: start
    auto const early = ask(adapter, adapter_query::querysegment4, binding::querysegmentin{}, out);
    std::printf("before StartDevice:  status %08x, count %u\n", static_cast<unsigned>(early.status), out.NbSegment);

    auto const wrong = adapter.segments.place(kestrel::vram, {.size = 6 * gib + bytes{1}, .cpu = {0xE000'0000}});
    std::printf("an odd size:         %s\n", segment::text_of(wrong.what));
    auto const right = adapter.segments.place(kestrel::vram, {.size = 6 * gib, .cpu = {0xE000'0000}});
    std::printf("6 GiB:               %s\n", right.what == segment::rule::none ? "placed" : "refused");
    // end: start

    // region: twice
    out = {};
    static_cast<void>(ask(adapter, adapter_query::querysegment4, binding::querysegmentin{}, out));
    std::printf("first call:          %u segments\n", out.NbSegment);
    ddi::dxgk_segmentdescriptor4 rows[2]{};
    out.pSegmentDescriptor = reinterpret_cast<u8*>(rows);
    out.SegmentDescriptorStride = sizeof rows[0];
    auto const filled = ask(adapter, adapter_query::querysegment4, binding::querysegmentin{}, out);
    std::printf("second call:         paging buffers in segment %u, %u bytes\n", out.PagingBufferSegmentId,
                out.PagingBufferSize);
    for (auto const& row : rows) {
        std::printf("  base %010llx  %5llu MiB  aperture %u, CPU visible %u\n",
                    static_cast<unsigned long long>(row.BaseAddress.QuadPart),
                    static_cast<unsigned long long>(row.Size >> 20), row.Flags.Aperture + 0u,
                    row.Flags.CpuVisible + 0u);
    }
    // end: twice

    // region: caps
    binding::drivercaps caps{};
    auto const answer = ask(adapter, adapter_query::drivercaps, 0u, caps);
    std::printf("driver caps:         %s, preemption aware %u, nodes %u, graphics granularity %u\n",
                succeeded(answer.status) ? "filled" : "refused", caps.SchedulingCaps.PreemptionAware + 0u,
                caps.GpuEngineTopology.NbAsymetricProcessingNodes,
                static_cast<unsigned>(caps.PreemptionCaps.GraphicsPreemptionGranularity));
    // end: caps
    return succeeded(filled.status) && succeeded(answer.status) && !succeeded(early.status) ? 0 : 1;
}

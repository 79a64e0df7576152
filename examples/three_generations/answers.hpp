// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bench.hpp"

/// What an adapter answers, compared with what its chip is.
namespace wddmcore::examples {

/// DxgkDdiQueryAdapterInfo with its structures.
template <class Input, class Output>
[[nodiscard]] query_answer ask(amd::any_generation const& gpu, adapter_query type, Input input, Output& output) {
    mirror::v2_4::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(type);
    args.pInputData = &input;
    args.InputDataSize = sizeof input;
    args.pOutputData = &output;
    args.OutputDataSize = sizeof output;
    return answer_query_adapter_info<mirror_binding<wddm::v3_2>>(gpu, args);
}

/// What the chip says of itself is what it is.
[[nodiscard]] inline bool answers(amd::any_generation const& gpu, silicon chip) {
    using binding = mirror_binding<wddm::v3_2>;
    binding::physicaladaptercaps adapter{};
    bool good = ask(gpu, adapter_query::physicaladaptercaps, binding::queryphysicaladaptercapsin{0}, adapter).done();
    good = good && adapter.NumExecutionNodes == chip.nodes && adapter.PagingNodeIndex == 1;
    binding::gpummucaps mmu{};
    good = good && ask(gpu, adapter_query::gpummucaps, binding::querygpummucapsin{0}, mmu) == query_answered;
    good = good && mmu.VirtualAddressBitCount == 12 + 9 * chip.levels && mmu.PageTableLevelCount == chip.levels;
    binding::page_table_level_desc root{};
    binding::querypagetableleveldescin asked{static_cast<u16>(chip.levels - 1), 0};
    good = good && ask(gpu, adapter_query::pagetableleveldesc, asked, root) == query_answered;
    good = good && root.PageTableIndexBitCount == 9 && root.PageTableSegmentId == gpu.vram.n;
    asked.LevelIndex = static_cast<u16>(chip.levels);
    good = good && ask(gpu, adapter_query::pagetableleveldesc, asked, root).reason == query_reason::no_such_level;
    binding::querysegmentout4 segments{};
    good = good && ask(gpu, adapter_query::querysegment4, binding::querysegmentin{}, segments) == query_answered;
    return good && segments.NbSegment == 2;
}

}  // namespace wddmcore::examples

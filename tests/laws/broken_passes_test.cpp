// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Build functions that spoil a pass in one way each; the hardware type is right.
#include "expect_broken.hpp"

namespace broken_passes_test {

using namespace law_rigs;

namespace {

using hardware = mock_gpu<mock::adl_virtual>;
using arguments = law_arguments<hardware>;
using build_function = std::function<ntstatus(hardware&, arguments&)>;  // one type, so that the laws are compiled once

law_report judged(build_function const& build) {
    mock_gpu_rig<hardware> rig;
    law_report report;
    laws{rig.hw, options_of_run()}.check_memory(report, rig.play, build);
    return report;
}

u32* words(arguments const& args) { return static_cast<u32*>(args.pDmaBuffer); }

}  // namespace

TEST_CASE("a build function that only forwards breaks no law") {
    law_report const report = judged([](hardware& hw, arguments& args) { return build_paging_buffer(hw, args); });
    CHECK_MESSAGE(report.kept(), report.text());
    CHECK(report.times_exercised(law::passes_advance) > 100);
}

TEST_CASE("law legal_statuses: busy, and need of a buffer where there is none (PGB-08, OBS-02)") {
    expect_law(judged([](hardware&, arguments&) { return status::graphics_allocation_busy; }), law::legal_statuses,
               "0xc01e0102");
    law_report const report = judged([](hardware& hw, arguments& args) {
        return args.pDmaBuffer == nullptr ? status::graphics_insufficient_dma_buffer : build_paging_buffer(hw, args);
    });
    expect_law(report, law::legal_statuses, "at once, without a buffer, is answered 0xc01e0001");
}

TEST_CASE("law room_is_kept: behind the room, before it, and a pointer that goes too far (PGB-01)") {
    law_report report = judged([](hardware& hw, arguments& args) {
        if (args.pDmaBuffer != nullptr) {
            words(args)[args.DmaSize / 4] = 0;
        }
        return build_paging_buffer(hw, args);
    });
    expect_law(report, law::room_is_kept, "changes, and the room has");
    report = judged([](hardware& hw, arguments& args) {
        if (args.pDmaBuffer != nullptr) {
            words(args)[-1] = 0;
        }
        return build_paging_buffer(hw, args);
    });
    expect_law(report, law::room_is_kept, "dword -1 changes");
    report = judged([](hardware& hw, arguments& args) {
        u32* const end = args.pDmaBuffer != nullptr ? words(args) + args.DmaSize / 4 + 1 : nullptr;
        ntstatus const status = build_paging_buffer(hw, args);
        args.pDmaBuffer = end;
        return status;
    });
    expect_law(report, law::room_is_kept, "pDmaBuffer moves");
}

TEST_CASE("law whole_grains: padding left out of the committed window (PGB-03)") {
    law_report const report = judged([](hardware& hw, arguments& args) {
        ntstatus const status = build_paging_buffer(hw, args);
        if (args.pDmaBuffer != nullptr) {
            args.pDmaBuffer = words(args) - 1;
            args.DmaSize += 4;
        }
        return status;
    });
    expect_law(report, law::whole_grains, "and the grain is 3");
}

TEST_CASE("law inputs_stay: an argument that is used as a variable, and DmaSize (PGB-04, AMB-06)") {
    law_report report = judged([](hardware& hw, arguments& args) {
        ntstatus const status = build_paging_buffer(hw, args);
        args.TransferVirtual.SourceVirtualAddress += 4096;
        return status;
    });
    expect_law(report, law::inputs_stay, "changes an input");
    report = judged([](hardware& hw, arguments& args) {
        u32 const before = args.DmaSize;
        ntstatus const status = build_paging_buffer(hw, args);
        args.DmaSize = before;
        return status;
    });
    expect_law(report, law::inputs_stay, "DmaSize of");
}

TEST_CASE("law honest_records: private data that is taken without a record, and two for one pass (PGB-13)") {
    law_report const report = judged([](hardware& hw, arguments& args) {
        ntstatus const status = build_paging_buffer(hw, args);
        if (args.pDmaBufferPrivateData != nullptr) {
            args.pDmaBufferPrivateData = static_cast<u8*>(args.pDmaBufferPrivateData) + 8;
        }
        return status;
    });
    expect_law(report, law::honest_records, "moves the pointer elsewhere");
}

TEST_CASE("law passes_advance: the same token for ever (PGB-05)") {
    law_report const report = judged([](hardware& hw, arguments& args) {
        u32 const token = args.MultipassOffset;
        ntstatus const status = build_paging_buffer(hw, args);
        args.MultipassOffset = token;
        return status;
    });
    expect_law(report, law::passes_advance, "and the token stays at 0 after 0");
}

TEST_CASE("law same_in_any_buffer: a pass that looks at what the buffer held") {
    law_report const report = judged([](hardware& hw, arguments& args) {
        u32* const first = words(args);
        u32 const before = first != nullptr ? first[1] & 1 : 0;
        ntstatus const status = build_paging_buffer(hw, args);
        if (first != nullptr && words(args) != first) {
            first[1] ^= before;
        }
        return status;
    });
    expect_law(report, law::same_in_any_buffer, "another content of the buffer");
}

}  // namespace broken_passes_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_lists.hpp"

#include <wddmcore/preemption/buffers/context_lists.hpp>
#include <wddmcore/preemption/buffers/render_pass.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace render_pass_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

TEST_CASE("SPL-18: a context for GDI asks for 256 entries, one without patching lists written primaries only") {
    mirror::v2_0::dxgk_contextinfo info{};
    for (u32 entries = 0; entries < 600; ++entries) {
        info.AllocationListSize = entries;
        CHECK(allocation_list_size_is_legal(info, true) == (entries == 256));
        CHECK(allocation_list_size_is_legal(info, false));
    }
    for (int bits = 0; bits < 4; ++bits) {
        bool const primary = (bits & 1) != 0;
        bool const written = (bits & 2) != 0;
        CHECK(belongs_in_allocation_list(true, primary, written));
        CHECK(belongs_in_allocation_list(false, primary, written) == (bits == 3));
    }
}

TEST_CASE("SPL-19: MultipassOffset carries a render's progress, and outputs move past what was written") {
    struct render {
        void* pDmaBuffer;
        u32 DmaSize;
        element* pPatchLocationListOut;
        u32 PatchLocationListOutSize;
        u32 MultipassOffset;
    };
    u8 buffer[64] = {};
    element out[4] = {};
    render args{buffer, sizeof buffer, out, 4, 0};
    CHECK(commit_render(args, {false, 3, 40, 2}) == status::graphics_insufficient_dma_buffer);
    CHECK((args.pDmaBuffer == buffer + 40 && args.pPatchLocationListOut == out + 2 && args.MultipassOffset == 3));
    CHECK((args.DmaSize == sizeof buffer && args.PatchLocationListOutSize == 4));
    // The next pass: a fresh buffer, the same token.
    args.pDmaBuffer = buffer;
    args.pPatchLocationListOut = out;
    CHECK(commit_render(args, {true, 5, 64, 4}) == status::success);
    CHECK((args.pDmaBuffer == buffer + 64 && args.pPatchLocationListOut == out + 4 && args.MultipassOffset == 5));
}

TEST_CASE("SPL-19: a pass that goes back, or that claims more than the buffers hold, changes nothing") {
    struct render {
        u8* pDmaBuffer;
        u32 DmaSize;
        element* pPatchLocationListOut;
        u32 PatchLocationListOutSize;
        u32 MultipassOffset;
    };
    constexpr auto refused = [](render_progress progress) {
        u8 buffer[8] = {};
        element out[2] = {};
        render args{buffer, 8, out, 2, 7};
        bool const status_is_right = commit_render(args, progress) == status::invalid_parameter;
        return status_is_right && args.pDmaBuffer == buffer && args.pPatchLocationListOut == out &&
               args.MultipassOffset == 7;
    };
    expect_both(refused({false, 6, 0, 0}) && refused({true, 0, 8, 2}));
    expect_both(refused({false, 8, 9, 0}) && refused({false, 8, 0, 3}) && refused({true, 8, ~u32{0}, 0}));
    // A pass that neither moves the token nor writes anything would be repeated for ever.
    expect_both(refused({false, 7, 0, 0}) && refused({false, 7, 0, 2}));
    expect_both(!refused({false, 7, 8, 2}) && !refused({false, 8, 0, 0}) && !refused({true, 7, 0, 0}));
}

}  // namespace render_pass_test

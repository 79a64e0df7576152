// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// DxgkDdiRender and DxgkDdiPatch of wdk/.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

/// Its commands are one dword of the command buffer and the address of allocation 0.
struct drawing_gpu : noting_gpu {
    static constexpr u32 command_dwords = 3;
    static constexpr u32 command_bytes = command_dwords * sizeof(u32);
    preemption::patch_rules patching{.slots = 4};

    ntstatus refusal = status::success;
    int passes = 0;
    bool goes_back = false;
    bool forgets_its_end = false;
    void* seen_own = nullptr;

    template <class Args>
    ntstatus translate(void* own, Args& args, wdk::render_pass<Args>& pass) noexcept {
        ++passes;
        seen_own = own;
        auto const* const commands = static_cast<u32 const*>(args.pCommand);
        u32 const count = args.CommandLength / 4;
        pass.done = true;
        for (; pass.token != count; ++pass.token) {
            if (args.DmaSize - pass.dma_bytes < command_bytes) {
                pass.done = false;
                break;
            }
            auto* const at = static_cast<u32*>(args.pDmaBuffer) + pass.dma_bytes / sizeof(u32);
            preemption::patch_use const use{.allocation_index = 0,
                                            .slot = 1,
                                            .allocation_offset = 0x10,
                                            .patch_offset = pass.dma_bytes + 4,
                                            .split_offset = pass.dma_bytes};
            if (pass.patches.add(use, pass.addresses) == preemption::patch_defect::full) {
                pass.done = false;
                break;
            }
            at[0] = commands[pass.token];
            pass.dma_bytes += command_bytes;
        }
        pass.token -= goes_back ? 1 : 0;
        pass.dma_bytes += forgets_its_end ? args.DmaSize : 0;
        return refusal;
    }
};
static_assert(wdk::check_device<drawing_gpu>() && wdk::check_rendering<drawing_gpu>());

/// Three commands that use one allocation at an address.
struct drawing {
    started_as<drawing_gpu> s{};
    int own = 0;
    DXGKARG_CREATECONTEXT context = s.context(0, false, &own);
    u32 commands[3] = {0xA1, 0xA2, 0xA3};
    u32 buffer[drawing_gpu::command_dwords * 3] = {};
    D3DDDI_PATCHLOCATIONLIST list[3] = {};
    DXGK_ALLOCATIONLIST allocation{};
    DXGKARG_RENDER args{};

    drawing() {
        allocation.hDeviceSpecificAllocation = &own;
        allocation.SegmentId = 2;
        allocation.PhysicalAddress.QuadPart = 0x12'3456'7000;
        args.pCommand = commands;
        args.CommandLength = sizeof commands;
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        args.pAllocationList = &allocation;
        args.AllocationListSize = 1;
        args.pPatchLocationListOut = list;
        args.PatchLocationListOutSize = 3;
    }
    ~drawing() { s.destroy(context); }
    drawing(drawing const&) = delete;
    drawing& operator=(drawing const&) = delete;

    ntstatus render() { return wdk::render<drawing_gpu>(context.hContext, &args); }
    [[nodiscard]] bool is_untouched() const {
        return args.pDmaBuffer == buffer && args.pPatchLocationListOut == list && args.MultipassOffset == 0;
    }
    /// The request for all of the buffer.
    [[nodiscard]] DXGKARG_PATCH to_patch() {
        DXGKARG_PATCH patch{};
        patch.pDmaBuffer = buffer;
        patch.DmaBufferSize = patch.DmaBufferSubmissionEndOffset = sizeof buffer;
        patch.pAllocationList = &allocation;
        patch.AllocationListSize = 1;
        patch.pPatchLocationList = list;
        patch.PatchLocationListSize = patch.PatchLocationListSubmissionLength = 3;
        return patch;
    }
    ntstatus send(DXGKARG_PATCH const& patch) { return wdk::patch<drawing_gpu>(s.handle, &patch); }
};

TEST_CASE("SPL-05: commands become a buffer that is patched already, and its list") {
    drawing d;
    REQUIRE(d.render() == status::success);
    CHECK(d.s.gpu.seen_own == &d.own);
    CHECK(d.args.pDmaBuffer == d.buffer + 9);
    CHECK(d.args.pPatchLocationListOut == d.list + 3);
    CHECK(d.args.MultipassOffset == 3);
    CHECK(d.buffer[6] == 0xA3);
    CHECK(d.buffer[7] == 0x3456'7010);
    CHECK(d.buffer[8] == 0x12);
    CHECK(d.list[2].PatchOffset == 28);
    CHECK(d.list[2].SplitOffset == 24);
}

TEST_CASE("SPL-19: a buffer that is one dword too small takes a command less, and the next pass goes on there") {
    drawing d;
    d.args.DmaSize = sizeof d.buffer - sizeof(u32);
    REQUIRE(d.render() == status::graphics_insufficient_dma_buffer);
    CHECK(d.args.MultipassOffset == 2);
    CHECK(d.args.pDmaBuffer == d.buffer + 6);
    CHECK(d.args.pPatchLocationListOut == d.list + 2);
    u32 fresh[3] = {};
    D3DDDI_PATCHLOCATIONLIST fresh_list[1] = {};
    d.args.pDmaBuffer = fresh;
    d.args.DmaSize = sizeof fresh;
    d.args.pPatchLocationListOut = fresh_list;
    d.args.PatchLocationListOutSize = 1;
    CHECK(d.render() == status::success);
    CHECK(fresh[0] == 0xA3);
    CHECK(fresh_list[0].PatchOffset == 4);
    CHECK(d.args.MultipassOffset == 3);
}

TEST_CASE("SPL-19: an output list that is one element too short asks for another buffer") {
    drawing d;
    d.args.PatchLocationListOutSize = 2;
    CHECK(d.render() == status::graphics_insufficient_dma_buffer);
    CHECK(d.args.MultipassOffset == 2);
    CHECK(d.args.pPatchLocationListOut == d.list + 2);
}

TEST_CASE("SPL-19: a pass without progress is refused, or it would be repeated for ever") {
    drawing d;
    d.args.DmaSize = drawing_gpu::command_bytes - sizeof(u32);
    CHECK(d.render() == status::invalid_parameter);
    CHECK(d.is_untouched());
}

TEST_CASE("SPL-19: a pass that went back or left the buffer is not committed") {
    drawing d;
    SUBCASE("back") {
        d.s.gpu.goes_back = true;
        d.args.MultipassOffset = 3;
    }
    SUBCASE("past the end") { d.s.gpu.forgets_its_end = true; }
    CHECK(d.render() == status::invalid_parameter);
    CHECK(d.args.pDmaBuffer == d.buffer);
    CHECK(d.s.gpu.passes == 1);
}

TEST_CASE("SPL-17: what the driver refuses is committed in no part") {
    drawing d;
    d.s.gpu.refusal = status::invalid_user_buffer;
    CHECK(d.render() == status::invalid_user_buffer);
    CHECK(d.is_untouched());
}

TEST_CASE("SPL-07: a render request without an array that has a length does not reach the driver") {
    drawing d;
    SUBCASE("buffer") { d.args.pDmaBuffer = nullptr; }
    SUBCASE("allocations") { d.args.pAllocationList = nullptr; }
    SUBCASE("patches") { d.args.pPatchLocationListOut = nullptr; }
    CHECK(d.render() == status::invalid_parameter);
    CHECK(d.s.gpu.passes == 0);
}

TEST_CASE("SPL-07: a request without commands and without arrays is done at once") {
    drawing d;
    d.args = {};
    CHECK(d.render() == status::success);
    CHECK(d.s.gpu.passes == 1);
}

TEST_CASE("PRE-20: a buffer is patched again where the allocation lies now") {
    drawing d;
    REQUIRE(d.render() == status::success);
    d.allocation.PhysicalAddress.QuadPart = 0x55'0000'0000;
    auto const patch = d.to_patch();
    CHECK(d.send(patch) == status::success);
    CHECK(d.buffer[1] == 0x10);
    CHECK(d.buffer[2] == 0x55);
    CHECK(d.buffer[3] == 0xA2);
    CHECK(d.buffer[8] == 0x55);
}

TEST_CASE("AMB-01: a paging buffer comes without lists, and nothing is stored") {
    drawing d;
    DXGKARG_PATCH patch{};
    patch.pDmaBuffer = d.buffer;
    patch.DmaBufferSize = patch.DmaBufferSubmissionEndOffset = sizeof d.buffer;
    CHECK(d.send(patch) == status::success);
    CHECK(d.buffer[1] == 0);
}

TEST_CASE("SPL-15: a patch request that is wrong anywhere stores nothing") {
    drawing d;
    REQUIRE(d.render() == status::success);
    d.allocation.PhysicalAddress.QuadPart = 0x55'0000'0000;
    auto patch = d.to_patch();
    SUBCASE("no buffer") { patch.pDmaBuffer = nullptr; }
    SUBCASE("no allocations") { patch.pAllocationList = nullptr; }
    SUBCASE("no list") { patch.pPatchLocationList = nullptr; }
    SUBCASE("an element too many") { patch.PatchLocationListSubmissionLength = 4; }
    SUBCASE("an allocation that is not there") { patch.AllocationListSize = 0; }
    SUBCASE("a buffer that is one dword too small") {
        patch.DmaBufferSize = patch.DmaBufferSubmissionEndOffset = sizeof d.buffer - sizeof(u32);
    }
    CHECK(d.send(patch) == status::invalid_parameter);
    CHECK(d.buffer[2] == 0x12);
}

/// Stores a slot beside each address.
struct slot_writer {
    u32* buffer;
    template <class Element>
    void bind(u32 patch_offset, u64 address, Element const& element) const noexcept {
        buffer[patch_offset / 4] = static_cast<u32>(address >> 32);
        buffer[patch_offset / 4 + 1] = element.Value;
    }
    template <class Element>
    void unbind(u32 patch_offset, Element const& element) const noexcept {
        bind(patch_offset, 0, element);
    }
};

struct slot_gpu : drawing_gpu {
    [[nodiscard]] static slot_writer patch_writer(void* buffer) noexcept { return {static_cast<u32*>(buffer)}; }
};

TEST_CASE("SPL-09: a driver whose patches are more than an address has a writer of its own") {
    drawing d;
    REQUIRE(d.render() == status::success);
    slot_gpu other{};
    auto const patch = d.to_patch();
    CHECK(wdk::patch<slot_gpu>(&other, &patch) == status::success);
    CHECK(d.buffer[1] == 0x12);
    CHECK(d.buffer[2] == 1);
}

}  // namespace

}  // namespace wdk_functions_test

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/ntstatus.hpp>

#include "../base/expect_both.hpp"

namespace ntstatus_test {

using namespace wddmcore;

namespace {

struct known {
    ntstatus named;
    u32 value;
};

// The values of the same names in the system's headers.
constexpr known all[] = {
    {status::success, 0x00000000},
    {status::wait_0, 0x00000000},
    {status::alerted, 0x00000101},
    {status::timeout, 0x00000102},
    {status::pending, 0x00000103},
    {status::more_entries, 0x00000105},
    {status::graphics_partial_data_populated, 0x401e000a},
    {status::graphics_skip_allocation_preparation, 0x401e0201},
    {status::graphics_unknown_child_status, 0x401e042f},
    {status::graphics_leadlink_start_deferred, 0x401e0437},
    {status::graphics_polling_too_frequently, 0x401e0439},
    {status::graphics_start_deferred, 0x401e043a},
    {status::graphics_dependable_child_status, 0x401e043c},
    {status::datatype_misalignment, 0x80000002},
    {status::buffer_overflow, 0x80000005},
    {status::device_powered_off, 0x8000000f},
    {status::device_busy, 0x80000011},
    {status::no_more_entries, 0x8000001a},
    {status::graphics_link_configuration_in_progress, 0x801e0000},
    {status::unsuccessful, 0xc0000001},
    {status::not_implemented, 0xc0000002},
    {status::info_length_mismatch, 0xc0000004},
    {status::access_violation, 0xc0000005},
    {status::invalid_handle, 0xc0000008},
    {status::invalid_parameter, 0xc000000d},
    {status::no_such_device, 0xc000000e},
    {status::invalid_device_request, 0xc0000010},
    {status::no_memory, 0xc0000017},
    {status::conflicting_addresses, 0xc0000018},
    {status::illegal_instruction, 0xc000001d},
    {status::already_committed, 0xc0000021},
    {status::access_denied, 0xc0000022},
    {status::buffer_too_small, 0xc0000023},
    {status::object_type_mismatch, 0xc0000024},
    {status::not_committed, 0xc000002d},
    {status::object_name_not_found, 0xc0000034},
    {status::object_name_collision, 0xc0000035},
    {status::sharing_violation, 0xc0000043},
    {status::quota_exceeded, 0xc0000044},
    {status::revision_mismatch, 0xc0000059},
    {status::integer_overflow, 0xc0000095},
    {status::privileged_instruction, 0xc0000096},
    {status::insufficient_resources, 0xc000009a},
    {status::device_not_ready, 0xc00000a3},
    {status::io_timeout, 0xc00000b5},
    {status::not_supported, 0xc00000bb},
    {status::device_does_not_exist, 0xc00000c0},
    {status::adapter_hardware_error, 0xc00000c2},
    {status::internal_error, 0xc00000e5},
    {status::invalid_user_buffer, 0xc00000e8},
    {status::invalid_parameter_1, 0xc00000ef},
    {status::invalid_parameter_2, 0xc00000f0},
    {status::invalid_parameter_3, 0xc00000f1},
    {status::cancelled, 0xc0000120},
    {status::commitment_limit, 0xc000012d},
    {status::invalid_address, 0xc0000141},
    {status::invalid_device_state, 0xc0000184},
    {status::invalid_buffer_size, 0xc0000206},
    {status::not_found, 0xc0000225},
    {status::retry, 0xc000022d},
    {status::device_removed, 0xc00002b6},
    {status::nointerface, 0xc00002b9},
    {status::hardware_memory_error, 0xc0000709},
    {status::content_blocked, 0xc0000804},
    {status::graphics_not_exclusive_mode_owner, 0xc01e0000},
    {status::graphics_insufficient_dma_buffer, 0xc01e0001},
    {status::graphics_invalid_display_adapter, 0xc01e0002},
    {status::graphics_adapter_was_reset, 0xc01e0003},
    {status::graphics_invalid_driver_model, 0xc01e0004},
    {status::graphics_present_mode_changed, 0xc01e0005},
    {status::graphics_present_occluded, 0xc01e0006},
    {status::graphics_present_denied, 0xc01e0007},
    {status::graphics_cannotcolorconvert, 0xc01e0008},
    {status::graphics_driver_mismatch, 0xc01e0009},
    {status::graphics_present_redirection_disabled, 0xc01e000b},
    {status::graphics_present_unoccluded, 0xc01e000c},
    {status::graphics_windowdc_not_available, 0xc01e000d},
    {status::graphics_windowless_present_disabled, 0xc01e000e},
    {status::graphics_present_invalid_window, 0xc01e000f},
    {status::graphics_present_buffer_not_bound, 0xc01e0010},
    {status::graphics_vail_state_changed, 0xc01e0011},
    {status::graphics_indirect_display_abandon_swapchain, 0xc01e0012},
    {status::graphics_indirect_display_device_stopped, 0xc01e0013},
    {status::graphics_mpo_allocation_unpinned, 0xc01e0018},
    {status::graphics_setdisplaymode_required, 0xc01e0019},
    {status::graphics_no_video_memory, 0xc01e0100},
    {status::graphics_cant_lock_memory, 0xc01e0101},
    {status::graphics_allocation_busy, 0xc01e0102},
    {status::graphics_too_many_references, 0xc01e0103},
    {status::graphics_try_again_later, 0xc01e0104},
    {status::graphics_try_again_now, 0xc01e0105},
    {status::graphics_allocation_invalid, 0xc01e0106},
    {status::graphics_unswizzling_aperture_unavailable, 0xc01e0107},
    {status::graphics_unswizzling_aperture_unsupported, 0xc01e0108},
    {status::graphics_cant_evict_pinned_allocation, 0xc01e0109},
    {status::graphics_invalid_allocation_usage, 0xc01e0110},
    {status::graphics_cant_render_locked_allocation, 0xc01e0111},
    {status::graphics_allocation_closed, 0xc01e0112},
    {status::graphics_invalid_allocation_instance, 0xc01e0113},
    {status::graphics_invalid_allocation_handle, 0xc01e0114},
    {status::graphics_wrong_allocation_device, 0xc01e0115},
    {status::graphics_allocation_content_lost, 0xc01e0116},
    {status::graphics_gpu_exception_on_device, 0xc01e0200},
    {status::graphics_specified_child_already_connected, 0xc01e0400},
    {status::graphics_child_descriptor_not_supported, 0xc01e0401},
    {status::graphics_not_a_linked_adapter, 0xc01e0430},
    {status::graphics_leadlink_not_enumerated, 0xc01e0431},
    {status::graphics_chainlinks_not_enumerated, 0xc01e0432},
    {status::graphics_adapter_chain_not_ready, 0xc01e0433},
    {status::graphics_chainlinks_not_started, 0xc01e0434},
    {status::graphics_chainlinks_not_powered_on, 0xc01e0435},
    {status::graphics_inconsistent_device_link_state, 0xc01e0436},
    {status::graphics_not_post_device_driver, 0xc01e0438},
    {status::graphics_adapter_access_not_excluded, 0xc01e043b},
    {status::graphics_unknown_bios_frame_buffer_not_found, 0xc01e0600},
    {status::graphics_uefi_frame_buffer_not_found, 0xc01e0601},
};

}  // namespace

TEST_CASE("each NTSTATUS has the value that the system's headers give its name") {
    for (known const& one : all) {
        CAPTURE(one.value);
        CHECK(static_cast<u32>(one.named) == one.value);
    }
}

TEST_CASE("success and information statuses are successes, warnings and errors are none, as NT_SUCCESS has it") {
    expect_both(succeeded(status::success) && succeeded(status::pending));
    expect_both(succeeded(status::graphics_partial_data_populated));
    expect_both(!succeeded(status::datatype_misalignment) && !succeeded(status::buffer_overflow));
    expect_both(!succeeded(status::invalid_parameter) && !succeeded(status::graphics_insufficient_dma_buffer));
}

}  // namespace ntstatus_test

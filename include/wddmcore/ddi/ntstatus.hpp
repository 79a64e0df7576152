// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// NTSTATUS: 32 bits on every machine. It converts to the system's own type without a cast.
using ntstatus = i32;

/// NT_SUCCESS of a status. Any IRQL, safe in non-paged code.
///
/// @return whether it is a success or an information
[[nodiscard]] constexpr bool succeeded(ntstatus status) { return status >= 0; }

}  // namespace wddmcore

/// The statuses that the DDI's pages name. They are in lower case because the upper-case names are macros in the
/// system's headers.
namespace wddmcore::inline WDDMCORE_ABI::status {

// Success.
inline constexpr ntstatus success = static_cast<ntstatus>(0x00000000u);
inline constexpr ntstatus wait_0 = static_cast<ntstatus>(0x00000000u);
inline constexpr ntstatus alerted = static_cast<ntstatus>(0x00000101u);
inline constexpr ntstatus timeout = static_cast<ntstatus>(0x00000102u);
inline constexpr ntstatus pending = static_cast<ntstatus>(0x00000103u);
inline constexpr ntstatus more_entries = static_cast<ntstatus>(0x00000105u);

// Information.
inline constexpr ntstatus graphics_partial_data_populated = static_cast<ntstatus>(0x401e000au);
inline constexpr ntstatus graphics_skip_allocation_preparation = static_cast<ntstatus>(0x401e0201u);
inline constexpr ntstatus graphics_unknown_child_status = static_cast<ntstatus>(0x401e042fu);
inline constexpr ntstatus graphics_leadlink_start_deferred = static_cast<ntstatus>(0x401e0437u);
inline constexpr ntstatus graphics_polling_too_frequently = static_cast<ntstatus>(0x401e0439u);
inline constexpr ntstatus graphics_start_deferred = static_cast<ntstatus>(0x401e043au);
inline constexpr ntstatus graphics_dependable_child_status = static_cast<ntstatus>(0x401e043cu);

// Warning.
inline constexpr ntstatus datatype_misalignment = static_cast<ntstatus>(0x80000002u);
inline constexpr ntstatus buffer_overflow = static_cast<ntstatus>(0x80000005u);
inline constexpr ntstatus device_powered_off = static_cast<ntstatus>(0x8000000fu);
inline constexpr ntstatus device_busy = static_cast<ntstatus>(0x80000011u);
inline constexpr ntstatus no_more_entries = static_cast<ntstatus>(0x8000001au);
inline constexpr ntstatus graphics_link_configuration_in_progress = static_cast<ntstatus>(0x801e0000u);

// Error.
inline constexpr ntstatus unsuccessful = static_cast<ntstatus>(0xc0000001u);
inline constexpr ntstatus not_implemented = static_cast<ntstatus>(0xc0000002u);
inline constexpr ntstatus info_length_mismatch = static_cast<ntstatus>(0xc0000004u);
inline constexpr ntstatus access_violation = static_cast<ntstatus>(0xc0000005u);
inline constexpr ntstatus invalid_handle = static_cast<ntstatus>(0xc0000008u);
inline constexpr ntstatus invalid_parameter = static_cast<ntstatus>(0xc000000du);
inline constexpr ntstatus no_such_device = static_cast<ntstatus>(0xc000000eu);
inline constexpr ntstatus invalid_device_request = static_cast<ntstatus>(0xc0000010u);
inline constexpr ntstatus no_memory = static_cast<ntstatus>(0xc0000017u);
inline constexpr ntstatus conflicting_addresses = static_cast<ntstatus>(0xc0000018u);
inline constexpr ntstatus illegal_instruction = static_cast<ntstatus>(0xc000001du);
inline constexpr ntstatus already_committed = static_cast<ntstatus>(0xc0000021u);
inline constexpr ntstatus access_denied = static_cast<ntstatus>(0xc0000022u);
inline constexpr ntstatus buffer_too_small = static_cast<ntstatus>(0xc0000023u);
inline constexpr ntstatus object_type_mismatch = static_cast<ntstatus>(0xc0000024u);
inline constexpr ntstatus not_committed = static_cast<ntstatus>(0xc000002du);
inline constexpr ntstatus object_name_not_found = static_cast<ntstatus>(0xc0000034u);
inline constexpr ntstatus object_name_collision = static_cast<ntstatus>(0xc0000035u);
inline constexpr ntstatus sharing_violation = static_cast<ntstatus>(0xc0000043u);
inline constexpr ntstatus quota_exceeded = static_cast<ntstatus>(0xc0000044u);
inline constexpr ntstatus revision_mismatch = static_cast<ntstatus>(0xc0000059u);
inline constexpr ntstatus integer_overflow = static_cast<ntstatus>(0xc0000095u);
inline constexpr ntstatus privileged_instruction = static_cast<ntstatus>(0xc0000096u);
inline constexpr ntstatus insufficient_resources = static_cast<ntstatus>(0xc000009au);
inline constexpr ntstatus device_not_ready = static_cast<ntstatus>(0xc00000a3u);
inline constexpr ntstatus io_timeout = static_cast<ntstatus>(0xc00000b5u);
inline constexpr ntstatus not_supported = static_cast<ntstatus>(0xc00000bbu);
inline constexpr ntstatus device_does_not_exist = static_cast<ntstatus>(0xc00000c0u);
inline constexpr ntstatus adapter_hardware_error = static_cast<ntstatus>(0xc00000c2u);
inline constexpr ntstatus internal_error = static_cast<ntstatus>(0xc00000e5u);
inline constexpr ntstatus invalid_user_buffer = static_cast<ntstatus>(0xc00000e8u);
inline constexpr ntstatus invalid_parameter_1 = static_cast<ntstatus>(0xc00000efu);
inline constexpr ntstatus invalid_parameter_2 = static_cast<ntstatus>(0xc00000f0u);
inline constexpr ntstatus invalid_parameter_3 = static_cast<ntstatus>(0xc00000f1u);
inline constexpr ntstatus cancelled = static_cast<ntstatus>(0xc0000120u);
inline constexpr ntstatus commitment_limit = static_cast<ntstatus>(0xc000012du);
inline constexpr ntstatus invalid_address = static_cast<ntstatus>(0xc0000141u);
inline constexpr ntstatus invalid_device_state = static_cast<ntstatus>(0xc0000184u);
inline constexpr ntstatus invalid_buffer_size = static_cast<ntstatus>(0xc0000206u);
inline constexpr ntstatus not_found = static_cast<ntstatus>(0xc0000225u);
inline constexpr ntstatus retry = static_cast<ntstatus>(0xc000022du);
inline constexpr ntstatus device_removed = static_cast<ntstatus>(0xc00002b6u);
inline constexpr ntstatus nointerface = static_cast<ntstatus>(0xc00002b9u);
inline constexpr ntstatus hardware_memory_error = static_cast<ntstatus>(0xc0000709u);
inline constexpr ntstatus content_blocked = static_cast<ntstatus>(0xc0000804u);
inline constexpr ntstatus graphics_not_exclusive_mode_owner = static_cast<ntstatus>(0xc01e0000u);
inline constexpr ntstatus graphics_insufficient_dma_buffer = static_cast<ntstatus>(0xc01e0001u);
inline constexpr ntstatus graphics_invalid_display_adapter = static_cast<ntstatus>(0xc01e0002u);
inline constexpr ntstatus graphics_adapter_was_reset = static_cast<ntstatus>(0xc01e0003u);
inline constexpr ntstatus graphics_invalid_driver_model = static_cast<ntstatus>(0xc01e0004u);
inline constexpr ntstatus graphics_present_mode_changed = static_cast<ntstatus>(0xc01e0005u);
inline constexpr ntstatus graphics_present_occluded = static_cast<ntstatus>(0xc01e0006u);
inline constexpr ntstatus graphics_present_denied = static_cast<ntstatus>(0xc01e0007u);
inline constexpr ntstatus graphics_cannotcolorconvert = static_cast<ntstatus>(0xc01e0008u);
inline constexpr ntstatus graphics_driver_mismatch = static_cast<ntstatus>(0xc01e0009u);
inline constexpr ntstatus graphics_present_redirection_disabled = static_cast<ntstatus>(0xc01e000bu);
inline constexpr ntstatus graphics_present_unoccluded = static_cast<ntstatus>(0xc01e000cu);
inline constexpr ntstatus graphics_windowdc_not_available = static_cast<ntstatus>(0xc01e000du);
inline constexpr ntstatus graphics_windowless_present_disabled = static_cast<ntstatus>(0xc01e000eu);
inline constexpr ntstatus graphics_present_invalid_window = static_cast<ntstatus>(0xc01e000fu);
inline constexpr ntstatus graphics_present_buffer_not_bound = static_cast<ntstatus>(0xc01e0010u);
inline constexpr ntstatus graphics_vail_state_changed = static_cast<ntstatus>(0xc01e0011u);
inline constexpr ntstatus graphics_indirect_display_abandon_swapchain = static_cast<ntstatus>(0xc01e0012u);
inline constexpr ntstatus graphics_indirect_display_device_stopped = static_cast<ntstatus>(0xc01e0013u);
inline constexpr ntstatus graphics_mpo_allocation_unpinned = static_cast<ntstatus>(0xc01e0018u);
inline constexpr ntstatus graphics_setdisplaymode_required = static_cast<ntstatus>(0xc01e0019u);
inline constexpr ntstatus graphics_no_video_memory = static_cast<ntstatus>(0xc01e0100u);
inline constexpr ntstatus graphics_cant_lock_memory = static_cast<ntstatus>(0xc01e0101u);
inline constexpr ntstatus graphics_allocation_busy = static_cast<ntstatus>(0xc01e0102u);
inline constexpr ntstatus graphics_too_many_references = static_cast<ntstatus>(0xc01e0103u);
inline constexpr ntstatus graphics_try_again_later = static_cast<ntstatus>(0xc01e0104u);
inline constexpr ntstatus graphics_try_again_now = static_cast<ntstatus>(0xc01e0105u);
inline constexpr ntstatus graphics_allocation_invalid = static_cast<ntstatus>(0xc01e0106u);
inline constexpr ntstatus graphics_unswizzling_aperture_unavailable = static_cast<ntstatus>(0xc01e0107u);
inline constexpr ntstatus graphics_unswizzling_aperture_unsupported = static_cast<ntstatus>(0xc01e0108u);
inline constexpr ntstatus graphics_cant_evict_pinned_allocation = static_cast<ntstatus>(0xc01e0109u);
inline constexpr ntstatus graphics_invalid_allocation_usage = static_cast<ntstatus>(0xc01e0110u);
inline constexpr ntstatus graphics_cant_render_locked_allocation = static_cast<ntstatus>(0xc01e0111u);
inline constexpr ntstatus graphics_allocation_closed = static_cast<ntstatus>(0xc01e0112u);
inline constexpr ntstatus graphics_invalid_allocation_instance = static_cast<ntstatus>(0xc01e0113u);
inline constexpr ntstatus graphics_invalid_allocation_handle = static_cast<ntstatus>(0xc01e0114u);
inline constexpr ntstatus graphics_wrong_allocation_device = static_cast<ntstatus>(0xc01e0115u);
inline constexpr ntstatus graphics_allocation_content_lost = static_cast<ntstatus>(0xc01e0116u);
inline constexpr ntstatus graphics_gpu_exception_on_device = static_cast<ntstatus>(0xc01e0200u);
inline constexpr ntstatus graphics_specified_child_already_connected = static_cast<ntstatus>(0xc01e0400u);
inline constexpr ntstatus graphics_child_descriptor_not_supported = static_cast<ntstatus>(0xc01e0401u);
inline constexpr ntstatus graphics_not_a_linked_adapter = static_cast<ntstatus>(0xc01e0430u);
inline constexpr ntstatus graphics_leadlink_not_enumerated = static_cast<ntstatus>(0xc01e0431u);
inline constexpr ntstatus graphics_chainlinks_not_enumerated = static_cast<ntstatus>(0xc01e0432u);
inline constexpr ntstatus graphics_adapter_chain_not_ready = static_cast<ntstatus>(0xc01e0433u);
inline constexpr ntstatus graphics_chainlinks_not_started = static_cast<ntstatus>(0xc01e0434u);
inline constexpr ntstatus graphics_chainlinks_not_powered_on = static_cast<ntstatus>(0xc01e0435u);
inline constexpr ntstatus graphics_inconsistent_device_link_state = static_cast<ntstatus>(0xc01e0436u);
inline constexpr ntstatus graphics_not_post_device_driver = static_cast<ntstatus>(0xc01e0438u);
inline constexpr ntstatus graphics_adapter_access_not_excluded = static_cast<ntstatus>(0xc01e043bu);
inline constexpr ntstatus graphics_unknown_bios_frame_buffer_not_found = static_cast<ntstatus>(0xc01e0600u);
inline constexpr ntstatus graphics_uefi_frame_buffer_not_found = static_cast<ntstatus>(0xc01e0601u);

}  // namespace wddmcore::status

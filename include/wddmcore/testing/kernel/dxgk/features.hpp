// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "graphics.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Features that a driver asks for, and what it calls when it has hardware queues.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::dxgk_services {

/// Values of DXGK_FEATURE_ID.
namespace feature {
inline constexpr std::uint32_t hardware_scheduling = 0;
inline constexpr std::uint32_t native_fence = 37;
}  // namespace feature

/// Whether the system has a feature enabled: those of hardware scheduling, while it is played, and no other.
[[nodiscard]] inline bool has_feature(std::uint32_t id) {
    auto const* const s = graphics::current().queues;
    return s != nullptr && (id == feature::hardware_scheduling ||
                            (id == feature::native_fence && s->native_fences_enabled(s->system) != 0));
}

// There are three ways to ask: one of WDDM 2.6, one of WDDM 2.9, and an interface of WDDM 3.2.

struct feature_arguments {  // DXGKARGCB_ISFEATUREENABLED
    void* device;
    std::uint32_t feature;
    std::uint8_t enabled;
};
inline ntstatus WDDMCORE_DRIVER_CALL is_feature_enabled(feature_arguments* args) {
    args->enabled = has_feature(args->feature) ? 1 : 0;
    return nt::success;
}
struct support_arguments {  // DXGKARGCB_QUERYFEATURESUPPORT
    void* device;
    std::uint32_t feature;
    std::uint32_t support;
    std::uint8_t enabled;
};
inline ntstatus WDDMCORE_DRIVER_CALL query_feature_support(support_arguments* args) {
    constexpr std::uint32_t always_off = 0;  // DXGK_FEATURE_SUPPORT_ALWAYS_OFF, by the driver's own word
    args->enabled = has_feature(args->feature) && args->support != always_off ? 1 : 0;
    return nt::success;
}

/// The version of each interface here, and of each feature.
inline constexpr std::uint16_t first_version = 1;

struct second_feature_arguments {  // DXGKARGCB_ISFEATUREENABLED2
    std::uint32_t feature;
    std::uint32_t flags;
    std::uint16_t version;
    std::uint16_t result;  // Enabled, KnownFeature, SupportedByDriver, SupportedOnCurrentConfig from the lowest bit on
};
static_assert(sizeof(second_feature_arguments) == 12);
inline ntstatus WDDMCORE_DRIVER_CALL is_feature_enabled_2(void*, second_feature_arguments* args) {
    bool const has = has_feature(args->feature);
    args->version = has ? first_version : 0;
    args->result = has ? 0xF : 0;
    return nt::success;
}
struct native_fence_interface {  // DXGKCBINT_FEATURE_NATIVEFENCE_1
    ntstatus(WDDMCORE_DRIVER_CALL* capabilities)(std::uint32_t*);
};
/// DXGKCB_FEATURE_NATIVEFENCE_CAPS_1: fences within one GPU are supported, and the default ones lie in system memory.
inline ntstatus WDDMCORE_DRIVER_CALL native_fence_capabilities(std::uint32_t* to) {
    system().at_most(passive_level, "GetOSCaps of DXGKCBINT_FEATURE_NATIVEFENCE_1");
    *to = 2;  // SupportIntraGpuFenceType
    return nt::success;
}
struct feature_interface_arguments {  // DXGKARGCB_QUERYFEATUREINTERFACE
    std::uint32_t feature;
    std::uint16_t version;
    std::uint16_t bytes;
    void* to;
};
static_assert(sizeof(feature_interface_arguments) == 16);
inline ntstatus WDDMCORE_DRIVER_CALL query_feature_interface(void*, feature_interface_arguments* args) {
    native_fence_interface const found{&native_fence_capabilities};
    bool const is_here = args->feature == feature::native_fence && args->version == first_version;
    if (!is_here || !has_feature(args->feature) || args->bytes < sizeof found) {
        return nt::not_supported;
    }
    std::memcpy(args->to, &found, sizeof found);
    args->bytes = sizeof found;
    return nt::success;
}

struct feature_interface {  // DXGK_FEATURE_INTERFACE
    std::uint16_t size;
    std::uint16_t version;
    void* context;
    void(WDDMCORE_DRIVER_CALL* reference)(void*);
    void(WDDMCORE_DRIVER_CALL* dereference)(void*);
    ntstatus(WDDMCORE_DRIVER_CALL* is_enabled)(void*, second_feature_arguments*);
    ntstatus(WDDMCORE_DRIVER_CALL* query)(void*, feature_interface_arguments*);
};
static_assert(sizeof(feature_interface) == 48);
/// Nobody counts who holds the interface: it is always there.
inline void WDDMCORE_DRIVER_CALL hold_interface(void*) {}
inline ntstatus WDDMCORE_DRIVER_CALL query_services(void*, std::uint32_t which, feature_interface* to) {
    system().at_most(passive_level, "DxgkCbQueryServices");
    constexpr std::uint32_t features = 7;  // DxgkServicesFeature; of the others none is played
    if (which != features) {
        return unplayed_here("DxgkCbQueryServices");
    }
    if (to->size < sizeof *to || to->version != first_version) {
        return nt::invalid_parameter;
    }
    *to = {to->size,
           to->version,
           nullptr,
           &hold_interface,
           &hold_interface,
           &is_feature_enabled_2,
           &query_feature_interface};
    return nt::success;
}

inline ntstatus WDDMCORE_DRIVER_CALL invalidate_hw_context(void const* args) {
    system().at_most(passive_level, "DxgkCbInvalidateHwContext");
    auto const* const s = graphics::current().queues;
    return s == nullptr ? unplayed_here("DxgkCbInvalidateHwContext") : s->invalidate_hw_context(s->system, args);
}

[[nodiscard]] inline std::vector<service> feature_callbacks() {
    return {entry("DxgkCbIsFeatureEnabled", &is_feature_enabled),
            entry("DxgkCbQueryFeatureSupport", &query_feature_support), entry("DxgkCbQueryServices", &query_services),
            entry("DxgkCbInvalidateHwContext", &invalidate_hw_context)};
}

}  // namespace wddmcore::testing::kernel_parts::dxgk_services

#endif

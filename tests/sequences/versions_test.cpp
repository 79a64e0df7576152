// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "cpu_rig.hpp"
#include "mock_rig.hpp"
#include "play.hpp"

#include <hardware/cpu.hpp>
#include <hardware/cpu_virtual.hpp>

#include <utility>

/// Every interface version, on the hardware that keeps most promises there: fewer operations than the others have, since
/// most versions differ in nothing but what may come.
namespace sequences {

namespace {

namespace every_version {

namespace cpu = wddmcore::examples::cpu;

/// Below WDDM 2.0 there are places only, and contexts from Windows 8 on.
constexpr capabilities by_places(wddm version) {
    return {.version = version,
            .aperture = aperture_forms::mdl,
            .alternate_address_lock = claim::yes,
            .context_allocations = version >= wddm::win8 ? claim::yes : claim::no,
            .highest_visible_address = (u64{1} << 48) - 1};
}

template <wddm Version>
[[nodiscard]] consteval auto processor_of() {
    if constexpr (Version >= wddm::v2_0) {
        return meta::type_is<cpu::virtual_processor<cpu::every_promise(
            Version, update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
            paging_addresses::both)>>{};
    } else if constexpr (Version >= wddm::win8) {
        return meta::type_is<cpu::virtual_processor<by_places(Version)>>{};
    } else {
        return meta::type_is<cpu::processor<by_places(Version)>>{};
    }
}

template <wddm Version>
using processor = cpu_rig<hooked<typename decltype(processor_of<Version>())::type>, cpu::aperture_entry>;

template <wddm Version>
using oldest_mock = mock_rig<by_places(Version)>;

[[nodiscard]] layout flat() {
    layout where;
    where.segment_base = where.device_bus + where.segment_first;
    return where;
}

/// What a version does not have never comes, and the older operations do.
void check_operations(player const& all, adapter const& rig) {
    u32 met = 0;
    for (u32 code = 0; code != paging_operation_count; ++code) {
        auto const operation = static_cast<paging_operation>(code);
        CAPTURE(name(operation));
        CHECK((rig.known().caps.version >= since(operation) || all.times(operation) == 0));
        met += all.times(operation) != 0;
    }
    CHECK((slow_build || met >= 6));
}

template <std::size_t... Index>
void check_all(std::index_sequence<Index...>) {
    (check_one_sequence<processor<interface_versions[Index]>,
                        law_arguments<typename processor<interface_versions[Index]>::hardware>>(
         flat(), Index % 2 == 0, slow_build ? 40 : 100, check_operations),
     ...);
}

}  // namespace every_version

}  // namespace

TEST_CASE("PGB-02, PGB-05: at every interface version, operations on the reference processor end as the model says") {
    every_version::check_all(std::make_index_sequence<std::size(interface_versions)>());
}

TEST_CASE("OP10-01, OP10-02, OP10-03: contexts by places, and by CPU addresses, in Windows 8 and WDDM 1.3") {
    using enum paging_operation;
    std::vector<paging_operation> const all{transfer,
                                            fill,
                                            discard_content,
                                            read_physical,
                                            write_physical,
                                            map_aperture_segment,
                                            unmap_aperture_segment,
                                            special_lock_transfer,
                                            init_context_resource};
    check_sequence<every_version::oldest_mock<wddm::win8>, mirror::win8::dxgkarg_buildpagingbuffer>(mock_layout(), all);
    check_sequence<every_version::oldest_mock<wddm::v1_3>, mirror::v1_3::dxgkarg_buildpagingbuffer>(mock_layout(), all);
}

}  // namespace sequences

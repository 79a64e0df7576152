// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "amd_rig.hpp"
#include "cpu_rig.hpp"
#include "mock_rig.hpp"
#include "play.hpp"

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>

/// Below WDDM 2.0 there are places only. The sequences of Intel and NVIDIA at these versions, whose engines want page
/// tables of the driver's own even there, stand beside those engines.
namespace sequences {

namespace {

namespace oldest {

constexpr capabilities of(wddm version) {
    return {.version = version,
            .aperture = aperture_forms::mdl,
            .alternate_address_lock = claim::yes,
            .highest_visible_address = (u64{1} << 48) - 1};
}

class amd_rig : public amd_adapter {
public:
    using hardware = hooked<examples::amd::gfx10<of(wddm::v1_3)>>;

    explicit amd_rig(machine& m) : amd_adapter(m) {
        engine_.translate_by({});
        layout const& w = m.where;
        hw.at = {.gart_segment = aperture_id,
                 .gart = {{w.aperture_base}, {w.aperture_pages * page_bytes}},
                 .vram_segment = memory_id,
                 .vram = {{w.segment_base}, {w.segment_bytes()}},
                 .system_base = w.system_virtual,
                 .gart_table = static_cast<u64*>(m.cpu(w.device_bus + w.reserve_first() + aperture_at)),
                 .gart_table_address = own_virtual(aperture_at)};
    }
    [[nodiscard]] facts const& known() const override { return facts_; }

    hardware hw{};

private:
    facts facts_ = facts_of<hardware>();
};

[[nodiscard]] layout flat() {
    layout where;
    where.segment_base = where.device_bus + where.segment_first;
    return where;
}

template <wddm Version>
using processor = cpu_rig<hooked<examples::cpu::processor<of(Version)>>, examples::cpu::aperture_entry>;

}  // namespace oldest

}  // namespace

TEST_CASE("OP00 to OP07, PGB-02, PGB-05: a thousand operations by places end as the model says in WDDM 1.0 and 1.3") {
    using enum paging_operation;
    std::vector<paging_operation> const all{transfer,
                                            fill,
                                            discard_content,
                                            read_physical,
                                            write_physical,
                                            map_aperture_segment,
                                            unmap_aperture_segment,
                                            special_lock_transfer};
    check_sequence<oldest::processor<wddm::vista>, mirror::vista::dxgkarg_buildpagingbuffer>(oldest::flat(), all);
    check_sequence<oldest::processor<wddm::v1_3>, mirror::v1_3::dxgkarg_buildpagingbuffer>(oldest::flat(), all);
    check_sequence<mock_rig<mock::vista>, mirror::vista::dxgkarg_buildpagingbuffer>(mock_layout(), all);
    check_sequence<oldest::amd_rig, mirror::v1_3::dxgkarg_buildpagingbuffer>(amd_flat_layout(), all);
}

}  // namespace sequences

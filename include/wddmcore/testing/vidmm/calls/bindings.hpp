// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/meta.hpp"
#include "../../../ddi/interface_version.hpp"
#include "../../../ddi/mirror/mirror.hpp"
#include "../../../ddi/ntstatus.hpp"
#include "../../driver_table.h"

/// The argument structures of each interface version, and how a run-time version becomes one of them.
namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// The four structures of one layout; `submit_virtual` is void where the version has none.
template <class Build, class Patch, class Submit, class SubmitVirtual>
struct ddi_types {
    using build = Build;
    using patch = Patch;
    using submit = Submit;
    using submit_virtual = SubmitVirtual;
};

using ddi_vista = ddi_types<mirror::vista::dxgkarg_buildpagingbuffer, mirror::vista::dxgkarg_patch,
                            mirror::vista::dxgkarg_submitcommand, void>;
using ddi_win7 = ddi_types<mirror::win7::dxgkarg_buildpagingbuffer, mirror::win7::dxgkarg_patch,
                           mirror::win7::dxgkarg_submitcommand, void>;
using ddi_win8 = ddi_types<mirror::win8::dxgkarg_buildpagingbuffer, mirror::win8::dxgkarg_patch,
                           mirror::win8::dxgkarg_submitcommand, void>;
using ddi_v2_0 = ddi_types<mirror::v2_0::dxgkarg_buildpagingbuffer, mirror::v2_0::dxgkarg_patch,
                           mirror::v2_0::dxgkarg_submitcommand, mirror::v2_0::dxgkarg_submitcommandvirtual>;
using ddi_v2_2 = ddi_types<mirror::v2_2::dxgkarg_buildpagingbuffer, mirror::v2_2::dxgkarg_patch,
                           mirror::v2_2::dxgkarg_submitcommand, mirror::v2_2::dxgkarg_submitcommandvirtual>;
using ddi_v2_9 = ddi_types<mirror::v2_9::dxgkarg_buildpagingbuffer, mirror::v2_9::dxgkarg_patch,
                           mirror::v2_9::dxgkarg_submitcommand, mirror::v2_9::dxgkarg_submitcommandvirtual>;
using ddi_v3_1 = ddi_types<mirror::v3_1::dxgkarg_buildpagingbuffer, mirror::v3_1::dxgkarg_patch,
                           mirror::v3_1::dxgkarg_submitcommand, mirror::v3_1::dxgkarg_submitcommandvirtual>;
using ddi_v3_2 = ddi_types<mirror::v3_2::dxgkarg_buildpagingbuffer, mirror::v3_2::dxgkarg_patch,
                           mirror::v3_2::dxgkarg_submitcommand, mirror::v3_2::dxgkarg_submitcommandvirtual>;

template <class T>
struct type_tag {
    using type = T;
};

/// Calls `use` with the type_tag of the structures that `version` has.
template <class Use>
decltype(auto) with_ddi_types(wddm version, Use&& use) {
    if (at_least(version, wddm::v3_2)) {
        return use(type_tag<ddi_v3_2>{});
    }
    if (at_least(version, wddm::v3_1)) {
        return use(type_tag<ddi_v3_1>{});
    }
    if (at_least(version, wddm::v2_9)) {
        return use(type_tag<ddi_v2_9>{});
    }
    if (at_least(version, wddm::v2_2)) {
        return use(type_tag<ddi_v2_2>{});
    }
    if (at_least(version, wddm::v2_0)) {
        return use(type_tag<ddi_v2_0>{});
    }
    if (at_least(version, wddm::win8)) {
        return use(type_tag<ddi_win8>{});
    }
    return at_least(version, wddm::win7) ? use(type_tag<ddi_win7>{}) : use(type_tag<ddi_vista>{});
}

template <class Driver, class Args>
int WDDMCORE_DRIVER_CALL call_build(void* adapter, void* args) {
    return static_cast<Driver*>(adapter)->build_paging_buffer(*static_cast<Args*>(args));
}

template <class Driver, class Args>
int WDDMCORE_DRIVER_CALL call_patch(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->patch(*static_cast<Args const*>(args));
}

template <class Driver, class Args>
int WDDMCORE_DRIVER_CALL call_submit(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->submit_command(*static_cast<Args const*>(args));
}

template <class Driver, class Args>
int WDDMCORE_DRIVER_CALL call_submit_virtual(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->submit_command_virtual(*static_cast<Args const*>(args));
}

}  // namespace vidmm_parts

/// The table of a driver that is compiled on the host against the mirrors.
///
/// `Driver` has member templates over the structure, each returning an NTSTATUS: `build_paging_buffer(Args&)` and
/// `submit_command(Args const&)`; optionally `patch(Args const&)` and `submit_command_virtual(Args const&)`. The
/// same object then works at every interface version.
/// @param driver   outlives the table; becomes the adapter handle
/// @param version  the interface version that it registers with
template <class Driver>
[[nodiscard]] wddmcore_driver_table bind_host_driver(Driver& driver, wddm version) {
    return vidmm_parts::with_ddi_types(version, [&](auto tag) {
        using types = typename decltype(tag)::type;
        wddmcore_driver_table table{};
        table.size = static_cast<unsigned>(sizeof table);
        table.version = static_cast<unsigned>(version);
        table.adapter = &driver;
        table.build_paging_buffer = &vidmm_parts::call_build<Driver, typename types::build>;
        table.build_paging_buffer_size = static_cast<unsigned>(sizeof(typename types::build));
        table.submit_command = &vidmm_parts::call_submit<Driver, typename types::submit>;
        table.submit_command_size = static_cast<unsigned>(sizeof(typename types::submit));
        if constexpr (requires(typename types::patch const& args) { driver.patch(args); }) {
            table.patch = &vidmm_parts::call_patch<Driver, typename types::patch>;
            table.patch_size = static_cast<unsigned>(sizeof(typename types::patch));
        }
        using submit_virtual = typename types::submit_virtual;
        if constexpr (!meta::is_same<submit_virtual, void>) {
            if constexpr (requires(submit_virtual const& args) { driver.submit_command_virtual(args); }) {
                table.submit_command_virtual = &vidmm_parts::call_submit_virtual<Driver, submit_virtual>;
                table.submit_command_virtual_size = static_cast<unsigned>(sizeof(submit_virtual));
            }
        }
        return table;
    });
}

}  // namespace wddmcore::testing

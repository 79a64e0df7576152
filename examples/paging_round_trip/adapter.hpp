// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/paging.hpp>
#include <wddmcore/testing/driver_table.h>

/// The smallest possible driver around a hardware type: just the functions of the DDI that paging needs.
namespace wddmcore::examples {

/// The paging functions of a driver, in the platform's Windows calling convention.
///
/// @tparam Hw         a hardware type
/// @tparam Arguments  the DDI structures of the version that it declares: a mirror namespace's, or a header's
template <class Hw, class BuildArguments, class PatchArguments, class SubmitArguments, class SubmitVirtualArguments>
struct paging_driver {
    static int WDDMCORE_DRIVER_CALL build(void* adapter, void* args) {
        Hw& hw = *static_cast<Hw*>(adapter);
        BuildArguments& asked = *static_cast<BuildArguments*>(args);
        if constexpr (requires { hw.begins(asked); }) {
            hw.begins(asked);
        }
        return build_paging_buffer(hw, asked);
    }
    // Addresses are final when the buffer is built, so patching has nothing to do and may be repeated (AMB-01).
    static int WDDMCORE_DRIVER_CALL patch(void*, void const*) { return status::success; }
    // The simulator's engine executes the window itself; a driver writes it to its ring here.
    static int WDDMCORE_DRIVER_CALL submit(void*, void const*) { return status::success; }

    [[nodiscard]] static wddmcore_driver_table table(Hw& hw) {
        wddmcore_driver_table t{};
        t.size = sizeof t;
        t.version = static_cast<u32>(Hw::caps.version);
        t.adapter = &hw;
        t.build_paging_buffer = build;
        t.patch = patch;
        t.submit_command = submit;
        t.build_paging_buffer_size = sizeof(BuildArguments);
        t.patch_size = sizeof(PatchArguments);
        t.submit_command_size = sizeof(SubmitArguments);
        if constexpr (contains(Hw::caps.addresses, paging_addresses::gpu_virtual)) {
            t.submit_command_virtual = submit;
            t.submit_command_virtual_size = sizeof(SubmitVirtualArguments);
        }
        return t;
    }
};

}  // namespace wddmcore::examples

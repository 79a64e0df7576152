// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/mirror_binding.hpp"
#include "../../memory_table.h"
#include "../calls/bindings.hpp"

#include <cstddef>

/// The structures of an adapter's start at each interface version, and how a host driver gets into the table.
namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// The structures of one version: the queries' and the argument structures'.
template <wddm Version>
struct adapter_types {
    using queries = mirror_binding<Version>;
    using query =
        meta::conditional_t<at_least(Version, wddm::v2_4), mirror::v2_4::dxgkarg_queryadapterinfo,
                            meta::conditional_t<at_least(Version, wddm::v2_2), mirror::v2_2::dxgkarg_queryadapterinfo,
                                                mirror::vista::dxgkarg_queryadapterinfo>>;
    using older_context = meta::conditional_t<at_least(Version, wddm::win7), mirror::win7::dxgkarg_createcontext,
                                              mirror::vista::dxgkarg_createcontext>;
    using middle_context = meta::conditional_t<
        at_least(Version, wddm::v2_1), mirror::v2_1::dxgkarg_createcontext,
        meta::conditional_t<at_least(Version, wddm::v2_0), mirror::v2_0::dxgkarg_createcontext, older_context>>;
    using context = meta::conditional_t<
        at_least(Version, wddm::v3_2), mirror::v3_2::dxgkarg_createcontext,
        meta::conditional_t<at_least(Version, wddm::v2_3), mirror::v2_3::dxgkarg_createcontext, middle_context>>;
    using older_allocation =
        meta::conditional_t<at_least(Version, wddm::v2_1), mirror::v2_1::dxgkarg_createallocation,
                            meta::conditional_t<at_least(Version, wddm::v2_0), mirror::v2_0::dxgkarg_createallocation,
                                                mirror::vista::dxgkarg_createallocation>>;
    using middle_allocation = meta::conditional_t<
        at_least(Version, wddm::v3_0), mirror::v3_0::dxgkarg_createallocation,
        meta::conditional_t<at_least(Version, wddm::v2_9), mirror::v2_9::dxgkarg_createallocation, older_allocation>>;
    using allocation =
        meta::conditional_t<at_least(Version, wddm::v3_2), mirror::v3_2::dxgkarg_createallocation, middle_allocation>;
};

/// Calls `use` with the type_tag of the adapter_types that `version` has.
template <class Use>
decltype(auto) with_adapter_types(wddm version, Use&& use) {
    switch (version) {
        case wddm::v3_2: return use(type_tag<adapter_types<wddm::v3_2>>{});
        case wddm::v3_1: return use(type_tag<adapter_types<wddm::v3_1>>{});
        case wddm::v3_0: return use(type_tag<adapter_types<wddm::v3_0>>{});
        case wddm::v2_9: return use(type_tag<adapter_types<wddm::v2_9>>{});
        case wddm::v2_8: return use(type_tag<adapter_types<wddm::v2_8>>{});
        case wddm::v2_7: return use(type_tag<adapter_types<wddm::v2_7>>{});
        case wddm::v2_6: return use(type_tag<adapter_types<wddm::v2_6>>{});
        case wddm::v2_5: return use(type_tag<adapter_types<wddm::v2_5>>{});
        case wddm::v2_4: return use(type_tag<adapter_types<wddm::v2_4>>{});
        case wddm::v2_3: return use(type_tag<adapter_types<wddm::v2_3>>{});
        case wddm::v2_2: return use(type_tag<adapter_types<wddm::v2_2>>{});
        case wddm::v2_1_6: return use(type_tag<adapter_types<wddm::v2_1_6>>{});
        case wddm::v2_1_5: return use(type_tag<adapter_types<wddm::v2_1_5>>{});
        case wddm::v2_1: return use(type_tag<adapter_types<wddm::v2_1>>{});
        case wddm::v2_0: return use(type_tag<adapter_types<wddm::v2_0>>{});
        case wddm::v1_3_path_independent_rotation:
            return use(type_tag<adapter_types<wddm::v1_3_path_independent_rotation>>{});
        case wddm::v1_3: return use(type_tag<adapter_types<wddm::v1_3>>{});
        case wddm::win8: return use(type_tag<adapter_types<wddm::win8>>{});
        case wddm::win7: return use(type_tag<adapter_types<wddm::win7>>{});
        case wddm::vista_sp1: return use(type_tag<adapter_types<wddm::vista_sp1>>{});
        case wddm::vista: break;
    }
    return use(type_tag<adapter_types<wddm::vista>>{});
}

template <class Driver, class Types>
int WDDMCORE_DRIVER_CALL call_query(void* adapter, void const* args) {
    auto& driver = *static_cast<Driver*>(adapter);
    return driver.template query_adapter_info<typename Types::queries>(
        *static_cast<typename Types::query const*>(args));
}

template <class Driver, class Types>
int WDDMCORE_DRIVER_CALL call_create_context(void* adapter, void* args) {
    return static_cast<Driver*>(adapter)->create_context_with_info(*static_cast<typename Types::context*>(args));
}

template <class Driver, class Types>
int WDDMCORE_DRIVER_CALL call_create_allocation(void* adapter, void* args) {
    return static_cast<Driver*>(adapter)->create_allocation(*static_cast<typename Types::allocation*>(args));
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_add_device(void* adapter) {
    return static_cast<Driver*>(adapter)->add_device();
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_stop_device(void* adapter) {
    return static_cast<Driver*>(adapter)->stop_device();
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_remove_device(void* adapter) {
    return static_cast<Driver*>(adapter)->remove_device();
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_start_adapter(void* adapter, wddmcore_memory_services const* services) {
    return static_cast<Driver*>(adapter)->start_adapter(*services);
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_destroy_allocation(void* adapter, void* allocation) {
    return static_cast<Driver*>(adapter)->destroy_allocation(allocation);
}

using map_host_aperture_args = mirror::v2_0::dxgkarg_mapcpuhostaperture;
using unmap_host_aperture_args = mirror::v2_0::dxgkarg_unmapcpuhostaperture;
using root_size_args = mirror::v2_0::dxgkarg_getrootpagetablesize;
using set_root_args = mirror::v2_0::dxgkarg_setrootpagetable;
using begin_exclusive_args = mirror::v2_4::dxgkarg_beginexclusiveaccess;
using end_exclusive_args = mirror::v2_4::dxgkarg_endexclusiveaccess;

template <class Driver>
int WDDMCORE_DRIVER_CALL call_map_cpu_host_aperture(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->map_cpu_host_aperture(*static_cast<map_host_aperture_args const*>(args));
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_unmap_cpu_host_aperture(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->unmap_cpu_host_aperture(*static_cast<unmap_host_aperture_args const*>(args));
}

template <class Driver>
unsigned long long WDDMCORE_DRIVER_CALL call_get_root_page_table_size(void* adapter, void* args) {
    return static_cast<Driver*>(adapter)->get_root_page_table_size(*static_cast<root_size_args*>(args));
}

template <class Driver>
void WDDMCORE_DRIVER_CALL call_set_root_page_table(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->set_root_page_table(*static_cast<set_root_args const*>(args));
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_begin_exclusive_access(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->begin_exclusive_access(*static_cast<begin_exclusive_args const*>(args));
}

template <class Driver>
int WDDMCORE_DRIVER_CALL call_end_exclusive_access(void* adapter, void const* args) {
    return static_cast<Driver*>(adapter)->end_exclusive_access(*static_cast<end_exclusive_args const*>(args));
}

/// The functions that have the same structures at every version.
template <class Driver>
void add_plain_functions([[maybe_unused]] Driver& driver, wddmcore_driver_table& table) {
    if constexpr (requires { driver.add_device(); }) {
        table.add_device = &call_add_device<Driver>;
    }
    if constexpr (requires(wddmcore_memory_services const& services) { driver.start_adapter(services); }) {
        table.start_adapter = &call_start_adapter<Driver>;
    }
    if constexpr (requires(void* allocation) { driver.destroy_allocation(allocation); }) {
        table.destroy_allocation = &call_destroy_allocation<Driver>;
    }
    if constexpr (requires { driver.stop_device(); }) {
        table.stop_device = &call_stop_device<Driver>;
    }
    if constexpr (requires { driver.remove_device(); }) {
        table.remove_device = &call_remove_device<Driver>;
    }
}

/// Those of WDDM 2.0.
template <class Driver>
void add_virtual_functions([[maybe_unused]] Driver& driver, wddmcore_driver_table& table) {
    if constexpr (requires(map_host_aperture_args const& a) { driver.map_cpu_host_aperture(a); }) {
        table.map_cpu_host_aperture = &call_map_cpu_host_aperture<Driver>;
        table.map_cpu_host_aperture_size = static_cast<unsigned>(sizeof(map_host_aperture_args));
    }
    if constexpr (requires(unmap_host_aperture_args const& a) { driver.unmap_cpu_host_aperture(a); }) {
        table.unmap_cpu_host_aperture = &call_unmap_cpu_host_aperture<Driver>;
        table.unmap_cpu_host_aperture_size = static_cast<unsigned>(sizeof(unmap_host_aperture_args));
    }
    if constexpr (requires(root_size_args& a) { driver.get_root_page_table_size(a); }) {
        table.get_root_page_table_size = &call_get_root_page_table_size<Driver>;
    }
    if constexpr (requires(set_root_args const& a) { driver.set_root_page_table(a); }) {
        table.set_root_page_table = &call_set_root_page_table<Driver>;
    }
}

/// Those of WDDM 2.4.
template <class Driver>
void add_exclusive_functions([[maybe_unused]] Driver& driver, wddmcore_driver_table& table) {
    if constexpr (requires(begin_exclusive_args const& a) { driver.begin_exclusive_access(a); }) {
        table.begin_exclusive_access = &call_begin_exclusive_access<Driver>;
    }
    if constexpr (requires(end_exclusive_args const& a) { driver.end_exclusive_access(a); }) {
        table.end_exclusive_access = &call_end_exclusive_access<Driver>;
    }
}

template <class Types, class Driver>
void add_versioned_functions(Driver& driver, wddmcore_driver_table& table) {
    table.query_adapter_info = &call_query<Driver, Types>;
    table.query_adapter_info_size = static_cast<unsigned>(sizeof(typename Types::query));
    if constexpr (requires(typename Types::context& args) { driver.create_context_with_info(args); }) {
        table.create_context_with_info = &call_create_context<Driver, Types>;
        table.create_context_size = static_cast<unsigned>(sizeof(typename Types::context));
    }
    if constexpr (requires(typename Types::allocation& args) { driver.create_allocation(args); }) {
        table.create_allocation = &call_create_allocation<Driver, Types>;
        table.create_allocation_size = static_cast<unsigned>(sizeof(typename Types::allocation));
    }
}

template <class Driver>
void add_other_functions(Driver& driver, wddmcore_driver_table& table) {
    wddm const version = interface_version_of(table.version);
    add_plain_functions(driver, table);
    if (at_least(version, wddm::v2_0)) {
        add_virtual_functions(driver, table);
    }
    if (at_least(version, wddm::v2_4)) {
        add_exclusive_functions(driver, table);
    }
}

}  // namespace vidmm_parts

/// Adds to the table of a host driver what an adapter's start needs.
///
/// `Driver` has a member template over the binding of its version's queries (see ddi/mirror_binding.hpp), returning an
/// NTSTATUS: `query_adapter_info<Binding>(Args const&)`; and of the other functions of driver_table.h, under the same
/// names, those that it offers, each over its structure. It compiles with the bindings of all versions.
/// @param driver  the adapter handle of the table
/// @param table   size and version are set
template <class Driver>
void add_adapter_functions(Driver& driver, wddmcore_driver_table& table) {
    vidmm_parts::with_adapter_types(interface_version_of(table.version), [&](auto tag) {
        vidmm_parts::add_versioned_functions<typename decltype(tag)::type>(driver, table);
    });
    vidmm_parts::add_other_functions(driver, table);
}

/// The same for a driver that is compiled for one version, and registers with it.
template <wddm Version, class Driver>
void add_adapter_functions(Driver& driver, wddmcore_driver_table& table) {
    table.version = static_cast<unsigned>(Version);
    vidmm_parts::add_versioned_functions<vidmm_parts::adapter_types<Version>>(driver, table);
    vidmm_parts::add_other_functions(driver, table);
}

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "amd_machine.hpp"
#include "cpu_machine.hpp"
#include "moves.hpp"
#include "notices.hpp"
#include "tables.hpp"

/// Every operation that two example hardware types carry, as a driver of WDDM 1.3 and as one of WDDM 3.2.
namespace images {

template <class Machine>
void check_paging(checks& to, char const* part, rig_storage& at) {
    static page_mdl mdl;
    mdl.fill_in();
    to.begin(part);
    paging_rig<Machine> rig(to, at);
    check_physical_moves(rig, mdl);
    check_virtual_moves(rig);
    check_apertures(rig, mdl);
    check_contexts(rig);
    check_updates(rig);
    check_table_commands(rig);
    check_fences(rig);
    check_residency(rig);
    check_mmus(rig);
    check_notices(rig);
    to.hash64(smallest_paging_buffer<typename Machine::hw_type>.n);
}

inline void check_all_paging(checks& to, witness const* beside) {
    static rig_storage storage;
    storage.beside = beside;
    guarded_memory[0] = &storage.memory;
    guarded_memory[1] = &storage.beside;
    using first = mirror::v1_3::dxgkarg_buildpagingbuffer;
    using latest = mirror::v3_2::dxgkarg_buildpagingbuffer;
    check_paging<amd_machine<amd::gfx10<>, first>>(to, "paging, AMD gfx10, WDDM 1.3", storage);
    check_paging<amd_machine<amd::gfx10_virtual<amd::whole_memory>, latest>>(to, "paging, AMD gfx10, WDDM 3.2",
                                                                             storage);
    check_paging<cpu_machine<cpu::processor<>, first>>(to, "paging, processor, WDDM 1.3", storage);
    constexpr capabilities all = cpu::every_promise(wddm::v3_2, cpu::every_mode, paging_addresses::both);
    check_paging<cpu_machine<cpu::virtual_processor<all>, latest>>(to, "paging, processor, WDDM 3.2", storage);
}

}  // namespace images

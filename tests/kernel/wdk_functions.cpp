// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ that are called at PASSIVE_LEVEL.

#include "wdk_adapter.hpp"

using namespace wdk_kernel;

extern "C" {

adapter* make(void* memory) { return wdk::make_device<adapter>(memory); }
ntstatus start(void* handle) { return wdk::start_scheduling<adapter>(handle); }

ntstatus paging(void* handle, ddi::dxgkarg_buildpagingbuffer* args) {
    return wdk::build_paging_buffer<adapter>(handle, args);
}
ntstatus query(void* handle, _DXGKARG_QUERYADAPTERINFO const* args) {
    return wdk::query_adapter_info<adapter>(handle, args);
}
ntstatus allocate(void* handle, ddi::dxgkarg_createallocation* args) {
    return wdk::create_allocation<adapter>(handle, args);
}
struct destroyed {
    u32 NumAllocations;
    void* const* pAllocationList;
};
ntstatus free_allocations(void* handle, destroyed const* args) {
    return wdk::destroy_allocation<adapter>(handle, args);
}
ntstatus begin_exclusive(void* handle, ddi::dxgkarg_beginexclusiveaccess const* args) {
    return wdk::begin_exclusive_access<adapter>(handle, args);
}
ntstatus end_exclusive(void* handle, ddi::dxgkarg_endexclusiveaccess const* args) {
    return wdk::end_exclusive_access<adapter>(handle, args);
}

ntstatus create(void* handle, ddi::dxgkarg_createcontext* args) { return wdk::create_context<adapter>(handle, args); }
ntstatus destroy(void* context) { return wdk::destroy_context<adapter>(context); }
void set_root(void* handle, ddi::dxgkarg_setrootpagetable const* args) {
    wdk::set_root_page_table<adapter>(handle, args);
}
usize root_size(void* handle, ddi::dxgkarg_getrootpagetablesize* args) {
    return wdk::get_root_page_table_size<adapter>(handle, args);
}

ntstatus engine_status(void* handle, ddi::dxgkarg_queryenginestatus* args) {
    return wdk::query_engine_status<adapter>(handle, args);
}
ntstatus engine_group(void* handle, ddi::dxgkarg_querydependentenginegroup* args) {
    return wdk::query_dependent_engine_group<adapter>(handle, args);
}
ntstatus reset(void* handle, ddi::dxgkarg_resetengine* args) { return wdk::reset_engine<adapter>(handle, args); }
ntstatus reset_adapter(void* handle) { return wdk::reset_from_timeout<adapter>(handle); }
ntstatus restart(void* handle) { return wdk::restart_from_timeout<adapter>(handle); }
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// stack-limit: 192
//
// The preemption path of a driver that is made of the DDI functions of wdk/: 128 bytes for the machine and its records, as
// in preemption.cpp, and 64 for the DDI function and the reading of news, which otherwise are the driver's own.

#include "wdk_adapter.hpp"

using namespace wdk_kernel;

extern "C" {

u8 interrupt(void* handle, u32 message) { return wdk::interrupt_routine<adapter>(handle, message); }
void dpc(void* handle) { wdk::dpc_routine<adapter>(handle); }
ntstatus submit(void* handle, ddi::dxgkarg_submitcommand const* args) {
    return wdk::submit_command<adapter>(handle, args);
}
ntstatus submit_virtual(void* handle, ddi::dxgkarg_submitcommandvirtual const* args) {
    return wdk::submit_command_virtual<adapter>(handle, args);
}
ntstatus preempt(void* handle, ddi::dxgkarg_preemptcommand const* args) {
    return wdk::preempt_command<adapter>(handle, args);
}
ntstatus cancel(void* handle, ddi::dxgkarg_cancelcommand const* args) {
    return wdk::cancel_command<adapter>(handle, args);
}
ntstatus current_fence(void* handle, ddi::dxgkarg_querycurrentfence* args) {
    return wdk::query_current_fence<adapter>(handle, args);
}
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with faults, timeouts, resets and cancelled packets.
#include "scheduled.hpp"

namespace zoo {

namespace {

constexpr char const* reset = "reset: LastAbortedFenceId, the fence, the ring";
constexpr char const* faults = "faults reported as something else";

using enum sound_driver;
using reset_args = mirror::v3_2::dxgkarg_resetengine;
using status_args = mirror::v3_2::dxgkarg_queryenginestatus;
using group_args = mirror::v3_2::dxgkarg_querydependentenginegroup;

constexpr mistake recovery_rows[] = {
    {"the aborted packet is one that was never submitted", reset, "TDR-05", scheduled,
     [](wddmcore_driver_table& t) {
         t.reset_engine = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
             int const status = sound.reset_engine(d, args);
             static_cast<reset_args*>(args)->LastAbortedFenceId += 1000;
             return status;
         };
     }},
    {"an engine reset leaves the ring as it was", reset, "TDR-04", scheduled,
     sees<[](wddmcore_gpu& g) { g.reset = [](void*, unsigned, unsigned) WDDMCORE_DRIVER_CALL -> int { return 0; }; }>},
    {"an engine reset that failed says success", reset, "TDR-08", scheduled,
     [](wddmcore_driver_table& t) {
         t.reset_engine = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
             static_cast<void>(sound.reset_engine(d, args));
             return status::success;
         };
     }},
    {"a hung engine is called responsive", "an engine called responsive", "TDR-03", scheduled,
     [](wddmcore_driver_table& t) {
         t.query_engine_status = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
             int const status = sound.query_engine_status(d, args);
             static_cast<status_args*>(args)->EngineStatus.Responsive = 1;
             return status;
         };
     }},
    {"the engine's status is not supported", "an engine called responsive", "TDR-03", scheduled,
     [](wddmcore_driver_table& t) {
         t.query_engine_status = [](void*, void*) WDDMCORE_DRIVER_CALL -> int { return status::not_supported; };
     }},
    {"the dependent mask leaves out the node itself", reset, "TDR-02", scheduled,
     [](wddmcore_driver_table& t) {
         t.query_dependent_engine_group = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
             int const status = sound.query_dependent_engine_group(d, args);
             auto& a = *static_cast<group_args*>(args);
             a.DependentNodeOrdinalMask &= ~(u64{1} << a.NodeOrdinal);
             return status;
         };
     }},
    {"the restart after a timeout fails", reset, "TDR-11", scheduled,
     [](wddmcore_driver_table& t) {
         t.restart_from_timeout = [](void* d) WDDMCORE_DRIVER_CALL -> int {
             static_cast<void>(sound.restart_from_timeout(d));
             return status::unsuccessful;
         };
     }},
    {"cancelling a packet fails", "cancel not supported", "TDR-14", scheduled,
     [](wddmcore_driver_table& t) {
         t.cancel_command = [](void*, void const*) WDDMCORE_DRIVER_CALL -> int { return status::not_supported; };
     }},
    {"a fault is DMA_FAULTED", faults, "INT-10", scheduled, notifies<[](record& r) {
         if (r.InterruptType == page_faulted) {
             u32 const node = r.DmaPageFaulted.NodeOrdinal;
             u32 const fence = r.DmaPageFaulted.FaultedFenceId;
             r = record{};
             r.InterruptType = 4;
             r.DmaFaulted.FaultedFenceId = fence;
             r.DmaFaulted.NodeOrdinal = node;
         }
         return true;
     }>},
    {"a fault names the next packet", faults, "INT-09", scheduled, notifies<[](record& r) {
         r.DmaPageFaulted.FaultedFenceId += r.InterruptType == page_faulted ? 1 : 0;
         return true;
     }>},
};

}  // namespace

std::span<mistake const> recovery_mistakes() { return recovery_rows; }

}  // namespace zoo

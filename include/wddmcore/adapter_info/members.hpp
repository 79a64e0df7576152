// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// Which members the structures about an adapter have, asked by name; nothing else here probes them.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// DXGKARG_QUERYADAPTERINFO; later members are not read.
template <class Args>
concept query_adapter_info = requires(Args const& args) {
    args.Type;
    args.pInputData;
    args.InputDataSize;
    args.pOutputData;
    args.OutputDataSize;
};

/// The members of DXGK_DRIVERCAPS that the library sets, at every version.
template <class Caps>
concept driver_caps = requires(Caps& caps) {
    caps.HighestAcceptableAddress.QuadPart;
    caps.ApertureSegmentCommitLimit;
    caps.SchedulingCaps;
    caps.MemoryManagementCaps.Value;
    caps.MemoryManagementCaps.PagingNode;
    caps.GpuEngineTopology.NbAsymetricProcessingNodes;
};

/// From Windows 7.
template <class Caps>
concept driver_caps_wddm_version = driver_caps<Caps> && requires(Caps& caps) { caps.WDDMVersion; };

/// From Windows 8.
template <class Caps>
concept driver_caps_preemption = driver_caps_wddm_version<Caps> && requires(Caps& caps) {
    caps.PreemptionCaps;
    caps.SupportPerEngineTDR;
};

/// From WDDM 2.6.
template <class Caps>
concept driver_caps_compute_only = driver_caps_preemption<Caps> && requires(Caps& caps) { caps.MiscCaps.ComputeOnly; };

/// The members of DXGK_PHYSICALADAPTERCAPS that the library sets.
template <class Caps>
concept physical_adapter_caps = requires(Caps& caps) {
    caps.NumExecutionNodes;
    caps.PagingNodeIndex;
    caps.Flags.Value;
};

}  // namespace wddmcore::members

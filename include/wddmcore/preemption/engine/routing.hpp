// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/result.hpp"
#include "../../base/span.hpp"
#include "../../base/units.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../../hw/promises/preemption_model.hpp"
#include "ids.hpp"

/// Which node and engine a call of the system means, and what a driver says about its nodes.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

inline constexpr u32 most_engines = 32;  ///< an engine affinity has 32 bits (LDA-03)

/// The nodes and physical adapters of one logical adapter.
struct adapter_shape {
    u32 nodes;  ///< NbAsymetricProcessingNodes: of each physical adapter, the same for all (LDA-02); 1 to 64
    u32 physical_adapters;  ///< 1 outside a link; 1 to 32
    friend constexpr bool operator==(adapter_shape, adapter_shape) = default;
};

/// Whether several physical adapters act as one. @return true: there is more than one
[[nodiscard]] constexpr bool is_link(adapter_shape shape) noexcept { return shape.physical_adapters > 1; }

/// Whether an adapter has this engine. Source: tdr-changes-in-windows-8.md.
///
/// @return true: both ordinals, which count from zero (LDA-01), are below the adapter's numbers
[[nodiscard]] constexpr bool contains(adapter_shape shape, engine_id id) noexcept {
    return id.node < shape.nodes && id.engine < shape.physical_adapters;
}

/// The shape of a link from the node count of each of its physical adapters.
///
/// @param node_counts  one entry a physical adapter; 1 to 32 entries, each 1 to 64
/// @return the shape. inconsistent: the counts differ (LDA-02). out_of_range: no adapter or more than 32, no node or
///         more than 64 (LDA-06)
/// Source: tdr-changes-in-windows-8.md, ns-d3dkmddi-_dxgk_gpuenginetopology.md. At start, before the caps are answered.
[[nodiscard]] constexpr result<adapter_shape> shape_of_link(span<u32 const> node_counts) noexcept {
    if (node_counts.empty() || node_counts.count > most_engines) {
        return refused<adapter_shape>(errc::out_of_range);
    }
    u32 const nodes = node_counts[0];
    for (u32 const other : node_counts) {
        if (other != nodes) {
            return refused<adapter_shape>(errc::inconsistent);
        }
    }
    if (nodes == 0 || nodes > hw::most_nodes) {
        return refused<adapter_shape>(errc::out_of_range);
    }
    return good(adapter_shape{nodes, static_cast<u32>(node_counts.count)});
}

/// The affinity of an engine (LDA-03).
///
/// @param engine  EngineOrdinal, below 32
/// @return its one bit
[[nodiscard]] constexpr u32 affinity_of(u32 engine) noexcept {
    promise(engine < most_engines);
    return 1u << engine;
}
static_assert(affinity_of(0) == 1u && affinity_of(31) == 0x8000'0000u);

/// The engine of a new context: DxgkDdiCreateContext gives its node and an affinity of exactly one bit.
///
/// @param node      NodeOrdinal
/// @param affinity  EngineAffinity
/// @return the pair to keep in the driver's context. out_of_range: the adapter has no such node or engine.
///         inconsistent: the affinity has no bit or several (LDA-03)
/// Source: ns-d3dkmddi-_dxgkarg_createcontext.md, tdr-changes-in-windows-8.md.
[[nodiscard]] constexpr result<engine_id> engine_of_context(adapter_shape shape, u32 node, u32 affinity) noexcept {
    if (!is_power_of_two(affinity)) {
        return refused<engine_id>(errc::inconsistent);
    }
    engine_id const id{node, log2_of(affinity)};
    return contains(shape, id) ? good(id) : refused<engine_id>(errc::out_of_range);
}

namespace detail {

/// Whether a submission's structure names its node: from WDDM 1.2.
template <class Args>
concept names_its_node = requires(Args const& args) { args.NodeOrdinal; };

}  // namespace detail

/// The engine that a submission belongs to (DXGKARG_SUBMITCOMMAND, DXGKARG_SUBMITCOMMANDVIRTUAL).
///
/// The EngineOrdinal of both structures is reserved and is not read: the engine comes from the context's affinity
/// (LDA-03). A paging packet has no context, and nothing in its structure names the engine in a link: it belongs to
/// engine 0 (AMB-54).
///
/// @param args         NodeOrdinal is read, where the structure has it
/// @param context      what engine_of_context() gave when hContext was created; NULL when hContext is NULL
/// @param paging_node  the node that the driver reported for paging; used only without a context, and only for a
///                     structure older than WDDM 1.2, which does not name a node
/// @return the pair. out_of_range: the adapter has no such node. inconsistent: NodeOrdinal is not the context's node
/// IRQL: DISPATCH_LEVEL and below, nonpaged. Source: ns-d3dkmddi-_dxgkarg_submitcommand.md,
/// ns-d3dkmddi-_dxgkarg_submitcommandvirtual.md.
template <class Args>
[[nodiscard]] constexpr result<engine_id> engine_of_submission(Args const& args, engine_id const* context,
                                                               adapter_shape shape, u32 paging_node) noexcept {
    engine_id id = context != nullptr ? *context : engine_id{paging_node, 0};
    if constexpr (detail::names_its_node<Args>) {
        u32 const node = args.NodeOrdinal;
        if (context != nullptr && node != id.node) {
            return refused<engine_id>(errc::inconsistent);
        }
        id.node = node;
    }
    return contains(shape, id) ? good(id) : refused<engine_id>(errc::out_of_range);
}

/// The engine as the system is told of it (LDA-04). Source: ns-d3dkmddi-_dxgkargcb_notify_interrupt_data.md.
///
/// @return the pair; outside a link with engine 0, whatever the driver counts there
[[nodiscard]] constexpr engine_id as_reported(adapter_shape shape, engine_id id) noexcept {
    return {id.node, is_link(shape) ? id.engine : 0};
}

/// What DxgkDdiGetNodeMetadata returns for an index: its low 16 bits are the node, its high 16 the physical adapter.
///
/// The page speaks of a node index only. The parameter's name says that the high half is the physical adapter, and
/// drivers decode it so; in WDDM 1.3, where it is a node alone, that half is 0.
///
/// @param node_and_adapter  NodeOrdinalAndAdapterIndex
/// @return success for every node below the count, invalid_parameter for any other (LDA-09); no other value is allowed
/// IRQL: PASSIVE_LEVEL. From WDDM 1.3. Source: nc-d3dkmddi-dxgkddi_getnodemetadata.md.
[[nodiscard]] constexpr ntstatus node_metadata_status(adapter_shape shape, u32 node_and_adapter) noexcept {
    engine_id const id{node_and_adapter & 0xFFFFu, node_and_adapter >> 16};
    return contains(shape, id) ? status::success : status::invalid_parameter;
}

}  // namespace wddmcore::preemption

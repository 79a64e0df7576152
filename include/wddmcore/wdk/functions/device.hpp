// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../preemption/engine/engine_for.hpp"
#include "../../preemption/engine/resume_slot.hpp"
#include "../../preemption/engine/routing.hpp"
#include "../../preemption/hardware_queues/context.hpp"
#include "../../preemption/recovery/engine_status.hpp"
#include "engine_port.h"

/// What the functions of wdk/resident_functions.hpp and wdk/pageable_functions.hpp keep for an adapter and its
/// contexts.
///
/// Outside a link: every node has one engine. A driver for a link keeps preemption::engine objects itself.

struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA;

namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// The DDI's BOOLEAN, and the KIRQL that a spin lock gives back.
using boolean = u8;
using irq_level = u8;

/// A function to run in the interrupt lock: KSYNCHRONIZE_ROUTINE of x64 and ARM64, where it has no convention of its
/// own.
using synchronized_routine = boolean(void* argument);

/// What hContext points to; of a driver with hardware scheduling, hHwContext too.
struct context {
    void* adapter;                     ///< the hAdapter that it belongs to
    void* own;                         ///< what the driver's open_context gave
    preemption::engine_id where;       ///< constant
    preemption::resume_slot half_run;  ///< interrupt lock; resumes() in the submission lock
    context* next;                     ///< submission lock
    bool is_systems;                   ///< SystemContext; constant
    bool is_caught;                    ///< an engine reset has caught it, and the system does not know; submission lock
    void* system;                      ///< the system's handle, which DxgkDdiCreateContext came with; constant
    preemption::hw_context hardware;   ///< with hardware scheduling; interrupt lock

    /// Constructs in memory that is there.
    /// @param at  its address
    /// @return the same address
    static void* operator new(usize, void* at) noexcept { return at; }
};

/// What goes through the ring of an engine with each packet.
struct packet_cookie {
    context* owner;     ///< whose packet it is
    u64 buffer;         ///< GPU address
    void const* saves;  ///< the driver's own, of `owner` at the submission: where state would be saved
};

namespace detail {

/// By what a packet is recognised when it comes back or is cancelled (AMB-52): the address of its first byte, and its
/// size. The virtual submission says no more than these two, so both forms have this identity.
[[nodiscard]] constexpr preemption::packet_identity identity_of(u64 first_byte,
                                                                preemption::packet_window window) noexcept {
    return {first_byte, {0, window.end - window.start}};
}
template <class Packet>
[[nodiscard]] constexpr preemption::packet_identity identity_of(Packet const& p) noexcept {
    return identity_of(p.cookie.buffer + p.window.start, p.window);
}

}  // namespace detail

/// Keeps the resume slots of contexts: a half-run packet is remembered until it has finished. Interrupt lock.
struct packet_leaves {
    /// Learns that a packet leaves the ring, and why.
    void operator()(preemption::submission<packet_cookie> const& p, preemption::fate why) const noexcept {
        context& owner = *p.cookie.owner;
        switch (why) {
            case preemption::fate::half_run:
                // A default context that has changed meanwhile finds no state where it would load it.
                if (p.cookie.saves == owner.own) {
                    owner.half_run.keep(detail::identity_of(p));
                }
                break;
            case preemption::fate::preempted:
            case preemption::fate::lost:
            case preemption::fate::rejected: break;  // forgotten when it was refused
            default: owner.half_run.finished(detail::identity_of(p));
        }
    }
};

/// One node of the adapter.
template <class Gpu>
struct node {
    preemption::engine_for<Gpu, preemption::under_interrupt_lock, packet_cookie> machine{};
    preemption::engine_status status{};
    /// For packets that name no context (PGB-15), and for refused ones, which may outlive theirs. It lives as long as
    /// the adapter; `own` is that of the system's newest context on this node, NULL while there is none. Both locks.
    context by_default{};
};

/// What hAdapter, the MiniportDeviceContext of DxgkDdiAddDevice, points to: the driver's own adapter, then the
/// library's part. Where Gpu begins with a structure of a driver in C, hAdapter points to that structure.
template <class Gpu>
struct device : Gpu {
    node<Gpu> nodes[hw::engine_count<Gpu>]{};  ///< of the largest chip; shape() says how many there are
    context* contexts = nullptr;               ///< submission lock
    u32 exclusive = 0;                         ///< DxgkDdiBeginExclusiveAccess was called last
    // What would make frames of the interrupt routine too large for it (law 8).
    _DXGKARGCB_NOTIFY_INTERRUPT_DATA record{};  ///< interrupt lock
    wddmcore_engine_news news{};                ///< interrupt lock
    wddmcore_packet packet{};                   ///< both locks

    /// The nodes of this chip: the registers of others are never touched. Any IRQL, nonpaged.
    /// @return their number, and 1 adapter
    [[nodiscard]] preemption::adapter_shape shape() const noexcept {
        return {static_cast<u32>(hw::engines_of(static_cast<Gpu const&>(*this)).count), 1};
    }

    /// Constructs in memory that is there.
    /// @param at  its address
    /// @return the same address
    static void* operator new(usize, void* at) noexcept { return at; }
};

/// DxgkDdiAddDevice: constructs the adapter. PASSIVE_LEVEL. DDI: WDDM 1.0. Source: nc-dispmprt-dxgkddi_add_device.md.
///
/// @param memory  nonpaged, aligned as pool memory, sizeof(device<Gpu>) bytes; members without an initialiser become 0
/// @return MiniportDeviceContext
template <class Gpu>
[[nodiscard]] Gpu* make_device(void* memory) noexcept {
    return new (memory) device<Gpu>{};
}

/// The driver's own adapter behind hAdapter or MiniportDeviceContext. Any IRQL, nonpaged.
/// @param handle  one of the two
/// @return what make_device() returned
template <class Gpu>
[[nodiscard]] Gpu& adapter_of(void* handle) noexcept {
    return *static_cast<Gpu*>(handle);
}

namespace detail {

/// @return the whole adapter behind hAdapter or MiniportDeviceContext
template <class Gpu>
[[nodiscard]] device<Gpu>& device_of(void* handle) noexcept {
    return static_cast<device<Gpu>&>(wdk::adapter_of<Gpu>(handle));
}

/// @return the context behind hContext; NULL stays NULL
[[nodiscard]] inline context* context_of(void* handle) noexcept { return static_cast<context*>(handle); }

/// The submission lock, held from construction to destruction (preemption/engine/word.hpp). DISPATCH_LEVEL meanwhile.
template <class Gpu>
class submission_lock {
public:
    explicit submission_lock(Gpu& hw) noexcept : hw_(hw), before_(hw.take_submission_lock()) {}
    ~submission_lock() { hw_.leave_submission_lock(before_); }
    submission_lock(submission_lock const&) = delete;
    submission_lock& operator=(submission_lock const&) = delete;

private:
    Gpu& hw_;
    irq_level before_;
};

/// Runs `use()` in the interrupt lock.
template <class Gpu, class Use>
void synchronized(Gpu& hw, Use use) noexcept {
    hw.run_synchronized(
        [](void* argument) -> boolean {
            (*static_cast<Use*>(argument))();
            return 1;
        },
        &use);
}

/// After the node was resumed: asks the hardware to run what a reset did not catch. Both locks.
template <class Gpu>
void let_contexts_run(device<Gpu>& d, u32 n) noexcept {
    for (context* each = d.contexts; each != nullptr; each = each->next) {
        if (each->where.node == n && each->hardware.engine_resumed().has(preemption::hw_action::ask_resume)) {
            d.ask_resume(*each);
        }
    }
}

/// Gives a node's default context what the driver has for the newest context of the system there, now that the list has
/// changed. State that was saved elsewhere is not found any more. Submission lock.
template <class Gpu>
void renew_default(device<Gpu>& d, u32 n) noexcept {
    void* own = nullptr;
    for (context* each = d.contexts; each != nullptr; each = each->next) {
        if (each->is_systems && each->where.node == n) {
            own = each->own;
            break;
        }
    }
    context& by_default = d.nodes[n].by_default;
    if (by_default.own != own) {
        synchronized(d, [&by_default, own] {
            by_default.own = own;
            by_default.half_run.forget();
        });
    }
}

}  // namespace detail

}  // namespace wddmcore::wdk

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/cpu_memory.hpp>
#include <wddmcore/testing/processor/engine.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>
#include <wddmcore/testing/scheduler_table.h>
#include <wddmcore/testing/split_bus.hpp>
#include <wddmcore/testing/translation_cache.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <array>
#include <deque>
#include <span>
#include <stdexcept>

/// The surroundings of a driver while the memory manager is simulated: the processor, which decodes what the driver
/// encodes and shares no code with it, its interrupts, and as many of the system's services as paging needs.
namespace wddmcore::examples::host {

/// The node that pages, of the two that the example drivers have.
inline constexpr u32 paging_node = 1;

/// What PCI resources say at StartDevice.
struct machine_resources {
    u64 memory_bytes;
    u64 bar;
    u64 system_base;
    cpu::aperture_entry* aperture_entries;
};

class machine final : public testing::engine {
    struct hardware : cpu::virtual_processor<cpu::processor_memory::claims>, cpu::processor_memory {};
    using notify_data = mirror::v3_2::dxgkargcb_notify_interrupt_data;

public:
    static constexpr bytes memory = 16 * mib;
    static constexpr u64 system_base = 0x10'0000'0000;
    static constexpr u64 aperture_pages = (16 * mib).n / page_bytes;

    machine() {
        services_.size = static_cast<unsigned>(sizeof services_);
        services_.system = this;
        services_.notify_interrupt = [](void* m, void const* data) WDDMCORE_DRIVER_CALL {
            of(m).notified(*static_cast<notify_data const*>(data));
        };
        services_.queue_dpc = [](void* m) WDDMCORE_DRIVER_CALL { return std::exchange(of(m).dpc_, true) ? 0 : 1; };
        services_.notify_dpc = [](void*) WDDMCORE_DRIVER_CALL {};
        services_.synchronize_execution = [](void*, int(WDDMCORE_DRIVER_CALL * routine)(void*), void* context, unsigned,
                                             int*) WDDMCORE_DRIVER_CALL {
            static_cast<void>(routine(context));
            return int{status::success};
        };
        registers_.size = static_cast<unsigned>(sizeof registers_);
        registers_.gpu = this;
        registers_.node_count = 2;
        registers_.engine_count = 1;
        registers_.ring_entries = 8;
        registers_.enqueue = [](void* m, unsigned n, unsigned, wddmcore_gpu_packet const* p)
                                 WDDMCORE_DRIVER_CALL { of(m).ring_.push_back({n, p->serial, p->buffer}); };
        registers_.read_status = [](void* m, unsigned n, unsigned, wddmcore_gpu_status* now) WDDMCORE_DRIVER_CALL {
            *now = std::exchange(of(m).status_.at(n), wddmcore_gpu_status{});
        };
        registers_.halt = [](void*, unsigned, unsigned, wddmcore_gpu_halted* h) WDDMCORE_DRIVER_CALL { *h = {}; };
        registers_.reset = [](void* m, unsigned, unsigned) WDDMCORE_DRIVER_CALL {
            of(m).ring_.clear();
            return 0;
        };
        engine_.late().on_drop = [this](testing::cpu_drop const& d) {
            u64 const root = bus_address(d.segment, d.offset);
            d.first == 0 && d.last == 0 ? cache_.flush(root) : cache_.flush(root, d.first, d.last);
        };
    }

    [[nodiscard]] machine_resources found() { return {memory.n, 0xE000'0000, system_base, entries_.data()}; }
    [[nodiscard]] wddmcore_system_services const& services() const { return services_; }
    [[nodiscard]] wddmcore_gpu const& registers() const { return registers_; }

    /// Executes commands where the simulator put them, through the page tables of the current address space.
    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        testing::split_bus reached(
            bus, [this](u64 address) { return memory_->at(address, 1).data == nullptr; },
            [this](u64 va) {
                testing::translation const found = cache_.translate(root_, va);
                if (!found.ok() && on_page_fault) {
                    on_page_fault(va);
                }
                return found;
            });
        window_ = window_ == nullptr ? commands : window_;
        testing::execution const done = engine_.execute(commands, dwords, reached);
        for (testing::cpu_notice const& n : std::exchange(engine_.late().notices, {})) {
            write_back([&](line const& l) { return l.process == n.values[0] && l.va - n.values[1] < n.values[2]; });
        }
        return done;
    }

    /// To be called when a window was executed: the processor writes its serial and interrupts; the driver reports the
    /// fence.
    void finish_window(wddmcore_driver_table const& driver) {
        // What the system itself submits is named by where it lies, and what applications do by its address in theirs.
        auto const window = reinterpret_cast<std::uintptr_t>(std::exchange(window_, nullptr));
        if (ring_.empty() || (ring_.front().node == paging_node && ring_.front().buffer != window)) {
            throw std::logic_error("a window was executed that the driver has not given to the ring");
        }
        wddmcore_gpu_status& status = status_.at(ring_.front().node);
        status.news = wddmcore_gpu_completed;
        status.completed = ring_.front().serial;
        ring_.pop_front();
        static_cast<void>(driver.interrupt_routine(driver.adapter, 0));
        if (std::exchange(dpc_, false)) {
            driver.dpc_routine(driver.adapter);
        }
    }

    /// What the simulator must know about this hardware.
    /// @param root_of  the root that the driver has for a context
    void observe(testing::vidmm_options& o, gpuva::root_table (*root_of)(void* context)) {
        o.system_base = system_base;
        o.command_alignment = static_cast<u32>(to_bytes(hardware::unit_dwords).n);
        o.page_of = [this](u64 index) { return engine_.page_of(hardware::window.n, index).value_or(0); };
        o.coherent_of = [this](u64 index) { return engine_.coherent_of(hardware::window.n, index).value_or(false); };
        o.page_tables.attributes &= coherent | read_only;  // the walker does not tell whether code may run
        o.page_tables.enter = [this](u32 segment, u64 offset) { root_ = bus_address(segment, offset); };
        o.page_tables.translate = [this](u32 segment, u64 offset, u64 va, bool past_caches) {
            u64 const root = bus_address(segment, offset);
            testing::translation const t = past_caches ? walk(root, va) : cache_.translate(root, va);
            u64 const attributes = (t.coherent ? coherent : 0) | (t.writable ? 0 : read_only);
            return t.ok() ? std::optional(testing::vidmm_translation{t.bus, attributes}) : std::nullopt;
        };
        // The context is loaded with the root that the driver has for it.
        o.page_tables.translate_in_context = [root_of, see = o.page_tables.translate](void* context, u64 va,
                                                                                      bool past_caches) {
            gpuva::root_table const root = root_of(context);
            bool const faults = !root.is_set() || gpuva::faults_at_root(hardware::page_tables, root, {va});
            return faults ? std::nullopt : see(root.segment.n, root.offset.n, va, past_caches);
        };
        o.notices.monitored_fences = true;
        o.notify.writes = [this](void* process, u64 va, u64 address, std::span<std::byte const> value) {
            line l{reinterpret_cast<std::uintptr_t>(process), va, address, 0};
            std::memcpy(&l.value, value.data(), sizeof l.value);
            lines_.push_back(l);
        };
        o.notify.write_back = [this] { write_back([](line const&) { return true; }); };
    }
    void attach(testing::vidmm& system) {
        attach(system.memory());
        on_page_fault = [&system](u64 va) { system.page_fault(va); };
    }
    void attach(testing::gpu_bus& all_memory) { memory_ = &all_memory; }

    std::function<void(u64 va)> on_page_fault;  ///< tells a simulator what the engine found no translation for
    u64 completed = 0;                          ///< records of completed packets
    u32 last_fence = 0;

private:
    static constexpr u64 coherent = 1 << 2;  // bits of DXGK_PTE
    static constexpr u64 read_only = 1 << 3;

    struct ring_entry {
        unsigned node;
        u32 serial;
        u64 buffer;
    };

    /// A word that the processor's cache holds back.
    struct line {
        u64 process;
        u64 va;
        u64 address;
        u64 value;
    };

    [[nodiscard]] static machine& of(void* m) { return *static_cast<machine*>(m); }

    void notified(notify_data const& data) {
        constexpr u32 dma_completed = 1;  // DXGK_INTERRUPT_DMA_COMPLETED
        if (data.InterruptType != dma_completed) {
            throw std::logic_error("an interrupt that nothing has caused");
        }
        ++completed;
        last_fence = data.DmaCompleted.SubmissionFenceId;
    }

    [[nodiscard]] static u64 bus_address(u32 segment, u64 offset) {
        return offset + (segment == 0 ? system_base : hardware::layout.rows[hardware::local.n - 1].base.n);
    }
    [[nodiscard]] testing::translation walk(u64 root, u64 va) const {
        return testing::cpu_page_walker(*memory_, root).walk(va);
    }

    template <class Which>
    void write_back(Which const& which) {
        for (line const& l : lines_) {
            if (which(l) && !memory_->write(l.address, &l.value, sizeof l.value)) {
                throw std::logic_error("a cached word has lost its memory");
            }
        }
        std::erase_if(lines_, which);
    }

    std::vector<cpu::aperture_entry> entries_ = std::vector<cpu::aperture_entry>(aperture_pages);
    testing::cpu_engine engine_{{{hardware::window.n, std::as_writable_bytes(std::span(entries_))}}};
    testing::translation_cache cache_{[this](u64 root, u64 va) { return walk(root, va); }, true};
    testing::gpu_bus* memory_ = nullptr;
    u64 root_ = 0;
    std::vector<line> lines_;
    std::deque<ring_entry> ring_;
    void const* window_ = nullptr;                 // the first command of the window that is being executed
    std::array<wddmcore_gpu_status, 2> status_{};  // of each node
    bool dpc_ = false;
    wddmcore_system_services services_{};
    wddmcore_gpu registers_{};
};

}  // namespace wddmcore::examples::host

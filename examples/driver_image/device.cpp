// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The GPU of the example drivers as a device model for `certify --device`: its first memory range says what the driver
// finds (c_driver/registers.h), and its engine executes what the driver encodes.

#include <driver_host/machine.hpp>
#include <wddmcore/testing/certify/image/device.hpp>

#include <memory>

namespace {

using namespace wddmcore;

/// As the driver's structures of the same names in c_driver/registers.h, which need a kit's headers.
struct found_hardware {
    u64 memory_bytes;
    u64 bar_address;
    u64 system_base;
    void* aperture_entries;
    wddmcore_gpu const* registers;
    u64 save_areas[2];
    u64* host_aperture_entries;
    u32 host_aperture_pages;
};
struct allocation_request {
    u64 size;
    u32 cpu_visible;
    u32 notify_unmap;
};
struct own_context {
    u64 save_area;
    u32 root_segment;
    u32 root_entries;
    u64 root_offset;
};
/// The beginning of what the library puts around a driver's own context (wdk/functions/device.hpp).
struct library_context {
    void* adapter;
    own_context const* own;
};

/// The bus that the machine gives, as the engine and the page walker see it.
class host_bus final : public testing::gpu_bus {
public:
    explicit host_bus(wddmcore_device_bus const& bus) : bus_(bus) {}
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return bus_.read(bus_.bus, address, to, size) == 0;
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return bus_.write(bus_.bus, address, from, size) == 0;
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        void* memory = nullptr;
        auto const bytes = bus_.at(bus_.bus, address, size, &memory);
        return {static_cast<std::byte*>(memory), static_cast<std::size_t>(bytes)};
    }

private:
    wddmcore_device_bus const& bus_;
};

struct device {
    examples::host::machine machine;
    testing::vidmm_options observed;  // of the machine, asked for one by one
    std::optional<host_bus> memory;
    wddmcore_device_host const* host = nullptr;
    alignas(4096) std::byte registers[4096]{};

    /// What the machine interrupts: the system, which also runs the DPC.
    [[nodiscard]] wddmcore_driver_table interrupted() {
        wddmcore_driver_table t{};
        t.adapter = this;
        t.interrupt_routine = [](void* d, unsigned message) WDDMCORE_DRIVER_CALL -> int {
            auto const& to = *static_cast<device*>(d)->host;
            to.interrupt(to.host, message);
            return 1;
        };
        t.dpc_routine = [](void*) WDDMCORE_DRIVER_CALL {};
        return t;
    }

    void show(wddmcore_gpu const* engines) {
        auto const found = machine.found();
        found_hardware const hardware{found.memory_bytes,
                                      found.bar,
                                      found.system_base,
                                      found.aperture_entries,
                                      engines,
                                      {0x2000, 0x3000},
                                      nullptr,
                                      0};
        std::memcpy(registers, &hardware, sizeof hardware);
    }
};

[[nodiscard]] device& of(void* d) { return *static_cast<device*>(d); }

gpuva::root_table root_of(void* context) {
    own_context const& own = *static_cast<library_context const*>(context)->own;
    return {{own.root_segment}, own.root_entries, {own.root_offset}};
}

int answer(std::optional<testing::vidmm_translation> const& found, unsigned long long* address, unsigned* attributes) {
    if (!found) {
        return 1;
    }
    *address = found->address;
    *attributes = static_cast<unsigned>(found->attributes);
    return 0;
}

int execute(void* d, unsigned const* commands, unsigned long long dwords, wddmcore_device_bus const* bus, char* why,
            unsigned long long why_bytes, unsigned long long* dword) {
    host_bus reached(*bus);
    testing::execution const done = of(d).machine.execute(commands, static_cast<std::size_t>(dwords), reached);
    std::snprintf(why, static_cast<std::size_t>(why_bytes), "%s", done.why.c_str());
    *dword = done.dword;
    return done.ok ? 0 : 1;
}

void fill_paging(wddmcore_device_model& m) {
    m.execute = &execute;
    m.window_done = [](void* d) { of(d).machine.finish_window(of(d).interrupted()); };
    m.attach = [](void* d, wddmcore_device_bus const* bus) {
        if (bus != nullptr) {
            of(d).memory.emplace(*bus);
            of(d).machine.attach(*of(d).memory);
        }
    };
    m.aperture_page = [](void* d, unsigned, unsigned long long index, unsigned long long* page, int* is_coherent) {
        *page = of(d).observed.page_of(index);
        *is_coherent = of(d).observed.coherent_of(index) ? 1 : 0;
        return 0;
    };
    m.translate = [](void* d, unsigned segment, unsigned long long offset, unsigned long long va, int past_caches,
                     unsigned long long* address, unsigned* attributes) {
        return answer(of(d).observed.page_tables.translate(segment, offset, va, past_caches != 0), address, attributes);
    };
    m.enter_address_space = [](void* d, unsigned segment, unsigned long long offset) {
        of(d).observed.page_tables.enter(segment, offset);
    };
    m.translate_in_context = [](void* d, void* context, unsigned long long va, int past_caches,
                                unsigned long long* address, unsigned* attributes) {
        return answer(of(d).observed.page_tables.translate_in_context(context, va, past_caches != 0), address,
                      attributes);
    };
    m.cached_write = [](void* d, void* process, unsigned long long va, unsigned long long address, void const* from,
                        unsigned long long bytes) {
        auto const* const data = static_cast<std::byte const*>(from);
        of(d).observed.notify.writes(process, va, address, {data, static_cast<std::size_t>(bytes)});
    };
    m.write_back = [](void* d) { of(d).observed.notify.write_back(); };
}

void fill_requests(wddmcore_device_model& m) {
    m.allocation_data = [](void*, unsigned number, unsigned long long bytes, void* to, unsigned) -> unsigned {
        allocation_request const request{bytes, number % 2, 1};
        std::memcpy(to, &request, sizeof request);
        return sizeof request;
    };
    m.context_data = [](void*, unsigned long long save_area, void* to, unsigned) -> unsigned {
        std::memcpy(to, &save_area, sizeof save_area);
        return sizeof save_area;
    };
}

}  // namespace

extern "C" int wddmcore_make_device(wddmcore_device_host const* host, wddmcore_device_model* model) {
    if (model->size < sizeof *model) {
        return 1;  // the host is older, and has no room for what would be written
    }
    static std::unique_ptr<device> const one = std::make_unique<device>();
    one->host = host;
    one->observed.page_tables.attributes = ~std::uint64_t{0};
    one->machine.observe(one->observed, &root_of);
    wddmcore_device_model& m = *model;
    m.device = one.get();
    m.memory_count = 1;
    m.memory[0] = {0xD000'0000, sizeof one->registers, one->registers};
    m.system_base = one->observed.system_base;
    m.command_alignment = one->observed.command_alignment;
    m.page_attributes = static_cast<unsigned>(one->observed.page_tables.attributes);
    m.monitored_fences = 1;
    fill_paging(m);
    fill_requests(m);
    m.show_engines = [](void* d, wddmcore_gpu const* engines) { of(d).show(engines); };
    one->show(&one->machine.registers());
    return 0;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#if defined(__x86_64__) && defined(__linux__)

// The callbacks of DXGKRNL_INTERFACE, through the pointers that a driver has.
namespace {

using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::machine;

/// The member of the newest interface, with the type that the driver sees.
template <class Function>
[[nodiscard]] Function* member(char const* name) {
    auto const& row = *std::rbegin(registrations);
    std::byte const* const whole = dxgk_services::make_interface(row.interface, row.version);
    for (std::size_t i = 0; i < std::size(interface_functions); ++i) {
        if (std::string(name) == interface_functions[i]) {
            Function* found = nullptr;
            std::memcpy(&found, whole + 16 + 8 * i, sizeof found);
            return found;
        }
    }
    return nullptr;
}
/// Calls it. A driver's pointer type has the driver's own structures: the same function for the processor.
template <class Function, class... Arguments>
#    if defined(__clang__)
__attribute__((no_sanitize("function")))
#    endif
auto call(char const* name, Arguments... arguments) {
    return member<Function>(name)(arguments...);
}
[[nodiscard]] bool was_absent(char const* name) { return dxgk_services::graphics::current().absent.count(name) != 0; }

TEST_CASE("a callback that nobody plays is named, and returns nothing that could be taken for an answer") {
    machine m;
    auto& g = dxgk_services::graphics::current();
    g.absent.clear();
    using status = ntstatus WDDMCORE_DRIVER_CALL(void*, void*);
    using address = std::uint64_t WDDMCORE_DRIVER_CALL(void*, void*);
    CHECK(call<status>("DxgkCbCreateContextAllocation", nullptr, nullptr) == nt::not_supported);
    CHECK(call<address>("DxgkCbMapContextAllocation", nullptr, nullptr) == 0);
    CHECK(was_absent("DxgkCbCreateContextAllocation"));
    CHECK(was_absent("DxgkCbMapContextAllocation"));
    g.absent.clear();
}

TEST_CASE("callbacks of WDDM 2.9 have one argument") {
    machine m;
    static void* seen;
    seen = nullptr;
    wddmcore_memory_services services{};
    services.create_physical_memory_object = [](void*, void* args) WDDMCORE_DRIVER_CALL -> int {
        seen = args;
        return 0;
    };
    services.free_adl = [](void*, void const* args) WDDMCORE_DRIVER_CALL { seen = const_cast<void*>(args); };
    dxgk_services::graphics::current().memory = &services;
    int args = 0;
    using with_args = ntstatus WDDMCORE_DRIVER_CALL(void*);
    CHECK(call<with_args>("DxgkCbCreatePhysicalMemoryObject", &args) == nt::success);
    CHECK(seen == &args);
    seen = nullptr;
    call<void WDDMCORE_DRIVER_CALL(void const*)>("DxgkCbFreeAdl", &args);
    CHECK(seen == &args);
    dxgk_services::graphics::current().memory = nullptr;
}

TEST_CASE("handles give what the driver put behind them, and none is invented") {
    machine m;
    dxgk_services::handle_table& table = dxgk_services::handle_table::current();
    int behind = 0;
    int of_device = 0;
    std::uint32_t const parent = table.give({1, 0, &behind, nullptr});
    std::uint32_t const child = table.give({2, parent, &behind, &of_device});
    struct {
        std::uint32_t handle, type, flags;
    } args{child, 2, 0};
    using data = void* WDDMCORE_DRIVER_CALL(void*);
    CHECK(call<data>("DxgkCbGetHandleData", &args) == &behind);
    args.flags = 1;
    CHECK(call<data>("DxgkCbGetHandleData", &args) == &of_device);
    CHECK(call<std::uint32_t WDDMCORE_DRIVER_CALL(std::uint32_t)>("DxgkCbGetHandleParent", child) == parent);
    struct {
        std::uint32_t handle, index;
    } children{parent, 0};
    using next = std::uint32_t WDDMCORE_DRIVER_CALL(void*);
    CHECK(call<next>("DxgkCbEnumHandleChildren", &children) == child);
    children.index = 1;
    CHECK(call<next>("DxgkCbEnumHandleChildren", &children) == 0);
    void* held = nullptr;
    CHECK(call<void * WDDMCORE_DRIVER_CALL(void*, void**)>("DxgkCbAcquireHandleData", &args, &held) == &of_device);
    CHECK(table.held == 1);
    struct {
        void* handle;
        std::uint32_t type;
    } const release{held, 2};
    // A structure of 16 bytes goes by its address in this convention.
    call<void WDDMCORE_DRIVER_CALL(void const*)>("DxgkCbReleaseHandleData", &release);
    CHECK(table.held == 0);
    CHECK(m.record->findings.used == 0);
    args.handle = 0x1234;
    CHECK(call<data>("DxgkCbGetHandleData", &args) == nullptr);
    CHECK(m.found(0).find("a handle that the system never gave out") != std::string::npos);
    table = {};
}

TEST_CASE("features are off, no display was lit, and memory comes with a handle") {
    machine m;
    struct {
        void* device;
        std::uint32_t feature;
        std::uint8_t enabled;
    } feature{nullptr, 3, 9};
    CHECK(call<ntstatus WDDMCORE_DRIVER_CALL(void*)>("DxgkCbIsFeatureEnabled", &feature) == nt::success);
    CHECK(feature.enabled == 0);
    std::uint32_t lit[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    using with_two = ntstatus WDDMCORE_DRIVER_CALL(void*, void*);
    CHECK(call<with_two>("DxgkCbAcquirePostDisplayOwnership", nullptr, lit) == nt::success);
    CHECK(lit[0] == 0);
    std::uint64_t memory[7] = {8192, 0, ~0ULL, 0, 0, 0, 0};
    CHECK(call<with_two>("DxgkCbAllocateContiguousMemory", nullptr, memory) == nt::success);
    CHECK(pool::current().find(reinterpret_cast<void*>(memory[6])) != nullptr);
    CHECK(call<with_two>("DxgkCbFreeContiguousMemory", nullptr, &memory[5]) == nt::success);
    CHECK(pool::current().find(reinterpret_cast<void*>(memory[6])) == nullptr);
    std::uint64_t pages[7] = {0, ~0ULL, 0, 8192, 0, 0, 0};
    CHECK(call<with_two>("DxgkCbAllocatePagesForMdl", nullptr, pages) == nt::success);
    CHECK(reinterpret_cast<memory_services::mdl*>(pages[6])->bytes == 8192);
    CHECK(call<with_two>("DxgkCbFreePagesFromMdl", nullptr, &pages[5]) == nt::success);
    CHECK(m.record->findings.used == 0);
}

/// What the simulator of hardware scheduling would give.
struct played_queues {
    wddmcore_queue_services services{};
    int enabled = 1;
    void const* invalidated = nullptr;

    played_queues() {
        services.system = this;
        services.native_fences_enabled = [](void* s) WDDMCORE_DRIVER_CALL -> int {
            return static_cast<played_queues*>(s)->enabled;
        };
        services.invalidate_hw_context = [](void* s, void const* args) WDDMCORE_DRIVER_CALL -> int {
            static_cast<played_queues*>(s)->invalidated = args;
            return 0;
        };
        dxgk_services::graphics::current().queues = &services;
    }
    ~played_queues() { dxgk_services::graphics::current().queues = nullptr; }
    played_queues(played_queues const&) = delete;
    played_queues& operator=(played_queues const&) = delete;
};

TEST_CASE("HWS-11: features of hardware scheduling are on where it is played, in each way of asking, and no others") {
    machine m;
    auto const first = [](std::uint32_t id) {
        dxgk_services::feature_arguments args{nullptr, id, 9};
        CHECK(call<ntstatus WDDMCORE_DRIVER_CALL(void*)>("DxgkCbIsFeatureEnabled", &args) == nt::success);
        return args.enabled;
    };
    auto const second = [](std::uint32_t id) {
        dxgk_services::support_arguments args{nullptr, id, 2, 9};
        CHECK(call<ntstatus WDDMCORE_DRIVER_CALL(void*)>("DxgkCbQueryFeatureSupport", &args) == nt::success);
        return args.enabled;
    };
    using services = ntstatus WDDMCORE_DRIVER_CALL(void*, std::uint32_t, void*);
    dxgk_services::feature_interface asked{};
    CHECK(call<services>("DxgkCbQueryServices", nullptr, 7U, &asked) == nt::invalid_parameter);
    asked.size = sizeof asked;
    CHECK(call<services>("DxgkCbQueryServices", nullptr, 7U, &asked) == nt::invalid_parameter);  // without a version
    asked.version = 1;
    REQUIRE(call<services>("DxgkCbQueryServices", nullptr, 7U, &asked) == nt::success);
    CHECK(call<services>("DxgkCbQueryServices", nullptr, 1U, &asked) == nt::not_supported);
    CHECK(was_absent("DxgkCbQueryServices"));
    auto const third = [&asked](std::uint32_t id) {
        dxgk_services::second_feature_arguments args{id, 0, 9, 9};
        CHECK(asked.is_enabled(nullptr, &args) == nt::success);
        CHECK(args.version == args.result % 2);
        return static_cast<std::uint8_t>(args.result % 2);
    };
    dxgk_services::native_fence_interface fences{};
    dxgk_services::feature_interface_arguments wanted{37, 1, 64, &fences};
    for (std::uint32_t const id : {0U, 1U, 37U}) {
        CHECK(first(id) + second(id) + third(id) == 0);
    }
    CHECK(asked.query(nullptr, &wanted) == nt::not_supported);
    played_queues played;
    for (std::uint32_t const id : {0U, 1U, 37U}) {
        CHECK(first(id) + second(id) + third(id) == (id != 1 ? 3 : 0));
    }
    dxgk_services::feature_interface_arguments later{37, 2, sizeof fences, &fences};
    CHECK(asked.query(nullptr, &later) == nt::not_supported);
    REQUIRE(asked.query(nullptr, &wanted) == nt::success);
    CHECK(wanted.bytes == sizeof fences);
    dxgk_services::support_arguments off{nullptr, 37, 0, 9};  // DXGK_FEATURE_SUPPORT_ALWAYS_OFF
    CHECK(call<ntstatus WDDMCORE_DRIVER_CALL(void*)>("DxgkCbQueryFeatureSupport", &off) == nt::success);
    CHECK(off.enabled == 0);
    std::uint32_t capabilities = 0;
    CHECK(fences.capabilities(&capabilities) == nt::success);
    CHECK(capabilities == 2);
    played.enabled = 0;
    CHECK(first(37) + second(37) + third(37) == 0);
    CHECK(first(0) == 1);
    CHECK(m.record->findings.used == 0);
}

TEST_CASE("HWS-08: a context is invalidated by the simulator that plays, at passive level") {
    machine m;
    int args = 0;
    using invalidate = ntstatus WDDMCORE_DRIVER_CALL(void const*);
    dxgk_services::graphics::current().absent.clear();
    CHECK(call<invalidate>("DxgkCbInvalidateHwContext", &args) == nt::not_supported);
    CHECK(was_absent("DxgkCbInvalidateHwContext"));
    dxgk_services::graphics::current().absent.clear();
    played_queues played;
    CHECK(call<invalidate>("DxgkCbInvalidateHwContext", &args) == nt::success);
    CHECK(played.invalidated == &args);
    CHECK(m.record->findings.used == 0);
    system().set_level(dispatch_level);
    CHECK(call<invalidate>("DxgkCbInvalidateHwContext", &args) == nt::success);
    system().set_level(passive_level);
    CHECK(m.found(0).find("DxgkCbInvalidateHwContext is called at IRQL 2") != std::string::npos);
}

TEST_CASE("what is written to the device's space is read again, but not its identity") {
    machine m;
    dxgk_services::graphics::current().space = {};
    std::uint32_t word = 0x1234;
    std::uint32_t done = 0;
    using with_space =
        ntstatus WDDMCORE_DRIVER_CALL(void*, std::uint32_t, void*, std::uint32_t, std::uint32_t, std::uint32_t*);
    call<with_space>("DxgkCbWriteDeviceSpace", nullptr, 0U, &word, 0x60U, 4U, &done);
    CHECK(done == 4);
    call<with_space>("DxgkCbWriteDeviceSpace", nullptr, 0U, &word, 0U, 4U, &done);
    word = 0;
    CHECK(dxgk_services::bus_data(4, 0, 0, &word, 0x60, 4) == 4);
    CHECK(word == 0x1234);
    call<with_space>("DxgkCbReadDeviceSpace", nullptr, 0U, &word, 0U, 4U, &done);
    CHECK(word == 0);
    CHECK(dxgk_services::bus_data(4, 1, 0, &word, 0, 4) == 2);
    CHECK((word & 0xFFFF) == 0xFFFF);
}

}  // namespace

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/kernel/traps.hpp>

#if defined(__x86_64__) && defined(__linux__)

// The services as an image calls them, but without an image: their functions in the driver's convention.
namespace {

using namespace wddmcore;
using namespace testing::kernel_parts;

using driver_image_tests::ended;
using driver_image_tests::machine;

TEST_CASE("a service that there is has an address, and one that there is not has none") {
    REQUIRE(find_service("KeSetEvent") != nullptr);
    CHECK(find_service("KeSetEvent")->variable_bytes == 0);
    REQUIRE(find_service("PsThreadType") != nullptr);
    CHECK(find_service("PsThreadType")->variable_bytes == 8);
    CHECK(find_service("KeNoSuchFunction") == nullptr);
}

TEST_CASE("IRQ: a spin lock raises the level and gives it back") {
    machine m;
    std::uintptr_t lock = 0;
    irql const before = lock_services::acquire(&lock);
    CHECK(before == passive_level);
    CHECK(m.kernel.level() == dispatch_level);
    lock_services::release(&lock, before);
    CHECK(m.kernel.level() == passive_level);
    CHECK(m.record->findings.used == 0);
}

TEST_CASE("locks and levels that are used wrongly stop the system") {
    CHECK(ended([](kernel_system&) {
              std::uintptr_t lock = 0;
              static_cast<void>(lock_services::acquire(&lock));
              static_cast<void>(lock_services::acquire(&lock));
          }).starts_with("0xF SPIN_LOCK_ALREADY_OWNED"));
    CHECK(ended([](kernel_system&) {
              std::uintptr_t lock = 0;
              lock_services::release(&lock, passive_level);
          }).starts_with("0x10 SPIN_LOCK_NOT_OWNED"));
    CHECK(ended([](kernel_system&) {
              static_cast<void>(lock_services::raise(dispatch_level));
              static_cast<void>(lock_services::raise(apc_level));
          }).starts_with("0x9 IRQL_NOT_GREATER_OR_EQUAL"));
    CHECK(ended([](kernel_system&) { lock_services::lower(apc_level); }).starts_with("0xA IRQL_NOT_LESS_OR_EQUAL"));
    CHECK(ended([](kernel_system&) {}) == "exit 0");
}

TEST_CASE("pool: what is wrong with a block is named") {
    CHECK(
        ended([](kernel_system&) {
            auto* const p = static_cast<char*>(pool_services::pool2(0x40, 40, 0x61626364));
            p[-1] = 1;
            pool_services::free_with_tag(p, 0x61626364);
        })
            .starts_with("0x19 BAD_POOL_HEADER: somebody wrote beside a block of 40 bytes of pool (tag dcba), 1 bytes "
                         "before"));
    CHECK(ended([](kernel_system&) {
              void* const p = pool_services::pool2(0x40, 40, 1);
              pool_services::free_with_tag(p, 1);
              pool_services::free_with_tag(p, 1);
          }).starts_with("0xC2 BAD_POOL_CALLER"));
    CHECK(ended([](kernel_system&) {
              int local = 0;
              pool_services::free_plain(&local);
          }).starts_with("0xC2 BAD_POOL_CALLER: ExFreePoolWithTag frees what was never allocated"));
    CHECK(ended([](kernel_system&) {
              static_cast<void>(lock_services::raise(dispatch_level));
              static_cast<void>(pool_services::pool2(0x100, 40, 1));
          }).starts_with("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION: an allocation of paged pool is called at IRQL 2"));
}

TEST_CASE("pool: paged memory is gone during a call at DISPATCH_LEVEL and is there again below it") {
    auto const touch_after_and_in = [](irql level) {
        return ended([level](kernel_system& k) {
            traps::install(k, 20);
            auto* const p = static_cast<char volatile*>(pool_services::pool2(0x100, 40, 1));
            *p = 1;
            k.call("DxgkDdiSubmitCommand", dispatch_level, [] {});
            *p = static_cast<char>(*p + 1);
            k.call("DxgkDdiDpcRoutine", dispatch_level, [] {});
            k.call("DxgkDdiBuildPagingBuffer", level, [p] { *p = static_cast<char>(*p + 1); });
            k.find("value", std::to_string(*p));
        });
    };
    CHECK(touch_after_and_in(passive_level) == "value: 3");
    CHECK(touch_after_and_in(dispatch_level)
              .starts_with("0xD1 DRIVER_IRQL_NOT_LESS_OR_EQUAL: a block of 40 bytes of paged pool"));
}

TEST_CASE("pool: memory is zero or junk, and aligned") {
    machine m;
    for (std::size_t const size :
         {std::size_t{1}, std::size_t{24}, std::size_t{4095}, std::size_t{4096}, std::size_t{9000}}) {
        CAPTURE(size);
        auto* const zeroed = static_cast<unsigned char*>(pool_services::pool2(0x40, size, 1));
        auto* const junk = static_cast<unsigned char*>(pool_services::with_tag(0, size, 1));
        CHECK(std::all_of(zeroed, zeroed + size, [](unsigned char c) { return c == 0; }));
        CHECK((size < 24 || !std::all_of(junk, junk + size, [](unsigned char c) { return c == 0; })));
        CHECK(reinterpret_cast<std::uintptr_t>(zeroed) % (size >= 4096 ? 4096 : 16) == 0);
        pool_services::free_with_tag(zeroed, 1);
        pool_services::free_with_tag(junk, 1);
    }
    CHECK(m.record->findings.used == 0);
}

TEST_CASE("addresses outside the pool have physical pages in the order of their first use") {
    machine m;
    memory_services::physical_memory::current().foreign.clear();
    alignas(4096) static std::byte pages[3 * 4096];
    CHECK(memory_services::physical_address(pages + 2 * 4096 + 5) == memory_services::foreign_base + 5);
    CHECK(memory_services::physical_address(pages + 7) == memory_services::foreign_base + 4096 + 7);
    CHECK(memory_services::physical_address(pages + 2 * 4096) == memory_services::foreign_base);
}

TEST_CASE("a lent buffer has the physical address that the system names elsewhere, until it is over") {
    machine m;
    memory_services::physical_memory::current().foreign.clear();
    alignas(4096) static std::byte pages[2 * 4096];
    std::span const buffer = std::span(pages).subspan(4096, 100);
    memory_services::lend_buffer(buffer, 0x12'3000);
    CHECK(memory_services::physical_address(pages + 4096) == 0x12'3000);
    CHECK(memory_services::physical_address(pages + 4096 + 99) == 0x12'3000 + 99);
    CHECK(memory_services::physical_address(pages + 4095) == memory_services::foreign_base + 4095);
    CHECK(memory_services::physical_address(pages + 4096 + 100) == memory_services::foreign_base + 4096 + 100);
    memory_services::lend_buffer(buffer, std::nullopt);
    CHECK(memory_services::physical_address(pages + 4096) == memory_services::foreign_base + 4096);
}

TEST_CASE("an address is valid while something is there") {
    machine m;
    int local = 0;
    CHECK(memory_services::is_valid(&local) == 1);
    CHECK(memory_services::is_valid(nullptr) == 0);
    CHECK(memory_services::is_valid(reinterpret_cast<void*>(0xFFFF'F780'0000'0000)) == 1);
    void* const block = pool_services::pool2(0x40, 4096, 1);
    CHECK(memory_services::is_valid(block) == 1);
    CHECK(memory_services::is_valid(static_cast<std::byte*>(block) + 4096) == 0);
    pool_services::free_with_tag(block, 1);
    CHECK(memory_services::is_valid(block) == 0);
}

TEST_CASE("requests fail as often as they were told to") {
    machine m({.seed = 3, .failures = 1000, .switches = true});
    CHECK(pool_services::pool2(0x40, 16, 1) == nullptr);
    CHECK(memory_services::allocate_mdl(nullptr, 4096, 0, 0, nullptr) == nullptr);
    void* key = nullptr;
    CHECK(registry_services::open_key(&key, 0, nullptr) < 0);
}

TEST_CASE("a timer's call runs before the thread that waits for the timer") {
    machine m;
    static int calls;
    calls = 0;
    deferred_call call{};
    wait_services::initialize_dpc(
        &call, [](deferred_call*, void*, void*, void*) WDDMCORE_DRIVER_CALL { calls += system().level(); }, nullptr);
    dispatcher timer{};
    wait_services::initialize_timer(&timer);
    wait_services::set_timer(&timer, -50'000, &call);
    std::int64_t const now = 0;
    CHECK(wait_services::wait_for_one(&timer, 0, 0, 0, &now) == nt::timeout);
    CHECK(wait_services::wait_for_one(&timer, 0, 0, 0, nullptr) == nt::success);
    CHECK(calls == dispatch_level);
    CHECK(m.kernel.now - m.kernel.started == 50'000);
}

TEST_CASE("a wait that nothing ends, and one where none may be, stop the system") {
    CHECK(ended([](kernel_system&) {
              dispatcher event{};
              wait_services::initialize_event(&event, 0, 0);
              static_cast<void>(wait_services::wait_for_one(&event, 0, 0, 0, nullptr));
          }).starts_with("HANG: a wait is never satisfied"));
    CHECK(ended([](kernel_system&) {
              dispatcher event{};
              wait_services::initialize_event(&event, 0, 1);
              static_cast<void>(lock_services::raise(dispatch_level));
              static_cast<void>(wait_services::wait_for_one(&event, 0, 0, 0, nullptr));
          }).starts_with("0xA IRQL_NOT_LESS_OR_EQUAL"));
}

TEST_CASE("lists keep their order, and a damaged one stops the system") {
    machine m;
    lock_services::list_entry head{&head, &head};
    lock_services::list_entry entries[3];
    for (auto& e : entries) {
        lock_services::insert_tail(&head, &e, nullptr);
    }
    for (auto& e : entries) {
        CHECK(lock_services::remove_head(&head, nullptr) == &e);
    }
    CHECK(lock_services::remove_head(&head, nullptr) == nullptr);
    CHECK(ended([](kernel_system&) {
              lock_services::list_entry one{&one, &one};
              lock_services::list_entry other{nullptr, nullptr};
              one.next = &other;
              other.before = nullptr;
              static_cast<void>(lock_services::remove_head(&one, nullptr));
          }).starts_with("0x139 KERNEL_SECURITY_CHECK_FAILURE"));
}

TEST_CASE("an MDL of a simulator's pages shows their bytes, in its order, and not past its time") {
    machine m;
    testing::gpu_memory memory;
    constexpr std::uint64_t first = 0xA5C3000;
    REQUIRE(memory.add_page_window(0x10'0000'0000, first, 8, 8) == testing::gpu_memory_error::none);
    for (std::uint64_t i = 0; i < 8; ++i) {
        REQUIRE(memory.add_page(first + i) == testing::gpu_memory_error::none);
    }
    memory_services::show_pages_of(memory.ram());
    struct {
        memory_services::mdl head;
        std::uint64_t pages[3];
    } list{{nullptr, 72, memory_services::pages_locked, nullptr, nullptr, nullptr, 2 * 4096, 16},
           {first + 5, first, first + 3}};
    auto* const at = static_cast<std::uint32_t*>(memory_services::map_pages(&list.head, 0, 1, nullptr, 0, 0));
    REQUIRE(at != nullptr);
    at[0] = 0x1111;
    at[1024] = 0x2222;
    std::uint32_t value = 0;
    std::memcpy(&value, memory.cpu(first + 5) + 16, 4);
    CHECK(value == 0x1111);
    std::memcpy(&value, memory.cpu(first) + 16, 4);
    CHECK(value == 0x2222);
    memory_services::unmap_pages(at, &list.head);
    CHECK(memory_services::physical_memory::current().mapped.empty());
    memory_services::show_pages_of(nullptr);
    list.pages[0] = 1;  // no page of the simulator's
    CHECK(memory_services::map_pages(&list.head, 0, 1, nullptr, 0, 0) == nullptr);
}

TEST_CASE("the interface of a version has its size, its version and its members") {
    machine m;
    for (registration_sizes const& row : registrations) {
        std::byte const* const i = dxgk_services::make_interface(row.interface, row.version);
        std::uint32_t words[2];
        std::memcpy(words, i, sizeof words);
        CHECK(words[0] == row.interface);
        CHECK(words[1] == row.version);
        for (std::uint32_t at = 8; at < std::rbegin(registrations)->interface; at += 8) {
            std::uint64_t member = 0;
            std::memcpy(&member, i + at, 8);
            CHECK((member != 0) == (at < row.interface));
        }
    }
}

TEST_CASE("a driver registers through the graphics kernel's device, and no version but a known one") {
    machine m;
    unicode_string name{};
    void* file = nullptr;
    object_services::device_object* device = nullptr;
    runtime_services::initialize_wide(&name, u"\\Device\\DxgKrnl");
    CHECK(object_services::device_pointer(&name, 0, &file, &device) == nt::name_not_found);  // not loaded yet
    runtime_services::initialize_wide(&name, u"\\Registry\\Machine\\System\\CurrentControlSet\\Services\\DXGKrnl");
    CHECK(object_services::load_driver(&name) == nt::success);
    CHECK(object_services::load_driver(&name) == nt::image_already_loaded);
    runtime_services::initialize_wide(&name, u"\\Device\\DxgKrnl");
    REQUIRE(object_services::device_pointer(&name, 0, &file, &device) == nt::success);
    decltype(&object_services::initialize_graphics) initialize = nullptr;
    object_services::status_block status{};
    dispatcher event{};
    void* const request =
        object_services::build_control(0x23003F, device, nullptr, 0, &initialize, 8, 1, &event, &status);
    CHECK(object_services::call_driver(device, request) == nt::success);
    bool const has_function = initialize != nullptr;
    REQUIRE(has_function);
    std::vector<std::byte> data(1544, std::byte{0x5A});
    std::uint32_t version = 0x5023;
    std::memcpy(data.data(), &version, 4);
    CHECK(initialize(nullptr, nullptr, data.data()) == nt::success);
    CHECK(object_services::objects::current().registered->functions.size() == (832 - 8) / 8);
    CHECK(object_services::objects::current().registered->find("DxgkDdiBuildPagingBuffer") != nullptr);
    CHECK(object_services::objects::current().registered->find("DxgkDdiBeginExclusiveAccess") == nullptr);
    version = 0x5024;
    std::memcpy(data.data(), &version, 4);
    CHECK(initialize(nullptr, nullptr, data.data()) < 0);
    CHECK(m.found(0).starts_with("REGISTRATION"));
}

}  // namespace

#endif

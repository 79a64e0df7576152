// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#if defined(__x86_64__) && defined(__linux__)

// Strings, lookaside lists, resources, rundown protection, work items and timers, as a driver calls them.
namespace {

using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::ended;
using driver_image_tests::machine;

TEST_CASE("formats are the kernel's: sizes, widths, and both kinds of string") {
    machine m;
    char out[64];
    using narrow = string_services::c_library<char>;
    using wide = string_services::c_library<char16_t>;
    CHECK(narrow::print(out, sizeof out, "%d|%5u|%-4x|%04X|%lld|%I64x|%hs|%ls|%c|%%", -1, 7U, 0xABU, 0xCU, -5LL,
                        0x123456789AULL, "ab", u"cd", 'e') == 42);
    CHECK(std::string(out) == "-1|    7|ab  |000C|-5|123456789a|ab|cd|e|%");
    unicode_string name{4, 6, const_cast<char16_t*>(u"ab")};
    char16_t text[16];
    CHECK(wide::print(text, 16, u"%s-%S-%wZ", u"x", "y", &name) == 6);
    CHECK(std::u16string(text) == u"x-y-ab");
    CHECK(narrow::print(out, 3, "%s", "abcd") == -1);
    CHECK(std::string(out, 3) == "abc");
    CHECK(narrow::print_n(out, 4, ~std::size_t{0}, "%s", "abcdef") == -1);
    CHECK(std::string(out) == "abc");
    CHECK(narrow::print_whole(out, 4, "%s", "abcdef") == -1);
    CHECK(std::string(out).empty());
}

TEST_CASE("what a driver prints is in the log with its numbers, and without addresses") {
    machine m;
    auto const print = [](auto... arguments) {
        return print_services::print_ex(101, 3, "%s is 0x%x of %u, %p, %I64x, %lld\r\n", arguments...);
    };
    auto const logged = [&m](char const* line) { return std::string(m.record->text).find(line) != std::string::npos; };
    CHECK(print("status", 0xC000'000DU, 7U, &m, 0x7000'0000'1000ULL, -2LL) == nt::success);
    CHECK(logged("the driver prints: status is 0xc000000d of 7, (address), (address), -2\n"));
    // Of this machine are addresses from 2^44 to 2^47, in whatever way they came into the text.
    CHECK(print("00007fff12345678", 1U, 2U, nullptr, 0xFFF'FFFF'FFFFULL, 8'589'934'592LL) == nt::success);
    CHECK(logged("(address) is 0x1 of 2, 0000000000000000, fffffffffff, 8589934592\n"));
    CHECK(print("140737488355327", 1U, 2U, nullptr, 0ULL, 0LL) == nt::success);
    CHECK(logged("(address) is 0x1 of 2, 0000000000000000, 0, 0\n"));
    CHECK(print_services::print_plain("one\ntwo %d%%", 100) == nt::success);
    CHECK(logged("the driver prints: one two 100%\n"));
    // Of a chatty driver the log has a part: what the run says of itself must have room.
    std::string const chatter(1000, 'x');
    for (int i = 0; i != 1000; ++i) {
        CHECK(print_services::print_plain("%s", chatter.c_str()) == nt::success);
    }
    CHECK(logged(("the driver prints: " + std::string(400, 'x') + '\n').c_str()));
    CHECK(logged("the driver prints: (more than the log takes)\n"));
    CHECK(m.record->text_used < sizeof m.record->text / 2);
}

TEST_CASE("strings are copied, compared and converted") {
    machine m;
    using narrow = string_services::c_library<char>;
    using wide = string_services::c_library<char16_t>;
    char16_t text[8];
    CHECK(wide::copy_secure(text, 8, u"abc") == 0);
    CHECK(wide::append_secure(text, 8, u"def") == 0);
    CHECK(std::u16string(text) == u"abcdef");
    CHECK(wide::append_secure(text, 8, u"gh") == 34);
    CHECK(text[0] == 0);
    CHECK(wide::compare_first(u"abX", u"abY", 2) == 0);
    CHECK(wide::compare_caseless(u"aBc", u"AbC") == 0);
    CHECK(narrow::compare_first("a", "b", 1) < 0);
    unicode_string from{};
    ansi_string to{};
    runtime_services::initialize_wide(&from, u"42");
    CHECK(conversion_services::to_narrow(&to, &from, 1) == nt::success);
    CHECK(std::string(to.buffer) == "42");
    conversion_services::free_narrow(&to);
    std::uint32_t number = 0;
    CHECK(conversion_services::to_integer(&from, 0, &number) == nt::success);
    CHECK(number == 42);
    CHECK(m.record->findings.used == 0);
    static_cast<void>(lock_services::raise(dispatch_level));
    conversion_services::to_narrow(&to, &from, 1);
    CHECK(m.found(0).find("RtlUnicodeStringToAnsiString is called at IRQL 2") != std::string::npos);
}

TEST_CASE("a lookaside list names functions that take from the pool, and must be deleted") {
    machine m;
    lookaside_services::list list{};
    CHECK(lookaside_services::initialize_list(&list, nullptr, nullptr, 0x200, 0, 40, 1, 0) == nt::success);
    auto const take = reinterpret_cast<lookaside_services::list_allocate>(list.allocate);
    auto const give = reinterpret_cast<lookaside_services::list_free>(list.free);
    void* const block = take(list.type, list.size, list.tag, &list);
    CHECK(pool::current().find(block) != nullptr);
    give(block, &list);
    CHECK(m.kernel.owed.all().size() == 1);
    CHECK(lookaside_services::initialize_list(&list, nullptr, nullptr, 0x200, 0, 4, 1, 0) == nt::invalid_parameter_6);
    lookaside_services::delete_list(&list);
    CHECK(m.kernel.owed.all().empty());
    CHECK(m.record->findings.used == 0);
    lookaside_services::delete_list(&list);
    CHECK(m.found(0).find("a lookaside list that is not initialized") != std::string::npos);
}

TEST_CASE("memory that holds what the system uses must not be freed") {
    machine m;
    void* const block = pool_services::pool2(0x40, 256, 1);
    resource_services::initialize(block);
    pool_services::free_with_tag(block, 1);
    CHECK(m.found(0).find("with a resource in it, which is in use") != std::string::npos);
    CHECK(m.kernel.owed.all().empty());
}

TEST_CASE("a resource has many readers or one writer, and APCs must be kept away") {
    machine m;
    alignas(8) std::byte memory[104];
    resource_services::initialize(memory);
    region_services::enter_critical();
    CHECK(resource_services::acquire_exclusive(memory, 1) == 1);
    CHECK(resource_services::acquire_shared(memory, 1) == 1);
    CHECK(resource_services::is_acquired(memory) == 2);
    resource_services::release(memory);
    resource_services::to_shared(memory);
    CHECK(resource_services::is_exclusive(memory) == 0);
    CHECK(resource_services::acquire_exclusive(memory, 0) == 0);
    resource_services::release(memory);
    region_services::leave_critical();
    CHECK(m.record->findings.used == 0);
    CHECK(resource_services::acquire_shared(memory, 1) == 1);
    CHECK(m.found(0).find("is called while normal kernel APCs are enabled") != std::string::npos);
    resource_services::release(memory);
    CHECK(resource_services::remove(memory) == nt::success);
    CHECK(ended([](kernel_system&) {
              std::byte other[104];
              resource_services::initialize(other);
              resource_services::release(other);
          }).starts_with("0xE3 RESOURCE_NOT_OWNED"));
    CHECK(ended([](kernel_system&) {
              std::byte other[104];
              resource_services::initialize(other);
              region_services::enter_critical();
              resource_services::acquire_shared(other, 1);
              resource_services::acquire_exclusive(other, 1);
          }).starts_with("HANG"));
}

TEST_CASE("rundown protection ends when the last holder leaves") {
    machine m;
    std::uint64_t rundown = 0;
    resource_services::initialize_rundown(&rundown);
    CHECK(resource_services::protect(&rundown) == 1);
    resource_services::unprotect(&rundown);
    resource_services::wait_for_rundown(&rundown);
    CHECK(resource_services::protect(&rundown) == 0);
    CHECK(ended([](kernel_system&) {
              std::uint64_t other = 0;
              resource_services::unprotect(&other);
          }).find("more often than it was acquired") != std::string::npos);
}

TEST_CASE("a work item runs in a thread of the system's, and not twice at once") {
    machine m;
    struct seen {
        dispatcher done;
        void* device;
        irql level;
    } s{};
    wait_services::initialize_event(&s.done, 0, 0);
    void* const item = work_services::allocate(&s);
    work_services::enqueue_plain(
        item,
        [](void* device, void* context) WDDMCORE_DRIVER_CALL {
            auto& to = *static_cast<seen*>(context);
            to.device = device;
            to.level = system().level();
            wait_services::set_event(&to.done, 0, 0);
        },
        1, &s);
    CHECK(wait_services::wait_for_one(&s.done, 0, 0, 0, nullptr) == nt::success);
    CHECK(s.device == &s);
    CHECK(s.level == passive_level);
    work_services::free(item);
    CHECK(m.record->findings.used == 0);
    CHECK(ended([](kernel_system& k) {
              k.options.switches = false;
              void* const other = work_services::allocate(nullptr);
              auto const nothing = [](void*, void*) WDDMCORE_DRIVER_CALL {};
              work_services::enqueue_plain(other, nothing, 1, nullptr);
              work_services::enqueue_plain(other, nothing, 1, nullptr);
          }).starts_with("0xE4 WORKER_INVALID"));
}

TEST_CASE("a timer of the system's calls back at DISPATCH_LEVEL and can be awaited") {
    machine m;
    static irql level;
    level = 0;
    void* const timer =
        timer_services::allocate([](void*, void*) WDDMCORE_DRIVER_CALL { level = system().level(); }, nullptr, 0);
    CHECK(timer_services::set(timer, -50'000, 0, nullptr) == 0);
    CHECK(wait_services::wait_for_one(static_cast<dispatcher*>(timer), 0, 0, 0, nullptr) == nt::success);
    CHECK(level == dispatch_level);
    CHECK(timer_services::set(timer, -50'000, 0, nullptr) == 0);
    CHECK(timer_services::cancel(timer, nullptr) == 1);
    CHECK(timer_services::remove(timer, 1, 1, nullptr) == 0);
    CHECK(pool::current().find(timer) == nullptr);
    CHECK(m.record->findings.used == 0);
}

TEST_CASE("a function that returns in a critical region is named") {
    machine m;
    m.kernel.call("DxgkDdiAddDevice", passive_level, [] { region_services::enter_critical(); });
    CHECK(m.found(0).starts_with("0x1 APC_INDEX_MISMATCH"));
}

}  // namespace

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#if defined(__x86_64__) && defined(__linux__)

// The registry, as a driver reads the settings of its INF.
namespace {

using namespace wddmcore::testing::kernel_parts;
using driver_image_tests::machine;
using wddmcore::testing::registry_value;
namespace r = registry_services;

[[nodiscard]] kernel_options with_settings() {
    return {.registry = {*registry_value::parse("PreemptionMode=0x2"), *registry_value::parse("Name=Gpu")}};
}

TEST_CASE("a setting of the command line is a number or a text") {
    CHECK(registry_value::parse("A=10")->type == registry_value::number);
    CHECK(registry_value::parse("A=0xFF")->data[0] == std::byte{0xFF});
    CHECK(registry_value::parse("A=ten")->type == registry_value::text);
    CHECK(registry_value::parse("A=ten")->data.size() == 8);
    CHECK(registry_value::parse("A=sz:10")->type == registry_value::text);
    CHECK(registry_value::parse("A=")->data.size() == 2);
    CHECK(!registry_value::parse("=1").has_value());
    CHECK(!registry_value::parse("A").has_value());
    CHECK(!registry_value::parse("\xC3=1").has_value());
}

TEST_CASE("a key shows the settings of the run, and what the driver sets") {
    machine m(with_settings());
    void* key = nullptr;
    REQUIRE(r::open_key(&key, 0, nullptr) == nt::success);
    unicode_string name{};
    runtime_services::initialize_wide(&name, u"PREEMPTIONMODE");
    struct {
        std::uint32_t title, type, bytes, value;
    } partial{};
    std::uint32_t needed = 0;
    CHECK(r::query_value(key, &name, 2, &partial, sizeof partial, &needed) == nt::success);
    CHECK(partial.type == 4);
    CHECK(partial.value == 2);
    CHECK(needed == sizeof partial);
    CHECK(r::query_value(key, &name, 2, &partial, 12, &needed) == nt::buffer_overflow);
    CHECK(r::query_value(key, &name, 2, &partial, 8, &needed) == nt::buffer_too_small);
    std::byte full[80];
    CHECK(r::query_value(key, &name, 1, full, sizeof full, &needed) == nt::success);
    std::uint32_t words[5];
    std::memcpy(words, full, sizeof words);
    CHECK(words[2] == 48);
    CHECK(words[4] == 28);
    std::uint32_t const other = 7;
    CHECK(r::set_value(key, &name, 0, 4, &other, 4) == nt::success);
    CHECK(r::query_value(key, &name, 2, &partial, sizeof partial, &needed) == nt::success);
    CHECK(partial.value == 7);
    CHECK(r::enumerate_value(key, 1, 0, full, sizeof full, &needed) == nt::success);
    CHECK(r::enumerate_value(key, 2, 0, full, sizeof full, &needed) == nt::no_more_entries);
    CHECK(r::delete_value(key, &name) == nt::success);
    CHECK(r::query_value(key, &name, 2, &partial, sizeof partial, &needed) == nt::name_not_found);
    CHECK(object_services::close(key) == nt::success);
    CHECK(m.record->findings.used == 0);
    CHECK(r::query_value(key, &name, 2, &partial, sizeof partial, &needed) == nt::invalid_handle);
    CHECK(m.found(0).find("ZwQueryValueKey is given a key that is not open") != std::string::npos);
}

TEST_CASE("a table of queries fills in what is there and what is the default") {
    machine m(with_settings());
    std::uint32_t mode = 9;
    std::uint32_t absent = 9;
    std::uint32_t const fallback = 5;
    unicode_string text{};
    static std::uint32_t called;
    called = 0;
    r::query const table[] = {{nullptr, r::is_direct | r::checks_type, u"PreemptionMode", &mode, 4U << 24, nullptr, 0},
                              {nullptr, r::is_direct, u"Absent", &absent, 4, &fallback, 4},
                              {nullptr, r::is_direct, u"Name", &text, 0, nullptr, 0},
                              {[](char16_t const*, std::uint32_t type, void const*, std::uint32_t, void*, void*)
                                   WDDMCORE_DRIVER_CALL {
                                       called = type;
                                       return nt::success;
                                   },
                               0, u"Name", nullptr, 0, nullptr, 0},
                              {}};
    CHECK(r::query_values(0, nullptr, table, nullptr, nullptr) == nt::success);
    CHECK(mode == 2);
    CHECK(absent == 5);
    CHECK(called == 1);
    CHECK(std::u16string(text.buffer, text.length / 2U) == u"Gpu");
    pool_services::free_plain(text.buffer);
    r::query const wrong[] = {{nullptr, r::is_direct | r::checks_type, u"Name", &mode, 4U << 24, nullptr, 0}, {}};
    CHECK(r::query_values(0, nullptr, wrong, nullptr, nullptr) == nt::type_mismatch);
    r::query const required[] = {{nullptr, r::is_direct | r::is_required, u"Absent", &mode, 0, nullptr, 0}, {}};
    CHECK(r::query_values(0, nullptr, required, nullptr, nullptr) == nt::name_not_found);
}

}  // namespace

#endif

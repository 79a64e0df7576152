// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "machine.hpp"

#include <wddmcore/testing/image/service_names.h>

#if defined(__x86_64__) && defined(__linux__)

#    include <set>
#    include <sstream>

// bind_driver.cpp defines what these lists name, and nothing else that a driver calls.
namespace {

using namespace wddmcore::testing::kernel_parts;

[[nodiscard]] std::set<std::string> names_of(char const* list) {
    std::istringstream in(list);
    std::set<std::string> out;
    for (std::string name; std::getline(in, name, ',');) {
        CHECK_MESSAGE(out.insert(name).second, name);
    }
    return out;
}

TEST_CASE("a driver from source can call every service, and finds every variable") {
    std::set<std::string> functions;
    std::set<std::string> variables;
    for (auto const& service : all_services()) {
        std::string const& name = service.first;  // a lambda of the macro takes it, and clang 14 no structured binding
        auto const& s = service.second;
        (s.variable_bytes != 0 ? variables : functions).insert(name);
        CHECK_MESSAGE(s.variable_bytes <= 8, name);
    }
    CHECK(names_of(WDDMCORE_KERNEL_FUNCTIONS) == functions);
    CHECK(names_of(WDDMCORE_KERNEL_VARIABLES "," WDDMCORE_KERNEL_POINTERS) == variables);
}

}  // namespace

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rigs.hpp"

#include <stdexcept>

namespace wddmcore::examples {

namespace {

using maker = std::unique_ptr<rig> (*)(std::string const&, std::uint64_t);

constexpr std::pair<char const*, maker> hardware[] = {{"cpu", make_cpu_rig},
                                                      {"amd_gfx10", make_amd_rig},
                                                      {"nvidia_ampere", make_nvidia_rig},
                                                      {"intel_xe", make_intel_rig}};
constexpr char const* kinds[] = {"", "_virtual", "_tables"};

}  // namespace

std::vector<std::string> rig_names() {
    std::vector<std::string> names;
    for (auto const& [name, make] : hardware) {
        for (char const* const kind : kinds) {
            names.push_back(std::string(name) + kind);
        }
    }
    return names;
}

std::unique_ptr<rig> make_rig(std::string const& name, std::uint64_t memory_bytes) {
    for (auto const& [known, make] : hardware) {
        for (char const* const kind : kinds) {
            if (name == std::string(known) + kind) {
                return make(kind, memory_bytes);
            }
        }
    }
    throw std::invalid_argument("there is no example hardware called " + name);
}

}  // namespace wddmcore::examples

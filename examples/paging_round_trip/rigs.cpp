// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "rigs.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace wddmcore::examples {

namespace {

using known_hardware = std::map<unsigned, std::pair<char const*, registered_hardware::maker>>;

// Made by whoever comes first, because files register in any order.
known_hardware& hardware() {
    static known_hardware known;
    return known;
}

constexpr char const* kinds[] = {"", "_virtual", "_tables"};

}  // namespace

void rig::attached(testing::gpu_bus&, std::function<void(std::uint64_t)>) {}

registered_hardware::registered_hardware(unsigned place, char const* name, maker make) {
    hardware()[place] = {name, make};
}

std::vector<std::string> rig_names() {
    std::vector<std::string> names;
    for (auto const& [place, known] : hardware()) {
        for (char const* const kind : kinds) {
            names.push_back(std::string(known.first) + kind);
        }
    }
    return names;
}

std::unique_ptr<rig> make_rig(std::string const& name, std::uint64_t memory_bytes) {
    for (auto const& [place, known] : hardware()) {
        for (char const* const kind : kinds) {
            if (name == std::string(known.first) + kind) {
                return known.second(kind, memory_bytes);
            }
        }
    }
    throw std::invalid_argument("there is no example hardware called " + name);
}

}  // namespace wddmcore::examples

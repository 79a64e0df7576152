// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The self-checks on the host. Each stream also goes to the decoders of tests/hardware and include/wddmcore/testing,
// which share nothing with the payload's, on a second memory.

#include "payload/self_check.hpp"

#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <wddmcore/testing/processor/engine.hpp>

#include <cstdio>
#include <cstring>
#include <optional>

namespace {

using namespace images;

/// The payload's memory behind the interface of the other decoders.
class shadow_bus final : public wddmcore::testing::gpu_bus {
public:
    gpu_memory memory;

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        std::uint8_t const* const from = memory.at(address, size);
        if (from != nullptr) {
            std::memcpy(to, from, size);
        }
        return from != nullptr;
    }
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        std::uint8_t* const to = memory.at(address, size);
        if (to != nullptr) {
            std::memcpy(to, from, size);
        }
        return to != nullptr;
    }
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        while (size > 1 && memory.at(address, size) == nullptr) {
            size /= 2;
        }
        std::uint8_t* const found = memory.at(address, size);
        return found == nullptr ? piece{nullptr, 0} : piece{reinterpret_cast<std::byte*>(found), size};
    }
};

shadow_bus shadow;
u32 streams = 0;

wddmcore::testing::execution execute(u32 hardware, u32 const* words, u32 count) {
    if (hardware == 0) {
        u32 acknowledged[2] = {};
        wddmcore::testing::amd_sdma_engine engine(
            [&](std::uint32_t index, std::uint32_t) {
                bool const flat = index == sdma::flat_request_register;
                acknowledged[flat] = flat ? sdma::flat_vmids : sdma::vmids;
                return flat || index == sdma::request_register;
            },
            [&](std::uint32_t index) -> std::optional<std::uint32_t> {
                return index == sdma::acknowledge_register        ? std::optional(acknowledged[0])
                       : index == sdma::flat_acknowledge_register ? std::optional(acknowledged[1])
                                                                  : std::nullopt;
            });
        return engine.execute(words, count, shadow);
    }
    auto* const table = reinterpret_cast<std::byte*>(shadow.memory.at(aperture_table_at, records::aperture_pages * 16));
    wddmcore::testing::cpu_engine engine({{aperture_segment.n, {table, records::aperture_pages * 16}}});
    engine.late().on_drop = [](wddmcore::testing::cpu_drop const&) {};
    return engine.execute(words, count, shadow);
}

bool agrees(u32 hardware, u32 const* words, u32 count, gpu_memory const& after) {
    ++streams;
    wddmcore::testing::execution const done = execute(hardware, words, count);
    if (!done.ok) {
        std::printf("  the other decoder refuses dword %zu: %s\n", done.dword, done.why.c_str());
    }
    return done.ok && shadow.memory.differences(after) == 0;
}

}  // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    witness const beside{[](gpu_memory const& memory) { shadow.memory.become(memory); }, &agrees};
    verdict const v = self_check([](char const* text) { std::puts(text); }, &beside);
    std::printf("other decoders: %u streams\n", streams);
    return v.passed() && streams != 0 ? 0 : 1;
}

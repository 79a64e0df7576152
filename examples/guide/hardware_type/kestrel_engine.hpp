// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstring>
#include <vector>

/// The chip as a program: it reads the command stream as the data sheet says and moves bytes. It shares no line with the
/// hardware type, or a mistake in one would be a mistake in both.
namespace guide {

// region: engine
class kestrel_engine final : public wddmcore::testing::engine {
public:
    wddmcore::testing::execution execute(std::uint32_t const* stream, std::size_t dwords,
                                         wddmcore::testing::gpu_bus& bus) override {
        wddmcore::testing::execution done;
        if (dwords % 2 != 0) {
            return fail(done, "the stream ends inside a unit of 8 bytes");
        }
        return run(stream, dwords, bus);
    }

    /// Commands that need not fill the last unit.
    wddmcore::testing::execution run(std::uint32_t const* stream, std::size_t dwords, wddmcore::testing::gpu_bus& bus) {
        wddmcore::testing::execution done;
        for (std::size_t at = 0; at < dwords && done.ok;) {
            std::uint32_t const* const command = stream + at;
            std::uint32_t const code = command[0] >> 28;
            std::size_t const length = (command[0] >> 24 & 15) + 1;
            std::size_t const count = (command[0] & 0x3F'FFFF) + 1;
            done.dword = at;
            at += length;
            if (at > dwords) {
                return fail(done, "a command leaves the window");
            }
            if (code == 0 && length == 1) {
                continue;
            }
            std::vector<std::byte> data;
            if (code == 4 && length == 5) {
                if (address(command + 1) < address(command + 3) + count &&
                    address(command + 3) < address(command + 1) + count) {
                    return fail(done, "a copy onto itself, whose result is undefined");
                }
                data.resize(count);
                done.ok = bus.read(address(command + 3), data.data(), count);
            } else if (code == 6 && length == 4) {
                for (std::size_t i = 0; i != count; ++i) {
                    auto const* const word = reinterpret_cast<std::byte const*>(command + 3);
                    data.insert(data.end(), word, word + 4);
                }
            } else {
                return fail(done, "no such command");
            }
            done.ok = done.ok && bus.write(address(command + 1), data.data(), data.size());
            done.why = done.ok ? "" : "an address that nothing answers";
            ++done.commands;
            done.moved_bytes += data.size();
        }
        return done;
    }

private:
    static std::uint64_t address(std::uint32_t const* at) { return at[0] | std::uint64_t{at[1]} << 32; }
    static wddmcore::testing::execution& fail(wddmcore::testing::execution& done, char const* why) {
        done.ok = false;
        done.why = why;
        return done;
    }
};
// end: engine

}  // namespace guide

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_played.hpp"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// The fuzzer as a plain program: plays files again, or makes the requests that the corpus begins with.
namespace {

using entry_point = int (*)(u8 const*, usize);

/// Plays the files named on the command line.
inline int replay_files(int count, char** names, entry_point play) {
    for (int i = 1; i < count; ++i) {
        std::ifstream file(names[i], std::ios::binary);
        if (!file) {
            std::fprintf(stderr, "%s: cannot be read\n", names[i]);
            return 2;
        }
        std::vector<u8> const content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        std::printf("%s: %zu bytes, ", names[i], content.size());
        std::fflush(stdout);
        play(content.data(), content.size());
        std::printf("operation %u, %u passes, %s\n", last_played.operation, last_played.passes,
                    last_played.carried_out ? "carried out" : "not carried out");
    }
    return count < 2 ? 2 : 0;
}

/// The best request found so far for one target and operation, and how often there was any.
struct seed {
    std::vector<u8> bytes;
    u32 passes = 0;
    u32 verdicts[5] = {};
};

/// The request that is played, and where to keep it when it breaks a rule.
inline std::vector<u8> played_bytes;
inline std::string broken_name;

extern "C" inline void keep_broken(int) {
    std::ofstream file(broken_name, std::ios::binary);
    file.write(reinterpret_cast<char const*>(played_bytes.data()), static_cast<std::streamsize>(played_bytes.size()));
}

/// Writes one request that is carried out, in several passes where it can be, for each target and operation.
///
/// @param folder  for the files; they are named after the target and the operation
template <class Target>
int make_seeds(char const* folder, Target const* list, usize list_length, entry_point play) {
    constexpr u32 tries = 200'000;
    u64 state = 0x9E37'79B9'7F4A'7C15;
    auto const next = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<u8>(state >> 24);
    };
    broken_name = std::string(folder) + "/broken";
    std::signal(SIGABRT, keep_broken);
    std::vector<u8>& bytes = played_bytes;
    for (usize index = 0; index != list_length; ++index) {
        seed best[32];
        for (u32 attempt = 0; attempt != tries; ++attempt) {
            bytes.assign(40 + next() % 64u, static_cast<u8>(index));
            for (usize i = 1; i != bytes.size(); ++i) {
                bytes[i] = next();
            }
            play(bytes.data(), bytes.size());
            if (last_played.operation < 32) {
                seed& one = best[last_played.operation];
                ++one.verdicts[static_cast<u32>(last_played.what)];
                // Up to four passes: more say nothing new, and are slow.
                if (last_played.carried_out && last_played.passes <= 4 && last_played.passes > one.passes) {
                    one.passes = last_played.passes;
                    one.bytes = bytes;
                }
            }
        }
        for (u32 operation = 0; operation != 32; ++operation) {
            seed const& one = best[operation];
            if (one.bytes.empty() && one.verdicts[2] == 0) {
                continue;
            }
            char name[128];
            std::snprintf(name, sizeof name, "%s_operation_%02u", list[index].name, operation);
            std::printf("%-34s %u passes; nothing %u, harmless %u, wrong %u, busy %u, work %u\n", name, one.passes,
                        one.verdicts[0], one.verdicts[1], one.verdicts[2], one.verdicts[3], one.verdicts[4]);
            std::fflush(stdout);
            if (one.bytes.empty()) {
                continue;
            }
            std::ofstream file(std::string(folder) + "/" + name, std::ios::binary);
            file.write(reinterpret_cast<char const*>(one.bytes.data()), static_cast<std::streamsize>(one.bytes.size()));
        }
    }
    return 0;
}

}  // namespace

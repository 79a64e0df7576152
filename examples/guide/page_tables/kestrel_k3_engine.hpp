// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../hardware_type/kestrel_engine.hpp"

#include <wddmcore/testing/page_table_walker.hpp>
#include <wddmcore/testing/split_bus.hpp>
#include <wddmcore/testing/translation_cache.hpp>

#include <functional>
#include <optional>

/// The Kestrel K3 as a program: the K2's commands behind an MMU. It shares no line with the hardware type.
namespace guide {

namespace testing = wddmcore::testing;

// region: decode
/// What an entry says; level 0 is the leaf.
inline testing::walked_entry decode_k3(std::uint32_t level, std::uint64_t low, std::uint64_t) {
    testing::walked_entry entry;
    if ((low & 1) == 0) {
        return entry;  // its kind is `nothing`
    }
    entry.is = level == 0 ? testing::walked_entry::kind::page : testing::walked_entry::kind::table;
    entry.bus = (low >> 8 & 0xFFF'FFFF) * 4096;
    entry.writable = (low & 2) == 0;
    entry.coherent = (low & 4) != 0;
    return entry;
}
// end: decode

// region: engine
class kestrel_k3_engine final : public testing::engine {
public:
    std::uint64_t root = 0;         // register ROOT
    std::uint64_t invalidates = 0;  // how often that command came

    /// @param memory  where the MMU finds the tables
    /// @param fault   hears the addresses that lead nowhere
    void attach(testing::gpu_bus& memory, std::function<void(std::uint64_t)> fault) {
        walker_.emplace(memory, std::vector<testing::walked_level>{{9, 8}, {9, 8}, {9, 8}}, decode_k3);
        fault_ = std::move(fault);
    }
    testing::translation translate(std::uint64_t in_root, std::uint64_t va, bool past_caches) {
        return past_caches ? walker_->walk(in_root, va) : tlb_.translate(in_root, va);
    }

    testing::execution execute(std::uint32_t const* stream, std::size_t dwords, testing::gpu_bus& memory) override {
        testing::split_bus mmu(
            memory, [this](std::uint64_t) { return root != 0; },
            [this](std::uint64_t va) {
                testing::translation const found = translate(root, va, false);
                if (!found.ok()) {
                    fault_(va);
                }
                return found;
            });
        testing::execution done;
        if (dwords % 2 != 0) {
            done.ok = false;
            done.why = "the stream ends inside a unit of 8 bytes";
        }
        for (std::size_t at = 0; at < dwords && done.ok;) {
            std::size_t const length = (stream[at] >> 24 & 15) + 1;
            done.dword = at;
            if (stream[at] >> 28 == 9 && length == 3 && at + length <= dwords) {
                tlb_.flush(stream[at + 1] | std::uint64_t{stream[at + 2]} << 32);
                ++done.commands;
                ++invalidates;
            } else {
                testing::execution const one = k2_.run(stream + at, std::min(length, dwords - at), mmu);
                done.ok = one.ok;
                done.why = one.ok || mmu.why().empty() ? one.why : mmu.why();
                done.commands += one.commands;
                done.moved_bytes += one.moved_bytes;
            }
            at += length;
        }
        return done;
    }

private:
    kestrel_engine k2_;
    std::optional<testing::page_table_walker> walker_;
    testing::translation_cache tlb_{[this](std::uint64_t from, std::uint64_t va) { return walker_->walk(from, va); },
                                    true};
    std::function<void(std::uint64_t)> fault_;
};
// end: engine

}  // namespace guide

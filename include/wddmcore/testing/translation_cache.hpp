// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "walking_bus.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The translations that a GPU keeps: once an address of an address space was looked up, its 4-KiB page leads to the
/// same place until somebody flushes it, whatever the tables say by then.
///
/// It holds any number of translations, so that a flush that is missing always shows.
class translation_cache {
public:
    /// Walks the tables below a root; `root` is a number that the caller chose for an address space.
    using walker = std::function<translation(std::uint64_t root, std::uint64_t address)>;

    /// @param walk          asked for each page that is not remembered
    /// @param keeps_faults  whether it also remembers that an address leads nowhere
    translation_cache(walker walk, bool keeps_faults) : walk_(std::move(walk)), keeps_faults_(keeps_faults) {}

    /// Where an access goes; asking counts as an access, so the answer is remembered.
    /// @param root     as the walker knows it
    /// @param address  virtual address
    /// @return the translation, to the end of its 4-KiB page; without one, why
    [[nodiscard]] translation translate(std::uint64_t root, std::uint64_t address) {
        std::pair<std::uint64_t, std::uint64_t> const key{root, address / 4096};
        auto found = kept_.find(key);
        if (found == kept_.end()) {
            translation fresh = walk_(root, key.second * 4096);
            if (!fresh.ok() && !keeps_faults_) {
                return fresh;
            }
            found = kept_.emplace(key, std::move(fresh)).first;
        }
        translation t = found->second;
        if (t.ok()) {
            t.bus += address % 4096;
            t.bytes = 4096 - address % 4096;
        }
        return t;
    }

    /// Forgets the pages of one address space that have a byte in a range.
    /// @param root   as the walker knows it
    /// @param first  virtual address of the first byte
    /// @param last   virtual address of the last byte, itself included
    void flush(std::uint64_t root, std::uint64_t first, std::uint64_t last) {
        kept_.erase(kept_.lower_bound({root, first / 4096}), kept_.upper_bound({root, last / 4096}));
    }
    /// Forgets all pages of one address space.
    void flush(std::uint64_t root) { flush(root, 0, ~std::uint64_t{0}); }
    /// Forgets everything, as when the power is gone.
    void flush_all() { kept_.clear(); }

private:
    walker walk_;
    bool keeps_faults_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, translation> kept_;
};

}  // namespace wddmcore::testing

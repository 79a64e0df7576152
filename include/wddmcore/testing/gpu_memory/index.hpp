// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../guarded/pages.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A map from page numbers to numbers: one array access where the keys are dense, else a hash table; both O(1).
class gpu_memory_index {
public:
    /// What `find` answers for a key that is not there; no value may be this.
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};

    /// The longest key range for which an array is used: eight bytes of address space each, touched where used.
    static constexpr std::uint64_t longest_array = std::uint64_t{1} << 26;

    /// A hash table, for any keys below 2^64 - 1.
    gpu_memory_index() = default;

    /// An array if the range is short enough, else a hash table.
    /// @param first  lowest key
    /// @param count  how many keys there can be; others must not be asked for
    /// @throws std::bad_alloc  no address space
    gpu_memory_index(std::uint64_t first, std::uint64_t count) : first_(first) {
        if (count <= longest_array) {
            array_.emplace(static_cast<std::size_t>(count) * sizeof(std::uint64_t), 1, guarded_source::own);
        }
    }

    /// The value of a key.
    /// @param key  in the range given at the start
    /// @return the value, or `nothing`
    [[nodiscard]] std::uint64_t find(std::uint64_t key) const {
        if (array_) {
            return cell(key) - 1;  // fresh memory is zero, which stands for nothing
        }
        if (slots_.empty()) {
            return nothing;
        }
        for (std::size_t i = home(key);; i = (i + 1) & mask()) {
            if (slots_[i].key == key + 1) {
                return slots_[i].value;
            }
            if (slots_[i].key == 0) {
                return nothing;
            }
        }
    }

    /// Sets the value of a key, new or not.
    /// @param key    in the range given at the start
    /// @param value  anything but `nothing`
    void set(std::uint64_t key, std::uint64_t value) {
        if (array_) {
            count_ += cell(key) == 0 ? 1U : 0U;
            cell(key) = value + 1;
            return;
        }
        if ((count_ + 1) * 5 > slots_.size() * 3) {
            grow();
        }
        std::size_t i = home(key);
        while (slots_[i].key != 0 && slots_[i].key != key + 1) {
            i = (i + 1) & mask();
        }
        count_ += slots_[i].key == 0 ? 1U : 0U;
        slots_[i] = {key + 1, value};
    }

    /// Forgets a key; one that is not there is left so.
    /// @param key  in the range given at the start
    void erase(std::uint64_t key) {
        if (find(key) == nothing) {
            return;
        }
        --count_;
        if (array_) {
            cell(key) = 0;
            return;
        }
        std::size_t hole = home(key);
        while (slots_[hole].key != key + 1) {
            hole = (hole + 1) & mask();
        }
        // Whoever was pushed past the hole moves back into it, so that searches may go on ending at a free slot.
        for (std::size_t i = (hole + 1) & mask(); slots_[i].key != 0; i = (i + 1) & mask()) {
            if (((i - home(slots_[i].key - 1)) & mask()) >= ((i - hole) & mask())) {
                slots_[hole] = slots_[i];
                hole = i;
            }
        }
        slots_[hole] = {};
    }

    /// How many keys there are.
    [[nodiscard]] std::size_t size() const { return count_; }

    /// Whether a key lies in a range; only for hash tables, and as slow as the table is long.
    /// @param first  lowest key
    /// @param last   highest key
    [[nodiscard]] bool any_in(std::uint64_t first, std::uint64_t last) const {
        for (slot const& s : slots_) {
            if (s.key != 0 && s.key - 1 >= first && s.key - 1 <= last) {
                return true;
            }
        }
        return false;
    }

private:
    struct slot {
        std::uint64_t key = 0;  // one more than the key; 0: free
        std::uint64_t value = 0;
    };

    [[nodiscard]] std::uint64_t& cell(std::uint64_t key) const {
        return reinterpret_cast<std::uint64_t*>(array_->begin())[key - first_];
    }

    [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }

    [[nodiscard]] std::size_t home(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15U) >> shift_);  // the product's best bits
    }

    void grow() {
        std::vector<slot> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        shift_ = static_cast<unsigned>(std::countl_zero(std::uint64_t{mask()}));
        for (slot const& s : old) {
            if (s.key != 0) {
                std::size_t i = home(s.key - 1);
                while (slots_[i].key != 0) {
                    i = (i + 1) & mask();
                }
                slots_[i] = s;
            }
        }
    }

    std::optional<guarded_pages> array_;
    std::vector<slot> slots_;
    std::uint64_t first_ = 0;
    std::size_t count_ = 0;
    unsigned shift_ = 0;
};

}  // namespace wddmcore::testing

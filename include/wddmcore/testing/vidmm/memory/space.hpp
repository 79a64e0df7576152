// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../options.hpp"
#include "../random.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Which pages of a range are taken: a segment, an aperture, the paging process's window, system memory.
class space {
public:
    explicit space(std::uint64_t page_count) : taken_(static_cast<std::size_t>(page_count)), free_(page_count) {}

    [[nodiscard]] std::uint64_t size() const { return taken_.size(); }
    [[nodiscard]] std::uint64_t free_pages() const { return free_; }

    /// Takes `count` pages side by side from a place given by the dice; often the first or the last possible place,
    /// because mistakes live at the ends.
    [[nodiscard]] std::optional<std::uint64_t> take_run(std::uint64_t count, std::uint64_t alignment, dice& random) {
        if (count == 0 || count > taken_.size()) {
            return std::nullopt;
        }
        std::uint64_t const places = (taken_.size() - count) / alignment + 1;
        std::uint64_t const where = random.below(4);
        std::uint64_t const start = where == 0 ? 0 : where == 1 ? places - 1 : random.below(places);
        for (std::uint64_t n = 0; n < places; ++n) {
            std::uint64_t const first = (start + n) % places * alignment;
            if (is_free(first, count)) {
                mark(first, count, true);
                return first;
            }
        }
        return std::nullopt;
    }

    /// Takes the last `count` free pages side by side.
    [[nodiscard]] std::optional<std::uint64_t> take_last(std::uint64_t count, std::uint64_t alignment) {
        if (count == 0 || count > taken_.size()) {
            return std::nullopt;
        }
        for (std::uint64_t n = (taken_.size() - count) / alignment + 1; n-- != 0;) {
            if (is_free(n * alignment, count)) {
                mark(n * alignment, count, true);
                return n * alignment;
            }
        }
        return std::nullopt;
    }

    /// Takes exactly these pages, if all are free.
    [[nodiscard]] bool take_at(std::uint64_t first, std::uint64_t count) {
        if (first > taken_.size() || count > taken_.size() - first || !is_free(first, count)) {
            return false;
        }
        mark(first, count, true);
        return true;
    }

    /// Takes `count` pages anywhere, in the order of the policy; empty when there are not enough.
    [[nodiscard]] std::vector<std::uint64_t> take_scattered(std::uint64_t count, vidmm_page_policy policy,
                                                            std::vector<std::uint32_t> const& recorded, dice& random) {
        std::vector<std::uint64_t> out;
        if (count > free_) {
            return out;
        }
        if (policy == vidmm_page_policy::frames) {
            // On from where the last allocation ended, so that pages come back only when all others were used.
            for (; out.size() < count; next_ = (next_ + 1) % taken_.size()) {
                if (!taken_[next_]) {
                    mark(next_, 1, true);
                    out.push_back(next_);
                }
            }
            return out;
        }
        std::size_t turn = 0;
        while (out.size() < count) {
            std::uint64_t const left = count - out.size();
            std::uint64_t run = 1;
            if (policy == vidmm_page_policy::contiguous) {
                run = left;
            } else if (policy == vidmm_page_policy::recorded && !recorded.empty()) {
                run = std::min<std::uint64_t>(left, recorded[turn++ % recorded.size()]);
            } else if (random.chance(30)) {
                run = random.between(1, std::min<std::uint64_t>(left, 8));  // runs exist in random lists too
            }
            std::optional<std::uint64_t> first;
            while (!(first = take_run(run, 1, random))) {
                run = (run + 1) / 2;
            }
            for (std::uint64_t i = 0; i < run; ++i) {
                out.push_back(*first + i);
            }
        }
        return out;
    }

    void give_back(std::uint64_t first, std::uint64_t count) { mark(first, count, false); }

private:
    [[nodiscard]] bool is_free(std::uint64_t first, std::uint64_t count) const {
        for (std::uint64_t i = 0; i < count; ++i) {
            if (taken_[static_cast<std::size_t>(first + i)]) {
                return false;
            }
        }
        return true;
    }

    void mark(std::uint64_t first, std::uint64_t count, bool taken) {
        for (std::uint64_t i = 0; i < count; ++i) {
            taken_[static_cast<std::size_t>(first + i)] = taken;
        }
        free_ = taken ? free_ - count : free_ + count;
    }

    std::vector<bool> taken_;
    std::uint64_t free_;
    std::size_t next_ = 0;  ///< where the frames policy goes on
};

}  // namespace wddmcore::testing::vidmm_parts

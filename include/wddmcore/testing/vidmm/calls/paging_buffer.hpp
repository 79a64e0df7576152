// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../watched/buffer.hpp"
#include "../options.hpp"
#include "lending.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// One paging buffer with its private data: operations are packed into it from `position` on.
///
/// Its first byte is 4-KiB aligned (PGB-03); it ends at an inaccessible page when its size is whole pages, else at
/// junk that is looked at after each call.
class paging_buffer {
public:
    paging_buffer(lender& from, std::uint32_t size_, std::uint64_t address_, vidmm_options const& how, bool watch,
                  std::uint64_t junk)
        : size(size_), private_size(how.paging_private_data), address(address_), tell_(how.on_paging_buffer) {
        if (watch) {
            watched_ = std::make_unique<watched_buffer>(
                size, guarded_options{.side = guarded_side::start, .seed = junk, .alone = true});
        } else {
            plain_ = from.lend(size, loan_side::start, junk, "the paging buffer", vidmm_rule::pgb_01);
        }
        if (private_size != 0) {
            private_ = from.lend(private_size, loan_side::end, junk, "the private data", vidmm_rule::pgb_13);
            std::memset(private_->data(), 0, private_size);  // zero when the buffer is created, and only then (PGB-13)
        }
        if (tell_) {
            tell_({data(), size}, address);
        }
    }

    paging_buffer(paging_buffer const&) = delete;
    paging_buffer& operator=(paging_buffer const&) = delete;
    ~paging_buffer() {
        if (tell_) {
            tell_({data(), size}, std::nullopt);
        }
        if (plain_) {
            plain_->end();
        }
        if (private_) {
            private_->end();
        }
    }

    [[nodiscard]] std::byte* data() const { return watched_ ? watched_->data() : plain_->data(); }
    [[nodiscard]] std::byte* private_data() const { return private_ ? private_->data() : nullptr; }

    /// What the buffer holds now is what `changed_outside` compares with.
    void remember() {
        std::span<std::byte> const all = visible();
        before_.assign(all.begin(), all.end());
    }

    /// The driver is about to be called to build.
    void begin_call() {
        remember();
        armed_ = watched_ && watched_->arm(position, size);
    }

    /// It has returned.
    void end_call() {
        if (watched_) {
            watched_->disarm();
        }
    }

    /// The first byte outside [begin, end) that was changed since `remember`; `size` or more when it lies past the
    /// buffer.
    [[nodiscard]] std::optional<std::uint32_t> changed_outside(std::uint32_t begin, std::uint32_t end) const {
        std::span<std::byte> const now = visible();
        for (auto const& [first, last] : {std::pair<std::size_t, std::size_t>{0, begin}, {end, now.size()}}) {
            std::byte const* const from = now.data() + first;
            if (std::memcmp(before_.data() + first, from, last - first) != 0) {
                auto const found =
                    std::mismatch<std::byte const*, std::byte const*>(from, now.data() + last, before_.data() + first)
                        .first;
                return static_cast<std::uint32_t>(found - now.data());
            }
        }
        return std::nullopt;
    }

    /// What the watcher saw in the last call.
    [[nodiscard]] std::vector<watched_violation> law_violations() const {
        return armed_ ? watched_->violations() : std::vector<watched_violation>{};
    }

    /// Whether every byte of a part was stored; true where nobody watches.
    [[nodiscard]] bool wrote_all(std::uint32_t begin, std::uint32_t end) const {
        return !armed_ || watched_->wrote_all({begin, end});
    }

    [[nodiscard]] bool watched() const { return armed_; }

    std::uint32_t size;
    std::uint32_t private_size;
    std::uint64_t address;  ///< simulated physical address
    std::uint32_t position = 0;
    std::uint32_t window_start = 0;
    std::uint32_t private_position = 0;
    std::uint32_t private_window_start = 0;

private:
    // The watched one judges by itself what is past it.
    [[nodiscard]] std::span<std::byte> visible() const { return watched_ ? watched_->bytes() : plain_->with_slack(); }

    decltype(vidmm_options::on_paging_buffer) tell_;
    std::shared_ptr<loan> plain_;
    std::unique_ptr<watched_buffer> watched_;
    std::shared_ptr<loan> private_;
    std::vector<std::byte> before_;
    bool armed_ = false;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pages.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Eight bytes of what fresh memory of this seed holds, the first byte in the lowest bits.
/// @param seed  any number
/// @param word  eight-byte words from the first page's start
/// @return the same bytes on every host
[[nodiscard]] constexpr std::uint64_t guarded_junk_word(std::uint64_t seed, std::uint64_t word) {
    std::uint64_t mixed = seed + (word + 1) * 0x9E37'79B9'7F4A'7C15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D0'49BB'1331'11EBU;
    return mixed ^ (mixed >> 31);
}

/// The byte that fresh memory of this seed holds at this index.
/// @param seed   any number
/// @param index  bytes from the first page's start
/// @return the same byte on every host
[[nodiscard]] constexpr std::byte guarded_junk(std::uint64_t seed, std::uint64_t index) {
    return static_cast<std::byte>((guarded_junk_word(seed, index / 8) >> (8 * (index % 8))) & 0xFF);
}

/// Which end of a buffer touches an inaccessible page.
enum class guarded_side : std::uint8_t {
    end,    ///< the byte past the last one faults; the start has whatever alignment the size leaves
    start,  ///< the byte before the first one faults; the start is page-aligned
};

/// How a guarded buffer is made.
struct guarded_options {
    guarded_side side = guarded_side::end;  ///< the end that is exact
    std::uint64_t seed = 1;                 ///< of the junk that fresh memory holds
    std::size_t guard = 1;                  ///< bytes of each inaccessible side, rounded up to whole pages
    bool plain = false;                     ///< true: as on a host that cannot protect pages
    bool alone = false;  ///< true: accesses fault when the buffer is gone, retired or not (guarded_kept)
};

/// Memory whose one end lies exactly at an inaccessible page, and which can be made inaccessible after its time.
///
/// At the other end the rest of the page holds junk, and `intact` tells whether somebody stored there. A host without
/// mmap gets heap memory between two patterns: `intact` finds stores outside and, after `retire`, stores inside;
/// loads are not seen there.
class guarded_buffer {
public:
    /// Makes a buffer full of junk.
    /// @param size     bytes, 0 allowed
    /// @param options  placement, seed, protection
    /// @throws std::bad_alloc  no address space
    explicit guarded_buffer(std::size_t size, guarded_options options = {})
        : pages_(size, options.guard,
                 options.plain   ? guarded_source::heap
                 : options.alone ? guarded_source::own
                                 : guarded_source::kept),
          size_(size),
          seed_(options.seed),
          data_(pages_.begin() + (options.side == guarded_side::end ? pages_.size() - size : 0)) {
        fill(seed_);
    }

    /// The first byte; the address stays valid, and unused by others, as long as the object lives.
    [[nodiscard]] std::byte* data() const { return data_; }

    /// @return bytes from `data`
    [[nodiscard]] std::size_t size() const { return size_; }

    /// @return all bytes
    [[nodiscard]] std::span<std::byte> bytes() const { return {data_, size_}; }

    /// The pages that the buffer lies in, and its guards.
    [[nodiscard]] guarded_pages const& pages() const { return pages_; }

    /// Whether an access outside faults at once; false: `intact` tells later about stores.
    [[nodiscard]] bool guarded() const { return pages_.protects(); }

    /// Whether `retire` was called.
    [[nodiscard]] bool retired() const { return retired_; }

    /// What a byte holds that nobody has written.
    /// @param offset  bytes from `data`, below `size`
    /// @return the junk at this place
    [[nodiscard]] std::byte fresh(std::size_t offset) const { return guarded_junk(seed_, lead() + offset); }

    /// Ends the buffer's time: from now on every access faults, and its addresses go to nobody else.
    ///
    /// Where pages cannot be protected the bytes become other junk, and a later store makes `intact` false.
    void retire() {
        if (retired_) {
            return;
        }
        intact_ = intact();
        retired_ = true;
        if (!pages_.close()) {
            fill(~seed_);
        }
    }

    /// Whether no byte outside was changed, and none inside after `retire`.
    [[nodiscard]] bool intact() const {
        if (retired_) {
            return intact_ && (pages_.protects() || (pages_.guards_intact() && holds(~seed_, 0, pages_.size())));
        }
        return pages_.guards_intact() && holds(seed_, 0, lead()) && holds(seed_, lead() + size_, pages_.size());
    }

private:
    [[nodiscard]] std::size_t lead() const { return static_cast<std::size_t>(data_ - pages_.begin()); }

    void fill(std::uint64_t seed) {
        for (std::size_t i = 0; i < pages_.size(); i += 8) {
            std::uint64_t word = guarded_junk_word(seed, i / 8);
            if constexpr (std::endian::native == std::endian::little) {
                std::memcpy(pages_.begin() + i, &word, sizeof word);
            } else {
                for (std::size_t k = 0; k < sizeof word; ++k, word >>= 8) {
                    pages_.begin()[i + k] = static_cast<std::byte>(word & 0xFF);
                }
            }
        }
    }

    [[nodiscard]] bool holds(std::uint64_t seed, std::size_t first, std::size_t end) const {
        for (std::size_t i = first; i < end; ++i) {
            if (pages_.begin()[i] != guarded_junk(seed, i)) {
                return false;
            }
        }
        return true;
    }

    guarded_pages pages_;
    std::size_t size_;
    std::uint64_t seed_;
    std::byte* data_;
    bool retired_ = false;
    bool intact_ = true;
};

}  // namespace wddmcore::testing

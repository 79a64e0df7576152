// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/units.hpp>

#include <cstdlib>
#include <cstring>

#if defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define WDDMCORE_FUZZ_GUARDED
#    endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#    define WDDMCORE_FUZZ_GUARDED
#endif
#if defined(WDDMCORE_FUZZ_GUARDED)
#    include <sanitizer/asan_interface.h>
#endif

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Whether bytes may be touched; without the sanitizer they always may.
inline void guard_bytes([[maybe_unused]] void* at, [[maybe_unused]] usize size) {
#if defined(WDDMCORE_FUZZ_GUARDED)
    ASAN_POISON_MEMORY_REGION(at, size);
#endif
}
inline void release_bytes([[maybe_unused]] void* at, [[maybe_unused]] usize size) {
#if defined(WDDMCORE_FUZZ_GUARDED)
    ASAN_UNPOISON_MEMORY_REGION(at, size);
#endif
}

/// The places that blocks of memory lie in, each between bytes that the sanitizer guards.
///
/// The heap would do the same, at the price of a few microseconds for each block: an execution has half a dozen.
class block_places {
public:
    static constexpr usize count = 24;
    static constexpr usize most = 0x5000;  ///< bytes of one block

    block_places() {
        guard_bytes(memory_, sizeof memory_);
        for (usize i = 0; i != count; ++i) {
            free_[i] = memory_ + i * stride + guard;
        }
    }

    /// A place of which exactly `size` bytes may be touched.
    [[nodiscard]] u8* take(usize size) {
        if (left_ == 0 || size > most) {
            std::abort();
        }
        u8* const at = free_[--left_];
        release_bytes(at, size);
        return at;
    }
    void give_back(u8* at, usize size) {
        guard_bytes(at, (size + 7) / 8 * 8);
        free_[left_++] = at;
    }

private:
    static constexpr usize guard = 128;
    static constexpr usize stride = guard + most + guard;

    alignas(64) u8 memory_[count * stride];
    u8* free_[count];
    usize left_ = count;
};

[[nodiscard]] inline block_places& places_for_blocks() {
    static block_places places;
    return places;
}

/// Memory of exactly its size: one byte past it is an error that the sanitizer sees.
class exact_block {
public:
    exact_block() = default;
    exact_block(usize size, u8 content) : size_(size), at_(places_for_blocks().take(size)) {
        std::memset(at_, content, size);
    }
    exact_block(exact_block const&) = delete;
    exact_block& operator=(exact_block&& other) noexcept {
        free();
        size_ = other.size_;
        at_ = other.at_;
        other.at_ = nullptr;
        other.size_ = 0;
        return *this;
    }
    ~exact_block() { free(); }

    [[nodiscard]] u8* data() const { return at_; }
    [[nodiscard]] usize size() const { return size_; }

private:
    usize size_ = 0;
    u8* at_ = nullptr;

    void free() {
        if (at_ != nullptr) {
            places_for_blocks().give_back(at_, size_);
        }
    }
};

}  // namespace wddmcore::testing::fuzz

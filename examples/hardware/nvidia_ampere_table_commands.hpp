// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "nvidia_ampere.hpp"

/// The commands of GPU virtual memory: writing entries, copying entries, dropping translations, fences.
namespace wddmcore::examples::nvidia {

// Methods of the host, which reads the stream before any engine does; below 0x100 the subchannel does not matter.
inline constexpr u32 memory_operation = 0x28;  // A to D
inline constexpr u32 host_semaphore = 0x5C;    // address low, high, payload low, high, execute
// Methods of the copy engine.
inline constexpr u32 set_semaphore = 0x240;  // address high, low, payload low, high

/// The header of `count` data words for one method.
[[nodiscard]] constexpr u32 same_method(u32 method, u32 count) noexcept {
    return bit_field<u32, 31, 29>::place(3) | bit_field<u32, 28, 16>::place(count) |
           bit_field<u32, 15, 13>::place(subchannel) | bit_field<u32, 11, 0>::place(method / 4);
}

/// Where the engines read the stream that is being written.
struct stream_place {
    u32 const* first = nullptr;                ///< a dword of the paging buffer, as the CPU writes it
    address place = {0, target::gpu_virtual};  ///< the same dword, as the copy engine reads it

    /// The address of another dword of the same buffer.
    [[nodiscard]] constexpr address of(u32 const* at) const noexcept {
        promise(first != nullptr);  // the driver said where this buffer is
        return place + bytes{static_cast<u64>(at - first) * 4};
    }
};

/// Entries are carried in the stream as data of a method that does nothing, and then copied from there to the table.
///
/// The copy engine has no method for data of arbitrary length, and an encoder is not told where its command will be. So
/// the driver says before each call where the engines read the buffer (PGB-12). The MMU reads tables only after the
/// flush with which every copy ends.
template <bool Physical>
struct table_writes {
    stream_place stream{};

    /// Takes the place of the buffer from the request, before each call of build_paging_buffer with a buffer.
    ///
    /// @return false when the system gives no GPU address for the buffer. Then the driver has to fill `stream`; a
    ///         driver that does not must not claim updates by command
    template <class Args>
    constexpr bool reads_stream_of(Args const& args) noexcept {
        u64 const mapped = static_cast<u64>(args.DmaBufferGpuVirtualAddress);
        stream = {static_cast<u32 const*>(args.pDmaBuffer),
                  {mapped + static_cast<u64>(args.DmaBufferWriteOffset), target::gpu_virtual}};
        return mapped != 0;
    }

    static constexpr dwords write_max{0x1FFC};  // a header counts to 0x1FFF; entries have 2 dwords or 4
    static constexpr dwords write_head_dwords{1};
    static constexpr void encode_write_head(u32* at, address, dwords entries) noexcept {
        put32(at, same_method(nop, entries.n));
    }
    static constexpr dwords write_tail_dwords = copy_engine<Physical>::copy_dwords;
    constexpr void encode_write_tail(u32* at, address destination, dwords entries) const noexcept {
        copy_engine<Physical>::encode_copy(at, destination, stream.of(at - entries.n), to_bytes(entries));
    }
};

/// Entries from table to table: a copy, which begins when the one before it has ended and ends with a flush.
struct table_copies {
    static constexpr bytes copy_entries_max = 1 * gib;
    static constexpr dwords copy_entries_dwords = copy_engine<false>::copy_dwords;
    static constexpr void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        copy_engine<false>::encode_copy(at, destination, source, size);
    }
};

/// Addresses of the host's semaphore have 40 bits.
inline constexpr u64 semaphore_end = u64{1} << 40;

/// The host's own operations on caches. They first wait until the engines are idle, by means of a semaphore of the
/// driver.
struct cache_operations {
    static constexpr u32 release = bit_field<u32, 2, 0>::place(1);
    static constexpr u32 wait_for_idle = bit_field<u32, 20>::place(1);

    /// @param semaphore  below semaphore_end, a multiple of 4
    static constexpr dwords wait_dwords{6};
    static constexpr void encode_wait(u32* at, u64 semaphore) noexcept {
        put32(at, methods(host_semaphore, 5));
        put64(at + 1, semaphore);
        put64(at + 3, 0);
        put32(at + 5, release | wait_for_idle);
    }

    // What memory operation D does.
    static constexpr u32 drop_translations = 9;
    static constexpr u32 drop_system_lines = 0xE;
    static constexpr u32 write_dirty_lines = 0x10;

    static constexpr dwords operation_dwords{5};
    static constexpr void encode_operation(u32* at, u32 operation, u64 c_and_d) noexcept {
        put32(at, methods(memory_operation, 4));
        put64(at + 1, 0);
        put64(at + 3, c_and_d | dword_pair(0, bit_field<u32, 31, 27>::place(operation)));
    }

    /// The page directory base that selects the translations of one address space: place and address, for C and D.
    [[nodiscard]] static constexpr u64 of_root(address root) noexcept {
        u64 const where = root.in == target::video ? 0 : 2;
        return (root.n & ~low_mask<u64>(12)) | bit_field<u64, 11, 10>::place(where);
    }
    /// All address spaces.
    static constexpr u64 of_all_roots = 1;
};

/// Drops all translations of one address space at once, because it is not public how a part of one is specified.
///
/// ACK is none: the manual names acknowledgements, but not which of them makes the host wait. So it is unverified that
/// the translations are gone before the next method is carried out. A driver that cannot rely on that has to wait for
/// the invalidation in its own way before it lets the process continue.
struct translation_cache {
    static constexpr dwords length = cache_operations::wait_dwords + cache_operations::operation_dwords;
    static constexpr void encode(u32* at, u64 semaphore, address root) noexcept {
        cache_operations::encode_wait(at, semaphore);
        cache_operations::encode_operation(at + cache_operations::wait_dwords.n, cache_operations::drop_translations,
                                           cache_operations::of_root(root));
    }
    static constexpr void encode_all(u32* at, u64 semaphore) noexcept {
        cache_operations::encode_wait(at, semaphore);
        cache_operations::encode_operation(at + cache_operations::wait_dwords.n, cache_operations::drop_translations,
                                           cache_operations::of_all_roots);
    }
};

/// A fence: a launch that moves nothing, stores 64 bits when everything before it is visible, and interrupts.
struct fence_stores {
    static constexpr u32 store_and_interrupt = bit_field<u32, 2>::place(1)       // flush
                                               | bit_field<u32, 4, 3>::place(1)  // semaphore without a time
                                               | bit_field<u32, 6, 5>::place(2)  // interrupt, not waited for
                                               | bit_field<u32, 27>::place(1);   // payload of 64 bits
    static_assert(store_and_interrupt == 0x0800'004C);

    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords{7};
    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        put32(at, methods(set_semaphore, 4));
        put64(at + 1, upper_first(place.n));
        put64(at + 3, value);
        put64(at + 5, dword_pair(methods(launch_dma, 1), store_and_interrupt));
    }
};
static_assert(methods(set_semaphore, 3) == 0x2003'8090);

}  // namespace wddmcore::examples::nvidia

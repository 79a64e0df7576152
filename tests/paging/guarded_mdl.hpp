// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/testing/guarded/buffer.hpp>

#include <cstring>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Memory for one MDL at a time whose page array ends at an inaccessible page: reading past it faults.
class guarded_mdl {
public:
    /// @param capacity  the most pages that one MDL will have
    explicit guarded_mdl(u64 capacity)
        : memory_(sizeof(mirror::vista::mdl) + capacity * sizeof(usize)), capacity_(capacity) {}

    /// An MDL of these pages. What an earlier call gave is gone.
    /// @param list         page numbers
    /// @param byte_offset  of the first byte in the first page
    /// @param unused       bytes of the last page that do not belong to it, below 4096
    mirror::vista::mdl* make(std::vector<u64> const& list, u32 byte_offset = 0, u32 unused = 0) {
        u64 const size = sizeof(mirror::vista::mdl) + list.size() * sizeof(usize);
        std::byte* const at = memory_.data() + (sizeof(mirror::vista::mdl) + capacity_ * sizeof(usize) - size);
        mirror::vista::mdl header{};
        header.ByteOffset = byte_offset;
        header.ByteCount = list.empty() ? 0 : static_cast<u32>(list.size() * 4096 - byte_offset - unused);
        std::memcpy(at, &header, sizeof header);
        for (u64 i = 0; i < list.size(); ++i) {
            usize const page = static_cast<usize>(list[i]);
            std::memcpy(at + sizeof header + i * sizeof page, &page, sizeof page);
        }
        return reinterpret_cast<mirror::vista::mdl*>(at);
    }

    /// The same memory as a bare array: for address descriptor lists.
    usize const* make_array(std::vector<u64> const& list) { return reinterpret_cast<usize const*>(make(list) + 1); }

private:
    guarded_buffer memory_;
    u64 capacity_;
};

}  // namespace wddmcore::testing

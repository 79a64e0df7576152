// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <vector>

/// What the engines of both mocks are told when they are made.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where on the bus the targets of a mock's addresses lie: the bus address that value 0 stands for.
struct mock_map {
    std::map<std::uint32_t, std::uint64_t> segments;  ///< by segment id; others are no targets
    std::optional<std::uint64_t> system_pages;        ///< none: system pages are no target
    std::optional<std::uint64_t> virtual_addresses;   ///< none: virtual addresses are no target
};

/// The table of one aperture, 8 bytes a page, little-endian.
struct mock_aperture {
    std::uint32_t segment;
    std::span<std::byte> table;
};

/// The tables that an engine reads, and the CPU too.
class mock_tables {
public:
    explicit mock_tables(std::vector<mock_aperture> apertures) : apertures_(std::move(apertures)) {}

    /// The eight bytes of an entry; nullptr when there is no such entry.
    [[nodiscard]] std::byte* find(std::uint32_t segment, std::uint64_t index) const {
        for (mock_aperture const& aperture : apertures_) {
            if (aperture.segment == segment && index < aperture.table.size() / 8) {
                return aperture.table.data() + index * 8;
            }
        }
        return nullptr;
    }

    [[nodiscard]] std::optional<std::uint64_t> entry(std::uint32_t segment, std::uint64_t index) const {
        std::byte const* const at = find(segment, index);
        if (at == nullptr) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

private:
    std::vector<mock_aperture> apertures_;
};

}  // namespace wddmcore::testing

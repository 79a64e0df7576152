// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// What is kept of one call of DxgkDdiBuildPagingBuffer.
namespace wddmcore::examples::report {

/// A member of the request, spelled as the DDI does.
struct member {
    std::string name;
    std::string value;
};

/// Bytes that commands, or the driver itself, touched. Long ranges are kept in part.
struct touched_bytes {
    std::string place;
    std::uint64_t size;
    std::vector<std::byte> before;
    std::vector<std::byte> after;
    std::byte const* where;  ///< to look again

    [[nodiscard]] bool changed() const { return before != after; }
};

/// Something that the adapter or its driver knows, in words.
struct known {
    std::string what;
    std::string before;
    std::string after;
};

/// Where an operation in the paging process moved bytes: what draws the window.
struct moved_chunk {
    std::uint64_t offset = 0;  ///< in the allocation
    std::uint64_t size = 0;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
};

/// One call.
struct call {
    paging_operation operation{};
    std::uint32_t version = 0;  ///< DXGKDDI_INTERFACE_VERSION
    std::vector<member> members;
    std::int32_t status = 0;
    std::uint32_t multipass_before = 0;
    std::uint32_t multipass_after = 0;
    std::uint32_t room = 0;  ///< DmaSize
    std::vector<std::uint32_t> dwords;
    bool executed = false;
    std::uint64_t commands = 0;  ///< that the engine counted
    std::uint64_t interrupts = 0;
    std::vector<touched_bytes> memory;
    std::vector<known> knowledge;
    moved_chunk chunk;  ///< of operation 8
};

/// Handles and pointers get names instead of this process's addresses.
class handle_names {
public:
    bool dual_tables = false;  ///< only then an update of level 1 has a second array (OP11-06)

    [[nodiscard]] std::string name(std::string const& kind, void const* handle) {
        if (handle == nullptr) {
            return "NULL";
        }
        auto& known = names_[kind];
        return kind + " " + std::to_string(known.emplace(handle, known.size() + 1).first->second);
    }

private:
    std::map<std::string, std::map<void const*, std::size_t>> names_;
};

/// The members of a request, for any version's structure.
template <class Arguments>
[[nodiscard]] std::vector<member> members_of(Arguments const& args, handle_names& names);

}  // namespace wddmcore::examples::report

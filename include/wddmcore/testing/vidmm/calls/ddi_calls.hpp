// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "arguments.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// One window of a paging buffer on its way to the engine.
struct window_arguments {
    std::byte* buffer = nullptr;  ///< the whole buffer
    std::uint32_t buffer_size = 0;
    std::uint64_t buffer_address = 0;  ///< its simulated physical address
    std::uint32_t start = 0;           ///< bytes from the buffer's start
    std::uint32_t end = 0;
    std::byte* private_data = nullptr;
    std::uint32_t private_size = 0;
    std::uint32_t private_start = 0;
    std::uint32_t private_end = 0;
    std::uint32_t fence = 0;
    std::uint32_t node = 0;
    void* context = nullptr;
};

/// What the simulator does with the argument structures, for one version chosen at run time.
struct ddi_calls {
    // Bytes that are handed over: at least the structures of the version.
    std::size_t build_size;
    std::size_t patch_size;
    std::size_t submit_size;
    std::size_t submit_virtual_size;  ///< 0 where the version has none

    void (*fill_build)(void*, request const&, envelope const&, handed_list const&);
    envelope (*read)(void const*);
    /// Where the driver changed a member that it must not change, in bytes from the start; `at` is written to.
    std::optional<std::size_t> (*changed)(void* after, void const* before);
    std::size_t transfer_offset;  ///< where Transfer.TransferOffset is
    void (*fill_patch)(void*, window_arguments const&);
    void (*fill_submit)(void*, window_arguments const&);
    void (*fill_submit_virtual)(void*, window_arguments const&);
};

template <class Args>
envelope read_envelope(void const* from) {
    auto const& args = *static_cast<Args const*>(from);
    envelope e;
    e.buffer = static_cast<std::byte*>(args.pDmaBuffer);
    e.buffer_size = args.DmaSize;
    e.private_data = static_cast<std::byte*>(args.pDmaBufferPrivateData);
    e.private_size = args.DmaBufferPrivateDataSize;
    e.multipass = args.MultipassOffset;
    return e;
}

template <class Args>
std::optional<std::size_t> changed_member(void* after, void const* before) {
    auto& a = *static_cast<Args*>(after);
    auto const& b = *static_cast<Args const*>(before);
    a.pDmaBuffer = b.pDmaBuffer;
    a.DmaSize = b.DmaSize;
    a.pDmaBufferPrivateData = b.pDmaBufferPrivateData;
    a.DmaBufferPrivateDataSize = b.DmaBufferPrivateDataSize;
    a.MultipassOffset = b.MultipassOffset;
    auto const* const x = static_cast<std::byte const*>(after);
    auto const* const y = static_cast<std::byte const*>(before);
    for (std::size_t i = 0; i < sizeof(Args); ++i) {
        if (x[i] != y[i]) {
            return i;
        }
    }
    return std::nullopt;
}

template <class Args>
void fill_window(Args& to, window_arguments const& w) {
    to.hContext = w.context;
    to.DmaBufferSegmentId = 0;
    to.DmaBufferPhysicalAddress.QuadPart = static_cast<i64>(w.buffer_address);
    to.DmaBufferSize = w.buffer_size;
    to.DmaBufferSubmissionStartOffset = w.start;
    to.DmaBufferSubmissionEndOffset = w.end;
    to.pDmaBufferPrivateData = w.private_data;
    to.DmaBufferPrivateDataSize = w.private_size;
    to.DmaBufferPrivateDataSubmissionStartOffset = w.private_start;
    to.DmaBufferPrivateDataSubmissionEndOffset = w.private_end;
    to.SubmissionFenceId = w.fence;
    if constexpr (requires { to.NodeOrdinal; }) {
        to.NodeOrdinal = w.node;
    }
    to.Flags.Value = 0;
    to.Flags.Paging = 1;
    to.EngineOrdinal = 0;
}

template <class Args>
void fill_patch_arguments(void* to, window_arguments const& w) {
    Args& args = *new (to) Args{};
    fill_window(args, w);
    args.pDmaBuffer = w.buffer;
    args.pAllocationList = nullptr;
    args.pPatchLocationList = nullptr;
}

template <class Args>
void fill_submit_arguments(void* to, window_arguments const& w) {
    fill_window(*new (to) Args{}, w);
}

template <class Args>
void fill_submit_virtual_arguments(void* to, window_arguments const& w) {
    Args& args = *new (to) Args{};
    args.hContext = w.context;
    args.DmaBufferVirtualAddress = 0;  // OBS-08
    args.DmaBufferSize = w.end - w.start;
    args.pDmaBufferPrivateData = w.private_data == nullptr ? nullptr : w.private_data + w.private_start;
    args.DmaBufferPrivateDataSize = w.private_end - w.private_start;
    args.SubmissionFenceId = w.fence;
    args.Flags.Paging = 1;
}

/// The functions for the version of a driver's table.
/// @throws std::invalid_argument  a structure of the driver's is smaller than its version's, or a required function is
///                                missing
[[nodiscard]] inline ddi_calls calls_for(wddmcore_driver_table const& table) {
    if (table.build_paging_buffer == nullptr ||
        (table.submit_command == nullptr && table.submit_command_virtual == nullptr)) {
        throw std::invalid_argument("driver table: build_paging_buffer and one submit function are required");
    }
    ddi_calls calls = with_ddi_types(interface_version_of(table.version), [](auto tag) {
        using types = typename decltype(tag)::type;
        using build = typename types::build;
        ddi_calls c{};
        c.build_size = sizeof(build);
        c.patch_size = sizeof(typename types::patch);
        c.submit_size = sizeof(typename types::submit);
        c.fill_build = [](void* to, request const& r, envelope const& e, handed_list const& l) {
            fill_build(*static_cast<build*>(to), r, e, l);
        };
        c.read = &read_envelope<build>;
        c.changed = &changed_member<build>;
        c.transfer_offset = offsetof(build, Transfer) + offsetof(typename build::transfer_type, TransferOffset);
        c.fill_patch = &fill_patch_arguments<typename types::patch>;
        c.fill_submit = &fill_submit_arguments<typename types::submit>;
        if constexpr (!meta::is_same<typename types::submit_virtual, void>) {
            c.submit_virtual_size = sizeof(typename types::submit_virtual);
            c.fill_submit_virtual = &fill_submit_virtual_arguments<typename types::submit_virtual>;
        }
        return c;
    });
    // A driver may register an old version and be compiled with newer headers, whose structures begin with the old
    // ones: it is given as many bytes as it may copy, junk where its version has no members.
    auto const compare = [](char const* what, unsigned told, std::size_t& mirrored) {
        if (told != 0 && told < mirrored) {
            throw std::invalid_argument(std::string("driver table: the driver's ") + what + " has " +
                                        std::to_string(told) + " bytes, its interface version's has " +
                                        std::to_string(mirrored));
        }
        mirrored = std::max<std::size_t>(told, mirrored);
    };
    compare("DXGKARG_BUILDPAGINGBUFFER", table.build_paging_buffer_size, calls.build_size);
    compare("DXGKARG_PATCH", table.patch_size, calls.patch_size);
    compare("DXGKARG_SUBMITCOMMAND", table.submit_command_size, calls.submit_size);
    compare("DXGKARG_SUBMITCOMMANDVIRTUAL", table.submit_command_virtual_size, calls.submit_virtual_size);
    return calls;
}

/// What a loan holds now.
[[nodiscard]] inline std::vector<std::byte> copy_of(loan const& memory) {
    return {memory.data(), memory.data() + memory.size()};
}

}  // namespace wddmcore::testing::vidmm_parts

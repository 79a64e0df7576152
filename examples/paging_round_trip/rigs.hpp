// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/driver_table.h>
#include <wddmcore/testing/vidmm.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wddmcore::examples {

/// One example hardware with everything around it that a simulated adapter needs: driver, engine, segments.
class rig {
public:
    rig() = default;
    rig(rig const&) = delete;
    rig& operator=(rig const&) = delete;
    virtual ~rig() = default;

    [[nodiscard]] virtual wddmcore_driver_table table() = 0;
    [[nodiscard]] virtual testing::engine& engine() = 0;
    /// What the simulator must know about this adapter: addressing, segments, how to read its aperture's entries.
    [[nodiscard]] virtual testing::vidmm_options options() = 0;
    /// The smallest paging buffer with which every pass advances, in bytes.
    [[nodiscard]] virtual std::uint32_t smallest_buffer() const = 0;

    /// Takes the simulator that was made with these options; hardware that walks page tables finds them in its memory.
    virtual void attach(testing::vidmm&) {}
    /// Whether the hardware walks page tables of its own.
    [[nodiscard]] virtual bool walks() const { return false; }
};

inline constexpr std::uint32_t aperture_segment = 1;
inline constexpr std::uint32_t memory_segment = 2;
inline constexpr std::uint64_t aperture_bytes = std::uint64_t{16} << 20;

/// The names that make_rig takes: each hardware with physical paging, with virtual paging where the simulator makes the
/// mappings, and with virtual paging through page tables that the hardware walks.
[[nodiscard]] std::vector<std::string> rig_names();

/// A freshly started adapter.
/// @param memory_bytes  size of its memory segment, whole pages
[[nodiscard]] std::unique_ptr<rig> make_rig(std::string const& name, std::uint64_t memory_bytes);

// The three rigs of each hardware, by the part of the name that follows the hardware's.
[[nodiscard]] std::unique_ptr<rig> make_cpu_rig(std::string const& kind, std::uint64_t memory_bytes);
[[nodiscard]] std::unique_ptr<rig> make_amd_rig(std::string const& kind, std::uint64_t memory_bytes);
[[nodiscard]] std::unique_ptr<rig> make_nvidia_rig(std::string const& kind, std::uint64_t memory_bytes);
[[nodiscard]] std::unique_ptr<rig> make_intel_rig(std::string const& kind, std::uint64_t memory_bytes);

}  // namespace wddmcore::examples

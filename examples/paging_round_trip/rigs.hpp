// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/driver_table.h>
#include <wddmcore/testing/gpu_memory/bus.hpp>
#include <wddmcore/testing/vidmm/options.hpp>

#include <cstdint>
#include <functional>
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
    /// A template, because a file that includes the simulator takes seconds to compile.
    template <class System>
    void attach(System& system) {
        attached(system.memory(), [&system](std::uint64_t va) { system.page_fault(va); });
    }
    /// Whether the hardware walks page tables of its own.
    [[nodiscard]] virtual bool walks() const { return false; }

protected:
    /// @param memory  all of it, as the engine sees it
    /// @param fault   to be told an address that the engine used and that leads nowhere
    virtual void attached(testing::gpu_bus& memory, std::function<void(std::uint64_t)> fault);
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

/// Makes a hardware known to the two functions above, in a program that its file is linked into.
class registered_hardware {
public:
    /// Makes one of the three rigs, by the part of the name that follows the hardware's.
    using maker = std::unique_ptr<rig> (*)(std::string const& kind, std::uint64_t memory_bytes);

    /// @param place  among the others in the order of names
    registered_hardware(unsigned place, char const* name, maker make);
};

}  // namespace wddmcore::examples

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory/bus.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

/// Virtual addresses of a simulated GPU, translated anew at every access by walking tables that lie in simulated
/// memory.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Where one virtual address leads.
struct translation {
    std::uint64_t bus = 0;    ///< address on the bus of physical memory
    std::uint64_t bytes = 0;  ///< from there to the end of the page; 0: the walk ended in a fault, `why` says how
    bool writable = false;    ///< whether the page may be written
    bool coherent = false;    ///< whether accesses are coherent with the CPU's caches
    bool executable = true;   ///< always, where the format has no bit for it
    std::string why;          ///< how the walk ended in a fault; empty: it did not

    /// @return whether the address leads to memory
    [[nodiscard]] bool ok() const { return bytes != 0; }
};

/// The end of a walk in a fault.
/// @param why  in words, for whoever reads the report
[[nodiscard]] inline translation no_translation(std::string why) {
    translation t;
    t.why = std::move(why);
    return t;
}

/// A bus whose addresses are virtual. It caches nothing: a table that changes is seen at the next access.
class walking_bus final : public gpu_bus {
public:
    /// Where a virtual address leads.
    using walker = std::function<translation(std::uint64_t)>;

    /// @param memory  physical memory, the tables in it; must live longer
    /// @param walk    asked once for each page of an access
    /// @param writes  whether accesses need pages that may be written
    walking_bus(gpu_bus& memory, walker walk, bool writes) : memory_(memory), walk_(std::move(walk)), writes_(writes) {}

    /// @return why the walk refused an access, the last of those; empty when it refused none
    [[nodiscard]] std::string const& why() const { return why_; }

    /// Reads, wholly or not at all.
    /// @param address  virtual address of the first byte
    /// @param to       room for `size` bytes
    /// @param size     bytes
    /// @return false: `why` says which page is missing, or no memory is where the page lies
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return each(address, size, [&](std::byte* data, std::size_t done, std::size_t n) {
            std::memcpy(static_cast<std::byte*>(to) + done, data, n);
        });
    }
    /// Writes, wholly or not at all.
    /// @param address  virtual address of the first byte
    /// @param from     `size` bytes
    /// @param size     bytes
    /// @return false: `why` says which page is missing, or no memory is where the page lies
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return each(address, size, [&](std::byte* data, std::size_t done, std::size_t n) {
            std::memcpy(data, static_cast<std::byte const*>(from) + done, n);
        });
    }
    /// The memory of one page from an address on.
    /// @param address  virtual address of the first byte
    /// @param size     most bytes that are wanted
    /// @return the piece; {nullptr, 0}: `why` says why not, or no memory is where the page lies
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        translation const t = walk_(address);
        if (!t.ok() || (writes_ && !t.writable)) {
            why_ = t.ok() ? "the page may only be read" : t.why;
            return {nullptr, 0};
        }
        return memory_.at(t.bus, static_cast<std::size_t>(std::min<std::uint64_t>(size, t.bytes)));
    }

private:
    template <class Use>
    [[nodiscard]] bool each(std::uint64_t address, std::size_t size, Use const& use) {
        for (bool const looking : {true, false}) {
            for (std::size_t done = 0; done < size;) {
                piece const p = at(address + done, size - done);
                if (p.data == nullptr) {
                    return false;
                }
                if (!looking) {
                    use(p.data, done, p.size);
                }
                done += p.size;
            }
        }
        return true;
    }

    gpu_bus& memory_;
    walker walk_;
    bool writes_;
    std::string why_;
};

/// A bus seen from a fixed distance: physical addresses of one kind of memory, each kind beginning at 0.
class distant_bus final : public gpu_bus {
public:
    /// @param memory  all of memory; must live longer
    /// @param zero    its address that is 0 here
    distant_bus(gpu_bus& memory, std::uint64_t zero) : memory_(memory), zero_(zero) {}
    /// Reads, wholly or not at all.
    /// @param address  of the first byte, from `zero` on
    /// @param to       room for `size` bytes
    /// @param size     bytes
    /// @return false: not all of them are backed
    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        return memory_.read(zero_ + address, to, size);
    }
    /// Writes, wholly or not at all.
    /// @param address  of the first byte, from `zero` on
    /// @param from     `size` bytes
    /// @param size     bytes
    /// @return false: not all of them are backed
    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        return memory_.write(zero_ + address, from, size);
    }
    /// The longest directly usable piece at an address.
    /// @param address  of the first byte, from `zero` on
    /// @param size     most bytes that are wanted
    /// @return the piece; {nullptr, 0} where nothing is backed
    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        return memory_.at(zero_ + address, size);
    }

private:
    gpu_bus& memory_;
    std::uint64_t zero_;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "junk_memory.hpp"

#include <packets/decode.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What packets do to memory, by nothing but the fields that a table found in them.
namespace wddmcore::tests {

using examples::packets::found_field;
using examples::packets::found_packet;

/// Where the NVIDIA engine's physical addresses begin.
inline constexpr std::uint64_t video_base = 0x10'0000'0000'0000;
inline constexpr std::uint64_t system_base = 0x20'0000'0000'0000;

class packet_effects {
public:
    explicit packet_effects(junk_memory& memory) : memory_(memory) {}

    /// What went past memory: registers, notices and invalidations, as numbers in the order of the packets.
    std::vector<std::uint64_t> told;

    void apply(found_packet const& p) {
        if (!p.methods.empty()) {
            apply_methods(p);
            return;
        }
        std::string_view const name = p.what->name;
        if (name == "COPY_LINEAR") {
            copy(p["src_addr"], p["dst_addr"], p["count"] + 1);
        } else if (name == "WRITE_LINEAR") {
            store(p["dst_addr"], data(p));
        } else if (name == "CONST_FILL") {
            bool const dwords = p["fillsize"] == 2;
            fill(p["dst_addr"], (dwords ? p["count"] | 3 : p["count"]) + 1,
                 dwords ? p["data"] : (p["data"] & 0xFF) * 0x0101'0101);
        } else if (name == "PTEPDE_GEN") {
            run(p["pe_addr"], p["count"] + 1, p["flags"] | p["addr"], p["incr"]);
        } else if (name == "FENCE") {
            store(p["addr"], {static_cast<u32>(p["data"])});
        } else if (name == "SRBM_WRITE") {
            told.insert(told.end(), {p["register"], p["value"]});
        } else if (name == "copy") {
            copy(p["source"], p["destination"], p["bytes"]);
        } else if (name == "fill") {
            fill(p["destination"], p["bytes"], p["pattern"]);
        } else if (name == "write") {
            store_byte(p["place"], 0xC3);
        } else if (name == "aperture entry") {
            told.insert(told.end(), {p["segment"], p["index"], p["page"], p["coherent"]});
        } else if (name == "entries") {
            store(p["destination"], data(p));
        } else if (name == "run of entries") {
            run(p["destination"], p["count"], p["first"], p["step"]);
        } else if (name == "store") {
            store(p["place"], {static_cast<u32>(p["value"]), static_cast<u32>(p["value"] >> 32)});
        } else if (name == "drop translations") {
            told.insert(told.end(), {p["root_segment"], p["root_offset"], p["first_byte"], p["last_byte"]});
        } else if (name == "residency") {
            told.insert(told.end(), {p["allocation"], p["resident"], p["segment"], p["offset"]});
        } else if (name == "residency of a part") {
            told.insert(told.end(), {p["allocation"], p["first_page"], p["pages"], p["resident"], p["segment"],
                                     p["offset"], p["list_pages"]});
        } else if (name == "fence residency") {
            told.insert(told.end(), {p["fence"], p["current_segment"], p["current_offset"], p["monitored_segment"],
                                     p["monitored_offset"]});
        } else if (name == "drop caches") {
            told.insert(told.end(), {p["process"], p["virtual_address"], p["bytes"]});
        } else if (name == "XY_FAST_COPY_BLT") {
            copy(p["src_addr"], p["dst_addr"], p["height"] * p["width"] * 4);
        } else if (name == "MEM_COPY") {
            copy(p["src_addr"], p["dst_addr"], p["size"] + 1);
        } else if (name == "MEM_SET") {
            fill(p["dst_addr"], (p["height"] + 1) * (p["width"] + 1), p["data"] * 0x0101'0101);
        } else if (name == "MI_STORE_DATA_IMM" || (name == "MI_FLUSH_DW" && p["OP_STOREDW"] != 0)) {
            store(p["address"], data(p));
        }
    }

private:
    [[nodiscard]] static std::vector<u32> data(found_packet const& p) {
        std::vector<u32> all;
        for (found_field const& f : p.fields) {
            if (f.what->name == std::string_view("data")) {
                all.push_back(static_cast<u32>(f.value));
            }
        }
        return all;
    }

    void store_byte(std::uint64_t address, std::uint64_t value) {
        auto const byte = static_cast<std::byte>(value);
        static_cast<void>(memory_.write(address, &byte, 1));
    }
    void store(std::uint64_t address, std::vector<u32> const& dwords) {
        static_cast<void>(memory_.write(address, dwords.data(), dwords.size() * 4));
    }
    void fill(std::uint64_t address, std::uint64_t size, std::uint64_t pattern) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i != bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(pattern >> (i % 4 * 8));
        }
        static_cast<void>(memory_.write(address, bytes.data(), bytes.size()));
    }
    void run(std::uint64_t address, std::uint64_t count, std::uint64_t first, std::uint64_t step) {
        for (std::uint64_t i = 0; i != count; ++i) {
            std::uint64_t const entry = first + i * step;
            static_cast<void>(memory_.write(address + i * 8, &entry, sizeof entry));
        }
    }
    void copy(std::uint64_t from, std::uint64_t to, std::uint64_t size) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        static_cast<void>(memory_.read(from, bytes.data(), bytes.size()));
        static_cast<void>(memory_.write(to, bytes.data(), bytes.size()));
    }

    void apply_methods(found_packet const& p) {
        for (found_field const& f : p.fields) {
            if (f.owner != nullptr) {
                values_[std::string(f.owner->name) + '.' + f.what->name] = f.value;
            }
        }
        for (examples::packets::method const* const m : p.methods) {
            std::string_view const name = m->name;
            if (name == "LAUNCH_DMA") {
                launch();
            } else if (name == "SEM_EXECUTE") {
                release(v("SEM_ADDR_HI.upper") << 32 | v("SEM_ADDR_LO.lower"),
                        v("SEM_PAYLOAD_HI.value") << 32 | v("SEM_PAYLOAD_LO.value"), v("SEM_EXECUTE.payload_64") != 0);
            } else if (name == "MEM_OP_D" && v("MEM_OP_D.operation") == 9) {
                told.insert(told.end(), {v("MEM_OP_C.pdb_all"), v("MEM_OP_C.pdb_aperture"),
                                         v("MEM_OP_D.pdb_hi") << 32 | v("MEM_OP_C.pdb_lo") << 12});
            }
        }
    }
    [[nodiscard]] std::uint64_t v(std::string const& name) const {
        auto const found = values_.find(name);
        return found == values_.end() ? 0 : found->second;
    }
    void release(std::uint64_t address, std::uint64_t payload, bool wide) {
        static_cast<void>(memory_.write(address, &payload, wide ? 8 : 4));
    }
    [[nodiscard]] std::uint64_t side(std::string const& offset, std::string const& mode,
                                     std::string const& type) const {
        std::uint64_t const address = v(offset + "_UPPER.upper") << 32 | v(offset + "_LOWER.lower");
        bool const physical = v("LAUNCH_DMA." + type) != 0;
        return address + (!physical ? 0 : v(mode + ".target") == 0 ? video_base : system_base);
    }
    void launch() {
        if (v("LAUNCH_DMA.DATA_TRANSFER_TYPE") == 0) {
            release(v("SET_SEMAPHORE_A.upper") << 32 | v("SET_SEMAPHORE_B.lower"),
                    v("SET_SEMAPHORE_PAYLOAD_UPPER.value") << 32 | v("SET_SEMAPHORE_PAYLOAD.value"),
                    v("LAUNCH_DMA.SEMAPHORE_PAYLOAD_SIZE") != 0);
            return;
        }
        std::uint64_t const to = side("OFFSET_OUT", "SET_DST_PHYS_MODE", "DST_TYPE");
        std::uint64_t const length = v("LINE_LENGTH_IN.value");
        if (v("LAUNCH_DMA.REMAP") == 0) {
            copy(side("OFFSET_IN", "SET_SRC_PHYS_MODE", "SRC_TYPE"), to, length);
            return;
        }
        char const* const destinations[] = {"DST_X", "DST_Y", "DST_Z", "DST_W"};
        std::uint64_t const size = v("SET_REMAP_COMPONENTS.COMPONENT_SIZE") + 1;
        std::uint64_t const count = v("SET_REMAP_COMPONENTS.NUM_DST") + 1;
        for (std::uint64_t i = 0; i != length * count; ++i) {
            bool const a = v(std::string("SET_REMAP_COMPONENTS.") + destinations[i % count]) == 4;
            std::uint64_t const constant = v(a ? "SET_REMAP_CONST_A.value" : "SET_REMAP_CONST_B.value");
            for (std::uint64_t k = 0; k != size; ++k) {
                store_byte(to + i * size + k, constant >> (8 * k));
            }
        }
    }

    junk_memory& memory_;
    std::map<std::string, std::uint64_t> values_;
};

}  // namespace wddmcore::tests

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"
#include "../gpu_memory/bus.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What the laws may play with: an engine, its bus, and memory whose content does not matter.
///
/// What is left out is not exercised. The bus addresses are where the engine looks for what the hardware type names;
/// all of it is backed, and no two parts are the same memory except that virtual addresses may stand for the other
/// parts.
///
/// What page-table entries lead to is not looked at: entries in memory are compared with those that the hardware type
/// makes itself, so that no law notices a wrong base of a segment or a wrong bit. Only a walker of the hardware's own
/// format could.
struct law_memory {
    engine* executor = nullptr;  ///< executes what the encoders wrote; nullptr: memory is not judged
    gpu_bus* bus = nullptr;      ///< what the executor reaches; nullptr: memory is not judged

    /// A part of a memory segment: whole pages, 16 or more; twice the largest command, copy or
    /// fill, or that one is left out and a `copy_max` that is too large is not noticed.
    struct segment_part {
        segment_id id{0};
        segment_offset first{0};
        bytes size{0};
        std::uint64_t bus_address = 0;  ///< of the first byte
    } segment{};                        ///< smaller than 16 pages: named in flushes alone

    /// System pages, 8 or more, better 40, ascending, some of them consecutive.
    struct page {
        page_number number;
        std::uint64_t bus_address;  ///< of its first byte
    };
    std::vector<page> system_pages{};  ///< fewer than 8: not exercised

    /// A range of the paging process: whole pages, 16 or more.
    struct virtual_part {
        gpu_virtual_address first{0};
        bytes size{0};
        std::uint64_t bus_address = 0;  ///< of the first byte
    } process{};                        ///< smaller than 16 pages: named in notices alone

    /// Entries of an aperture, and how the engine reads them.
    struct aperture_part {
        segment_id id{0};
        u64 first = 0;  ///< index of the first entry that may change
        u64 count = 0;  ///< entries, 8 or more
        /// The page number that an entry leads to; nothing: nowhere.
        std::function<std::optional<std::uint64_t>(u64 index)> page_of;
        std::function<std::optional<bool>(u64 index)> coherent_of;  ///< may be empty
    } aperture{};  ///< fewer than 8 entries, or no page_of: not exercised

    /// What the engine was told, as it tells it again.
    struct notice {
        /// What a notice can be about.
        enum class kind : std::uint8_t {
            flush,            ///< translations that go; size 0: all of them
            eviction,         ///< a part of an allocation that is about to leave
            iommu_unmap,      ///< a part of an allocation that is to leave the IOMMU; size 0: caches are emptied whole
        } what;               ///< which of them
        std::uint64_t first;  ///< GPU virtual address
        std::uint64_t size;   ///< bytes
    };
    /// Takes the notices since the last call away; a flush of everything is an answer to an unmap as well. Empty:
    /// commands of operations 12 and 22 are executed, and what the engine makes of them is not judged. A hardware type
    /// that flushes at once tells its flushes here too.
    std::function<std::vector<notice>()> take_notices{};
};

namespace law_parts {

/// What memory must hold: written beside the engine, by the simplest code there is.
class memory_model {
public:
    explicit memory_model(gpu_bus& bus) : bus_(bus) {}

    /// Adds a part, and fills it with random bytes.
    /// @return false: it is not all backed
    [[nodiscard]] bool add(std::string name, std::uint64_t bus_address, std::uint64_t size, random_numbers& random) {
        parts_.push_back({std::move(name), bus_address, std::vector<std::byte>(static_cast<std::size_t>(size))});
        return scramble({{parts_.size() - 1, 0, static_cast<std::size_t>(size)}}, random);
    }

    /// Bytes that follow each other for a request, though not in memory.
    struct stretch {
        std::size_t part;
        std::size_t offset;
        std::size_t size;
    };
    using stretches = std::vector<stretch>;

    /// Fills a place with random bytes, in the model and on the bus: what a fill left behind looks the same everywhere.
    /// @return false: it is not all backed
    bool scramble(stretches const& where, random_numbers& random) {
        bool there = true;
        for (stretch const& s : where) {
            part& p = parts_[s.part];
            u64 word = 0;
            for (std::size_t i = 0; i < s.size; ++i) {
                word = i % 8 == 0 ? random.next() : word >> 8;
                p.content[s.offset + i] = static_cast<std::byte>(word & 0xFF);
            }
            there = bus_.write(p.bus_address + s.offset, p.content.data() + s.offset, s.size) && there;
        }
        return there;
    }

    [[nodiscard]] std::vector<std::byte> read(stretches const& where) const {
        std::vector<std::byte> bytes;
        for (stretch const& s : where) {
            auto const first = parts_[s.part].content.begin() + static_cast<std::ptrdiff_t>(s.offset);
            bytes.insert(bytes.end(), first, first + static_cast<std::ptrdiff_t>(s.size));
        }
        return bytes;
    }

    void write(stretches const& where, std::vector<std::byte> const& bytes) {
        std::size_t done = 0;
        for (stretch const& s : where) {
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), s.size,
                        parts_[s.part].content.begin() + static_cast<std::ptrdiff_t>(s.offset));
            done += s.size;
        }
    }

    /// Takes what the bus holds for right, in one place or everywhere.
    void accept(stretches const& where) {
        for (stretch const& s : where) {
            part& p = parts_[s.part];
            static_cast<void>(bus_.read(p.bus_address + s.offset, p.content.data() + s.offset, s.size));
        }
    }
    void accept_everything() {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            accept({{i, 0, parts_[i].content.size()}});
        }
    }

    /// A byte that is not as it must be.
    struct difference {
        std::string place;
        std::byte expected;
        std::byte found;
        bool inside;  ///< of the destination
    };

    /// The first byte that is wrong, those of the destination first; afterwards the bus is taken for right.
    [[nodiscard]] std::optional<difference> compare(stretches const& destination) {
        std::optional<difference> found;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            part& p = parts_[i];
            if (is_on_bus(p)) {
                continue;
            }
            now_.resize(p.content.size());
            if (!bus_.read(p.bus_address, now_.data(), now_.size())) {
                found = difference{p.name, {}, {}, false};
            } else {
                look(i, destination, found);
                p.content = now_;
            }
        }
        return found;
    }

    [[nodiscard]] gpu_bus& bus() const { return bus_; }
    [[nodiscard]] std::size_t count() const { return parts_.size(); }

private:
    struct part {
        std::string name;
        std::uint64_t bus_address;
        std::vector<std::byte> content;
    };

    /// Compares in place: most parts are as they must be.
    [[nodiscard]] bool is_on_bus(part const& p) {
        for (std::size_t done = 0; done < p.content.size();) {
            gpu_bus::piece const piece = bus_.at(p.bus_address + done, p.content.size() - done);
            if (piece.data == nullptr || piece.size == 0 ||
                std::memcmp(piece.data, p.content.data() + done, piece.size) != 0) {
                return false;
            }
            done += piece.size;
        }
        return true;
    }

    void look(std::size_t index, stretches const& destination, std::optional<difference>& found) const {
        part const& p = parts_[index];
        for (std::size_t k = 0; k < now_.size(); ++k) {
            if (now_[k] != p.content[k]) {
                bool const inside = std::any_of(destination.begin(), destination.end(), [&](stretch const& s) {
                    return s.part == index && k >= s.offset && k - s.offset < s.size;
                });
                if (!found || (inside && !found->inside)) {
                    found = difference{say(p.name, " + ", k), p.content[k], now_[k], inside};
                }
                if (inside) {
                    return;
                }
            }
        }
    }

    gpu_bus& bus_;
    std::vector<part> parts_;
    std::vector<std::byte> now_;
};

}  // namespace law_parts

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../gpu_memory/gpu_memory.hpp"
#include "../calls/request.hpp"
#include "../options.hpp"
#include "../random.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// All memory of the simulated machine, twice: as it is, and as it has to be.
///
/// Addresses are flat: a memory segment at its base, system page n at system_base + n * 4096. The second image is
/// changed only by what requests mean, never by what a driver does, so any difference is somebody's mistake.
class memory_model {
public:
    explicit memory_model(vidmm_options const& o)
        : segments_(o.segments),
          frames_(o.frames),
          system_base_(o.system_base),
          pages_of_buffer_(std::clamp<std::uint64_t>(o.largest_paging_buffer / page_size, 64, buffer_pages)) {
        for (std::uint64_t i = 0; o.frames.empty() && i < o.ram_pages; ++i) {
            frames_.push_back(o.first_page + i);
        }
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            by_number_.emplace_back(frames_[i], i);
        }
        std::sort(by_number_.begin(), by_number_.end());
        std::uint64_t const lowest = by_number_.front().first;
        for (gpu_memory* m : {&actual_, &expected_}) {
            bool const file = o.memory_file && m == &actual_;  // nobody sees the image but this model
            guarded_source const source = file ? guarded_source::shared : guarded_source::own;
            require(m->add_page_window(system_base_, lowest, beyond_pages() - lowest, frames_.size(), source),
                    "system memory");
            for (std::uint64_t const number : frames_) {
                require(m->add_page(number), "system memory");
            }
            for (vidmm_segment const& s : segments_) {
                if (!s.aperture && !s.hollow) {
                    require(m->add_linear(s.base, s.size, m == &actual_ ? s.memory : nullptr), "segment");
                }
            }
            m->populate();
        }
        for (std::uint64_t const number : frames_) {
            junk(page_address(number), page_size, mixed(o.seed ^ 0x52'414d ^ number));
        }
        for (vidmm_segment const& s : segments_) {
            if (!s.aperture && !s.hollow) {
                junk(s.base, s.size, mixed(o.seed ^ (0x5345'47 + s.id)));
            }
        }
    }

    [[nodiscard]] vidmm_segment const* segment(std::uint32_t id) const {
        for (vidmm_segment const& s : segments_) {
            if (s.id == id) {
                return &s;
            }
        }
        return nullptr;
    }

    [[nodiscard]] vidmm_segment const* segment_at(std::uint64_t address) const {
        for (vidmm_segment const& s : segments_) {
            if (address >= s.base && address - s.base < s.size) {
                return &s;
            }
        }
        return nullptr;
    }

    [[nodiscard]] std::vector<vidmm_segment> const& segments() const { return segments_; }
    [[nodiscard]] std::uint64_t ram_pages() const { return frames_.size(); }

    /// The number of system page `index`, below ram_pages(), and the other way round.
    [[nodiscard]] std::uint64_t frame(std::uint64_t index) const { return frames_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::uint64_t index_of(std::uint64_t number) const { return found(number)->second; }

    /// The first page number past all of system memory.
    [[nodiscard]] std::uint64_t beyond_pages() const { return by_number_.back().first + 1; }

    /// The first page of a paging buffer: behind all that is reported as system memory.
    [[nodiscard]] std::uint64_t buffer_page(std::uint64_t number) const {
        return beyond_pages() + gap_pages + number % (buffer_pages / pages_of_buffer_) * pages_of_buffer_;
    }
    /// The same for what is no request of Windows: no other buffer lies there.
    [[nodiscard]] std::uint64_t probe_page() const { return beyond_pages() + gap_pages + buffer_pages; }

    /// Address of a system page.
    [[nodiscard]] std::uint64_t page_address(std::uint64_t number) const { return system_base_ + number * page_size; }

    [[nodiscard]] bool is_page(std::uint64_t number) const {
        auto const at = found(number);
        return at != by_number_.end() && at->first == number;
    }

    /// The memory as it is, for the engine; nothing for a hollow segment.
    [[nodiscard]] gpu_memory& actual() { return actual_; }

    /// Memory behind an address as it is, at most `size` bytes; empty where there is none.
    [[nodiscard]] std::span<std::byte> is(std::uint64_t address, std::uint64_t size) {
        return piece(actual_, address, size);
    }

    /// The same as it has to be.
    [[nodiscard]] std::span<std::byte> must_be(std::uint64_t address, std::uint64_t size) {
        return piece(expected_, address, size);
    }

    /// Fills memory with content of a key, as the operating system or an application does with the CPU.
    void junk(std::uint64_t address, std::uint64_t size, std::uint64_t key) {
        each_pair(address, size, [&](std::uint64_t at, std::span<std::byte> real, std::span<std::byte> image) {
            // Page by page, so that what is copied is still in the cache.
            for (std::size_t i = 0; i < real.size(); i += page_size) {
                std::span<std::byte> const page = real.subspan(i, std::min<std::size_t>(page_size, real.size() - i));
                write_content(page, key, at - address + i);
                std::memcpy(&image[i], page.data(), page.size());
            }
            return true;
        });
    }

    /// Makes the image follow what is there, after a difference was reported.
    void accept(std::uint64_t address, std::uint64_t size) {
        each_pair(address, size, [](std::uint64_t, std::span<std::byte> real, std::span<std::byte> image) {
            std::memcpy(image.data(), real.data(), real.size());
            return true;
        });
    }

    /// The first address at which both differ, if any.
    [[nodiscard]] std::optional<std::uint64_t> difference(std::uint64_t address, std::uint64_t size) {
        std::optional<std::uint64_t> found;
        each_pair(address, size, [&](std::uint64_t at, std::span<std::byte> real, std::span<std::byte> image) {
            if (std::memcmp(real.data(), image.data(), real.size()) != 0) {
                auto const where = std::mismatch(real.begin(), real.end(), image.begin()).first;
                found = at + static_cast<std::uint64_t>(where - real.begin());
            }
            return !found;
        });
        return found;
    }

    /// The first address anywhere at which both differ.
    [[nodiscard]] std::optional<std::uint64_t> difference() {
        std::optional<std::uint64_t> first;
        for (std::size_t i = 0; i < frames_.size() && !first; ++i) {
            first = difference(page_address(frames_[i]), page_size);
        }
        for (vidmm_segment const& s : segments_) {
            if (!first && !s.aperture && !s.hollow) {
                first = difference(s.base, s.size);
            }
        }
        return first;
    }

    /// The first place in each page at which both differ, until one is not skipped.
    template <class Skip>
    [[nodiscard]] std::optional<std::uint64_t> difference_elsewhere(Skip const& skip) {
        std::optional<std::uint64_t> found;
        each_page([&](std::uint64_t page) {
            auto const at = found ? std::nullopt : difference(page, page_size);
            found = at && !skip(*at) ? at : found;
        });
        return found;
    }

    /// All places at which both differ, and the image follows them: pages where neighbouring ones are one place.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> resynchronise() {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
        each_page([&](std::uint64_t page) {
            auto const first = difference(page, page_size);
            if (!first) {
                return;
            }
            accept(page, page_size);
            if (!places.empty() && places.back().second == page) {
                places.back().second = page + page_size;
            } else {
                places.emplace_back(*first, page + page_size);
            }
        });
        return places;
    }

    /// A place in words: a byte of a segment, or of a system page.
    [[nodiscard]] std::string name_of(std::uint64_t address) const {
        if (vidmm_segment const* const s = segment_at(address)) {
            return "byte " + hex(address - s->base) + " of segment " + std::to_string(s->id);
        }
        std::uint64_t const from_zero = address - system_base_;
        return "byte " + hex(from_zero % page_size) + " of system page " + hex(from_zero / page_size);
    }

    /// A number that changes when a byte of the range changes.
    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t address, std::uint64_t size) {
        std::uint64_t sum = 0x84222325;
        while (size != 0) {
            std::span<std::byte> const from = is(address, size);
            std::size_t i = 0;
            for (; i + 8 <= from.size(); i += 8) {
                std::uint64_t word = 0;
                std::memcpy(&word, &from[i], 8);
                sum = (sum ^ word) * 0x9E37'79B9'7F4A'7C15U;
                sum ^= sum >> 29;
            }
            for (; i < from.size(); ++i) {
                sum = (sum ^ static_cast<std::uint64_t>(from[i])) * 0x100'0000'01b3U;
            }
            if (from.empty()) {
                break;
            }
            address += from.size();
            size -= from.size();
        }
        return sum;
    }

private:
    static void require(gpu_memory_error error, char const* what) {
        if (error != gpu_memory_error::none) {
            throw std::invalid_argument(std::string("vidmm_options: ") + what +
                                        " overlaps other memory or is not whole pages");
        }
    }

    [[nodiscard]] static std::span<std::byte> piece(gpu_memory& m, std::uint64_t address, std::uint64_t size) {
        gpu_bus::piece const p = m.at(address, static_cast<std::size_t>(size));
        return {p.data, p.size};
    }

    // Piece by piece, both images side by side, until `use` answers false or nothing is there.
    template <class Use>
    void each_pair(std::uint64_t address, std::uint64_t size, Use const& use) {
        while (size != 0) {
            std::span<std::byte> const real = is(address, size);
            std::span<std::byte> const image = must_be(address, real.size());
            if (image.empty() || !use(address, real.first(image.size()), image)) {
                return;
            }
            address += image.size();
            size -= image.size();
        }
    }

    template <class Use>
    void each_page(Use const& use) const {
        for (auto const& numbered : by_number_) {
            use(page_address(numbered.first));
        }
        for (vidmm_segment const& s : segments_) {
            for (std::uint64_t at = 0; !s.aperture && !s.hollow && at < s.size; at += page_size) {
                use(s.base + at);
            }
        }
    }

    // The first entry at or after a page number.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>>::const_iterator found(
        std::uint64_t number) const {
        return std::lower_bound(by_number_.begin(), by_number_.end(), std::pair{number, std::uint64_t{0}});
    }

    std::vector<vidmm_segment> segments_;
    std::vector<std::uint64_t> frames_;                               ///< page numbers by index
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by_number_;  ///< {page number, index}, sorted
    std::uint64_t system_base_;
    std::uint64_t pages_of_buffer_;  ///< from one paging buffer to the next
    gpu_memory actual_;
    gpu_memory expected_;
};

}  // namespace wddmcore::testing::vidmm_parts

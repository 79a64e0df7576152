// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../base/units.hpp"
#include "../machine.hpp"

#include <map>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Where an allocation is.
struct placement {
    enum class kind : std::uint8_t {
        none,      ///< no content
        system,    ///< pages of system memory
        segment,   ///< a range of a memory segment
        aperture,  ///< pages of system memory that a range of the aperture points at
    };
    kind is = kind::none;
    std::vector<std::uint64_t> pages;  ///< page numbers, for system and aperture
    std::uint32_t segment = 0;         ///< id, for segment and aperture
    std::uint64_t first = 0;           ///< first 4-KiB page in the segment or aperture
    std::uint64_t count = 0;           ///< pages
};

struct allocation {
    std::uint32_t number = 0;
    void* handle = nullptr;
    std::uint64_t size = 0;  ///< bytes
    placement where;

    [[nodiscard]] std::uint64_t page_count() const { return (size + page_size - 1) / page_size; }
};

/// Who has which memory: hands out placements and takes them back with fresh junk in them.
class land {
public:
    explicit land(machine& m) : m_(m), ram_(m.memory.ram_pages()), aperture_(m.aperture.size / page_size) {
        for (vidmm_segment const& s : m.options.segments) {
            if (!s.aperture) {
                segments_.emplace(s.id, space(s.size / page_size));
            }
            alignment_ = s.pages_64k ? 16 : alignment_;
        }
        vidmm_page_tables const& tables = m.options.page_tables;
        alignment_ = std::max<std::uint64_t>(alignment_, tables.gpu_page_bytes / page_size);
        gpu_page_ = tables.gpu_page_bytes / page_size;
        larger_pages_of(tables);
        if (m.aperture.size != 0) {
            dummy_ = m.memory.frame(ram_.take_run(1, 1, m.random).value());
            m.dummy_page = dummy_;
        }
    }

    [[nodiscard]] std::uint64_t dummy_page() const { return dummy_; }
    [[nodiscard]] std::uint64_t alignment() const { return alignment_; }

    [[nodiscard]] std::optional<placement> system(std::uint64_t count) {
        std::uint64_t const larger = larger_page(in_system_, count);
        if (gpu_page_ > 1 || (larger != 0 && m_.random.chance(m_.options.chances.larger_pages))) {
            return gpu_page_ > 1 ? in_gpu_pages(count) : in_one_run(count, larger);
        }
        vidmm_page_policy policy = m_.options.pages;
        if (policy == vidmm_page_policy::random && m_.random.chance(25)) {
            policy = vidmm_page_policy::contiguous;  // so that the contiguous form of an ADL is met too
        }
        placement p;
        p.is = placement::kind::system;
        p.count = count;
        for (std::uint64_t const index : ram_.take_scattered(count, policy, m_.options.recorded_runs, m_.random)) {
            p.pages.push_back(m_.memory.frame(index));
        }
        return p.pages.empty() ? std::nullopt : std::optional(p);
    }

    [[nodiscard]] std::optional<placement> in_segment(std::uint32_t id, std::uint64_t count) {
        std::optional<std::uint64_t> first;
        std::uint64_t const larger = larger_page(in_segments_, count);
        if (larger != 0 && m_.random.chance(m_.options.chances.larger_pages)) {
            first = pages_of(id).take_run(count, std::max(larger, alignment_), m_.random);
        }
        if (!first) {
            first = pages_of(id).take_run(count, alignment_, m_.random);
        }
        return first ? std::optional(placement{placement::kind::segment, {}, id, *first, count}) : std::nullopt;
    }
    /// The last range of a segment that is free.
    [[nodiscard]] std::optional<placement> last_in_segment(std::uint32_t id, std::uint64_t count) {
        auto const first = pages_of(id).take_last(count, alignment_);
        return first ? std::optional(placement{placement::kind::segment, {}, id, *first, count}) : std::nullopt;
    }

    /// A range of a segment that begins `distance` pages further on than another; both may overlap.
    [[nodiscard]] std::optional<placement> beside(placement const& p, std::int64_t distance) {
        auto const by = static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
        if (distance < 0 && by > p.first) {
            return std::nullopt;
        }
        placement moved = p;
        moved.first = distance < 0 ? p.first - by : p.first + by;
        std::uint64_t const fresh = distance < 0 ? moved.first : p.first + p.count;
        bool const taken = by < p.count && segments_.at(p.segment).take_at(fresh, by);
        return taken ? std::optional(moved) : std::nullopt;
    }

    /// The pages of the aperture for what lies in these system pages.
    [[nodiscard]] std::optional<placement> in_aperture(placement const& p) {
        auto const first = aperture_.take_run(p.count, 1, m_.random);
        return first ? std::optional(placement{placement::kind::aperture, p.pages, m_.aperture.id, *first, p.count})
                     : std::nullopt;
    }

    void leave_aperture(placement const& p) { aperture_.give_back(p.first, p.count); }

    /// Takes a placement back; what it held is gone, so that a stale copy cannot look like a new one.
    void give_back(placement const& p) {
        if (p.is == placement::kind::segment) {
            give_back_segment(p.segment, p.first, p.count);
        } else {
            for (std::uint64_t const number : p.pages) {
                m_.memory.junk(m_.memory.page_address(number), page_size, m_.junk());
                ram_.give_back(m_.memory.index_of(number), 1);
            }
        }
    }

    void give_back_segment(std::uint32_t id, std::uint64_t first, std::uint64_t count) {
        vidmm_segment const& s = *m_.memory.segment(id);
        if (!s.hollow) {
            m_.memory.junk(s.base + first * page_size, count * page_size, m_.junk());
        }
        segments_.at(id).give_back(first, count);
    }

    /// New content, as an application or the system writes it with the CPU.
    void write(placement const& p, std::uint64_t key) {
        for (std::uint64_t k = 0; k < p.count; ++k) {
            m_.memory.junk(address(p, k), page_size, mixed(key ^ k));
        }
    }

    /// New content in a part of a placement in a segment.
    void write_part(placement const& p, std::uint64_t offset, std::uint64_t size, std::uint64_t key) {
        vidmm_segment const& s = *m_.memory.segment(p.segment);
        if (!s.hollow) {
            m_.memory.junk(s.base + p.first * page_size + offset, size, key);
        }
    }

    /// Where page k of a placement really is, as memory_model counts.
    [[nodiscard]] std::uint64_t address(placement const& p, std::uint64_t k) const {
        return p.is == placement::kind::segment ? m_.memory.segment(p.segment)->base + (p.first + k) * page_size
                                                : m_.memory.page_address(p.pages[static_cast<std::size_t>(k)]);
    }

private:
    [[nodiscard]] space& pages_of(std::uint32_t id) {
        auto const found = segments_.find(id);
        if (found == segments_.end()) {
            throw std::invalid_argument("vidmm: there is no memory segment of this id");
        }
        return found->second;
    }

    // The larger pages that memory can be mapped in, where it lies well: rising, in 4-KiB pages.
    void larger_pages_of(vidmm_page_tables const& tables) {
        if (tables.system_64k_pages) {
            in_system_.push_back(16);
        }
        std::uint64_t pages = 1;
        for (vidmm_page_level const& level : tables.levels) {
            if (level.large_pages) {
                in_segments_.push_back(pages);
                if (tables.system_large_pages) {
                    in_system_.push_back(pages);
                }
            }
            pages <<= level.index_bits;
        }
    }

    [[nodiscard]] static std::uint64_t larger_page(std::vector<std::uint64_t> const& of, std::uint64_t count) {
        std::uint64_t largest = 0;
        for (std::uint64_t const pages : of) {
            largest = pages <= count ? pages : largest;
        }
        return largest;
    }

    // System memory side by side, from a page number on that is a multiple of `alignment` where it can be had.
    [[nodiscard]] std::optional<placement> in_one_run(std::uint64_t count, std::uint64_t alignment) {
        auto first = ram_.take_run(count, alignment, m_.random);
        if (!first) {
            return in_pieces(count, 1);
        }
        placement p{placement::kind::system, {}, 0, 0, count};
        for (std::uint64_t k = 0; k < count; ++k) {
            p.pages.push_back(m_.memory.frame(*first + k));
        }
        return p;
    }

    // System memory in whole pages of the GPU, wherever each of them is; the last may have room left, which is
    // nobody's because all others begin with such a page too.
    [[nodiscard]] std::optional<placement> in_gpu_pages(std::uint64_t count) { return in_pieces(count, gpu_page_); }

    [[nodiscard]] std::optional<placement> in_pieces(std::uint64_t count, std::uint64_t unit) {
        placement p{placement::kind::system, {}, 0, 0, count};
        while (p.pages.size() < count) {
            std::uint64_t const n = std::min<std::uint64_t>(unit, count - p.pages.size());
            auto const first = ram_.take_run(n, unit, m_.random);
            if (!first) {
                for (std::uint64_t const number : p.pages) {
                    ram_.give_back(m_.memory.index_of(number), 1);
                }
                return std::nullopt;
            }
            for (std::uint64_t k = 0; k < n; ++k) {
                p.pages.push_back(m_.memory.frame(*first + k));
            }
        }
        return p;
    }

    machine& m_;
    space ram_;
    space aperture_;
    std::map<std::uint32_t, space> segments_;
    std::uint64_t dummy_ = 0;
    std::uint64_t alignment_ = 1;
    std::uint64_t gpu_page_ = 1;
    std::vector<std::uint64_t> in_segments_;
    std::vector<std::uint64_t> in_system_;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intervals.hpp"
#include "model.hpp"

#include <array>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// What the engine reaches, and a record of what it touched.
///
/// Physical addressing: memory segments at their bases, the aperture through the hardware's own entries, system pages
/// at system_base. Virtual addressing: only what the paging process has mapped; where the hardware has page tables of
/// its own, the same as with physical addressing, and the mappings only tell what the addresses mean.
class recording_bus final : public gpu_bus {
public:
    recording_bus(memory_model& memory, vidmm_options const& o) : memory_(memory), virtual_(memory.actual()) {
        is_virtual_ = o.addressing == vidmm_addressing::gpu_virtual;
        walks_itself_ = o.page_tables.used();
        page_of_ = o.page_of;
        for (vidmm_segment const& s : o.segments) {
            if (s.aperture) {
                aperture_ = s;
            }
        }
    }

    /// Where an address of the commands has to lead, if anywhere.
    [[nodiscard]] std::optional<std::uint64_t> translate(std::uint64_t address) {
        return is_virtual_ ? virtual_.translate(address) : reached(address);
    }

    /// Where an address on the bus leads, if anywhere.
    [[nodiscard]] std::optional<std::uint64_t> reached(std::uint64_t address) {
        if (is_virtual_ && !walks_itself_) {
            return virtual_.translate(address);
        }
        if (aperture_.size != 0 && address >= aperture_.base && address - aperture_.base < aperture_.size) {
            std::uint64_t const number = page_of_((address - aperture_.base) / page_size);
            if (!memory_.is_page(number)) {
                return std::nullopt;
            }
            return memory_.page_address(number) + address % page_size;
        }
        return address;
    }

    void map(std::uint64_t va, std::uint64_t to) { static_cast<void>(virtual_.map(va, page_size, to)); }
    void unmap(std::uint64_t va, std::uint64_t size) { static_cast<void>(virtual_.unmap(va, size)); }

    [[nodiscard]] bool read(std::uint64_t address, void* to, std::size_t size) override {
        auto* out = static_cast<std::byte*>(to);
        return all_backed(address, size, false) && each(address, size, [&](std::byte* data, std::size_t n) {
                   std::memmove(out, data, n);
                   out += n;
               });
    }

    [[nodiscard]] bool write(std::uint64_t address, void const* from, std::size_t size) override {
        auto const* in = static_cast<std::byte const*>(from);
        return all_backed(address, size, true) && each(address, size, [&](std::byte* data, std::size_t n) {
                   std::memmove(data, in, n);
                   in += n;
               });
    }

    [[nodiscard]] piece at(std::uint64_t address, std::size_t size) override {
        target const t = resolve(address, size);
        if (t.data == nullptr) {
            fail(address, size, "use");
            return {nullptr, 0};
        }
        note(t.address, t.size);
        return {t.data, t.size};
    }

    /// Everything touched since `begin_window`.
    [[nodiscard]] intervals const& touched() const { return touched_; }

    /// The first access that found nothing, since `begin_window`.
    struct failure {
        std::uint64_t address;
        std::uint64_t size;
        char const* verb;
    };
    [[nodiscard]] std::optional<failure> const& failed() const { return failed_; }

    /// The hardware found no translation for an access.
    void page_fault(std::uint64_t va) { fail(va, 1, "page fault"); }

    /// From now on accesses belong to a window.
    void begin_window() {
        touched_.clear();
        failed_.reset();
        open_ = true;
    }
    void end_window() { open_ = false; }

    /// Whether somebody used the bus while no window was executed, since the last question.
    [[nodiscard]] std::optional<std::uint64_t> stray_access() { return std::exchange(stray_, std::nullopt); }

private:
    struct target {
        std::byte* data = nullptr;
        std::size_t size = 0;
        std::uint64_t address = 0;
    };

    [[nodiscard]] target resolve(std::uint64_t address, std::size_t size) {
        if (size == 0) {
            return {};
        }
        auto const first = reached(address);
        if (!first) {
            return {};
        }
        std::uint64_t reach = size;
        if (*first != address ||
            (is_virtual_ && !walks_itself_)) {  // page by page, as far as the pages follow each other
            reach = page_size - address % page_size;
            while (reach < size) {
                auto const next = reached(address + reach);
                if (!next || *next != *first + reach) {
                    break;
                }
                reach += page_size;
            }
            reach = std::min<std::uint64_t>(reach, size);
        } else if (aperture_.size != 0 && address < aperture_.base) {
            reach = std::min<std::uint64_t>(reach, aperture_.base - address);
        }
        if (vidmm_segment const* const s = memory_.segment_at(*first); s != nullptr && s->hollow) {
            std::uint64_t const offset = *first % hollow_.size();
            std::uint64_t const left = std::min(s->size - (*first - s->base), hollow_.size() - offset);
            return {hollow_.data() + offset, static_cast<std::size_t>(std::min(left, reach)), *first};
        }
        std::span<std::byte> const found = memory_.is(*first, reach);
        return {found.data(), found.size(), *first};
    }

    [[nodiscard]] bool all_backed(std::uint64_t address, std::size_t size, bool writes) {
        for (std::uint64_t done = 0; done < size;) {
            target const t = resolve(address + done, static_cast<std::size_t>(size - done));
            if (t.data == nullptr) {
                fail(address + done, size - done, writes ? "write" : "read");
                return false;
            }
            done += t.size;
        }
        return true;
    }

    template <class Use>
    bool each(std::uint64_t address, std::size_t size, Use const& use) {
        while (size != 0) {
            target const t = resolve(address, size);
            note(t.address, t.size);
            use(t.data, t.size);
            address += t.size;
            size -= t.size;
        }
        return true;
    }

    void note(std::uint64_t address, std::uint64_t size) {
        if (open_) {
            touched_.add(address, address + size);
        } else if (!stray_) {
            stray_ = address;
        }
    }

    void fail(std::uint64_t address, std::uint64_t size, char const* verb) {
        if (open_ && !failed_) {
            failed_ = failure{address, size, verb};
        }
    }

    memory_model& memory_;
    gpu_memory virtual_;
    bool is_virtual_ = false;
    bool walks_itself_ = false;
    vidmm_segment aperture_;
    std::function<std::uint64_t(std::uint64_t)> page_of_;
    std::array<std::byte, 1 << 16> hollow_{};
    intervals touched_;
    std::optional<failure> failed_;
    std::optional<std::uint64_t> stray_;
    bool open_ = false;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "effect.hpp"
#include "recorder.hpp"

#include <wddmcore/paging.hpp>

/// The recording hardware with a page window of any size, and the machine that executes its stream: it knows of each
/// slot what a command wrote, whether copies see it already, and whether one may still use it.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr u64 window_space = 2;
inline constexpr u64 window_start = 0x7'0000'0000;

inline constexpr u32 window_head_mark = 0xB1D0'0000;
inline constexpr u32 window_flush_mark = 0xF1A5'0000;
inline constexpr u32 window_wait_mark = 0x3A17'0000;

/// The numbers of a window.
struct window_shape {
    u32 slots = 64;
    u32 write_max = 1024;
    u64 entry_bytes = 8;
    u32 shift = 12;
    u32 flush = 3;  ///< dwords
    u32 wait = 2;   ///< dwords
};

template <engine_shape const& Shape, window_shape const& Window>
struct window_gpu : recorder<Shape> {
    static constexpr window_shape const& window = Window;
    static constexpr u32 window_slots = Window.slots;
    static constexpr bytes window_entry_bytes{Window.entry_bytes};
    static constexpr u32 window_page_shift = Window.shift;
    static constexpr u32 window_write_max = Window.write_max;
    static constexpr dwords window_head_dwords{3};
    static constexpr dwords window_flush_dwords{Window.flush};
    static constexpr dwords window_wait_dwords{Window.wait};
    static constexpr u64 entry_bits = 5;

    [[nodiscard]] static constexpr recorded_address window_address() noexcept { return {window_start, window_space}; }
    [[nodiscard]] static constexpr u64 window_entry_bits() noexcept { return entry_bits; }
    static constexpr void encode_window_head(u32* at, u32 slot, u32 count) noexcept {
        at[0] = window_head_mark;
        at[1] = slot;
        at[2] = count;
    }
    static constexpr void encode_window_flush(u32* at, u32 slot, u32 count) noexcept {
        promise(Window.flush != 0);
        u32 const words[] = {window_flush_mark | Window.flush, slot, count};
        for (u32 i = 0; i != Window.flush; ++i) {
            at[i] = words[i < 3 ? i : 2];
        }
    }
    static constexpr void encode_window_wait(u32* at) noexcept {
        promise(Window.wait != 0);
        for (u32 i = 0; i != Window.wait; ++i) {
            at[i] = window_wait_mark | Window.wait;
        }
    }
};

template <class Hw>
[[nodiscard]] constexpr Hw window_gpu_with_segments() {
    Hw hw{};
    auto const plain = recorder_with_segments<Hw::shape>();
    for (u32 id = 0; id != recorder_segments; ++id) {
        hw.places[id] = plain.places[id];
        hw.apertures[id] = plain.apertures[id];
    }
    return hw;
}

/// Executes streams of a window_gpu. Flushes are of 3 dwords or none.
template <class Hw>
class window_machine {
public:
    std::vector<effect_piece> effect;  ///< of everything executed; a copy through the window page by page
    u64 chunks = 0;                    ///< writes of entries
    u64 waits = 0;
    u64 copies = 0;

    /// Other work ran: what the window holds is gone, and every slot may be in use (PGB-07, PGB-20).
    void forget() {
        for (slot_state& slot : slots_) {
            slot = {~u64{0}, false, true};
        }
    }

    /// Executes one pass. @return an empty string, or what is wrong
    [[nodiscard]] std::string run(u32 const* words, u64 count) {
        u64 at = 0;
        while (at < count) {
            u64 const length = execute(words + at, count - at);
            if (!problem_.empty()) {
                return "dword " + std::to_string(at) + ": " + problem_;
            }
            if (length == 0) {
                break;
            }
            at += length;
        }
        u64 const padding = count - at;
        for (u64 i = 0; i != padding; ++i) {
            if (words[at + i] != (padding_head | static_cast<u32>(padding) << 8 | static_cast<u32>(i))) {
                return "dword " + std::to_string(at + i) + ": neither a command nor padding";
            }
        }
        return padding < Hw::shape.grain && count % Hw::shape.grain == 0 ? "" : "PGB-03: the padding is wrong";
    }

private:
    struct slot_state {
        u64 page;
        bool seen;    // copies translate it as it is now
        bool in_use;  // a copy may be under way through it
    };

    u64 execute(u32 const* words, u64 left) {
        if (words[0] == window_head_mark) {
            return write_entries(words, left);
        }
        if (Hw::window.flush == 3 && words[0] == (window_flush_mark | 3)) {
            for (u64 slot = words[1]; slot != u64{words[1]} + words[2] && slot < slots_.size(); ++slot) {
                slots_[slot].seen = true;
            }
            return 3;
        }
        if (Hw::window.wait != 0 && words[0] == (window_wait_mark | Hw::window.wait)) {
            for (slot_state& slot : slots_) {
                slot.in_use = false;
            }
            ++waits;
            return Hw::window.wait;
        }
        if ((words[0] & 0xFFFF'FF00) == (record_head | static_cast<u32>(record_kind::copy) << 8)) {
            copy(decode_record(words));
            return Hw::copy_dwords.n;
        }
        return 0;
    }

    u64 write_entries(u32 const* words, u64 left) {
        u64 const first = words[1];
        u64 const count = words[2];
        u64 const each = Hw::window.entry_bytes / 4;
        ++chunks;
        if (count == 0 || count > Hw::window.write_max || first + count > slots_.size() || 3 + count * each > left) {
            problem_ = "a write that the window does not take";
            return 0;
        }
        for (u64 i = 0; i != count; ++i) {
            u64 const entry = words[3 + i * each] | (each == 2 ? u64{words[4 + i * each]} << 32 : 0);
            slot_state& slot = slots_[first + i];
            if (slot.in_use && Hw::window.wait != 0) {
                problem_ = "PGB-20: a slot is written while a copy may use it";
            }
            if ((entry & 7) != Hw::entry_bits) {
                problem_ = "an entry without its bits";
            }
            slot.page = entry >> Hw::window.shift;
            slot.seen = Hw::window.flush == 0;
        }
        return 3 + count * each;
    }

    void copy(recorded_command const& one) {
        ++copies;
        if (one.size == 0 || one.size > Hw::shape.copy_max) {
            problem_ = "OP08-06: a copy of " + std::to_string(one.size) + " bytes";
            return;
        }
        for (u64 done = 0; done < one.size;) {
            u64 const length = lesser<u64>(one.size - done, page_bytes);
            bool const pages_move = one.source.space == window_space || one.destination.space == window_space;
            u64 const part = pages_move ? length : one.size;
            effect.push_back(moved(through(one.destination, done), through(one.source, done), part));
            done += part;
        }
    }

    recorded_address through(recorded_address place, u64 done) {
        if (place.space != window_space) {
            return place + bytes{done};
        }
        u64 const slot = (place.n - window_start + done) / page_bytes;
        if ((place.n - window_start) % page_bytes != 0 || slot >= slots_.size() || !slots_[slot].seen ||
            slots_[slot].page == ~u64{0}) {
            problem_ = "a copy through a slot that it does not see";
            return {};
        }
        slots_[slot].in_use = true;
        return {slots_[slot].page * page_bytes, system_space};
    }

    std::vector<slot_state> slots_ = std::vector<slot_state>(Hw::window_slots, slot_state{~u64{0}, false, true});
    std::string problem_;
};

}  // namespace wddmcore::testing

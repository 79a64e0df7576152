// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/ntstatus.hpp"
#include "../../hw/defaults.hpp"
#include "../../paging/smallest_paging_buffer.hpp"
#include "memory.hpp"
#include "samples/places.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// What one request came to.
struct driven {
    bool done = false;  ///< every pass was right, and the last one said success
    std::uint64_t moved_bytes = 0;
    std::uint64_t passes = 0;
};

/// Carries one request out: pass after pass, as the system would, in buffers of random place and room, each window
/// executed at once. What every pass must keep is judged here.
template <class Hw, class Args, class Build>
class pass_driver {
    static_assert(std::is_trivially_copyable_v<Args>, "the arguments are copied and compared byte by byte");

public:
    pass_driver(Hw& hw, law_memory const& memory, law_options const& options, law_report& report,
                random_numbers& random, Build const& build)
        : hw_(hw), memory_(memory), options_(options), report_(report), random_(random), build_(build) {}

    /// @param request  everything but the buffer, the private data and the token
    /// @param what     names the request in sentences
    [[nodiscard]] driven drive(Args const& request, std::string const& what) {
        driven total;
        u32 token = 0;
        for (;;) {
            pass_result const pass = one_pass(request, what, token);
            if (!pass.right) {
                return total;
            }
            ++total.passes;
            if (!execute(pass, what, total)) {
                return total;
            }
            if (pass.status == status::success) {
                total.done = true;
                return total;
            }
            bool const advances = report_.judge(law::passes_advance, pass.token > token, [&] {
                return say(what, ": a fresh buffer of ", pass.room_bytes, " bytes, and the token stays at ", token,
                           " after ", pass.token);
            });
            if (!advances) {
                return total;
            }
            token = pass.token;
        }
    }

    /// Carries a request out without any buffer (OBS-02).
    [[nodiscard]] bool drive_without_buffer(Args const& request, std::string const& what) {
        Args args = request;
        args.pDmaBuffer = nullptr;
        args.DmaSize = 0;
        args.MultipassOffset = 0;
        ntstatus const status = build_(hw_, args);
        return report_.judge(law::legal_statuses, status == status::success, [&] {
            return say(what, ", without a buffer, is answered ", as_hex{static_cast<u32>(status)});
        });
    }

private:
    static constexpr std::size_t record_size = hw::record_bytes_of<Hw>().n;
    static constexpr std::size_t private_guard = 64;

    struct pass_result {
        bool right = false;
        ntstatus status = 0;
        u32 token = 0;
        u32 room_bytes = 0;
        std::vector<u32> window;
    };

    /// A buffer and what a build made of it.
    struct trial {
        std::vector<u32> memory;
        std::vector<u8> private_data;
        Args args;
        ntstatus status = 0;
        std::ptrdiff_t written = 0;  ///< dwords that pDmaBuffer moved on
    };

    [[nodiscard]] trial build_on(bool inverted, Args const& request, u32 token, std::size_t lead, u32 room_bytes) {
        trial t;
        t.memory.resize(lead + room_bytes / 4 + guard_words);
        t.private_data.assign(record_size + private_guard, inverted ? 0xA5 : 0x5A);
        std::memcpy(&t.args, &request, sizeof request);  // padding too, since it is compared
        for (std::size_t i = 0; i < t.memory.size(); ++i) {
            t.memory[i] = background(i, inverted);
        }
        u32* const place = t.memory.data() + lead;
        t.args.pDmaBuffer = place;
        t.args.DmaSize = room_bytes;
        t.args.pDmaBufferPrivateData = t.private_data.data();
        t.args.DmaBufferPrivateDataSize = static_cast<u32>(record_size);
        t.args.MultipassOffset = token;
        if (options_.stream_begins) {
            options_.stream_begins(place);
        }
        t.status = build_(hw_, t.args);
        t.written = static_cast<u32*>(t.args.pDmaBuffer) - place;
        return t;
    }

    [[nodiscard]] pass_result one_pass(Args const& request, std::string const& what, u32 token) {
        auto const smallest = static_cast<u32>(smallest_paging_buffer<Hw>.n);
        // Mostly little room, so that there are many passes; sizes that are no multiple of a dword may come too.
        u32 const more =
            random_.chance(40) ? static_cast<u32>(random_.below(8)) : static_cast<u32>(random_.below(smallest * 4));
        u32 const room_bytes = smallest + (random_.chance(10) ? static_cast<u32>(random_.below(0x1'0000)) : more);
        std::size_t const lead = guard_words + random_.below(32);  // packed after something, at any dword (PGB-03)
        trial const one = build_on(false, request, token, lead, room_bytes);
        trial const other = build_on(true, request, token, lead, room_bytes);

        pass_result result{.right = true,
                           .status = one.status,
                           .token = static_cast<u32>(one.args.MultipassOffset),
                           .room_bytes = room_bytes,
                           .window = {}};
        bool const legal = one.status == status::success || one.status == status::graphics_insufficient_dma_buffer;
        result.right &= report_.judge(law::legal_statuses, legal, [&] {
            return say(what, " at token ", token, " is answered ", as_hex{static_cast<u32>(one.status)});
        });
        result.right &=
            judge_room(one, what, lead, room_bytes, false) && judge_room(other, what, lead, room_bytes, true);
        result.right &= judge_inputs(request, one, what, room_bytes, token);
        result.right &= judge_grain(one, what);
        if (result.right) {
            result.right &= judge_private_data(one, what);
            judge_same(one, other, what, lead);
            auto const first = one.memory.begin() + static_cast<std::ptrdiff_t>(lead);
            result.window.assign(first, first + one.written);
        }
        return result;
    }

    [[nodiscard]] bool judge_room(trial const& t, std::string const& what, std::size_t lead, u32 room_bytes,
                                  bool inverted) {
        std::size_t const room = room_bytes / 4;
        bool const inside = t.written >= 0 && static_cast<std::size_t>(t.written) <= room;
        bool kept = report_.judge(law::room_is_kept, inside, [&] {
            return say(what, ": pDmaBuffer moves ", t.written * 4, " bytes in a room of ", room_bytes);
        });
        for (std::size_t i = 0; i < t.memory.size() && kept; ++i) {
            if (i == lead) {
                i += room;
            }
            if (i < t.memory.size() && t.memory[i] != background(i, inverted)) {
                kept = report_.judge(law::room_is_kept, false, [&] {
                    return say(what, ": dword ", static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(lead),
                               " changes, and the room has ", room_bytes, " bytes");
                });
            }
        }
        return kept;
    }

    [[nodiscard]] bool judge_inputs(Args const& request, trial const& t, std::string const& what, u32 room_bytes,
                                    u32 token) {
        Args before;
        Args after;
        std::memcpy(&before, &request, sizeof before);
        std::memcpy(&after, &t.args, sizeof after);
        u32 const left = room_bytes - static_cast<u32>(t.written * 4);
        bool const size_right = after.DmaSize == (hw::decrements_dma_size<Hw> ? left : room_bytes);
        before.pDmaBuffer = after.pDmaBuffer = nullptr;
        before.DmaSize = after.DmaSize = 0;
        before.pDmaBufferPrivateData = after.pDmaBufferPrivateData = nullptr;
        before.DmaBufferPrivateDataSize = after.DmaBufferPrivateDataSize = 0;
        before.MultipassOffset = after.MultipassOffset = 0;
        bool const same = std::memcmp(&before, &after, sizeof before) == 0;
        return report_.judge(law::inputs_stay, size_right && same, [&] {
            return say(what, " at token ", token, same ? ": " : " changes an input; ", "DmaSize of ", room_bytes,
                       " becomes ", t.args.DmaSize, " when ", t.written * 4, " bytes are written");
        });
    }

    [[nodiscard]] bool judge_grain(trial const& t, std::string const& what) {
        constexpr std::ptrdiff_t grain = paging::detail::grain_dwords<Hw>();
        return report_.judge(law::whole_grains, t.written % grain == 0,
                             [&] { return say(what, ": a pass of ", t.written, " dwords, and the grain is ", grain); });
    }

    [[nodiscard]] bool judge_private_data(trial const& t, std::string const& what) {
        std::size_t const due = t.written != 0 ? record_size : 0;
        bool const moved = static_cast<u8 const*>(t.args.pDmaBufferPrivateData) == t.private_data.data() + due;
        bool const clean = std::all_of(t.private_data.begin() + static_cast<std::ptrdiff_t>(due), t.private_data.end(),
                                       [](u8 b) { return b == 0x5A; });
        return report_.judge(law::honest_records, moved && clean, [&] {
            return say(what, ": a pass of ", t.written, " dwords takes ", due, " bytes of private data, but ",
                       moved ? "changes others" : "moves the pointer elsewhere");
        });
    }

    void judge_same(trial const& one, trial const& other, std::string const& what, std::size_t lead) {
        auto const first = static_cast<std::ptrdiff_t>(lead);
        bool const same = one.status == other.status && one.written == other.written &&
                          one.args.MultipassOffset == other.args.MultipassOffset &&
                          std::equal(one.memory.begin() + first, one.memory.begin() + first + one.written,
                                     other.memory.begin() + first);
        report_.judge(law::same_in_any_buffer, same,
                      [&] { return say(what, ": another content of the buffer, another pass"); });
    }

    [[nodiscard]] bool execute(pass_result const& pass, std::string const& what, driven& total) {
        if (pass.window.empty()) {
            return true;
        }
        execution const run = memory_.executor->execute(pass.window.data(), pass.window.size(), *memory_.bus);
        total.moved_bytes += run.moved_bytes;
        return report_.judge(law::commands_execute, run.ok && (run.commands != 0 || run.interrupts != 0), [&] {
            return say(what, ", dword ", run.dword, " of ", pass.window.size(), ": ",
                       run.ok ? "a window without commands" : run.why);
        });
    }

    Hw& hw_;
    law_memory const& memory_;
    law_options const& options_;
    law_report& report_;
    random_numbers& random_;
    Build const& build_;
};

}  // namespace wddmcore::testing::law_parts

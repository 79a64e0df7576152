// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/engine/engine.hpp"
#include "wddmcore/preemption/records/flip.hpp"
#include "wddmcore/preemption/records/notify_in_order.hpp"

#include <initializer_list>
#include <random>
#include <vector>

namespace flip_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr primary_address front{{1}, {0x10'0000}};
constexpr primary_address back{{1}, {0x20'0000}};
constexpr primary_address third{{2}, {0x8000'0000}};
constexpr primary_address null{{1}, {0}};

// The members that flip_of() reads, with the widths of the DDI.
struct source_address_twin {
    u32 VidPnSourceId;
    u32 PrimarySegment;
    mirror::vista::large_integer PrimaryAddress;
    struct {
        u32 Value;
    } Flags;
};

constexpr flip_request request(u32 flags) {
    source_address_twin args{};
    args.PrimarySegment = 2;
    args.PrimaryAddress.QuadPart = 0x8000'0000;
    args.Flags.Value = flags;
    return flip_of(args);
}

// Two flips of which the first has latched when the second is programmed.
constexpr pending_flip one_shown_one_pending() {
    pending_flip source;
    static_cast<void>(source.programmed(front, false));
    source.vsync(true);
    static_cast<void>(source.programmed(back, false));
    return source;
}

constexpr bool shows(pending_flip const& source, primary_address expected) {
    return source.reports() && source.scanned_out() == expected;
}

constexpr pending_flip with_vsync(pending_flip source, bool latched) {
    source.vsync(latched);
    return source;
}

}  // namespace

TEST_CASE("FLP-02: a flip by registers writes nothing in the present call, where it has no DMA buffer") {
    constexpr u32 buffer = 0;
    expect_both(work_of_present(true, true, nullptr).get() == present_work::nothing);
    expect_both(work_of_present(true, false, &buffer).get() == present_work::write_commands);
    expect_both(work_of_present(false, true, &buffer).get() == present_work::write_commands);
    expect_both(work_of_present(true, true, &buffer).error == errc::inconsistent);
    expect_both(work_of_present(false, true, nullptr).error == errc::missing);
    expect_both(work_of_present(true, false, nullptr).error == errc::missing);
}

TEST_CASE("FLP-04: the address of the call is one in the named segment, and the flags tell the time") {
    expect_both(request(0) == flip_request{third, flip_timing::at_next_vsync, false});
    // Bits of DXGK_SETVIDPNSOURCEADDRESS_FLAGS: ModeChange 0, FlipImmediate 1, FlipOnNextVSync 2.
    expect_both(request(1u << 0) == flip_request{third, flip_timing::at_next_vsync, true});
    expect_both(request(1u << 1) == flip_request{third, flip_timing::immediately, false});
    expect_both(request(1u << 2) == flip_request{third, flip_timing::at_next_vsync, false});
}

TEST_CASE("FLP-04: a vsync reports the address that has latched, not the one that was programmed") {
    expect_both(shows(one_shown_one_pending(), front));
    expect_both(one_shown_one_pending().pending());
    expect_both(shows(with_vsync(one_shown_one_pending(), false), front));
    expect_both(with_vsync(one_shown_one_pending(), false).pending());
    expect_both(shows(with_vsync(one_shown_one_pending(), true), back));
    expect_both(!with_vsync(one_shown_one_pending(), true).pending());
    // The newest flip replaces one that has not latched.
    pending_flip source = one_shown_one_pending();
    CHECK(source.programmed(third, false) == errc::none);
    source.vsync(true);
    CHECK(shows(source, third));
}

constexpr pending_flip latched_before_the_next() {
    pending_flip source = one_shown_one_pending();
    static_cast<void>(source.programmed(third, true));
    source.vsync(false);
    return source;
}

TEST_CASE("FLP-04: a flip that latched before the next was programmed is reported, though its interrupt came later") {
    expect_both(shows(latched_before_the_next(), back));
    expect_both(latched_before_the_next().pending());
    expect_both(shows(with_vsync(latched_before_the_next(), true), third));
}

TEST_CASE("FLP-05: the address of a vsync is never NULL, also before the first flip and while the source is blanked") {
    expect_both(!pending_flip{}.reports());
    pending_flip source;
    source.vsync(true);
    CHECK(!source.reports());
    CHECK(source.programmed(null, false) == errc::missing);
    source.vsync(true);
    CHECK(!source.reports());
    CHECK(source.programmed(front, false) == errc::none);
    CHECK(!source.reports());
    source.vsync(true);
    CHECK(shows(source, front));
    // Blanked: the display goes on ticking without a flip; a NULL address changes nothing.
    CHECK(source.programmed(null, false) == errc::missing);
    for (u32 tick = 0; tick != 10; ++tick) {
        source.vsync(tick % 2 == 0);
        CHECK(shows(source, front));
    }
}

TEST_CASE("FLP-05 INT-02: a vsync is notified after the DMA records, and the DPC follows") {
    using data = mirror::win8::dxgkargcb_notify_interrupt_data;
    pending_flip const source = with_vsync(one_shown_one_pending(), true);
    std::vector<u32> order;
    data scratch{};
    report ids{};
    ids.completed = {7};
    auto const notify = [&](data const& record) {
        order.push_back(record.InterruptType);
        if (record.InterruptType == 3) {
            CHECK(record.CrtcVsync.VidPnTargetId == 5u);
            CHECK(record.CrtcVsync.PhysicalAddress.QuadPart == 0x20'0000);
            CHECK(record.CrtcVsync.PhysicalAdapterMask == 0u);
            CHECK(record.Flags.Value == 0u);
        }
    };
    bool shows_anything = true;
    auto const vsync = [&](auto& tell) {
        fill_vsync(scratch, 5, source.scanned_out().address.n, 0);
        if (shows_anything) {
            tell(scratch);
        }
        return shows_anything;
    };
    auto const queue_dpc = [&] { order.push_back(99); };
    auto const tell = [&](actions demanded) {
        order.clear();
        return notify_in_order(demanded, ids, {0, 0}, {}, scratch, notify, queue_dpc, vsync);
    };
    CHECK(tell(only(action::completed)));
    CHECK(order == std::vector<u32>{1, 3, 99});
    CHECK(tell(actions{}));
    CHECK(order == std::vector<u32>{3, 99});
    shows_anything = false;
    CHECK(!tell(actions{}));
    CHECK(order.empty());
    CHECK(tell(only(action::completed)));
    CHECK(order == std::vector<u32>{1, 99});
    // In a link the mask of physical adapters is valid.
    fill_vsync(scratch, 5, 0x1000, 0b10);
    CHECK(scratch.CrtcVsync.PhysicalAdapterMask == 2u);
    CHECK((scratch.Flags.ValidPhysicalAdapterMask == 1u));
}

TEST_CASE("FLP-06: in clone view the first monitor flips at its vsync, the others at once") {
    expect_both(timing_in_clone_view(flip_timing::at_next_vsync, 0) == flip_timing::at_next_vsync);
    expect_both(timing_in_clone_view(flip_timing::at_next_vsync, 1) == flip_timing::immediately);
    expect_both(timing_in_clone_view(flip_timing::at_next_vsync, 7) == flip_timing::immediately);
    expect_both(timing_in_clone_view(flip_timing::immediately, 0) == flip_timing::immediately);
}

TEST_CASE("FLP-01 FLP-04: a preemption and an engine reset leave a pending flip alone") {
    // The two machines share nothing; what a driver does with both is interleaved here in every order of six steps.
    for (u32 order = 0; order != 64; ++order) {
        engine<8> gpu;
        gpu.start({stopping::between_buffers, false});
        pending_flip source = one_shown_one_pending();
        for (u32 step = 0; step != 6; ++step) {
            if ((order >> step & 1) != 0) {
                source.vsync(false);
                continue;
            }
            switch (step) {
                case 0: static_cast<void>(gpu.submit({{1}, 0, {0, 4}, 0})); break;
                case 1: static_cast<void>(gpu.next()); break;
                case 2: static_cast<void>(gpu.preempt({2})); break;
                case 3: static_cast<void>(gpu.stopped(gpu.report().asked, {0}, false)); break;
                case 4: static_cast<void>(gpu.engine_reset(executing::nothing())); break;
                default: gpu.adapter_reset(); break;
            }
            CHECK(source.pending());
            CHECK(shows(source, front));
        }
        source.vsync(true);
        CHECK(shows(source, back));
    }
}

TEST_CASE("FLP-04 FLP-05: random flips and vsyncs against a display that keeps every address") {
    for (u32 seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        pending_flip source;
        u64 shown = 0;      // what the display scans out
        u64 register_ = 0;  // what it takes at the next vsync
        bool waits = false;
        for (u32 step = 0; step != 200; ++step) {
            bool const latches = waits && random() % 2 == 0;
            shown = latches ? register_ : shown;
            waits = waits && !latches;
            u64 const address = random() % 8 * 0x1000;
            if (random() % 2 != 0) {
                source.vsync(latches);
            } else if (source.programmed({{1}, {address}}, latches) == errc::none) {
                register_ = address;
                waits = true;
            } else {
                source.vsync(latches);
            }
            CHECK(source.reports() == (shown != 0));
            if (source.reports()) {
                CHECK(source.scanned_out().address.n == shown);
            }
        }
    }
}

}  // namespace flip_test

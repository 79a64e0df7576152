// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "player.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// Sends what Windows never sends, after everything else, and says what the driver did with it.
///
/// It is a second preempt request while one is outstanding (PRE-23, AMB-15): which of the two ids is reported? A rule
/// that is broken from here on does not count.
inline void probe(player& p) {
    parts::world& w = p.state();
    if (w.stopped || w.opt.stops_at == granularity::nowhere) {
        return;
    }
    report judged = w.out;
    std::size_t const allowed = std::exchange(w.opt.stop_after, std::size_t{0});
    std::uint32_t const context = p.create_context(0, 0);
    packet_order order;
    order.commands = 40;
    static_cast<void>(p.create_packets(context, {order}));
    p.submit(context);
    p.advance();
    p.preempt(0);
    parts::os_engine& e = w.os.front();
    std::string answer = "the first request was answered before a second could be sent";
    if (e.asked) {
        std::uint32_t const first = e.asked->fence;
        p.calls().preempt(e);
        std::uint32_t const second = e.asked ? e.asked->fence : first;
        std::vector<std::uint32_t> seen;
        w.watch_preempted = [&seen](std::uint32_t fence) { seen.push_back(fence); };
        for (int i = 0; i < 100; ++i) {
            p.advance();
        }
        w.watch_preempted = nullptr;
        bool const old = std::find(seen.begin(), seen.end(), first) != seen.end();
        bool const latest = std::find(seen.begin(), seen.end(), second) != seen.end();
        answer = old && latest ? "both ids are reported"
                 : latest      ? "the newest id is reported"
                 : old         ? "the older id is reported"
                               : "neither id is reported";
    }
    w.out = std::move(judged);
    w.opt.stop_after = allowed;
    w.out.probe("a second preempt request while one is outstanding (AMB-15)", answer);
}

}  // namespace wddmcore::testing::scheduler

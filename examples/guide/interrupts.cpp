// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <wddmcore/preemption.hpp>

#include <cstdio>

using namespace wddmcore;
using namespace wddmcore::preemption;

// region: print
void print(char const* event, actions todo) {
    constexpr char const* names[] = {"report completed", "report faulted", "report fault unknown",
                                     "report preempted", "keep half-run",  "ask hardware to stop",
                                     "disarm",           "hand over",      "full"};
    std::printf("%s", event);
    for (unsigned i = 0; i != 9; ++i) {
        if ((todo.bits >> i & 1) != 0) {
            std::printf("  [%s]", names[i]);
        }
    }
    std::printf("\n");
}
// end: print

int main() {
    // region: life
    engine<64> node;
    node.start({stopping::between_buffers, true});
    print("submit fence 100", node.submit({{100}, 0, {0, 4096}, 0}));
    serial const first = node.next().number;  // written to the ring; hardware will write this number as its fence
    print("submit fence 101", node.submit({{101}, 0, {0, 4096}, 0}));
    static_cast<void>(node.next());
    print("preempt request 102", node.preempt({102}));
    print("submit fence 103, held back", node.submit({{103}, 0, {0, 4096}, 0}));
    print("interrupt: first completed", node.completed(first));
    print("interrupt: stopped after it", node.stopped(node.report().asked, first, false));
    report const said = node.report();
    std::printf("  preempted record: request %u, last completed fence %u\n", said.preemption.n, said.last_completed.n);
    serial const third = node.next().number;  // in the DPC
    print("interrupt: a stale serial", node.completed(first));
    print("interrupt: the third completed", node.completed(third));
    std::printf("  current fence %u, events ignored %u\n", node.last_completed().n,
                static_cast<unsigned>(node.ignored()));
    // end: life
    return node.last_completed().n == 103 ? 0 : 1;
}

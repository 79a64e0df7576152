// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// preempt.*: the machine of an engine beside what a driver writes first (a queue behind a spin lock), what a patient
// hand writes, and the least that the same work can be. An item is an event, a packet or a cycle. Compare rows of one
// run, not runs.
//   bench_preempt --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true

#include <wddmcore/preemption.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>

#if defined(__linux__)
#    include <pthread.h>
#endif

namespace {

using namespace wddmcore;
using namespace wddmcore::preemption;

struct exchange_add {
    static u64 load(u64 const& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_ACQ_REL); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_ACQUIRE); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELEASE); }
};

void require(bool holds, char const* what) {
    if (!holds) {
        std::fprintf(stderr, "bench_preempt: %s\n", what);
        std::exit(1);
    }
}

/// Random rows of the transition table: twice an event, plus one if it leaves something to wait for.
std::array<unsigned char, 4096> const& random_events() {
    static auto const events = [] {
        std::array<unsigned char, 4096> made{};
        u64 random = 88172645463325252u;
        for (unsigned char& event : made) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            event = static_cast<unsigned char>(random % (2 * engine_events));
        }
        return made;
    }();
    return events;
}

// What one writes first: the table as nested switches.
engine_state obvious_next(engine_state from, unsigned row) {
    bool const left = (row & 1) != 0;
    using enum engine_state;
    switch (static_cast<engine_event>(row / 2)) {
        case engine_event::submitted: return left && from == idle ? busy : from;
        case engine_event::rejected: return from;
        case engine_event::preempt: return from == busy ? (left ? stopping : idle) : from;
        case engine_event::completed:
        case engine_event::faulted:
            switch (from) {
                case busy: return left ? busy : idle;
                case stopping: return left ? stopping : drained;
                default: return from;
            }
        case engine_event::stopped:
            switch (from) {
                case stopping:
                case drained: return left ? busy : idle;
                default: return from;
            }
        case engine_event::fatal_fault: return from == busy || from == stopping ? halted : from;
        case engine_event::engine_reset: return from == lost ? lost : idle;
        case engine_event::reset_failed: return from == lost ? lost : halted;
        case engine_event::adapter_reset: return lost;
        case engine_event::restarted: return from == lost ? (left ? busy : idle) : from;
    }
    return from;
}

void table_library(benchmark::State& state) {
    engine_state at = engine_state::idle;
    for (auto _ : state) {
        for (unsigned char const row : random_events()) {
            at = preemption::detail::next_state(at, u32{row});
        }
        benchmark::DoNotOptimize(at);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(random_events().size()));
}

void table_obvious(benchmark::State& state) {
    engine_state at = engine_state::idle;
    for (auto _ : state) {
        for (unsigned char const row : random_events()) {
            at = obvious_next(at, row);
        }
        benchmark::DoNotOptimize(at);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(random_events().size()));
}

// The same step on a word that others change as well: one compare-exchange each.
void table_interlocked(benchmark::State& state) {
    std::atomic<u64> word{0};
    for (auto _ : state) {
        for (unsigned char const row : random_events()) {
            u64 seen = word.load(std::memory_order_acquire);
            u64 wanted = 0;
            do {
                wanted =
                    (seen & ~u64{7}) + 8 +
                    static_cast<u64>(preemption::detail::next_state(static_cast<engine_state>(seen & 7), u32{row}));
            } while (!word.compare_exchange_weak(seen, wanted));
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(random_events().size()));
}

// What a driver writes first: a queue, a lock around it, ids searched.
class obvious_engine {
public:
    void submit(submission<> const& p) {
        lock();
        packets_.push_back(p);
        unlock();
    }
    u32 completed(u32 fence) {
        lock();
        u32 last = 0;
        while (!packets_.empty()) {
            last = packets_.front().fence.n;
            packets_.pop_front();
            if (last == fence) {
                break;
            }
        }
        unlock();
        return last;
    }

private:
    void lock() {
        while (held_.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() { held_.clear(std::memory_order_release); }

    std::atomic_flag held_ = ATOMIC_FLAG_INIT;
    std::deque<submission<>> packets_;
};

// The least: a packet into a ring, a place taken by one exchange-add; an id out of it.
struct least_engine {
    std::atomic<u64> word{0};
    submission<> slots[64];
    u32 last = 0;

    u32 submit(submission<> const& p) {
        u64 const place = word.fetch_add(1);  // what it gives is needed: where the packet is to stand
        slots[place % 64] = p;
        return static_cast<u32>(place);
    }
    u32 completed(u32 number) { return last = slots[number % 64].fence.n; }
};

template <class Policy>
void submit_complete(benchmark::State& state) {
    static engine<64, Policy> e;
    e.start({stopping::inside_a_buffer, true});
    u32 id = 0;
    for (auto _ : state) {
        actions const taken = e.submit({{++id}, 0, {0, 4096}, id});
        auto const packet = e.next();
        actions const done = e.completed(packet.number);
        benchmark::DoNotOptimize(taken);
        benchmark::DoNotOptimize(done);
    }
    require(e.last_completed() == fence_id{id}, "the machine has lost a packet");
    state.SetItemsProcessed(state.iterations());
}

void submit_complete_obvious(benchmark::State& state) {
    obvious_engine e;
    u32 id = 0;
    for (auto _ : state) {
        e.submit({{++id}, 0, {0, 4096}, id});
        benchmark::DoNotOptimize(e.completed(id));
    }
    state.SetItemsProcessed(state.iterations());
}

void submit_complete_least(benchmark::State& state) {
    static least_engine e;
    u32 id = 0;
    for (auto _ : state) {
        u32 const place = e.submit({{id}, 0, {0, 4096}, id});
        benchmark::DoNotOptimize(e.completed(place));
        ++id;
    }
    state.SetItemsProcessed(state.iterations());
}

/// What the submitting processor tells the interrupted one through hardware: the last serial that was written to it.
/// Nothing else is on its line.
struct doorbell {
    alignas(128) std::atomic<u32> rung{0};
    alignas(128) u32 seen = 0;  // by the completing processor, over all runs of a row
    u32 due = 0;                // what it has to have seen before an iteration ends
};

/// Two threads that wait for each other want a processor each.
void own_processor([[maybe_unused]] int index) {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(index), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#endif
}

constexpr bool before_or_at(u32 a, u32 b) { return static_cast<i32>(b - a) >= 0; }

/// Two processors at one engine: the first submits and rings, the second completes what was rung. An item is a packet.
template <class Submit, class Complete>
void contended(benchmark::State& state, doorbell& bell, Submit submit, Complete complete) {
    constexpr u32 share = 4096;
    own_processor(state.thread_index());
    for (auto _ : state) {
        if (state.thread_index() == 0) {
            for (u32 i = 0; i != share; ++i) {
                bell.rung.store(submit(), std::memory_order_release);
            }
        } else {
            for (bell.due += share; !before_or_at(bell.due, bell.seen);) {
                u32 const rung = bell.rung.load(std::memory_order_acquire);
                if (rung != bell.seen) {
                    complete(rung);
                    bell.seen = rung;
                }
            }
        }
    }
    if (state.thread_index() == 0) {
        state.SetItemsProcessed(state.iterations() * share);
    }
}

void contended_library(benchmark::State& state) {
    static engine<64, exchange_add> e;
    static doorbell bell;
    static bool const started = [] {
        e.start({stopping::inside_a_buffer, true});
        return true;
    }();
    benchmark::DoNotOptimize(started);
    contended(
        state, bell,
        [id = u32{0}]() mutable {
            ++id;
            while (e.submit({{id}, 0, {0, 4096}, id}).has(action::full)) {
            }
            return e.next().number.n;
        },
        [](u32 rung) { benchmark::DoNotOptimize(e.completed({rung})); });
}

/// The least that two processors have to tell each other: a packet, that it is there, and that it has gone.
void contended_least(benchmark::State& state) {
    struct least {
        alignas(128) std::atomic<u64> word{0};
        alignas(128) std::atomic<u32> gone{0};
        u32 last = 0;
        alignas(128) submission<> slots[64];
    };
    static least e;
    static doorbell bell;
    contended(
        state, bell,
        [id = u32{0}]() mutable {
            u64 const place = e.word.fetch_add(1) + 1;  // serials begin at 1
            while (static_cast<u32>(place) - e.gone.load(std::memory_order_acquire) > 64) {
            }
            e.slots[place % 64] = {{++id}, 0, {0, 4096}, id};
            return static_cast<u32>(place);
        },
        [](u32 rung) {
            e.last = e.slots[rung % 64].fence.n;
            e.gone.store(rung, std::memory_order_release);
        });
}

template <class Policy>
void cycle(benchmark::State& state) {
    static engine<64, Policy> e;
    e.start({stopping::inside_a_buffer, true});
    u32 id = 0;
    for (auto _ : state) {
        actions seen = e.submit({{++id}, 0, {0, 4096}, id});
        serial const first = e.next().number;
        seen = seen | e.preempt({~id});
        seen = seen | e.stopped(e.report().asked, {first.n - 1}, true);
        seen = seen | e.submit({{++id}, submit_flag::resubmission, {0, 4096}, id});
        seen = seen | e.completed(e.next().number);
        benchmark::DoNotOptimize(seen);
    }
    require(e.count() == 0 && e.ignored() == 0, "the machine has lost a packet");
    state.SetItemsProcessed(state.iterations());
}

}  // namespace

BENCHMARK(table_library)->Name("preempt.table/library");
BENCHMARK(table_obvious)->Name("preempt.table/obvious");
BENCHMARK(table_interlocked)->Name("preempt.table/cmpxchg");
BENCHMARK(submit_complete<exchange_add>)->Name("preempt.submit+complete/library exchange-add");
BENCHMARK(submit_complete<under_interrupt_lock>)->Name("preempt.submit+complete/library no interlock");
BENCHMARK(submit_complete_obvious)->Name("preempt.submit+complete/obvious");
BENCHMARK(submit_complete_least)->Name("preempt.submit+complete/limit");
BENCHMARK(contended_library)->Name("preempt.two_processors/library")->Threads(2)->UseRealTime();
BENCHMARK(contended_least)->Name("preempt.two_processors/limit")->Threads(2)->UseRealTime();
BENCHMARK(cycle<exchange_add>)->Name("preempt.cycle/library exchange-add");
BENCHMARK(cycle<under_interrupt_lock>)->Name("preempt.cycle/library no interlock");

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver_table.h"
#include "../image/loaded_driver.hpp"
#include "../scheduler_table.h"
#include "executive/owed.hpp"
#include "executive/registry_value.hpp"
#include "fiber.hpp"
#include "record.hpp"
#include "types.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <deque>
#    include <functional>
#    include <map>
#    include <memory>
#    include <random>
#    include <string>
#    include <unistd.h>
#    include <vector>

/// The part of the Windows kernel that a driver image calls: what every service shares.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

/// A thread of the driver, or the one that calls it.
struct thread {
    thread() = default;
    explicit thread(void (*begin)()) : stack(begin) {}

    fiber stack;
    std::string name = "the calling thread";
    void(WDDMCORE_DRIVER_CALL* routine)(void*) = nullptr;
    void* argument = nullptr;
    dispatcher* object = nullptr;  // a KTHREAD, of which a driver sees the header
    irql level = passive_level;
    std::vector<dispatcher*> waits;  // empty: it can run
    bool waits_for_all = false;
    std::uint64_t until = ~std::uint64_t{0};  // a wait's end
    bool ended = false;
    std::uint32_t critical_regions = 0;
    std::uint32_t guarded_regions = 0;
    bool idle = false;  // a worker of the system's that has nothing to do
};

/// A timer that was set.
struct timer {
    std::uint64_t due = 0;
    std::uint64_t period = 0;
    deferred_call* call = nullptr;
};

/// How a run of an image is made.
struct kernel_options {
    std::uint64_t seed = 1;
    std::uint32_t failures = 0;              ///< of 1,000 requests that may fail, how many do
    std::uint32_t mapping_failures = 0;      ///< of 1,000 mappings of memory, beside those
    bool switches = true;                    ///< another thread may run after any kernel call
    std::vector<registry_value> registry{};  ///< what every key shows
    bool watch_user_reads = false;           ///< memory of a process that is read twice in one call is told (AMB-68)
};

/// The state of the kernel. One a process.
class kernel_system {
public:
    kernel_system(kernel_record& to, kernel_options const& how) : record(to), options(how), dice(how.seed) {
        current_system() = this;
        threads.push_back(std::make_unique<thread>());
        running = threads.front().get();
        running->object = &main_object;
        main_object.type = thread_object;
    }
    kernel_system(kernel_system const&) = delete;
    kernel_system& operator=(kernel_system const&) = delete;

    [[nodiscard]] static kernel_system*& current_system() {
        static kernel_system* one = nullptr;
        return one;
    }

    std::uint64_t requests_failed = 0;
    bool has_failed(bool failed) {
        requests_failed += failed ? 1 : 0;
        return failed;
    }
    [[nodiscard]] std::uint64_t random(std::uint64_t below) { return dice() % below; }
    [[nodiscard]] bool fails() { return has_failed(random(1000) < options.failures); }
    /// The same of a mapping, which needs system addresses: those may be used up at any time.
    [[nodiscard]] bool mapping_fails(std::uint32_t share = 1) {
        return fails() ||
               (options.mapping_failures != 0 && has_failed(random(1000) < options.mapping_failures / share));
    }

    // What is wrong.

    /// Where the driver is: the call, the thread, the last service.
    [[nodiscard]] std::string place() const {
        std::string out = record.call[0] == '\0' ? "outside any call" : std::string("in ") + record.call;
        if (running != threads.front().get()) {
            out += ", in " + running->name;
        }
        if (image != nullptr && record.last_import < image->imports().size()) {
            out += ", last service " + image->imports()[record.last_import].name;
        }
        return out;
    }
    /// Something is wrong; it is told once.
    void find(char const* id, std::string const& sentence) {
        if (requests_failed != 0 && std::string_view(id) == crash_id::refused) {
            say(sentence + ", as it may after " + std::to_string(requests_failed) + " requests to the kernel failed");
            return;
        }
        if (!record.findings.has(id, sentence)) {
            record.findings.add(id, sentence.c_str(), place().c_str());
        }
    }
    /// A line of the report, as certify_parts::result reads it.
    void say(std::string line) {
        std::replace(line.begin(), line.end(), '\n', ' ');
        record.say("said " + line + '\n');
    }
    /// Windows would stop here.
    [[noreturn]] void stop(char const* id, std::string const& sentence) {
        find(id, sentence);
        ::_exit(3);
    }
    /// An address as an offset in the image, or in words.
    [[nodiscard]] std::string name_of(void const* address) const {
        char text[64];
        if (image != nullptr && image->holds(address)) {
            image_section const* const s = image->section_of(address);
            std::snprintf(text, sizeof text, "image+0x%x (%s", image->rva_of(address),
                          s != nullptr ? s->name.c_str() : "headers");
            std::string const function = image->function_at(address);
            return text + (function.empty() ? ")" : ", " + function + ")");
        }
        return "outside the image";
    }

    // Levels.

    [[nodiscard]] irql level() const { return running->level; }
    void set_level(irql to) {
        running->level = to;
        page_in(to < dispatch_level);
    }
    /// What is pageable is there, or gone: code and data of the image, and paged pool.
    void page_in(bool resident) {
        paged_out = !resident;
        if (image != nullptr) {
            image->page_in(resident);
        }
        if (on_paging) {
            on_paging(resident);
        }
    }
    /// Whether a fault was only because pages have not come back yet, after a call at DISPATCH_LEVEL: now they have.
    [[nodiscard]] bool paged_in_late() {
        if (!paged_out || level() >= dispatch_level) {
            return false;
        }
        page_in(true);
        return true;
    }
    /// The driver may call this at most at this level.
    void at_most(irql most, char const* what) {
        if (level() > most) {
            find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", std::string(what) + " is called at IRQL " +
                                                                std::to_string(level()) + "; " + std::to_string(most) +
                                                                " is the highest");
        }
    }

    // Time, in units of 100 ns.

    void advance(std::uint64_t by) {
        now += by;
        fire_timers();
    }
    void fire_timers() {
        for (auto it = timers.begin(); it != timers.end();) {
            if (it->second.due > now) {
                ++it;
                continue;
            }
            it->first->signalled = 1;
            timer const fired = it->second;
            if (fired.call != nullptr) {
                queue(*fired.call, nullptr, nullptr);
            }
            if (fired.period != 0) {
                it->second.due = std::max(now + 1, fired.due + fired.period);
                ++it;
            } else {
                it = timers.erase(it);
            }
        }
    }
    bool queue(deferred_call& call, void* a, void* b) {
        for (deferred_call* const waiting : calls) {
            if (waiting == &call) {
                return false;
            }
        }
        call.argument1 = a;
        call.argument2 = b;
        calls.push_back(&call);
        return true;
    }
    /// Runs what was deferred, as the system does when the level falls below DISPATCH_LEVEL. Interrupts of the device
    /// come here, too: those that it raised while an instruction of the driver accessed it.
    void run_deferred() {
        irql const before = level();
        auto const waits = [this] { return !interrupts.empty() || !calls.empty() || adapter_call; };
        if (!waits()) {
            return;  // and what was paged out stays out
        }
        while (waits()) {
            set_level(dispatch_level);
            if (!interrupts.empty()) {
                std::uint32_t const message = interrupts.front();
                interrupts.pop_front();
                on_interrupt(message);
                continue;
            }
            if (adapter_call && (calls.empty() || random(2) == 0)) {
                std::exchange(adapter_call, nullptr)();
                continue;
            }
            if (!calls.empty()) {
                deferred_call* const one = calls.front();
                calls.pop_front();
                one->routine(one, one->context, one->argument1, one->argument2);
            }
        }
        set_level(before);
    }
    /// Lowers the level and lets happen what waited for that.
    void lower(irql to) {
        set_level(to);
        if (to < dispatch_level) {
            run_deferred();
        }
    }

    // Threads.

    /// Whether a thread's wait is over; `take` also takes what it waited for.
    [[nodiscard]] int satisfied(thread const& t, bool take) const {
        int first = -1;
        for (std::size_t i = 0; i < t.waits.size(); ++i) {
            bool const there = available(*t.waits[i], t);
            if (there && first < 0) {
                first = static_cast<int>(i);
            }
            if (!there && t.waits_for_all) {
                return -1;
            }
        }
        if (take && first >= 0) {
            for (std::size_t i = 0; i < t.waits.size(); ++i) {
                if (t.waits_for_all || static_cast<int>(i) == first) {
                    consume(*t.waits[i], t);
                }
            }
        }
        return first;
    }
    [[nodiscard]] static bool available(dispatcher const& d, thread const& by) {
        return d.signalled > 0 || (d.type == mutex_object && d.waiters[0] == &by);
    }
    static void consume(dispatcher& d, thread const& by) {
        if (d.type == synchronization_event || d.type == synchronization_timer) {
            d.signalled = 0;
        } else if (d.type == semaphore_object) {
            --d.signalled;
        } else if (d.type == mutex_object) {
            --d.signalled;
            d.waiters[0] = const_cast<thread*>(&by);
        }
    }
    [[nodiscard]] bool can_run(thread const& t) const {
        return !t.ended &&
               ((t.waits.empty() && t.until == ~std::uint64_t{0}) || t.until <= now || satisfied(t, false) >= 0);
    }
    /// Another thread that can run, by the dice; nullptr: none.
    [[nodiscard]] thread* another() {
        std::vector<thread*> found;
        for (auto const& t : threads) {
            if (t.get() != running && can_run(*t)) {
                found.push_back(t.get());
            }
        }
        return found.empty() ? nullptr : found[static_cast<std::size_t>(random(found.size()))];
    }
    void go_on_with(thread& next) {
        thread& before = *running;
        running = &next;
        std::snprintf(record.thread, sizeof record.thread, "%s", next.name.c_str());
        page_in(next.level < dispatch_level);
        if (on_switch) {
            on_switch(next);
        }
        next.stack.enter(before.stack);
    }
    /// Time goes to the next thing that happens by itself.
    /// @return false: nothing will ever happen
    [[nodiscard]] bool next_event() {
        std::uint64_t soonest = ~std::uint64_t{0};
        for (auto const& [object, t] : timers) {
            soonest = std::min(soonest, t.due);
        }
        for (auto const& t : threads) {
            soonest = t->ended ? soonest : std::min(soonest, t->until);
        }
        if (soonest == ~std::uint64_t{0}) {
            return false;
        }
        now = std::max(now, soonest);
        fire_timers();
        return true;
    }
    /// The running thread waits, as its members say.
    /// @return the index of what ended it; -1: the time
    int block() {
        thread& self = *running;
        for (;;) {
            run_deferred();  // a timer's call runs before the threads that waited for the timer
            if (int const index = satisfied(self, true); index >= 0) {
                return over(self, index);
            }
            if (self.until <= now) {
                return over(self, -1);
            }
            if (thread* const next = another()) {
                go_on_with(*next);
            } else if (!next_event()) {
                stop("HANG", "a wait is never satisfied: no thread, timer or deferred call is left that could do it");
            }
        }
    }
    static int over(thread& t, int index) {
        t.waits.clear();
        t.until = ~std::uint64_t{0};
        return index;
    }
    /// Another thread may run here.
    void switch_point() {
        if (options.switches && level() < dispatch_level && threads.size() > 1 && random(4) == 0) {
            if (thread* const next = another()) {
                go_on_with(*next);
            }
        }
    }
    /// The caller has nothing to do: deferred calls and the driver's threads run until they wait.
    void let_run() {
        for (std::uint32_t round = 0; round < 10'000; ++round) {
            run_deferred();
            thread* const next = another();
            if (next == nullptr) {
                return;
            }
            go_on_with(*next);
        }
    }
    void end_thread() {
        running->ended = true;
        running->object->signalled = 1;
        for (;;) {
            if (thread* const next = another()) {
                go_on_with(*next);
            } else if (!next_event()) {
                stop("HANG", "a thread has ended and no other can run");
            }
        }
    }

    /// A call of the driver by the system: at this level, and the driver must leave it as it was.
    template <class Function>
    decltype(auto) call(char const* name, irql at, Function&& function) {
        std::string const outer = record.call;
        std::snprintf(record.call, sizeof record.call, "%s", name);
        irql const before = level();
        std::uint32_t const locks = locks_held;
        std::uint32_t const regions = running->critical_regions + running->guarded_regions;
        set_level(std::max(at, before));
        struct after {
            kernel_system& k;
            std::string const& outer_call;
            irql was, wanted;
            std::uint32_t held, regions_before;
            ~after() {
                if (k.running->critical_regions + k.running->guarded_regions != regions_before) {
                    k.find("0x1 APC_INDEX_MISMATCH", "the function returns in a critical or guarded region");
                    k.running->critical_regions = k.running->guarded_regions = 0;
                }
                if (k.level() != wanted) {
                    k.find("IRQL", "the function returns at IRQL " + std::to_string(k.level()) + " and was called at " +
                                       std::to_string(wanted));
                }
                if (k.locks_held != held) {
                    k.find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "the function returns and holds a spin lock");
                    k.locks_held = held;
                }
                if (!outer_call.empty()) {
                    k.set_level(was);
                } else {
                    // Calls at DISPATCH_LEVEL come in rows, and protecting pages is dear: what is pageable comes back
                    // with the next call that may use it, or when it is touched (paged_in_late).
                    k.running->level = was;
                    if (was < dispatch_level) {
                        k.let_run();
                    }
                }
                std::snprintf(k.record.call, sizeof k.record.call, "%s", outer_call.c_str());
            }
        } const at_the_end{*this, outer, before, std::max(at, before), locks, regions};
        return function();
    }

    kernel_record& record;
    std::size_t printed = 0;  ///< bytes of what the driver has printed
    kernel_options options;
    std::mt19937_64 dice;
    loaded_driver* image = nullptr;
    bool paged_out = false;
    std::vector<std::unique_ptr<thread>> threads;
    thread* running = nullptr;
    dispatcher main_object{};
    std::uint64_t now = 132'000'000'000'000'000;  // some day, in units of 100 ns
    std::uint64_t started = now;
    std::map<dispatcher*, timer> timers;
    std::deque<deferred_call*> calls;
    std::deque<std::uint32_t> interrupts;             // messages of the device that have not reached the driver
    std::function<void(std::uint32_t)> on_interrupt;  // brings one there
    std::function<void()> adapter_call;               // DxgkDdiDpcRoutine, queued
    std::function<void(thread&)> on_switch;           // the processor's view of the running thread
    std::function<void(bool)> on_paging;              // paged pool comes and goes
    std::uint32_t locks_held = 0;
    owed_objects owed;
};

[[nodiscard]] inline kernel_system& system() { return *kernel_system::current_system(); }

}  // namespace wddmcore::testing::kernel_parts

#endif

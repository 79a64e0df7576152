// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "request_maker.hpp"

#include <sstream>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The operating system's side of paging: it moves allocations through a driver and checks the DDI while it does.
///
/// Any driver fits that fills a wddmcore_driver_table. Windows of its paging buffers are executed by `engine`, an
/// independent decoder, on memory that belongs to the simulator, and bytes of memory are what is compared in the end. A
/// run is a function of driver, options and seed; nothing in the report or the trace depends on host addresses.
///
/// After a rule was found broken as often as `stop_after` says, every further call does nothing. One thread; one
/// simulator at a time in a process may call a driver. A driver that crashes takes the process with it: `run_isolated`.
class vidmm {
public:
    /// An allocation; 0 is none.
    using allocation_number = std::uint32_t;

    /// Starts the simulated machine with memory full of junk.
    /// @param driver    copied; what it points at must live longer
    /// @param options   see there
    /// @param hardware  executes windows; nullptr: the driver's own submit does, before it returns. Must live longer
    /// @throws std::invalid_argument  the options contradict each other or the driver's interface version
    vidmm(wddmcore_driver_table const& driver, vidmm_options options, engine* hardware)
        : m_(driver, std::move(options), hardware),
          queue_(m_),
          builder_(m_, queue_),
          land_(m_),
          maker_(m_, land_, queue_) {}

    vidmm(vidmm const&) = delete;
    vidmm& operator=(vidmm const&) = delete;

    /// Makes an allocation in system memory with content of its own.
    /// @param size  bytes, rounded up to the options' granule
    /// @return its number; 0 when there is no memory
    [[nodiscard]] allocation_number create(bytes size) { return create(size.n, true); }

    /// Makes an allocation that has no memory and no content yet; `fill` gives it both.
    [[nodiscard]] allocation_number create_empty(bytes size) { return create(size.n, false); }

    /// Fills an allocation in a memory segment with a pattern: operation 1 or 9.
    ///
    /// One that is nowhere gets a place there. Afterwards an application is taken to have drawn other content.
    /// @return false: no memory, or it is somewhere else
    bool fill(allocation_number number, std::uint32_t pattern, segment_id segment);

    /// Brings an allocation from system memory or the aperture into a memory segment: operation 0 or 8.
    /// @return false: no room, or it is not there
    bool commit(allocation_number number, segment_id segment);

    /// Brings an allocation from a memory segment back into system memory, to other pages than before.
    /// @return false: no memory, or it is not in a memory segment
    bool evict(allocation_number number);

    /// Brings an allocation from a memory segment into pages that the aperture shows (physical addressing).
    /// @return false: no memory, no room in the aperture, or it is not in a memory segment
    bool evict_to_aperture(allocation_number number);

    /// Moves an allocation to another place in a memory segment.
    /// @return false: no room, or it is not in a memory segment
    bool move(allocation_number number, segment_id segment);

    /// Moves an allocation by less than its size inside its segment, so that both places overlap (OP08-07).
    /// @param distance  4-KiB pages, negative towards the segment's start; whole 64-KiB pages where there are such
    /// @return false: physical addressing, the room is taken, or it is not in a memory segment
    bool slide(allocation_number number, std::int64_t distance);

    /// Moves an allocation between a memory segment and system memory by operation 7 (WDDM 1.x, physical addressing).
    /// @return false: another version or addressing, no memory, or the options say that no allocation asks for it
    bool special_lock(allocation_number number, segment_id segment);

    /// Tells the driver that content may go: operation 2. The allocation is nowhere afterwards.
    /// @return false: it is not in a memory segment
    bool discard(allocation_number number);

    /// Lets the aperture point at an allocation in system memory: operation 5 or 17, in one or more parts.
    /// @return false: no aperture, no room in it, or the allocation is not in system memory
    bool map_aperture(allocation_number number);

    /// Takes an allocation out of the aperture: operation 6 with the dummy page. It stays in system memory.
    /// @return false: it is not in the aperture
    bool unmap_aperture(allocation_number number);

    /// Reads or writes up to eight bytes of an allocation in a memory segment: operation 3 or 4 (WDDM 1.x, physical).
    /// @param offset  bytes, a multiple of 8 inside the allocation
    /// @return false: another version or addressing, or it is not in a memory segment
    bool access(allocation_number number, bytes offset, bool writes);

    /// The system resets the adapter: memory segments lose their content, and the driver is told allocation by
    /// allocation with transfers of size 0 (OP00-09); the aperture is unmapped.
    void reset();

    /// Ends an allocation's life; what is in a memory segment is discarded first.
    void destroy(allocation_number number);

    /// Everything is executed, and all memory is looked at.
    void finish();

    /// Random legal sequences, `steps` of them, then `finish`; the same seed does the same.
    void run(std::uint64_t seed, std::uint64_t steps);

    /// Sends what Windows never sends, to see what the driver says; listed apart and never judged.
    void probe();

    /// What has been found so far.
    [[nodiscard]] vidmm_report const& report() const { return m_.report; }
    [[nodiscard]] trace const& events() const { return m_.events; }

    /// The run as text that is equal for equal runs: the report, and the trace.
    [[nodiscard]] std::string transcript() const {
        std::ostringstream out;
        out << m_.report.text();
        m_.events.write(out);
        return out.str();
    }

    /// Whether a broken rule has ended the run.
    [[nodiscard]] bool stopped() const { return m_.stopped; }

    /// What the engine reaches; a hardware model that is part of the driver may use it while a window is executed.
    [[nodiscard]] gpu_bus& bus() { return m_.bus; }

    /// Whether an allocation has content in a memory segment, and where (base included); 0 if not.
    [[nodiscard]] segment_address address_in_segment(allocation_number number) {
        allocation const& a = at(number);
        return {a.where.is == kind::segment ? land_.address(a.where, 0) : 0};
    }

private:
    using allocation = vidmm_parts::allocation;
    using placement = vidmm_parts::placement;
    using kind = vidmm_parts::placement::kind;
    using operation = vidmm_parts::operation;
    using request = vidmm_parts::request;
    using part = vidmm_parts::request_maker::part;
    static constexpr std::uint64_t page_size = vidmm_parts::page_size;

    friend class vidmm_scenario;

    [[nodiscard]] allocation_number create(std::uint64_t size, bool with_content);
    [[nodiscard]] allocation& at(allocation_number number);
    void move_content(allocation const& a, placement const& from, placement const& to, bool give_back);
    [[nodiscard]] std::shared_ptr<operation> aperture_operation(allocation const& a, placement const& where,
                                                                part const& p, void* handle);
    void unmap(allocation const& a, placement const& from);
    void lose(allocation& a);
    void send(std::shared_ptr<operation> op);

    // Memory comes back when windows were executed, so a second look may find some.
    template <class Take>
    [[nodiscard]] std::optional<placement> with_space(Take const& take) {
        std::optional<placement> found = take();
        if (!found) {
            queue_.drain();
            found = take();
        }
        return found;
    }

    [[nodiscard]] bool is_virtual() const { return m_.options.addressing == vidmm_addressing::gpu_virtual; }
    // Operations 3, 4 and 7 belong to WDDM 1.x.
    [[nodiscard]] bool has_legacy_operations() const { return !is_virtual() && !at_least(m_.version, wddm::v2_0); }

    vidmm_parts::machine m_;
    vidmm_parts::window_queue queue_;
    vidmm_parts::builder builder_;
    vidmm_parts::land land_;
    vidmm_parts::request_maker maker_;
    std::map<allocation_number, allocation> allocations_;
    allocation_number last_ = 0;
    std::map<std::string, std::uint64_t> pictured_;  // the last counters of the trace
};

}  // namespace wddmcore::testing

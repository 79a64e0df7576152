// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "page_tables/copies/copies.hpp"

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
    /// A process with an address space of its own; 0 is none.
    using process_number = std::uint32_t;

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
          maker_(m_, land_, queue_),
          tables_(m_, land_, maker_, builder_),
          copies_(m_, land_, builder_, tables_) {}

    /// Destroys the contexts that it made.
    ~vidmm() { tables_.end_contexts(); }

    vidmm(vidmm const&) = delete;
    vidmm& operator=(vidmm const&) = delete;

    /// Makes an allocation in system memory with content of its own.
    /// @param size  bytes, rounded up to the options' granule
    /// @return its number; 0 when there is no memory
    [[nodiscard]] allocation_number create(bytes size) { return create(size.n, true); }

    /// Makes an allocation that has no memory and no content yet; `fill` gives it both.
    /// @return its number
    [[nodiscard]] allocation_number create_empty(bytes size) { return create(size.n, false); }

    /// Fills an allocation in a memory segment with a pattern: operation 1 or 9.
    ///
    /// One that is nowhere gets a place there. Afterwards an application is taken to have drawn other content.
    /// @param pattern  repeated through the allocation, its lowest byte first
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
    /// @param writes  true: operation 4, false: operation 3
    /// @return false: another version or addressing, or it is not in a memory segment
    bool access(allocation_number number, bytes offset, bool writes);

    /// Makes a process with an address space of its own, where the hardware has page tables.
    /// @return its number; 0 without page tables
    [[nodiscard]] process_number create_process();

    /// A context of a process that somebody else has made hears of the process's root as well: at once where something
    /// is mapped already, else when something is. None is made for the process then.
    /// @param context  the driver's handle
    void adopt_context(process_number number, void* context);

    /// An adopted context is about to be destroyed by whoever has made it.
    void release_context(process_number number, void* context);

    /// The engine is about to execute what was not built here, in the address space of a process.
    void enter(process_number number);

    /// Maps an allocation, wherever it is, at an address of a process: operations 11 and 12. What was mapped there
    /// goes.
    ///
    /// When the allocation moves, the mapping goes; Windows makes a new one then, and so may the caller.
    /// @param at_address  a multiple of the page size, past what entry 0 of the root covers (GVA-30)
    /// @param attributes  bits CacheCoherent, ReadOnly and NoExecute of DXGK_PTE, as far as the adapter has them
    /// @return false: the allocation is nowhere, or the address is not one of those
    bool map(process_number number, allocation_number what, gpu_virtual_address at_address,
             std::uint64_t attributes = 0);

    /// Lets addresses of a process mean nothing: operations 11 and 12.
    /// @param at_address  rounded down to 4 KiB
    /// @param size        rounded up to 4 KiB
    /// @return false: no bytes, or what was rounded is not whole pages of the GPU's
    bool unmap(process_number number, gpu_virtual_address at_address, bytes size);

    /// Lets addresses of a process read as zero: operations 11 and 12 (GVA-19).
    /// @return false: the options have no such pages, or the address is not one that `map` takes
    bool map_zero(process_number number, gpu_virtual_address at_address, bytes size);

    /// Evicts the leaf table of an address; its entries come back with it (GVA-39, OP11-08).
    /// @return false: there is none, or it is evicted already
    bool evict_page_table(process_number number, gpu_virtual_address at_address);

    /// Brings an evicted leaf table back, to another place.
    /// @return false: it is not evicted, or there is no memory
    bool restore_page_table(process_number number, gpu_virtual_address at_address);

    /// Moves the root of a process to another place: all its entries are written anew, and its contexts hear of it
    /// from DxgkDdiSetRootPageTable (GVA-28), where the driver has that function.
    /// @return false: nothing was ever mapped since the process, or power, came, or no memory
    bool move_root_page_table(process_number number);

    /// Copies page-table entries of a process by the GPU: operation 14, range after range. Entries of large pages and
    /// of 64 KiB are copied whole where both sides can have them; others are split, and tables converted, before.
    /// @param ranges  one or more; each may depend on those before it (OBS-11)
    /// @return false: the options have no copies, a range's sides overlap, or there is no memory for page tables
    bool copy_page_table_entries(process_number number, std::vector<vidmm_copied_range> const& ranges);

    /// An allocation leaves system memory or the aperture, and the driver is told first: operation 22 in chunks. The
    /// allocation is in other pages of system memory afterwards.
    /// @return false: no eviction notices, or it is somewhere else
    bool notify_eviction(allocation_number number);

    /// The IOMMU mapping of an allocation in system memory ends, and the driver is told first: operation 22.
    /// @return false: no unmap notices, or it is somewhere else
    bool notify_iommu_unmap(allocation_number number);

    /// Makes a context allocation, lets the driver initialise and update it, and ends it: operations 10 and 13.
    /// @return false: the options have none, or no memory
    bool use_context();

    /// Signals a monitored fence from a paging buffer: operation 16.
    /// @param value  what the fence has to hold; its lower half where fences have 4 bytes
    /// @return false: the options have no monitored fences, or no memory
    bool signal_fence(std::uint64_t value);

    /// Tells the driver where native fences have their values now: operation 18.
    /// @return false: the options have no `fence_value_of`
    bool notice_fences();

    /// Maps an allocation in system memory in another MMU, or unmaps it there: operations 19 and 20.
    /// @return false: the options have no MMUs or no address left for it, or it is somewhere else
    bool change_mmu(allocation_number number);

    /// The power goes and comes back: everything is evicted before, and initialised again afterwards (CHK-16).
    void power_loss();

    /// The system resets the adapter: memory segments lose their content, and the driver is told allocation by
    /// allocation with transfers of size 0 (OP00-09); the aperture is unmapped.
    void reset();

    /// Ends an allocation's life; what is in a memory segment is discarded first.
    void destroy(allocation_number number);

    /// Everything is executed, and all memory is looked at.
    void finish();

    /// Random legal sequences, then `finish`; the same seed does the same.
    /// @param seed   any number
    /// @param steps  how many sequences; fewer after a broken rule
    void run(std::uint64_t seed, std::uint64_t steps);

    /// Sends an operation code that no version has, and judges the answer: it may fail as it likes, but neither succeed
    /// nor ask to be called again (PGB-08, PGB-22).
    void send_unknown_operation();

    /// Sends what Windows never sends, to see what the driver says; listed apart and never judged.
    void probe();

    /// What has been found so far.
    [[nodiscard]] vidmm_report const& report() const { return m_.report; }
    /// @return what has happened so far, on the time of the simulator
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

    /// All memory by physical addresses, for those parts of a hardware's model that are not the engine, such as a
    /// cache.
    /// @return a bus that lives as long as the simulator
    [[nodiscard]] gpu_bus& memory() { return m_.memory.actual(); }

    /// A hardware's model tells that a command of the window at hand found no translation for an address.
    /// @param va  the GPU virtual address, in bytes
    void page_fault(std::uint64_t va) { m_.bus.page_fault(va); }

    /// The driver reports the completion of a submission, and of all before it (`vidmm_options::wait_for_fence`): what
    /// they write has to be in memory (INT-11).
    /// @param fence  SubmissionFenceId
    void fence_reported(std::uint32_t fence) { queue_.reported(fence); }

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
    friend class vidmm_process_scenario;

    struct mapping {
        allocation_number allocation = 0;
        std::uint64_t count = 0;  // pages
    };
    struct process {
        vidmm_parts::address_space* space = nullptr;
        std::map<std::uint64_t, mapping> mapped;  // by first page
    };

    void ready();
    void notice_chunk(allocation const& a, part const& p);
    void unmap_notice(allocation const& a, part const& p, void* owner, std::uint64_t va);
    void page_out(allocation& a);
    void affect(operation& op, placement const& where, std::uint64_t size);
    void initialise_context(placement const& place);
    void update_context(placement const& place);
    void notice_residency(allocation const& a, bool resident);
    [[nodiscard]] std::uint64_t mmu_stride() const;
    [[nodiscard]] std::uint64_t mmu_address(allocation const& a) const;
    [[nodiscard]] bool has_mmu_address(allocation const& a) const;
    void unmap_mmu(allocation const& a, std::uint32_t mmu);
    void judge_mmu(operation& op, std::uint64_t count);
    void send_notice(std::shared_ptr<operation> op);
    void place_notice(operation& op, allocation const& a, bool resident, vidmm_location where);
    void notice_range(allocation const& a, vidmm_parts::page_range range, bool resident, vidmm_location there);
    [[nodiscard]] static bool in_one_run(std::vector<std::uint64_t> const& pages);
    [[nodiscard]] bool may_map(std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] process& process_of(process_number number);
    [[nodiscard]] std::vector<std::uint64_t> process_pages() const;
    void forget(process& p, std::uint64_t first, std::uint64_t count);
    void leave_processes(allocation const& a);

    [[nodiscard]] allocation_number create(std::uint64_t size, bool with_content);
    [[nodiscard]] allocation& at(allocation_number number);
    void move_content(allocation const& a, placement const& from, placement const& to, bool give_back);
    [[nodiscard]] std::shared_ptr<operation> aperture_operation(allocation const& a, placement const& where,
                                                                part const& p, void* handle);
    void unmap(allocation const& a, placement const& from);
    [[nodiscard]] static bool asks_for_cpu_address(allocation const& a);
    [[nodiscard]] paging_operation map_operation() const {
        return m_.options.aperture == vidmm_aperture::adl ? paging_operation::map_aperture_segment2
                                                          : paging_operation::map_aperture_segment;
    }
    [[nodiscard]] std::byte* cpu_address(allocation const& a, part const& p);
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
    vidmm_parts::table_keeper tables_;
    vidmm_parts::table_copies copies_;
    bool ready_ = false;  // the paging process has its page tables
    std::map<process_number, process> processes_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> mmu_pages_;  // page numbers by MMU and address
    std::map<allocation_number, std::map<std::uint64_t, std::optional<vidmm_location>>> pages_told_;
    std::set<std::uint64_t> noticed_;  // addresses of the window that eviction notices had
    std::map<allocation_number, allocation> allocations_;
    std::map<allocation_number, std::vector<std::shared_ptr<vidmm_parts::loan>>> cpu_views_;
    allocation_number last_ = 0;
    std::map<std::string, std::uint64_t> pictured_;  // the last counters of the trace
};

}  // namespace wddmcore::testing

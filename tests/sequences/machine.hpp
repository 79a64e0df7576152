// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "request.hpp"

#include <wddmcore/gpuva.hpp>
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/translation_cache.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

/// What stands behind a sequence: memory, an engine, and what the system was told of the hardware.
namespace sequences {

inline constexpr segment_id aperture_id{1};
inline constexpr segment_id memory_id{2};

/// Where things are. Addresses of the device's own memory begin at 0, and its segment not quite there.
struct layout {
    u64 device_bus = 0x80'0000'0000;  ///< bus address of the device's memory
    u64 system_bus = 0x10'0000'0000;  ///< bus address of system address 0
    u64 segment_first = 2 << 20;      ///< of the segment, in the device's memory
    u64 data_bytes = 4 << 20;         ///< of the segment: what allocations may have; page tables follow
    u64 table_bytes = 8 << 20;
    u64 reserve_bytes = 1 << 20;         ///< of the segment: the hardware's own
    u64 hollow_bytes = 0;                ///< of the segment, its last part: only translated to, with nothing behind it
    u64 segment_base = 0x12'0000'0000;   ///< as the system sees it
    u64 aperture_base = 0x7F'0000'0000;  ///< as the system sees it
    u64 aperture_pages = 64;
    u64 first_page = 0xA5C'3000;           ///< of system memory; improbable, so that a number is not taken for an index
    u64 local_virtual = 0x2345'4000'0000;  ///< of the paging process: the device's memory
    u64 system_virtual = 0x1000'0000'0000;    ///< of the paging process: system address 0
    u64 aperture_virtual = 0x5123'4560'0000;  ///< of the paging process: where hardware may put its aperture
    u64 process_step = 0x10'0000'0000;        ///< another process has page tables this far behind

    [[nodiscard]] constexpr u64 segment_bytes() const { return solid_bytes() + hollow_bytes; }
    /// Of the segment: what there is memory behind.
    [[nodiscard]] constexpr u64 solid_bytes() const { return data_bytes + table_bytes + reserve_bytes; }
    [[nodiscard]] constexpr u64 reserve_first() const { return segment_first + data_bytes + table_bytes; }
    [[nodiscard]] constexpr u64 device_bytes() const { return reserve_first() + reserve_bytes; }
};

/// What the system knows of the hardware: what its driver reported, and what it can be asked.
struct facts {
    capabilities caps{};
    gpuva::page_table_geometry geometry{};
    gpuva::gpu_mmu_capabilities claims{};
    u32 smallest_buffer = 0;
    u64 copy_unit = 4;
    u64 fill_unit = 4;
    bool byte_patterns = false;       ///< fills repeat one byte
    bool tables_in_system = false;    ///< a directory can name a table in system memory
    bool aperture_in_tables = false;  ///< the aperture is a range of the paging process, whose entries are the driver's
    bool aperture_moves = false;      ///< the engine reads and writes through the aperture
    bool fences_interrupt = true;     ///< a signal raises an interrupt behind its store
    u64 fence_bytes = 8;              ///< stored by a signal
    bool evictions = false;           ///< operation 22 comes in this form
    bool unmaps = false;              ///< operation 22 comes in this form
    bool unmap_at_once = false;       ///< and needs no buffer
    bool contexts_at_once = false;    ///< operation 10 needs no buffer where there is a CPU address
    bool mmu_at_once = false;         ///< operations 19 and 20 need no buffer
    bool residency_at_once = false;   ///< operation 15 needs no buffer
    bool ranges_at_once = false;      ///< operation 21 needs no buffer
    bool fences_at_once = false;      ///< operation 18 needs no buffer
};

/// One address space's root, as the hardware finds it: a place in the segment.
struct root_place {
    u64 offset = 0;
};

/// Memory of one kind each page of which is there: the device's, and runs of eight system pages with gaps between them.
class machine {
public:
    static constexpr std::size_t page_count = 96;
    static constexpr std::size_t data_pages = 64;  ///< the others hold page tables

    layout where;
    gpu_memory bus;
    std::vector<u64> system_pages;  ///< their numbers

    explicit machine(layout const& places) : where(places) {
        put(bus.add_linear(bus_of_segment(0), where.solid_bytes()));
        put(bus.add_page_window(where.system_bus, where.first_page, page_count * 3, page_count));
        for (u64 i = 0; i != page_count; ++i) {
            system_pages.push_back(where.first_page + i / 8 * 24 + i % 8);
            put(bus.add_page(system_pages.back()));
        }
    }
    machine(machine const&) = delete;
    machine& operator=(machine const&) = delete;

    [[nodiscard]] u64 bus_of_segment(u64 offset) const { return where.device_bus + where.segment_first + offset; }
    [[nodiscard]] u64 bus_of_system(u64 address) const { return where.system_bus + address; }

    /// The CPU's pointer to a place of the segment.
    [[nodiscard]] void* cpu(u64 bus_address) { return bus.at(bus_address, 1).data; }

private:
    static void put(gpu_memory_error e) {
        if (e != gpu_memory_error::none) {
            throw std::logic_error("the simulated memory is not what it should be");
        }
    }
};

/// What a driver or its engine was seen to do beside moving bytes, as numbers in the order of the request's members.
struct notice {
    paging_operation operation;
    std::vector<u64> values;
    friend bool operator==(notice const&, notice const&) = default;
};

/// What operations 15, 18 and 21 have to be heard as: each change exactly once, in order (OP15-04).
[[nodiscard]] inline std::vector<notice> notices_of(request const& r) {
    auto const bits = [](void* handle) { return u64{reinterpret_cast<std::uintptr_t>(handle)}; };
    if (r.operation == paging_operation::notify_residency) {
        return {{r.operation, {bits(r.allocation), r.set, r.segment, r.offset}}};
    }
    if (r.operation == paging_operation::notify_residency2) {
        return {{r.operation, {bits(r.allocation), r.offset, r.size, r.set, r.segment, r.address, r.pages.size()}}};
    }
    std::vector<notice> all;
    for (moved_fence const& f : r.fences) {
        all.push_back({r.operation,
                       {bits(f.fence), f.current_segment, f.current_offset, f.monitored_segment, f.monitored_offset}});
    }
    return all;
}

/// What is wrong with the parts in which a notice of an unmap was heard: process, address and bytes of each. All of the
/// range, in order, each byte once (NTF-10).
[[nodiscard]] inline std::string judge_unmaps(request const& r, std::vector<notice> const& heard) {
    u64 next = r.address;
    for (notice const& n : heard) {
        if (n.operation != r.operation || n.values.size() != 3 ||
            n.values[0] != reinterpret_cast<std::uintptr_t>(r.process) || n.values[1] != next) {
            return "a part is out of order";
        }
        next += n.values[2];
    }
    return next == r.address + r.size ? "" : "not all of it, or more";
}

/// What the MMUs of operations 19 and 20 keep: a page once looked up leads to the same place until somebody flushes.
class mmu_cache {
public:
    using walker = std::function<std::optional<u64>(u32 mmu, u64 index)>;
    explicit mmu_cache(walker walk) : walk_(std::move(walk)) {}

    [[nodiscard]] std::optional<u64> translate(u32 mmu, u64 index) {
        auto found = kept_.find({mmu, index});
        return found != kept_.end() ? found->second : kept_[{mmu, index}] = walk_(mmu, index);
    }
    void flush() { kept_.clear(); }

private:
    walker walk_;
    std::map<std::pair<u32, u64>, std::optional<u64>> kept_;
};

/// A driver over its hardware, seen without the types of either.
class adapter {
public:
    adapter() = default;
    adapter(adapter const&) = delete;
    adapter& operator=(adapter const&) = delete;
    virtual ~adapter() = default;

    [[nodiscard]] virtual facts const& known() const = 0;

    /// One call of DxgkDdiBuildPagingBuffer.
    [[nodiscard]] virtual ntstatus build(request const& r, void*& buffer, u32 size, u32& token) = 0;
    /// What the fault hook heard last; empty when it was not called.
    [[nodiscard]] virtual std::string fault() const = 0;

    /// The engine runs commands with the paging process's root.
    [[nodiscard]] virtual execution execute(std::uint32_t const* commands, std::size_t dwords) = 0;
    /// The hardware's walk of the tables below a root.
    [[nodiscard]] virtual translation walk(root_place root, u64 address) const = 0;
    /// The hardware's cache of translations, whose roots are the offsets of root_place.
    [[nodiscard]] virtual translation_cache& cache() = 0;
    /// Which root the engine's channel has: the paging process's, but for the time of a companion context's work.
    virtual void set_paging_root(root_place root) = 0;
    /// The driver has stored entries of the aperture by the CPU, and has what the hardware kept of it dropped.
    virtual void forget_aperture() {}
    /// Where the leaf table of layout::aperture_virtual is, an offset in the segment; for hardware that wants it.
    virtual void set_aperture_table(u64 /*offset*/) {}
    /// What of an update of the aperture can be seen: the page of an entry.
    [[nodiscard]] virtual std::optional<u64> aperture_page(u64 index) = 0;

    /// Whether the harness can see what an operation does on this hardware.
    [[nodiscard]] virtual bool observes(paging_operation operation) const = 0;
    /// A handle of an allocation or a fence, one that the driver knows.
    [[nodiscard]] virtual void* handle(u64 random) {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(0x1000 + 16 * (random % 1000)));
    }
    /// A notice is about to be carried out.
    virtual void expect_notice() {}
    /// What is wrong with the effect of a notice that was carried out (15, 18, 21, 22 of an unmap); empty: nothing.
    [[nodiscard]] virtual std::string verify(request const& r) = 0;
    /// What a block becomes when an eviction notice has handled it once; false: the content stays.
    [[nodiscard]] virtual bool transform(std::vector<std::byte>&) const { return false; }
    [[nodiscard]] virtual u64 eviction_block() const { return page_bytes; }
    [[nodiscard]] virtual u64 eviction_alignment() const { return page_bytes; }
    /// Makes a context's initial image of so many bytes, and says what is in it.
    [[nodiscard]] virtual std::vector<std::byte> image(void* /*allocation*/, u64 /*size*/) { return {}; }
    /// A random update of a context allocation of `content`: the private data, and what becomes of the content.
    [[nodiscard]] virtual std::vector<std::byte> context_update(law_parts::random_numbers& /*random*/,
                                                                std::vector<std::byte>& /*content*/) const {
        return {};
    }
    /// The MMUs that operations 19 and 20 can name, and how many pages each of their tables has.
    [[nodiscard]] virtual std::vector<u32> mmus() const { return {}; }
    [[nodiscard]] virtual u64 mmu_pages() const { return 0; }
    /// The bus address that a page of an MMU leads to, as its hardware has it in its cache; none when it is not mapped.
    [[nodiscard]] virtual std::optional<u64> mmu_page(u32 /*mmu*/, u64 /*index*/) { return std::nullopt; }
};

}  // namespace sequences

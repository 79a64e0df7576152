// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

#include <map>
#include <set>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The system's side of physical memory objects: it keeps for every object what was done with it, and judges each call.
///
/// Objects have no memory behind them but while they are mapped; the page numbers of an ADL are improbable ones.
class memory_services {
public:
    explicit memory_services(adapter_machine& m) : m_(m) {
        services_.size = static_cast<unsigned>(sizeof services_);
        services_.system = this;
        services_.create_physical_memory_object = &enter<&memory_services::create, create_args>;
        services_.destroy_physical_memory_object = &leave<&memory_services::destroy, destroy_args>;
        services_.open_physical_memory_object = &enter<&memory_services::open, open_args>;
        services_.close_physical_memory_object = &leave<&memory_services::close, close_args>;
        services_.map_physical_memory = &enter<&memory_services::map, map_args>;
        services_.unmap_physical_memory = &leave<&memory_services::unmap, unmap_args>;
        services_.allocate_adl = &enter<&memory_services::allocate, allocate_args>;
        services_.free_adl = &leave<&memory_services::free, free_args>;
        services_.earlier_callback = [](void* system, unsigned which) WDDMCORE_DRIVER_CALL -> int {
            return static_cast<memory_services*>(system)->earlier(which);
        };
        services_.current_irql = [](void* system) WDDMCORE_DRIVER_CALL -> unsigned {
            return static_cast<memory_services*>(system)->m_.irql;
        };
        services_.raise_irql = [](void* system, unsigned level) WDDMCORE_DRIVER_CALL -> unsigned {
            return std::exchange(static_cast<memory_services*>(system)->m_.irql, level);
        };
        services_.lower_irql = [](void* system, unsigned level)
                                   WDDMCORE_DRIVER_CALL { static_cast<memory_services*>(system)->m_.irql = level; };
    }

    memory_services(memory_services const&) = delete;
    memory_services& operator=(memory_services const&) = delete;

    [[nodiscard]] wddmcore_memory_services const& table() const { return services_; }

    /// Logical addresses are on: the earlier callbacks are gone (IOM-13).
    void remap(bool on) { remaps_ = on; }

    /// The adapter is gone: what it still holds will never be closed.
    void judge_leftovers() {
        for (auto const& [number, o] : objects_) {
            check(o.adls.empty(), vidmm_rule::adl_12, "object " + std::to_string(number) + " still has an ADL");
            check(false, vidmm_rule::adl_14, "object " + std::to_string(number) + " was never destroyed");
        }
    }

private:
    using create_args = mirror::v2_9::dxgkargcb_create_physical_memory_object;
    using destroy_args = mirror::v2_9::dxgkargcb_destroy_physical_memory_object;
    using open_args = mirror::v2_9::dxgkargcb_open_physical_memory_object;
    using close_args = mirror::v2_9::dxgkargcb_close_physical_memory_object;
    using map_args = mirror::v2_9::dxgkargcb_map_physical_memory;
    using unmap_args = mirror::v2_9::dxgkargcb_unmap_physical_memory;
    using allocate_args = mirror::v2_9::dxgkargcb_allocate_adl;
    using free_args = mirror::v2_9::dxgkargcb_free_adl;
    using adl_type = mirror::v2_9::dxgk_adl;

    // DXGK_PHYSICAL_MEMORY_TYPE and DXGK_ACCESS_MODE.
    static constexpr u32 contiguous_memory = 1;
    static constexpr u32 io_space = 3;
    static constexpr u32 user_mode = 1;
    static constexpr unsigned apc_level = 1;
    static constexpr std::uint64_t first_handle = 0x00C0'FFEE'0000;

    struct mapping {
        std::shared_ptr<loan> memory;
        std::uint64_t size = 0;
        std::uint64_t key = 0;     // of what is around the part that was asked for
        std::uint64_t offset = 0;  // of that part
        std::uint64_t asked = 0;
    };
    struct adl {
        adl_type description{};
        std::vector<usize> pages;
    };
    struct object {
        u32 type = 0;
        std::uint64_t size = 0;
        bool created_with_adapter = false;
        std::uint64_t adapter_handle = 0;  // 0: not open
        bool was_closed = false;
        std::map<adl_type const*, std::unique_ptr<adl>> adls;
        std::map<void const*, mapping> mappings;
    };

    template <auto Function, class Args>
    static int WDDMCORE_DRIVER_CALL enter(void* system, void* args) {
        auto& self = *static_cast<memory_services*>(system);
        self.check_level();
        return (self.*Function)(*static_cast<Args*>(args));
    }
    template <auto Function, class Args>
    static void WDDMCORE_DRIVER_CALL leave(void* system, void const* args) {
        auto& self = *static_cast<memory_services*>(system);
        self.check_level();
        (self.*Function)(*static_cast<Args const*>(args));
    }

    bool check(bool holds, vidmm_rule rule, std::string const& state) { return m_.check(holds, rule, state); }

    void check_level() { check(m_.irql <= apc_level, vidmm_rule::iom_14, "called at IRQL " + std::to_string(m_.irql)); }

    [[nodiscard]] static void* handle(std::uint64_t number) {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
    }
    [[nodiscard]] static std::uint64_t number_of(void const* handle) {
        return reinterpret_cast<std::uintptr_t>(handle);
    }
    [[nodiscard]] object* by_object(void const* h) {
        auto const found = objects_.find(number_of(h));
        return found == objects_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] object* by_adapter_handle(void const* h) {
        for (auto& [number, o] : objects_) {
            if (h != nullptr && o.adapter_handle == number_of(h)) {
                return &o;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::uint64_t next() { return first_handle + ++handles_ * 0x40; }
    [[nodiscard]] static bool whole_pages(std::uint64_t n) { return n % 4096 == 0; }

    [[nodiscard]] int create(create_args& a) {
        bool const io = a.Type == io_space;
        if (io) {
            bool const whole =
                whole_pages(a.Size) && whole_pages(static_cast<std::uint64_t>(a.IOSpace.BaseAddress.QuadPart));
            check(whole, vidmm_rule::iom_21, "an object of " + std::to_string(a.Size) + " bytes");
        }
        if (a.Size == 0 || a.Type > io_space) {
            return status::invalid_parameter;
        }
        std::uint64_t const number = next();
        object& o = objects_[number];
        o.type = a.Type;
        o.size = (a.Size + 4095) / 4096 * 4096;
        o.created_with_adapter = a.hAdapter != nullptr;
        o.adapter_handle = o.created_with_adapter ? next() : 0;
        a.hPhysicalMemoryObject = handle(number);
        a.hAdapterMemoryObject = handle(o.adapter_handle);
        return status::success;
    }

    void destroy(destroy_args const& a) {
        object* const o = by_object(a.hPhysicalMemoryObject);
        if (!check(o != nullptr, vidmm_rule::adl_14, "destroying an object that is not there")) {
            return;
        }
        check(o->adls.empty(), vidmm_rule::adl_12, std::to_string(o->adls.size()) + " ADLs at destruction");
        bool const right = number_of(a.hAdapterMemoryObject) == o->adapter_handle;
        check(right, vidmm_rule::adl_14,
              o->adapter_handle == 0 ? "a handle is given to destroy that is closed already"
                                     : "destroyed without its adapter's handle");
        objects_.erase(number_of(a.hPhysicalMemoryObject));
    }

    [[nodiscard]] int open(open_args& a) {
        object* const o = by_object(a.hPhysicalMemoryObject);
        bool const may = o != nullptr && !o->created_with_adapter && o->adapter_handle == 0;
        if (!check(may, vidmm_rule::adl_13, "opened, although it is open")) {
            return status::invalid_parameter;
        }
        o->adapter_handle = next();
        a.hAdapterMemoryObject = handle(o->adapter_handle);
        return status::success;
    }

    void close(close_args const& a) {
        object* const o = by_adapter_handle(a.hAdapterMemoryObject);
        if (check(o != nullptr, vidmm_rule::adl_14, "closing a handle that is not open")) {
            check(o->adls.empty(), vidmm_rule::adl_12, std::to_string(o->adls.size()) + " ADLs when closed");
            o->adapter_handle = 0;
        }
    }

    [[nodiscard]] int map(map_args& a) {
        object* const o = by_object(a.hPhysicalMemoryObject);
        if (o == nullptr) {
            return status::invalid_handle;
        }
        if (o->type == io_space) {
            check(whole_pages(a.Offset) && whole_pages(a.Size), vidmm_rule::iom_21, "a mapping of IO space");
            check(a.AccessMode != user_mode, vidmm_rule::adl_15, "IO space mapped for user mode");
        }
        if (a.Size == 0 || a.Offset > o->size || a.Size > o->size - a.Offset) {
            return status::invalid_parameter;
        }
        // The mapping is whole pages: it begins before what was asked for.
        mapping m;
        m.offset = a.Offset % 4096;
        m.asked = a.Size;
        m.size = (m.offset + a.Size + 4095) / 4096 * 4096;
        m.key = m_.junk();
        m.memory =
            m_.lent.lend(m.size, loan_side::start, 0, "a mapping of a physical memory object", vidmm_rule::adl_15);
        write_content({m.memory->data(), m.size}, m.key, 0);
        a.pMappedAddress = m.memory->data();
        a.Offset = m.offset;
        a.Size = m.size;
        o->mappings[a.pMappedAddress] = m;
        return status::success;
    }

    void unmap(unmap_args const& a) {
        object* const o = by_object(a.hPhysicalMemoryObject);
        auto const found = o == nullptr ? decltype(o->mappings.begin()){} : o->mappings.find(a.pBaseAddress);
        if (!check(o != nullptr && found != o->mappings.end() && found->second.size == a.Size, vidmm_rule::adl_15,
                   "unmapped with another address or size than mapping gave")) {
            return;
        }
        mapping const& m = found->second;
        std::vector<std::byte> was(m.size);
        write_content(was, m.key, 0);
        bool same = true;
        for (std::uint64_t i = 0; i < m.size; ++i) {
            same = same && ((i >= m.offset && i - m.offset < m.asked) || m.memory->data()[i] == was[i]);
        }
        check(same, vidmm_rule::adl_15,
              "bytes beside the mapped part were written: it begins at byte " + std::to_string(m.offset));
        m.memory->end();
        o->mappings.erase(found);
    }

    [[nodiscard]] int allocate(allocate_args& a) {
        object* const o = by_adapter_handle(a.hAdapterMemoryObject);
        if (!check(o != nullptr, vidmm_rule::adl_13, "an ADL of an object that is not open")) {
            return status::invalid_handle;
        }
        std::string const numbers =
            std::to_string(a.Size) + " bytes from " + std::to_string(a.Offset) + " of " + std::to_string(o->size);
        bool const whole = a.Size != 0 && whole_pages(a.Offset) && whole_pages(a.Size);
        check(whole, o->type == io_space ? vidmm_rule::iom_21 : vidmm_rule::adl_10, numbers);
        bool const inside = a.Offset <= o->size && a.Size <= o->size - a.Offset;
        bool const can = a.Flags.RequireContiguous == 0 || o->type == contiguous_memory || o->type == io_space;
        if (!check(inside, vidmm_rule::adl_10, numbers) ||
            !check(can, vidmm_rule::adl_10, "RequireContiguous for an object that is not contiguous") || !whole) {
            return status::invalid_parameter;
        }
        auto made = std::make_unique<adl>();
        bool const in_one = o->type == contiguous_memory || o->type == io_space || a.Flags.PreferContiguous != 0;
        made->description.PageCount = static_cast<u32>(a.Size / 4096);
        made->description.Flags.Contiguous = in_one ? 1 : 0;
        usize const first = first_page_ + (pages_ += usize{2} * made->description.PageCount);
        for (u32 i = 0; i < made->description.PageCount; ++i) {
            made->pages.push_back(first + (in_one ? i : made->description.PageCount - 1 - i));
        }
        if (in_one) {
            made->description.BasePageNumber = first;
        } else {
            made->description.Pages = made->pages.data();
        }
        a.pAdl = &made->description;
        o->adls[a.pAdl] = std::move(made);
        return status::success;
    }

    void free(free_args const& a) {
        object* const o = by_adapter_handle(a.hAdapterMemoryObject);
        bool const there = o != nullptr && o->adls.contains(a.pAdl);
        if (!check(there, vidmm_rule::adl_14, "freeing an ADL that is not there")) {
            return;
        }
        for (usize const page : o->adls[a.pAdl]->pages) {
            if (m_.table.reaches_page != nullptr) {
                check(m_.table.reaches_page(m_.table.adapter, page) == 0, vidmm_rule::adl_11,
                      "page " + std::to_string(page) + " of a freed ADL");
            }
        }
        o->adls.erase(a.pAdl);
    }

    [[nodiscard]] int earlier(unsigned which) {
        check_level();
        check(!remaps_, vidmm_rule::iom_13, "earlier callback " + std::to_string(which));
        return status::not_supported;
    }

    static constexpr usize first_page_ = 0x5'A5C3'0000;

    adapter_machine& m_;
    wddmcore_memory_services services_{};
    std::map<std::uint64_t, object> objects_;
    std::uint64_t handles_ = 0;
    usize pages_ = 0;
    bool remaps_ = false;
};

}  // namespace wddmcore::testing::vidmm_parts

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bound_driver.h"
#include "elf_file.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <dlfcn.h>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver that was compiled for this machine and linked as a library with bind_driver.cpp. The host's loader has
/// loaded it, so that debuggers know it; here it gets its imports, and PAGE and INIT come and go as an image's do.
class driver_library final : public loaded_driver {
public:
    /// @param bound  has no fault; from opened_driver
    /// @param find   what the name of an import stands for
    /// @param calls  what imports do when they are called
    /// @throws std::runtime_error  no address space
    driver_library(wddmcore_bound_driver const& bound, import_finder const& find, import_calls const& calls) {
        base_ = const_cast<std::byte*>(reinterpret_cast<std::byte const*>(bound.begin));
        size_ = static_cast<std::size_t>(bound.end - bound.begin);
        entry_ = bound.entry;
        sections_ = sections_of(bound);
        Dl_info place{};
        if (::dladdr(bound.begin, &place) != 0) {
            names_ = elf_file(place.dli_fname).functions();
        }
        for (wddmcore_bound_name const* n = bound.names; n != bound.names_end; ++n) {
            imports_.push_back({"kernel", n->name, rva_of(n->slot)});
        }
        bind(find, calls, [&bound](std::uint32_t index, void* address, import_target const& found) {
            wddmcore_bound_name const& n = bound.names[index];
            *n.slot = address;
            if (n.variable != nullptr && found.address != nullptr) {
                std::memcpy(n.variable, found.address, std::min<std::size_t>(found.variable_bytes, 8));
            }
        });
    }

    /// PAGE and INIT where there are such, then what the linker has put together.
    [[nodiscard]] static std::vector<image_section> sections_of(wddmcore_bound_driver const& bound) {
        auto const section = [&bound](char const* name, unsigned char const* at, unsigned char const* end,
                                      std::uint32_t flags) {
            image_section s;
            s.name = name;
            s.rva = static_cast<std::uint32_t>(at - bound.begin);
            s.size = static_cast<std::uint32_t>(end - at);
            s.executes = (flags & PF_X) != 0;
            s.writes = (flags & PF_W) != 0;
            return s;
        };
        std::vector<image_section> found = {section("PAGE", bound.page, bound.page_end, PF_X),
                                            section("INIT", bound.init, bound.init_end, PF_X)};
        // What else a driver puts into a section of that name, it may write to.
        for (image_section& s : found) {
            for (Elf64_Phdr const& p : segments_of(bound)) {
                bool const holds = p.p_type == PT_LOAD && s.rva >= p.p_vaddr && s.rva - p.p_vaddr < p.p_memsz;
                s.writes = s.writes || (holds && (p.p_flags & PF_W) != 0);
            }
        }
        found[0].pageable = true;
        found[1].discardable = true;
        for (Elf64_Phdr const& p : segments_of(bound)) {
            if (p.p_type == PT_LOAD) {
                char const* const data = (p.p_flags & PF_W) != 0 ? "data" : "constants";
                unsigned char const* const at = bound.begin + p.p_vaddr;
                found.push_back(section((p.p_flags & PF_X) != 0 ? "code" : data, at, at + p.p_memsz, p.p_flags));
            }
        }
        std::erase_if(found, [](image_section const& s) { return s.size == 0; });
        return found;
    }

    /// Why a library cannot be used as a driver; empty: it can.
    [[nodiscard]] static std::string fault_of(wddmcore_bound_driver const& bound) {
        if (bound.size != sizeof bound) {
            return "bind_driver.cpp is of another version than this program";
        }
        auto const inside = [&bound](void const* at) {
            auto const* const byte = static_cast<unsigned char const*>(at);
            return byte >= bound.begin && byte <= bound.end;
        };
        void const* const places[] = {bound.entry,    bound.page,  bound.page_end, bound.init,
                                      bound.init_end, bound.names, bound.names_end};
        if (!std::all_of(std::begin(places), std::end(places), inside) || bound.names_end < bound.names) {
            return "what bind_driver.cpp tells of it leads out of it";
        }
        auto const whole = [](unsigned char const* from, unsigned char const* to) {
            return from == to || (reinterpret_cast<std::uintptr_t>(from) % pe_file::page == 0 &&
                                  reinterpret_cast<std::uintptr_t>(to) % pe_file::page == 0);
        };
        if (!whole(bound.page, bound.page_end) || !whole(bound.init, bound.init_end)) {
            return "sections PAGE and INIT share pages with others; bind_driver.cpp has to be linked last";
        }
        return "";
    }
    /// The same of its file, before it is loaded.
    [[nodiscard]] static std::string fault_of(elf_file const& file) {
        if (!file.is_readable()) {
            return "it is no whole library with section headers";
        }
        if (file.has_initialisers()) {
            return "it has initialisers of variables, or needs other libraries, which a kernel does not call";
        }
        // What is looked up by name is found in the C library first, which has the wrong calling convention.
        std::string const name = file.looked_up();
        return name.empty() ? "" : name + " is looked up by name in this program; bind_driver.py links without that";
    }

private:
    [[nodiscard]] static std::span<Elf64_Phdr const> segments_of(wddmcore_bound_driver const& bound) {
        auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bound.begin);
        return {reinterpret_cast<Elf64_Phdr const*>(bound.begin + header.e_phoff), header.e_phnum};
    }
};

/// A library as bind_driver.cpp describes it, or why it is none.
struct opened_driver {
    wddmcore_bound_driver const* bound = nullptr;  ///< nullptr: `why` says why
    std::string why{};
};

/// Loads a library with a driver; it stays until the process ends.
[[nodiscard]] inline opened_driver open_driver_library(std::string const& path) {
    if (std::string fault = driver_library::fault_of(elf_file(path)); !fault.empty()) {
        return {nullptr, std::move(fault)};
    }
    void* const library =
        ::dlopen(path.find('/') == std::string::npos ? ("./" + path).c_str() : path.c_str(), RTLD_NOW);
    auto const* const bound =
        library == nullptr ? nullptr : static_cast<wddmcore_bound_driver const*>(::dlsym(library, "wddmcore_driver"));
    if (bound == nullptr) {
        char const* const why = ::dlerror();
        return {nullptr, why != nullptr ? why : "it has no wddmcore_driver"};
    }
    std::string fault = driver_library::fault_of(*bound);
    return {fault.empty() ? bound : nullptr, std::move(fault)};
}

}  // namespace wddmcore::testing

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bound_driver.h"
#include "loaded_driver.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <dlfcn.h>
#    include <elf.h>
#    include <fstream>
#    include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver that was compiled for this machine and linked as a library with bind_driver.cpp. The host's loader has loaded
/// it, so that debuggers know it; here it gets its imports, and its sections PAGE and INIT come and go as an image's do.
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
        names_ = names_in(bound);
        for (wddmcore_bound_name const* n = bound.names; n != bound.names_end; ++n) {
            imports_.push_back({"kernel", n->name, rva_of(n->slot)});
        }
        bind(find, calls, [&bound](std::uint32_t index, void* address, import_target const& found) {
            wddmcore_bound_name const& n = bound.names[index];
            *n.slot = address;
            if (n.variable != nullptr) {
                // A driver that was compiled without dllimport reads the variable itself: this copy of it.
                std::memcpy(n.variable, found.address, std::min<std::size_t>(found.variable_bytes, 8));
                *n.slot = n.variable;
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
        auto const whole = [](unsigned char const* from, unsigned char const* to) {
            return from == to || (reinterpret_cast<std::uintptr_t>(from) % pe_file::page == 0 &&
                                  reinterpret_cast<std::uintptr_t>(to) % pe_file::page == 0);
        };
        if (!whole(bound.page, bound.page_end) || !whole(bound.init, bound.init_end)) {
            return "sections PAGE and INIT share pages with others; bind_driver.cpp has to be linked last";
        }
        // What is looked up by name is found in the C library first, which has the wrong calling convention.
        if (std::string const name = looked_up(bound); !name.empty()) {
            return name +
                   " is looked up by name when the library is loaded; link with -nostdlib -Wl,-z,defs,-Bsymbolic";
        }
        return "";
    }

private:
    [[nodiscard]] static std::span<Elf64_Phdr const> segments_of(wddmcore_bound_driver const& bound) {
        auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bound.begin);
        return {reinterpret_cast<Elf64_Phdr const*>(bound.begin + header.e_phoff), header.e_phnum};
    }

    /// The functions by name, from the table that the file has and memory has not; none where it was stripped.
    [[nodiscard]] static std::vector<named_function> names_in(wddmcore_bound_driver const& bound) {
        std::vector<named_function> found;
        Dl_info place{};
        static_cast<void>(::dladdr(bound.begin, &place));
        std::ifstream in(place.dli_fname != nullptr ? place.dli_fname : "", std::ios::binary);
        std::string const file{std::istreambuf_iterator<char>(in), {}};
        auto const read = [&file]<class T>(std::uint64_t offset, T& to) {
            bool const inside = offset <= file.size() && sizeof to <= file.size() - offset;
            std::memcpy(&to, file.data() + (inside ? offset : 0), inside ? sizeof to : 0);
            return inside;
        };
        auto const& header = *reinterpret_cast<Elf64_Ehdr const*>(bound.begin);
        Elf64_Shdr table{};
        Elf64_Shdr texts{};
        for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
            if (!read(header.e_shoff + i * sizeof table, table) || table.sh_type != SHT_SYMTAB ||
                !read(header.e_shoff + table.sh_link * sizeof texts, texts)) {
                continue;
            }
            Elf64_Sym s{};
            for (std::uint64_t at = 0; at < table.sh_size && read(table.sh_offset + at, s); at += sizeof s) {
                if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && texts.sh_offset + s.st_name < file.size()) {
                    found.push_back({static_cast<std::uint32_t>(s.st_value),
                                     static_cast<std::uint32_t>(s.st_value + s.st_size),
                                     file.c_str() + texts.sh_offset + s.st_name});
                }
            }
        }
        return found;
    }

    /// The first symbol that a relocation names; empty: all of them are the library's own affair.
    [[nodiscard]] static std::string looked_up(wddmcore_bound_driver const& bound) {
        std::array<std::uint64_t, DT_NUM> tags{};
        for (Elf64_Phdr const& p : segments_of(bound)) {
            if (p.p_type == PT_DYNAMIC) {
                for (auto const* d = reinterpret_cast<Elf64_Dyn const*>(bound.begin + p.p_vaddr); d->d_tag != DT_NULL;
                     ++d) {
                    if (d->d_tag > 0 && static_cast<std::size_t>(d->d_tag) < tags.size()) {
                        tags[static_cast<std::size_t>(d->d_tag)] = d->d_un.d_val;
                    }
                }
            }
        }
        // Loaders relocate these addresses in place, or do not.
        auto const at = [&](std::size_t tag) {
            auto const base = reinterpret_cast<std::uintptr_t>(bound.begin);
            return reinterpret_cast<void const*>(tags[tag] < base ? base + tags[tag] : tags[tag]);
        };
        auto const* const symbols = static_cast<Elf64_Sym const*>(at(DT_SYMTAB));
        auto const* const texts = static_cast<char const*>(at(DT_STRTAB));
        for (auto const& [table, bytes] :
             {std::pair<std::size_t, std::size_t>{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}}) {
            std::span const all(static_cast<Elf64_Rela const*>(at(table)),
                                static_cast<std::size_t>(tags[bytes]) / sizeof(Elf64_Rela));
            for (Elf64_Rela const& r : all) {
                if (auto const symbol = ELF64_R_SYM(r.r_info); symbol != 0) {
                    return texts + symbols[symbol].st_name;
                }
            }
        }
        return "";
    }
};

/// A library as bind_driver.cpp describes it, or why it is none.
struct opened_driver {
    wddmcore_bound_driver const* bound = nullptr;  ///< nullptr: `why` says why
    std::string why{};
};

/// Loads a library with a driver; it stays until the process ends.
[[nodiscard]] inline opened_driver open_driver_library(std::string const& path) {
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

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "loaded_driver.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <elf.h>
#    include <fstream>
#    include <iterator>
#    include <optional>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A library of this machine as its linker wrote it: what has to be known before its own code may run, and the names
/// that memory does not have. Nothing is read that the file does not hold.
class elf_file {
public:
    explicit elf_file(std::string const& path) {
        std::ifstream in(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
        auto const header = read<Elf64_Ehdr>(0);
        if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
            header->e_shentsize != sizeof(Elf64_Shdr)) {
            return;
        }
        for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
            auto const p = read<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
            is_whole_ = is_whole_ && p && p->p_offset <= bytes_.size() && p->p_filesz <= bytes_.size() - p->p_offset;
        }
        for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
            if (auto const s = read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr)); s) {
                sections_.push_back(*s);
            }
        }
    }

    /// Whether what follows can be told of it: all of it is there, and it has not lost its section headers.
    [[nodiscard]] bool is_readable() const {
        bool const has_tables = std::any_of(sections_.begin(), sections_.end(),
                                            [](Elf64_Shdr const& s) { return s.sh_type == SHT_DYNAMIC; });
        return is_whole_ && has_tables;
    }

    /// Whether loading the library, or leaving the program, calls functions of it or of others that it needs.
    [[nodiscard]] bool has_initialisers() const {
        return std::any_of(sections_.begin(), sections_.end(), [this](Elf64_Shdr const& s) {
            bool const is_list =
                s.sh_type == SHT_INIT_ARRAY || s.sh_type == SHT_PREINIT_ARRAY || s.sh_type == SHT_FINI_ARRAY;
            return (is_list && s.sh_size != 0) || (s.sh_type == SHT_DYNAMIC && names_functions(s)) ||
                   (s.sh_type == SHT_RELA && has_resolvers(s));
        });
    }

    /// The first name that loading looks up; empty: all that the library uses is its own.
    [[nodiscard]] std::string looked_up() const {
        for (Elf64_Shdr const& s : sections_) {
            Elf64_Shdr const* const symbols = linked(s);
            if (s.sh_type != SHT_RELA || (s.sh_flags & SHF_ALLOC) == 0 || symbols == nullptr) {
                continue;
            }
            for (std::uint64_t at = 0; at < s.sh_size; at += sizeof(Elf64_Rela)) {
                auto const r = read<Elf64_Rela>(s.sh_offset + at);
                if (!r) {
                    break;
                }
                if (std::uint64_t const index = ELF64_R_SYM(r->r_info); index != 0) {
                    auto const symbol = read<Elf64_Sym>(symbols->sh_offset + index * sizeof(Elf64_Sym));
                    if (!symbol || ELF64_ST_BIND(symbol->st_info) != STB_LOCAL) {
                        std::string const name = symbol ? name_of(*symbols, *symbol) : "";
                        return name.empty() ? "?" : name;
                    }
                }
            }
        }
        return {};
    }

    /// Its functions as debuggers know them; none where it was stripped.
    [[nodiscard]] std::vector<named_function> functions() const {
        std::vector<named_function> found;
        for (Elf64_Shdr const& s : sections_) {
            for (std::uint64_t at = 0; s.sh_type == SHT_SYMTAB && at < s.sh_size; at += sizeof(Elf64_Sym)) {
                auto const symbol = read<Elf64_Sym>(s.sh_offset + at);
                if (!symbol) {
                    break;
                }
                if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size != 0) {
                    found.push_back({static_cast<std::uint32_t>(symbol->st_value),
                                     static_cast<std::uint32_t>(symbol->st_value + symbol->st_size),
                                     name_of(s, *symbol)});
                }
            }
        }
        return found;
    }

private:
    /// Of the dynamic section: functions that are called at the beginning and at the end, and other libraries.
    [[nodiscard]] bool names_functions(Elf64_Shdr const& s) const {
        for (std::uint64_t at = 0; at < s.sh_size; at += sizeof(Elf64_Dyn)) {
            auto const d = read<Elf64_Dyn>(s.sh_offset + at);
            if (!d || d->d_tag == DT_NULL) {
                return false;
            }
            if (d->d_tag == DT_INIT || d->d_tag == DT_FINI || d->d_tag == DT_NEEDED) {
                return true;
            }
        }
        return false;
    }
    /// Of relocations: functions that the loader calls for the address of another.
    [[nodiscard]] bool has_resolvers(Elf64_Shdr const& s) const {
        for (std::uint64_t at = 0; at < s.sh_size; at += sizeof(Elf64_Rela)) {
            auto const r = read<Elf64_Rela>(s.sh_offset + at);
            if (!r) {
                return false;
            }
            if (ELF64_R_TYPE(r->r_info) == R_X86_64_IRELATIVE) {
                return true;
            }
        }
        return false;
    }

    template <class T>
    [[nodiscard]] std::optional<T> read(std::uint64_t offset) const {
        if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) {
            return std::nullopt;
        }
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    [[nodiscard]] Elf64_Shdr const* linked(Elf64_Shdr const& s) const {
        return s.sh_link < sections_.size() ? &sections_[s.sh_link] : nullptr;
    }
    [[nodiscard]] std::string name_of(Elf64_Shdr const& symbols, Elf64_Sym const& symbol) const {
        Elf64_Shdr const* const texts = linked(symbols);
        std::uint64_t const at = texts != nullptr ? texts->sh_offset + symbol.st_name : bytes_.size();
        return at < bytes_.size() ? bytes_.c_str() + at : "?";
    }

    std::string bytes_{};
    std::vector<Elf64_Shdr> sections_{};
    bool is_whole_ = true;  // every segment ends inside the file
};

}  // namespace wddmcore::testing

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/image/elf_file.hpp>

#include <doctest/doctest.h>

#if defined(__x86_64__) && defined(__linux__)

#    include <cstdio>
#    include <random>
#    include <unistd.h>

namespace {

using wddmcore::testing::elf_file;

/// A library with one function, one relocation that names it, and one function to call at the beginning.
struct built_library {
    Elf64_Ehdr header{};
    Elf64_Shdr sections[6]{};
    Elf64_Sym symbols[2]{};
    Elf64_Rela relocation{};
    Elf64_Dyn dynamic[2]{};
    Elf64_Phdr segment{};
    char texts[16] = "\0abort";

    built_library() {
        auto const offset = [this](void const* part) {
            return static_cast<Elf64_Off>(static_cast<char const*>(part) - reinterpret_cast<char const*>(this));
        };
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_shoff = offset(sections);
        header.e_shnum = 6;
        header.e_phoff = offset(&segment);
        header.e_phnum = 1;
        segment.p_filesz = sizeof *this;
        header.e_shentsize = sizeof(Elf64_Shdr);
        sections[1].sh_type = SHT_SYMTAB;
        sections[1].sh_offset = offset(symbols);
        sections[1].sh_size = sizeof symbols;
        sections[1].sh_link = 2;
        sections[2].sh_type = SHT_STRTAB;
        sections[2].sh_offset = offset(texts);
        sections[2].sh_size = sizeof texts;
        sections[3].sh_type = SHT_RELA;
        sections[3].sh_flags = SHF_ALLOC;
        sections[3].sh_offset = offset(&relocation);
        sections[3].sh_size = sizeof relocation;
        sections[3].sh_link = 1;
        sections[4].sh_type = SHT_INIT_ARRAY;
        sections[4].sh_size = 8;
        sections[5].sh_type = SHT_DYNAMIC;
        sections[5].sh_offset = offset(dynamic);
        sections[5].sh_size = sizeof dynamic;
        symbols[1] = {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x1000, 0x20};
        relocation.r_info = ELF64_R_INFO(1, R_X86_64_64);
    }
    /// As the file that it is, read again.
    [[nodiscard]] elf_file read(std::size_t bytes = sizeof(built_library)) const {
        char path[] = "/tmp/elf_file_test_XXXXXX";
        int const file = ::mkstemp(path);
        REQUIRE(file >= 0);
        REQUIRE(::write(file, this, bytes) == static_cast<ssize_t>(bytes));
        ::close(file);
        elf_file found(path);
        std::remove(path);
        return found;
    }
};

TEST_CASE("a library's initialisers, names and what it looks up are read from its file") {
    built_library whole;
    elf_file const file = whole.read();
    CHECK(file.has_initialisers());
    CHECK(file.looked_up() == "abort");
    REQUIRE(file.functions().size() == 1);
    CHECK(file.functions()[0].begin == 0x1000);
    CHECK(file.functions()[0].end == 0x1020);
    CHECK(file.functions()[0].name == "abort");
    whole.relocation.r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE);
    whole.sections[4].sh_size = 0;
    CHECK(whole.read().looked_up().empty());
    CHECK(!whole.read().has_initialisers());
    CHECK(elf_file("/no such file").functions().empty());
}

TEST_CASE("what the loader would call is found wherever a linker may have put it") {
    built_library one;
    one.relocation.r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE);
    one.sections[4].sh_size = 0;
    REQUIRE(!one.read().has_initialisers());
    for (Elf64_Sxword const tag : {DT_INIT, DT_FINI, DT_NEEDED}) {
        one.dynamic[0].d_tag = tag;
        CHECK(one.read().has_initialisers());
    }
    one.dynamic[0].d_tag = DT_NULL;
    one.dynamic[1].d_tag = DT_INIT;  // behind the end
    CHECK(!one.read().has_initialisers());
    one.relocation.r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE);
    CHECK(one.read().has_initialisers());
    one.relocation.r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE);
    one.sections[4].sh_type = SHT_FINI_ARRAY;
    one.sections[4].sh_size = 8;
    CHECK(one.read().has_initialisers());
}

TEST_CASE("a library of which nothing can be told is not readable") {
    built_library one;
    CHECK(one.read().is_readable());
    CHECK(!one.read(sizeof one - 1).is_readable());  // its segment ends past the file
    one.header.e_shnum = 0;
    CHECK(!one.read().is_readable());
    CHECK(!elf_file("/no such file").is_readable());
}

TEST_CASE("a name of the library's own, without a name, is no name to be looked up") {
    built_library one;
    one.symbols[1] = {0, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, 1, 0x1000, 0};
    CHECK(one.read().looked_up().empty());
    one.symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    CHECK(one.read().looked_up() == "?");
}

TEST_CASE("a library that ends too early, or whose bytes are others, is read no further than it goes") {
    built_library const whole;
    for (std::size_t bytes = 0; bytes < sizeof whole; bytes += 7) {
        CHECK(whole.read(bytes).looked_up().size() < sizeof whole);
    }
    std::mt19937 dice(1);
    for (int run = 0; run < 400; ++run) {
        built_library damaged;
        for (int change = 0; change < 3; ++change) {
            reinterpret_cast<unsigned char*>(&damaged)[dice() % sizeof damaged] ^=
                static_cast<unsigned char>(1U << dice() % 8);
        }
        elf_file const file = damaged.read();
        CHECK(file.looked_up().size() < sizeof damaged);
        CHECK(file.functions().size() <= sizeof damaged / sizeof(Elf64_Sym));
    }
}

}  // namespace

#endif

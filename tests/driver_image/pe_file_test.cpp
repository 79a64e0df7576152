// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "pe_builder.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

using namespace image_builder;
using wddmcore::testing::image_fault;

TEST_CASE("an image is read as it was written") {
    auto const file = image().read();
    REQUIRE(file.good());
    CHECK(file.preferred_base() == base);
    CHECK(file.size() == 0x4000);
    CHECK(file.entry_point() == 0x1000);
    REQUIRE(file.sections().size() == 3);
    CHECK(file.sections()[0].executes);
    CHECK(!file.sections()[0].writes);
    CHECK(file.sections()[1].writes);
    CHECK(file.sections()[2].pageable);
    CHECK(!file.sections()[0].pageable);
    REQUIRE(file.imports().size() == 1);
    CHECK(file.imports()[0].library == "ntoskrnl.exe");
    CHECK(file.imports()[0].name == "DbgPrint");
    CHECK(file.imports()[0].slot == 0x2060);
    REQUIRE(file.functions().size() == 1);
    CHECK(file.functions()[0].end == 0x1010);
    REQUIRE(file.relocations().size() == 1);
    CHECK(file.relocations()[0] == 0x2120);
    CHECK(file.cookie() == 0x2130);
}

TEST_CASE("a file that ends too early is refused, wherever it ends") {
    auto const whole = image();
    for (std::size_t size = 0; size < 0xA00; ++size) {
        built cut = whole;
        cut.bytes.resize(size);
        CAPTURE(size);
        auto const fault = cut.read().fault();
        REQUIRE(fault != image_fault::none);
        bool const headers = size < sections;  // past that SizeOfHeaders is more than the file
        REQUIRE((fault == image_fault::too_short) == headers);
    }
}

struct damage {
    image_fault fault;
    std::size_t at;
    std::uint64_t value;
    std::size_t bytes;
};

TEST_CASE("each damage has its reason") {
    damage const all[] = {
        {image_fault::no_dos_header, 0, 0, 2},
        {image_fault::too_short, 60, 0xFFFF'FFF0, 4},
        {image_fault::no_pe_signature, pe, 0, 4},
        {image_fault::not_x64, pe + 4, 0xAA64, 2},
        {image_fault::not_x64, pe + 4, 0x14C, 2},
        {image_fault::not_an_executable, pe + 22, 0x20, 2},
        {image_fault::not_pe32_plus, optional, 0x10B, 2},
        {image_fault::not_pe32_plus, pe + 20, 96, 2},
        {image_fault::not_native, optional + 68, 3, 2},
        {image_fault::bad_alignment, optional + 32, 0x200, 4},
        {image_fault::bad_alignment, optional + 32, 0x3000, 4},
        {image_fault::bad_alignment, optional + 24, base + 8, 8},
        {image_fault::bad_alignment, sections + 12, 0x1010, 4},
        {image_fault::bad_size, optional + 56, 0xF000'0000, 4},
        {image_fault::bad_size, optional + 56, 0, 4},
        {image_fault::bad_size, optional + 60, 0x8000, 4},
        {image_fault::section_out_of_file, sections + 20, 0xFFFF'FF00, 4},
        {image_fault::section_out_of_image, optional + 56, 0x3000, 4},
        {image_fault::section_out_of_image, sections + 40 + 12, 0x1000, 4},
        {image_fault::section_out_of_image, sections + 8, 0xFFFF'FFFF, 4},
        {image_fault::bad_entry_point, optional + 16, 0x2000, 4},
        {image_fault::bad_entry_point, optional + 16, 0xFFFF'FFFF, 4},
        {image_fault::bad_imports, directories + 8, 0x3FF0, 4},
        {image_fault::bad_imports, data, 0x9000, 4},
        {image_fault::bad_imports, data + 12, 0x9000, 4},
        {image_fault::bad_imports, data + 16, 0xFFFF'FFF8, 4},
        {image_fault::bad_imports, data + 16, 0x2064, 4},
        {image_fault::bad_imports, data + 0x40, 0x7FFF'FFFF, 8},
        {image_fault::import_by_ordinal, data + 0x40, 0x8000'0000'0000'0005, 8},
        {image_fault::delayed_imports, directories + 8 * 13, 0x2000, 4},
        {image_fault::bad_relocations, directories + 8 * 5, 0x9000, 4},
        {image_fault::bad_relocations, directories + 8 * 5 + 4, 6, 4},
        {image_fault::bad_relocations, data + 0x104, 4, 4},
        {image_fault::bad_relocations, data + 0x104, 0xFFFF'FFFE, 4},
        {image_fault::bad_relocations, data + 0x108, 0x3120, 2},
        {image_fault::bad_relocations, data + 0x100, 0x3FFC - 0x120, 4},
        {image_fault::bad_exceptions, directories + 8 * 3 + 4, 13, 4},
        {image_fault::bad_exceptions, directories + 8 * 3, 0x9000, 4},
        {image_fault::bad_exceptions, data + 0xC4, 0x1000, 4},
        {image_fault::bad_exceptions, data + 0xC4, 0x9000, 4},
        {image_fault::bad_exceptions, data + 0xC8, 0x9000, 4},
        {image_fault::bad_load_config, directories + 8 * 10, 0x9000, 4},
        {image_fault::bad_load_config, data + 0x200, 0xFFFF'FFFF, 4},
        {image_fault::bad_load_config, data + 0x258, base - 8, 8},
        {image_fault::bad_load_config, data + 0x258, base + 0x3FFC, 8},
    };
    for (damage const& d : all) {
        built b = image();
        std::memcpy(b.bytes.data() + d.at, &d.value, d.bytes);
        CAPTURE(d.at);
        CAPTURE(d.value);
        auto const fault = b.read().fault();
        CHECK_MESSAGE(fault == d.fault, wddmcore::testing::sentence_of(fault));
    }
}

TEST_CASE("tables that may be absent are absent") {
    built b = image();
    for (std::size_t const which : {std::size_t{1}, std::size_t{3}, std::size_t{5}, std::size_t{10}}) {
        b.put(directories + 8 * which, std::uint64_t{0});
    }
    auto const file = b.read();
    REQUIRE(file.good());
    CHECK(file.imports().empty());
    CHECK(file.functions().empty());
    CHECK(file.relocations().empty());
    CHECK(file.cookie() == 0);
}

TEST_CASE("random damage is read or refused, and nothing else happens") {
    constexpr std::uint64_t seed = 20240611;
    INFO("seed " << seed);
    std::mt19937_64 dice(seed);
    std::size_t refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        built b = image();
        for (std::uint64_t n = 1 + dice() % 6; n != 0; --n) {
            b.bytes[static_cast<std::size_t>(dice() % 0xA00)] = static_cast<std::byte>(dice());
        }
        auto const file = b.read();
        refused += file.good() ? 0U : 1U;
        for (auto const& import : file.imports()) {
            REQUIRE(import.slot + 8 <= file.mapped().size());
        }
    }
    CHECK(refused > 1000);
}

}  // namespace

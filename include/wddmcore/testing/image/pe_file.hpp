// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fault.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One section of an image.
struct image_section {
    std::string name;
    std::uint32_t rva = 0;        ///< bytes from the image's base
    std::uint32_t size = 0;       ///< bytes in memory
    std::uint32_t file = 0;       ///< where its bytes are in the file
    std::uint32_t file_size = 0;  ///< how many of them; the rest is zero
    bool executes = false;
    bool writes = false;
    bool discardable = false;  ///< gone after DriverEntry
    bool pageable = false;     ///< its name begins with PAGE

    [[nodiscard]] bool holds(std::uint32_t at) const { return at >= rva && at - rva < size; }
};

/// One imported name.
struct image_import {
    std::string library;
    std::string name;
    std::uint32_t slot = 0;  ///< RVA of the eight bytes that receive the address
};

/// A row of the function table, .pdata.
struct image_function {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t unwind = 0;  ///< RVA of its unwind information
};

/// A driver image as a linker wrote it: what loading needs, checked. Nothing in it is trusted.
///
/// Everything that is read from the file is bounds-checked first, and the first thing that does not fit is the answer.
class pe_file {
public:
    static constexpr std::uint32_t page = 4096;
    static constexpr std::uint32_t largest = 256U << 20;

    /// Reads the headers and tables of an image.
    /// @param bytes  the whole file; copied
    explicit pe_file(std::vector<std::byte> bytes) : file_(std::move(bytes)) { fault_ = read(); }

    /// image_fault::none, or the first thing that does not fit; then nothing else here means anything.
    [[nodiscard]] image_fault fault() const { return fault_; }
    [[nodiscard]] bool good() const { return fault_ == image_fault::none; }

    [[nodiscard]] std::uint64_t preferred_base() const { return base_; }
    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::uint32_t header_size() const { return header_size_; }
    [[nodiscard]] std::uint32_t entry_point() const { return entry_; }
    [[nodiscard]] std::vector<image_section> const& sections() const { return sections_; }
    [[nodiscard]] std::vector<image_import> const& imports() const { return imports_; }
    /// RVAs of the 64-bit addresses that move with the base.
    [[nodiscard]] std::vector<std::uint32_t> const& relocations() const { return relocations_; }
    [[nodiscard]] std::vector<image_function> const& functions() const { return functions_; }
    /// RVA of the security cookie, 0: none.
    [[nodiscard]] std::uint32_t cookie() const { return cookie_; }
    /// Major and minor version of the linker, as it wrote them: 14.0 is also what LLD writes.
    [[nodiscard]] std::pair<unsigned, unsigned> linker() const { return linker_; }
    /// The image's bytes as they are before relocation: headers and sections at their RVAs.
    [[nodiscard]] std::vector<std::byte> const& mapped() const { return mapped_; }

private:
    template <class T>
    [[nodiscard]] static T load(std::span<std::byte const> from, std::size_t at) {
        T value{};
        std::memcpy(&value, from.data() + at, sizeof value);
        return value;
    }
    template <class T>
    [[nodiscard]] T raw(std::size_t at) const {
        return load<T>(file_, at);
    }
    template <class T>
    [[nodiscard]] T at(std::uint32_t rva) const {
        return load<T>(mapped_, rva);
    }
    [[nodiscard]] bool inside(std::uint64_t rva, std::uint64_t bytes) const {
        return rva <= mapped_.size() && bytes <= mapped_.size() - rva;
    }
    [[nodiscard]] static bool power_of_two(std::uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

    /// A text inside the image; empty where it does not end there.
    [[nodiscard]] std::string text(std::uint32_t rva) const {
        std::string out;
        for (std::uint64_t i = rva; inside(i, 1) && out.size() < 512; ++i) {
            char const c = static_cast<char>(mapped_[static_cast<std::size_t>(i)]);
            if (c == '\0') {
                return out;
            }
            out.push_back(c);
        }
        return {};
    }

    [[nodiscard]] image_fault read() {
        using check = image_fault (pe_file::*)();
        for (check const one : {&pe_file::read_headers, &pe_file::read_sections, &pe_file::map, &pe_file::read_imports,
                                &pe_file::read_relocations, &pe_file::read_functions, &pe_file::read_load_config}) {
            if (image_fault const found = (this->*one)(); found != image_fault::none) {
                return found;
            }
        }
        return image_fault::none;
    }

    [[nodiscard]] image_fault read_headers() {
        if (file_.size() < 64) {
            return image_fault::too_short;
        }
        if (raw<std::uint16_t>(0) != 0x5A4D) {
            return image_fault::no_dos_header;
        }
        std::size_t const pe = raw<std::uint32_t>(60);
        constexpr std::size_t fixed = 24 + 240;  // signature, file header, optional header with 16 directories
        if (pe > file_.size() || file_.size() - pe < fixed) {
            return image_fault::too_short;
        }
        if (raw<std::uint32_t>(pe) != 0x4550) {
            return image_fault::no_pe_signature;
        }
        if (raw<std::uint16_t>(pe + 4) != 0x8664) {
            return image_fault::not_x64;
        }
        if ((raw<std::uint16_t>(pe + 22) & 2) == 0) {
            return image_fault::not_an_executable;
        }
        std::size_t const optional = pe + 24;
        std::size_t const optional_size = raw<std::uint16_t>(pe + 20);
        directories_ = std::min<std::uint32_t>(raw<std::uint32_t>(optional + 108), 16);
        if (raw<std::uint16_t>(optional) != 0x20B || optional_size < 112 + 8 * std::size_t{directories_}) {
            return image_fault::not_pe32_plus;
        }
        if (raw<std::uint16_t>(optional + 68) != 1) {
            return image_fault::not_native;
        }
        linker_ = {raw<std::uint8_t>(optional + 2), raw<std::uint8_t>(optional + 3)};
        entry_ = raw<std::uint32_t>(optional + 16);
        base_ = raw<std::uint64_t>(optional + 24);
        alignment_ = raw<std::uint32_t>(optional + 32);
        size_ = raw<std::uint32_t>(optional + 56);
        header_size_ = raw<std::uint32_t>(optional + 60);
        for (std::uint32_t i = 0; i < directories_; ++i) {
            directory_[i] = {raw<std::uint32_t>(optional + 112 + 8 * i), raw<std::uint32_t>(optional + 116 + 8 * i)};
        }
        // Protection has pages: sections that share one could not keep their own.
        if (!power_of_two(alignment_) || alignment_ < page || base_ % page != 0) {
            return image_fault::bad_alignment;
        }
        if (size_ == 0 || size_ > largest || header_size_ > size_ || header_size_ > file_.size()) {
            return image_fault::bad_size;
        }
        section_table_ = optional + optional_size;
        section_count_ = raw<std::uint16_t>(pe + 6);
        return section_table_ + 40 * section_count_ > file_.size() ? image_fault::too_short : image_fault::none;
    }

    [[nodiscard]] image_fault read_sections() {
        std::uint64_t end = header_size_;
        for (std::size_t i = 0; i < section_count_; ++i) {
            std::size_t const row = section_table_ + 40 * i;
            image_section s;
            for (std::size_t k = 0; k < 8 && file_[row + k] != std::byte{}; ++k) {
                s.name.push_back(static_cast<char>(file_[row + k]));
            }
            s.rva = raw<std::uint32_t>(row + 12);
            s.file_size = raw<std::uint32_t>(row + 16);
            s.size = raw<std::uint32_t>(row + 8);
            s.size = s.size == 0 ? s.file_size : s.size;
            s.file_size = std::min(s.file_size, s.size);
            s.file = raw<std::uint32_t>(row + 20);
            std::uint32_t const flags = raw<std::uint32_t>(row + 36);
            s.executes = (flags & 0x2000'0000U) != 0;
            s.writes = (flags & 0x8000'0000U) != 0;
            s.discardable = (flags & 0x0200'0000U) != 0 || s.name == "INIT";
            s.pageable = s.name.starts_with("PAGE");
            if (s.rva % alignment_ != 0) {
                return image_fault::bad_alignment;
            }
            if (std::uint64_t{s.file} + s.file_size > file_.size()) {
                return image_fault::section_out_of_file;
            }
            if (s.rva < end || std::uint64_t{s.rva} + s.size > size_) {
                return image_fault::section_out_of_image;
            }
            end = std::uint64_t{s.rva} + s.size;
            sections_.push_back(std::move(s));
        }
        for (image_section const& s : sections_) {
            if (s.executes && s.holds(entry_)) {
                return image_fault::none;
            }
        }
        return image_fault::bad_entry_point;
    }

    [[nodiscard]] image_fault map() {
        mapped_.assign((std::size_t{size_} + page - 1) / page * page, std::byte{});
        std::memcpy(mapped_.data(), file_.data(), header_size_);
        for (image_section const& s : sections_) {
            std::memcpy(mapped_.data() + s.rva, file_.data() + s.file, s.file_size);
        }
        return image_fault::none;
    }

    [[nodiscard]] image_fault read_imports() {
        if (directory_[13].first != 0) {
            return image_fault::delayed_imports;
        }
        std::uint32_t const table = directory_[1].first;
        if (table == 0) {
            return image_fault::none;
        }
        for (std::uint64_t row = table;; row += 20) {
            if (!inside(row, 20)) {
                return image_fault::bad_imports;
            }
            auto const at_row = static_cast<std::uint32_t>(row);
            std::uint32_t const name = at<std::uint32_t>(at_row + 12);
            std::uint32_t const slots = at<std::uint32_t>(at_row + 16);
            if (name == 0 && slots == 0) {
                return image_fault::none;
            }
            std::uint32_t const names = at<std::uint32_t>(at_row);
            std::string const library = text(name);
            if (library.empty()) {
                return image_fault::bad_imports;
            }
            if (image_fault const bad = read_thunks(library, names == 0 ? slots : names, slots);
                bad != image_fault::none) {
                return bad;
            }
        }
    }

    [[nodiscard]] image_fault read_thunks(std::string const& library, std::uint32_t names, std::uint32_t slots) {
        for (std::uint64_t i = 0;; i += 8) {
            if (!inside(names + i, 8) || !inside(slots + i, 8) || slots % 8 != 0) {
                return image_fault::bad_imports;
            }
            auto const thunk = at<std::uint64_t>(static_cast<std::uint32_t>(names + i));
            if (thunk == 0) {
                return image_fault::none;
            }
            if (thunk >> 63 != 0) {
                return image_fault::import_by_ordinal;
            }
            std::string name = thunk >> 31 == 0 ? text(static_cast<std::uint32_t>(thunk) + 2) : std::string();
            if (name.empty()) {
                return image_fault::bad_imports;
            }
            imports_.push_back({library, std::move(name), static_cast<std::uint32_t>(slots + i)});
        }
    }

    [[nodiscard]] image_fault read_relocations() {
        auto const [table, bytes] = directory_[5];
        if (!inside(table, bytes)) {
            return image_fault::bad_relocations;
        }
        for (std::uint32_t done = 0; done < bytes;) {
            if (bytes - done < 8) {
                return image_fault::bad_relocations;
            }
            std::uint32_t const first = at<std::uint32_t>(table + done);
            std::uint32_t const block = at<std::uint32_t>(table + done + 4);
            if (block < 8 || block % 2 != 0 || block > bytes - done) {
                return image_fault::bad_relocations;
            }
            for (std::uint32_t i = 8; i < block; i += 2) {
                std::uint16_t const entry = at<std::uint16_t>(table + done + i);
                std::uint64_t const place = std::uint64_t{first} + (entry & 0xFFFU);
                if (entry >> 12 == 10 && inside(place, 8)) {
                    relocations_.push_back(static_cast<std::uint32_t>(place));
                } else if (entry >> 12 != 0) {
                    return image_fault::bad_relocations;
                }
            }
            done += block;
        }
        return image_fault::none;
    }

    [[nodiscard]] image_fault read_functions() {
        auto const [table, bytes] = directory_[3];
        if (!inside(table, bytes) || bytes % 12 != 0) {
            return image_fault::bad_exceptions;
        }
        std::uint32_t end = 0;
        for (std::uint32_t i = 0; i < bytes; i += 12) {
            image_function const f{at<std::uint32_t>(table + i), at<std::uint32_t>(table + i + 4),
                                   at<std::uint32_t>(table + i + 8)};
            if (f.begin < end || f.end <= f.begin || f.end > size_ || !inside(f.unwind & ~3U, 4)) {
                return image_fault::bad_exceptions;
            }
            end = f.end;
            functions_.push_back(f);
        }
        return image_fault::none;
    }

    [[nodiscard]] image_fault read_load_config() {
        std::uint32_t const table = directory_[10].first;
        if (table == 0) {
            return image_fault::none;
        }
        if (!inside(table, 4) || !inside(table, at<std::uint32_t>(table))) {
            return image_fault::bad_load_config;
        }
        if (at<std::uint32_t>(table) < 0x60) {
            return image_fault::none;  // of a time before the cookie
        }
        std::uint64_t const cookie = at<std::uint64_t>(table + 0x58);
        if (cookie == 0) {
            return image_fault::none;
        }
        if (cookie < base_ || !inside(cookie - base_, 8)) {
            return image_fault::bad_load_config;
        }
        cookie_ = static_cast<std::uint32_t>(cookie - base_);
        return image_fault::none;
    }

    std::vector<std::byte> file_;
    std::vector<std::byte> mapped_;
    std::array<std::pair<std::uint32_t, std::uint32_t>, 16> directory_{};
    std::uint32_t directories_ = 0;
    std::size_t section_table_ = 0;
    std::size_t section_count_ = 0;
    std::uint64_t base_ = 0;
    std::uint32_t alignment_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t header_size_ = 0;
    std::uint32_t entry_ = 0;
    std::uint32_t cookie_ = 0;
    std::pair<unsigned, unsigned> linker_{};
    std::vector<image_section> sections_;
    std::vector<image_import> imports_;
    std::vector<std::uint32_t> relocations_;
    std::vector<image_function> functions_;
    image_fault fault_ = image_fault::none;
};

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "loaded_driver.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver image in this process: relocated, bound, each section with its own protection. Inaccessible pages lie on
/// both sides.
class loaded_image final : public loaded_driver {
public:
    /// Loads an image.
    /// @param file  good; copied from
    /// @param find  what the name of an import stands for
    /// @param calls  what imports do when they are called
    /// @throws std::runtime_error  no address space
    loaded_image(pe_file const& file, import_finder const& find, import_calls const& calls) {
        sections_ = file.sections();
        functions_ = file.functions();
        imports_ = file.imports();
        size_ = file.mapped().size();
        constexpr std::size_t guard = 16 * pe_file::page;
        void* const whole = ::mmap(nullptr, size_ + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (whole == MAP_FAILED) {
            throw std::runtime_error("no address space for the image");
        }
        base_ = static_cast<std::byte*>(whole) + guard;
        allow(base_, size_, PROT_READ | PROT_WRITE);
        std::memcpy(base_, file.mapped().data(), size_);
        relocate(file);
        bind(find, calls, [this](std::uint32_t index, void* address, import_target const&) {
            std::memcpy(base_ + imports_[index].slot, &address, sizeof address);
        });
        set_cookie(file);
        protect();
        entry_ = base_ + file.entry_point();
    }

private:
    void relocate(pe_file const& file) {
        std::uint64_t const moved = reinterpret_cast<std::uintptr_t>(base_) - file.preferred_base();
        for (std::uint32_t const rva : file.relocations()) {
            std::uint64_t value = 0;
            std::memcpy(&value, base_ + rva, sizeof value);
            value += moved;
            std::memcpy(base_ + rva, &value, sizeof value);
        }
    }

    void set_cookie(pe_file const& file) {
        if (file.cookie() != 0) {
            std::uint64_t const cookie = 0x0000'7A3C'19E5'8B41;  // the upper 16 bits are 0, as the kernel has them
            std::memcpy(base_ + file.cookie(), &cookie, sizeof cookie);
        }
    }

    void protect() {
        allow(base_, size_, PROT_NONE);
        allow(base_, pe_file::page, PROT_READ);
        for (image_section const& s : sections_) {
            allow(base_ + s.rva, s.size, protection_of(s));
        }
    }
};

}  // namespace wddmcore::testing

#endif

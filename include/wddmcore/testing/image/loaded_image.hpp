// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pe_file.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <sys/mman.h>

#    include <functional>
#    include <stdexcept>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// A driver image in this process: relocated, bound, each section with its own protection.
///
/// The imports go through short thunks that note which one was called last, so that a crash inside can be named.
/// Inaccessible pages lie on both sides. One at a time in a process.
class loaded_image {
public:
    /// Loads an image.
    /// @param file       good; copied from
    /// @param service    the address for an imported name; nullptr: there is none
    /// @param data       whether the import of this name is a variable, whose address goes to the driver as it is
    /// @param called     an import that has no service was called; must not return
    /// @param last_call  receives the index of each import that is called
    /// @throws std::runtime_error  no address space
    loaded_image(pe_file const& file, std::function<void*(std::string const&)> const& service,
                 std::function<bool(std::string const&)> const& data,
                 void(__attribute__((ms_abi)) * called)(std::uint32_t), std::uint32_t* last_call)
        : sections_(file.sections()),
          functions_(file.functions()),
          imports_(file.imports()),
          size_(file.mapped().size()) {
        constexpr std::size_t guard = 16 * pe_file::page;
        void* const whole = ::mmap(nullptr, size_ + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::size_t const thunk_bytes = (imports_.size() * thunk_size + pe_file::page) / pe_file::page * pe_file::page;
        void* const thunks = ::mmap(nullptr, thunk_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (whole == MAP_FAILED || thunks == MAP_FAILED) {
            throw std::runtime_error("no address space for the image");
        }
        base_ = static_cast<std::byte*>(whole) + guard;
        thunks_ = static_cast<std::byte*>(thunks);
        allow(base_, size_, PROT_READ | PROT_WRITE);
        std::memcpy(base_, file.mapped().data(), size_);
        relocate(file);
        bind(service, data, called, last_call);
        set_cookie(file);
        allow(thunks_, thunk_bytes, PROT_READ | PROT_EXEC);
        protect();
        entry_ = base_ + file.entry_point();
    }

    loaded_image(loaded_image const&) = delete;
    loaded_image& operator=(loaded_image const&) = delete;

    [[nodiscard]] std::byte* base() const { return base_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] void* entry() const { return entry_; }
    [[nodiscard]] std::vector<image_function> const& functions() const { return functions_; }
    [[nodiscard]] std::vector<image_import> const& imports() const { return imports_; }
    /// Imports without a service.
    [[nodiscard]] std::vector<std::string> const& missing() const { return missing_; }

    [[nodiscard]] bool holds(void const* address) const {
        auto const* const at = static_cast<std::byte const*>(address);
        return at >= base_ && at < base_ + size_;
    }
    [[nodiscard]] std::uint32_t rva_of(void const* address) const {
        return static_cast<std::uint32_t>(static_cast<std::byte const*>(address) - base_);
    }
    /// The section that holds an address; nullptr: none does.
    [[nodiscard]] image_section const* section_of(void const* address) const {
        for (image_section const& s : sections_) {
            if (holds(address) && s.holds(rva_of(address))) {
                return &s;
            }
        }
        return nullptr;
    }

    /// Whether the pageable sections can be touched; at DISPATCH_LEVEL and above they cannot.
    void page_in(bool resident) {
        if (resident == resident_) {
            return;
        }
        resident_ = resident;
        for (image_section const& s : sections_) {
            if (s.pageable && !(s.discardable && discarded_)) {
                allow(base_ + s.rva, s.size, resident ? protection_of(s) : PROT_NONE);
            }
        }
    }

    /// DriverEntry is over: what was marked as discardable is gone.
    void discard() {
        discarded_ = true;
        for (image_section const& s : sections_) {
            if (s.discardable && s.executes) {
                allow(base_ + s.rva, s.size, PROT_NONE);
            }
        }
    }

private:
    static constexpr std::size_t thunk_size = 40;

    static void allow(void* at, std::size_t bytes, int protection) {
        std::size_t const whole = (bytes + pe_file::page - 1) / pe_file::page * pe_file::page;
        if (whole != 0 && ::mprotect(at, whole, protection) != 0) {
            throw std::runtime_error("the image's pages cannot be protected");
        }
    }
    [[nodiscard]] static int protection_of(image_section const& s) {
        return PROT_READ | (s.writes ? PROT_WRITE : 0) | (s.executes ? PROT_EXEC : 0);
    }

    void relocate(pe_file const& file) {
        std::uint64_t const moved = reinterpret_cast<std::uintptr_t>(base_) - file.preferred_base();
        for (std::uint32_t const rva : file.relocations()) {
            std::uint64_t value = 0;
            std::memcpy(&value, base_ + rva, sizeof value);
            value += moved;
            std::memcpy(base_ + rva, &value, sizeof value);
        }
    }

    void bind(std::function<void*(std::string const&)> const& service,
              std::function<bool(std::string const&)> const& data,
              void(__attribute__((ms_abi)) * called)(std::uint32_t), std::uint32_t* last_call) {
        std::uint32_t index = 0;
        for (image_import const& import : imports_) {
            void* to = service(import.name);
            if (to == nullptr) {
                missing_.push_back(import.library + "!" + import.name);
            }
            if (to == nullptr || !data(import.name)) {
                to = thunk(index, to, called, last_call);
            }
            std::memcpy(base_ + import.slot, &to, sizeof to);
            ++index;
        }
    }

    /// mov r11, &last_call; mov dword [r11], index; mov r11, target; jmp r11. Without a target: called(index).
    [[nodiscard]] void* thunk(std::uint32_t index, void* target, void(__attribute__((ms_abi)) * called)(std::uint32_t),
                              std::uint32_t* last_call) const {
        std::byte* const begin = thunks_ + index * thunk_size;
        std::byte* at = begin;
        auto const put = [&at](auto const& what) {
            std::memcpy(at, &what, sizeof what);
            at += sizeof what;
        };
        using two = std::array<std::uint8_t, 2>;
        using three = std::array<std::uint8_t, 3>;
        put(two{0x49, 0xBB});
        put(last_call);
        put(three{0x41, 0xC7, 0x03});
        put(index);
        if (target == nullptr) {
            put(std::uint8_t{0xB9});
            put(index);
            target = reinterpret_cast<void*>(called);
        }
        put(two{0x49, 0xBB});
        put(target);
        put(three{0x41, 0xFF, 0xE3});
        return begin;
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

    std::vector<image_section> sections_;
    std::vector<image_function> functions_;
    std::vector<image_import> imports_;
    std::vector<std::string> missing_;
    std::size_t size_;
    std::byte* base_ = nullptr;
    std::byte* thunks_ = nullptr;
    void* entry_ = nullptr;
    bool resident_ = true;
    bool discarded_ = false;
};

}  // namespace wddmcore::testing

#endif

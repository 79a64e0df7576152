// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pe_file.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <sys/mman.h>

#    include <functional>
#    include <stdexcept>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What an imported name stands for.
struct import_target {
    void* address = nullptr;         ///< nullptr: there is no such service
    std::size_t variable_bytes = 0;  ///< of a variable; 0: it is a function
};

using import_finder = std::function<import_target(std::string const&)>;

/// What the imports of a driver do when they are called.
struct import_calls {
    void(__attribute__((ms_abi)) *
         called)(std::uint32_t) = nullptr;  ///< one without a service was called; never returns
    std::uint32_t* last_call = nullptr;     ///< receives the index of each import that is called
};

/// A function as a debugger knows it.
struct named_function {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::string name{};
};

/// A driver in this process: where its code lies, what it calls of the kernel, and which of its pages are there.
///
/// The imports go through short thunks that note which one was called last, so that a crash inside can be named.
/// One at a time in a process, and until its end.
class loaded_driver {
public:
    loaded_driver(loaded_driver const&) = delete;
    loaded_driver& operator=(loaded_driver const&) = delete;
    virtual ~loaded_driver() = default;

    [[nodiscard]] std::byte* base() const { return base_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] void* entry() const { return entry_; }
    /// Sorted; empty: there are no tables for exceptions.
    [[nodiscard]] std::vector<image_function> const& functions() const { return functions_; }
    [[nodiscard]] std::vector<image_import> const& imports() const { return imports_; }

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

    /// The name of the function that holds an address; empty where nobody has told it.
    [[nodiscard]] std::string function_at(void const* address) const {
        for (named_function const& f : names_) {
            if (holds(address) && rva_of(address) >= f.begin && rva_of(address) < f.end) {
                return f.name;
            }
        }
        return {};
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

protected:
    loaded_driver() = default;

    static void allow(void* at, std::size_t bytes, int protection) {
        std::size_t const whole = (bytes + pe_file::page - 1) / pe_file::page * pe_file::page;
        if (whole != 0 && ::mprotect(at, whole, protection) != 0) {
            throw std::runtime_error("the driver's pages cannot be protected");
        }
    }
    [[nodiscard]] static int protection_of(image_section const& s) {
        return PROT_READ | (s.writes ? PROT_WRITE : 0) | (s.executes ? PROT_EXEC : 0);
    }

    /// Binds all imports.
    /// @param find  what a name stands for
    /// @param put  receives the index of an import, the address for its slot, and what its name stands for
    template <class Put>
    void bind(import_finder const& find, import_calls const& calls, Put const& put) {
        std::size_t const bytes = (imports_.size() * thunk_size + pe_file::page) / pe_file::page * pe_file::page;
        void* const thunks = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (thunks == MAP_FAILED) {
            throw std::runtime_error("no address space for the driver's imports");
        }
        for (std::uint32_t index = 0; index < imports_.size(); ++index) {
            import_target const found = find(imports_[index].name);
            std::byte* const thunk = static_cast<std::byte*>(thunks) + index * thunk_size;
            write_thunk(thunk, index, found.address, calls);
            put(index, found.variable_bytes != 0 ? found.address : thunk, found);
        }
        allow(thunks, bytes, PROT_READ | PROT_EXEC);
    }

    std::vector<image_section> sections_{};  // the first that holds an address is its own
    std::vector<image_function> functions_{};
    std::vector<image_import> imports_{};
    std::vector<named_function> names_{};
    std::size_t size_ = 0;
    std::byte* base_ = nullptr;
    void* entry_ = nullptr;

private:
    static constexpr std::size_t thunk_size = 40;

    /// mov r11, &last_call; mov dword [r11], index; mov r11, target; jmp r11. Without a target: called(index).
    static void write_thunk(std::byte* at, std::uint32_t index, void* target, import_calls const& calls) {
        auto const put = [&at](auto const& what) {
            std::memcpy(at, &what, sizeof what);
            at += sizeof what;
        };
        using two = std::array<std::uint8_t, 2>;
        using three = std::array<std::uint8_t, 3>;
        put(two{0x49, 0xBB});
        put(calls.last_call);
        put(three{0x41, 0xC7, 0x03});
        put(index);
        if (target == nullptr) {
            put(std::uint8_t{0xB9});
            put(index);
            target = reinterpret_cast<void*>(calls.called);
        }
        put(two{0x49, 0xBB});
        put(target);
        put(three{0x41, 0xFF, 0xE3});
    }

    bool resident_ = true;
    bool discarded_ = false;
};

}  // namespace wddmcore::testing

#endif

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: no matching function for call to
//
// Law 6, ADL-02: a page number names a page of system memory; it is no place in a GPU's address space.
#include <wddmcore/base.hpp>

namespace {

using namespace wddmcore;

constexpr u64 first_byte(gpu_virtual_address address) { return address.n; }
[[maybe_unused]] constexpr u64 first_byte(gpu_virtual_address address, bytes offset) {
    return first_byte(address + offset);
}

[[maybe_unused]] constexpr u64 begin_of(page_number page, gpu_virtual_address mapped_at) {
#if defined(BAD)
    static_cast<void>(mapped_at);
    return first_byte(page);
#else
    static_cast<void>(page);
    return first_byte(mapped_at);
#endif
}

}  // namespace

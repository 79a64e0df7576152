// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include <wddmcore/testing/gpu_memory/bus.hpp>
#include <wddmcore/wddmcore.hpp>

static_assert(2 * wddmcore::bytes{wddmcore::page_bytes} == wddmcore::bytes{8192});

int main(int argc, char**) {
    wddmcore::bytes const size = static_cast<wddmcore::u64>(argc) * wddmcore::bytes{wddmcore::page_bytes};
    return size == wddmcore::bytes{4096} ? 0 : 1;
}

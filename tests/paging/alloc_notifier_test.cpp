// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "notices.hpp"
#include "wddm2_gpu.hpp"

#include <wddmcore/hw/promises/notices/alloc_notifier.hpp>

#include <doctest/doctest.h>

namespace alloc_notifier_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::notices;

namespace {

/// Whether a hardware type keeps the promise, said aloud: a part that it lacks is then a compile error.
template <class... Parts>
consteval bool kept() {
    return hw::detail::alloc_notifier_promise::kept<wddm2_gpu<grain_1, Parts...>, true>();
}

}  // namespace

TEST_CASE("NTF-02: each of the three ways to hear of a notice is enough by itself") {
    CHECK(kept<eviction_part<4096, 4096, 4096>>());
    CHECK(kept<iommu_unmap_part<4096>>());
    CHECK(kept<unmap_at_once_part>());
    CHECK(kept<eviction_part<4096, 4096, 4096>, iommu_unmap_part<4096>, unmap_at_once_part>());
}

}  // namespace alloc_notifier_test

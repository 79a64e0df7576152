// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: driver_allocation_handle
// expect[clang-14]: no matching function for call to 'fill_context_update'
// expect[clang-19]: no matching function for call to 'fill_context_update'
// expect[clang-cl]: no matching function for call to 'fill_context_update'

#include <wddmcore/preemption/buffers/context_mapping.hpp>

struct update_twin {
    void* hAllocation;
    void* pPrivateDriverData;
    wddmcore::u32 PrivateDriverDataSize;
};

wddmcore::errc update(update_twin& args, void* handle) {
#if defined(BAD)
    wddmcore::preemption::driver_allocation_handle const allocation{handle};
#else
    wddmcore::preemption::system_allocation_handle const allocation{handle};
#endif
    return wddmcore::preemption::fill_context_update(args, allocation, nullptr, 0);
}

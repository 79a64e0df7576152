// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// decode.op: instructions of build_paging_buffer from its entry to the first store of a packet, for the smallest good
// request of each operation: choosing the operation, resolving both sides, and every check that is made before anything
// is written. The store is a call (decode_gpu.hpp) at which counting ends: under GATE_FUNCTION, the name of the one
// function to be counted, the program ends there; else it goes on with the next operation.
//
// Operations 0 and 7 have limits of their own: they have two sides, and what can be told is told before the first store. By
// g++'s listing: dispatch 11, size and kinds of the sides 13, the list 17, the segment 18, alignment 3, token 5, buffer 9;
// these alone are 76. A frame is 8, and the only command of a page or a run 12.

#include "decode_requests.hpp"

#include <csetjmp>
#include <cstdlib>
#include <cstring>

namespace {

using namespace wddmcore;
using decode::arguments;

decode_gpu hardware;
decode::requests requests;
std::jmp_buf reached;
int volatile stores = 0;
char const* counted_alone = nullptr;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// Calls until the packet: that there is one, and only one, is part of what is checked.
void count(paging_operation operation, char const* name, int (*measured)(arguments&)) {
    if (counted_alone != nullptr && std::strcmp(counted_alone, name) != 0) {
        return;
    }
    arguments args = requests.of(operation);
    int const before = stores;
    if (setjmp(reached) == 0) {
        static_cast<void>(measured(args));
    }
    require(stores == before + 1);
}

}  // namespace

extern "C" {

[[gnu::noinline]] void until_first_store(u32* at) {
    require(at == requests.buffer);
    stores = stores + 1;
    if (counted_alone != nullptr) {
        std::_Exit(0);
    }
    std::longjmp(reached, 1);
}

[[gnu::noinline]] int measured_decode_transfer(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_fill(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_discard_content(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_read_physical(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_write_physical(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_map_aperture_segment(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_unmap_aperture_segment(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_special_lock_transfer(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_virtual_transfer(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_virtual_fill(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_init_context_resource(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_update_page_table(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_flush_tlb(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_update_context_allocation(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_copy_page_table_entries(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_notify_residency(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_signal_monitored_fence(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_map_aperture_segment2(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_notify_fence_residency(arguments& args) {
    return build_paging_buffer(hardware, args);
}
[[gnu::noinline]] int measured_decode_map_mmu(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_unmap_mmu(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_notify_residency2(arguments& args) { return build_paging_buffer(hardware, args); }
[[gnu::noinline]] int measured_decode_notify_alloc(arguments& args) { return build_paging_buffer(hardware, args); }
}

int main() {
    counted_alone = std::getenv("GATE_FUNCTION");
    count(paging_operation::transfer, "measured_decode_transfer", measured_decode_transfer);
    count(paging_operation::fill, "measured_decode_fill", measured_decode_fill);
    count(paging_operation::discard_content, "measured_decode_discard_content", measured_decode_discard_content);
    count(paging_operation::read_physical, "measured_decode_read_physical", measured_decode_read_physical);
    count(paging_operation::write_physical, "measured_decode_write_physical", measured_decode_write_physical);
    count(paging_operation::map_aperture_segment, "measured_decode_map_aperture_segment",
          measured_decode_map_aperture_segment);
    count(paging_operation::unmap_aperture_segment, "measured_decode_unmap_aperture_segment",
          measured_decode_unmap_aperture_segment);
    count(paging_operation::special_lock_transfer, "measured_decode_special_lock_transfer",
          measured_decode_special_lock_transfer);
    count(paging_operation::virtual_transfer, "measured_decode_virtual_transfer", measured_decode_virtual_transfer);
    count(paging_operation::virtual_fill, "measured_decode_virtual_fill", measured_decode_virtual_fill);
    count(paging_operation::init_context_resource, "measured_decode_init_context_resource",
          measured_decode_init_context_resource);
    count(paging_operation::update_page_table, "measured_decode_update_page_table", measured_decode_update_page_table);
    count(paging_operation::flush_tlb, "measured_decode_flush_tlb", measured_decode_flush_tlb);
    count(paging_operation::update_context_allocation, "measured_decode_update_context_allocation",
          measured_decode_update_context_allocation);
    count(paging_operation::copy_page_table_entries, "measured_decode_copy_page_table_entries",
          measured_decode_copy_page_table_entries);
    count(paging_operation::notify_residency, "measured_decode_notify_residency", measured_decode_notify_residency);
    count(paging_operation::signal_monitored_fence, "measured_decode_signal_monitored_fence",
          measured_decode_signal_monitored_fence);
    count(paging_operation::map_aperture_segment2, "measured_decode_map_aperture_segment2",
          measured_decode_map_aperture_segment2);
    count(paging_operation::notify_fence_residency, "measured_decode_notify_fence_residency",
          measured_decode_notify_fence_residency);
    count(paging_operation::map_mmu, "measured_decode_map_mmu", measured_decode_map_mmu);
    count(paging_operation::unmap_mmu, "measured_decode_unmap_mmu", measured_decode_unmap_mmu);
    count(paging_operation::notify_residency2, "measured_decode_notify_residency2", measured_decode_notify_residency2);
    count(paging_operation::notify_alloc, "measured_decode_notify_alloc", measured_decode_notify_alloc);
    return 0;
}

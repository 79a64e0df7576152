// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the instruction gates count: whole builds through build_paging_buffer, validated and resumable, from the
// operation's arguments to the committed buffer. Inputs are made outside the counted functions.

#include "transfer_inputs.hpp"

namespace {

physical_gpu physical = physical_gpu::started(where);
virtual_gpu through_va = virtual_gpu::started(where);

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_scatter(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_mixed(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_contiguous_list(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_contiguous_base(virtual_arguments& args) {
    return build_paging_buffer(through_va, args);
}
[[gnu::noinline]] int measured_fill(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_mixed_small_buffers(arguments& args) { return build_paging_buffer(physical, args); }
[[gnu::noinline]] int measured_one_page(arguments& args) { return build_paging_buffer(physical, args); }
}

int main() {
    paged_memory scatter{scattered()};
    paged_memory mix{mixed()};
    paged_memory line{contiguous()};

    arguments args = evict(scatter);
    require(measured_scatter(args) == status::success);
    args = evict(mix);
    require(measured_mixed(args) == status::success);
    args = evict(line);
    require(measured_contiguous_list(args) == status::success);

    virtual_arguments copy = copy_of_1g();
    require(measured_contiguous_base(copy) == status::success);

    args = fill_of_1g();
    require(measured_fill(args) == status::success);

    // 4-KiB buffers: the passes of one operation, resumed from the token alone.
    args = evict(mix);
    for (int status = status::graphics_insufficient_dma_buffer; status == status::graphics_insufficient_dma_buffer;) {
        args.pDmaBuffer = buffer.data();
        args.DmaSize = 4096;
        status = measured_mixed_small_buffers(args);
        require(status == status::success || status == status::graphics_insufficient_dma_buffer);
    }

    args = evict(scatter);
    args.Transfer.TransferSize = page_bytes;
    require(measured_one_page(args) == status::success);
    return 0;
}

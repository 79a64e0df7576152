// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: capabilities: `native_fences` is claimed, but DXGKARG_BUILDPAGINGBUFFER of the included header has no
// expect: from build 26100 on

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

/// Header builds 20348 to 22621 declare WDDM 2.9 and later without the arguments of operation 18.
struct arguments_of_22621 : wddmcore::mirror::v2_9::dxgkarg_buildpagingbuffer {
    int NotifyFenceResidency;
};
#if defined(BAD)
#    define gpu_arguments arguments_of_22621
#else
#    define gpu_arguments wddmcore::mirror::v2_9::dxgkarg_buildpagingbuffer
#endif
#define gpu_caps                                                                  \
    static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_9, \
                                                 .native_fences = wddmcore::claim::yes};
#include "../hw/good_gpu.hpp"

wddmcore::ntstatus build(good_gpu& gpu, arguments& args) { return wddmcore::build_paging_buffer(gpu, args); }

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// expect: the arguments are const, but pDmaBuffer, pDmaBufferPrivateData and MultipassOffset have to be written

#include <hardware/amd_gfx10.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

using namespace wddmcore;

ntstatus build(examples::amd::gfx10<>& hw,
#if defined(BAD)
               mirror::v1_3::dxgkarg_buildpagingbuffer const& args
#else
               mirror::v1_3::dxgkarg_buildpagingbuffer& args
#endif
) {
    return build_paging_buffer(hw, args);
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: could not convert 'offset' from 'wddmcore::v0::segment_offset' to 'wddmcore::v0::segment_address'
// expect[clang-14]: no viable conversion from 'wddmcore::segment_offset' to 'wddmcore::segment_address'
// expect[clang-19]: no viable conversion from 'segment_offset' to 'segment_address'
// expect[clang-cl]: no viable conversion from 'segment_offset' to 'segment_address'

#include "good_segments.hpp"

#ifdef BAD
bool is_inside(segment_offset offset) {
#else
bool is_inside(segment_address offset) {
#endif
    return segment::to_offset(good_gpu::segments.all(), vram, offset).ok();
}

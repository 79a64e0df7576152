// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect[gcc]: conversion from 'wddmcore::v0::segment_offset' to non-scalar type 'wddmcore::v0::segment_address' requested
// expect[clang-14]: no viable conversion from 'wddmcore::segment_offset' to 'wddmcore::segment_address'
// expect[clang-19]: no viable conversion from 'segment_offset' to 'segment_address'
// expect[clang-cl]: no viable conversion from 'segment_offset' to 'segment_address'

#include "good_segments.hpp"

#ifdef BAD
bool is_base(segment_offset number) {
#else
bool is_base(segment_address number) {
#endif
    segment_address base = number;
    return base == good_gpu::segments.rows[1].base;
}

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: segments: an aperture needs the map and unmap operations

#ifdef BAD
#    define profile_members .aperture = aperture_forms::none
#endif
#include "good_segments.hpp"

static_assert(check_segments<good_gpu::segments, good_gpu::profile>());

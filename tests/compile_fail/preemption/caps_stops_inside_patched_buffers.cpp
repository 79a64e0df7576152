// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption_model: an engine stops inside a DMA buffer, which is patched again before it goes on

#ifdef BAD
#    define gpu_claim claims.virtual_addressing = claims.no_dma_patching = claim::no
#endif
#include "caps_good_gpu.hpp"

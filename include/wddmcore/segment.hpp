// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "segment/address.hpp"
#include "segment/allocation.hpp"
#include "segment/allocation_info.hpp"
#include "segment/allocation_text.hpp"
#include "segment/bank_preference.hpp"
#include "segment/dma_buffer_segments.hpp"
#include "segment/host_aperture.hpp"
#include "segment/layout.hpp"
#include "segment/mapped.hpp"
#include "segment/memory_state.hpp"
#include "segment/preference.hpp"
#include "segment/query_segment.hpp"
#include "segment/query_segment4.hpp"
#include "segment/query_segment5.hpp"
#include "segment/stated.hpp"
#include "segment/table.hpp"
#include "segment/text.hpp"

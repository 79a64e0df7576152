// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "segment/allocation/allocation.hpp"
#include "segment/allocation/bank_preference.hpp"
#include "segment/allocation/dma_buffer_segments.hpp"
#include "segment/allocation/info.hpp"
#include "segment/allocation/preference.hpp"
#include "segment/host_aperture.hpp"
#include "segment/layout.hpp"
#include "segment/query/memory_state.hpp"
#include "segment/query/segment.hpp"
#include "segment/query/segment4.hpp"
#include "segment/query/segment5.hpp"
#include "segment/stated.hpp"
#include "segment/table/mapped.hpp"
#include "segment/table/table.hpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpuva/level_desc.hpp"
#include "gpuva/link.hpp"
#include "gpuva/paging_process/reservation.hpp"
#include "gpuva/paging_process/space.hpp"
#include "gpuva/placement/by_segments.hpp"
#include "gpuva/placement/root_table.hpp"
#include "gpuva/promotion.hpp"

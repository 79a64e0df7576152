// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpuva/addressing.hpp"
#include "gpuva/dual_tables.hpp"
#include "gpuva/level_desc.hpp"
#include "gpuva/link.hpp"
#include "gpuva/paging_space.hpp"
#include "gpuva/placement_of_table.hpp"
#include "gpuva/promotion.hpp"
#include "gpuva/reservation.hpp"
#include "gpuva/root_table.hpp"
#include "gpuva/text.hpp"

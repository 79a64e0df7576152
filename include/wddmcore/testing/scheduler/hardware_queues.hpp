// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The simulator of hardware scheduling: it submits to hardware queues, suspends and resumes contexts, switches lists,
/// resets nodes and updates native fences, for any driver that fills a driver_table.h with these functions, and judges
/// by rule id what the driver does.
#include "hardware_queues/scenario.hpp"

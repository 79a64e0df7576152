// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The simulator of the GPU scheduler: it submits, preempts, resets and interrupts, for any driver that fills a
/// driver_table.h, and judges by rule id what the driver does.
#include "scheduler/scenario.hpp"

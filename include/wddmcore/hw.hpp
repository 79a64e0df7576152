// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "hw/check.hpp"
#include "hw/fault_text.hpp"
#include "hw/limits.hpp"
#include "hw/preemption_model.hpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "preemption/engine.hpp"
#include "preemption/resume_slot.hpp"

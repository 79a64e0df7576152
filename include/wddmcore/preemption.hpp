// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "preemption/capabilities.hpp"
#include "preemption/engine.hpp"
#include "preemption/fence.hpp"

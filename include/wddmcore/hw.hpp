// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "hw/check.hpp"
#include "hw/limits.hpp"

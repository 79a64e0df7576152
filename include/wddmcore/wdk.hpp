// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// What a driver includes after its own d3dkmddi.h.
#include "wdk/bind.hpp"
#include "wdk/layout_check.hpp"
#include "wdk/resident_functions.hpp"

#include "wdk/pageable_functions.hpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adl/cursor.hpp"
#include "adl/runs.hpp"
#include "adl/source.hpp"

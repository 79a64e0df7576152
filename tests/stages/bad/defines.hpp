// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// Leaves a macro behind.
#define left_by_defines 1

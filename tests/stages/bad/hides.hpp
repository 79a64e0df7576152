// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// Undoes what the headers before it did, which show nothing of it where only the end is looked at.
#undef left_by_defines
#define near )hostile_macro(

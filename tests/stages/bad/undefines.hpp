// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// Takes away a macro of another header.
#undef near

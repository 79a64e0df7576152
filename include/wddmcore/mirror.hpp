// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The DDI's structures for programs without the DDI's header: host tests, examples and the simulators. A driver has
/// the real ones, so wddmcore.hpp leaves these out.
#include "ddi/mirror_binding.hpp"

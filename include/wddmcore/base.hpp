// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "base/assert.hpp"
#include "base/bits.hpp"
#include "base/breach.hpp"
#include "base/checked.hpp"
#include "base/meta.hpp"
#include "base/result.hpp"
#include "base/span.hpp"
#include "base/stores.hpp"
#include "base/types.hpp"
#include "base/units.hpp"

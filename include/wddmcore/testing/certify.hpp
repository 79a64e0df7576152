// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// One entry to both simulators: `certify(driver, options)` plays the default scenarios and reports by rule id.
#include "certify/run.hpp"

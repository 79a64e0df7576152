// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging/build.hpp"
#include "paging/cpu/executor.hpp"

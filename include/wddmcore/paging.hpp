// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging/build.hpp"
#include "paging/cpu_executor.hpp"
#include "paging/put.hpp"

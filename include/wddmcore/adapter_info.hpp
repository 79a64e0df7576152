// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter_info/answer.hpp"

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What most tests and the larger examples include, parsed once a build; precompiled.cmake adds the simulators.
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

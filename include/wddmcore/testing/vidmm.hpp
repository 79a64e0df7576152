// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The simulator of the video memory manager: the class, and the bodies of its parts.
#include "vidmm/adapter/run.hpp"
#include "vidmm/adapter/start.hpp"
#include "vidmm/manager.hpp"
#include "vidmm/moves/aperture.hpp"
#include "vidmm/moves/content.hpp"
#include "vidmm/moves/context.hpp"
#include "vidmm/moves/lifetime.hpp"
#include "vidmm/moves/notice.hpp"
#include "vidmm/moves/power.hpp"
#include "vidmm/moves/process.hpp"
#include "vidmm/moves/residency.hpp"
#include "vidmm/probe.hpp"
#include "vidmm/scenario.hpp"

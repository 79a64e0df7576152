// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The simulator of the video memory manager: the class, and the bodies of its parts.
#include "vidmm/adapter_run.hpp"
#include "vidmm/adapter_start.hpp"
#include "vidmm/aperture_moves.hpp"
#include "vidmm/content_moves.hpp"
#include "vidmm/context_moves.hpp"
#include "vidmm/lifetime.hpp"
#include "vidmm/manager.hpp"
#include "vidmm/notice_moves.hpp"
#include "vidmm/power.hpp"
#include "vidmm/probe.hpp"
#include "vidmm/process_moves.hpp"
#include "vidmm/residency_moves.hpp"
#include "vidmm/scenario.hpp"

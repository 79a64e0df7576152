// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Everything a driver includes, except wdk/, which wants the driver's own DDI header first. testing/ and mirror.hpp
/// are for programs on a desktop.
#include "adapter_info.hpp"
#include "adl.hpp"
#include "base.hpp"
#include "ddi.hpp"
#include "gpuva.hpp"
#include "hw.hpp"
#include "iommu.hpp"
#include "paging.hpp"
#include "preemption.hpp"
#include "segment.hpp"

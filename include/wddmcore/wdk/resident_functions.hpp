// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// The DDI functions that may not be paged out, one call each: submissions, preemption, interrupts, recovery,
/// contexts, hardware queues. They run at DISPATCH_LEVEL or above, or hold a lock that raises the level. Include it
/// outside any paged section, after the DDI header.
///
///     NTSTATUS DdiPreemptCommand(HANDLE hAdapter, DXGKARG_PREEMPTCOMMAND const* args) {
///         return wddmcore::wdk::preempt_command<my_gpu>(hAdapter, args);
///     }
///
/// `my_gpu` is the hardware type, which is the driver's adapter too; wdk/functions/check.hpp lists what the functions
/// ask of it.
#include "functions/check.hpp"
#include "functions/contexts.hpp"
#include "functions/hardware_queues.hpp"
#include "functions/interrupts.hpp"
#include "functions/recovery.hpp"
#include "functions/submission.hpp"

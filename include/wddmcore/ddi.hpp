// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ddi/adapter_query.hpp"
#include "ddi/binding.hpp"
#include "ddi/casts.hpp"
#include "ddi/interface_version.hpp"
#include "ddi/members.hpp"
#include "ddi/ntstatus.hpp"
#include "ddi/operation.hpp"
#include "ddi/preemption_granularity.hpp"
#include "ddi/pte_flags.hpp"
#include "ddi/query_answer.hpp"

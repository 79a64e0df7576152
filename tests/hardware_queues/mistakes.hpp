// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Mistakes that the queue driver can be told to make; each is what a rule warns of.
namespace queue_driver {

enum class mistake {
    none,
    // Suspensions.
    says_suspended_at_once,
    pending_when_suspended,
    never_reports_suspension,
    never_asks_to_suspend,
    suspend_fails,
    takes_any_acknowledgement,
    resume_waits_for_acknowledgement,
    asks_once_for_two,
    fence_of_32_bits,
    resume_fails,
    reports_before_acknowledgement,
    properties_let_it_run,
    destroy_leaves_queue,
    // Contexts and submissions.
    starts_suspended,
    keeps_properties,
    properties_fail,
    keeps_private_data,
    copies_in_dpc,
    copies_half,
    fence_when_read,
    fence_at_submission,
    no_fence,
    drops_submission,
    submission_fails,
    refuses_while_suspended,
    // Lists.
    swaps_list,
    runs_second_of_empty_list,
    drops_second,
    reports_switch_at_once,
    never_reports_switch,
    never_switches,
    // Resets.
    restarts_in_reset,
    invalidates_nothing,
    invalidates_and_runs,
    hides_failed_resume,
    hides_failed_reset,
    wakes_nobody,
    wakes_suspended,
    adapter_reset_does_nothing,
    restart_does_nothing,
    // Logs.
    returns_before_quiet,
    writes_to_old_log,
    writes_half_entry,
    // Native fences.
    interrupts_at_equal,
    reads_before_store,
    decides_nothing,
    drops_signal,
    stores_nothing,
    no_barrier,
    barrier_before_store,
    claims_unasked,
    // Interrupts.
    no_dpc,
    no_notify_dpc,
    reads_first_node_only,
    notifies_at_passive_level,
};

}  // namespace queue_driver

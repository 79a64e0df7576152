// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Deliberate mistakes, for the slow machine and for the driver around it. The shipped machine has no such switch: it is
/// compared with the slow machine in every state that the exploration reaches.
namespace preemption_test {

enum class bug {
    none,

    // In the machine.
    last_is_first_of_batch,            ///< after one interrupt for several packets L names the first of them
    silent_never_retired,
    silent_stays_while_halted,
    silent_at_idle_becomes_entry,
    silent_retired_while_drained,
    last_names_a_preempted_packet,
    last_taken_from_newest_submitted,  ///< a stop moves L to the newest submission
    held_dropped,                      ///< no mark: a report gives back what was submitted after its request too
    mark_at_head,                      ///< a report gives nothing back
    mark_moves_with_submissions,       ///< what is submitted later counts as submitted before the request
    head_not_moved,
    held_never_released,
    handed_over_while_stopping,
    handed_over_while_releasing,
    asks_idle_hardware,
    reports_before_the_stop,
    stale_serial_accepted,
    serials_reused,
    no_report_when_drained,
    reports_when_drained_and_waits,    ///< hardware that still answers is not waited for
    generation_ignored,
    generation_not_changed,
    through_ignored,
    stop_drops_the_completion,
    half_run_not_told,
    half_run_told_of_the_finished,
    fault_keeps_last,
    fault_does_not_halt,
    unknown_fault_moves_last,
    reports_while_halted,
    reset_keeps_last,
    reset_keeps_ring,
    reset_keeps_request,
    reset_names_newest_when_nothing_ran,
    reset_names_newest,
    reset_names_oldest_when_nothing_ran,
    reset_names_held,
    adapter_reset_keeps_last,
    adapter_reset_names_newest_ever,
    restart_forgets_held,
    no_disarm,
    ids_must_rise,
    second_request_ignored,
    second_request_moves_sent,

    // In the machine, and harmless.
    completion_past_sent_accepted,
    disarms_instead_of_waiting,
    no_completion_before_fault,
    reset_changes_generation,
    nothing_counts_as_ignored,

    // In the driver.
    completion_by_os_id,
    slot_used_up_at_hand_over,
    slot_forgets_hand_over,        ///< recognises a half-run packet by its place alone
    slot_kept_when_finished,
    slot_cleared_by_any_reset,
    slot_ignores_window,
    completion_before_fault,
    no_collecting_before_reset,
    reset_keeps_fault_latch,
    disarm_forgotten,
    preempted_before_completed,
    half_run_restarted,

    count,
};

char const* name_of(bug b);

}  // namespace preemption_test

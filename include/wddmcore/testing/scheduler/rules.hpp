// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// The rules that the simulator of the GPU scheduler can see broken, in the contract's own numbering.
enum class rule : std::size_t {
    pre_08,
    pre_09,
    pre_10,
    pre_11,
    pre_12,
    pre_13,
    pre_14,
    pre_15,
    pre_16,
    pre_18,
    pre_19,
    pre_22,
    pre_26,
    pre_27,
    pre_29,
    pre_30,
    int_01,
    int_02,
    int_03,
    int_04,
    int_05,
    int_07,
    int_08,
    int_09,
    int_10,
    irq_02,
    tdr_02,
    tdr_03,
    tdr_04,
    tdr_05,
    tdr_06,
    tdr_07,
    tdr_08,
    tdr_10,
    tdr_11,
    tdr_14,
    ctx_01,
    ctx_03,
    ctx_05,
    spl_12,
    flp_01,
    flp_02,
    flp_03,
    flp_04,
    flp_05,
    flp_07,
    lda_01,
    lda_03,
    lda_04,
    lda_05,
    amb_45,
    amb_46,
    amb_47,
    amb_52,
    hws_01,
    hws_02,
    hws_03,
    hws_04,
    hws_05,
    hws_06,
    hws_07,
    hws_08,
    hws_09,
    hws_10,
    hws_11,
    hws_12,
    hws_15,
};

/// A rule's id and what it demands, in one sentence.
struct rule_text {
    rule which;
    char const* id;
    char const* sentence;
};

inline constexpr rule_text rules[] = {
    {rule::pre_08, "PRE-08",
     "a preempt request is started and returns; healthy hardware answers it and the driver reports it"},
    {rule::pre_09, "PRE-09", "the preempt function returns success"},
    {rule::pre_10, "PRE-10",
     "with everything reported, a preemption is reported at once and the hardware is not asked"},
    {rule::pre_11, "PRE-11",
     "a preemption is reported once, with the request's id and the id of the last completed packet"},
    {rule::pre_12, "PRE-12", "no packet runs twice: what has finished is reported before a preemption names the last"},
    {rule::pre_13, "PRE-13", "a completion reaches the scheduler before the preemption that names it as the last"},
    {rule::pre_14, "PRE-14", "the last completed id never names a preempted packet"},
    {rule::pre_15, "PRE-15",
     "preempted packets are forgotten: never handed over, run or completed from an old submission"},
    {rule::pre_16, "PRE-16", "preempted paging packets come back with their old ids and are taken like any other"},
    {rule::pre_18, "PRE-18", "an id may be smaller than earlier ones: no submission is refused for it"},
    {rule::pre_19, "PRE-19",
     "a half-run packet is told by its identity: the Resubmission flag is 0 in 1.x and says too little later"},
    {rule::pre_22, "PRE-22", "a packet that waits for a semaphore is preempted before its condition is met"},
    {rule::pre_26, "PRE-26",
     "when the last packet completes after the request, the preemption is reported, disarmed first"},
    {rule::pre_27, "PRE-27", "nodes and engines are kept apart: a record names its own"},
    {rule::pre_29, "PRE-29", "a null-rendering packet is not executed and completes"},
    {rule::pre_30, "PRE-30",
     "a rejected virtual packet counts as completed after all earlier ones; other submissions succeed"},
    {rule::int_01, "INT-01",
     "a record is followed by a DPC queued before the interrupt level is left, and that by notify-DPC"},
    {rule::int_02, "INT-02", "in one interrupt what is of packets is reported before what is of displays"},
    {rule::int_03, "INT-03", "records are notified at device level, on one message, never reentered"},
    {rule::int_04, "INT-04", "the interrupt routine calls only notify-interrupt and queue-DPC"},
    {rule::int_05, "INT-05", "the interrupt routine says whose the interrupt was, and dismisses its own"},
    {rule::int_07, "INT-07", "a completion names the newest packet that has finished, and all before it have finished"},
    {rule::int_08, "INT-08", "query-current-fence itself reports what was not reported, and only that"},
    {rule::int_09, "INT-09", "a fault names its packet, or says that it cannot, and the last completed id follows it"},
    {rule::int_10, "INT-10", "DMA_FAULTED is reserved: a fault is DMA_PAGE_FAULTED"},
    {rule::irq_02, "IRQ-02", "notify-DPC is called at dispatch level"},
    {rule::tdr_02, "TDR-02", "the dependent mask has the node itself and each other node that is affected"},
    {rule::tdr_03, "TDR-03", "status and dependents always succeed; responsive only if there was progress"},
    {rule::tdr_04, "TDR-04", "an engine reset returns with the ring empty and the engine ready"},
    {rule::tdr_05, "TDR-05", "the aborted id lies between the last completed and the last submitted one"},
    {rule::tdr_06, "TDR-06", "when nothing was executing, a reset reports the last completed id"},
    {rule::tdr_07, "TDR-07",
     "the aborted id becomes the last completed one; after an adapter reset the newest in flight does"},
    {rule::tdr_08, "TDR-08", "an engine reset that failed says so"},
    {rule::tdr_10, "TDR-10", "what comes late after a reset moves nothing"},
    {rule::tdr_11, "TDR-11", "adapter reset and restart succeed, and the GPU touches no memory between them"},
    {rule::tdr_14, "TDR-14", "cancel succeeds, touches no engine and leaves nothing of the packet behind"},
    {rule::ctx_01, "CTX-01", "a context switch to the null context completes like any packet"},
    {rule::ctx_03, "CTX-03", "after it has completed the GPU does not refer to the old context"},
    {rule::ctx_05, "CTX-05", "zero-length submissions are accepted"},
    {rule::spl_12, "SPL-12", "a split portion is a whole packet: state is saved and restored at its boundaries"},
    {rule::flp_01, "FLP-01",
     "a flip that is pending neither delays a preemption nor is lost by one, by a cancelled packet or by a reset"},
    {rule::flp_02, "FLP-02", "the present of a flip by registers has no DMA buffer, succeeds and writes nothing"},
    {rule::flp_03, "FLP-03",
     "the address of a source is programmed at device level, with nothing that is forbidden there"},
    {rule::flp_04, "FLP-04",
     "the address is programmed before the next vsync, and a vsync reports the one that is scanned out"},
    {rule::flp_05, "FLP-05",
     "a vsync is reported by interrupt and then by DPC, with an address, even while the source is blanked"},
    {rule::flp_07, "FLP-07", "flips at the next vsync and immediate ones are both done as asked"},
    {rule::lda_01, "LDA-01", "in a link a record's engine is the index of its physical adapter, counted from 0"},
    {rule::lda_03, "LDA-03", "a context's packets go to the engine of its affinity, 1 << engine"},
    {rule::lda_04, "LDA-04", "outside a link the engine ordinal in a record is 0"},
    {rule::lda_05, "LDA-05",
     "a split buffer that is broadcast is not modified: each adapter of the link reads the bytes of its first patch"},
    {rule::amb_45, "AMB-45", "what is submitted while a request is outstanding is held, then handed over"},
    {rule::amb_46, "AMB-46", "a request that a reset ended is not reported any more"},
    {rule::amb_47, "AMB-47", "a reset aborts the packet that was executing, never one that was waiting in the ring"},
    {rule::amb_52, "AMB-52",
     "a packet that was stopped half run goes on where it was: same context, buffer and window"},
    {rule::hws_01, "HWS-01",
     "suspending succeeds for a suspended context; else it is pending, and a report with its fence follows"},
    {rule::hws_02, "HWS-02",
     "suspend, resume, suspend without waiting is legal: the acknowledgement of the newest request alone counts"},
    {rule::hws_03, "HWS-03", "once a suspension is acknowledged, nothing on the GPU refers to the context"},
    {rule::hws_04, "HWS-04",
     "a context starts resumed, and the hardware has its scheduling properties before its first packet"},
    {rule::hws_05, "HWS-05",
     "the private data of a submission to a queue is copied, for it is gone when the call returns"},
    {rule::hws_06, "HWS-06",
     "a progress fence is written last, and where the hardware releases it, when the buffer is not used any more"},
    {rule::hws_07, "HWS-07",
     "the first context of a list runs now, the second when the first has nothing; no first means idle"},
    {rule::hws_08, "HWS-08",
     "a reset invalidates the contexts that it hit, and nothing runs until the engine is resumed"},
    {rule::hws_09, "HWS-09",
     "when a new log is set no entry goes to the old one any more, and each valid entry was written whole"},
    {rule::hws_10, "HWS-10",
     "a native fence interrupts exactly when its current value is above the monitored one, also during an update"},
    {rule::hws_11, "HWS-11", "native fences are claimed only after the system said that they are enabled"},
    {rule::hws_12, "HWS-12", "a suspended context keeps its queues, and they take packets"},
    {rule::hws_15, "HWS-15", "when an update of monitored values returns, the GPU has seen the new ones"},
};

inline constexpr std::size_t rule_count = std::size(rules);

static_assert([] {
    for (std::size_t i = 0; i < rule_count; ++i) {
        if (rules[i].which != static_cast<rule>(i)) {
            return false;
        }
    }
    return static_cast<std::size_t>(rule::hws_15) + 1 == rule_count;
}());

/// The rule's id, for example "PRE-10".
[[nodiscard]] constexpr char const* id_of(rule which) { return rules[static_cast<std::size_t>(which)].id; }

}  // namespace wddmcore::testing::scheduler

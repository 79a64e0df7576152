// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// stack-limit: 128
//
// What a driver's interrupt routine and its scheduling functions take from the library beside the machine itself.

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption.hpp>

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace preemption_records {

using machine = engine<64>;
using interrupt_data = mirror::v3_1::dxgkargcb_notify_interrupt_data;
using submit_arguments = mirror::v3_1::dxgkarg_submitcommand;

/// One adapter's part: the record's memory lies in it, not on the stack.
struct adapter {
    adapter_shape shape;
    machine engines[4];
    lazy_switch<u64> loaded[4];
    engine_status status[4];
    pending_flip flip;
    hw_context context;
    interrupt_data record;
    u32 records;  // in a driver: DxgkCbNotifyInterrupt and DxgkCbQueueDpc, whose depth is the system's
    u32 dpcs;
};

bool interrupt(adapter& a, u32 node, serial finished) {
    actions const demanded = a.engines[node].completed(finished);
    return notify_in_order(
        demanded, a.engines[node].report(), as_reported(a.shape, {node, 0}), fault_details{}, a.record,
        [&a](interrupt_data const&) { ++a.records; }, [&a] { ++a.dpcs; });
}

ntstatus query(adapter& a, mirror::v3_1::dxgkarg_querycurrentfence& args) {
    return answer_query_current_fence(args, a.engines[args.NodeOrdinal & 3u].last_completed());
}

ntstatus status(adapter& a, mirror::v3_1::dxgkarg_queryenginestatus& args, u64 progress) {
    return a.status[args.NodeOrdinal & 3u].answer(args, {progress});
}

ntstatus reset(adapter& a, mirror::v3_1::dxgkarg_resetengine& args, executing ran) {
    machine& e = a.engines[args.NodeOrdinal & 3u];
    return answer_reset_engine(args, {true, true, true}, e, ran);
}

switch_plan<u64> before(adapter& a, submit_arguments const& args, u64 context) {
    return a.loaded[args.NodeOrdinal & 3u].handed_over(
        args.Flags.Value, {args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset}, context);
}

result<engine_id> route(adapter const& a, submit_arguments const& args, engine_id const* context) {
    return engine_of_submission(args, context, a.shape, 0);
}

errc flip(adapter& a, primary_address primary) { return a.flip.programmed(primary, false); }

hw_answer suspend(adapter& a, u64 fence) { return a.context.suspend(fence); }
hw_answer acknowledged(adapter& a, u64 fence) { return a.context.acknowledged(fence); }

void suspended(adapter& a, void* handle, u64 fence) { fill_suspended(a.record, handle, fence); }

}  // namespace preemption_records

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Two functions of a driver that exists, given to the library. Stage guide compiles it as for Windows, against the stand-in
// for the kit.

// region: includes
#include <ntddk.h>

#include <dispmprt.h>  // it includes d3dkmddi.h

#include <wddmcore/wddmcore.hpp>

#include <wddmcore/wdk/bind.hpp>

#include "../answers/my_adapter.hpp"  // the hardware type
// end: includes

// region: adapter
struct ADAPTER {
    DXGKRNL_INTERFACE Dxgk;
    UINT Revision;
    guide::my_adapter Gpu;  // new: the library's part
};
// end: adapter

static NTSTATUS AnswerAsBefore(ADAPTER const* pAdapter, DXGKARG_QUERYADAPTERINFO const* pArgs) {
    if (pArgs->Type != DXGKQAITYPE_UMDRIVERPRIVATE || pArgs->OutputDataSize < sizeof(UINT)) {
        return STATUS_NOT_SUPPORTED;
    }
    *static_cast<UINT*>(pArgs->pOutputData) = pAdapter->Revision;
    return STATUS_SUCCESS;
}

extern "C" {

DXGKDDI_BUILDPAGINGBUFFER MyBuildPagingBuffer;
DXGKDDI_QUERYADAPTERINFO MyQueryAdapterInfo;

// region: paging
NTSTATUS APIENTRY MyBuildPagingBuffer(const HANDLE hAdapter, DXGKARG_BUILDPAGINGBUFFER* pArgs) {
    return wddmcore::build_paging_buffer(static_cast<ADAPTER*>(hAdapter)->Gpu, *pArgs);
}
// end: paging

// region: query
NTSTATUS APIENTRY MyQueryAdapterInfo(const HANDLE hAdapter, const DXGKARG_QUERYADAPTERINFO* pArgs) {
    auto const* pAdapter = static_cast<ADAPTER const*>(hAdapter);
    NTSTATUS const Own = AnswerAsBefore(pAdapter, pArgs);  // the switch that was there
    auto const Answer = wddmcore::answer_query_adapter_info(pAdapter->Gpu, *pArgs);
    return Answer.done() ? Answer.status : Own;
}
// end: query
}

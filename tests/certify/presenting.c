/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * DxgkDdiPresent for examples/c_driver, whose contexts have GPU virtual addresses: source and destination come as
 * DXGK_PRESENTALLOCATIONINFO, and commands have addresses of the process. Records of the example GPU's processor are eight
 * words: a copy (1) has destination, source and size, a fill (2) a value, destination and size.
 */

#include <ntddk.h>

#include <dispmprt.h>

#define STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER ((NTSTATUS)0xC01E0001)
#define STATUS_GRAPHICS_CANNOTCOLORCONVERT ((NTSTATUS)0xC01E0008)

enum { SOURCE = 1, DESTINATION = 2, PIXEL_BYTES = 4, ROW_BYTES = 256 * PIXEL_BYTES, RECORD_WORDS = 8 };

NTSTATUS Present(const HANDLE hContext, DXGKARG_PRESENT* args);

static VOID SetWide(ULONG* words, ULONG64 value) {
    words[0] = (ULONG)value;
    words[1] = (ULONG)(value >> 32);
}

static ULONG64 AddressOf(const DXGK_PRESENTALLOCATIONINFO* info, LONG x, LONG y) {
    return info->AllocationVirtualAddress + (ULONG64)y * ROW_BYTES + (ULONG64)x * PIXEL_BYTES;
}

/* Row by row, without stretching; MultipassOffset counts the rows that are done. */
NTSTATUS Present(const HANDLE hContext, DXGKARG_PRESENT* args) {
    const UCHAR* end = (UCHAR*)args->pDmaBuffer + args->DmaSize;
    LONG right = args->SrcRect.left - args->DstRect.left;
    LONG down = args->SrcRect.top - args->DstRect.top;
    BOOLEAN fills = args->Flags.Value == 2;
    UINT row = 0;
    UINT i;
    LONG y;
    UNREFERENCED_PARAMETER(hContext);
    if (args->Flags.Value != 1 && !fills) {
        return STATUS_GRAPHICS_CANNOTCOLORCONVERT;
    }
    for (i = 0; i != args->SubRectCnt; ++i) {
        const RECT* part = &args->pDstSubRects[i];
        for (y = part->top; y < part->bottom; ++y, ++row) {
            ULONG* words = args->pDmaBuffer;
            if (row < args->MultipassOffset) {
                continue;
            }
            if ((SIZE_T)(end - (UCHAR*)words) < RECORD_WORDS * sizeof *words) {
                return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
            }
            words[0] = RECORD_WORDS << 8 | (fills ? 2 : 1);
            words[1] = fills ? args->Color : 0;
            SetWide(words + 2, AddressOf(&args->pAllocationInfo[DESTINATION], part->left, y));
            SetWide(words + 4, (ULONG64)(part->right - part->left) * PIXEL_BYTES);
            SetWide(words + 6, 0);
            if (!fills) {
                SetWide(words + 6, (ULONG64)(part->right - part->left) * PIXEL_BYTES);
                SetWide(words + 4, AddressOf(&args->pAllocationInfo[SOURCE], part->left + right, y + down));
            }
            args->pDmaBuffer = words + RECORD_WORDS;
            args->MultipassOffset = row + 1;
        }
    }
    return STATUS_SUCCESS;
}

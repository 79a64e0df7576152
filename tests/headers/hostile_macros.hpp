// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What other headers of a driver define, here with bodies that no program survives: a use of one of these names in a
// header of ours is a syntax error. hostile_names.txt holds the names that are only names; headers.py adds them.
#pragma once

// Macros with parameters bite only where a parenthesis follows, as in the real headers.
#define min(a, b) )hostile_macro(
#define max(a, b) )hostile_macro(
#define abnormal_termination() )hostile_macro(
#define exception_code() )hostile_macro(
#define exception_info() )hostile_macro(
#define isascii(c) )hostile_macro(
#define toascii(c) )hostile_macro(
#define iscsym(c) )hostile_macro(
#define iscsymf(c) )hostile_macro(
#define wcswcs(a, b) )hostile_macro(
#define offsetof(type, member) )hostile_macro(
#define assert(condition) )hostile_macro(
#define va_start(list, last) )hostile_macro(
#define va_arg(list, type) )hostile_macro(
#define va_end(list) )hostile_macro(
#define major(device) )hostile_macro(
#define minor(device) )hostile_macro(
#define BYTES_TO_PAGES(size) )hostile_macro(
#define ROUND_TO_PAGES(size) )hostile_macro(
#define PAGE_ALIGN(address) )hostile_macro(
#define BYTE_OFFSET(address) )hostile_macro(
#define ADDRESS_AND_SIZE_TO_SPAN_PAGES(address, size) )hostile_macro(
#define ALIGN_DOWN_BY(length, alignment) )hostile_macro(
#define ALIGN_UP_BY(length, alignment) )hostile_macro(
#define ALIGN_DOWN(length, type) )hostile_macro(
#define ALIGN_UP(length, type) )hostile_macro(
#define CONTAINING_RECORD(address, type, field) )hostile_macro(
#define FIELD_OFFSET(type, field) )hostile_macro(
#define RTL_NUMBER_OF(array) )hostile_macro(
#define ARRAYSIZE(array) )hostile_macro(
#define UNREFERENCED_PARAMETER(name) )hostile_macro(
#define DECLARE_HANDLE(name) )hostile_macro(
#define DEFINE_GUID(name, a, b, c, d, e, f, g, h, i, j, k) )hostile_macro(
#define C_ASSERT(condition) )hostile_macro(
#define NT_ASSERT(condition) )hostile_macro(
#define NT_SUCCESS(status) )hostile_macro(
#define NT_ERROR(status) )hostile_macro(
#define ASSERT(condition) )hostile_macro(
#define ASSERTMSG(text, condition) )hostile_macro(
#define MAKELONG(low, high) )hostile_macro(
#define LOWORD(value) )hostile_macro(
#define HIWORD(value) )hostile_macro(
#define TEXT(text) )hostile_macro(
#define MmGetMdlPfnArray(mdl) )hostile_macro(
#define MmGetMdlByteCount(mdl) )hostile_macro(
#define MmGetMdlByteOffset(mdl) )hostile_macro(
#define MmGetMdlVirtualAddress(mdl) )hostile_macro(
#define MmGetSystemAddressForMdlSafe(mdl, priority) )hostile_macro(
#define MmInitializeMdl(mdl, address, length) )hostile_macro(
#define RtlZeroMemory(to, size) )hostile_macro(
#define RtlCopyMemory(to, from, size) )hostile_macro(
#define RtlMoveMemory(to, from, size) )hostile_macro(
#define RtlFillMemory(to, size, value) )hostile_macro(
#define RtlEqualMemory(a, b, size) )hostile_macro(
#define InterlockedIncrement(value) )hostile_macro(
#define InterlockedDecrement(value) )hostile_macro(
#define InterlockedExchange(to, value) )hostile_macro(
#define InterlockedExchangeAdd(to, value) )hostile_macro(
#define InterlockedCompareExchange(to, value, expected) )hostile_macro(
#define InterlockedCompareExchange64(to, value, expected) )hostile_macro(
#define InterlockedAnd(to, value) )hostile_macro(
#define InterlockedOr(to, value) )hostile_macro(
#define KeMemoryBarrier() )hostile_macro(
#define KeQueryInterruptTime() )hostile_macro(
#define KeInitializeEvent(event, type, state) )hostile_macro(
#define PAGED_CODE() )hostile_macro(

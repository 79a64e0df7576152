/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * The services of testing/kernel by name, for the assembler's .irp in bind_driver.cpp. A test compares these lists with
 * the services themselves.
 */

#define WDDMCORE_KERNEL_FUNCTIONS                                                                                    \
    "__C_specific_handler,__chkstk,__report_gsfailure,_purecall,_snprintf,_snprintf_s,_snwprintf,_snwprintf_s,"      \
    "_stricmp,_strnicmp,_vsnprintf,_vsnprintf_s,_vsnwprintf,_vsnwprintf_s,_wcsicmp,_wcsnicmp,DbgPrint,DbgPrintEx,"   \
    "EtwActivityIdControl,EtwRegister,EtwSetInformation,EtwUnregister,EtwWrite,EtwWriteTransfer,ExAcquireFastMutex," \
    "ExAcquireFastMutexUnsafe,ExAcquireResourceExclusiveLite,ExAcquireResourceSharedLite,"                           \
    "ExAcquireRundownProtection,ExAcquireRundownProtectionEx,ExAcquireSharedStarveExclusive,"                        \
    "ExAcquireSharedWaitForExclusive,ExAllocateFromPagedLookasideList,ExAllocatePool,ExAllocatePool2,"               \
    "ExAllocatePool3,ExAllocatePoolWithQuotaTag,ExAllocatePoolWithTag,ExAllocateTimer,ExCancelTimer,"                \
    "ExConvertExclusiveToSharedLite,ExDeleteLookasideListEx,ExDeleteNPagedLookasideList,ExDeletePagedLookasideList," \
    "ExDeleteResourceLite,ExDeleteTimer,ExEnterCriticalRegionAndAcquireResourceExclusive,"                           \
    "ExEnterCriticalRegionAndAcquireResourceShared,ExFlushLookasideListEx,ExFreePool,ExFreePool2,ExFreePoolWithTag," \
    "ExFreeToPagedLookasideList,ExGetExclusiveWaiterCount,ExGetSharedWaiterCount,ExInitializeLookasideListEx,"       \
    "ExInitializeNPagedLookasideList,ExInitializePagedLookasideList,ExInitializeResourceLite,"                       \
    "ExInitializeRundownProtection,ExInterlockedInsertHeadList,ExInterlockedInsertTailList,"                         \
    "ExInterlockedRemoveHeadList,ExIsResourceAcquiredExclusiveLite,ExIsResourceAcquiredSharedLite,"                  \
    "ExpInterlockedFlushSList,ExpInterlockedPopEntrySList,ExpInterlockedPushEntrySList,ExQueryDepthSList,"           \
    "ExQueueWorkItem,ExRaiseAccessViolation,ExRaiseStatus,ExReinitializeResourceLite,"                               \
    "ExReInitializeRundownProtection,ExReleaseFastMutex,ExReleaseFastMutexUnsafe,"                                   \
    "ExReleaseResourceAndLeaveCriticalRegion,ExReleaseResourceForThreadLite,ExReleaseResourceLite,"                  \
    "ExReleaseRundownProtection,ExReleaseRundownProtectionEx,ExRundownCompleted,ExSetTimer,ExTryToAcquireFastMutex," \
    "ExWaitForRundownProtectionRelease,HalGetBusDataByOffset,InitializeSListHead,IoAllocateMdl,IoAllocateWorkItem,"  \
    "IoBuildDeviceIoControlRequest,IofCallDriver,IoFreeMdl,IoFreeWorkItem,IoGetCurrentProcess,"                      \
    "IoGetDeviceObjectPointer,IoGetDeviceProperty,IoGetDevicePropertyData,IoInitializeWorkItem,"                     \
    "IoOpenDeviceRegistryKey,IoQueueWorkItem,IoQueueWorkItemEx,IoSizeofWorkItem,IoUninitializeWorkItem,"             \
    "IoWMIRegistrationControl,KeAcquireGuardedMutex,KeAcquireGuardedMutexUnsafe,KeAcquireInStackQueuedSpinLock,"     \
    "KeAcquireInStackQueuedSpinLockAtDpcLevel,KeAcquireSpinLock,KeAcquireSpinLockAtDpcLevel,"                        \
    "KeAcquireSpinLockRaiseToDpc,KeAreAllApcsDisabled,KeAreApcsDisabled,KeBugCheck,KeBugCheckEx,KeCancelTimer,"      \
    "KeClearEvent,KeDelayExecutionThread,KeEnterCriticalRegion,KeEnterGuardedRegion,KefAcquireSpinLockAtDpcLevel,"   \
    "KeFlushQueuedDpcs,KefReleaseSpinLockFromDpcLevel,KeGetCurrentIrql,KeGetCurrentProcessorNumberEx,"               \
    "KeGetCurrentThread,KeInitializeDpc,KeInitializeEvent,KeInitializeGuardedMutex,KeInitializeMutex,"               \
    "KeInitializeSemaphore,KeInitializeSpinLock,KeInitializeThreadedDpc,KeInitializeTimer,KeInitializeTimerEx,"      \
    "KeInsertQueueDpc,KeLeaveCriticalRegion,KeLeaveGuardedRegion,KeLowerIrql,KeMemoryBarrier,"                       \
    "KeQueryActiveProcessorCount,KeQueryActiveProcessorCountEx,KeQueryInterruptTime,KeQueryMaximumProcessorCountEx," \
    "KeQueryPerformanceCounter,KeQuerySystemTime,KeQuerySystemTimePrecise,KeQueryTimeIncrement,"                     \
    "KeQueryUnbiasedInterruptTime,KeRaiseIrqlToDpcLevel,KeReadStateEvent,KeReadStateSemaphore,KeReadStateTimer,"     \
    "KeReleaseGuardedMutex,KeReleaseGuardedMutexUnsafe,KeReleaseInStackQueuedSpinLock,"                              \
    "KeReleaseInStackQueuedSpinLockFromDpcLevel,KeReleaseMutex,KeReleaseSemaphore,KeReleaseSpinLock,"                \
    "KeReleaseSpinLockFromDpcLevel,KeRemoveQueueDpc,KeResetEvent,KeSetBasePriorityThread,KeSetEvent,"                \
    "KeSetImportanceDpc,KeSetPriorityThread,KeSetTargetProcessorDpc,KeSetTimer,KeSetTimerEx,"                        \
    "KeStallExecutionProcessor,KeTryToAcquireGuardedMutex,KeTryToAcquireSpinLockAtDpcLevel,"                         \
    "KeWaitForMultipleObjects,KeWaitForMutexObject,KeWaitForSingleObject,KfAcquireSpinLock,KfLowerIrql,KfRaiseIrql," \
    "KfReleaseSpinLock,memcmp,memcpy,memmove,memset,MmAllocateContiguousMemory,"                                     \
    "MmAllocateContiguousMemorySpecifyCache,MmAllocatePagesForMdl,MmAllocatePagesForMdlEx,"                          \
    "MmBuildMdlForNonPagedPool,MmFreeContiguousMemory,MmFreeContiguousMemorySpecifyCache,MmFreePagesFromMdl,"        \
    "MmGetPhysicalAddress,MmGetSystemRoutineAddress,MmIsAddressValid,MmMapIoSpace,MmMapIoSpaceEx,"                   \
    "MmMapLockedPagesSpecifyCache,MmProbeAndLockPages,MmUnlockPages,MmUnmapIoSpace,MmUnmapLockedPages,"              \
    "ObfDereferenceObject,ObfDereferenceObjectWithTag,ObfReferenceObject,ObfReferenceObjectWithTag,"                 \
    "ObReferenceObjectByHandle,ObReferenceObjectByHandleWithTag,ProbeForRead,ProbeForWrite,PsCreateSystemThread,"    \
    "PsGetCurrentProcess,PsGetCurrentProcessId,PsGetCurrentThread,PsGetCurrentThreadId,PsGetProcessId,"              \
    "PsGetThreadId,PsGetThreadProcess,PsGetThreadProcessId,PsIsSystemThread,PsTerminateSystemThread,"                \
    "RtlAnsiStringToUnicodeString,RtlAppendUnicodeStringToString,RtlAppendUnicodeToString,RtlAssert,"                \
    "RtlCheckRegistryKey,RtlCompareMemory,RtlCompareUnicodeString,RtlCopyMemory,RtlCopyUnicodeString,"               \
    "RtlCreateRegistryKey,RtlDeleteRegistryValue,RtlDowncaseUnicodeChar,RtlDowncaseUnicodeString,"                   \
    "RtlEqualUnicodeString,RtlFreeAnsiString,RtlFreeUnicodeString,RtlGetVersion,RtlInitAnsiString,RtlInitString,"    \
    "RtlInitUnicodeString,RtlInitUnicodeStringEx,RtlIntegerToUnicodeString,RtlIsNtDdiVersionAvailable,"              \
    "RtlMoveMemory,RtlMultiByteToUnicodeN,RtlPrefixUnicodeString,RtlQueryRegistryValues,"                            \
    "RtlUnicodeStringToAnsiString,RtlUnicodeStringToInteger,RtlUnicodeToMultiByteN,RtlUpcaseUnicodeChar,"            \
    "RtlUpcaseUnicodeString,RtlWriteRegistryValue,RtlZeroMemory,sprintf,sprintf_s,strcat,strcat_s,strchr,strcmp,"    \
    "strcpy,strcpy_s,strlen,strncat,strncat_s,strncmp,strncpy,strncpy_s,strnlen,strrchr,strstr,swprintf,swprintf_s," \
    "vDbgPrintEx,vsprintf_s,vswprintf_s,wcscat,wcscat_s,wcschr,wcscmp,wcscpy,wcscpy_s,wcslen,wcsncat,wcsncat_s,"     \
    "wcsncmp,wcsncpy,wcsncpy_s,wcsnlen,wcsrchr,wcsstr,WmiQueryTraceInformation,WmiTraceMessage,ZwClose,"             \
    "ZwCreateFile,ZwCreateKey,ZwDeleteValueKey,ZwEnumerateValueKey,ZwLoadDriver,ZwOpenKey,ZwQueryValueKey,"          \
    "ZwSetValueKey,ZwUnloadDriver"

/*
 * Variables of the kernel, each of at most eight bytes, which a kit declares with dllimport: by their own type. clang
 * knows no dllimport for this target, so that the name has to be the variable.
 */
#define WDDMCORE_KERNEL_VARIABLES "MmHighestUserAddress,MmSystemRangeStart,MmUserProbeAddress,PsInitialSystemProcess"

/* Those that a kit declares without it: as pointers to their type, since an import library calls the slot so. */
#define WDDMCORE_KERNEL_POINTERS                                                                                \
    "ExEventObjectType,InitSafeBootMode,IoFileObjectType,KdDebuggerEnabled,KdDebuggerNotPresent,NtBuildNumber," \
    "PsProcessType,PsThreadType"

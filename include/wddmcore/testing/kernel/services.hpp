// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "dxgk.hpp"
#include "exceptions.hpp"
#include "executive/conversions.hpp"
#include "executive/lookaside.hpp"
#include "executive/prints.hpp"
#include "executive/registry.hpp"
#include "executive/resources.hpp"
#include "executive/strings.hpp"
#include "executive/timers.hpp"
#include "executive/work_items.hpp"
#include "locks.hpp"
#include "runtime.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <unordered_map>

namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts {

/// Every service by its name.
[[nodiscard]] inline service const* find_service(std::string const& name);

namespace name_services {

/// Variables of the kernel.
struct variables {
    void* initial_process = &region_services::system_process();
    void* thread_type = nullptr;
    void* process_type = nullptr;
    void* event_type = nullptr;
    void* file_type = nullptr;
    std::uint64_t highest_user = 0x0000'7FFF'FFFE'FFFF;
    std::uint64_t user_probe = 0x0000'7FFF'FFFF'0000;
    std::uint64_t system_start = 0xFFFF'8000'0000'0000;
    std::uint32_t safe_boot = 0;
    std::uint32_t build = 26'100;
    std::uint8_t debugger_enabled = 0;
    std::uint8_t debugger_absent = 1;
    static variables& current() {
        static variables one;
        return one;
    }
};

/// MmGetSystemRoutineAddress.
inline void* WDDMCORE_DRIVER_CALL routine_address(unicode_string const* name) {
    std::string narrow;
    for (std::size_t i = 0; i < name->length / 2U; ++i) {
        narrow.push_back(static_cast<char>(name->buffer[i]));
    }
    service const* const found = find_service(narrow);
    return found == nullptr ? nullptr : found->address;
}

[[nodiscard]] inline std::vector<service> services() {
    variables& v = variables::current();
    return {entry("MmGetSystemRoutineAddress", &routine_address),
            variable("PsInitialSystemProcess", v.initial_process),
            variable("PsThreadType", v.thread_type),
            variable("PsProcessType", v.process_type),
            variable("ExEventObjectType", v.event_type),
            variable("IoFileObjectType", v.file_type),
            variable("MmHighestUserAddress", v.highest_user),
            variable("MmUserProbeAddress", v.user_probe),
            variable("MmSystemRangeStart", v.system_start),
            variable("InitSafeBootMode", v.safe_boot),
            variable("NtBuildNumber", v.build),
            variable("KdDebuggerEnabled", v.debugger_enabled),
            variable("KdDebuggerNotPresent", v.debugger_absent)};
}

}  // namespace name_services

/// All of them.
[[nodiscard]] inline std::unordered_map<std::string, service> const& all_services() {
    static std::unordered_map<std::string, service> const all = [] {
        std::unordered_map<std::string, service> found;
        for (auto const& list :
             {pool_services::services(), wait_services::services(), lock_services::services(),
              memory_services::services(), runtime_services::services(), object_services::services(),
              exceptions::services(), name_services::services(), conversion_services::services(),
              dxgk_services::services(), lookaside_services::services(), print_services::services(),
              region_services::services(), registry_services::services(), resource_services::services(),
              string_services::services(), timer_services::services(), work_services::services()}) {
            for (service const& s : list) {
                found.emplace(s.name, s);
            }
        }
        return found;
    }();
    return all;
}

inline service const* find_service(std::string const& name) {
    auto const found = all_services().find(name);
    return found == all_services().end() ? nullptr : &found->second;
}

}  // namespace wddmcore::testing::kernel_parts

#endif

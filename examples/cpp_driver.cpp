// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The driver in C++ of cpp_driver/, the twin of c_driver/, from DriverEntry to RemoveDevice, on both simulators: a paging
// round trip with resets, and preemptions, faults and hangs. driver_host/ stands for Windows and the machine.

#include "driver_host/windows.hpp"

int main() { return wddmcore::examples::host::play_windows_driver(); }

/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/* A device that is memory, and no more: whoever drives it executes by itself. */

#include <wddmcore/testing/device_model.h>

static unsigned char memory[16 << 20] __attribute__((aligned(4096)));

int wddmcore_make_device(struct wddmcore_device_host const* host, struct wddmcore_device_model* model) {
    (void)host;
    model->memory_count = 1;
    model->memory[0].address = 0xD0000000;
    model->memory[0].bytes = sizeof memory;
    model->memory[0].memory = memory;
    return 0;
}

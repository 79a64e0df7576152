/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * A driver that was compiled for this machine and linked as a library with bind_driver.cpp: what the program that
 * certifies it finds there under the name wddmcore_driver.
 */

#if defined(__cplusplus)
extern "C" {
#endif

/* A name of the kernel that the driver may use. */
struct wddmcore_bound_name {
    char const* name;
    void** slot;    /* the program writes the address here; a call of the name goes through it */
    void* variable; /* eight bytes that the name itself is, where it is a variable's; else NULL */
};

struct wddmcore_bound_driver {
    unsigned size;                        /* bytes of this structure */
    void* entry;                          /* DriverEntry */
    unsigned char const* begin;           /* the library in memory, from its ELF header on */
    unsigned char const* end;             /* where it ends */
    unsigned char const *page, *page_end; /* section PAGE, which is gone at DISPATCH_LEVEL and above */
    unsigned char const *init, *init_end; /* section INIT, which is gone after DriverEntry */
    struct wddmcore_bound_name const *names, *names_end;
};

#if defined(__cplusplus)
}
#endif

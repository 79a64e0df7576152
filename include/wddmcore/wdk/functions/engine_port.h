/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * What the library and a driver's own code tell each other about an engine, for drivers in C and in C++: packets to
 * write to the hardware's ring, and what the hardware has to say. Plain C, no includes.
 */

#if defined(__cplusplus)
extern "C" {
#endif

/* How the hardware executes a packet. */
enum wddmcore_packet_kind {
    wddmcore_packet_runs,          /* load the context, execute from `start` to `end` */
    wddmcore_packet_resumes,       /* the same, but go on where the saved state of the context says */
    wddmcore_packet_only_fences,   /* execute nothing, whatever context is loaded; complete the serial */
    wddmcore_packet_leaves_context /* save the loaded context, load none, execute nothing; complete the serial */
};

/* A packet on its way to the ring of a node. */
struct wddmcore_packet {
    unsigned int serial; /* what the hardware writes when it has finished the packet */
    enum wddmcore_packet_kind kind;
    /*
     * The driver's own, from its open_context. NULL: the system names no context, and has none of its own on this node;
     * the driver executes the packet with a default of its own (PGB-15).
     */
    void* context;
    unsigned long long buffer; /* GPU address of the DMA buffer */
    unsigned int start;        /* bytes from there */
    unsigned int end;
};

/* What a node has to say; all members are 0 where it has nothing to say. */
struct wddmcore_engine_news {
    unsigned char completed; /* 1: it has finished everything up to and including completed_serial */
    unsigned char stopped;   /* 1: it has answered a stop request; its ring is empty now */
    unsigned char half_run;  /* 1, with stopped: the packet after stopped_serial has begun, its state is saved */
    unsigned char faulted;   /* 1: a packet has faulted */
    unsigned char fault_names_packet; /* 1: faulted_serial is that packet; 0: the hardware cannot tell */
    unsigned char fault_halts;        /* 1: the node stands still until it is reset; 0: it skipped the packet */
    unsigned int completed_serial;
    unsigned int stopped_generation; /* the generation that the request had */
    unsigned int stopped_serial;     /* the last packet that it had finished by then */
    unsigned int faulted_serial;
    unsigned long long progress; /* a number that every step of its work changes */
};

/* What a node was doing when it was halted. */
enum wddmcore_halted { wddmcore_halted_idle, wddmcore_halted_in_packet, wddmcore_halted_unknown };

#if defined(__cplusplus)
}
#endif

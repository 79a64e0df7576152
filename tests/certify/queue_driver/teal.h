/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * The Teal, a GPU that schedules by itself, as its data sheet would have it. It has two ranges: registers of 64 bits, and a
 * memory of TEAL_MEMORY_BYTES for the numbers that buffers need to run.
 *
 * Each node has TEAL_NODE_BYTES of registers behind the first TEAL_NODE_BYTES, which are the chip's. Whoever writes
 * TEAL_COMMAND has written before what the command needs, into registers of the same node; no two commands of a node may mix.
 * A context is named by its area, a queue by its ring. A reading of TEAL_EVENT takes the oldest event of the node, whose other
 * numbers are in the three registers behind it; 0 is none, and with the last one the interrupt is dismissed.
 *
 * A buffer comes with four numbers of 64 bits, complemented, in the Teal's memory; they are taken with TEAL_APPEND.
 */

enum {
    TEAL_VENDOR = 0xFFF1,
    TEAL_DEVICE = 0x7EA1,
    TEAL_NODES = 2,
    TEAL_RING_ENTRIES = 8,
    TEAL_QUEUES = 64, /* for which the memory has room */
    TEAL_DATA_BYTES = 32,
    TEAL_MEMORY_BYTES = TEAL_QUEUES * TEAL_RING_ENTRIES * TEAL_DATA_BYTES,
    TEAL_NODE_BYTES = 0x1000,
    TEAL_REGISTER_BYTES = TEAL_NODE_BYTES * (1 + TEAL_NODES)
};

/* Registers of the chip: R is read, W is written. */
enum {
    TEAL_ID = 0x00,                /* R  TEAL_VENDOR in the upper half, TEAL_DEVICE in the lower */
    TEAL_FENCE_NODES = 0x08,       /* R  nodes that write fences when a buffer is retired, as bits */
    TEAL_WRITES_LOG = 0x10,        /* R  1: the Teal writes the scheduling log; 0: it tells */
    TEAL_CURRENT_ADDRESS = 0x18,   /* W  of a native fence */
    TEAL_MONITORED_ADDRESS = 0x20, /* W */
    TEAL_FENCE_COMMAND = 0x28,     /* W  one of those below */
    TEAL_CURRENT = 0x30            /* R  what is at TEAL_CURRENT_ADDRESS */
};
enum {
    TEAL_WATCH = 1,  /* compare the two values whenever the current one is written */
    TEAL_FORGET = 2, /* no longer */
    TEAL_BARRIER = 3 /* copies of monitored values are dropped when this returns */
};

/* Registers of a node. */
enum {
    TEAL_AREA = 0x00,         /* W */
    TEAL_RING = 0x08,         /* W */
    TEAL_NAME = 0x10,         /* W  what the log calls the context */
    TEAL_NUMBER = 0x18,       /* W  is echoed */
    TEAL_SECOND = 0x20,       /* W  the second area of a list */
    TEAL_BAND = 0x28,         /* W */
    TEAL_PRIORITY = 0x30,     /* W */
    TEAL_BUFFER = 0x38,       /* W  address of the buffer */
    TEAL_BUFFER_BYTES = 0x40, /* W */
    TEAL_DATA = 0x48,         /* W  place of its numbers in the memory */
    TEAL_FENCE = 0x50,        /* W  address of the progress fence */
    TEAL_FENCE_VALUE = 0x58,  /* W */
    TEAL_FENCE_WHEN = 0x60,   /* W  0: never, 1: the buffer is retired, 2: it was read */
    TEAL_LOG = 0x68,          /* W */
    TEAL_LOG_ENTRIES = 0x70,  /* W */
    TEAL_LOG_QUIET = 0x78,    /* R  1: nothing more goes to an older log */
    TEAL_COMMAND = 0x80,      /* W  one of those below; R  its result */
    TEAL_EVENT = 0x88,        /* R */
    TEAL_EVENT_STATE = 0x90,  /* R */
    TEAL_EVENT_AREA = 0x98,   /* R */
    TEAL_EVENT_NUMBER = 0xA0  /* R */
};
enum {
    TEAL_OPEN = 1,         /* TEAL_AREA, TEAL_RING, TEAL_NAME */
    TEAL_CLOSE = 2,        /* TEAL_RING */
    TEAL_APPEND = 3,       /* TEAL_RING, and what describes the buffer */
    TEAL_PRIORITIES = 4,   /* TEAL_AREA, TEAL_BAND, TEAL_PRIORITY */
    TEAL_RUN = 5,          /* TEAL_AREA may run */
    TEAL_SUSPEND = 6,      /* TEAL_AREA leaves the chip: TEAL_SUSPENDED with TEAL_NUMBER */
    TEAL_LIST_COMMAND = 7, /* TEAL_AREA and TEAL_SECOND are the list: TEAL_SWITCHED with TEAL_NUMBER */
    TEAL_LOG_COMMAND = 8,  /* TEAL_LOG, TEAL_LOG_ENTRIES */
    TEAL_RESET = 9,        /* result 1: it failed */
    TEAL_RESTART = 10,     /* result 1: it failed */
    TEAL_WAS_HIT = 11      /* whether the reset discarded work of TEAL_AREA; 2: the Teal cannot tell */
};
enum {
    TEAL_SUSPENDED = 1,
    TEAL_SWITCHED = 2,
    TEAL_SIGNALED = 3, /* the native fence at TEAL_EVENT_NUMBER */
    TEAL_CHANGED = 4   /* for the log: TEAL_EVENT_AREA is in TEAL_EVENT_STATE since TEAL_EVENT_NUMBER */
};

/* What the Teal's user-mode driver sends with a context and with a queue. */
enum { TEAL_CONTEXT = 0x31434C54, TEAL_QUEUE = 0x31514C54 };
struct teal_object {
    unsigned int kind;
    unsigned int reserved;
    unsigned long long address; /* of the area or of the ring */
};

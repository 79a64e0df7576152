/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */
#pragma once

/*
 * The Linnet, a GPU that exists nowhere: what its data sheet says, for linnet.c, which is the device, and for drivers.
 *
 * Memory, as the GPU addresses it (40 bits):
 *
 *     0x00'0000'0000  its own memory, as many MiB as LINNET_MEMORY_MIB says
 *     0x01'0000'0000  the aperture: LINNET_APERTURE_PAGES pages of 4 KiB, each of which shows the page of system memory
 *                     that its entry names
 *     0x80'0000'0000  system memory: page number n of the host lies at 0x80'0000'0000 + n * 4096
 *
 * On the bus it is a device with the numbers LINNET_VENDOR and LINNET_DEVICE in its configuration space, one range of
 * LINNET_REGISTER_BYTES bytes of registers, and one interrupt. Registers are 32 bits wide and lie at multiples of 4; an
 * access of another width does nothing, and reads ones.
 *
 * It has one engine. To submit a packet write LINNET_PACKET_..., then anything to LINNET_DOORBELL: the ring takes
 * LINNET_RING packets. The engine executes one after the other, writes the packet's serial to LINNET_COMPLETED and
 * interrupts. The interrupt routine reads LINNET_STATUS, which says what there is and dismisses it; until the next such
 * reading the other registers tell of that moment.
 *
 * LINNET_STOP asks the engine to stop before the next packet: it answers with LINNET_STATUS_STOPPED, and the generation
 * that was written, and the packets behind the one that completed last are gone from the ring. LINNET_DISARM takes a
 * request back that was not answered. LINNET_RESET halts the engine, and empties and restarts it; 0 is read there when it
 * works again.
 *
 * It has one display, which begins with the first address that is programmed: LINNET_PRIMARY_..., then LINNET_FLIP. At
 * each vsync it takes what waits, sets LINNET_DISPLAY_VSYNC in LINNET_DISPLAY and interrupts; writing that bit dismisses
 * it. LINNET_SCANNED_... is what the display shows; preemptions and resets of the engine do not touch it.
 *
 * Commands are 32-bit words. The first one is LINNET_COMMAND(code, words), with the length of the whole command in words;
 * addresses are two words, the lower half first, and multiples of 4, and so are counts of bytes.
 *
 *     LINNET_NOTHING  any number of words that mean nothing
 *     LINNET_FILL     address (2), bytes, value                5 words
 *     LINNET_COPY     destination (2), source (2), bytes       6 words; the two ranges do not overlap
 *     LINNET_STORE    address (2), bytes, and those bytes      4 words and the bytes, at most 64 words in all
 *     LINNET_READ     address (2), bytes                       4 words; what is read goes nowhere
 *
 * One fill, copy or read is of at most LINNET_MOST_BYTES. Commands are executed in their order, and a command sees what the one
 * before it has written; the entries of the aperture are read at each access.
 */

enum {
    LINNET_VENDOR = 0xFFF1,
    LINNET_DEVICE = 0x4C31,
    LINNET_REGISTER_BYTES = 0x1000,
    LINNET_APERTURE_PAGES = 16384,
    LINNET_RING = 16,
    LINNET_MOST_BYTES = 0x100000
};

#define LINNET_APERTURE_BASE 0x0100000000ULL
#define LINNET_SYSTEM_BASE 0x8000000000ULL

/* Registers: R is read, W is written. */
enum {
    LINNET_ID = 0x00,             /* R  LINNET_VENDOR in the upper half, LINNET_DEVICE in the lower */
    LINNET_MEMORY_MIB = 0x04,     /* R */
    LINNET_STATUS = 0x08,         /* R  bits below; a reading dismisses them */
    LINNET_COMPLETED = 0x0C,      /* R  serial of the packet that completed last */
    LINNET_PACKET_SERIAL = 0x10,  /* W  the serial before it and one more */
    LINNET_PACKET_LOW = 0x14,     /* W  address of the first command */
    LINNET_PACKET_HIGH = 0x18,    /* W */
    LINNET_PACKET_BYTES = 0x1C,   /* W  0: nothing is executed, the packet completes */
    LINNET_CONTEXT_LOW = 0x20,    /* W  address of the context's save area; 0: none */
    LINNET_CONTEXT_HIGH = 0x24,   /* W */
    LINNET_DOORBELL = 0x28,       /* W */
    LINNET_STOP = 0x2C,           /* W  a generation: any number but 0 */
    LINNET_DISARM = 0x30,         /* W */
    LINNET_STOPPED = 0x34,        /* R  the generation that was answered last */
    LINNET_STOPPED_AFTER = 0x38,  /* R  serial of the packet after which the engine stopped */
    LINNET_RESET = 0x3C,          /* RW */
    LINNET_PROGRESS = 0x40,       /* R  changes with everything that the engine executes */
    LINNET_APERTURE_INDEX = 0x44, /* W  page of the aperture */
    LINNET_APERTURE_ENTRY =
        0x48, /* W  page number of the host, which the page shows from now on; the index goes up by 1 */
    LINNET_PRIMARY_LOW = 0x4C,  /* W  address of the next picture */
    LINNET_PRIMARY_HIGH = 0x50, /* W */
    LINNET_FLIP = 0x54,         /* W  0: the display takes it at the next vsync, 1: at once */
    LINNET_SCANNED_LOW = 0x58,  /* R  address that the display has taken; 0: none yet */
    LINNET_SCANNED_HIGH = 0x5C, /* R */
    LINNET_DISPLAY = 0x60,      /* RW bits below */
    LINNET_BLANK = 0x64         /* W  1: the picture is blanked, 0: shown */
};

enum { LINNET_DISPLAY_VSYNC = 1, LINNET_DISPLAY_PENDING = 2 /* what was programmed last waits for its vsync */ };

enum { LINNET_STATUS_COMPLETED = 1, LINNET_STATUS_STOPPED = 2, LINNET_STATUS_FAULTED = 4 };

#define LINNET_COMMAND(code, words) ((unsigned int)(code) << 24 | (unsigned int)(words))
enum { LINNET_NOTHING = 0, LINNET_FILL = 1, LINNET_COPY = 2, LINNET_STORE = 3, LINNET_READ = 4 };

/*
 * What the Linnet's user-mode driver sends to DxgkDdiRender: a record for each rectangle that is copied from one
 * allocation to another. Element 2n of the patch-location list says where record n copies from, element 2n + 1 where to:
 * AllocationIndex and AllocationOffset of the first row.
 */
struct linnet_record {
    unsigned short bytes; /* of a row: a multiple of 4 */
    unsigned short rows;
    unsigned int pitch; /* bytes from one row to the next in both, a multiple of 4, at most LINNET_MOST_BYTES */
};

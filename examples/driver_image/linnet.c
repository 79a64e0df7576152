/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/*
 * The Linnet (linnet.h) as a device model for `certify --device`, in plain C: a driver that knows its registers, and
 * nothing of a simulator, runs on it. In the paging scenarios the system has this engine execute what the driver
 * submitted; in the scheduling scenarios the registers are those of the simulator's engine.
 */

#include "linnet.h"

#include <stdio.h>
#include <string.h>
#include <wddmcore/testing/device_model.h>

enum { MEMORY_MIB = 64, PAGE = 4096, LONGEST_STORE = 64 };

struct linnet {
    const struct wddmcore_device_host* host;
    const struct wddmcore_gpu* engines; /* of the scheduling scenarios */
    struct wddmcore_gpu_packet packet;  /* what the registers say */
    unsigned int packet_bytes;
    struct wddmcore_gpu_packet ring[LINNET_RING];
    unsigned int ring_first, ring_count;
    int ring_overrun;                  /* a packet came for which the ring had no entry */
    unsigned int executed;             /* bytes of the first packet in the ring */
    struct wddmcore_gpu_status status; /* as of the last reading */
    unsigned int news, completed;
    unsigned int aperture_index;
    unsigned int aperture[LINNET_APERTURE_PAGES];
    unsigned int reset_failed;
    unsigned long long primary; /* what the registers of the display say */
    unsigned char configuration[64];
};

static struct linnet the_one;

/* Commands. */

static int refuse(char* why, unsigned long long why_bytes, char const* sentence) {
    (void)snprintf(why, (size_t)why_bytes, "%s", sentence);
    return 1;
}

static unsigned long long address_at(unsigned int const* words) {
    return words[0] | (unsigned long long)words[1] << 32;
}

/* Moves at most a page at a time, as the bus needs it. */
static int copy(const struct wddmcore_device_bus* bus, unsigned long long to, unsigned long long from,
                unsigned int bytes) {
    unsigned char piece[PAGE];
    unsigned int done = 0;
    while (done != bytes) {
        unsigned long long at = from + done;
        unsigned int size = PAGE - (unsigned int)(at % PAGE);
        unsigned int room = PAGE - (unsigned int)((to + done) % PAGE);
        size = size < room ? size : room;
        size = size < bytes - done ? size : bytes - done;
        if (bus->read(bus->bus, at, piece, size) != 0 || bus->write(bus->bus, to + done, piece, size) != 0) {
            return 1;
        }
        done += size;
    }
    return 0;
}

static int fill(const struct wddmcore_device_bus* bus, unsigned long long to, unsigned int bytes, unsigned int value) {
    unsigned int piece[PAGE / 4];
    unsigned int done = 0;
    unsigned int i;
    for (i = 0; i != PAGE / 4; ++i) {
        piece[i] = value;
    }
    while (done != bytes) {
        unsigned int size = PAGE - (unsigned int)((to + done) % PAGE);
        size = size < bytes - done ? size : bytes - done;
        if (bus->write(bus->bus, to + done, piece, size) != 0) {
            return 1;
        }
        done += size;
    }
    return 0;
}

static int read_over(const struct wddmcore_device_bus* bus, unsigned long long from, unsigned int bytes) {
    unsigned char piece[PAGE];
    unsigned int done = 0;
    while (done != bytes) {
        unsigned int size = PAGE - (unsigned int)((from + done) % PAGE);
        size = size < bytes - done ? size : bytes - done;
        if (bus->read(bus->bus, from + done, piece, size) != 0) {
            return 1;
        }
        done += size;
    }
    return 0;
}

/* Executes one command of `length` words. Returns a sentence, or null. */
static char const* execute_one(unsigned int const* words, unsigned int length, const struct wddmcore_device_bus* bus) {
    unsigned int code = words[0] >> 24;
    unsigned long long to = length >= 3 ? address_at(words + 1) : 0;
    if (code == LINNET_NOTHING) {
        return NULL;
    }
    if (to % 4 != 0) {
        return "an address is no multiple of 4";
    }
    if (code == LINNET_FILL) {
        if (length != 5) {
            return "a fill has 5 words";
        }
        if (words[3] % 4 != 0 || words[3] > LINNET_MOST_BYTES) {
            return "a fill has more bytes than the engine can, or no multiple of 4";
        }
        return fill(bus, to, words[3], words[4]) != 0 ? "a fill reaches what is no memory" : NULL;
    }
    if (code == LINNET_COPY) {
        unsigned long long from;
        if (length != 6) {
            return "a copy has 6 words";
        }
        from = address_at(words + 3);
        if (from % 4 != 0 || words[5] % 4 != 0 || words[5] > LINNET_MOST_BYTES) {
            return "a copy has more bytes than the engine can, or its source or its length is no multiple of 4";
        }
        if (to < from + words[5] && from < to + words[5]) {
            return "the two ranges of a copy overlap";
        }
        return copy(bus, to, from, words[5]) != 0 ? "a copy reaches what is no memory" : NULL;
    }
    if (code == LINNET_READ) {
        if (length != 4 || words[3] % 4 != 0 || words[3] > LINNET_MOST_BYTES) {
            return "a read has 4 words, and no more bytes than the engine can, a multiple of 4";
        }
        return read_over(bus, to, words[3]) != 0 ? "a read reaches what is no memory" : NULL;
    }
    if (code == LINNET_STORE) {
        if (length < 4 || length > LONGEST_STORE || words[3] != (length - 4) * 4) {
            return "a store's length does not agree with its bytes";
        }
        return bus->write(bus->bus, to, words + 4, words[3]) != 0 ? "a store reaches what is no memory" : NULL;
    }
    return "there is no such command";
}

static int execute(void* device, unsigned int const* commands, unsigned long long dwords,
                   const struct wddmcore_device_bus* bus, char* why, unsigned long long why_bytes,
                   unsigned long long* dword) {
    struct linnet* l = device;
    unsigned long long at = 0;
    *dword = 0;
    if (l->ring_overrun) {
        return refuse(why, why_bytes, "the driver has rung the doorbell while the ring was full: a packet is lost");
    }
    if (l->ring_count == 0) {
        return refuse(why, why_bytes, "the system has submitted commands, and the driver has not rung the doorbell");
    }
    if (l->ring[l->ring_first].end - l->executed < dwords * 4) {
        return refuse(why, why_bytes, "the packet in the ring is shorter than what the system has submitted");
    }
    while (at != dwords) {
        unsigned int length = commands[at] & 0xFFFFFF;
        char const* wrong = length == 0 || length > dwords - at ? "a command's length is 0, or leaves the packet"
                                                                : execute_one(commands + at, length, bus);
        if (wrong != NULL) {
            *dword = at;
            return refuse(why, why_bytes, wrong);
        }
        at += length;
    }
    l->executed += (unsigned int)(dwords * 4);
    return 0;
}

static void window_done(void* device) {
    struct linnet* l = device;
    if (l->ring_count != 0 && l->executed == l->ring[l->ring_first].end) {
        l->executed = 0;
        l->completed = l->ring[l->ring_first].serial;
        l->ring_first = (l->ring_first + 1) % LINNET_RING;
        --l->ring_count;
        l->news |= LINNET_STATUS_COMPLETED;
        l->host->interrupt(l->host->host, 0);
    }
}

/* Registers. */

static void ring_the_doorbell(struct linnet* l) {
    l->packet.end = l->packet_bytes;
    l->packet.flags = l->packet_bytes == 0 ? wddmcore_gpu_fence_only : 0;
    if (l->engines != NULL) {
        l->engines->enqueue(l->engines->gpu, 0, 0, &l->packet);
    } else if (l->ring_count == LINNET_RING) {
        l->ring_overrun = 1;
    } else {
        l->ring[(l->ring_first + l->ring_count++) % LINNET_RING] = l->packet;
    }
}

static void read_status(struct linnet* l) {
    if (l->engines != NULL) {
        l->engines->read_status(l->engines->gpu, 0, 0, &l->status);
    } else {
        memset(&l->status, 0, sizeof l->status);
        l->status.news = l->news;
        l->status.completed = l->completed;
        l->news = 0;
    }
}

static void reset(struct linnet* l) {
    l->ring_count = 0;
    l->ring_overrun = 0;
    l->executed = 0;
    l->news = 0;
    l->reset_failed = 0;
    if (l->engines != NULL) {
        struct wddmcore_gpu_halted halted;
        l->engines->halt(l->engines->gpu, 0, 0, &halted);
        read_status(l); /* what has happened before */
        l->reset_failed = l->engines->reset(l->engines->gpu, 0, 0) != 0;
    }
}

/* The display is the simulator's; where there is none, nothing is shown. */
static struct wddmcore_gpu_display display_of(const struct linnet* l) {
    struct wddmcore_gpu_display display;
    memset(&display, 0, sizeof display);
    if (l->engines != NULL && l->engines->display_count != 0) {
        l->engines->read_display(l->engines->gpu, 0, &display);
    }
    return display;
}

static void write_display(const struct linnet* l, unsigned long long offset, unsigned int value) {
    if (l->engines == NULL || l->engines->display_count == 0) {
        return;
    }
    if (offset == LINNET_FLIP) {
        l->engines->program_address(l->engines->gpu, 0, l->primary, value != 0);
    } else if (offset == LINNET_BLANK) {
        l->engines->blank(l->engines->gpu, 0, value != 0);
    } else if ((value & LINNET_DISPLAY_VSYNC) != 0) {
        l->engines->dismiss_vsync(l->engines->gpu, 0);
    }
}

static unsigned long long read_register(void* device, unsigned int range, unsigned long long offset,
                                        unsigned int bytes) {
    struct linnet* l = device;
    if (range != 0 || bytes != 4) {
        return ~0ULL;
    }
    switch (offset) {
        case LINNET_ID: return (unsigned int)LINNET_VENDOR << 16 | LINNET_DEVICE;
        case LINNET_MEMORY_MIB: return MEMORY_MIB;
        case LINNET_STATUS: read_status(l); return l->status.news;
        case LINNET_COMPLETED: return l->status.completed;
        case LINNET_STOPPED: return l->status.stopped_generation;
        case LINNET_STOPPED_AFTER: return l->status.stopped_through;
        case LINNET_RESET: return l->reset_failed;
        case LINNET_PROGRESS: return l->status.progress;
        case LINNET_SCANNED_LOW: return display_of(l).scanned_out & 0xFFFFFFFF;
        case LINNET_SCANNED_HIGH: return display_of(l).scanned_out >> 32;
        case LINNET_DISPLAY:
            return (display_of(l).vsync != 0 ? LINNET_DISPLAY_VSYNC : 0U) |
                   (display_of(l).pending != 0 ? LINNET_DISPLAY_PENDING : 0U);
        default: return 0xFFFFFFFF;
    }
}

static void set_half(unsigned long long* whole, unsigned int upper, unsigned int value) {
    unsigned long long kept = upper != 0 ? *whole & 0xFFFFFFFF : *whole & ~0xFFFFFFFFULL;
    *whole = kept | (unsigned long long)value << (upper != 0 ? 32 : 0);
}

static void write_register(void* device, unsigned int range, unsigned long long offset, unsigned int bytes,
                           unsigned long long whole) {
    struct linnet* l = device;
    unsigned int value = (unsigned int)whole;
    if (range != 0 || bytes != 4) {
        return;
    }
    switch (offset) {
        case LINNET_PACKET_SERIAL: l->packet.serial = value; break;
        case LINNET_PACKET_LOW:
        case LINNET_PACKET_HIGH: set_half(&l->packet.buffer, offset == LINNET_PACKET_HIGH, value); break;
        case LINNET_PACKET_BYTES: l->packet_bytes = value; break;
        case LINNET_CONTEXT_LOW:
        case LINNET_CONTEXT_HIGH: set_half(&l->packet.context, offset == LINNET_CONTEXT_HIGH, value); break;
        case LINNET_DOORBELL: ring_the_doorbell(l); break;
        case LINNET_STOP:
            if (l->engines != NULL) {
                l->engines->request_stop(l->engines->gpu, 0, 0, value);
            }
            break;
        case LINNET_DISARM:
            if (l->engines != NULL) {
                l->engines->disarm(l->engines->gpu, 0, 0);
            }
            break;
        case LINNET_RESET: reset(l); break;
        case LINNET_PRIMARY_LOW:
        case LINNET_PRIMARY_HIGH: set_half(&l->primary, offset == LINNET_PRIMARY_HIGH, value); break;
        case LINNET_FLIP:
        case LINNET_DISPLAY:
        case LINNET_BLANK: write_display(l, offset, value); break;
        case LINNET_APERTURE_INDEX: l->aperture_index = value; break;
        case LINNET_APERTURE_ENTRY:
            if (l->aperture_index < LINNET_APERTURE_PAGES) {
                l->aperture[l->aperture_index++] = value;
            }
            break;
        default: break;
    }
}

/* What the simulator asks. */

static int aperture_page(void* device, unsigned int segment, unsigned long long index, unsigned long long* page_number,
                         int* coherent) {
    const struct linnet* l = device;
    (void)segment;
    if (index >= LINNET_APERTURE_PAGES) {
        return 1;
    }
    *page_number = l->aperture[index];
    *coherent = 1; /* everything that it reads of system memory is */
    return 0;
}

/* The user-mode driver of the Linnet says how large an allocation is, and where a context is saved. */
static unsigned int allocation_data(void* device, unsigned int number, unsigned long long bytes, void* to,
                                    unsigned int room) {
    (void)device;
    (void)number;
    if (room < sizeof bytes) {
        return 0;
    }
    memcpy(to, &bytes, sizeof bytes);
    return sizeof bytes;
}

static unsigned int context_data(void* device, unsigned long long save_area, void* to, unsigned int room) {
    return allocation_data(device, 0, save_area, to, room);
}

/* One row, a few rectangles, and more rows than a patch-location list has room for. */
static unsigned int render_commands(void* device, unsigned int number, unsigned long long bytes, void* to,
                                    unsigned int room, struct wddmcore_patch_location* patches,
                                    unsigned int* patch_count) {
    static unsigned int const counts[] = {1, 3, 100};
    unsigned int const row_bytes = 64, pitch = 256;
    struct linnet_record* records = to;
    unsigned int count, i;
    (void)device;
    if (number >= sizeof counts / sizeof *counts) {
        return 0;
    }
    count = counts[number];
    if (room < count * sizeof *records || *patch_count < 2 * count || bytes <= 1024) {
        return 0;
    }
    memset(patches, 0, 2 * count * sizeof *patches);
    for (i = 0; i != count; ++i) {
        records[i].bytes = (unsigned short)row_bytes;
        records[i].rows = (unsigned short)(number + 1);
        records[i].pitch = pitch;
        patches[2 * i].allocation_index = 1;
        patches[2 * i + 1].allocation_index = 2;
        patches[2 * i].allocation_offset = (unsigned int)(i * 64ULL % (bytes - 1024) / 4 * 4);
        patches[2 * i + 1].allocation_offset = (unsigned int)(i * 1024ULL % (bytes - 1024) / 4 * 4);
        patches[2 * i].patch_offset = patches[2 * i].split_offset = (unsigned int)(i * sizeof *records);
        patches[2 * i + 1].patch_offset = patches[2 * i + 1].split_offset = patches[2 * i].patch_offset;
    }
    *patch_count = 2 * count;
    return (unsigned int)(count * sizeof *records);
}

static void show_engines(void* device, const struct wddmcore_gpu* engines) {
    ((struct linnet*)device)->engines = engines;
}

int wddmcore_make_device(const struct wddmcore_device_host* host, struct wddmcore_device_model* model) {
    struct linnet* l = &the_one;
    if (model->size < sizeof *model) {
        return 1; /* the host is older, and has no room for what would be written */
    }
    l->host = host;
    l->configuration[0] = LINNET_VENDOR & 0xFF;
    l->configuration[1] = LINNET_VENDOR >> 8;
    l->configuration[2] = LINNET_DEVICE & 0xFF;
    l->configuration[3] = LINNET_DEVICE >> 8;
    model->device = l;
    model->memory_count = 1;
    model->memory[0].address = 0xF0000000; /* and no memory: registers */
    model->memory[0].bytes = LINNET_REGISTER_BYTES;
    model->system_base = LINNET_SYSTEM_BASE;
    model->execute = &execute;
    model->window_done = &window_done;
    model->aperture_page = &aperture_page;
    model->allocation_data = &allocation_data;
    model->context_data = &context_data;
    model->render_commands = &render_commands;
    model->show_engines = &show_engines;
    model->display_count = 1;
    model->read_register = &read_register;
    model->write_register = &write_register;
    model->configuration = l->configuration;
    model->configuration_bytes = sizeof l->configuration;
    return 0;
}

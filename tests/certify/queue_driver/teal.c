/* SPDX-License-Identifier: MIT */
/* Copyright (c) wddmcore contributors */

/* The Teal (teal.h) as a device model: its registers are those of the simulator of hardware scheduling. */

#include "teal.h"

#include <string.h>
#include <wddmcore/testing/device_model.h>

typedef unsigned long long word;

struct node {
    word written[TEAL_NODE_BYTES / 8];
    word result;
    struct wddmcore_queue_event event;
};
struct teal {
    const struct wddmcore_queue_gpu* queues; /* NULL: nobody plays them */
    struct node nodes[TEAL_NODES];
    word current, monitored;
    struct wddmcore_hw_submission_private_data taken[TEAL_QUEUES * TEAL_RING_ENTRIES];
};

static struct teal the_one;
static word memory[TEAL_MEMORY_BYTES / sizeof(word)] __attribute__((aligned(4096)));

static void append(struct teal* t, unsigned int number, word const* w) {
    struct wddmcore_queue_packet packet;
    unsigned int at = (unsigned int)(w[TEAL_DATA / 8] / TEAL_DATA_BYTES) % (TEAL_QUEUES * TEAL_RING_ENTRIES);
    unsigned int i;
    for (i = 0; i != TEAL_DATA_BYTES / 8; ++i) {
        t->taken[at].state[i] = ~memory[at * (TEAL_DATA_BYTES / 8) + i];
    }
    memset(&packet, 0, sizeof packet);
    packet.flags = (unsigned int)w[TEAL_FENCE_WHEN / 8];
    packet.bytes = (unsigned int)w[TEAL_BUFFER_BYTES / 8];
    packet.buffer = w[TEAL_BUFFER / 8];
    packet.fence_address = w[TEAL_FENCE / 8];
    packet.fence_value = w[TEAL_FENCE_VALUE / 8];
    packet.private_data = &t->taken[at];
    packet.private_data_bytes = sizeof t->taken[at];
    t->queues->append(t->queues->gpu, number, w[TEAL_RING / 8], &packet);
}

static word command(struct teal* t, unsigned int number, word what) {
    const struct wddmcore_queue_gpu* q = t->queues;
    word const* w = t->nodes[number].written;
    word area = w[TEAL_AREA / 8], ring = w[TEAL_RING / 8], echoed = w[TEAL_NUMBER / 8];
    if (q == NULL) {
        return 0;
    }
    switch (what) {
        case TEAL_OPEN: q->open_queue(q->gpu, number, area, ring, (void*)(unsigned long)w[TEAL_NAME / 8]); break;
        case TEAL_CLOSE: q->close_queue(q->gpu, number, ring); break;
        case TEAL_APPEND: append(t, number, w); break;
        case TEAL_PRIORITIES:
            q->set_priority(q->gpu, number, area, (unsigned int)w[TEAL_BAND / 8], (int)w[TEAL_PRIORITY / 8]);
            break;
        case TEAL_RUN: q->run(q->gpu, number, area); break;
        case TEAL_SUSPEND: q->suspend(q->gpu, number, area, echoed); break;
        case TEAL_LIST_COMMAND: q->set_list(q->gpu, number, area, w[TEAL_SECOND / 8], echoed); break;
        case TEAL_LOG_COMMAND:
            q->set_log(q->gpu, number, w[TEAL_LOG / 8], (unsigned int)w[TEAL_LOG_ENTRIES / 8]);
            break;
        case TEAL_RESET: return (word)q->reset(q->gpu, number);
        case TEAL_RESTART: return (word)q->restart(q->gpu, number);
        case TEAL_WAS_HIT: return (word)q->was_hit(q->gpu, number, area);
        default: break;
    }
    return 0;
}

static word read_of_node(struct teal* t, unsigned int number, word offset) {
    struct node* n = &t->nodes[number];
    switch (offset) {
        case TEAL_COMMAND: return n->result;
        case TEAL_LOG_QUIET: return t->queues == NULL || t->queues->log_is_quiet(t->queues->gpu, number) != 0;
        case TEAL_EVENT:
            memset(&n->event, 0, sizeof n->event);
            return t->queues != NULL && t->queues->next_event(t->queues->gpu, number, &n->event) != 0 ? n->event.type
                                                                                                      : 0;
        case TEAL_EVENT_STATE: return n->event.state;
        case TEAL_EVENT_AREA: return n->event.context;
        case TEAL_EVENT_NUMBER: return n->event.value;
        default: return ~0ULL;
    }
}

static word read_register(void* device, unsigned int range, word offset, unsigned int bytes) {
    struct teal* t = device;
    if (range != 0 || bytes != sizeof(word) || offset >= TEAL_REGISTER_BYTES) {
        return ~0ULL;
    }
    if (offset >= TEAL_NODE_BYTES) {
        return read_of_node(t, (unsigned int)(offset / TEAL_NODE_BYTES) - 1, offset % TEAL_NODE_BYTES);
    }
    switch (offset) {
        case TEAL_ID: return (word)TEAL_VENDOR << 32 | TEAL_DEVICE;
        case TEAL_FENCE_NODES: return t->queues != NULL ? t->queues->fence_release_nodes : 0;
        case TEAL_WRITES_LOG: return t->queues != NULL ? t->queues->writes_log : 0;
        case TEAL_CURRENT: return t->queues != NULL ? t->queues->current_value(t->queues->gpu, t->current) : 0;
        default: return ~0ULL;
    }
}

static void fence_command(const struct teal* t, word what) {
    if (t->queues == NULL) {
        return;
    }
    if (what == TEAL_WATCH) {
        t->queues->watch_fence(t->queues->gpu, t->current, t->monitored);
    } else if (what == TEAL_FORGET) {
        t->queues->forget_fence(t->queues->gpu, t->current);
    } else if (what == TEAL_BARRIER) {
        t->queues->see_monitored_values(t->queues->gpu);
    }
}

static void write_register(void* device, unsigned int range, word offset, unsigned int bytes, word value) {
    struct teal* t = device;
    if (range != 0 || bytes != sizeof(word) || offset >= TEAL_REGISTER_BYTES) {
        return;
    }
    if (offset >= TEAL_NODE_BYTES) {
        unsigned int number = (unsigned int)(offset / TEAL_NODE_BYTES) - 1;
        t->nodes[number].written[offset % TEAL_NODE_BYTES / 8] = value;
        if (offset % TEAL_NODE_BYTES == TEAL_COMMAND) {
            t->nodes[number].result = command(t, number, value);
        }
        return;
    }
    switch (offset) {
        case TEAL_CURRENT_ADDRESS: t->current = value; break;
        case TEAL_MONITORED_ADDRESS: t->monitored = value; break;
        case TEAL_FENCE_COMMAND: fence_command(t, value); break;
        default: break;
    }
}

/* The user-mode driver. */

static unsigned int object_data(unsigned int kind, word address, void* to, unsigned int room) {
    struct teal_object object;
    if (room < sizeof object) {
        return 0;
    }
    memset(&object, 0, sizeof object);
    object.kind = kind;
    object.address = address;
    memcpy(to, &object, sizeof object);
    return sizeof object;
}

static unsigned int hw_context_data(void* device, word area, void* to, unsigned int room) {
    (void)device;
    return object_data(TEAL_CONTEXT, area, to, room);
}

static unsigned int hw_queue_data(void* device, word ring, void* to, unsigned int room) {
    (void)device;
    return object_data(TEAL_QUEUE, ring, to, room);
}

static unsigned int hw_submission_data(void* device, word const* state, void* to, unsigned int room) {
    word complemented[TEAL_DATA_BYTES / 8];
    unsigned int i;
    (void)device;
    for (i = 0; i != TEAL_DATA_BYTES / 8; ++i) {
        complemented[i] = ~state[i];
    }
    if (room < sizeof complemented) {
        return 0;
    }
    memcpy(to, complemented, sizeof complemented);
    return sizeof complemented;
}

static void show_queues(void* device, const struct wddmcore_queue_gpu* queues) {
    struct teal* t = device;
    memset(t, 0, sizeof *t);
    t->queues = queues;
}

int wddmcore_make_device(const struct wddmcore_device_host* host, struct wddmcore_device_model* model) {
    (void)host;
    if (model->size < sizeof *model) {
        return 1; /* the host is older, and has no room for what would be written */
    }
    model->device = &the_one;
    model->memory_count = 2;
    model->memory[0].address = 0xF0000000; /* and no memory: registers */
    model->memory[0].bytes = TEAL_REGISTER_BYTES;
    model->memory[1].address = 0xF1000000;
    model->memory[1].bytes = TEAL_MEMORY_BYTES;
    model->memory[1].memory = memory;
    model->read_register = &read_register;
    model->write_register = &write_register;
    model->show_queues = &show_queues;
    model->hw_context_data = &hw_context_data;
    model->hw_queue_data = &hw_queue_data;
    model->hw_submission_data = &hw_submission_data;
    return 0;
}

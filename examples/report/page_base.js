// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);

// What each operation is for, in a sentence.
const purpose = {
    transfer: "Move an allocation's bytes between a segment and system memory.",
    fill: "Fill an allocation in a segment with a pattern.",
    discard_content: "The content may go; nothing has to be done unless the hardware keeps something about it.",
    read_physical: "Read a little of a segment, so that writes before it have arrived.",
    write_physical: "Write a little of a segment, so that something waiting for it wakes up.",
    map_aperture_segment: "Let pages of the aperture point at pages of system memory, listed by an MDL.",
    unmap_aperture_segment: "Let pages of the aperture point at a dummy page again.",
    special_lock_transfer: "Move an allocation that the CPU has locked, through an alternate address.",
    virtual_transfer: "Move bytes between two GPU virtual addresses of the paging process.",
    virtual_fill: "Fill bytes at a GPU virtual address of the paging process.",
    init_context_resource: "Give a context allocation its first content.",
    update_page_table: "Write entries of a page table.",
    flush_tlb: "Forget cached translations of an address space.",
    update_context_allocation: "Change a context allocation as the driver has asked for.",
    copy_page_table_entries: "Copy entries from one page table to another.",
    notify_residency: "Tell the driver where an allocation is now.",
    signal_monitored_fence: "Store a fence's value, and raise an interrupt for whoever waits.",
    map_aperture_segment2: "Let pages of the aperture point at pages of system memory, listed by an ADL.",
    notify_fence_residency: "Tell the driver where a native fence has its values now.",
    map_mmu: "Map pages in another MMU of the adapter.",
    unmap_mmu: "Unmap pages in another MMU of the adapter.",
    notify_residency2: "Tell the driver where a part of an allocation is now.",
    notify_alloc: "Tell the driver that an allocation leaves memory, or its mapping for devices.",
};

const svgNames = new Set(["svg", "g", "rect", "line", "path", "text", "title", "polyline"]);
/** An element with attributes and children; strings become text. */
function make(tag, attributes = {}, ...children) {
    const element = svgNames.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag)
                                       : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== false) {
            element.setAttribute(key, value === true ? "" : value);
        }
    }
    element.append(...children.flat().filter((child) => child !== undefined));
    return element;
}
/** A long name that may be broken where its words meet. */
const name = (text) => text.split(/(?<=_)|(?<=[a-z])(?=[A-Z])|(?<=\.)/)
    .flatMap((part, i) => i === 0 ? [part] : [make("wbr"), part]);
const find = (id) => document.getElementById(id);
const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

function bytesInWords(value) {
    let n = Number(BigInt(value));
    let unit = 0;
    for (; unit < 4 && n >= 1024 && (n >= 10240 || n % 1024 === 0); ++unit) {
        n /= 1024;
    }
    return `${Number.isInteger(n) ? n : n.toFixed(1)} ${["bytes", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}

function table(className, heads, rows) {
    return make("table", {class: className},
                make("thead", {}, make("tr", {}, heads.map((h) =>
                    make("th", {scope: "col", class: h.n ? "n" : undefined}, h.text ?? h)))),
                make("tbody", {}, rows));
}

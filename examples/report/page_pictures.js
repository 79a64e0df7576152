// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// Segments.

const short = (address) => `0x${address.slice(6)}`;

function drawSegments() {
    find("segment-tables").replaceChildren(...data.segments.map((one) => {
        const hardware = data.hardware.find((h) => h.name === one.hardware);
        const sizes = one.blocks.filter((b) => b.what !== "hole").map((b) => Number(BigInt(b.size)));
        const scale = 220 / sizes.reduce((a, b) => a + b, 0);
        const svg = make("svg", {width: 320, role: "img", "aria-label": `Segments of ${hardware.title}`});
        let top = 14;
        for (const block of [...one.blocks].reverse()) {
            const exact = Number(BigInt(block.size)) * scale;
            const height = block.what === "hole" ? 22 : Math.max(exact, 3);
            const room = Math.max(height, block.kind.includes("behind") ? 62 : 48);
            svg.append(make("text", {class: "mono muted", x: 0, y: top + 5}, short(block.last)));
            if (block.what === "hole") {
                svg.append(make("path", {class: "break", d: `M120 ${top} l0 7 l-5 4 l10 4 l-5 4 l0 3`}));
                svg.append(make("text", {class: "muted", x: 142, y: top + 15}, `hole, ${bytesInWords(block.size)}`));
                top += 34;
                continue;
            }
            const fill = `var(--${block.what === "hidden" ? "three" : block.kind === "aperture" ? "two" : "one"})`;
            svg.append(make("rect", {class: "edge", x: 110, y: top, width: 20, height, fill}));
            svg.append(make("line", {class: "line", x1: 130, y1: top + Math.min(height / 2, 8), x2: 138, y2: top + 7}));
            const title = block.what === "hidden" ? "hidden" : `segment ${block.id}`;
            const kind = block.what === "hidden" ? ["not reported"] : block.kind.split(/ (?=behind)/);
            const lines = [`${title}${block.name ? ` “${block.name}”` : ""}`, bytesInWords(block.size), ...kind];
            lines.forEach((text, i) => svg.append(
                make("text", {class: i < 2 ? undefined : "muted", x: 142, y: top + 11 + i * 15}, text)));
            const bottom = top + Math.max(height, 18) + 1;
            svg.append(make("text", {class: "mono muted", x: 0, y: bottom}, short(block.first)));
            top += room + 14;
        }
        svg.setAttribute("viewBox", `0 0 320 ${top}`);
        svg.setAttribute("height", top);
        const small = one.blocks.filter((b) => b.what !== "hole" && Number(BigInt(b.size)) * scale < 3);
        return make("div", {class: "card"}, make("h3", {}, hardware.title), svg,
            make("small", {}, `Ten dots of height are ${Math.round(10 / scale / 1048576)} MiB` +
                `${small.length > 0 ? "; the smallest is drawn larger than that" : ""}. Paging buffers: ` +
                `${one.paging === 0 ? "system memory" : `segment ${one.paging}`}.`));
    }));
}

// Page tables.

function drawWalk() {
    const hardware = hardwareNow();
    const walk = hardware.walk;
    if (!walk) {
        find("walk").replaceChildren(make("p", {}, "This adapter walks no page tables."));
        return;
    }
    const groups = walk.steps.filter((s, i) => i === 0 || s.low !== walk.steps[i - 1].low);
    const last = groups[groups.length - 1].low;
    const steps = walk.steps.map((step) => {
        const width = 512;
        const cell = width / step.entries;
        const marks = step.used.map((i) => make("rect", {x: i * cell, y: 0, width: Math.max(cell, 2), height: 16,
                                                       fill: i === step.index ? "var(--four)" : "var(--one)"}));
        const strip = make("svg", {viewBox: `0 0 ${width} 30`, role: "img",
                                   "aria-label": `${step.used.length} of ${step.entries} entries are used`},
            make("rect", {x: 0, y: 0, width, height: 16, fill: "var(--soft)", stroke: "var(--line)"}), marks,
            make("path", {d: `M${step.index * cell + Math.max(cell, 2) / 2} 18 l-4 8 l8 0 z`, fill: "var(--four)"}));
        return make("div", {class: "level"},
            make("div", {}, make("h4", {}, step.level),
                 make("div", {class: "mono muted"}, `table at ${step.table}`),
                 make("div", {}, `entry ${step.index} of ${step.entries}; ` +
                                 `${plural(step.used.length, "entry", "entries")} in use`)),
            make("div", {}, strip, make("div", {class: "value"}, step.value),
                 make("div", {class: "entry-fields"}, step.fields.map((f) =>
                     make("span", {}, make("b", {}, f.name), ` ${f.value}`)))));
    });
    steps.push(make("div", {class: "level"}, make("div", {},
        make("h4", {}, walk.bytes ? "The page" : "Nothing"),
        make("div", {class: "mono"}, walk.leadsTo),
        make("div", {}, `${walk.writable ? "may be written" : "may only be read"}`))));
    const meanings = new Map(walk.steps.flatMap((s) => s.fields).filter((f) => f.means).map((f) => [f.name, f.means]));
    find("walk").replaceChildren(
        make("p", {}, `How ${hardware.title} finds the memory of a GPU virtual address, from the root of the page ` +
             "tables down. The mark is the entry that the address chooses; coloured entries are in use."),
        make("div", {class: "address"}, make("span", {}, make("small", {}, "address"), walk.address),
            groups.map((s) => make("span", {}, make("small", {}, `bits ${s.high}:${s.low}`), String(s.index))),
            make("span", {}, make("small", {}, `bits ${last - 1}:0`), "in the page")),
        make("div", {class: "levels"}, steps),
        make("details", {}, make("summary", {}, "What the bits of the entries say"),
             make("ul", {}, [...meanings].map(([bit, means]) => make("li", {}, make("b", {}, bit), `: ${means}`)))));
}

// The paging window.

function drawChunks() {
    const hardware = hardwareNow();
    const w = hardware.window;
    const chunks = [];
    let between = {};
    for (const call of w.calls) {
        if (call.offset !== undefined) {
            chunks.push({...call, between});
            between = {};
        } else {
            between[call.name] = (between[call.name] ?? 0) + 1;
        }
    }
    const base = Number(BigInt(w.base));
    const bar = (label, ...marks) => make("svg", {class: "bar", viewBox: "0 0 100 14", preserveAspectRatio: "none",
                                                  height: 20, role: "img", "aria-label": label},
        make("rect", {x: 0, y: 0, width: 100, height: 14, fill: "var(--soft)"}),
        marks.map(([at, size, fill]) => make("rect", {x: at * 100, y: 0, width: size * 100, height: 14, fill})));
    const rows = chunks.map((chunk, i) => {
        const inWindow = (side) => (Number(BigInt(chunk[side])) - base) / w.size;
        return make("div", {class: "chunk"},
            make("div", {}, make("b", {}, `Chunk ${i + 1}`), make("div", {class: "mono"}, bytesInWords(chunk.size))),
            make("div", {}, bar("its place in the allocation",
                                [chunk.offset / w.allocation, chunk.size / w.allocation, "var(--one)"]),
                 make("div", {class: "mono muted"}, `offset ${chunk.offset}`)),
            make("div", {}, bar("its places in the window", [inWindow("source"), chunk.size / w.size, "var(--one)"],
                                [inWindow("destination"), chunk.size / w.size, "var(--four)"]),
                 make("div", {class: "mono muted"}, `from ${chunk.source} to ${chunk.destination}`)),
            make("div", {}, Object.entries(chunk.between).map(([what, n]) =>
                make("div", {}, `${n} × `, make("code", {}, what)))));
    });
    find("chunks").replaceChildren(
        make("p", {}, `An allocation of ${bytesInWords(w.allocation)} comes into a segment of ${hardware.title} ` +
             `through the paging process's window of ${bytesInWords(w.size)}, at ${w.base}. Both of its mappings do ` +
             `not fit at once, so it comes in ${plural(chunks.length, "chunk")}: each is mapped twice, where it is ` +
             "read and where it is written, and then a virtual_transfer moves it."),
        make("ul", {class: "key"}, [["var(--one)", "where it is read"], ["var(--four)", "where it is written"]].map(
            ([fill, text]) => make("li", {}, make("i", {style: `background:${fill}`}), text))),
        make("div", {class: "chunk heads muted"}, ["", "in the allocation", "in the window", "requests before it"].map(
            (text) => make("small", {}, text))),
        ...rows);
}

// Preemption.

function drawPreemption() {
    const colours = {g: "var(--two)", "!": "var(--four)", C: "var(--one)", ".": "var(--soft)"};
    const longest = Math.max(...data.preemption.map((p) => p.over));
    const rows = data.preemption.map((run) => {
        const svg = make("svg", {viewBox: `0 0 ${longest} 18`, preserveAspectRatio: "none", height: 30, role: "img",
                                 "aria-label": `asked at ${run.asked}, reported at ${run.reported} microseconds`});
        for (let from = 0; from < run.engine.length;) {
            let to = from;
            while (to < run.engine.length && run.engine[to] === run.engine[from]) {
                ++to;
            }
            svg.append(make("rect", {x: from, y: 2, width: to - from, height: 14, fill: colours[run.engine[from]]}));
            from = to;
        }
        svg.append(make("rect", {x: run.asked - .35, y: 0, width: .7, height: 18, fill: "var(--text)"}),
                   make("rect", {x: run.reported - .35, y: 0, width: .7, height: 18, fill: "var(--text)"}));
        return make("div", {class: "timeline"}, make("b", {}, run.stopsAt), svg,
            make("div", {class: "n"}, make("b", {}, `${run.latency} µs`),
                 make("div", {class: "muted"}, `shown at ${run.shown} µs`)));
    });
    const key = [["var(--two)", "the game runs"], ["var(--four)", "the game runs on, though asked to stop"],
                 ["var(--one)", "the desktop runs"], ["var(--text)", "the request, and its report"]];
    find("timelines").replaceChildren(
        make("p", {}, `A game has two long packets on the GPU when the desktop needs it for the next frame, and the ` +
             `scheduler asks the GPU to stop. How long it waits depends on where the hardware can stop. Simulated ` +
             `microseconds; the whole width is ${longest} µs.`),
        make("ul", {class: "key"}, key.map(([fill, text]) =>
            make("li", {}, make("i", {style: `background:${fill}`}), text))),
        make("div", {class: "timeline muted"}, make("small", {}, "stops at"), make("span"),
             make("div", {class: "n"}, make("small", {}, "latency"))),
        ...rows);
}

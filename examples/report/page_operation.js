// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// The operation that is shown.

let shown = {hardware: data.hardware[0].name, code: 0};
const hardwareNow = () => data.hardware.find((h) => h.name === shown.hardware);
const address = (hardware, code) => `#${hardware}/${code}`;

function drawMatrix() {
    const rows = data.hardware[0].operations.map((operation, i) => make("tr", {},
        make("td", {}, name(operation.name)),
        data.hardware.map((h) => {
            const n = h.operations[i].requests;
            const here = h.name === shown.hardware && i === shown.code;
            return make("td", {class: "n"}, n === 0 ? "–" : make("a", {
                href: address(h.name, i), "aria-current": here ? "true" : undefined,
                "aria-label": `${operation.name}, ${h.title}: ${plural(n, "request")}`}, String(n)));
        })));
    const heads = ["Operation", ...data.hardware.map((h) => ({text: h.title, n: true}))];
    find("matrix").replaceChildren(table("", heads, rows));
}

function drawBits(dword, fields) {
    // One row of 32 cells, bit 31 on the left; the dword's fields in turn in two colours.
    const cells = [make("rect", {x: 0, y: 0, width: 128, height: 7, fill: "var(--soft)"})];
    fields.forEach((field, i) => {
        const low = Math.max(field.dword === dword ? field.low : 0, 0);
        const high = field.dword === dword ? Math.min(field.high, 31) : field.high - 32;
        cells.push(make("rect", {x: (31 - high) * 4 + .5, y: 0, width: (high - low + 1) * 4 - 1, height: 7, rx: 1,
                                 fill: i % 2 === 0 ? "var(--one)" : "var(--three)"}));
    });
    return make("svg", {viewBox: "0 0 128 7", width: 128, height: 7, "aria-hidden": "true"}, cells);
}

function drawField(field, dword) {
    const bits = field.high === field.low ? `${field.low}` : `${field.high}:${field.low}`;
    return make("div", {class: "field"}, make("span", {class: "bits"}, bits),
                make("span", {}, make("b", {}, field.name), " = ", make("span", {class: "value"}, field.value),
                     field.means ? make("small", {}, ` (${field.means})`) : undefined));
}

function drawPacket(packet, dwords) {
    const rows = [];
    for (let i = packet.first; i < packet.first + packet.dwords; ++i) {
        const fields = packet.fields.filter((f) => f.dword === i);
        const reaching = packet.fields.filter((f) => f.dword === i || (f.dword === i - 1 && f.high > 31));
        const before = packet.fields.find((f) => f.dword === i - 1 && f.high > 31);
        const owner = fields.find((f) => f.owner);
        rows.push(make("div", {class: "dword"},
            make("div", {class: "raw"}, make("i", {}, String(i)), dwords[i], drawBits(i, reaching)),
            make("div", {},
                owner ? make("div", {class: "owner"}, make("b", {class: "mono"}, owner.owner), ` ${owner.purpose}`)
                      : undefined,
                fields.map((f) => drawField(f, i)),
                fields.length > 0 ? undefined
                                  : make("small", {}, before ? `upper half of ${before.name}` : "not used"))));
    }
    return make("div", {class: "packet"}, make("h4", {}, name(packet.name)),
                make("p", {}, `${packet.means} ${plural(packet.dwords, "dword")}.`), rows);
}

function drawCommands(sample) {
    const card = make("div", {class: "card", id: "commands"}, make("h3", {}, "The commands"));
    if (sample.dwordCount === 0) {
        card.append(make("p", {class: "muted"}, "None: the driver did it itself, or there was nothing to do."));
        return card;
    }
    card.append(make("p", {class: "muted"}, `${plural(sample.packetCount, "packet")} in ` +
        `${plural(sample.dwordCount, "dword")}. Left: a dword's number, its value and its 32 bits, bit 31 first. ` +
        "Right: bits, name and value of its fields. A field above bit 31 lies in two dwords."));
    let padding = 0;
    sample.packets.forEach((packet, i) => {
        // A row of equal packets without operands is told once.
        const same = i > 0 && !packet.command && packet.dwords === 1 && packet.name === sample.packets[i - 1].name;
        padding = same ? padding + 1 : 0;
        if (!same) {
            card.append(drawPacket(packet, sample.dwords));
        } else {
            card.lastChild.querySelector(".more")?.remove();
            card.lastChild.append(make("p", {class: "more"}, `and ${padding} more of it, to the next whole unit`));
        }
    });
    if (sample.packets.length < sample.packetCount) {
        card.append(make("p", {class: "muted rest"},
                         `${sample.packetCount - sample.packets.length} more packets like these follow.`));
    }
    return card;
}

function drawDump(digits, other) {
    const box = make("div", {class: "dump"});
    for (let i = 0; i < digits.length; i += 16) {
        const eight = make("span");
        for (let k = i; k < Math.min(i + 16, digits.length); k += 2) {
            const byte = digits.slice(k, k + 2);
            eight.append(byte !== other.slice(k, k + 2) ? make("mark", {}, byte) : byte, " ");
        }
        box.append(eight);
    }
    return box;
}

function drawMemory(sample) {
    const card = make("div", {class: "card", id: "memory"}, make("h3", {}, "Memory, before and after"));
    sample.memory.forEach((piece) => {
        const kept = piece.before.length / 2;
        const part = kept < piece.size ? `, the first ${kept} of them` : "";
        card.append(make("div", {class: "piece"},
            make("div", {}, make("span", {class: "mono"}, piece.place), ` ${plural(piece.size, "byte")}${part} `,
                 make("span", {class: piece.changed ? "tag changed" : "tag"}, piece.changed ? "changed" : "unchanged")),
            piece.changed ? make("div", {class: "dumps"},
                make("div", {}, make("small", {}, "before"), drawDump(piece.before, piece.after)),
                make("div", {}, make("small", {}, "after"), drawDump(piece.after, piece.before)))
                          : drawDump(piece.after, piece.before)));
    });
    if (sample.knowledge.length > 0) {
        card.append(table("", ["What", "Before", "After"], sample.knowledge.map((k) => make("tr", {},
            make("td", {}, k.what), make("td", {class: "mono"}, k.before), make("td", {class: "mono"}, k.after)))));
    }
    if (sample.memory.length + sample.knowledge.length === 0) {
        card.append(make("p", {class: "muted"}, "No memory of an allocation, and no table, was touched."));
    }
    return card;
}

function drawSample() {
    const hardware = hardwareNow();
    const operation = hardware.operations[shown.code];
    const sample = operation.sample;
    const box = find("sample");
    const title = make("div", {class: "title"}, make("h3", {tabindex: -1, id: "sample-title"}, operation.name),
                       make("span", {class: "muted"}, `operation ${operation.code}, ${hardware.title}`));
    const lead = make("p", {}, purpose[operation.name]);
    if (!sample) {
        box.replaceChildren(title, lead, make("p", {class: "muted"},
            "The run has no such request: this adapter does not claim what it needs."));
        return;
    }
    const facts = [["in the run", plural(operation.requests, "request")],
                   ["calls of the driver", String(operation.passes)],
                   ["commands", `${operation.totalCommands}, ${operation.commandBytes} bytes`],
                   ["shown", "one call that changed something, as short as possible"],
                   ["adapter", sample.paging ?? operation.paging],
                   ["the driver returned", sample.status],
                   ["multipass offset", `${sample.multipassBefore} to ${sample.multipassAfter}`],
                   ["room in the buffer", sample.room === 0 ? "no buffer" : `${sample.room} bytes`]];
    const request = make("div", {class: "card", id: "request"}, make("h3", {}, "The request"),
        table("members", ["Member", "Value"], sample.members.map(([member, value]) =>
            make("tr", {}, make("td", {}, name(member)), make("td", {}, value)))));
    box.replaceChildren(title, lead,
        make("dl", {class: "facts"}, facts.map(([what, value]) =>
            make("div", {}, make("dt", {}, what), make("dd", {}, value)))),
        make("div", {class: "parts"}, make("div", {}, request, drawMemory(sample)),
             make("div", {}, drawCommands(sample))));
}

# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The page of `examples/run.sh --report`: a browser opens it, and what it shows is what the run had.

Every operation of every hardware is chosen in turn, and the page's text is compared with the program's data: members,
dwords, fields, bytes, counts. Nothing is asked of the network, nothing is said on the console, no line is wider than
the window, at 1280 and at 380 pixels, in both colour schemes; text has a contrast of at least 4.5 to 1. Keys choose,
the focus is seen, and the page prints. Pictures are left in build/stages/report for people to look at.

A part of stage first_touch, whose tree has built most of it.
"""
import json
import re
import sys

import common

sys.dont_write_bytecode = True
from browser import browser, faint_text  # noqa: E402

out = common.output_folder("report")
page, data_file, again = out / "page.html", out / "data.json", out / "again.html"
widths, schemes = (1280, 380), ("light", "dark")

# What the page shows of one operation.
shown_operation = """(() => {
    const text = (e) => e.textContent;
    const texts = (selector) => [...document.querySelectorAll(selector)].map(text);
    const cells = (selector) => [...document.querySelectorAll(selector)].map((r) => [...r.cells].map(text));
    const sample = document.getElementById('sample');
    return {
        title: document.getElementById('sample-title').textContent,
        text: sample.textContent,
        facts: Object.fromEntries([...sample.querySelectorAll('.facts div')].map((e) =>
            [e.firstChild.textContent, e.lastChild.textContent])),
        members: cells('#sample .members tbody tr'),
        dwords: [...sample.querySelectorAll('.dword .raw')].map((e) =>
            [Number(e.firstChild.textContent), e.childNodes[1].textContent]),
        packets: texts('.packet h4'),
        more: texts('.packet .more').map((t) => Number(t.match(/[0-9]+/)[0])),
        fields: [...sample.querySelectorAll('.field')].map((f) =>
            [text(f.querySelector('.bits')), text(f.querySelector('b')), text(f.querySelector('.value'))]),
        owners: texts('.owner b'),
        pieces: [...sample.querySelectorAll('.piece')].map((p) => ({place: p.querySelector('.mono').textContent,
            tag: p.querySelector('.tag').textContent,
            dumps: [...p.querySelectorAll('.dump')].map((d) => d.textContent.replace(/ /g, '')),
            marks: p.querySelectorAll('mark').length})),
        knowledge: cells('#memory table tbody tr'),
        wide: document.documentElement.scrollWidth,
    };
})()"""

class looker:
    """Compares what the page shows with the data of the run."""

    def __init__(self, report):
        self.report, self.compared = report, 0

    def same(self, what, shown, expected):
        self.compared += 1
        if shown != expected:
            self.report.fail(f"{what}: the page shows {json.dumps(shown)[:300]}\n"
                             f"    and not {json.dumps(expected)[:300]}")

    def operation(self, hardware, operation, shown):
        where = f"{hardware['name']}, {operation['name']}"
        self.same(f"{where}, title", shown["title"], operation["name"])
        if "sample" not in operation:
            self.same(f"{where}, requests that the run has", operation["requests"], 0)
            self.same(f"{where}, a sentence", "has no such request" in shown["text"], True)
            return
        sample = operation["sample"]
        requests = operation["requests"]
        self.same(f"{where}, requests", shown["facts"]["in the run"],
                  f"{requests} request{'s' if requests != 1 else ''}")
        self.same(f"{where}, calls", shown["facts"]["calls of the driver"], str(operation["passes"]))
        self.same(f"{where}, commands", shown["facts"]["commands"],
                  f"{operation['totalCommands']}, {operation['commandBytes']} bytes")
        self.same(f"{where}, status", shown["facts"]["the driver returned"], sample["status"])
        self.same(f"{where}, members", shown["members"], sample["members"])
        # A row of equal packets that only pad is told once.
        packets, told = sample["packets"], []
        for i, packet in enumerate(packets):
            pads = i > 0 and not packet["command"] and packet["dwords"] == 1
            if not (pads and packet["name"] == packets[i - 1]["name"]):
                told.append(packet)
        self.same(f"{where}, packets", shown["packets"], [p["name"] for p in told])
        self.same(f"{where}, packets told as a number", len(told) + sum(shown["more"]), len(packets))
        self.same(f"{where}, dwords", shown["dwords"],
                  [[i, sample["dwords"][i]] for p in told for i in range(p["first"], p["first"] + p["dwords"])])
        fields = [f for p in told for f in sorted(p["fields"], key=lambda f: f["dword"])]
        self.same(f"{where}, fields", shown["fields"],
                  [[str(f["low"]) if f["low"] == f["high"] else f"{f['high']}:{f['low']}", f["name"], f["value"]]
                   for f in fields])
        self.same(f"{where}, methods", len(shown["owners"]), len({f["dword"] for f in fields if f["owner"]}))
        self.same(f"{where}, bits that no field explains", sum(p["unexplained"] for p in packets), 0)
        self.same(f"{where}, pieces of memory", len(shown["pieces"]), len(sample["memory"]))
        for piece, expected in zip(shown["pieces"], sample["memory"]):
            before, after, changed = expected["before"], expected["after"], expected["changed"]
            self.same(f"{where}, place", piece["place"], expected["place"])
            self.same(f"{where}, bytes", piece["dumps"], [before, after] if changed else [after])
            differ = sum(before[i:i + 2] != after[i:i + 2] for i in range(0, len(before), 2))
            self.same(f"{where}, changed bytes", piece["marks"], 2 * differ if changed else 0)
        self.same(f"{where}, what the driver knows", shown["knowledge"],
                  [[k["what"], k["before"], k["after"]] for k in sample["knowledge"]])

    def pictures(self, b, data, hardware):
        """The parts that show one hardware."""
        where = hardware["name"]
        walk, w = hardware["walk"], hardware["window"]
        steps = b.evaluate("""[...document.querySelectorAll('#walk .level')].map((l) => l.textContent)""")
        self.same(f"{where}, steps of the walk", len(steps), len(walk["steps"]) + 1)
        for text, step in zip(steps, walk["steps"]):
            parts = [step["level"], step["table"], f"entry {step['index']} of {step['entries']}", step["value"]]
            parts += [f"{f['name']} {f['value']}" for f in step["fields"]]
            self.same(f"{where}, {step['level']}", [p for p in parts if p not in text], [])
        self.same(f"{where}, the page found", walk["leadsTo"] in steps[-1] and walk["bytes"] > 0, True)
        used = b.evaluate("document.querySelectorAll('#walk .level svg rect').length")
        self.same(f"{where}, entries in use", used, sum(len(s["used"]) + 1 for s in walk["steps"]))
        chunks = [c for c in w["calls"] if "offset" in c]
        texts = b.evaluate("[...document.querySelectorAll('#chunks .chunk:not(.heads)')].map((c) => c.textContent)")
        self.same(f"{where}, chunks", len(texts), len(chunks))
        self.same(f"{where}, chunks make the allocation", sum(c["size"] for c in chunks), w["allocation"])
        self.same(f"{where}, more than one chunk", len(chunks) > 1, True)
        for text, chunk in zip(texts, chunks):
            parts = [f"offset {chunk['offset']}", f"from {chunk['source']} to {chunk['destination']}"]
            self.same(f"{where}, chunk", [p for p in parts if p not in text], [])

    def rest(self, b, data):
        """The parts that show everything at once."""
        cells = b.evaluate("""[...document.querySelectorAll('#matrix tbody tr')].map((r) =>
            [...r.cells].map((c) => c.textContent))""")
        self.same("all operations", cells, [
            [first["name"]] + [str(h["operations"][i]["requests"] or "–") for h in data["hardware"]]
            for i, first in enumerate(data["hardware"][0]["operations"])])
        tables = b.evaluate("""[...document.querySelectorAll('#segment-tables .card')].map((c) => ({text: c.textContent,
            bars: c.querySelectorAll('rect').length,
            heights: [...c.querySelectorAll('rect')].map((r) => +r.getAttribute('height'))}))""")
        self.same("segment tables", len(tables), len(data["segments"]))
        for table, expected in zip(tables, data["segments"]):
            blocks = [b for b in reversed(expected["blocks"]) if b["what"] != "hole"]
            self.same(f"{expected['hardware']}, bars", table["bars"], len(blocks))
            parts = [f"0x{b[end][6:]}" for b in blocks for end in ("first", "last")] + [b["name"] for b in blocks]
            parts += [f"segment {b['id']}" if b["what"] == "segment" else "hidden" for b in blocks]
            self.same(f"{expected['hardware']}, addresses and names", [p for p in parts if p not in table["text"]], [])
            sizes = [int(b["size"], 16) for b in blocks]
            scale = max(table["heights"]) / max(sizes)
            right = [abs(h - max(s * scale, 3)) < .01 for h, s in zip(table["heights"], sizes)]
            self.same(f"{expected['hardware']}, heights to scale", right, [True] * len(sizes))
        lines = b.evaluate("""[...document.querySelectorAll('#timelines .timeline')].slice(1).map((t) => ({
            text: t.textContent, parts: t.querySelectorAll('rect').length}))""")
        self.same("preemptions", len(lines), len(data["preemption"]))
        for line, run in zip(lines, data["preemption"]):
            parts = [run["stopsAt"], f"{run['latency']} µs", f"shown at {run['shown']} µs"]
            self.same(f"preemption, {run['stopsAt']}", [p for p in parts if p not in line["text"]], [])
            stretches = len(re.findall(r"(.)\1*", run["engine"]))
            self.same(f"preemption, {run['stopsAt']}, stretches", line["parts"], stretches + 2)
            self.same(f"preemption, {run['stopsAt']}, latency", run["reported"] - run["asked"], run["latency"])

    def keys(self, b):
        """Without a mouse."""
        b.evaluate("location.hash = '#cpu/0'; new Promise((done) => setTimeout(done, 100))")
        self.same("choosing in the table leads to the operation", b.evaluate("document.activeElement.id"),
                  "sample-title")
        b.evaluate("document.querySelector('#hardware input').focus()")
        b.press("ArrowRight", 39)
        self.same("an arrow key chooses the next hardware", b.evaluate("location.hash"), "#amd_gfx10/0")
        b.press("Tab", 9)
        b.press("Tab", 9)
        b.press("Tab", 9)
        self.same("tabs lead to the next operation", b.evaluate("document.activeElement.id"), "next")
        outline = b.evaluate("getComputedStyle(document.activeElement).outlineStyle + ' ' + "
                             "getComputedStyle(document.activeElement).outlineWidth")
        self.same("the focus is seen", outline, "solid 3px")
        b.press("Enter", 13)
        self.same("Enter chooses it", b.evaluate("location.hash"), "#amd_gfx10/1")
        ground = "getComputedStyle(document.body).backgroundColor"
        b.evaluate("document.getElementById('scheme').focus()")
        grounds = []
        for _ in range(3):
            b.press("Enter", 13)
            grounds.append(b.evaluate(ground))
        self.same("the switch has a light and a dark scheme", grounds[0] != grounds[1], True)
        self.same("the switch returns to the system's", grounds[2], grounds[0])  # the system's is light here


def look(report, data):
    """Opens the page in every way."""
    it = looker(report)
    operations = [(h, o) for h in data["hardware"] for o in h["operations"]]
    text = page.read_text(encoding="utf-8")
    it.same("addresses of other places", sorted(set(re.findall(r"https?://[^\s\"'<]+", text))),
            ["http://www.w3.org/2000/svg"])
    with browser() as b:
        for width in widths:
            for scheme in schemes:
                b.look(width, scheme)
                asked = b.open(page.as_uri())
                asked = [url for url in asked if not url.startswith("data:")]
                it.same(f"{width} {scheme}, requests", asked, [page.as_uri()])
                wide = b.evaluate("document.documentElement.scrollWidth")
                it.same(f"{width} {scheme}, wider than the window", max(wide, width), width)
                found = b.evaluate(faint_text)
                it.same(f"{width} {scheme}, faint text", found["faint"], [])
                it.same(f"{width} {scheme}, texts", found["seen"] > 300, True)
                b.picture(out / f"{width}-{scheme}.png")
            for hardware, operation in operations:
                b.evaluate(f"location.hash = '#{hardware['name']}/{operation['code']}'; "
                           "new Promise((done) => setTimeout(done, 0))")
                shown = b.evaluate(shown_operation)
                it.same(f"{hardware['name']}, {operation['name']}, width", max(shown["wide"], width), width)
                if width == widths[0]:
                    it.operation(hardware, operation, shown)
                    if operation["code"] == 0:
                        it.pictures(b, data, hardware)
        it.same("data of the page", b.evaluate("JSON.parse(document.getElementById('data').textContent)"), data)
        it.rest(b, data)
        b.look(widths[0], "light")
        it.keys(b)
        paper = b.printed()
        (out / "page.pdf").write_bytes(paper)
        it.same("a PDF", paper[:5] == b"%PDF-" and len(re.findall(rb"/Type\s*/Page\b", paper)) >= 2, True)
        it.same("what the console had to say", b.problems, [])
    report.checked(len(operations), "operations of the page, each at two widths")
    report.checked(it.compared, "comparisons of the page with the data of the run")


def check(report, tree):
    """Of the tree in which somebody tries the library."""
    code, text = common.run(["sh", tree / "examples/run.sh", "--report", page])
    if code != 0:
        report.fail(f"examples/run.sh --report: exit code {code}\n{text}")
    else:
        program = tree / "build/examples/examples/report"
        code, text = common.run([program, again, data_file])
        if code != 0 or again.read_bytes() != page.read_bytes():
            report.fail(f"a second run writes another page, exit code {code}\n{text}")
        look(report, json.loads(data_file.read_text(encoding="utf-8")))
    code, text = common.run(["sh", tree / "examples/run.sh", "--report"])
    if code != 2:
        report.fail(f"--report without a file: exit code {code}\n{text}")
    report.checked(1, "wrong use of --report")

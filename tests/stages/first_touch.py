# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What somebody sees who tries the library for the first time.

`sh examples/run.sh` in a copy of the tree, from nothing and without a compiler cache: each step is a line, a byte is
compared early, and processor time and memory stay below what two processors and 2 GB do in the time promised. `--help`
builds nothing and knows every option. A second call says nothing of building. The traces that examples write hold every
trip in spans that nest, in the order of time, and each command's way from request to fence is one flow of arrows. The
picture of a segment table has every name, size and address, and no label lies on another one or outside of its box. The
page of --report is looked at in a browser (report_page.py). Nothing is written into the tree.
"""
import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from xml.etree import ElementTree

import common
import report_page

seconds_to_first_byte, seconds_of_run = 2 * 30, 2 * 90  # of two processors, together
memory_kib = 2 << 20
jobs = 2

report = common.report()
folder = common.output_folder("first_touch")
tree = folder / "tree"
elsewhere = folder / "elsewhere"
environment = {name: value for name, value in os.environ.items() if not name.endswith("_COMPILER_LAUNCHER")}
environment.pop("GLIBC_TUNABLES", None)  # tests/run.sh has it, who tries the library has not
environment.update(WDDMCORE_JOBS=str(jobs), LC_ALL="C")
proven = re.compile(r"^(\d+) round trips? on (\d+) adapters?, .*: every byte equal, .* compared", re.M)


def expect(holds, sentence):
    if not holds:
        report.fail(sentence)
    return holds


def in_tree():
    return {path for path in tree.rglob("*") if path.is_file() and not path.is_relative_to(tree / "build")}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], cwd=elsewhere, env=environment, capture_output=True, text=True,
                          check=False, **options)


def processor_seconds(process):
    """Of a running process and the children that it has waited for."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def check_help():
    before = in_tree()
    done = run("sh", tree / "examples/run.sh", "--help")
    expect(done.returncode == 0 and "--trace" in done.stdout, "run.sh --help does not help")
    expect(in_tree() == before and not (tree / "build").exists(), "run.sh --help builds something")
    return done.stdout


def check_first_run():
    errors = open(folder / "first_run.err", "w+", encoding="utf-8")
    first = None
    with subprocess.Popen(["sh", str(tree / "examples/run.sh")], cwd=elsewhere, env=environment, stdout=subprocess.PIPE,
                          stderr=errors, text=True) as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if first is None and proven.match(line):
                first = processor_seconds(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    total = usage.ru_utime + usage.ru_stime
    errors.seek(0)
    said = errors.read()
    out = "".join(lines)
    expect(process.returncode == 0, f"run.sh ends with {process.returncode}: {said[-600:]}")
    found = proven.findall(out)
    if not expect(first is not None and len(found) == 2, "run.sh does not say twice what it has compared"):
        return
    print(f"processor seconds: {first:.0f} to the first compared byte, {total:.0f} in all; "
          f"largest process {usage.ru_maxrss >> 10} MiB")
    expect(first <= seconds_to_first_byte, f"the first byte is compared after {first:.0f} processor seconds")
    expect(total <= seconds_of_run, f"run.sh takes {total:.0f} processor seconds")
    expect(jobs * usage.ru_maxrss <= memory_kib, f"a process of run.sh takes {usage.ru_maxrss} KiB")
    expect(out.index(found and proven.search(out).group(0)) < out.index("ns/pass"), "the table comes before the first byte")
    for column in ("hardware", "operation", "commands", "ns/pass"):
        expect(re.search(rf"^{column} +[a-z]", out, re.M), f"the legend says nothing of {column}")
    steps = [line for line in said.splitlines() if line.startswith("build ")]
    trips = [line for line in said.splitlines() if re.match(r"\d+ of \d+: ", line)]
    expect(len(steps) > 10, "the steps of building are not shown")
    expect(len(trips) == sum(int(trips_of) for trips_of, _ in found), "not every trip is shown")
    expect("refused" in out.splitlines()[-1], "three_generations does not follow")
    report.checked(len(steps) + len(trips), "steps shown")


def check_second_run():
    done = run("sh", tree / "examples/run.sh", "--size", "4K", "--buffer", "4096", "--pages", "contiguous")
    expect(done.returncode == 0 and len(proven.findall(done.stdout)) == 1, "a second call of run.sh does not end well")
    rest = [line for line in done.stderr.splitlines() if not re.match(r"\d+ of \d+: ", line)]
    expect(not rest, f"a second call says {rest[:1]}")


def check_options(text):
    usage = run(tree / "build/examples/examples/paging_round_trip", "--help").stdout
    options = set(re.findall(r"^ +(--\w+)", usage, re.M))
    missing = {option for option in options if not re.search(rf"^  {option} ", text, re.M)}
    expect(len(options) > 5 and not missing, f"run.sh --help knows nothing of {missing}")
    for word in re.findall(r"--hardware +(.*?);", usage)[0].split(", "):
        expect(word.split("_")[0] in text, f"run.sh --help knows nothing of {word}")


def read(name, events):
    """Spans by row, and by flow the spans that it passes through. Spans nest, times never go back, flows begin and end."""
    last, rows, around, flows = defaultdict(int), defaultdict(list), defaultdict(list), defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            continue
        row, start = (event["pid"], event["tid"]), round(event["ts"] * 1000)
        expect(start >= last[event["pid"]], f"{name}: time goes back at {event}")
        last[event["pid"]] = start
        expect(event.get("cat"), f"{name}: no category: {event}")
        stack = around[row]
        while stack and stack[-1][0] <= start:
            stack.pop()
        if event["ph"] == "X":
            end = start + round(event["dur"] * 1000)
            expect(not stack or end <= stack[-1][0], f"{name}: spans overlap in {row} at {event}")
            rows[row].append((start, end, event))
            if end > start:
                stack.append((end, event))
        elif event["ph"] in "stf":
            expect(event.get("bp") == "e", f"{name}: an arrow is not bound to what surrounds it: {event}")
            if expect(stack, f"{name}: no span surrounds {event}"):
                flows[event["id"]].append((event, stack[-1][1]))
    for number, arrows in flows.items():
        phases = "".join(arrow["ph"] for arrow, _ in arrows)
        expect(re.fullmatch("st*f", phases), f"{name}: flow {number} goes {phases}")
        expect(len({(arrow["name"], arrow["cat"]) for arrow, _ in arrows}) == 1, f"{name}: flow {number} has several names")
    return rows, {number: [span for _, span in arrows] for number, arrows in flows.items()}


def check_titles(name, events):
    processes = {event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
    rows = {(event["pid"], event["tid"]) for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    for event in events:
        if event["ph"] not in "MC":
            expect((event["pid"], event["tid"]) in rows and event["pid"] in processes, f"{name}: a row without a title")
            break
    return processes


def check_round_trips():
    trace, again, twice = (elsewhere / name for name in ("trips.json", "again.json", "twice.json"))
    program = tree / "build/examples/examples/paging_round_trip"
    done = run(program, "--pages", "random", "--brief", "--trace", trace)
    expect(done.returncode == 0 and str(trace) in done.stdout, "the main job does not say where its trace is")
    for file in (again, twice):
        run(program, "--hardware", "cpu", "--pages", "random", "--size", "64K", "--brief", "--trace", file)
    expect(again.read_bytes() == twice.read_bytes(), "two equal runs have different traces")
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    rows, flows = read(trace.name, events)
    trips = sorted((start, end, event) for (_, row), members in rows.items() if row == 0 for start, end, event in members)
    made, adapters = (int(number) for number in proven.search(done.stdout).groups())
    expect([event["args"]["trip"] for _, _, event in trips] == list(range(1, made + 1)), "the trace lacks a trip")
    expect(len(check_titles(trace.name, events)) == adapters, "not every adapter is a process of the trace")
    builds = sum(1 for event in events if event["ph"] == "X" and event["name"].startswith("build ") and event["args"]["bytes"])
    expect(len(flows) == builds, f"{builds} builds wrote commands, and the trace has {len(flows)} flows")
    for number, spans in flows.items():
        ways = [span["cat"] for span in spans]
        if not expect(ways == ["system", "driver", "driver", "engine", "fence"], f"flow {number} goes through {ways}"):
            break
        request, build, submit, execution, fence = (span["args"] for span in spans)
        expect(request["request"] == build["request"] == execution["request"], f"flow {number} changes its request")
        expect(submit["fence"] == execution["fence"] == fence["fence"], f"flow {number} changes its fence")
    inside = 0
    for event in events:
        if event["ph"] not in "MC" and event["tid"] != 0:
            time = round(event["ts"] * 1000)
            while inside + 1 < len(trips) and trips[inside + 1][0] <= time:
                inside += 1
            start, end, trip = trips[inside]
            expect(trip["pid"] == event["pid"] and start <= time <= end, f"{event} belongs to no trip")
    report.checked(len(flows), "flows of commands")
    report.checked(made, "trips in a trace")


def check_preemption():
    program, trace = tree / "build/examples/examples/preemption", elsewhere / "preemption.json"
    expect(run(program, "--help").returncode == 0, "preemption --help does not help")
    done = run(program, trace)
    expect(done.returncode == 0 and f"trace: {trace}" in done.stdout, "preemption does not say where its trace is")
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    _, flows = read(trace.name, events)
    expect(len(check_titles(trace.name, events)) == 6, "not every kind of hardware is in preemption's trace")
    ways = [" ".join(span["name"].split()[0] for span in spans) for spans in flows.values()]
    for way in ("submit render", "submit render completed", "preempt preempted"):
        expect(way in ways, f"no flow of preemption goes {way}")
    expect(set(ways) <= {"submit render", "submit render completed", "preempt preempted"}, f"flows go {set(ways)}")
    report.checked(len(flows), "flows of packets")


class box:
    def __init__(self, left, top, right, bottom, what):
        self.left, self.top, self.right, self.bottom, self.what = left, top, right, bottom, what

    def within(self, other):
        return (other.left <= self.left and self.right <= other.right and other.top <= self.top and
                self.bottom <= other.bottom)

    def overlaps(self, other):
        return (self.left < other.right and other.left < self.right and self.top < other.bottom and
                other.top < self.bottom)


def label_of(element, size):
    """Where a line of equally wide letters lies."""
    text = element.text or ""
    x, y, width = float(element.get("x")), float(element.get("y")), len(text) * size * 0.62
    left = x - width if element.get("text-anchor") == "end" else x
    return box(left, y - 0.8 * size, left + width, y + 0.25 * size, text)


def check_picture():
    program, path = tree / "build/examples/examples/segments", elsewhere / "picture.svg"
    expect(run(program, "--help").returncode == 0, "segments --help does not help")
    done = run(program, path)
    expect(done.returncode == 0 and f"picture: {path}" in done.stdout, "segments does not say where its picture is")
    space = "{http://www.w3.org/2000/svg}"
    picture = ElementTree.parse(path).getroot()
    size = float(picture.get("font-size"))
    whole = box(0, 0, *(float(number) for number in picture.get("viewBox").split()[2:]), "the picture")
    labels = [label_of(text, size) for text in picture.iter(f"{space}text")]
    for label in labels:
        expect(label.within(whole), f"'{label.what}' is cut off")
    for i, one in enumerate(labels):
        for other in labels[i + 1:]:
            expect(not one.overlaps(other), f"'{one.what}' lies on '{other.what}'")
    heights = {}
    for group in picture.iter(f"{space}g"):
        frame = group.find(f"{space}rect")
        x, y, width, height = (float(frame.get(name)) for name in ("x", "y", "width", "height"))
        around = box(x, y, x + width, y + height, "block")
        inside = [label_of(text, size) for text in group.iter(f"{space}text")]
        for label in inside:
            expect(label.within(around), f"'{label.what}' leaves its block")
        heights[inside[0].what, inside[1].what] = height
    wanted = [("firmware", "16 MiB"), ("gart", "512 MiB"), ("vram", "16 GiB"), ("hole", "127.48 TiB")]
    if expect(sorted(heights) == sorted(wanted), f"the picture shows {sorted(heights)}"):
        tall = [heights[block] for block in wanted]
        expect(tall == sorted(set(tall)), "a larger block is not taller")
    words = {label.what for label in labels}
    printed = set(re.findall(r"^(0x[0-9a-f]{16}) \+", done.stdout, re.M))
    expect(len(printed) == 4 and printed < words, f"the picture lacks an address of {printed}")
    expect({"scale of heights", "1 MiB", "1 GiB", "1 TiB", "segment", "hidden"} < words, "the picture lacks its scale")
    report.checked(len(labels), "labels of a picture")


def main():
    tree.mkdir()
    elsewhere.mkdir()
    for name in ("CMakeLists.txt", "CMakePresets.json", "include", "examples", "tests", "LICENSE", "README.md"):
        source = common.root / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tree / name)
    before = in_tree()
    text = check_help()
    check_first_run()
    check_options(text)
    check_second_run()
    built = run("cmake", "--build", tree / "build/examples", "--target", "segments", "preemption", "-j", jobs)
    expect(built.returncode == 0, f"examples do not build: {built.stdout[-600:]}")
    check_round_trips()
    check_picture()
    check_preemption()
    for program in ("segments", "preemption"):
        expect(run(tree / "build/examples/examples" / program).returncode == 0, f"{program} fails alone")
    report_page.check(report, tree)
    expect(in_tree() == before, f"written into the tree: {sorted(in_tree() - before)[:3]}")
    left = {path.name for path in elsewhere.iterdir()}
    expect(left == {"trips.json", "again.json", "twice.json", "picture.svg", "preemption.json"}, f"nobody asked for {left}")
    shutil.rmtree(folder)
    report.finish()


main()

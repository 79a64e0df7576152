# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What a driver would link: all headers, and tests/kernel/*.cpp, for the MSVC ABI of x64, ARM64 and x86.

An object may ask for nothing but memcpy and its kin, initialises nothing at start, has no writable global and no
thread-local; it computes nothing in floating point and touches no register that kernel code would have to save first
(IRQ-10): on x64 everything but xmm, whose moves and integer operations compilers use there and the kernel preserves; on
32-bit x86 all of them, x87 included; on ARM64 those of SVE, while integer NEON is preserved like xmm; no frame is above 448 bytes and no chain of calls above 1 KiB. A source may set itself a lower bound for
both with a line `// stack-limit: BYTES`. The sources in bad/ break one of these laws each and must be refused for it.
"""
import re

import common
from callgraph import call_graph
from coff import coff_object

frame_limit, chain_limit = 448, 1024
allowed = {"memcpy", "memmove", "memset", "memcmp"}
# 32-bit x86 has no 64-bit division, multiplication or shift of its own.
allowed_on_x86 = {"__aulldiv", "__alldiv", "__aullrem", "__allrem", "__allmul", "__aullshr", "__allshl", "__allshr",
                  "__alldvrm", "__aulldvrm"}
cookie = {"__security_cookie", "__security_check_cookie", "___security_cookie", "@__security_check_cookie@4"}

sources = common.root / "tests/kernel"
bad_sources = common.root / "tests/stages/bad"
out = common.output_folder("kernel")


def undecorated(name, target):
    if target.startswith("i686"):
        if name in allowed_on_x86:
            return "memcpy"
        return name[1:] if name.startswith("_") else name
    return name


def broken_laws(target, obj, with_cookie):
    found = coff_object(obj)
    undefined = {name for name in found.undefined if undecorated(name, target) not in allowed}
    if with_cookie:
        undefined -= cookie
    laws = {"undefined symbol": sorted(undefined), "dynamic initialiser": found.dynamic_initialisers(),
            "thread-local": found.thread_locals(), "writable global": found.writable_data()}
    return [f"{law}: {', '.join(what[:4])}" for law, what in laws.items() if what]


# IRQ-10: operands that name state which kernel code has to save before it uses it, and instructions that compute in
# floating point. AT&T names on x86; the names of AArch64 stand alone.
unsaved_state = {
    "x86_64": re.compile(r"%(?:[yz]mm|mm[0-7]|st\b|k[0-7])"),
    "i686": re.compile(r"%(?:[xyz]mm|mm[0-7]|st\b|k[0-7])"),
    "aarch64": re.compile(r"(?<![\w#])(?:z(?:\d|[12]\d|3[01])|p(?:\d|1[0-5]))(?!\w)"),
}
x86_floating_point = re.compile(r"^(?:f(?!ence|xsave|xrstor)|v?(?:add|sub|mul|div|sqrt|min|max|rcp|rsqrt|u?comi|cmp\w*|round|"
                                r"dp|hadd|hsub)[sp][sd]$|v?cvt|vfn?m)")
floating_point = {"x86_64": x86_floating_point, "i686": x86_floating_point,
                  "aarch64": re.compile(r"^(?:f(?!mov)|[su]cvtf|bf)")}


def unsaved(target, obj):
    """(instructions that break IRQ-10, instructions seen) of an object."""
    if not coff_object(obj).code():
        return [], 0
    code, text = common.run([common.tool("llvm-objdump-19"), "-d", "--no-show-raw-insn", obj])
    if code:
        return [f"llvm-objdump-19 fails: {text[:200]}"], 0
    machine = target.split("-")[0]
    found, seen = [], 0
    for line in text.split("\n"):
        instruction = re.match(r"^\s*[0-9a-f]+:\s+(\S+)\s*(.*)$", line)
        if not instruction:
            continue
        seen += 1
        mnemonic, operands = instruction.groups()
        bits = mnemonic in ("bfi", "bfxil", "bfc", "bfm")
        if unsaved_state[machine].search(re.sub(r"<[^>]*>", "", operands)) or (
                floating_point[machine].match(mnemonic) and not bits):
            found.append(f"{mnemonic} {operands.strip()}")
    return found, seen


def big_frames(usage, limit):
    """(complaints, functions seen, the biggest frame)."""
    wrong, seen, biggest = [], 0, 0
    for line in usage.read_text(encoding="utf-8", errors="replace").splitlines():
        name, size, kind = line.rsplit("\t", 2)
        seen, biggest = seen + 1, max(biggest, int(size))
        if int(size) > limit or kind != "static":
            wrong.append(f"frame of {size} bytes ({kind}, limit {limit}): {name.split(':')[-1]}")
    return wrong, seen, biggest


def stack_limit(source, limit):
    own = re.search(r"^// stack-limit: (\d+)$", source.read_text(encoding="utf-8"), re.M)
    return int(own[1]) if own else limit


def check_object(job):
    """(complaints, functions seen, biggest frame, instructions seen) of one source for one target."""
    target, source, name, cookie_on = job
    # In cl mode the stack usage goes to the current folder, whatever the object is called.
    folder = out / (target.split("-")[0] + ("_gs" if cookie_on else ""))
    folder.mkdir(exist_ok=True)
    obj = folder / f"{name}.obj"
    command = common.clang_cl(target) + ["/c", "/O2", "/GS" if cookie_on else "/GS-", f"/I{common.include}",
                                         f"/I{common.root / 'examples'}", f"/I{common.root / 'tests'}",
                                         "/clang:-fstack-usage", f"/Fo{obj}", "--", source]
    code, output = common.run(command, cwd=folder)
    at = f"{target}: {name}{' (/GS)' if cookie_on else ''}"
    if code:
        return [f"{at} does not compile:\n{output}"], 0, 0, 0
    wrong = broken_laws(target, obj, cookie_on)
    state, instructions = unsaved(target, obj)
    if state and target.startswith("i686"):
        # Jump tables stand among x86's instructions and may read like some; the same code without tables decides.
        plain = folder / f"{name}.no_tables.obj"
        code, output = common.run([part if part != f"/Fo{obj}" else f"/Fo{plain}" for part in command[:-2]] +
                                  ["/clang:-fno-jump-tables", "--", source], cwd=folder)
        state = unsaved(target, plain)[0] if code == 0 else [output]
    if state:
        wrong.append(f"floating-point or unsaved vector state: {'; '.join(state[:4])}")
    usage = folder / f"{source.stem}.su"
    frames, seen, biggest = ([], 0, 0)
    if usage.exists() and not cookie_on:
        frames, seen, biggest = big_frames(usage, stack_limit(source, frame_limit))
    return [f"{at}: {text}" for text in wrong + frames], seen, biggest, instructions


def check_chains(source):
    """(complaints, bytes of the deepest chain, the chain as text) of one source, compiled on the host."""
    obj = out / f"{source.stem}.host.o"
    command = [common.tool("g++"), *common.freestanding, "-O2", "-c", "-fcallgraph-info=su,da", f"-I{common.include}",
               f"-I{common.root / 'examples'}", f"-I{common.root / 'tests'}", "-o", obj, source]
    code, output = common.run(command)
    if code:
        return [f"g++: {source.name} does not compile:\n{output}"], 0, ""
    graph = call_graph(obj.with_suffix(".ci").read_text(encoding="utf-8", errors="replace"))
    wrong = []
    if not graph.bytes:
        wrong.append("g++ names no function")
    wrong += [f"frame of unknown size: {name}" for name in graph.dynamic.values()]
    wrong += [f"indirect call, so its depth is unknown: {name}" for name in graph.indirect()]
    circle = graph.recursion()
    depth, chain = 0, ""
    if circle:
        wrong.append("recursion: " + " -> ".join(circle))
    else:
        depth, frames = graph.deepest()
        chain = "".join(f"\n    {size:4} {name}" for name, size in frames)
        limit = stack_limit(source, chain_limit)
        if depth > limit:
            wrong.append(f"chain of {depth} bytes (limit {limit}):{chain}")
    return [f"{source.name}: {text}" for text in wrong], depth, chain


def check_gates(report):
    """Every source in bad/ is refused, for the law that it names, wherever that law is checked."""
    bad = sorted(bad_sources.glob("*.cpp"))
    jobs = []
    for source in bad:
        text = source.read_text(encoding="utf-8")
        law = re.search(r"^// refused: (.+)$", text, re.M)[1]
        only = re.search(r"^// only: (.+)$", text, re.M)
        targets = ["host"] if law in ("chain", "recursion", "indirect call") else common.msvc_targets
        jobs += [(source, law, target) for target in targets if not only or target.split("-")[0] in only[1].split()]

    def refusal(job):
        source, _, target = job
        return check_chains(source)[0] if target == "host" else check_object((target, source, source.stem, False))[0]

    for (source, law, target), wrong in zip(jobs, common.in_parallel(refusal, jobs)):
        reasons = [text.split(": ", 2 if target != "host" else 1)[-1] for text in wrong]
        if not any(reason.startswith(law) for reason in reasons) or "does not compile" in str(wrong):
            report.fail(f"self-test: {source.name} ({target}) is not refused for '{law}' but: {wrong or 'nothing'}")
    report.checked(len(jobs), "broken sources refused for their reason")


def main():
    report = common.report()
    check_gates(report)

    jobs = []
    headers = [path for path in common.core_headers() if not path.stem.endswith(("_begin", "_end"))]
    # What a header defines, initialises or asks for by itself it does there too; that each compiles alone, stage headers shows.
    together = out / "all_headers.cpp"
    together.write_text("".join(f'#include "{header.relative_to(common.include).as_posix()}"\n' for header in headers), encoding="utf-8")
    jobs += [(target, together, together.stem, False) for target in common.msvc_targets]
    instantiations = sorted(sources.glob("*.cpp"))
    jobs += [(target, source, source.stem, False) for source in instantiations for target in common.msvc_targets]
    # /GS is the WDK's default; it adds its two symbols and nothing else. The longest source has more hardware types for the
    # templates of the others.
    guarded = [source for source in instantiations if source.stem != "instantiate"]
    jobs += [(common.msvc_targets[0], source, source.stem, True) for source in guarded]

    functions = biggest = instructions = 0
    for wrong, seen, frame, read in common.in_parallel(check_object, jobs):
        functions, biggest, instructions = functions + seen, max(biggest, frame), instructions + read
        for text in wrong:
            report.fail(text)

    deepest, chain = 0, ""
    for wrong, depth, path in common.in_parallel(check_chains, instantiations):
        if depth > deepest:
            deepest, chain = depth, path
        for text in wrong:
            report.fail(text)

    report.checked(len(headers), f"headers together x {len(common.msvc_targets)} machines")
    report.checked(len(instantiations), "sources of tests/kernel x 3 machines with /GS-, and g++ for chains")
    report.checked(len(guarded), "of them for x64 with /GS")
    report.checked(functions, f"frames: the biggest has {biggest} bytes of {frame_limit}")
    report.checked(instructions, "instructions that neither compute in floating point nor touch unsaved vector state (IRQ-10)")
    print(f"deepest chain: {deepest} bytes of {chain_limit}:{chain}")
    report.finish()


main()

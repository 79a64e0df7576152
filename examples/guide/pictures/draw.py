# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Draws the pictures of the guide: python3 examples/guide/pictures/draw.py

Each has a light ground of its own, so that it can be read on a dark page too. The stage `guide` draws them again and compares.
The numbers of a_fill.svg are read from first_hour.md, whose output the same stage compares with what first_hour prints.
"""
import re
from html import escape
from pathlib import Path

ground, ink, line = "#fbfaf7", "#1f2328", "#8c959f"
system, driver, gpu, iommu = "#dbe9f9", "#fbe3cf", "#dcefdc", "#ece0f5"


def text(x, y, words, size=14, weight="normal", anchor="start", colour=ink):
    return (f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
            f'fill="{colour}">{escape(words)}</text>')


def box(x, y, width, height, fill, dashed=False):
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{line}"{dash}/>'


def arrow(x1, y1, x2, y2):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{ink}" stroke-width="1.5" marker-end="url(#tip)"/>'


def page(width, height, title, parts):
    tip = ('<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
           f'<path d="M0 0 10 5 0 10z" fill="{ink}"/></marker></defs>')
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" font-family="Segoe UI, Helvetica, Arial, sans-serif" role="img">',
                      f"<title>{escape(title)}</title>", tip,
                      f'<rect width="{width}" height="{height}" rx="10" fill="{ground}"/>', *parts, "</svg>", ""])


def sequence(title, lanes, steps, foot):
    """Lanes of actors, and numbered steps from one lane to another."""
    left, top, gap, width = 120, 58, 62, 260
    middle = {name: left + width * i for i, (name, _) in enumerate(lanes)}
    bottom = top + 48 + gap * len(steps)
    parts = [text(20, 30, title, 17, "bold")]
    for name, fill in lanes:
        parts += [box(middle[name] - 105, top, 210, 32, fill), text(middle[name], top + 21, name, 14, "bold", "middle"),
                  f'<line x1="{middle[name]}" y1="{top + 32}" x2="{middle[name]}" y2="{bottom}" stroke="{line}" '
                  'stroke-dasharray="4 4"/>']
    for number, (source, target, words, more) in enumerate(steps, 1):
        y = top + 32 + gap * number - 8
        if source == target:
            x = middle[source]
            parts += [box(x - 98, y - 30, 196, 42, dict(lanes)[source]), text(x, y - 13, f"{number}  {words}", 13, "bold", "middle"),
                      text(x, y + 4, more, 12, "normal", "middle")]
        else:
            x, way = (middle[source] + middle[target]) / 2, 1 if middle[target] > middle[source] else -1
            parts += [arrow(middle[source] + 4 * way, y, middle[target] - 5 * way, y),
                      text(x, y - 22, f"{number}  {words}", 13, "bold", "middle"), text(x, y - 7, more, 12, "normal", "middle")]
    parts += [text(20, bottom + 30 + 20 * i, words, 13) for i, words in enumerate(foot)]
    return page(left + width * (len(lanes) - 1) + 130, bottom + 20 + 20 * len(foot) + 12, title, parts)


def eviction():
    return sequence(
        "An allocation is evicted: NotifyEviction (NTF-07, NTF-08)",
        [("Video memory manager", system), ("Your driver", driver), ("GPU, system context", gpu)],
        [("Video memory manager", "Video memory manager", "maps the allocation", "in the paging process"),
         ("Video memory manager", "Your driver", "DxgkDdiBuildPagingBuffer", "NOTIFY_ALLOC, Eviction = 1"),
         ("Your driver", "Your driver", "writes the commands", "decompress in place"),
         ("Video memory manager", "GPU, system context", "submits the paging buffer", "in the system context; the GPU executes it"),
         ("Video memory manager", "Video memory manager", "unmaps the allocation", "its pages go elsewhere")],
        ["It comes when the allocation leaves an aperture or system memory, never from local memory.",
         "All the work must lie in these commands: step 5 follows their end.",
         "A large allocation takes the five steps chunk by chunk."])


def iommu_unmap():
    return sequence(
        "Pages leave the IOMMU: NotifyIoMmuUnmap (NTF-09, NTF-10, NTF-11)",
        [("Video memory manager", system), ("Your driver", driver), ("GPU and IOMMU", iommu)],
        [("Video memory manager", "Your driver", "DxgkDdiBuildPagingBuffer", "NOTIFY_ALLOC, IoMmuUnmap = 1"),
         ("Your driver", "Your driver", "writes the commands", "write back, drop from caches"),
         ("Video memory manager", "GPU and IOMMU", "submits the paging buffer", "the GPU executes it"),
         ("GPU and IOMMU", "Video memory manager", "all paging work has ended", "fences say so"),
         ("Video memory manager", "GPU and IOMMU", "the IOMMU unmaps the pages", "an access after this is a fault")],
        ["It comes with the GpuVaIoMmu and GpuVaIoMmuGlobal models only.",
         "After step 3 nothing may touch these addresses, and no cache may hold anything of them."])


def caps():
    rows = [("addresses = physical", "0 1 2   TRANSFER, FILL, DISCARD_CONTENT; below WDDM 2.0 also 3 and 4"),
            ("addresses = gpu_virtual", "8 9   VIRTUAL_TRANSFER, VIRTUAL_FILL; 2, and 0 of size 0"),
            ("aperture = mdl", "5 6   MAP_, UNMAP_APERTURE_SEGMENT"),
            ("aperture = adl  (WDDM 2.9)", "17 6   MAP_APERTURE_SEGMENT2, UNMAP_APERTURE_SEGMENT; on older systems 5"),
            ("gpu_mmu, page_tables", "11 12   UPDATE_PAGE_TABLE, FLUSH_TLB"),
            ("alternate_address_lock", "7   SPECIAL_LOCK_TRANSFER"),
            ("context_allocations", "10 13   INIT_CONTEXT_RESOURCE, UPDATE_CONTEXT_ALLOCATION"),
            ("tiled_resources", "14   COPY_PAGE_TABLE_ENTRIES, unless tables are CPU-virtual only"),
            ("residency_notification", "15 21   NOTIFY_RESIDENCY, NOTIFY_RESIDENCY2"),
            ("monitored_fence_signal", "16   SIGNAL_MONITORED_FENCE"),
            ("native_fences", "18   NOTIFY_FENCE_RESIDENCY"),
            ("mmu_mapping", "19 20   MAP_MMU, UNMAP_MMU"),
            ("allocation_notification", "22   NOTIFY_ALLOC")]
    parts = [text(20, 30, "A claim makes operations reachable. What is reachable has to be possible.", 17, "bold"),
             text(20, 58, "the hardware type claims", 13, "bold"), text(330, 58, "so the system may send", 13, "bold")]
    for i, (claim, operations) in enumerate(rows):
        y = 68 + 34 * i
        parts += [box(20, y, 240, 27, driver), text(32, y + 18, claim), arrow(262, y + 13, 324, y + 13),
                  box(330, y, 550, 27, system), text(342, y + 18, operations)]
    y = 68 + 34 * len(rows) + 20
    parts += [text(20, y, "Claimed, and the encoder is missing: it does not compile, and the error names the member.", 13),
              text(20, y + 20, "Sent, and not claimed: your fault hook is called, and nothing is written.", 13)]
    return page(900, y + 38, "What the claims of a hardware type make reachable", parts)


def a_fill():
    page_of_it = (Path(__file__).parents[1] / "first_hour.md").read_text(encoding="utf-8")
    length, token = re.search(r"^status 0+, (\d+) dwords, token (\d+)$", page_of_it, re.M).groups()
    commands = re.findall(r"^  code (\d+)  pattern (\w+)  to (\w+)  (\d+) bytes$", page_of_it, re.M)
    passes = re.findall(r"^pass (\d+): status (\w+), token (\d+)$", page_of_it, re.M)
    size = sum(int(count) for *_, count in commands) >> 20
    y, step, cell = 92, 58, 17
    parts = [text(20, 30, "A run of first_hour.cpp: one fill, as Windows asks for it", 17, "bold")]
    for x, words in ((20, "Windows asks"), (286, "the driver's paging buffer"), (650, "what the GPU will fill")):
        parts.append(text(x, 66, words, 14, "bold"))
    parts += [box(20, y - 12, 200, 3 * step - 14, system)]
    parts += [text(34, y + 14 + 24 * i, words) for i, words in enumerate(
        ("operation 1, FILL", f"size {size} MiB", f"pattern 0x{commands[0][1].upper()}", "segment 1",
         f"token 0, then {token}"))]
    for i, (code, pattern, to, count) in enumerate(commands):
        at = y - 12 + step * i
        parts += [text(286, at + 16, f"{int(length) // len(commands)} dwords: code {code}, {int(count) >> 20} MiB of {pattern}", 13)]
        parts += [f'<rect x="{286 + 36 * n}" y="{at + 23}" width="34" height="{cell}" rx="3" fill="{driver}" stroke="{line}"/>'
                  for n in range(int(length) // len(commands))]
        parts += [arrow(580, at + 31, 644, at + 31), box(650, at + 2, 230, 44, gpu),
                  text(662, at + 29, f"{to[:-8].zfill(2)}'{to[-8:-4]}'{to[-4:]}: {pattern:0>8} …", 14)]
    parts += [arrow(224, y + step, 280, y + step)]
    y += 3 * step + 14
    parts += [text(20, y, "The same request, when a buffer has room for one command: Windows submits it and calls again", 14, "bold")]
    for i, (number, status, at) in enumerate(passes):
        full = int(status, 16) != 0
        parts += [box(20 + 290 * i, y + 14, 256, 46, driver if full else gpu),
                  text(34 + 290 * i, y + 33, f"pass {number}: " + ("the buffer is full" if full else "success"), 14, "bold"),
                  text(34 + 290 * i, y + 51, f"{status}, token {at}: {int(at) >> 8} MiB done", 12)]
        parts += [arrow(278 + 290 * i, y + 37, 306 + 290 * i, y + 37)] if full else []
    return page(900, y + 78, "One fill becomes commands in a paging buffer; with a small buffer it takes several passes", parts)


pictures = {"a_fill.svg": a_fill, "notify_eviction.svg": eviction, "notify_iommu_unmap.svg": iommu_unmap, "claims.svg": caps}

if __name__ == "__main__":
    for name, draw in pictures.items():
        Path(__file__).with_name(name).write_text(draw(), encoding="utf-8")

# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The pages of the reference that no header holds: the floors as a picture, the rules as a table, the way in."""
import html
import re

WIDTH, HEIGHT, GAP, LEFT, RIGHT = 150, 30, 14, 150, 20


def floors_svg(folders, uses, counts):
    """The folders, the lowest at the bottom, and an arc for each folder that another one includes.

    `uses` has for each folder those that its files include. What is reached through the folder just below is drawn as
    well: the picture is the include graph, not a summary of it.
    """
    height = len(folders) * (HEIGHT + GAP) + GAP
    top = {name: height - (place + 1) * (HEIGHT + GAP) for place, name in enumerate(folders)}
    width = LEFT + WIDTH + RIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
           f'aria-label="The folders of wddmcore, lowest at the bottom, and which includes which">',
           '<style>text{font:13px sans-serif;fill:#1b2733}rect{fill:#e8eef4;stroke:#52708c}'
           'path{fill:none;stroke:#52708c;stroke-width:1;opacity:.55}.n{font-size:10px;fill:#52708c}'
           'g:hover path{stroke:#b3261e;opacity:1;stroke-width:2}g:hover rect{fill:#fde8e6}</style>']
    for name in reversed(folders):
        out.append(f'<g><title>{name} includes {", ".join(sorted(uses[name], key=folders.index)) or "nothing"}</title>')
        for target in sorted(uses[name], key=folders.index):
            start, end = top[name] + HEIGHT / 2, top[target] + HEIGHT / 2
            far = LEFT - 8 - (LEFT - 20) * (folders.index(name) - folders.index(target)) / len(folders)
            out.append(f'<path d="M{LEFT} {start:.0f}C{far:.0f} {start:.0f} {far:.0f} {end:.0f} {LEFT} {end:.0f}"/>')
        out.append(f'<rect x="{LEFT}" y="{top[name]}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
                   f'<text x="{LEFT + 10}" y="{top[name] + 20}">{name}/</text>'
                   f'<text class="n" x="{LEFT + WIDTH - 8}" y="{top[name] + 19}" text-anchor="end">'
                   f'{counts[name]} files</text></g>')
    return "\n".join(out + ["</svg>"]) + "\n"


def rules_page(markdown):
    """The table that examples/rules.cpp prints, as a page; the id of each rule is its anchor."""
    out = ["/** @page rules The rules", "@htmlonly",
           "<p>Ids as they stand in code, tests and reports; <code>rules.html#OP17-02</code> is where one is.</p>"]
    count, open_table = 0, False
    for line in markdown.splitlines():
        heading = re.match(r"## (.*)", line)
        row = re.match(r"\| ([A-Z]\S*) \| (.*) \| (\w+) (\S*) ?\| (.*) \|$", line)
        if heading:
            out.append(("</table>\n" if open_table else "") +
                       f"<h2>{html.escape(heading[1])}</h2>\n<table class=\"rules\">"
                       "<tr><th>id</th><th>rule</th><th>source</th><th>checked</th></tr>")
            open_table = True
        elif row:
            count += 1
            name, sentence, origin, page, checked = (html.escape(part) for part in row.groups())
            out.append(f'<tr id="{name}"><td class="id"><a href="#{name}">{name}</a></td><td>{sentence}</td>'
                       f'<td>{origin}{"<br>" + page if page else ""}</td><td>{checked}</td></tr>')
        elif line.startswith("|") and not line.startswith(("| id", "|--")):
            raise ValueError(f"a row of the rules that is not understood: {line}")
    return "\n".join(out + ["</table>", "@endhtmlonly", "*/"]) + "\n", count


def with_rule_links(text, ids):
    """A page whose rule ids lead to their rules; what is inside a tag, a link or a script stays."""
    def link(found):
        return f'<a href="rules.html#{found[0]}">{found[0]}</a>' if found[0] in ids else found[0]

    out, inside = [], 0
    for piece in re.split(r"(<[^>]*>)", text):
        if piece.startswith("<"):
            opens = re.match(r"<(a|script|title)\b", piece)
            closes = re.match(r"</(a|script|title)>", piece)
            inside = inside + 1 if opens else inside - 1 if closes else inside
        elif not inside:
            piece = re.sub(r"\b[A-Z]+[0-9]{0,2}-[0-9]{2}\b", link, piece)
        out.append(piece)
    return "".join(out)


def promises_page(promises):
    """[(concept, its file)] as a page."""
    out = ["/** @page promises What hardware promises",
           "Each promise is a concept over hardware types. Its page has a section for users of the library and one for "
           "authors of hardware, with every limit.", "<dl>"]
    room = None
    for name, file in promises:
        folder = file.parent.name
        if folder != room:
            title = "for everything" if folder == "promises" else folder.replace("_", " ")
            out.append(f"{'</ul></dd>' if room else ''}<dt>{title}</dt><dd><ul>")
            room = folder
        out.append(f"<li>@ref wddmcore::hw::{name} \"{name}\"</li>")
    return "\n".join(out + ["</ul></dd></dl>", "*/"]) + "\n"


NAMESPACES = {
    "wddmcore": "What a driver calls, and the vocabulary: units, statuses, operations.",
    "adl": "Where pages come from, and the cursor that walks them.",
    "gpuva": "Page tables: their geometry, range walks, page sizes, placement, the paging process.",
    "hw": "What hardware promises.",
    "iommu": "IOMMU and physical memory caps, exclusive access, physical memory objects.",
    "preemption": "The machine of an engine and all that surrounds it.",
    "segment": "Segment tables, the queries about them, allocations.",
    "paging": "What paging operations are built of.",
    "adapter_info": "The answers to DxgkDdiQueryAdapterInfo.",
    "wdk": "The DDI functions, one call each.",
    "status": "The statuses that the library names.",
    "testing": "What tests of a driver include, on a desktop machine: never the driver itself.",
    "testing::scheduler": "The GPU scheduler's simulator.",
}


def main_page(version):
    out = [f"""/** @mainpage wddmcore {version}
The memory and scheduling half of a Windows kernel-mode display driver's DDI.

- @ref wddmcore::build_paging_buffer "build_paging_buffer" is DxgkDdiBuildPagingBuffer,
  @ref wddmcore::answer_query_adapter_info "answer_query_adapter_info" the memory and scheduling half of
  DxgkDdiQueryAdapterInfo, @ref wddmcore::preemption::engine "preemption::engine" the machine of an engine,
  @ref wddmcore::wdk "wdk" the DDI functions, one call each
- For a driver's tests: @ref wddmcore::testing "testing", the laws of a hardware type, the simulators, and the report of
  `certify`
- @ref promises : what a hardware type says, with a section for users and one for authors
- @ref rules : every rule id with its sentence, its page and what checks it
- <a href="namespaces.html">Namespaces</a>, <a href="concepts.html">concepts</a> and
  <a href="functions.html">members</a>; the search finds all of them

Each function that a driver calls says at which level it may be called, whether it may be paged, from which version on
the DDI has what it is about, and the page that it follows. What a file or a class says for all its functions is repeated with each.

@htmlonly
<h2>The floors</h2><p>Lowest at the bottom: a folder includes only folders below it. Made from the include graph.</p>
<div class="floors"><img src="floors.svg" alt="The folders, lowest at the bottom, and which includes which"></div>
@endhtmlonly
*/"""]
    for name, text in NAMESPACES.items():
        out.append(f"/** @namespace {'wddmcore' if name == 'wddmcore' else 'wddmcore::' + name}\n{text} */")
    return "\n".join(out) + "\n"

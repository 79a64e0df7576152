# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Writes what the list of bound structures says three times: no version's, each mirror's, and a driver's header's."""

from mirrored import bound

BINDINGS_COMMENT = """\
/// The mirrors' structures as bindings, one for each interface version: `mirror_binding<wddm::v2_9>`.
namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of one interface version. Where the version does not have one, its name is `absent`.
template <wddm Version>
struct mirror_binding;
"""

NO_QUERIES_COMMENT = """\
namespace wddmcore::inline WDDMCORE_ABI {

/// Stands for a structure that a version does not have.
struct absent;

/// Every name of a binding, all absent. A driver's own binding derives from it and redefines those that it has.
"""

HEADER_COMMENT = """\
namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of the DDI header that the driver included before, by their tags. A structure that the header does not
/// define stays incomplete, and `present` is false for it. A driver's binding derives from this one and adds
/// `static constexpr wddm version`.
"""


def short(name):
    return name.removeprefix("DXGK_").lower()


def no_queries(head):
    lines = [head + "#pragma once", "", '#include "../base/types.hpp"', "", *NO_QUERIES_COMMENT.splitlines(),
             "struct no_queries {"]
    lines += [f"    using {short(name)} = absent;" for name in bound()]
    return "\n".join(lines + ["};", "", "}  // namespace wddmcore"]) + "\n"


def header_queries(head, numbers):
    tags = {name: numbers.structs[name]["tag"] for name in bound()}
    lines = [head + "#pragma once", "", '#include "../ddi/binding.hpp"', "",
             "// The DDI's tags, in the global namespace, where its header declares them."]
    lines += [f"{numbers.structs[name]['kind']} {tag};" for name, tag in tags.items()]
    lines += ["", *HEADER_COMMENT.splitlines(), "struct header_queries : no_queries {"]
    lines += [f"    using {short(name)} = ::{tag};" for name, tag in tags.items()]
    return "\n".join(lines + ["};", "", "}  // namespace wddmcore"]) + "\n"


def bindings_table(head, chosen):
    """For each version and each name of the bindings: the mirror's structure of that version, or absent."""
    numbers = chosen.numbers
    lines = [head, '#include "wddmcore/ddi/mirror_binding.hpp"', "", '#include "assertions.hpp"', ""]
    for version in range(len(numbers.versions)):
        here = numbers.version_name(version)
        for name in bound():
            there = chosen.defined(name, version) is not None
            lines.append(f"ddi_bound({short(name)}, {here}, {name.lower()})" if there else
                         f"ddi_unbound({short(name)}, {here})")
    return "\n".join(lines) + "\n"


def bindings(head, chosen):
    """Each version's binding derives from the one before and names what changed."""
    numbers = chosen.numbers
    lines = [head + "#pragma once", "", '#include "binding.hpp"', '#include "interface_version.hpp"',
             '#include "mirror/mirror.hpp"', "", *BINDINGS_COMMENT.splitlines(), ""]
    base = "no_queries"
    for version in range(len(numbers.versions)):
        here = numbers.version_name(version)
        lines += ["template <>", f"struct mirror_binding<wddm::{here}> : {base} {{",
                  f"    static constexpr wddm version = wddm::{here};"]
        lines += [f"    using {short(name)} = mirror::{here}::{name.lower()};" for name in bound()
                  if version in chosen.starts[name]]
        lines += ["};"]
        base = f"mirror_binding<wddm::{here}>"
    return "\n".join(lines + ["", "}  // namespace wddmcore"]) + "\n"

# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Writes the bindings of the mirrors, and the list of names that every binding has."""

from mirrored import bound

BINDINGS_COMMENT = """\
/// The mirrors' structures as bindings, one for each interface version: `mirror_binding<wddm::v2_9>`.
namespace wddmcore::inline WDDMCORE_ABI {

/// The structures of one interface version; a query that the version has not is `absent`.
template <wddm Version>
struct mirror_binding;
"""

NO_QUERIES_COMMENT = """\
namespace wddmcore::inline WDDMCORE_ABI {

/// A structure that a version has not.
struct absent;

/// Every name that a binding has, each of them absent: a binding of one's own derives from it and names what it has.
"""


def short(name):
    return name.removeprefix("DXGK_").lower()


def no_queries(head):
    lines = [head + "#pragma once", "", '#include "../base/types.hpp"', "", *NO_QUERIES_COMMENT.splitlines(),
             "struct no_queries {"]
    lines += [f"    using {short(name)} = absent;" for name in bound()]
    return "\n".join(lines + ["};", "", "}  // namespace wddmcore"]) + "\n"


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

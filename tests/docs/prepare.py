# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The headers as doxygen reads them. What the house writes once, doxygen wants with each function:

* a comment before `namespace wddmcore::...` is about the file, and its contract ("All functions here: any IRQL ...")
  holds for each function below it that does not say otherwise; so does that of a class for its members;
* a parameter whose type says the unit, or whatever there is to say, is described by that type's own sentence. A raw
  number, a flag or a pointer is not: the header has to say its unit and range, or doxygen's warning fails the stage;
* macros of config.hpp and comparison operators are left out.
"""
import re

level = re.compile(r"\bIRQL\b|[A-Z]+_LEVEL\b|\b(submission|interrupt|both|either)( or interrupt)? locks?\b|"
                   r"at compile time|compile time only", re.I)
pageability = re.compile(r"\bpageable\b|\bnon-?paged\b|pageable where|at compile time|compile time only", re.I)
version = re.compile(r"\bWDDM \d\.\d|\bWDDM_|\bVista\b|MDL always|every version", re.I)
source = re.compile(r"[\w-]+\.md\b|Sources?: ")
begins_contract = re.compile(r"(All|The other) functions( here)?:|Everything here is pure:|(Any )?IRQL\b|"
                             r"[A-Z]+_LEVEL\b|(Submission|Interrupt|Both|Either) (or interrupt )?locks?\b|They run at|"
                             r"Nonpaged\b|At compile time")
namespace = re.compile(r"((?:^///.*\n)*)^namespace wddmcore(?:::inline WDDMCORE_ABI)?((?:::\w+)*) \{", re.M)
not_a_function = re.compile(r"\s*(namespace|struct|class|union|enum|concept|using|static_assert|inline constexpr|#|"
                            r"friend)\b")
named_type = re.compile(r"(?:template <.*>\s*)?(?:struct|class|enum class|using|concept) (\w+)")
block = re.compile(r"(?:^[ \t]*///(?!<).*\n)+", re.M)
raw = {"bool", "void", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "int", "unsigned", "auto"}
# What a template's parameter stands for wherever it has this name.
of_parameter = {
    "Hw": "the hardware: its encoders, its state, what was chosen",
    "Gpu": "the hardware: its encoders, its state, what was chosen",
    "Args": "the DDI's argument structure: the header's own, or a mirror or a binding's",
    "OnLeave": "called with each packet that leaves the ring, and why",
    "on_leave": "called with each packet that leaves the ring, and why",
    "Data": "DXGKARGCB_NOTIFY_INTERRUPT_DATA: the header's own, or a mirror",
    "Element": "the patch location, as the DDI has it",
    "Adl": "DXGK_ADL: the header's own, or a mirror",
    "Mdl": "MDL: the header's own, or a mirror",
    "Context": "a context, by whatever the driver knows it",
    "Flag": "a bit of the word",
    "Set": "an enumeration whose values are sets",
    "Unit": "a number with its unit",
    "Number": "a number, a constant or chosen within a range",
    "T": "a value of any type",
    "OperationArgs": "the DDI's argument structure",
    "Word": "an unsigned word",
    "Visitor": "called as bool visit(table_chunk), in ascending order; false stops",
    "Address": "an address of the hardware's",
    "level": "of the page tables: 0 is the leaf, the highest the root",
}


def words(comment):
    return re.sub(r"\s+", " ", " ".join(line.strip()[3:].strip() for line in comment.splitlines())).strip()


def contract_of(comment):
    """(level and pageability, version, source) as far as a comment on a file or a class has them."""
    text = words(comment)
    found = {"level": "", "version": "", "source": ""}
    for part in re.split(r"(?<=\.)\s+(?=[A-Z`@])", text):
        if begins_contract.match(part) and (level.search(part) or pageability.search(part)):
            said = re.sub(r"^(All|The)( other)? functions( here)?: |^Everything here is pure: ", "", part)
            found["level"] += (" " if found["level"] else "") + said[0].upper() + said[1:]
        if re.match(r"^(DDI: |From )?.*\bWDDM \d", part) and len(part) < 140:
            found["version"] += (" " if found["version"] else "") + part.removeprefix("DDI: ")
    match = re.search(r"(?:DDI pages?|Source pages?|Sources?):\s+(.*?\.md(?:, .*?\.md)*)", text)
    if match:
        found["source"] = match[1]
    return found


def balanced(text, at, pairs):
    """Where the bracket that opens at `at` has been closed."""
    depth, closing = 0, pairs[text[at]]
    for place in range(at, len(text)):
        depth += (text[place] == text[at]) - (text[place] == closing)
        if depth == 0:
            return place + 1
    return len(text)


def split(text):
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in parts + [text[start:]] if part.strip()]


class Function:
    """The declaration behind a comment, as far as the text tells."""

    def __init__(self, text):
        text = re.sub(r"//.*", "", text)
        at = 0
        self.template = ""
        text = text.lstrip()
        while text.startswith("template"):
            opening = text.index("<")
            end = balanced(text, opening, {"<": ">"})
            self.template += text[opening + 1:end - 1] + ","
            text = text[end:].lstrip()
            if text.startswith("requires("):
                text = text[balanced(text, 8, {"(": ")"}):].lstrip()
            elif text.startswith("requires requires"):
                opening = text.index("{")
                text = text[balanced(text, opening, {"{": "}"}):].lstrip()
            elif text.startswith("requires"):
                text = re.sub(r"^requires.*\n", "", text).lstrip()
        text = re.sub(r"\[\[\w+\]\]|\bsizeof\.\.\.\(\w+\)", "", text)
        head = re.match(r"[^({;=]*?(operator\(\)|operator\W+|\b\w+)\s*\(", text)
        self.name, self.parameters, self.returns = None, [], "void"
        if not head or not_a_function.match(text):
            return
        self.name = head[1]
        self.returns = re.sub(r"\b(constexpr|consteval|static|inline|explicit|WDDMCORE_\w+)\b", "",
                              text[:head.start(1)]).strip()
        self.consteval = "consteval" in text[:head.start(1)]
        opening = head.end() - 1
        for one in split(text[opening + 1:balanced(text, opening, {"(": ")"}) - 1]):
            one = re.sub(r"\s*=(?!=).*", "", one, flags=re.S).strip()
            named = re.fullmatch(r"(.*?[\s&*>])\s*(\w+)(\[\w*\])?", one, re.S)
            array = re.fullmatch(r"(.*)\(&(\w+)\)\[\w+\]", one, re.S)
            named = array or named
            if named and named[1].strip() not in ("", "const"):
                self.parameters.append((named[1].strip(), named[2]))

    def is_function(self):
        return self.name is not None and self.name not in ("if", "for", "while", "switch", "return", "defined")


def base(kind):
    kind = re.sub(r"\b(const|typename|class|constexpr)\b|[&*]|\[\[\w+\]\]", " ", kind)
    kind = re.sub(r"<.*", "", kind, flags=re.S)
    return kind.strip().rsplit("::", 1)[-1]


def briefs(texts):
    """The first sentence on each documented type, by its last name."""
    found = {}
    for text in texts:
        for comment in block.finditer(text):
            after = named_type.match(text[comment.end():].lstrip())
            if after:
                first = re.split(r"(?<=[.:])\s", words(comment[0]), 1)[0].rstrip(":.")
                found.setdefault(after[1], first)
    return found


def parameters_in(text):
    """What the comments of one file say of parameters: a name means one thing in a file."""
    found = {}
    for comment in block.finditer(text):
        said = re.findall(r"@param (\w+)\s+(.*?)(?= @\w|$)", words(comment[0]).replace("@return", " @return"))
        for name, sentence in said:
            found.setdefault(name, re.split(r"(?<=[.;])\s+(?=[A-Z])", sentence)[0].strip())
    return found


def with_defaults(comment, function, inherited, known, of_file):
    """The comment with what its function's types, file and class say."""
    indent = re.match(r"[ \t]*", comment)[0]
    text = words(comment)
    added = []
    brief = re.match(r"(?:@param .*?)?@return (.*?[.;:]|.*$)(?= |$)", text)
    if brief:  # a list of functions shows the first sentence
        first = brief[1].rstrip(".;:")
        comment = f"{indent}/// {first[0].upper()}{first[1:]}.\n{indent}///\n{comment}"
    if "@return" not in text and function.returns not in ("void", ""):
        stated = re.match(r"((?:Whether|The|What|How|Where|Which) .*?)[.:;](?= |$)", text)
        if stated:  # the first sentence says what comes back
            added.append(f"@return {stated[1][0].lower()}{stated[1][1:]}")
    documented = set(re.findall(r"[@\\]param\s+(\w+)", comment))
    for kind, name in function.parameters:
        if name in documented:
            continue
        plain = base(kind)
        constraint = re.search(rf"([\w:]+) {plain}\b", function.template) if plain else None
        constraint = constraint[1].rsplit("::", 1)[-1] if constraint else ""
        said = (known.get(plain) if plain not in raw and "*" not in kind else None) or known.get(constraint) or \
            of_file.get(name) or of_parameter.get(plain) or of_parameter.get(name)
        if said:
            added.append(f"@param {name}  {said[0].lower() + said[1:]}")
    if function.consteval:
        added.append("@par Level\nAt compile time only.")
    else:
        if not (level.search(text) and pageability.search(text)) and inherited["level"]:
            added.append("@par Level and pageability\n" + inherited["level"])
    if not version.search(text) and inherited["version"]:
        added.append("@par DDI version\n" + inherited["version"])
    if not source.search(text) and inherited["source"]:
        added.append("@par Source\n" + inherited["source"])
    lines = [f"{indent}/// {line}".rstrip() for one in added
             for line in ("\n" + one if one.startswith("@par ") else one).split("\n")]
    return comment.rstrip("\n") + "\n" + "".join(line + "\n" for line in lines)


aggregate = re.compile(r"^[ \t]*(?:template <.*>\s*)?(?:struct|class) \w+(?: : [^{;]*)? \{\n", re.M)
member = re.compile(r"([ \t]+)((?:[\w:]+(?:<[^;]*>)?)(?: const)?) (\w+)(\{.*\}| = .*)?;\s*$")


def with_members(text, known):
    """A member without a comment, whose type says what it is, gets the sentence on its type."""
    lines = text.split("\n")
    starts = {text.count("\n", 0, found.end()) for found in aggregate.finditer(text)}
    for start in starts:
        depth, commented = 1, False
        for number in range(start, len(lines)):
            line = lines[number]
            found = member.fullmatch(line) if depth == 1 and not commented else None
            said = found and base(found[2]) not in raw and known.get(base(found[2]))
            if found and not said and found[3] in ("n", "h", "value", "bits"):
                said = "The number itself, in the unit that the type stands for"
            if said and found[2] not in ("return", "using"):
                lines[number] = f"{line}  ///< {said[0].lower()}{said[1:]}"
            commented = line.lstrip().startswith("///")
            depth += line.count("{") - line.count("}")
            if depth <= 0:
                break
    return "\n".join(lines)


def without_private(text):
    """Comments on private members are for who reads the source."""
    lines, hidden = text.split("\n"), None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if re.fullmatch(r"\s*(private|protected):", line):
            hidden = indent
        elif hidden is not None and (re.fullmatch(r"\s*public:", line) or (line.strip() == "};" and indent == hidden)):
            hidden = None
        elif hidden is not None:
            lines[number] = re.sub(r"///<?", "//", line)
    return "\n".join(lines)


first_line = re.compile(r"^( {0}| {4})(?:template <|\[\[nodiscard\]\]|constexpr |static |inline constexpr |explicit |"
                        r"void )")


def shares_last(docs, key, last, out):
    """Whether a declaration without a comment has that of its name, or of the declaration right above it."""
    if key in docs:
        return True
    above = out[-1] if out else ""
    return bool(last and above.strip() and not re.match(r"\s*(template|\}|.*[{:]$|.*,$)", above) and
                above.rstrip().endswith(("}", ";")))


def with_neighbours(text):
    """What has no comment of its own and follows a documented declaration of its name, or without an empty line, shares
    that comment, as the stage public_names reads it; and constants that of their namespace."""
    lines, out, docs, last, shown = text.split("\n"), [], {}, None, False
    comment, in_namespace, hidden = [], False, None
    for number, line in enumerate(lines):
        stripped = line.lstrip()
        if re.match(r"namespace \w+ \{|namespace wddmcore::inline WDDMCORE_ABI::status", line):
            in_namespace = bool(comment)
        elif line.startswith("}"):
            in_namespace = in_namespace and not line.startswith("}  // namespace")
        if stripped.startswith("///") and not stripped.startswith("///<"):
            comment.append(line)
            out.append(line)
            continue
        if re.match(r"using \w+ = .*;$", line) and out and re.match(r"using \w+ = ", out[-1]) and last:
            line += "  ///< " + words("\n".join(last))
        elif re.match(r"using \w+ = .*;$", line):
            last = comment
        starts = first_line.match(line)
        if out and re.match(r"\s*(template|requires)\b", out[-1]):
            starts = None  # the template's head was looked at
        if re.fullmatch(r"\s*(private|protected):", line):
            hidden = len(line) - len(stripped)
        elif hidden is not None and (stripped == "public:" or (stripped == "};" and len(line) - 2 == hidden)):
            hidden = None
        if starts and not re.search(r"\b(friend|operator[=<])", line):
            constant = re.match(r"\s*inline constexpr [\w:]+ (\w+) = .*;$", line)
            if constant:
                if not comment and in_namespace:
                    line += "  ///< the DDI's own of this name"
            else:
                function = Function("\n".join(lines[number:number + 12]))
                indent = len(starts[1])
                if function.is_function():
                    if comment:
                        docs[indent, function.name] = last = comment
                    elif hidden is None and shares_last(docs, (indent, function.name), last, out):
                        out += docs.get((indent, function.name), last)
        if stripped.endswith((";", "{", "}")) or "  // " in line or " ///< " in line:
            comment = []
        if not stripped:
            last, comment = None, []
        out.append(line)
    return "\n".join(out)


def with_borrowed(text, others):
    """What a class makes public of a base in `detail` (`using base::at, base::count;`) is declared in the class itself,
    with its comment."""
    derived = re.search(r"^class \w+ : detail::(\w+)<", text, re.M)
    home = next((other for other in others if derived and f"\nclass {derived[1]} {{" in other), None)
    if home is None:
        return text
    declared = {}
    for comment in block.finditer(home):
        after = home[comment.end():comment.end() + 1500]
        function = Function(after)
        if function.is_function() and re.match(r" {4}\S", comment[0]):
            head = re.match(r".*?\)[^{;]*", after, re.S)[0].rstrip()
            declared[function.name] = f"{comment[0]}{head};\n"

    def spelled(using):
        return "".join(declared.get(name, "") for name in re.findall(r"base::(\w+)", using[0])) or using[0]

    start = text.index("\npublic:", derived.start())
    return text[:start] + re.sub(r"^    using base::.*;\n", spelled, text[start:], flags=re.M)


def prepare(text, known, others=()):
    """The text of a header for doxygen."""
    text = with_borrowed(text, others)
    text = re.sub(r"^(///) (For (?:library users|hardware authors)):[ ]?", r"///\n/// @par \2\n/// ", text, flags=re.M)
    text = with_neighbours(without_private(text))
    parameters = parameters_in(text)
    file_comments = "".join(match[1] for match in namespace.finditer(text))
    of_file = contract_of(file_comments)
    out, at, stack = [], 0, []
    for comment in block.finditer(text):
        out.append(text[at:comment.start()])
        at = comment.end()
        after = text[comment.end():comment.end() + 3000]
        indent = len(re.match(r"[ \t]*", comment[0])[0])
        while stack and indent <= stack[-1][0]:
            stack.pop()
        kind = re.match(r"\s*(?:template <.*>\s*)*(?:struct|class)\s+\w+[^;{]*\{", after)
        if kind:
            mine = contract_of(comment[0])
            above = stack[-1][1] if stack else of_file
            stack.append((indent, {key: mine[key] or above[key] for key in mine}))
            out.append(comment[0])
            continue
        if re.match(r"namespace wddmcore", after):
            continue
        function = Function(after)
        if function.is_function():
            last = (function.name, comment[0])
            out.append(with_defaults(comment[0], function, stack[-1][1] if stack else of_file, known, parameters))
        else:
            out.append(comment[0])
    out.append(text[at:])
    text = with_members("".join(out), known)
    text = re.sub(r"^(    using \w+ = absent;)$", r"\1  ///< no such structure", text, flags=re.M)
    text = re.sub(r"::inline WDDMCORE_ABI", "", text)
    text = re.sub(r"\bWDDMCORE_(?:NO)?INLINE |\bWDDMCORE_STORES_IN_ORDER |\bWDDMCORE_DRIVER_CALL(?=\*)", "", text)
    text = re.sub(r"^[ \t]*friend constexpr .*operator.*\n", "", text, flags=re.M)
    text = re.sub(r"^chosen_\w+\(.*;\n", "", text, flags=re.M)  # deduction guides
    text = re.sub(r"^template <.*>\n(inline constexpr .*?\w<.*> = .*;\n)", "", text, flags=re.M)  # specialisations
    text = re.sub(r"^static_assert\(.*?\);\n", "", text, flags=re.M | re.S)
    if file_comments:
        text = "/// @file\n" + file_comments + "\n" + text
    return text

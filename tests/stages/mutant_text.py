# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""How mutants (mutant_sites.py) are written into the text of a header: all changes of a place at once and chosen at run
time, or one alone as a person would write it.
"""
import mutant_sites

functions = "::wddmcore_mutant::"


def is_operator(one):
    return one.parts and not one.change.endswith("negated") and one.change != "another value returned"


def of_both(parts, between, numbers):
    """`a && b` or `a || b`, each operand written once, so that what is nested does not grow with its depth."""
    left, right, other = (numbers.get(change, 0) for change in
                          ("left operand only", "right operand only", f"{between} to {'||' if between == '&&' else '&&'}"))
    kind = "both" if between == "&&" else "either"
    return (f"({{ bool left_of_{kind} = static_cast<bool>({parts[0]}); "
            f"{functions}asks_right_of_{kind}<{left}, {right}, {other}>(left_of_{kind}) ? "
            f"static_cast<bool>({parts[1]}) : left_of_{kind}; }})")


def operator(group, parts, between):
    """The text of a place whose operator has mutants [(number, mutant)]."""
    numbers = {one.change: number for number, one in group}
    if between in ("&&", "||") and len(parts) == 2:
        return of_both(parts, between, numbers)
    if between in mutant_sites.binary and len(parts) == 2:
        names = mutant_sites.names
        changes = ", ".join(f"{functions}change<{number}, {functions}{names[change.split(' to ')[1]]}>"
                            for change, number in numbers.items())
        return f"{functions}operation<{functions}{names[between]}, {changes}>({parts[0]}, {parts[1]})"
    (change, number), = numbers.items()
    ask = f"{functions}is({number})"
    if change == "arguments exchanged":
        return f"({ask} ? ({parts[1]}) : ({parts[0]})), ({ask} ? ({parts[0]}) : ({parts[1]}))"
    if change == "~ deleted":
        return f"{functions}without_complement<{number}>({parts[0]})"
    if change == "- deleted":
        return f"{functions}without_minus<{number}>({parts[0]})"
    if change == "! deleted":
        return f"{functions}without_not<{number}>(static_cast<bool>({parts[0]}))"
    first, other = change.split(" to ")
    if first in ("++", "--"):
        return f"({ask} ? {other}({parts[0]}) : {first}({parts[0]}))"
    if first in ("x++", "x--"):
        return f"({ask} ? ({parts[0]}){other[1:]} : ({parts[0]}){first[1:]})"
    return f"({ask} ? ({parts[0]} {other} {parts[1]}) : ({parts[0]} {first} {parts[1]}))"


def around(group, inner):
    """`inner` with the mutants of a place that are no operator's, the deleted statement outermost."""
    numbers = {one.change: number for number, one in group if not is_operator(one)}
    if "+1" in numbers or "-1" in numbers:
        inner = f"{functions}constant<{numbers.get('+1', 0)}, {numbers.get('-1', 0)}>({inner})"
    if "flipped" in numbers:
        inner = f"{functions}flipped<{numbers['flipped']}>({inner})"
    if "condition negated" in numbers:
        inner = f"{functions}flipped<{numbers['condition negated']}>(static_cast<bool>({inner}))"
    if "another value returned" in numbers:
        inner = f"{functions}returned<{numbers['another value returned']}>({inner})"
    if "statement deleted" in numbers:
        inner = f"{{ if (!{functions}is({numbers['statement deleted']})) {{ {inner}; }} }}"
    return inner


def rendered(text, chosen):
    """`text` with the numbered mutants [(number, mutant)] of its file written in, the inner places inside the outer."""
    places = {}
    for number, one in chosen:
        places.setdefault((one.begin, one.end), []).append((number, one))
    places = sorted(places.items(), key=lambda pair: (pair[0][0], -pair[0][1]))

    def piece(begin, end, inside):
        out, at, index = [], begin, 0
        while index < len(inside):
            (place_begin, place_end), group = inside[index]
            last = index + 1
            while last < len(inside) and inside[last][0][1] <= place_end:
                last += 1
            within = inside[index + 1:last]
            operators = [pair for pair in group if is_operator(pair[1])]
            if operators:
                cut = operators[0][1].parts
                parts = [piece(b, e, [pair for pair in within if b <= pair[0][0] and pair[0][1] <= e]) for b, e in cut]
                between = text[cut[0][1]:cut[1][0]].strip() if len(cut) == 2 else ""
                inner = operator(operators, parts, between)
            else:
                inner = piece(place_begin, place_end, within)
            out += [text[at:place_begin], around(group, inner)]
            at = place_end
            if any(one.change == "statement deleted" for _, one in group):
                at = text.index(";", at) + 1
            index = last
        out.append(text[at:end])
        return "".join(out)

    return piece(0, len(text), places)


def compatible(mutants):
    """Those that can stand in one copy: never one that only overlaps another, and none beside the parts of another."""
    taken = {}
    kept = []
    for one in mutants:
        others = taken.setdefault(one.file, [])
        if all(one.end <= other.begin or other.end <= one.begin or fits(one, other) for other in others):
            others.append(one)
            kept.append(one)
    return kept


def fits(one, other):
    if (one.begin, one.end) == (other.begin, other.end):
        return not is_operator(one) or not is_operator(other) or one.parts == other.parts
    outer, inner = (one, other) if one.begin <= other.begin and other.end <= one.end else (other, one)
    if not (outer.begin <= inner.begin and inner.end <= outer.end):
        return False
    return not outer.parts or any(b <= inner.begin and inner.end <= e for b, e in outer.parts)


def alone(one, text):
    """The changed text of a place, written as a person would."""
    parts = [text[begin:end] for begin, end in one.parts]
    whole = text[one.begin:one.end]
    change = one.change
    if change.endswith("negated"):
        return f"!({whole})"
    if change == "left operand only":
        return parts[0]
    if change == "right operand only":
        return parts[1]
    if change == "another value returned":
        return f"::wddmcore_mutant::other({whole})"
    if change == "arguments exchanged":
        return f"{parts[1]}, {parts[0]}"
    if change == "statement deleted":
        return "static_cast<void>(0)"
    if change in ("+1", "-1"):
        return f"({whole} {change[0]} 1)"
    if change == "flipped":
        return "false" if whole == "true" else "true"
    if change.endswith(" deleted"):
        return f"({parts[0]})"
    first, other = change.split(" to ")
    if first in ("++", "--"):
        return f"{other}{parts[0]}"
    if first in ("x++", "x--"):
        return f"({parts[0]}){other[1:]}"
    return f"({parts[0]} {other} {parts[1]})"

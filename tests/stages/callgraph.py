# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The deepest chain of calls in bytes of stack, from g++ -fcallgraph-info=su,da."""
import re


class call_graph:
    def __init__(self, text):
        self.names, self.bytes, self.dynamic, self.calls = {}, {}, {}, {}
        for title, label in re.findall(r'node: \{ title: "((?:[^"\\]|\\.)*)" label: "((?:[^"\\]|\\.)*)"', text):
            lines = label.split("\\n")
            # What a C++ name is, g++ puts first; the mangled one is the title.
            self.names[title] = lines[0]
            size = re.search(r"\\n(\d+) bytes \((static|dynamic[^)]*)\)", label)
            if size:
                self.bytes[title] = int(size[1])
                if size[2] == "dynamic":
                    self.dynamic[title] = lines[0]
        for source, target in re.findall(r'edge: \{ sourcename: "((?:[^"\\]|\\.)*)" targetname: "((?:[^"\\]|\\.)*)"',
                                         text):
            self.calls.setdefault(source, set()).add(target)

    def recursion(self):
        """One circle of calls as names, or an empty list."""
        done = set()
        for start in self.bytes:
            trail, stack = [start], [iter(self.calls.get(start, ()))]
            while stack and start not in done:
                following = next((n for n in stack[-1] if n in self.bytes and n not in done), None)
                if following is None:
                    stack.pop()
                    done.add(trail.pop())
                elif following in trail:
                    return [self.names[n] for n in trail[trail.index(following):] + [following]]
                else:
                    trail.append(following)
                    stack.append(iter(self.calls.get(following, ())))
        return []

    def indirect(self):
        return sorted(self.names[source] for source, targets in self.calls.items() if "__indirect_call" in targets)

    def deepest(self):
        """(bytes, [(name, bytes) from the outermost inwards]); the graph has no circle. Return addresses are in it."""
        best = {}

        def measure(node):
            inner = max((best[n] for n in self.calls.get(node, ()) if n in self.bytes), default=(0, []))
            own = self.bytes[node]
            return inner[0] + own, [(self.names[node], own), *inner[1]]

        for start in self.bytes:
            stack = [start]
            while stack:
                node = stack[-1]
                waiting = [n for n in self.calls.get(node, ()) if n in self.bytes and n not in best]
                if waiting:
                    stack.extend(waiting)
                else:
                    best[node] = measure(node)
                    stack.pop()
        return max(best.values(), default=(0, []))

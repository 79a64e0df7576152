# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""What MSBuild would make of the few kinds of elements that our project files have, and the command line of cl for it.

Anything else (another condition, another setting) is an error here: it has to be understood before it is believed.
"""
import re
import xml.etree.ElementTree as xml
from pathlib import Path

space = "{http://schemas.microsoft.com/developer/msbuild/2003}"
# What a setting is on the command line; what no compiler here has, or what is for the other language, is an empty list.
options = {"LanguageStandard": {"stdcpp20": ["/std:c++20"]}, "LanguageStandard_C": {"stdc11": ["/std:c11"]},
           "WarningLevel": {"Level4": ["/W4"]}, "TreatWarningAsError": {"true": ["/WX"]},
           "ConformanceMode": {"true": ["/permissive-"]}, "EnablePREfast": {"true": []}}
of_c, of_cpp = {"LanguageStandard_C"}, {"LanguageStandard", "ConformanceMode"}


class project:
    """A project file and what it imports: `properties`, `items` as (kind, path or name), `compile`: the settings of
    ClCompile, `imported`: the files that were read."""

    def __init__(self, path, **properties):
        self.properties = properties
        self.items, self.compile, self.imported = [], {}, []
        self.read(Path(path))

    def read(self, path):
        outer = self.properties.get("MSBuildThisFileDirectory")
        self.properties["MSBuildThisFileDirectory"] = f"{path.parent}/"
        self.imported.append(path)
        for element in xml.parse(path).getroot():
            if self.holds(element):
                self.element(element, path)
        self.properties["MSBuildThisFileDirectory"] = outer

    def element(self, element, path):
        kind = element.tag.removeprefix(space)
        if kind == "PropertyGroup":
            for one in filter(self.holds, element):
                self.properties[one.tag.removeprefix(space)] = self.expanded(one.text or "")
        elif kind == "Import":
            if "$(VCTargetsPath)" not in element.get("Project"):
                self.read(self.path_of(element.get("Project"), path))
        elif kind == "ItemDefinitionGroup":
            for group in filter(self.holds, element.findall(f"{space}ClCompile")):
                for one in filter(self.holds, group):
                    name = one.tag.removeprefix(space)
                    self.compile[name] = self.expanded(one.text or "").replace(f"%({name})", self.compile.get(name, ""))
        elif kind == "ItemGroup":
            for one in filter(self.holds, element):
                kind, name = one.tag.removeprefix(space), one.get("Include")
                self.items.append((kind, name if kind == "ProjectConfiguration" else self.path_of(name, path)))
        elif kind != "Target":
            raise ValueError(f"{path}: {kind} is not known to msbuild.py")

    def expanded(self, text):
        return re.sub(r"\$\((\w+)\)", lambda name: self.properties.get(name[1]) or "", text)

    def path_of(self, text, path):
        return (path.parent / self.expanded(text).replace("\\", "/")).resolve()

    def holds(self, element):
        text = element.get("Condition")
        if text is None:
            return True
        text = self.expanded(text)
        if match := re.fullmatch(r"'([^']*)'\s*(==|!=)\s*'([^']*)'", text):
            return (match[1].lower() == match[3].lower()) == (match[2] == "==")
        if match := re.fullmatch(r"(!?)Exists\('([^']*)'\)", text):
            return Path(match[2].replace("\\", "/")).exists() != (match[1] == "!")
        raise ValueError(f"the condition {text} is not known to msbuild.py")

    def sources(self, kind="ClCompile"):
        return [path for one, path in self.items if one == kind]

    def command_line(self, source):
        """The options of ClCompile for a source in C or C++."""
        line = []
        for name, value in self.compile.items():
            parts = [part.strip() for part in value.split(";" if name != "AdditionalOptions" else " ") if part.strip()]
            if name in options:
                if name not in (of_cpp if source.suffix == ".c" else of_c):
                    line += options[name][value]
            elif name == "ForcedIncludeFiles":
                line += [f"/FI{part.replace(chr(92), '/')}" for part in parts]
            elif name == "AdditionalIncludeDirectories":
                line += [f"/I{Path(part.replace(chr(92), '/')).resolve()}" for part in parts]
            elif name == "DisableSpecificWarnings":
                line += [f"/wd{part}" for part in parts]
            elif name == "PreprocessorDefinitions":
                line += [f"/D{part}" for part in parts]
            elif name == "AdditionalOptions":
                line += parts
            else:
                raise ValueError(f"the setting {name} is not known to msbuild.py")
        return line

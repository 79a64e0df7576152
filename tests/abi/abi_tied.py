# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Constants of the library that stand for the DDI's: each is asserted against the numbers, and none may be left out.

What the library calls a bit or a value is a name of ours, so no layout table sees it. TIED says which structure or
enumeration it belongs to; OWN lists the constants that are the library's own, with the reason. A constant in FOLDERS
that stands in neither fails the generator.
"""

import re

from abi_model import HERE, snake

ROOT = HERE.parent.parent
FOLDERS = ("base", "ddi", "adl", "hw", "gpuva", "iommu", "segment", "adapter_info", "paging", "preemption")
HEADERS = ("wddmcore/wddmcore.hpp",)

# (scope of ours, what it stands for, prefix of the enumerators, {our name: theirs} where snake case does not give it; what
# stands for nothing of the DDI's has None)
TIED = (
    ("preemption::submit_flag", "DXGK_SUBMITCOMMANDFLAGS", "", {}),
    ("preemption::detail::context_allocation_bit", ("DXGK_CREATECONTEXTALLOCATIONFLAGS", "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0"),
     "", {"is_protected": "Protected"}),
    ("preemption::detail::source_address_flag", "DXGK_SETVIDPNSOURCEADDRESS_FLAGS", "", {}),
    ("flip_caps", "DXGK_FLIPCAPS", "",
     {"on_vsync_with_no_wait": "FlipOnVSyncWithNoWait", "on_vsync_mmio": "FlipOnVSyncMmIo", "interval": "FlipInterval",
      "immediate_mmio": "FlipImmediateMmIo", "independent": "FlipIndependent",
      "ddi_present_for_iflip": "DdiPresentForIFlip", "immediate_on_hsync": "FlipImmediateOnHSync"}),
    ("preemption::page_fault_flag", "DXGK_PAGE_FAULT_FLAGS", "DXGK_PAGE_FAULT_", {}),
    ("preemption::interrupt_type", "DXGK_INTERRUPT_TYPE", "DXGK_INTERRUPT_", {}),
    ("graphics_preemption_granularity", "D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY", "D3DKMDT_GRAPHICS_PREEMPTION_", {}),
    ("compute_preemption_granularity", "D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY", "D3DKMDT_COMPUTE_PREEMPTION_", {}),
    ("segment::flag", "DXGK_SEGMENTFLAGS", "",
     {"use_64kb_pages": "Use64KBPages", "populated_by_reserved_ddr_by_firmware": "PopulatedByReservedDDRByFirmware"}),
    ("segment::allocation_flag", "DXGK_ALLOCATIONINFOFLAGS", "", {"protected_content": "Protected"}),
    ("segment::allocation_flag_wddm2", "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", "", {"protected_content": "Protected"}),
    ("segment::allocation_flag2", "DXGK_ALLOCATIONINFOFLAGS2", "", {}),
    ("iommu::iommu_cap", "DXGK_IOMMU_CAPS", "", {}),
    ("iommu::vidmm_cap", "DXGK_VIDMMCAPS", "", {}),
    ("iommu::physical_adapter_flag", "DXGK_PHYSICALADAPTERFLAGS", "", {}),
    ("iommu::memory_kind", "DXGK_PHYSICAL_MEMORY_TYPE", "DXGK_PHYSICAL_MEMORY_TYPE_", {}),
    ("iommu::access_mode", "DXGK_ACCESS_MODE", "DXGK_ACCESS_MODE_", {}),
    ("iommu::memory_caching", "DXGK_MEMORY_CACHING_TYPE", "DXGK_MEMORY_CACHING_TYPE_", {"unknown": None}),
    ("pte_flags", "DXGK_PTE", "",
     {"valid_bit": "Valid", "zero_bit": "Zero", "cache_coherent_bit": "CacheCoherent", "read_only_bit": "ReadOnly",
      "no_execute_bit": "NoExecute", "large_page_bit": "LargePage"}),
)

# (expression of ours, structure and member of which it is the mask, or the constant, or the width)
EXPRESSIONS = (
    ("preemption::gdi_allocation_list_entries == {}", "DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT"),
    ("preemption::detail::slot_bits == {}", ("DXGK_PATCH", "D3DDDI_PATCHLOCATIONLIST", "SlotId", "width")),
    ("preemption::detail::largest_packet_cap == {}", ("", "DXGK_VIDSCHCAPS", "HwQueuePacketCap", "largest")),
    ("preemption::detail::preference_slot_bits == {}", ("", "D3DDDI_SEGMENTPREFERENCE", "SegmentId1", "offset")),
    ("preemption::engine_status_responsive == {}", ("", "DXGK_ENGINESTATUS", "Responsive", "mask")),
    ("adapter_info::detail::virtual_addressing_supported == {}",
     ("", "DXGK_VIDMMCAPS", "VirtualAddressingSupported", "mask")),
    ("adapter_info::detail::gpu_mmu_supported == {}", ("", "DXGK_VIDMMCAPS", "GpuMmuSupported", "mask")),
    ("adapter_info::detail::io_mmu_supported == {}", ("", "DXGK_VIDMMCAPS", "IoMmuSupported", "mask")),
    ("segment::largest_preferred_id == {}", ("", "D3DDDI_SEGMENTPREFERENCE", "SegmentId0", "largest")),
    ("segment::largest_bank_id == {}", ("", "DXGK_SEGMENTBANKPREFERENCE", "Bank0", "largest")),
    ("segment::normal_allocation_priority == {}", "D3DDDI_ALLOCATIONPRIORITY_NORMAL"),
    ("gpuva::fewest_levels == {}", "DXGK_MIN_PAGE_TABLE_LEVEL_COUNT"),
    ("gpuva::most_levels == {}", "DXGK_MAX_PAGE_TABLE_LEVEL_COUNT"),
    ("wddmcore::page_shift_lg2 == {}", "PAGE_SHIFT"),
    ("wddmcore::page_bytes == {}", "PAGE_SIZE"),
)

# (expression of ours with the version, structure, first and last version): all bits that the structure has a name for.
KNOWN = (
    ("segment::detail::known_allocation_flags", "DXGK_ALLOCATIONINFOFLAGS", "VISTA", "WDDM1_3_PATH_INDEPENDENT_ROTATION"),
    ("segment::detail::known_allocation_flags_wddm2(wddm::{})", "DXGK_ALLOCATIONINFOFLAGS_WDDM2_0", "WDDM2_0", "WDDM3_2"),
    ("segment::detail::known_allocation_flags2(wddm::{})", "DXGK_ALLOCATIONINFOFLAGS2", "WDDM2_0", "WDDM3_2"),
)

# Scopes and constants that mean nothing to the DDI.
OWN = {
    "action": "what the machine demands",
    "hw_action": "what a context's machine demands",
    "recovery_functions": "a set of functions that a driver has",
    "place_of_packet_cap": "a place in a list of ours",
    "place_of_kind": "a place in a list of ours",
    "most_nodes": "the bits of a mask (LDA-06)",
    "most_engines": "the bits of a mask (LDA-03)",
    "engine_states": "the machine's own",
    "engine_events": "the machine's own",
    "state_mask": "the machine's word",
    "refused_inside": "the machine's word",
    "one_submission": "the machine's word",
    "refused_flag": "the machine's mark in a reserved bit",
    "first_between_buffers": "a bound between enumerators that are tied",
    "first_inside": "a bound between enumerators that are tied",
    "video_tdr_timeout_detected": "a bugcheck code: a page's number, in no header of the DDI",
    "video_engine_timeout_detected": "a bugcheck code: a page's number, in no header of the DDI",
    "largest_of_4_bytes": "arithmetic",
    "wddm": "in layout_constants.cpp, with what else is said of a version",
    "paging_operation": "in layout_constants.cpp, with what else is said of an operation",
    "adapter_query": "in layout_constants.cpp",
    "page_table_update_mode": "in layout_constants.cpp",
    "transfer_direction": "in layout_constants.cpp",
    "errc": "whether there is an error",
    "first_v2_0": "inside a function; its test has the number",
    "paging_operation_count": "how many enumerators are tied",
    "block_pages": "pages that are looked at together",
    "step": "pages that are looked at together",
    "limit": "a bound of ours",
    "claim": "what a hardware type says",
    "paging_addresses": "what a hardware type says",
    "aperture_forms": "what a hardware type says",
    "update_modes": "a set of what is tied, in bits",
    "pages_of_64k_lg2": "arithmetic",
    "attribute_table": "arithmetic",
    "other_preemption_granularity": "a granularity of ours, by its name",
    "usual_ring_capacity": "what we choose",
    "most_ring_capacity": "the machine's word",
    "engines_in": "arithmetic",
    "most_index_bits": "a table of at most 2^31 entries (GVA-04)",
    "most_bits": "a bound of a page (GVA-03)",
    "most_root_bits": "a bound of a page (GVA-04)",
    "mib_pages_lg2": "arithmetic",
    "all_pages": "an end that no range reaches",
    "entries": "arithmetic",
    "require_contiguous": "inside a function; its test has the number",
    "prefer_contiguous": "inside a function; its test has the number",
    "bank_slots": "how many names the structure has",
    "preference_slots": "how many names the structure has",
    "direction_bit": "inside a function; its test has the number",
    "known_allocation_flags": "KNOWN has them",
    "first": "KNOWN has them",
    "of_v3_0": "KNOWN has them",
    "of_v3_2": "KNOWN has them",
    "most_banks": "a bound of a page",
    "owned_physical_adapter_flags": "bits that are tied, and two of the same word",
    "most_counted": "a counter of ours",
    "copied_table_alignment": "what we choose",
    "most_entries": "arithmetic",
    "block": "entries that are looked at together",
    "entry_bytes": "arithmetic",
    "longest_window_chunk": "arithmetic",
}

NUMBER = r"(?:\d|u32\{1\}|u64\{1\})"
OPENING = re.compile(r"^\s*(?:namespace|enum class|struct|class|union)\s+([a-z_0-9:]+)[^;]*\{")
CONSTANT = re.compile(r"^\s*(?:inline |static )*constexpr (?:u8|u16|u32|u64|usize) ([a-z_0-9]+)\s*=\s*" + NUMBER)
ENUMERATOR = re.compile(r"^\s*([a-z_0-9]+)\s*=\s*" + NUMBER)


def constants_of(text):
    """(scope, name) of each constant that is given by a number; the scope is the innermost one with a name."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"=\s*\n\s*", "= ", text)
    # An enumeration that stands in one line, as the others stand.
    text = re.sub(r"^( *enum class [^{}\n]*\{)([^{}\n]*)\};", lambda one: one[1] + "\n" + one[2].replace(",", ",\n") + "\n};",
                  text, flags=re.M)
    scopes = []
    depth = 0
    for line in text.split("\n"):
        opened = OPENING.match(line)
        enumeration = "enum class" in line
        if opened and line.count("{") > line.count("}"):
            scopes.append((depth, opened.group(1).split("::")[-1], enumeration))
        found = CONSTANT.match(line)
        if not found and scopes and scopes[-1][2]:
            found = ENUMERATOR.match(line)
        if found:
            yield (scopes[-1][1] if scopes else ""), found.group(1)
        depth += line.count("{") - line.count("}")
        while scopes and depth <= scopes[-1][0]:
            scopes.pop()


def fields(numbers, name, member):
    """The bit-field of that name, the same in every variant that has it."""
    found = {(f["bit_offset"], f["bit_width"]) for v in numbers.structs[name]["variants"] for f in v["fields"]
             if f["name"] == member and f["kind"] == "bitfield"}
    if len(found) > 1:
        raise SystemExit(f"{name}.{member}: lies elsewhere in another version")
    return found.pop() if found else None


def value(numbers, target, prefix, name, exceptions):
    """What one of our names stands for, or None."""
    for one in (target,) if isinstance(target, str) else target:
        if one in numbers.x64["enums"]:
            spelled = prefix + exceptions.get(name, name).upper()
            if spelled in numbers.x64["enums"][one]:
                return numbers.x64["enums"][one][spelled]
            continue
        for member in {f["name"] for v in numbers.structs[one]["variants"] for f in v["fields"]}:
            if member == exceptions.get(name) or (name not in exceptions and snake(member) == name):
                at = fields(numbers, one, member)
                if at:
                    return ((1 << at[1]) - 1) << at[0]
    return None


def known_bits(numbers, name, version):
    """The bits that a structure has a name for in a version; none where it is not there yet."""
    for variant in numbers.structs[name]["variants"]:
        if numbers.versions.index(variant["from_version"]) <= version <= numbers.versions.index(variant["to_version"]):
            return sum(((1 << f["bit_width"]) - 1) << f["bit_offset"] for f in variant["fields"]
                       if f["kind"] == "bitfield" and "reserved" not in f["name"].lower())
    return 0


def expected(numbers, what):
    if isinstance(what, str):
        return numbers.x64["constants"][what]
    offset, width = fields(numbers, what[1], what[2])
    return {"width": width, "offset": offset, "mask": ((1 << width) - 1) << offset, "largest": (1 << width) - 1}[what[3]]


def tied_table(head, numbers):
    """The assertions, and an end of the generator where a constant is tied to nothing."""
    lines = [head] + [f'#include "{header}"' for header in HEADERS] + ["", "namespace tied_constants {", "using namespace wddmcore;", ""]
    scopes = {scope.split("::")[-1]: (scope, *rest) for scope, *rest in TIED}
    said = " ".join(expression for expression, _ in EXPRESSIONS)
    files = [path for folder in FOLDERS for path in sorted((ROOT / "include/wddmcore" / folder).rglob("*.hpp"))
             if "mirror" not in path.parts]
    seen = set()
    for path in files:
        for scope, name in constants_of(path.read_text(encoding="utf-8")):
            if scope in scopes:
                spelled, target, prefix, exceptions = scopes[scope]
                if exceptions.get(name, "") is None:
                    continue
                number = value(numbers, target, prefix, name, exceptions)
                if number is None and name == "none":
                    number = 0
                if number is None:
                    raise SystemExit(f"{path.relative_to(ROOT)}: {scope}::{name} stands for nothing in {target}")
                seen.add(scope)
                lines.append(f"static_assert(static_cast<u32>({spelled}::{name}) == 0x{number:x}u);")
            elif scope not in OWN and name not in OWN and f"::{name} " not in said:
                raise SystemExit(f"{path.relative_to(ROOT)}: {scope}::{name} is tied to no number of the DDI: "
                                 "see tests/abi/abi_tied.py")
    for scope in scopes:
        if scope not in seen:
            raise SystemExit(f"{scope} has no constants any more: tests/abi/abi_tied.py")
    lines.append("")
    lines += [f"static_assert({expression.format(hex(expected(numbers, what)) + 'u')});"
              for expression, what in EXPRESSIONS]
    for expression, name, first, last in KNOWN:
        for version in range(numbers.versions.index(first), numbers.versions.index(last) + 1):
            spelled = expression.format(numbers.version_name(version))
            line = f"static_assert({spelled} == {known_bits(numbers, name, version):#x}u);"
            lines += [line] if line not in lines else []
    return "\n".join([*lines, "", "}  // namespace tied_constants"]) + "\n"

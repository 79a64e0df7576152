// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The parts that a team can take alone: page sources and their cursor, and the arithmetic below everything.

#include <wddmcore/adl.hpp>
#include <wddmcore/base.hpp>
#include <wddmcore/ddi.hpp>
#include <wddmcore/hw.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/paging/operations.hpp>

using namespace wddmcore;

extern "C" {

/// A list's form in the DDI: 1 and the source, or 0.
u32 source_of_adl(mirror::v2_9::dxgk_adl const* list, adl::source* out) {
    result<adl::source> const found = adl::from_adl(*list);
    *out = found.value;
    return found.ok();
}
u32 source_of_mdl(mirror::vista::mdl const* list, usize const* array, adl::source* out) {
    result<adl::source> const found = adl::from_mdl(*list, array);
    *out = found.value;
    return found.ok();
}
u32 source_of_range(u64 base, u64 length, adl::source* out) {
    result<adl::source> const found = adl::from_range(page_number{base}, pages{length});
    *out = found.value;
    return found.ok();
}
u32 source_of_array(usize const* list, u64 count, adl::source* out) {
    result<adl::source> const found = adl::from_array(list, count);
    *out = found.value;
    return found.ok();
}
u32 part_of_source(adl::source const* from, u64 first, u64 length, u64 last_visible, adl::source* out) {
    result<adl::source> const part = adl::window(*from, pages{first}, pages{length});
    *out = part.value;
    return part.ok() && adl::within_reach(part.value, page_number{last_visible});
}
u64 page_of_source(adl::source const* from, u64 index) { return from->at(index).n; }

/// Walks a whole source by runs and counts them; those that are whole GPU pages of 2^lg2 pages are counted apart.
u64 runs_of_source(adl::source const* from, u64 limit, u32 lg2, u64* gpu_pages) {
    u64 runs = 0;
    adl::cursor at = adl::walk(*from);
    while (!at.done()) {
        *gpu_pages += at.at_gpu_page(lg2);
        at = at.advanced(at.next_run(pages{limit}).length);
        ++runs;
    }
    return runs;
}

u32 checked_sum(u64 a, u64 b, u64* out) {
    checked<u64> const sum = checked_add(a, b);
    *out = sum.value;
    return sum.ok;
}
u32 checked_product(u64 a, u64 b, u64* out) {
    checked<u64> const product = checked_multiply(a, b);
    *out = product.value;
    return product.ok;
}
u32 checked_narrow_product(u16 a, u16 b, u16* out) {
    checked<u16> const product = checked_multiply(a, b);
    *out = product.value;
    return product.ok;
}
u32 rounded_up(u64 n, u64 unit, u64* out) {
    checked<u64> const rounded = round_up(n, unit);
    *out = rounded.value;
    return rounded.ok;
}
u64 rounded_down(u64 n, u64 unit) { return round_down(n, unit); }
u64 divided_up(u64 n, u64 unit) { return divide_up(n, unit); }
u32 divided_exactly(u64 n, u64 unit) { return is_multiple(n, unit); }
u32 power_and_its_logarithm(u64 n) { return is_power_of_two(n) ? log2_of(n) : 64; }
u32 range_inside(u64 base, u64 size, u64 begin, u64 length) {
    return range_contains(base, size, begin, length) && fits(begin, length, size);
}
u32 ranges_touch(u64 a, u64 a_length, u64 b, u64 b_length) { return ranges_overlap(a, a_length, b, b_length); }

u64 field_of_entry(u64 entry, u64 value) {
    using field = bit_field<u64, 47, 12>;
    return field::set(entry, field::of(value)) | field::place(value) | low_mask<u64>(12);
}
u64 pair_of_dwords(u32 first, u32 second) {
    return dword_pair(high_dword(dword_pair(first, second)), low_dword(first));
}
u64 sum_of_part(u64 const* numbers, usize count, usize first, usize length) {
    u64 sum = 0;
    for (u64 const number : span<u64 const>{numbers, count}.sub(first, length)) {
        sum += number;
    }
    return sum;
}

u64 bytes_of_pages(u64 count) { return to_bytes(pages{count}).n; }
u64 bytes_of_megabytes(u32 count) { return to_bytes(megabytes{count}).n; }
u64 pages_of_bytes(u64 size) { return pages_spanned(bytes{size}).n + whole_pages(bytes{size}).n; }
u64 address_of_page(u64 number) { return byte_address(page_number{number}); }

u32 version_of_number(u32 number) { return static_cast<u32>(interface_version_of(number)); }
u32 operation_can_arrive(capabilities const* caps, u32 code) {
    return reachable(*caps, static_cast<paging_operation>(code));
}
char const* name_of_operation(u32 code) { return name(static_cast<paging_operation>(code)); }
char const* id_of_rule(u32 rule) {
    return harmless(static_cast<paging_rule>(rule)) ? "" : rule_id(static_cast<paging_rule>(rule));
}
}

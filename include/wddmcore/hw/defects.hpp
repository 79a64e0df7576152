// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "aperture.hpp"
#include "busy_reporter.hpp"
#include "capabilities.hpp"
#include "command_stream.hpp"
#include "content_discarder.hpp"
#include "copy_engine.hpp"
#include "defaults.hpp"
#include "fault_hook.hpp"
#include "fill_engine.hpp"
#include "physical_accessor.hpp"
#include "segment_map.hpp"
#include "sentences.hpp"
#include "submission_recorder.hpp"
#include "swizzle_copy_engine.hpp"

/// Finds the first broken promise of a hardware type. Each function asks one concept and, only when it fails, looks for
/// the member at fault: absent, of another signature, or not a constant.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A member function that cannot be called as its concept says: it is absent, or its signature is another.
[[nodiscard]] consteval broken_promise wrong_function(member what, bool declared) {
    return {what, declared ? defect::cannot_be_called : defect::missing};
}

// An optional promise has two halves, an encoder and its length. Who declares one of them means to keep it, even when
// the encoder's name is overloaded or a template, so that its address cannot be taken.
template <class Hw>
inline constexpr bool declares_swizzled_copy =
    requires { &Hw::encode_swizzled_copy; } || requires { &Hw::swizzle_dwords; };
template <class Hw>
inline constexpr bool declares_aperture_entry =
    requires { &Hw::encode_aperture_entry; } || requires { &Hw::aperture_entry_dwords; };
template <class Hw>
inline constexpr bool declares_discard = requires { &Hw::encode_discard; } || requires { &Hw::discard_dwords; };
template <class Hw>
inline constexpr bool declares_record = requires { &Hw::encode_record; } || requires { &Hw::record_bytes; };

template <class Hw>
[[nodiscard]] consteval broken_promise broken_capabilities() {
    if constexpr (!requires { Hw::caps; }) {
        return {member::caps, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<capabilities, Hw::caps>; }) {
        return {member::caps, defect::not_a_constant};
    } else if constexpr (Hw::caps.oldest > Hw::caps.version) {
        return {member::oldest_version, defect::out_of_range};
    } else if constexpr ((Hw::caps.highest_visible_address + 1) % page_bytes != 0) {
        return {member::highest_visible_address, defect::out_of_range};
    } else if constexpr (Hw::caps.page_tables != update_modes::none && !may_be_yes(Hw::caps.gpu_mmu)) {
        // DRIVERCAPS would say GpuMmuSupported 0, and no operation about page tables would ever arrive.
        return {member::gpu_mmu, defect::missing};
    } else if constexpr (Hw::caps.page_tables == update_modes::none && may_be_yes(Hw::caps.gpu_mmu) &&
                         Hw::caps.version >= wddm::v2_0) {
        return {member::update_modes, defect::missing};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_fault_hook() {
    if constexpr (fault_hook<Hw>) {
        return all_kept;
    } else {
        constexpr bool declared = requires { &Hw::on_paging_fault; };
        return wrong_function(member::on_paging_fault, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_address() {
    if constexpr (addressed<Hw>) {
        return all_kept;
    } else if constexpr (!requires { typename Hw::address; }) {
        return {member::address, defect::missing};
    } else if constexpr (requires { requires(sizeof(typename Hw::address) > 16); }) {
        return {member::address, defect::out_of_range};
    } else {
        return {member::address, defect::cannot_be_called};
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_page_addresses() {
    if constexpr (page_addresses<Hw>) {
        return all_kept;
    } else {
        constexpr bool declared = requires { &Hw::from_page; };
        return wrong_function(member::from_page, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_segment_addresses() {
    if constexpr (segment_addresses<Hw>) {
        return all_kept;
    } else {
        constexpr bool declared = requires { &Hw::from_segment; };
        return wrong_function(member::from_segment, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_virtual_addresses() {
    if constexpr (virtual_addresses<Hw>) {
        return all_kept;
    } else {
        constexpr bool declared = requires { &Hw::from_virtual; };
        return wrong_function(member::from_virtual, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_segment_map() {
    if constexpr (segment_map<Hw>) {
        return all_kept;
    } else if constexpr (!requires(Hw const& hw, segment_id id) {
                             { hw.place(id) } -> meta::same_as<segment_place>;
                         }) {
        constexpr bool declared = requires { &Hw::place; };
        return wrong_function(member::place, declared);
    } else {
        constexpr bool declared = requires { &Hw::is_aperture; };
        return wrong_function(member::is_aperture, declared);
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_command_stream() {
    if constexpr (!requires { Hw::unit_dwords; }) {
        return {member::unit_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::unit_dwords>; }) {
        return {member::unit_dwords, defect::not_a_constant};
    } else if constexpr (Hw::unit_dwords.n < 1 || Hw::unit_dwords.n > 64) {
        return {member::unit_dwords, defect::out_of_range};
    } else if constexpr (!command_stream<Hw>) {
        constexpr bool declared = requires { &Hw::encode_padding; };
        return wrong_function(member::encode_padding, declared);
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_copy_engine() {
    if constexpr (!requires { Hw::copy_max; }) {
        return {member::copy_max, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::copy_max>; }) {
        return {member::copy_max, defect::not_a_constant};
    } else if constexpr (!requires { Hw::copy_alignment; }) {
        return {member::copy_alignment, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::copy_alignment>; }) {
        return {member::copy_alignment, defect::not_a_constant};
    } else if constexpr (Hw::copy_alignment.n == 0 || page_bytes % Hw::copy_alignment.n != 0) {
        return {member::copy_alignment, defect::out_of_range};
    } else if constexpr (Hw::copy_max < Hw::copy_alignment) {
        return {member::copy_max, defect::out_of_range};
    } else if constexpr (!requires { Hw::copy_overlap; }) {
        return {member::copy_overlap, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<overlap, Hw::copy_overlap>; }) {
        return {member::copy_overlap, defect::not_a_constant};
    } else if constexpr (!requires { Hw::copy_dwords; }) {
        return {member::copy_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::copy_dwords>; }) {
        return {member::copy_dwords, defect::not_a_constant};
    } else if constexpr (Hw::copy_dwords.n < 1 || Hw::copy_dwords.n > 256) {
        return {member::copy_dwords, defect::out_of_range};
    } else if constexpr (!copy_engine<Hw>) {
        constexpr bool declared = requires { &Hw::encode_copy; };
        return wrong_function(member::encode_copy, declared);
    } else if constexpr (!declares_swizzled_copy<Hw>) {
        return all_kept;
    } else if constexpr (!swizzle_copy_engine<Hw>) {
        return {member::swizzle_dwords, defect::cannot_be_called};
    } else if constexpr (Hw::swizzle_dwords.n < 1 || Hw::swizzle_dwords.n > 256) {
        return {member::swizzle_dwords, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_fill_length() {
    constexpr bool one = requires { Hw::fill_dwords; };
    constexpr bool asks = fill_of_many_lengths<Hw> || requires { &Hw::fill_dwords_of; };
    constexpr bool many = asks || requires { Hw::fill_dwords_most; };
    if constexpr (one && many) {
        return {member::fill_lengths, defect::out_of_range};
    } else if constexpr (!one && !many) {
        return {member::fill_dwords, defect::missing};
    } else if constexpr (one && !fill_of_one_length<Hw>) {
        return {member::fill_dwords, defect::not_a_constant};
    } else if constexpr (one) {
        return Hw::fill_dwords.n < 1 || Hw::fill_dwords.n > 256
                   ? broken_promise{member::fill_dwords, defect::out_of_range}
                   : all_kept;
    } else if constexpr (!requires { Hw::fill_dwords_most; }) {
        return {member::fill_dwords_most, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::fill_dwords_most>; }) {
        return {member::fill_dwords_most, defect::not_a_constant};
    } else if constexpr (Hw::fill_dwords_most.n < 1 || Hw::fill_dwords_most.n > 256) {
        return {member::fill_dwords_most, defect::out_of_range};
    } else if constexpr (!fill_of_many_lengths<Hw>) {
        return wrong_function(member::fill_dwords_of, asks);
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_fill_engine() {
    if constexpr (!requires { Hw::fill_max; }) {
        return {member::fill_max, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::fill_max>; }) {
        return {member::fill_max, defect::not_a_constant};
    } else if constexpr (!requires { Hw::fill_pattern_bytes; }) {
        return {member::fill_pattern_bytes, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::fill_pattern_bytes>; }) {
        return {member::fill_pattern_bytes, defect::not_a_constant};
    } else if constexpr (Hw::fill_pattern_bytes.n != 4 && Hw::fill_pattern_bytes.n != 1) {
        return {member::fill_pattern_bytes, defect::out_of_range};
    } else if constexpr (!requires { Hw::fill_alignment; }) {
        return {member::fill_alignment, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::fill_alignment>; }) {
        return {member::fill_alignment, defect::not_a_constant};
    } else if constexpr (Hw::fill_alignment.n == 0 || page_bytes % Hw::fill_alignment.n != 0 ||
                         Hw::fill_alignment.n % Hw::fill_pattern_bytes.n != 0) {
        return {member::fill_alignment, defect::out_of_range};
    } else if constexpr (Hw::fill_max < Hw::fill_alignment) {
        return {member::fill_max, defect::out_of_range};
    } else if constexpr (broken_fill_length<Hw>() != all_kept) {
        return broken_fill_length<Hw>();
    } else if constexpr (!fill_engine<Hw>) {
        constexpr bool declared = requires { &Hw::encode_fill; };
        return wrong_function(member::encode_fill, declared);
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_physical_accessor() {
    if constexpr (!requires { Hw::access_dwords; }) {
        return {member::access_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::access_dwords>; }) {
        return {member::access_dwords, defect::not_a_constant};
    } else if constexpr (Hw::access_dwords.n < 1 || Hw::access_dwords.n > 256) {
        return {member::access_dwords, defect::out_of_range};
    } else if constexpr (!read_encoder<Hw>) {
        constexpr bool declared = requires { &Hw::encode_read; };
        return wrong_function(member::encode_read, declared);
    } else if constexpr (!physical_accessor<Hw>) {
        constexpr bool declared = requires { &Hw::encode_write; };
        return wrong_function(member::encode_write, declared);
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_aperture() {
    if constexpr (!aperture<Hw>) {
        constexpr bool declared = requires { &Hw::store_aperture_entry; };
        return wrong_function(member::store_aperture_entry, declared);
    } else if constexpr (!declares_aperture_entry<Hw>) {
        return all_kept;
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::aperture_entry_dwords>; }) {
        return {member::aperture_entry_dwords, defect::not_a_constant};
    } else if constexpr (Hw::aperture_entry_dwords.n < 1 || Hw::aperture_entry_dwords.n > 256) {
        return {member::aperture_entry_dwords, defect::out_of_range};
    } else if constexpr (!aperture_by_command<Hw>) {
        return {member::encode_aperture_entry, defect::cannot_be_called};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_content_discarder() {
    if constexpr (!declares_discard<Hw>) {
        return all_kept;
    } else if constexpr (!content_discarder<Hw>) {
        return {member::discard_dwords, defect::cannot_be_called};
    } else if constexpr (Hw::discard_dwords.n < 1 || Hw::discard_dwords.n > 256) {
        return {member::discard_dwords, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_submission_recorder() {
    if constexpr (!declares_record<Hw>) {
        return all_kept;
    } else if constexpr (!submission_recorder<Hw>) {
        return {member::record_bytes, defect::cannot_be_called};
    } else if constexpr (Hw::record_bytes.n < 1) {
        return {member::record_bytes, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_busy_reporter() {
    constexpr bool declared = requires { &Hw::allocation_is_busy; };
    if constexpr (declared && !busy_reporter<Hw>) {
        return {member::allocation_is_busy, defect::cannot_be_called};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_dma_size_choice() {
    if constexpr (!requires { Hw::decrements_dma_size; }) {
        return all_kept;
    } else if constexpr (!requires { requires meta::is_constant_of<bool, Hw::decrements_dma_size>; }) {
        return {member::decrements_dma_size, defect::not_a_constant};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_cpu_choice() {
    if constexpr (!requires { Hw::paged_by_cpu; }) {
        return all_kept;
    } else if constexpr (!requires { requires meta::is_constant_of<bool, Hw::paged_by_cpu>; }) {
        return {member::paged_by_cpu, defect::not_a_constant};
    } else {
        return all_kept;
    }
}

}  // namespace wddmcore::hw

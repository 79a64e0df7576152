// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "context_initializer.hpp"
#include "context_updater.hpp"
#include "translation_defects.hpp"

/// The first broken promise about context allocations: operations 10 and 13.
namespace wddmcore::inline WDDMCORE_ABI::hw {

template <class Hw>
inline constexpr bool declares_context_pieces = requires { &Hw::encode_context_piece; } || requires {
    &Hw::context_piece_dwords;
} || requires { &Hw::context_piece_max; };
template <class Hw>
inline constexpr bool declares_context_stores = context_at_once<Hw> || requires { &Hw::store_context_piece; };

/// The first broken promise about the addresses that an initial image is written to.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_context_addresses() {
    if constexpr (broken_address<Hw>() != all_kept) {
        return broken_address<Hw>();
    } else if constexpr (context_by_virtual(Hw::caps) && broken_virtual_addresses<Hw>() != all_kept) {
        return broken_virtual_addresses<Hw>();
    } else if constexpr (!context_by_place(Hw::caps)) {
        return broken_command_stream<Hw>();
    } else if constexpr (broken_page_addresses<Hw>() != all_kept) {
        return broken_page_addresses<Hw>();
    } else if constexpr (broken_segment_addresses<Hw>() != all_kept) {
        return broken_segment_addresses<Hw>();
    } else if constexpr (broken_segment_map<Hw>() != all_kept) {
        return broken_segment_map<Hw>();
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_context_initializer() {
    if constexpr (!context_image<Hw>) {
        constexpr bool declared = requires { &Hw::context_image_bytes; };
        return wrong_function(member::context_image_bytes, declared);
    } else if constexpr (!declares_context_pieces<Hw> && !declares_context_stores<Hw>) {
        return {member::context_initializer, defect::missing};
    } else if constexpr (declares_context_stores<Hw> && !context_at_once<Hw>) {
        return {member::store_context_piece, defect::cannot_be_called};
    } else if constexpr (!declares_context_pieces<Hw>) {
        return all_kept;
    } else if constexpr (broken_context_addresses<Hw>() != all_kept) {
        return broken_context_addresses<Hw>();
    } else if constexpr (!context_by_command<Hw>) {
        return {member::context_piece_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::context_piece_dwords)) {
        return {member::context_piece_dwords, defect::out_of_range};
    } else if constexpr (Hw::context_piece_max.n % 4 != 0 || Hw::context_piece_max.n == 0 ||
                         page_bytes % Hw::context_piece_max.n != 0) {
        return {member::context_piece_max, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_context_updater() {
    if constexpr (!requires(Hw const& hw, context_update const& update) {
                      { hw.context_update_count(update) } -> meta::same_as<u32>;
                  }) {
        constexpr bool declared = requires { &Hw::context_update_count; };
        return wrong_function(member::context_update_count, declared);
    } else if constexpr (!requires(Hw const& hw, context_update const& update, u32 index) {
                             { hw.context_update_at(update, index) } -> meta::same_as<context_write>;
                         }) {
        constexpr bool declared = requires { &Hw::context_update_at; };
        return wrong_function(member::context_update_at, declared);
    } else if constexpr (!requires { Hw::context_update_dwords; }) {
        return {member::context_update_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::context_update_dwords>; }) {
        return {member::context_update_dwords, defect::not_a_constant};
    } else if constexpr (!is_command_length(Hw::context_update_dwords)) {
        return {member::context_update_dwords, defect::out_of_range};
    } else if constexpr (!context_updater<Hw>) {
        constexpr bool declared = requires { &Hw::encode_context_update; };
        return wrong_function(member::encode_context_update, declared);
    } else {
        return all_kept;
    }
}

}  // namespace wddmcore::hw

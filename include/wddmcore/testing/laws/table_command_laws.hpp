// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "samples/operations.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// What judges one command's words, with a stream that the hardware type knows of.
class command_judge {
public:
    command_judge(law_options const& options, law_report& report) : options_(options), report_(report) {}

    void operator()(std::string const& what, dwords declared, encoder_ref encode) const {
        auto const in_stream = [&](u32* at) { begin_and(at, encode); };
        judge_words(report_, what, declared.n, in_stream);
        if (options_.watch_stores) {
            watch_words(report_, what, declared.n, in_stream);
        }
    }

    /// Different numbers must give different words.
    template <class Encode>
    void distinct(law l, dwords declared, std::vector<u64> const& numbers, std::string const& what,
                  Encode const& encode) const {
        distinct_commands all(declared.n);
        for (u64 const n : numbers) {
            all.add(n, [&](u32* at) { begin_and(at, [&](u32* to) { encode(to, n); }); });
        }
        all.judge(report_, l,
                  [&](u64 a, u64 b) { return say(what, " ", as_hex{a}, " and ", as_hex{b}, " are the same words"); });
    }

private:
    void begin_and(u32* at, encoder_ref encode) const {
        if (options_.stream_begins) {
            options_.stream_begins(at);
        }
        encode(at);
    }

    law_options const& options_;
    law_report& report_;
};

/// The laws about the words of commands that write tables, fences and contexts.
template <class Hw>
class table_command_laws {
public:
    table_command_laws(Hw const& hw, law_options const& options, law_report& report)
        : hw_(hw), options_(options), judge_(options, report), random_(options.seed ^ 0x7AB1E), places_(hw) {}

    void check() {
        if (places_.last() == 0) {
            return;
        }
        if constexpr (tables_by_command<Hw> && hw::page_table_writer<Hw>) {
            check_writes();
        }
        if constexpr (tables_by_command<Hw> && hw::page_table_generator<Hw>) {
            check_runs();
        }
        if constexpr (is_commanded<Hw, paging_operation::copy_page_table_entries, hw::page_table_copier<Hw>>) {
            check_copies();
        }
        if constexpr (is_commanded<Hw, paging_operation::signal_monitored_fence, hw::fence_writer<Hw>>) {
            check_fences();
        }
        if constexpr (is_commanded<Hw, paging_operation::init_context_resource, hw::context_by_command<Hw>>) {
            check_pieces();
        }
        if constexpr (is_commanded<Hw, paging_operation::update_context_allocation, hw::context_updater<Hw>>) {
            check_updates();
        }
    }

private:
    [[nodiscard]] auto any_place(u64 unit, u64 room) {
        return places_.at(random_.multiple(unit, places_.last() - lesser(room, places_.last())));
    }

    /// Head and tail of an inline write; the entries between them are the library's.
    template <class Address>
    void put_frame(u32* at, Address place, dwords entries) const {
        hw_.encode_write_head(at, place, entries);
        if constexpr (hw::page_table_writer_with_tail<Hw>) {
            hw_.encode_write_tail(at + Hw::write_head_dwords.n + entries.n, place, entries);
        }
    }

    void check_writes() {
        constexpr u32 head = Hw::write_head_dwords.n;
        constexpr u32 around = head + hw::write_tail_of<Hw>().n;
        constexpr u32 unit = hw::any_geometry<Hw>().levels[0].entry_bytes / 4;
        std::vector<u64> const sizes = telling_multiples(random_, unit, Hw::write_max.n);
        for (unsigned i = 0; i < options_.rounds + 2; ++i) {
            u64 const n = i == 0 ? sizes.front() : i == 1 ? sizes.back() : sizes[random_.below(sizes.size())];
            dwords const entries{static_cast<u32>(n)};
            auto const place = any_place(page_bytes, n * 4);
            std::string const what = say("write of ", n, " dwords of entries");
            judge_("head of a " + what, {head}, [&](u32* at) { hw_.encode_write_head(at, place, entries); });
            judge_(what, entries + dwords{around}, [&](u32* at) {
                put_frame(at, place, entries);
                for (u32 k = 0; k != entries.n; ++k) {
                    at[head + k] = k * 0x9E37'79B9U + 1;
                }
            });
        }
        // Frames of one length, so that they can be compared: the entries are left out.
        std::vector<u32> whole(around + Hw::write_max.n + guard_words);
        auto const frame = [&](u32* at, auto to, dwords entries) {
            if (options_.stream_begins) {
                options_.stream_begins(whole.data());
            }
            put_frame(whole.data(), to, entries);
            std::copy_n(whole.begin(), head, at);
            std::copy_n(whole.begin() + head + entries.n, around - head, at + head);
        };
        auto const place = places_.at(0);
        judge_.distinct(law::distinct_sizes, {around}, sizes, "writes of as many dwords of entries:",
                        [&](u32* at, u64 n) { frame(at, place, dwords{static_cast<u32>(n)}); });
        judge_.distinct(law::distinct_addresses, {around}, places_.telling(random_, unit * 4, 64),
                        "writes of entries to", [&](u32* at, u64 n) { frame(at, places_.at(n), dwords{unit}); });
    }

    void check_runs() {
        constexpr u64 entry = Hw::generate_entry_bytes;
        u64 const pages = u64{1} << lesser(hw::entry_limits_of(hw_).page_number_bits, u32{36});
        std::vector<u64> const counts = telling_multiples(random_, 1, Hw::generate_max);
        for (unsigned i = 0; i < options_.rounds + 2; ++i) {
            u64 const n = i == 0 ? 1 : i == 1 ? Hw::generate_max : counts[random_.below(counts.size())];
            entry_run const run = any_run(hw_, random_, pages, static_cast<u32>(n));
            auto const place = any_place(page_bytes, n * entry);
            judge_(say("run of ", n, " entries"), Hw::generate_dwords,
                   [&](u32* at) { hw_.encode_generate(at, place, run); });
        }
        entry_run const one = any_run(hw_, random_, pages, 1);
        auto const place = places_.at(0);
        judge_.distinct(law::distinct_sizes, Hw::generate_dwords, counts,
                        "runs of as many entries:", [&](u32* at, u64 n) {
                            entry_run run = one;
                            run.count = static_cast<u32>(n);
                            hw_.encode_generate(at, place, run);
                        });
        judge_.distinct(law::distinct_addresses, Hw::generate_dwords, places_.telling(random_, entry, entry),
                        "runs of entries at", [&](u32* at, u64 n) { hw_.encode_generate(at, places_.at(n), one); });
        if constexpr (hw::uniform_entries<Hw>) {
            page_kind const kind = page_kinds(hw_).front();
            entry_attributes const a = hw_.attributes(kind.leaf, pte_flags{valid_flags(segment_id{0}, kind)}, u64{0});
            judge_.distinct(law::distinct_values, Hw::generate_dwords, telling_numbers(random_, pages - 1, 100),
                            "runs of entries from page", [&](u32* at, u64 n) {
                                hw_.encode_generate(at, place,
                                                    entry_run{a.add, (n << Hw::entry_page_shift) & a.mask,
                                                              u64{1} << Hw::entry_page_shift, 1});
                            });
        }
    }

    void check_copies() {
        constexpr u64 unit = hw::any_geometry<Hw>().levels[0].entry_bytes;
        std::vector<u64> const sizes = telling_multiples(random_, unit, Hw::copy_entries_max.n);
        auto const to = places_.at(0);
        auto const from = places_.at(round_down(places_.last() / 2, page_bytes));
        for (unsigned i = 0; i < options_.rounds + 2; ++i) {
            u64 const size = i == 0 ? sizes.front() : i == 1 ? sizes.back() : sizes[random_.below(sizes.size())];
            judge_(say("copy of ", size, " bytes of entries"), Hw::copy_entries_dwords,
                   [&](u32* at) { hw_.encode_copy_entries(at, to, from, bytes{size}); });
        }
        judge_.distinct(law::distinct_sizes, Hw::copy_entries_dwords, sizes, "copies of as many bytes of entries:",
                        [&](u32* at, u64 n) { hw_.encode_copy_entries(at, to, from, bytes{n}); });
        std::vector<u64> const places = places_.telling(random_, unit, unit);
        judge_.distinct(law::distinct_addresses, Hw::copy_entries_dwords, places, "copies of entries to",
                        [&](u32* at, u64 n) { hw_.encode_copy_entries(at, places_.at(n), from, bytes{unit}); });
        judge_.distinct(law::distinct_addresses, Hw::copy_entries_dwords, places, "copies of entries from",
                        [&](u32* at, u64 n) { hw_.encode_copy_entries(at, to, places_.at(n), bytes{unit}); });
    }

    void check_fences() {
        u64 const last = Hw::fence_bytes.n == 4 ? 0xFFFF'FFFF : ~u64{0};
        for (unsigned i = 0; i < options_.rounds; ++i) {
            auto const place = any_place(8, 8);
            u64 const value = random_.up_to(last);
            judge_("fence", Hw::fence_dwords, [&](u32* at) { hw_.encode_fence(at, place, value); });
        }
        auto const place = places_.at(page_bytes);
        judge_.distinct(law::distinct_values, Hw::fence_dwords, telling_numbers(random_, last, 100), "fences of value",
                        [&](u32* at, u64 n) { hw_.encode_fence(at, place, n); });
        judge_.distinct(law::distinct_addresses, Hw::fence_dwords, places_.telling(random_, 8, 8), "fences at",
                        [&](u32* at, u64 n) { hw_.encode_fence(at, places_.at(n), 1); });
    }

    void check_pieces() {
        u64 const whole = options_.allocation == nullptr ? 0 : hw_.context_image_bytes(options_.allocation).n;
        if (whole == 0) {
            return;
        }
        for (unsigned i = 0; i < options_.rounds; ++i) {
            u64 const offset = random_.multiple(Hw::context_piece_max.n, whole - 1);
            hw::context_piece const piece{options_.allocation, offset, lesser(whole - offset, Hw::context_piece_max.n)};
            auto const place = any_place(page_bytes, page_bytes);
            judge_(say("context piece of ", piece.size, " bytes"), Hw::context_piece_dwords,
                   [&](u32* at) { hw_.encode_context_piece(at, place, piece); });
        }
        hw::context_piece const first{options_.allocation, 0, lesser(whole, Hw::context_piece_max.n)};
        judge_.distinct(law::distinct_addresses, Hw::context_piece_dwords,
                        places_.telling(random_, page_bytes, page_bytes), "context pieces at",
                        [&](u32* at, u64 n) { hw_.encode_context_piece(at, places_.at(n), first); });
    }

    void check_updates() {
        if (options_.update_data == nullptr) {
            return;
        }
        hw::context_update const update{{options_.context_bytes}, options_.update_data, options_.update_data_bytes};
        for (u32 i = 0; i != hw_.context_update_count(update); ++i) {
            auto const place = places_.at(page_bytes + hw_.context_update_at(update, i).offset);
            judge_(say("context update ", i), Hw::context_update_dwords,
                   [&](u32* at) { hw_.encode_context_update(at, place, update, i); });
            judge_.distinct(law::distinct_addresses, Hw::context_update_dwords,
                            places_.telling(random_, page_bytes, page_bytes), "context updates at",
                            [&](u32* at, u64 n) { hw_.encode_context_update(at, places_.at(n), update, i); });
        }
    }

    Hw const& hw_;
    law_options const& options_;
    command_judge judge_;
    random_numbers random_;
    wddm2_places<Hw> places_;
};

}  // namespace wddmcore::testing::law_parts

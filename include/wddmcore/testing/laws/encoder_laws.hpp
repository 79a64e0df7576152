// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/transfer/copy_engine.hpp"
#include "samples/places.hpp"

#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws about the words of every encoder that a hardware type has.
template <class Hw>
class encoder_laws {
public:
    encoder_laws(Hw const& hw, law_options const& options, law_report& report)
        : hw_(hw), options_(options), report_(report), random_(options.seed ^ 0xE4C0) {}

    void check() {
        if constexpr (hw::command_stream<Hw>) {
            for (u32 n = 1; n < Hw::unit_dwords.n; ++n) {
                judge(say("padding of ", n), {n}, [&](u32* at) { hw_.encode_padding(at, dwords{n}); });
            }
        }
        if constexpr (takes_addresses<Hw>) {
            addresses_ = sample_addresses(hw_, random_);
            if (!addresses_.empty()) {
                check_commands();
            }
        }
        if constexpr (has_apertures<Hw> && hw::aperture_by_command<Hw>) {
            for (segment_id const id : placed_segments(hw_)) {
                if (hw_.is_aperture(id)) {
                    check_entries(id);
                }
            }
        }
        if constexpr (hw::submission_recorder<Hw>) {
            check_records();
        }
    }

private:
    void judge(std::string const& what, dwords declared, encoder_ref encode) {
        judge_words(report_, what, declared.n, encode);
        if (options_.watch_stores) {
            watch_words(report_, what, declared.n, encode);
        }
    }

    [[nodiscard]] auto any_address() { return addresses_[random_.below(addresses_.size())]; }

    void check_commands() {
        if constexpr (hw::copy_engine<Hw>) {
            check_copies();
        }
        if constexpr (hw::swizzle_copy_engine<Hw> && is_physical<Hw>) {
            if (options_.allocation != nullptr) {
                check_layouts();
            }
        }
        if constexpr (hw::fill_engine<Hw>) {
            check_fills();
        }
        auto const a = any_address();
        if constexpr (hw::content_discarder<Hw> && is_physical<Hw>) {
            judge("discard", Hw::discard_dwords, [&](u32* at) { hw_.encode_discard(at, a, nullptr); });
            if (options_.allocation != nullptr) {
                judge("discard of an allocation", Hw::discard_dwords,
                      [&](u32* at) { hw_.encode_discard(at, a, options_.allocation); });
            }
        }
        if constexpr (hw::physical_accessor<Hw> && is_physical<Hw>) {
            // Any byte address may come.
            auto const odd = a + bytes{random_.below(common_alignment(hw_))};
            judge("read", Hw::access_dwords, [&](u32* at) { hw_.encode_read(at, odd); });
            judge("write", Hw::access_dwords, [&](u32* at) { hw_.encode_write(at, odd); });
        }
    }

    void check_copies() {
        std::vector<u64> const sizes = telling_multiples(random_, copy_unit(hw_).n, copy_most(hw_).n);
        for (unsigned i = 0; i < options_.rounds + 2; ++i) {
            u64 const size = i == 0 ? sizes.front() : i == 1 ? sizes.back() : sizes[random_.below(sizes.size())];
            auto const to = any_address();
            auto const from = any_address();
            judge(say("copy of ", size, " bytes"), Hw::copy_dwords,
                  [&](u32* at) { hw_.encode_copy(at, to, from, bytes{size}); });
        }
        auto const to = any_address();
        auto const from = any_address();
        distinct_commands all(Hw::copy_dwords.n);
        for (u64 const size : sizes) {
            all.add(size, [&](u32* at) { hw_.encode_copy(at, to, from, bytes{size}); });
        }
        all.judge(report_, law::distinct_sizes,
                  [](u64 a, u64 b) { return say("copies of ", a, " and of ", b, " bytes are the same words"); });
    }

    void check_layouts() {
        for (unsigned i = 0; i < options_.rounds; ++i) {
            hw::swizzled_copy<Hw> copy{
                .destination = any_address(),
                .source = any_address(),
                .allocation_offset = random_.below(u64{1} << 20) * page_bytes,
                .size = static_cast<u32>(greater(copy_unit(hw_).n, random_.multiple(copy_unit(hw_).n, page_bytes))),
                .direction = hw::swizzle::to_swizzled,
                .allocation = options_.allocation,
                .range_id = static_cast<u32>(random_.next()),
                .range_data = static_cast<u32>(random_.next()),
            };
            distinct_commands both(Hw::swizzle_dwords.n);
            for (hw::swizzle const direction : {hw::swizzle::to_swizzled, hw::swizzle::to_linear}) {
                copy.direction = direction;
                judge(say("swizzled copy of ", copy.size, " bytes"), Hw::swizzle_dwords,
                      [&](u32* at) { hw_.encode_swizzled_copy(at, copy); });
                both.add(static_cast<u64>(direction), [&](u32* at) { hw_.encode_swizzled_copy(at, copy); });
            }
            both.judge(report_, law::distinct_layouts, [&](u64, u64) {
                return say("a swizzled copy of ", copy.size, " bytes is the same words in both directions");
            });
        }
    }

    void check_fills() {
        std::vector<u64> const sizes = telling_multiples(random_, fill_unit(hw_).n, fill_most(hw_).n);
        for (unsigned i = 0; i < options_.rounds + 2; ++i) {
            u64 const size = i == 0 ? sizes.front() : i == 1 ? sizes.back() : sizes[random_.below(sizes.size())];
            auto const place = any_address();
            u32 const pattern = pattern_of(hw_, static_cast<u32>(random_.next()));
            judge(say("fill of ", size, " bytes"), honest_length(place, size, pattern),
                  [&](u32* at) { hw_.encode_fill(at, place, bytes{size}, pattern); });
        }
        auto const to = any_address();
        // Of commands whose lengths differ, the length is a word too.
        constexpr u32 most = hw::longest_fill<Hw>().n;
        auto const with_length = [&](u64 size, u32 pattern) {
            return [this, to, size, pattern](u32* at) {
                hw_.encode_fill(at, to, bytes{size}, pattern);
                at[most] = honest_length(to, size, pattern).n;
            };
        };
        distinct_commands by_size(most + 1);
        for (u64 const size : sizes) {
            by_size.add(size, with_length(size, 0));
        }
        by_size.judge(report_, law::distinct_sizes,
                      [](u64 a, u64 b) { return say("fills of ", a, " and of ", b, " bytes are the same words"); });
        distinct_commands by_pattern(most + 1);
        for (u64 const n : telling_numbers(random_, last_pattern(hw_), 200)) {
            u32 const pattern = pattern_of(hw_, static_cast<u32>(n));
            by_pattern.add(pattern, with_length(fill_unit(hw_).n, pattern));
        }
        by_pattern.judge(report_, law::distinct_patterns, [](u64 a, u64 b) {
            return say("fills with ", as_hex{a}, " and with ", as_hex{b}, " are the same words");
        });
    }

    /// The length of a fill: 1 to the most, or the most in its place.
    template <class Address>
    [[nodiscard]] dwords honest_length(Address to, u64 size, u32 pattern) {
        dwords const length = hw::fill_length(hw_, to, bytes{size}, pattern);
        dwords const most = hw::longest_fill<Hw>();
        bool const honest = report_.judge(law::honest_sizes, length.n >= 1 && length.n <= most.n, [&] {
            return say("fill of ", size, " bytes declares ", length.n, " dwords, and at most ", most.n);
        });
        return honest ? length : most;
    }

    void check_entries(segment_id id) {
        u64 const entries = whole_pages(hw_.place(id).size).n;
        std::vector<u64> const numbers = telling_numbers(random_, last_page<Hw>(), 200);
        auto const encoder = [&](u64 index, u64 page, bool coherent) {
            return [this, id, index, page, coherent](u32* at) {
                hw_.encode_aperture_entry(at, id, index, page_number{page}, coherent);
            };
        };
        for (unsigned i = 0; i < options_.rounds; ++i) {
            u64 const index = random_.below(entries);
            judge(say("aperture entry ", index), Hw::aperture_entry_dwords,
                  encoder(index, numbers[random_.below(numbers.size())], i % 2 != 0));
        }
        distinct_commands by_page(Hw::aperture_entry_dwords.n);
        for (u64 const page : numbers) {
            by_page.add(page, encoder(0, page, false));
        }
        by_page.judge(report_, law::distinct_entries, [](u64 a, u64 b) {
            return say("aperture entries for pages ", as_hex{a}, " and ", as_hex{b}, " are the same words");
        });
        distinct_commands by_index(Hw::aperture_entry_dwords.n);
        for (u64 const index : telling_numbers(random_, entries - 1, 200)) {
            by_index.add(index, encoder(index, 1, false));
        }
        by_index.judge(report_, law::distinct_entries, [](u64 a, u64 b) {
            return say("aperture entries of index ", a, " and ", b, " are the same words");
        });
        if (options_.coherent_apertures) {
            distinct_commands by_coherency(Hw::aperture_entry_dwords.n);
            by_coherency.add(0, encoder(0, 1, false));
            by_coherency.add(1, encoder(0, 1, true));
            by_coherency.judge(report_, law::distinct_entries, [](u64, u64) {
                return say("coherent aperture entries are the same words as others (OP05-03)");
            });
        }
    }

    void check_records() {
        for (unsigned i = 0; i < options_.rounds; ++i) {
            paging_record const record{static_cast<paging_operation>(random_.below(paging_operation_count)),
                                       static_cast<u32>(random_.next()), static_cast<u32>(random_.next()),
                                       static_cast<u32>(random_.next())};
            check_record(record);
        }
    }

    void check_record(paging_record const& record) {
        constexpr std::size_t guard = 256;
        constexpr std::size_t size = Hw::record_bytes.n;
        auto const written = [&](u8 background_byte) {
            std::vector<u8> memory(size + 2 * guard, background_byte);
            hw_.encode_record(memory.data() + guard, record);
            return memory;
        };
        std::vector<u8> const one = written(0x5A);
        std::vector<u8> const other = written(0xA5);
        report_.exercise(law::honest_records);
        for (std::size_t i = 0; i < one.size(); ++i) {
            bool const inside = i >= guard && i < guard + size;
            auto const at = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(guard);
            if (!inside && (one[i] != 0x5A || other[i] != 0xA5)) {
                report_.violate(law::honest_records, say("a record of ", size, " bytes changes byte ", at));
            } else if (inside && one[i] != other[i]) {
                report_.violate(law::honest_records,
                                say("a record of ", size, " bytes does not write all of byte ", at));
            }
        }
    }

    Hw const& hw_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
    std::vector<typename address_of<Hw>::type> addresses_;
};

}  // namespace wddmcore::testing::law_parts

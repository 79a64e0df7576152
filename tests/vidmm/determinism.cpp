// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>

using namespace toy;

TEST_CASE("a run is a function of driver, options and seed") {
    setup const all =
        with_notices(with_residency(with_contexts(page_tables(page_table_update_mode::gpu_virtual, wddm::v3_2))));
    for (setup s : {physical(), gpu_virtual(), aperture_only(wddm::v3_2), all}) {
        s.steps = 150;
        s.options.seed = seed_or(7);
        std::string const first = transcript(s);
        CHECK(first == transcript(s));
        s.options.seed += 1;
        CHECK(first != transcript(s));
    }
}

TEST_CASE("a report of a broken rule is the same every time") {
    for (bool bugs::* const mistake :
         {&bugs::list_offset_ignored, &bugs::list_always_run, &bugs::unmap_to_zero, &bugs::no_padding}) {
        setup const s = with(physical(wddm::v2_9), mistake);
        std::string const first = transcript(s);
        CHECK(first == transcript(s));
    }
}

TEST_CASE("generated content is the same however it is cut, and no word of it comes twice") {
    namespace parts = wddmcore::testing::vidmm_parts;
    constexpr std::uint64_t key = 5;
    std::array<std::byte, 512> whole{};
    parts::write_content(whole, key, 0);
    for (std::size_t i = 0; i < whole.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, &whole[i], 8);
        CHECK(word == parts::content_word(key, i / 8));
    }
    for (std::size_t cut = 0; cut <= 200; ++cut) {
        std::array<std::byte, 512> pieces{};
        parts::write_content(std::span(pieces).first(cut), key, 0);
        parts::write_content(std::span(pieces).subspan(cut), key, cut);
        CHECK(pieces == whole);
    }
    std::set<std::uint64_t> words;
    for (std::uint64_t k = 0; k < 8; ++k) {
        for (std::uint64_t i = 0; i < 2000; ++i) {
            words.insert(parts::content_word(k, i));
        }
    }
    CHECK(words.size() == 8 * 2000);
}

TEST_CASE("system memory is a memory file where its pages are to be shown again, and only there") {
    using namespace wddmcore::testing;
    bool const possible = guarded_pages(4096, 1, guarded_source::shared).file() >= 0;
    for (bool const wanted : {false, true}) {
        vidmm_options options;
        options.memory_file = wanted;
        vidmm_parts::memory_model memory(options);
        CHECK((memory.actual().ram()->pool().file() >= 0) == (wanted && possible));
    }
}

TEST_CASE("each paging buffer is told of when it is lent, with a page of its own, and when it is over") {
    setup s = physical();
    s.steps = 60;
    std::map<std::byte const*, std::size_t> lent;
    std::set<std::uint64_t> addresses;
    s.options.on_paging_buffer = [&](std::span<std::byte const> buffer, std::optional<std::uint64_t> address) {
        if (!address) {
            auto const over = lent.find(buffer.data());
            CHECK((over != lent.end() && over->second == buffer.size()));
            lent.erase(buffer.data());
            return;
        }
        CHECK(lent.emplace(buffer.data(), buffer.size()).second);
        CHECK(*address % 4096 == 0);
        CHECK(addresses.insert(*address).second);
    };
    static_cast<void>(transcript(s));
    CHECK(lent.empty());
    CHECK(addresses.size() > 10);
}

TEST_CASE("a trace is one JSON object with all rows") {
    setup s = physical();
    s.steps = 40;
    std::string const text = transcript(s);
    std::size_t const start = text.find("{\"displayTimeUnit\"");
    REQUIRE(start != std::string::npos);
    int depth = 0;
    bool in_text = false;
    for (std::size_t i = start; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"' && text[i - 1] != '\\') {
            in_text = !in_text;
        } else if (!in_text) {
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            CHECK(depth >= 0);
        }
    }
    CHECK(depth == 0);
    CHECK_FALSE(in_text);
    for (char const* const part :
         {"\"ph\":\"X\"", "\"ph\":\"C\"", "\"ph\":\"i\"", "build transfer", "execute transfer", "submit_command"}) {
        CHECK(text.find(part, start) != std::string::npos);
    }
}

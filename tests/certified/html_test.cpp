// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The page of a report: well-formed, escaped, equal for equal runs, with each kind of sentence and with the bytes that differ.
#include "../vidmm/expect.hpp"

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string_view>

namespace certified_html {

using namespace wddmcore;
namespace parts = testing::certify_parts;

[[nodiscard]] bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

[[nodiscard]] std::size_t times(std::string const& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

/// What is wrong with a page as XML: tags that do not match, attributes without quotes or twice, `&` that begins no
/// reference. Empty: nothing is.
[[nodiscard]] std::string fault_of(std::string const& page) {
    std::vector<std::string> open;
    std::set<std::string> ids;
    std::size_t at = page.find("<html");
    auto const references = [](std::string_view text) {
        for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
            std::string_view const rest = text.substr(i);
            bool good = false;
            for (std::string_view const known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#10;"}) {
                good = good || rest.starts_with(known);
            }
            if (!good) {
                return false;
            }
        }
        return true;
    };
    while (at < page.size()) {
        std::size_t const end = page.find('>', at);
        if (end == std::string::npos) {
            return "a tag without an end";
        }
        std::string tag = page.substr(at + 1, end - at - 1);
        bool const closed = tag.ends_with('/');
        tag = closed ? tag.substr(0, tag.size() - 1) : tag;
        std::string const name = tag.substr(0, tag.find_first_of(" \n"));
        if (name.starts_with('/')) {
            if (open.empty() || "/" + open.back() != name) {
                return "a stray " + name;
            }
            open.pop_back();
        } else {
            std::set<std::string> names;
            for (std::size_t i = name.size(); i < tag.size();) {
                std::size_t const equals = tag.find("=\"", i);
                std::size_t const quote = equals == std::string::npos ? equals : tag.find('"', equals + 2);
                std::string const attribute = tag.substr(i + 1, equals - i - 1);
                if (quote == std::string::npos || tag[i] != ' ' || !names.insert(attribute).second) {
                    return "attributes of " + tag;
                }
                std::string const value = tag.substr(equals + 2, quote - equals - 2);
                if (!references(value) || value.find('<') != std::string::npos ||
                    (attribute == "id" && !ids.insert(value).second)) {
                    return "value of " + attribute + " in " + tag;
                }
                i = quote + 1;
            }
            if (!closed) {
                open.push_back(name);
            }
        }
        at = page.find('<', end);
        std::string const between = page.substr(end + 1, (at == std::string::npos ? page.size() : at) - end - 1);
        if (!references(between)) {
            return "text " + between;
        }
    }
    return open.empty() ? std::string() : open.back() + " is not closed";
}

[[nodiscard]] testing::certified_finding finding_of(char const* rule, std::string const& words) {
    return testing::certified_finding_of({rule, words + " sentence", words + " state"});
}

/// A report with a finding of each kind, in two scenarios.
[[nodiscard]] testing::certified_report report_of_all_kinds() {
    testing::certified_report report;
    report.driver = "some driver";
    report.seed = 7;
    report.scenarios.push_back({"one", "first things happen", {}, "crashed in some call", {}, {}, {}, "--only one"});
    report.scenarios.back().findings = {finding_of("OP00-02", "broken"), finding_of("OBS-05", "refused"),
                                        finding_of("NULL-ACCESS", "ended")};
    report.scenarios.back().exercised = {{"OP00-02", 3}, {"PGB-22", 2}};
    report.scenarios.push_back({"two", "second things happen", {}, {}, {}, {}, {}, "--only two"});
    report.scenarios.back().findings = {finding_of("AMB-06", "unusual"), finding_of("0x119", "stops")};
    report.scenarios.back().exercised = {{"OP00-02", 4}};
    report.scenarios.push_back({"three", "nothing happens", "there is nothing", {}, {}, {}, {}});
    report.not_exercised = {"OP08-01"};
    report.unjudged = {"what nobody sees"};
    return report;
}

/// A run of a driver with one mistake, in a process of its own, as certify has it.
[[nodiscard]] testing::certified_report report_of(toy::setup const& s) {
    testing::certified_report report;
    report.seed = s.options.seed;
    auto const verdict = testing::run_isolated([&] { return toy::run(s); });
    parts::add(report, {"paging", "things move", {}, {}, {}, {}, {}}, verdict.violations, {}, {});
    return report;
}

/// The numbers of the bytes that a picture marks as wrong.
[[nodiscard]] std::set<std::size_t> marked_in(std::string const& figure, char const* how) {
    std::set<std::size_t> out;
    std::string const mark = std::string("class=\"") + how + "\" data-byte=\"";
    for (std::size_t at = figure.find(mark); at != std::string::npos; at = figure.find(mark, at + 1)) {
        out.insert(std::stoul(figure.substr(at + mark.size())));
    }
    return out;
}

[[nodiscard]] std::set<std::size_t> differing_in(testing::differing_memory const& memory) {
    std::set<std::size_t> out;
    for (std::size_t i = 0; i != memory.found.size(); ++i) {
        if (memory.found[i] != memory.expected[i]) {
            out.insert(i);
        }
    }
    return out;
}

TEST_CASE("OP00-02, OBS-05, AMB-06: a page keeps the kinds of sentence apart, and has all that the report has") {
    std::string const page = report_of_all_kinds().html();
    CHECK(fault_of(page) == "");
    CHECK(times(page, "<article ") == 5);
    for (char const* const kind : {"broken", "refused", "unusual", "stops", "ended"}) {
        INFO(kind);
        std::size_t const begin = page.find(std::string("<section id=\"") + kind);
        REQUIRE(begin != std::string::npos);
        std::string const section = page.substr(begin, page.find("</section>", begin) - begin);
        CHECK(times(section, "<article ") == 1);
        CHECK(has(section, std::string(": ") + kind + " sentence</h3>"));
        CHECK(has(section, std::string(kind) + " state"));
        CHECK(has(section, "<dt>replay</dt><dd><pre>--only "));
    }
    for (char const* const words :
         {"<h2>A documented rule is broken</h2>", "<h2>Windows is known to refuse this</h2>",
          "<h2>This is unusual</h2>", "<h2>Windows stops here</h2>", "<h2>The run did not come to its end</h2>"}) {
        CHECK(has(page, words));
    }
    testing::rules::entry const* const rule = testing::rules::find("OP00-02");
    CHECK(has(page, "<dt>rule</dt><dd><span>" + parts::as_xml(rule->sentence) + "</span></dd>"));
    CHECK(has(page, std::string("<dt>source</dt><dd><span>") + rule->page + "</span></dd>"));
    CHECK(has(page, "<td>OP00-02</td><td>7</td>"));
    CHECK(has(page, "<summary>Rules exercised, and how often: 2</summary>"));
    CHECK(has(page, "kept: 1</summary>"));
    CHECK(has(page, "<td>OP08-01</td>"));
    CHECK(has(page, "<li>what nobody sees</li>"));
    CHECK(has(page, "left out: there is nothing"));
    CHECK(has(page, "crashed in some call"));
    for (std::size_t at = page.find("href=\"#"); at != std::string::npos; at = page.find("href=\"#", at + 1)) {
        std::string const to = page.substr(at + 7, page.find('"', at + 7) - at - 7);
        CHECK_MESSAGE(times(page, "id=\"" + to + '"') == 1, to);
    }
    CHECK_FALSE(has(page, "<script"));
    CHECK(times(page, "http") == 1 + times(page, "http-equiv"));  // the name of the language, which is no address
}

TEST_CASE("OP00-02: a page of a run in which nothing was found") {
    testing::certified_report report;
    report.scenarios.push_back({"one", "things happen", {}, {}, {}, {}, {}});
    std::string const page = report.html();
    CHECK(fault_of(page) == "");
    CHECK(times(page, "nothing was found") == 2);
    CHECK(times(page, "<article ") == 0);
    CHECK_FALSE(has(page, "Mend this first"));
}

TEST_CASE("OP00-02: whatever text a driver brings, it stays text") {
    std::string const hostile =
        "</pre><script>alert(\"1\")</script> & &lt; ]]> \x01\x1b\t \xff\xc0\xaf \xed\xa0\x80 \xe2\x80\xa6";
    testing::certified_report report = report_of_all_kinds();
    report.driver = hostile;
    report.foreword = {hostile};
    report.unjudged = {hostile};
    report.not_exercised = {hostile};
    for (testing::certified_scenario_report& s : report.scenarios) {
        s.name = s.about = hostile;
        s.ending = hostile;
        s.replay = hostile;
        s.exercised[hostile] = 1;
        for (testing::certified_finding& f : s.findings) {
            f.rule = f.sentence = f.state = f.demand = f.source = hostile;
            f.memory = {hostile, {1}, {2}, 1, 1, "x"};
        }
    }
    std::string const page = report.html();
    CHECK(fault_of(page) == "");
    CHECK_FALSE(has(page, "<script"));
    CHECK(has(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &amp;lt; ]]&gt; "));
    for (char const c : page) {
        CHECK_MESSAGE((c == '\n' || static_cast<unsigned char>(c) >= ' '), static_cast<int>(c));
    }
    std::string const bad = "\xef\xbf\xbd";
    CHECK(parts::as_xml("\xff\xc0\xaf") == bad + bad + bad);
    CHECK(parts::as_xml("\xed\xa0\x80") == bad + bad + bad);
    CHECK(parts::as_xml("\xe2\x80") == bad + bad);
    CHECK(parts::as_xml("\xf4\x90\x80\x80") == bad + bad + bad + bad);
    CHECK(parts::as_xml("\xef\xbf\xbe") == bad + bad + bad);
    CHECK(parts::as_xml("\xc3\xa4\xe2\x80\xa6\xf0\x9f\x98\x80") == "\xc3\xa4\xe2\x80\xa6\xf0\x9f\x98\x80");
    CHECK(fault_of("<html><p>a & b</p></html>") != "");
    CHECK(fault_of("<html><p></html>") != "");
}

TEST_CASE("OP00-02: the picture marks the bytes that differ, and no others") {
    testing::differing_memory memory{"byte 0x18 of segment 1", {}, {}, 128, 5, "..x.x"};
    for (std::uint8_t i = 0; i != 30; ++i) {
        memory.expected.push_back(i);
        memory.found.push_back(i);
    }
    std::set<std::size_t> const wrong = {0, 9, 10, 29};
    for (std::size_t const i : wrong) {
        memory.found[i] = static_cast<std::uint8_t>(0xf0 + i);
    }
    std::string const figure = parts::memory_picture(memory).figure();
    CHECK(fault_of("<html>" + figure + "</html>") == "");
    CHECK(marked_in(figure, "wrong") == wrong);
    CHECK(marked_in(figure, "must") == wrong);
    CHECK(times(figure, "class=\"wrong\">f9</text>") == 1);
    CHECK(times(figure, "class=\"must\">09</text>") == 1);
    CHECK(times(figure, "class=\"differs\"") == 2);
    CHECK(times(figure, "class=\"piece\"") == 3);
    CHECK(times(figure, " both</text>") == 1);  // of four rows one is equal
    CHECK(times(figure, " found</text>") == 3);
    CHECK(has(figure, "Of 128 bytes compared, 5 differ."));
    CHECK(has(figure, "30 bytes from byte 0x18 of segment 1 on."));
    CHECK(parts::memory_picture({}).figure().empty());
}

TEST_CASE("OP00-02: memory that differs keeps its place in a line, and what is no such line is no memory") {
    testing::differing_memory const memory{"byte 0x8 of segment 2", {0, 0xab, 0xff}, {1, 0xab, 0}, 1 << 20, 900, ".x"};
    CHECK(testing::differing_memory::read(memory.text()) == memory);
    CHECK(testing::differing_memory{}.text().empty());
    for (char const* const line :
         {"", "word", "1 1 x 00", "1 1 x 00 zz place", "1 1 x 00 0011 place", "1 1 x 00 11", "-"}) {
        INFO(line);
        CHECK(testing::differing_memory::read(line).empty());
    }
    testing::vidmm_parts::kept_findings kept;
    kept.add("OP00-02", "first", "state");
    kept.add("OP00-02", "second", "state", memory.text().c_str());
    kept.add("PGB-22", "third", "state");
    auto const all = kept.all();
    REQUIRE(all.size() == 3);
    CHECK(all[0].memory.empty());
    CHECK(all[1].memory == memory);
    CHECK(all[2].sentence == "third");
    CHECK(kept.has("PGB-22", "third"));
    CHECK_FALSE(kept.has("PGB-22", "second"));
}

TEST_CASE("OP00-02: a comparison finds the bytes that differ, counts them, and names the window's place") {
    toy::setup const s = toy::physical();
    testing::vidmm_parts::memory_model memory(s.options);
    std::uint64_t const page = memory.page_address(memory.frame(2));
    CHECK(testing::vidmm_parts::compared_page(memory, page + 5).empty());
    std::set<std::uint64_t> const wrong = {0x105, 0x106, 0x133, 0xfff};
    for (std::uint64_t const at : wrong) {
        memory.is(page + at, 1)[0] ^= std::byte{0x40};
    }
    auto const found = testing::vidmm_parts::compared_page(memory, page + 0x700);
    CHECK(found.place == memory.name_of(page + 0xf8));
    CHECK(found.compared == 4096);
    CHECK(found.differing == wrong.size());
    CHECK(found.found.size() == testing::differing_memory::most_bytes);
    CHECK(differing_in(found) == std::set<std::size_t>{0xd, 0xe, 0x3b});
    CHECK(found.pieces == std::string("....x") + std::string(58, '.') + 'x');
    for (std::size_t i = 0; i != found.found.size(); ++i) {
        CHECK(found.found[i] == std::to_integer<std::uint8_t>(memory.is(page + 0xf8 + i, 1)[0]));
        CHECK(found.expected[i] == std::to_integer<std::uint8_t>(memory.must_be(page + 0xf8 + i, 1)[0]));
    }
    auto const at_start = testing::vidmm_parts::compared(memory, page + 0x105, 2);
    CHECK(at_start.place == memory.name_of(page + 0x105));
    CHECK(differing_in(at_start) == std::set<std::size_t>{0, 1});
    CHECK(at_start.pieces == "xx");
}

#if __has_include(<sys/mman.h>)

TEST_CASE("OP00-02: the page of a run with wrong bytes shows them, and is the same for the same seed") {
    toy::setup s = toy::with(toy::physical(), &toy::bugs::offset_not_on_segment);
    s.options.seed = 3;
    auto const report = report_of(s);
    REQUIRE(report.first() != nullptr);
    CHECK(report.first()->rule == "OP00-02");
    testing::differing_memory const& memory = report.first()->memory;
    REQUIRE_FALSE(memory.empty());
    CHECK(memory.differing != 0);
    CHECK(has(memory.pieces, "x"));
    std::string const page = report.html();
    CHECK(fault_of(page) == "");
    CHECK(times(page, "<svg ") == 1);
    CHECK(marked_in(page, "wrong") == differing_in(memory));
    CHECK_FALSE(differing_in(memory).empty());
    CHECK(page == report_of(s).html());
    s.options.seed = 4;
    CHECK(page != report_of(s).html());
}

TEST_CASE("OP01-02, PGB-10: bytes beside a request are shown too, and a crash loses none of it") {
    toy::setup const s = toy::with(toy::without_aperture(toy::physical()), &toy::bugs::fills_too_far);
    auto const verdict = testing::run_isolated([&] {
        testing::vidmm_report const report = toy::run(s);
        if (!report.passed()) {
            std::abort();
        }
        return report;
    });
    CHECK(verdict.how == testing::vidmm_verdict::ending::crashed);
    REQUIRE(verdict.violations.size() >= 2);
    CHECK(verdict.violations.front().rule == "OP01-02");
    CHECK_FALSE(verdict.violations.front().memory.empty());
    CHECK_FALSE(differing_in(verdict.violations.front().memory).empty());
    CHECK(verdict.violations.back().rule == "CRASH");
    CHECK(verdict.violations.back().memory.empty());
}

#endif

}  // namespace certified_html

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "escaped.hpp"
#include "html_style.hpp"
#include "memory_picture.hpp"
#include "text.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace certify_parts {

/// Writes the page of a report, part by part in the order in which they are read.
class html_page {
public:
    explicit html_page(certified_report const& report) : report_(report) {}

    [[nodiscard]] std::string text() {
        begin();
        scenarios();
        for (auto const& [kind, name] : kinds) {
            findings(kind, name);
        }
        exercised();
        rules_of("not-exercised", "Not exercised, which is not the same as kept", report_.not_exercised);
        unjudged();
        return out_ + "</main></body></html>\n";
    }

private:
    struct named_kind {
        certified_kind kind;
        char const* name;
    };
    static constexpr named_kind kinds[] = {{certified_kind::broken, "broken"},
                                           {certified_kind::refused, "refused"},
                                           {certified_kind::unusual, "unusual"},
                                           {certified_kind::stops, "stops"},
                                           {certified_kind::ended, "ended"}};

    /// An element with text in it, which is escaped here.
    [[nodiscard]] static std::string element(std::string const& tag, std::string const& text) {
        return '<' + tag + '>' + as_xml(text) + "</" + tag.substr(0, tag.find(' ')) + ">";
    }
    [[nodiscard]] static std::string row(char const* name, std::string const& tag, std::string const& text) {
        return text.empty() ? std::string() : element("dt", name) + "<dd>" + element(tag, text) + "</dd>\n";
    }

    void begin() {
        std::string const title = report_.driver + ", seed " + std::to_string(report_.seed);
        out_ =
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/>"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>";
        out_ += element("title", title) + "<style>" + html_style + "</style></head>\n<body><header>" +
                element("h1", title) + element("p", counts_of(report_));
        if (!report_.is_clean()) {
            out_ += "<p><a href=\"#finding-1\">Mend this first</a>; what comes after it may follow from it.</p>";
        }
        for (std::string const& line : report_.foreword) {
            out_ += element("p class=\"muted\"", line);
        }
        out_ += "</header>\n<nav><a href=\"#scenarios\">Scenarios</a>";
        for (auto const& [kind, name] : kinds) {
            if (has(kind)) {
                out_ += std::string("<a href=\"#") + name + "\">" + as_xml(sentence(kind)) + "</a>";
            }
        }
        out_ += "<a href=\"#exercised\">Exercised</a><a href=\"#not-exercised\">Not exercised</a>"
                "<a href=\"#unjudged\">Not judged</a></nav>\n<main>\n";
    }

    /// The words of a kind, as a heading.
    [[nodiscard]] static std::string sentence(certified_kind kind) {
        std::string words = words_of(kind);
        words[0] = words[0] >= 'a' && words[0] <= 'z' ? static_cast<char>(words[0] - 'a' + 'A') : words[0];
        return words;
    }
    [[nodiscard]] bool has(certified_kind kind) const {
        for (certified_scenario_report const& s : report_.scenarios) {
            if (std::any_of(s.findings.begin(), s.findings.end(), [kind](auto const& f) { return f.kind == kind; })) {
                return true;
            }
        }
        return false;
    }

    void scenarios() {
        out_ += "<section id=\"scenarios\"><h2>Scenarios</h2><table><thead><tr><th>scenario</th>"
                "<th class=\"about\">what happens</th><th>result</th><th>rules exercised</th></tr></thead><tbody>\n";
        std::size_t number = 0;
        for (certified_scenario_report const& s : report_.scenarios) {
            out_ += "<tr>" + element("td", s.name) + element("td class=\"about\"", s.about) + "<td>";
            for (certified_finding const& f : s.findings) {
                std::string const at = std::to_string(++number);
                out_ += "<a href=\"#finding-" + at + "\">" + as_xml(f.rule) + "</a> ";
            }
            out_ +=
                as_xml(!s.left_out.empty()  ? "left out: " + s.left_out
                       : !s.ending.empty()  ? s.ending
                       : s.findings.empty() ? s.again.empty() ? "nothing was found" : certify_parts::words_of_again(s)
                                            : "");
            out_ += "</td><td>" + std::to_string(s.exercised.size()) + "</td></tr>\n";
        }
        out_ += "</tbody></table></section>\n";
    }

    void findings(certified_kind kind, char const* name) {
        if (!has(kind)) {
            return;
        }
        out_ += std::string("<section id=\"") + name + "\">" + element("h2", sentence(kind)) + '\n';
        std::size_t number = 0;
        for (certified_scenario_report const& s : report_.scenarios) {
            for (certified_finding const& f : s.findings) {
                ++number;
                if (f.kind == kind) {
                    finding(f, s, number, name);
                }
            }
        }
        out_ += "</section>\n";
    }

    void finding(certified_finding const& f, certified_scenario_report const& s, std::size_t number, char const* kind) {
        out_ += std::string("<article class=\"finding ") + kind + "\" id=\"finding-" + std::to_string(number) + "\">" +
                element("h3", f.rule + ": " + f.sentence) + "<dl>\n" + row("kind", "span", words_of(f.kind)) +
                row("rule", "span", f.demand) + row("source", "span", f.source) + row("seen in", "code", f.state) +
                row("scenario", "span", s.name) + row("replay", "pre", s.replay) + "</dl>" +
                memory_picture(f.memory).figure() + "</article>\n";
    }

    /// A list that is closed until somebody opens it.
    void details(char const* id, std::string const& title, std::size_t size, std::string const& inside) {
        out_ += std::string("<details id=\"") + id + "\">" + element("summary", title + ": " + std::to_string(size)) +
                inside + "</details>\n";
    }
    [[nodiscard]] static std::string rule_row(std::string const& id, std::string const& more) {
        rules::entry const* const rule = rules::find(id.c_str());
        return "<tr>" + element("td", id) + more + element("td", rule != nullptr ? rule->sentence : "") + "</tr>\n";
    }

    void exercised() {
        std::map<std::string, std::uint64_t> all;
        for (certified_scenario_report const& s : report_.scenarios) {
            for (auto const& [id, times] : s.exercised) {
                all[id] += times;
            }
        }
        std::string rows =
            "<table><thead><tr><th>rule</th><th>times</th><th>what it demands</th></tr></thead><tbody>\n";
        for (auto const& [id, times] : all) {
            rows += rule_row(id, element("td", std::to_string(times)));
        }
        details("exercised", "Rules exercised, and how often", all.size(), rows + "</tbody></table>");
    }

    void rules_of(char const* id, char const* title, std::vector<std::string> const& ids) {
        std::string rows = "<table><thead><tr><th>rule</th><th>what it demands</th></tr></thead><tbody>\n";
        for (std::string const& each : ids) {
            rows += rule_row(each, "");
        }
        details(id, title, ids.size(), rows + "</tbody></table>");
    }

    void unjudged() {
        std::string lines = "<ul>\n";
        for (std::string const& line : report_.unjudged) {
            lines += element("li", line) + '\n';
        }
        lines += report_.unjudged.empty() ? "<li>nothing is missing for it</li></ul>" : "</ul>";
        details("unjudged", "Not judged", report_.unjudged.size(), lines);
    }

    certified_report const& report_;
    std::string out_{};
};

}  // namespace certify_parts

inline std::string certified_report::html() const { return certify_parts::html_page(*this).text(); }

}  // namespace wddmcore::testing

// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What the page of a report looks like: light or dark as the reader's system is, for narrow windows and for paper.
inline constexpr char html_style[] = R"(
:root { color-scheme: light dark; --back: #fbfaf8; --card: #ffffff; --line: #d3d0c9; --text: #1c1f24; --muted: #565d69;
  --link: #0a56a5; --wrong: #ffd9d2; --wrong-text: #7a1200; --right: #d8ecdb; --right-text: #0f4d1f; --piece: #c9c4b8;
  --broken: #b3261e; --refused: #8a4b00; --unusual: #2f6fb3; --stops: #7a1fa2; --ended: #565d69; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171b; --card: #1b1f25; --line: #3a424d; --text: #e8eaed; --muted: #a8b0bc; --link: #86bdff;
    --wrong: #5c1f18; --wrong-text: #ffd4cc; --right: #1d4027; --right-text: #c9f0d1; --piece: #4a4f58;
    --broken: #ff8a80; --refused: #ffb86b; --unusual: #86bdff; --stops: #d9a5f0; --ended: #a8b0bc; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 62rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 0 0 .4rem; }
p { margin: 0 0 .6rem; }
.muted, dt { color: var(--muted); }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .88rem; }
pre { margin: 0; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
.finding { background: var(--card); border: 1px solid var(--line); border-left: 6px solid; border-radius: 6px;
  padding: .7rem .8rem; margin: 0 0 1rem; break-inside: avoid; }
.broken { border-left-color: var(--broken); } .refused { border-left-color: var(--refused); }
.unusual { border-left-color: var(--unusual); } .stops { border-left-color: var(--stops); }
.ended { border-left-color: var(--ended); }
dl { display: grid; grid-template-columns: 5.5rem 1fr; gap: .2rem .6rem; margin: 0; }
dd { margin: 0; min-width: 0; }
figure { margin: .8rem 0 0; }
svg { display: block; max-width: 100%; height: auto; margin-top: .4rem; }
svg text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--text); }
svg .piece { fill: var(--piece); } svg .differs { fill: var(--broken); }
svg .must { fill: var(--right); stroke: var(--right-text); } svg text.must { fill: var(--right-text); stroke: none; }
svg .wrong { fill: var(--wrong); stroke: var(--wrong-text); }
svg text.wrong { fill: var(--wrong-text); stroke: none; font-weight: 700; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }
  .about { display: none; } }
@media print { body { max-width: none; padding: 0; } nav { display: none; } svg, .finding { print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; } }
)";

}  // namespace wddmcore::testing::certify_parts

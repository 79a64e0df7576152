// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// Choosing.

function drawChoice() {
    find("hardware").replaceChildren(...data.hardware.map((h) => make("label", {},
        make("input", {type: "radio", name: "hardware", value: h.name, checked: h.name === shown.hardware}), h.title)));
    find("code").replaceChildren(...data.hardware[0].operations.map((o) =>
        make("option", {value: o.code, selected: o.code === shown.code}, `${o.code} ${o.name}`)));
}

function show(hardware, code) {
    shown = {hardware, code};
    for (const radio of find("hardware").querySelectorAll("input")) {
        radio.checked = radio.value === hardware;
    }
    find("code").value = code;
    drawMatrix();
    drawSample();
    drawWalk();
    drawChunks();
}

function choose(hardware, code) {
    const count = data.hardware[0].operations.length;
    history.replaceState(null, "", address(hardware, (code + count) % count));
    show(hardware, (code + count) % count);
}

function followAddress(move) {
    const [hardware, code] = location.hash.slice(1).split("/");
    const known = data.hardware.some((h) => h.name === hardware) && data.hardware[0].operations[Number(code)];
    if (known) {
        show(hardware, Number(code));
        if (move) {
            find("operation").scrollIntoView();
            find("sample-title").focus({preventScroll: true});
        }
    }
}

find("choice").addEventListener("submit", (event) => event.preventDefault());
find("hardware").addEventListener("change", (event) => choose(event.target.value, shown.code));
find("code").addEventListener("change", (event) => choose(shown.hardware, Number(event.target.value)));
find("previous").addEventListener("click", () => choose(shown.hardware, shown.code - 1));
find("next").addEventListener("click", () => choose(shown.hardware, shown.code + 1));
addEventListener("hashchange", () => followAddress(true));

// Light, dark, or as the system has it.

const schemes = ["system", "light", "dark"];
let scheme = "system";
function setScheme(chosen) {
    scheme = chosen;
    if (chosen === "system") {
        delete document.documentElement.dataset.scheme;
    } else {
        document.documentElement.dataset.scheme = chosen;
    }
    find("scheme").textContent = `Colours: ${chosen === "system" ? "as the system" : chosen}`;
}
find("scheme").addEventListener("click", () => setScheme(schemes[(schemes.indexOf(scheme) + 1) % schemes.length]));

setScheme("system");
drawChoice();
drawSegments();
drawPreemption();
show(shown.hardware, shown.code);
followAddress(false);

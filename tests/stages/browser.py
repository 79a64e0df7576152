# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""A headless Chromium for the stages that look at pages: its DevTools protocol over a pair of pipes."""
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time

from common import tool

switches = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"]

# Puts the pipes where the browser expects them, which reads commands from descriptor 3 and answers on 4.
connected = """
import fcntl, os, sys
reader, writer = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3])
os.dup2(reader, 3)
os.dup2(writer, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""

# Text whose contrast to what is behind it is too small.
faint_text = """(() => {
    const numbers = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) =>
        c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const colour = numbers(getComputedStyle(e).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const faint = [];
    let seen = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        const words = walker.currentNode.textContent.trim();
        if (!words || !e.getClientRects().length || e.closest('script, option, .skip')) continue;
        const style = getComputedStyle(e);
        const text = luminance(numbers(e.closest('svg') ? style.fill : style.color));
        const back = luminance(behind(e));
        const ratio = (Math.max(text, back) + .05) / (Math.min(text, back) + .05);
        ++seen;
        if (ratio < 4.5) faint.push(`${words.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return {seen, faint: [...new Set(faint)]};
})()"""


class browser:
    """One page of one browser; `problems` has what its console had to say."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="wddmcore-browser-", ignore_cleanup_errors=True)
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-c", connected, str(to_browser), str(from_browser), tool("chromium"), *switches,
             f"--user-data-dir={self.folder.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.session, self.problems, self.events = b"", 0, None, [], []
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.folder.cleanup()

    def _message(self, until):
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, until - time.monotonic()))
            part = os.read(self.from_browser, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("the browser does not answer")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def _hear(self, message):
        method, params = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(params["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(json.dumps(params["args"])[:500])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.events.append(params["request"]["url"])
        elif method == "Page.loadEventFired":
            self.events.append("loaded")

    def call(self, method, **params):
        """Sends a command and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        until = time.monotonic() + 120
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._hear(answer)

    def open(self, address):
        """Opens a page and waits until it is loaded; returns what it asked the network for."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        until = time.monotonic() + 120
        while "loaded" not in self.events:
            self._hear(self._message(until))
        return [url for url in self.events if url != "loaded"]

    def evaluate(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:800])
        return result["result"].get("value")

    def look(self, width, scheme, height=900):
        """The page at a width, in a colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, code=0):
        """A key goes down and up."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def printed(self):
        """The page as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

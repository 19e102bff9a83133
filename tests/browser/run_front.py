#!/usr/bin/env python3
"""run_front.py -- opens the page of a front in a real browser: is the plot there, do hover and click say what they
should, does the command that it shows make the release, does it fit a narrow and a wide window, light and dark,
and does nothing leave the file?

Speaks to chromium's own protocol over a pipe, so no driver is needed. Without chromium ($CHROMIUM, or one of the
usual names) everything is skipped; `tools/bootstrap browser` installs it. --shots FOLDER keeps pictures.
"""
import base64
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "oracle"))
from common import KANON, Failed, Folder, Skip, Suite, expect, expect_equal, need_tool, run  # noqa: E402

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LIMIT_S = 60


def browser():
    asked = os.environ.get("CHROMIUM")
    for name in (asked,) if asked else NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise Skip("no chromium here (tools/bootstrap browser installs it)")


class Page:
    """One tab of a headless browser."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="kanon-browser-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def wire():  # the browser reads from 3 and writes to 4
            keep = os.dup(to_write), os.dup(to_read)
            os.dup2(keep[1], 3)
            os.dup2(keep[0], 4)

        self.process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--user-data-dir=" + self.profile, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=wire)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def message(self):
        deadline = time.monotonic() + LIMIT_S
        while b"\0" not in self.buffer:
            expect(time.monotonic() < deadline, "the browser does not answer")
            piece = os.read(self.read_end, 1 << 16)
            expect(piece, "the browser has gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        sent = {"id": self.number, "method": method, "params": params}
        if self.session:
            sent["sessionId"] = self.session
        os.write(self.write_end, json.dumps(sent).encode() + b"\0")
        while True:
            got = self.message()
            if got.get("id") == self.number:
                expect("error" not in got, "%s: %s" % (method, got.get("error")))
                return got["result"]
            self.events.append(got)

    def open(self, path, width=1280, height=1000, dark=False):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + path)
        deadline = time.monotonic() + LIMIT_S
        while self.ask("document.readyState") != "complete":
            expect(time.monotonic() < deadline, "the page does not load")
            time.sleep(0.05)

    def ask(self, expression):
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
                        userGesture=True)
        expect("exceptionDetails" not in got, "%s: %s" % (expression, got.get("exceptionDetails")))
        return got["result"].get("value")

    def place(self, selector):
        """The middle of an element, within the window."""
        spot = self.ask("(function(){var e=document.querySelector(%s);e.scrollIntoView({block:'center'});"
                        "var r=e.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]})()" % json.dumps(selector))
        expect(spot, "%s is not there" % selector)
        return spot

    def mouse(self, kind, spot, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], **more)

    def hover(self, selector):
        self.mouse("mouseMoved", self.place(selector))

    def click(self, selector):
        spot = self.place(selector)
        self.mouse("mouseMoved", spot)
        self.mouse("mousePressed", spot, button="left", clickCount=1)
        self.mouse("mouseReleased", spot, button="left", clickCount=1)

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self):
        said = [e["params"]["exceptionDetails"]["text"] for e in self.events
                if e.get("method") == "Runtime.exceptionThrown"]
        return said + [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded"]

    def shot(self, path):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)


# --- the pages -----------------------------------------------------------------------------------------


def write_table(folder):
    """A table whose cells are words that occur nowhere else; (path, those words)."""
    rng = random.Random(7)
    towns = ["Xqtown%02d" % i for i in range(12)]
    ills = ["Zvill%02d" % i for i in range(6)]
    words = set(towns) | set(ills) | {"Jqman", "Jqwoman"}
    lines = ["town,gender </script><b>,age,ill"]
    for _ in range(600):
        lines.append("%s,%s,%d,%s" % (rng.choice(towns[:rng.choice((3, 12))]), rng.choice(("Jqman", "Jqwoman")),
                                      rng.randrange(18, 80), rng.choice(ills)))
    return folder.write("my table.csv", "\n".join(lines) + "\n"), words


def make_front(folder, table, objectives, name):
    page, front = folder.file(name + ".html"), folder.file(name + ".json")
    done = run([KANON, "pareto", table, "--qi", 'town,"gender </script><b>",age', "--sensitive", "ill", "--hierarchy",
                "age=range:5,10,20,40", "--objectives", objectives, "-o", front, "-o", page, "-q"])
    expect(done.code == 0, done.line())
    return page, folder.json(name + ".json")


def check_plot(page, path, front):
    page.open(path)
    points = len(front["front"])
    expect_equal(page.ask("document.querySelectorAll('#plot svg circle.dot').length"), points, "dots of the plot")
    expect_equal(page.ask("document.querySelectorAll('#rows tr').length"), points, "rows of the table")
    expect_equal(page.ask("document.querySelectorAll('circle.knee').length"), 1, "knees")
    expect_equal(page.ask("document.querySelector('circle.knee').dataset.pick"), str(front["knee"]), "the knee")
    words = page.ask("document.querySelector('#plot svg').textContent")
    for name in front["objectives"][:2]:
        expect(name in words, "the axes do not say %s" % name)
    expect(page.ask("document.querySelectorAll('#plot .tick').length") >= 6, "hardly a number at the axes")


def check_hover(page, front):
    point = front["front"][1]
    page.hover("circle[data-pick='2']")
    said = page.ask("document.getElementById('tip').textContent")
    expect_equal(page.ask("getComputedStyle(document.getElementById('tip')).visibility"), "visible", "the hover text")
    for name, level in point["levels"].items():
        expect("%s %d/" % (name, level) in said, "the hover text %r lacks the level of %s" % (said, name))
    expect("Release 2" in said, "the hover text %r is of another point" % said)
    page.mouse("mouseMoved", (1, 1))
    expect_equal(page.ask("getComputedStyle(document.getElementById('tip')).visibility"), "hidden", "gone when left")


def check_click(page, front, folder, table):
    pick = len(front["front"]) - 1
    page.click("circle[data-pick='%d']" % pick)
    shown = page.ask("document.getElementById('command').textContent")
    expect("--pick %d " % pick in shown, "the command %r is of another point" % shown)
    expect_equal(page.ask("document.querySelectorAll('#rows tr.chosen').length"), 1, "chosen rows")
    deadline = time.monotonic() + 5
    while page.ask("document.getElementById('said').textContent") != "copied" and time.monotonic() < deadline:
        time.sleep(0.05)
    expect_equal(page.ask("document.getElementById('said').textContent"), "copied", "what a click says")
    words = shlex.split(shown)
    expect_equal(words[:3], ["kanon", "anonymize", table], "how the command begins")
    words[words.index("release.csv")] = folder.file("release.csv")
    done = run([KANON] + words[1:] + ["--report", folder.file("report.json"), "-q"], cwd=folder.path)
    expect(done.code == 0, "%s: %s" % (shown, done.line()))
    expect_equal(folder.json("report.json")["solution"]["levels"], front["front"][pick - 1]["levels"], "released levels")
    page.click("#rows tr:nth-child(3)")
    expect("--pick 3 " in page.ask("document.getElementById('command').textContent"), "a row chooses its point")


def check_axes(page, path, front):
    page.open(path)
    before = page.ask("document.querySelector('#plot .title').textContent")
    page.ask("(function(){var s=document.getElementById('axis-x');s.value='1';s.dispatchEvent(new Event('change'))})()")
    after = page.ask("document.querySelector('#plot .title').textContent")
    expect(before != after and front["objectives"][1] in after, "another axis was asked for, found %r" % after)
    expect_equal(page.ask("document.querySelectorAll('#plot svg circle.dot').length"), len(front["front"]), "dots")


def check_fit(page, path, shots):
    for width in (360, 768, 1440):
        for dark in (False, True):
            page.open(path, width, 1000, dark)
            wide = page.ask("document.documentElement.scrollWidth")
            expect(wide <= width, "%d columns wide in a window of %d" % (wide, width))
            expect_equal(page.ask("document.querySelector('#plot svg').getBoundingClientRect().width <= %d" % width),
                         True, "the plot fits")
            ink, paper = page.ask("[getComputedStyle(document.body).color,getComputedStyle(document.body)"
                                  ".backgroundColor].map(function(c){return c.match(/\\d+/g).slice(0,3)"
                                  ".reduce(function(a,b){return a+Number(b)},0)})")
            expect((ink > paper) == dark, "ink %d on paper %d when dark is %s" % (ink, paper, dark))
            if shots:
                page.shot(os.path.join(shots, "front-%d-%s.png" % (width, "dark" if dark else "light")))


def check_silence(page, path, words):
    page.open(path)
    page.hover("circle[data-pick='1']")
    page.click("circle[data-pick='1']")
    time.sleep(0.3)
    page.ask("1")
    expect_equal(page.requests(), ["file://" + path.replace(" ", "%20")], "what the page asked for")
    expect_equal(page.complaints(), [], "what the console says")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    held = [word for word in words if word in text]
    expect_equal(held, [], "values of the table in the page")
    expect("http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text,
           "an address in the page")


def main():
    shots = sys.argv[sys.argv.index("--shots") + 1] if "--shots" in sys.argv else None
    suite, page = Suite(), None
    if shots:
        os.makedirs(shots, exist_ok=True)
    try:
        need_tool()
        page = Page(browser())
    except Skip as why:
        suite.say("skip browser/front: %s" % why)
        return suite.end()
    except (Failed, OSError) as why:
        suite.fail("browser/front", "the browser did not start: %s" % why)
        return suite.end()
    try:
        with Folder() as folder:
            table, words = write_table(folder)
            path, front = make_front(folder, table, "k,glm", "front")
            path3, front3 = make_front(folder, table, "k,l,glm", "three")
            suite.check("front-plot", check_plot, page, path, front)
            suite.check("front-hover", check_hover, page, front)
            suite.check("front-click", check_click, page, front, folder, table)
            suite.check("front-axes", check_axes, page, path3, front3)
            suite.check("front-fit", check_fit, page, path3, shots)
            suite.check("front-silence", check_silence, page, path, words)
    finally:
        page.close()
    return suite.end()


if __name__ == "__main__":
    main()

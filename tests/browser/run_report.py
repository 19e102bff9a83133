#!/usr/bin/env python3
"""run_report.py [--shots FOLDER] -- opens HTML reports in a real browser.

Looks whether the plots are there and visible, in light and dark, on a wide and a narrow window and on paper; that
text can be read on its background; that nothing sticks out of the window; that the console is silent and no
request leaves the file, even when the table's names and values try. Skips when there is no Chromium.
--shots keeps pictures of all of it.
"""
import base64
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import devtools  # noqa: E402

SRC = os.environ.get("SRC", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
KANON = os.environ.get("KANON", os.path.join(SRC, "build", "release", "kanon"))
HOSTILE = ("<script>fetch('http://example.org/a')</script>", "\"><img src=http://example.org/b onerror=alert(1)>",
           "</style><link rel=stylesheet href=http://example.org/c>", "x\u202egnp.exe", "مرحبا", "w" * 300,
           "<iframe src=//example.org></iframe>", "' onmouseover='alert(2)")
CONTRAST_LEAST = 4.5
SMALLEST_PLOT = 40  # pixels

# Luminance as WCAG 2 defines it; colours that are transparent count as the page's.
CONTRAST = """(() => {
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const lum = c => { const f = parse(c).slice(0, 3).map(v => { v /= 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if ((parse(c)[3] ?? 1) > 0.5) return c; } return 'rgb(255,255,255)'; };
  const bad = [];
  for (const e of document.querySelectorAll('p,h1,h2,h3,h4,li,td,th,dt,dd,a,span,b,text,code')) {
    if (!e.textContent.trim() || !e.getClientRects().length) continue;
    const s = getComputedStyle(e), a = lum(e.tagName == 'text' ? s.fill : s.color), b = lum(back(e));
    const c = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (c < %s) bad.push(e.tagName + ' ' + c.toFixed(2) + ' ' + e.textContent.slice(0, 30));
  }
  return bad;
})()""" % CONTRAST_LEAST

OVERFLOW = """(() => { const w = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') && !e.closest('svg')
    && e.getBoundingClientRect().right > w + 1).slice(0, 5).map(e => e.tagName + ' ' + e.className); })()"""

PLOTS = """[...document.querySelectorAll('svg.plot')].map(s => { const r = s.getBoundingClientRect();
  return {title: s.getAttribute('aria-label'), width: r.width, height: r.height,
          bars: [...s.querySelectorAll('rect')].filter(b => b.getBoundingClientRect().height > 1).length,
          lines: s.querySelectorAll('path').length,
          seen: [...s.querySelectorAll('rect,path')].some(b => getComputedStyle(b).fill != 'none'
                || getComputedStyle(b).stroke != 'none')}; })"""


class Failures:
    def __init__(self):
        self.count = 0

    def result(self, name, wrong):
        wrong = [str(w) for w in wrong if w]
        if wrong:
            self.count += 1
            print(f"FAIL {name}: {'; '.join(wrong[:4])}")
        else:
            print(f"ok {name}")


def write_hostile(folder):
    """A table of 40 columns whose names and values attack the page, and its config."""
    random.seed(5)
    names = ["id", *HOSTILE] + [f"measure_{i:02d}_with_a_long_name" for i in range(1 + len(HOSTILE), 40)]
    quote = lambda cell: '"' + cell.replace('"', '""') + '"'  # noqa: E731
    table = os.path.join(folder, "hostile.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write(",".join(map(quote, names)) + "\n")
        for row in range(600):
            cells = [f"person-{row}", random.choice(HOSTILE), random.choice(HOSTILE[:3])]
            cells += [str(random.randint(0, 9)) for _ in range(12 - len(cells))]
            cells += [f"{random.lognormvariate(8, 1):.2f}" for _ in range(40 - len(cells))]
            file.write(",".join(map(quote, cells)) + "\n")
    roles = {name: {"role": "quasi"} for name in names[1:12]}
    roles |= {"id": {"role": "identifier"}, names[20]: {"role": "sensitive"}}
    config = os.path.join(folder, "hostile.yaml")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"k": 4, "suppression": 0.1, "others": "keep", "attributes": roles}, file, ensure_ascii=False)
    return table, config


def make_reports(folder):
    """{name: page}"""
    register = os.path.join(SRC, "examples", "register.csv"), os.path.join(SRC, "examples", "register.yaml")
    hostile = write_hostile(folder)
    runs = {"register": (register, []),
            "external": (register, ["--report-audience", "external"]),
            "local": (register, ["--algorithm", "mondrian", "--metric", "gcp"]),
            "curve": (register, ["--algorithm", "kab", "--metric", "gcp", "--time-limit", "2"]),
            "hostile": (hostile, []),
            "hostile-external": (hostile, ["--report-audience", "external"])}
    pages = {}
    for name, ((table, config), options) in runs.items():
        pages[name] = os.path.join(folder, name + ".html")
        subprocess.run([KANON, "anonymize", table, "-c", config, "-o", os.path.join(folder, name + "-release.csv"),
                        "--report", pages[name], "-q", *options], check=True, timeout=120)
    table, config = register
    release = os.path.join(folder, "register-release.csv")
    others = {"explain": ["explain", table, "-c", config, "--time-limit", "20"],
              "explain-local": ["explain", table, "-c", config, "--algorithm", "mondrian", "--metric", "gcp",
                                "--time-limit", "10"],
              "explain-hostile": ["explain", hostile[0], "-c", hostile[1], "--time-limit", "5"],
              "compare": ["compare", table, release, "-c", config]}
    for name, command in others.items():
        pages[name] = os.path.join(folder, name + ".html")
        subprocess.run([KANON, *command, "-q", "--html", pages[name]], check=name != "explain-hostile", timeout=120)
    return pages


def keep_shot(browser, folder, name):
    if not folder:
        return
    shot = browser.call("Page.captureScreenshot", {"captureBeyondViewport": True})
    with open(os.path.join(folder, name + ".png"), "wb") as file:
        file.write(base64.b64decode(shot["data"]))


def look(browser, failures, name, page, shots):
    plots_at = {}
    for window, width in (("wide", 1280), ("narrow", 390)):
        for scheme in ("light", "dark"):
            browser.size(width)
            browser.scheme(scheme)
            browser.open(page)
            left = [url for url in browser.requests() if url != "file://" + os.path.abspath(page)]
            plots = browser.evaluate(PLOTS)
            small = [p for p in plots if p["width"] < 200 or p["height"] < SMALLEST_PLOT or not p["seen"]
                     or not (p["bars"] or p["lines"])]
            plots_at[window, scheme] = len(plots)
            failures.result(f"{name} {window} {scheme}", [
                left and f"requests: {left}", browser.complaints() and f"console: {browser.complaints()}",
                (not plots and not name.startswith(("explain", "compare"))) and "no plot", small and f"plots that cannot be seen: {small[:2]}",
                *browser.evaluate(CONTRAST), *(f"sticks out: {e}" for e in browser.evaluate(OVERFLOW)),
                browser.evaluate("document.scripts.length") and "a script"])
            keep_shot(browser, shots, f"{name}-{window}-{scheme}")
    failures.result(f"{name} has the same plots everywhere", [len(set(plots_at.values())) > 1 and plots_at])


def check_policy(browser, failures, page):
    """The policy itself, not only the lack of anything to refuse: what a page tries must fail."""
    browser.open(page)
    browser.evaluate("""(() => { const i = new Image(); i.src = 'http://127.0.0.1:9/x.png';
        document.body.append(i); const s = document.createElement('script'); s.textContent = 'window.ran = 1';
        document.body.append(s); })()""")
    browser.evaluate("new Promise(r => setTimeout(r, 300))")
    refused = [c for c in browser.complaints() if "Content Security Policy" in c or "content security" in c.lower()]
    failures.result("the page's policy refuses images and scripts", [
        len(refused) < 2 and f"refused: {browser.complaints()}", browser.evaluate("window.ran") and "a script ran"])


def check_curve(browser, failures, page):
    """The curve falls to its lower bound's side of the axis, and its labels do not cover each other."""
    browser.open(page)
    labels = browser.evaluate("""(() => { const s = document.querySelector('#search svg.plot');
        return s ? [...s.querySelectorAll('text')].map(t => { const r = t.getBoundingClientRect();
            return {text: t.textContent, left: r.left, right: r.right, top: r.top, bottom: r.bottom}; }) : null; })()""")
    cover = [(a["text"], b["text"]) for i, a in enumerate(labels or []) for b in labels[i + 1:]
             if a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] - 2
             and b["top"] < a["bottom"] - 2]
    failures.result("the curve of the loss is there", [
        not labels and "no curve", cover and f"labels cover each other: {cover}",
        labels and not any("lower bound" in l["text"] for l in labels) and "no lower bound"])


def check_print(browser, failures, page, shots):
    browser.scheme("dark")
    browser.open(page)
    pdf = base64.b64decode(browser.call("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    browser.scheme("dark", "print")
    ground = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    nav = browser.evaluate("getComputedStyle(document.querySelector('nav')).display")
    if shots:
        with open(os.path.join(shots, "register.pdf"), "wb") as file:
            file.write(pdf)
    failures.result("prints on white paper", [
        not pdf.startswith(b"%PDF") and "no PDF", ground != "rgb(255, 255, 255)" and f"paper is {ground}",
        nav != "none" and "navigation is printed", *browser.evaluate(CONTRAST)])
    browser.scheme("light")


def main():
    shots = sys.argv[sys.argv.index("--shots") + 1] if "--shots" in sys.argv else None
    program = devtools.find()
    if not program:
        print("skip browser: no chromium (apt-get install chromium, or set CHROMIUM)")
        return 0
    failures = Failures()
    with tempfile.TemporaryDirectory(prefix="kanon-pages-") as folder, devtools.Browser(program) as browser:
        pages = make_reports(folder)
        for name, page in pages.items():
            look(browser, failures, name, page, shots)
        check_policy(browser, failures, pages["register"])
        check_curve(browser, failures, pages["curve"])
        check_print(browser, failures, pages["register"], shots)
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())

"""devtools.py -- drives a headless Chromium over its debugging pipe, with nothing but the standard library."""
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
         "--metrics-recording-only", "--no-default-browser-check", "--hide-scrollbars",
         "--remote-debugging-pipe", "--disable-dev-shm-usage", "--force-color-profile=srgb")
WAIT_S = 60


def find():
    """The path of a Chromium, or None."""
    wanted = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else NAMES
    return next((path for path in map(shutil.which, wanted) if path), None)


class Browser:
    """with Browser(find()) as b: b.open(path); b.evaluate("document.title")"""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="kanon-browser-")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        flags = list(FLAGS) + [f"--user-data-dir={self.profile}"]
        if os.geteuid() == 0:  # as in a container; the page is our own file
            flags.append("--no-sandbox")

        def place():
            """The browser reads from descriptor 3 and writes to 4."""
            high_read, high_write = os.dup(to_read), os.dup(back_write)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=place, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        os.set_blocking(self.back, False)
        self.buffer, self.number, self.events = b"", 0, []
        page = next(t for t in self.call("Target.getTargets", session=None)["targetInfos"]
                    if t["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", {"targetId": page["targetId"], "flatten": True},
                                 session=None)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Security"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", session=None)
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self, until):
        while b"\0" not in self.buffer:
            if time.monotonic() > until:
                raise RuntimeError("the browser does not answer")
            try:
                piece = os.read(self.back, 1 << 16)
            except BlockingIOError:
                if self.process.poll() is not None:
                    raise RuntimeError("the browser has ended")
                time.sleep(0.005)
                continue
            if not piece:
                raise RuntimeError("the browser has closed its pipe")
            self.buffer += piece
        raw, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(raw)

    def call(self, method, params=None, session="own"):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session == "own" and self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + WAIT_S
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """Loads a file; self.events holds what happened."""
        self.events = []
        self.call("Page.navigate", {"url": "file://" + os.path.abspath(path)})
        until = time.monotonic() + WAIT_S
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._message(until))
        self.evaluate("1")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True})
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def size(self, width, height=900, scale=1):
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 600})

    def scheme(self, scheme, media=""):
        self.call("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e.get("method") == "Network.requestWillBeSent"]

    def complaints(self):
        """Errors and warnings of the console, violations of the policy among them."""
        said = [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded"]
        said += [str(e["params"].get("args")) for e in self.events
                 if e.get("method") == "Runtime.consoleAPICalled"]
        said += [str(e["params"]) for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        return said

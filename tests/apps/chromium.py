"""A headless Chromium, driven over the pipe that --remote-debugging-pipe opens: no port is used, and no module that
Python lacks.

Protocol: https://chromedevtools.github.io/devtools-protocol, messages of JSON that end in a zero byte.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PROGRAMS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"


def program():
    """The browser's path, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Chromium:
    """One page, and what it wrote to its console (`messages`)."""

    def __init__(self, seconds=60):
        self.deadline = time.monotonic() + seconds
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.to = os.pipe()
        self.of, theirs_out = os.pipe()

        def hand_over():  # the browser reads 3 and writes 4
            copies = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
             "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(self.of, False)
        self.unread, self.last, self.session, self.messages, self.events = b"", 0, None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.unread:
            if time.monotonic() > self.deadline:
                raise TimeoutError("the browser does not answer")
            try:
                piece = os.read(self.of, 1 << 20)
                if not piece:
                    raise EOFError("the browser has ended")
                self.unread += piece
            except BlockingIOError:
                time.sleep(.005)
        message, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(message)
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(each.get("value", each)) for each in told["args"]))
        elif method == "Runtime.exceptionThrown":
            self.messages.append(json.dumps(told["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.messages.append(told["entry"]["text"])
        if method:
            self.events.append(method)
        return message

    def call(self, method, **arguments):
        self.last += 1
        message = {"id": self.last, "method": method, "params": arguments}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, width=1280, height=900, scripts=True, media=None, scheme="light"):
        """Loads the file as a browser of that size would show it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setEmulatedMedia", media=media or "",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.receive()

    def ask(self, expression):
        """The expression's value as JSON; a promise's when it is kept."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True,
                           allowUnsafeEvalBlockedByCSP=False)  # as the page's own scripts are held
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def picture(self, path):
        """The whole page as a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"]))

"""llama.cpp's server, whose texts are audited from outside: all of its own loop lies between."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from itertools import product
from typing import TYPE_CHECKING, Any

from .._errors import InputError, UsageError
from .._fields import number, whole
from ..record.lines import read_json
from ._gguf import table_gguf
from ._whole import WholeTexts, pair_of

if TYPE_CHECKING:
    import numpy as np

#: A chain of samplers that leaves p as it is. The server's own cuts it: top-k 40, top-p .95, min-p .05, temperature .8.
NEUTRAL = {"samplers": ["temperature"], "temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0, "typical_p": 1, "repeat_penalty": 1,
           "presence_penalty": 0, "frequency_penalty": 0, "dynatemp_range": 0, "mirostat": 0}
#: By so much a probability may miss p: float32 of a softmax.
ROUNDED = 1e-5
#: Of two tokens as many, drawn if there are more, are looked at: of many tokens all would take hours.
PAIRS = 256
#: Texts, and tokens of each, by which the server is seen to draft before an audit.
TRIED, LONG = 16, 16
#: How often a server that was started is asked for its model file: servers may share a port, which then answer in turns.
NAMED = 16
#: Seconds that one which has lost its port to another takes to end.
ENDS = 10.
#: Seeds below it; it is the server's word for any.
ANY_SEED = 2**32 - 1


class LlamaCppServer(WholeTexts):
    """llama-server with a draft model, on models made of the tables of `laws`, a Markov pair, which the audit takes from it:

        command = ["llama-server", "--spec-type", "draft-simple", "--spec-draft-n-max", "2"]
        with adapters.LlamaCppServer(command, laws) as server:
            draftgauge.audit(server, gamma=3, tv=.1)

    server     a command, which is started on the tables (`--model`, `--model-draft`, `--host` and `--port` are added) and ended with
               this object; or the URL of one that runs on files of `table_gguf`
    beyond     tokens that it writes after those that are judged, so that the last round of these has all its drafts: as many as it
               drafts in a round
    concurrent texts that are asked for at once: a server that mixes up the states of requests in one pass shows it
    timeout    seconds for an answer, and for the start
    settings   of its /completion; if not given those that leave p as it is, which its standards do not

    Before the audit it is asked for its distribution after each token and each two (256 of these if there are
    more), which it does not draft for: it must be p. Then it
    is seen to draft. The first token of a text is of the prompt's pass: take γ one more than it drafts.
    """

    def __init__(self, server: str | Sequence[str], laws: Any, *, beyond: int = 3, concurrent: int = 1, timeout: float = 60,
                 **settings: Any):
        from urllib.request import ProxyHandler, build_opener  # which take a tenth of a second

        pair = pair_of(laws)
        super().__init__(pair, beyond)
        self.p, self.vocab = pair.p, pair.vocab
        self._open = build_opener(ProxyHandler({})).open  # no proxy: it is a server of one's own
        self.timeout = number("timeout", timeout, 1e-3, 1e8)
        self.concurrent = whole("concurrent", concurrent, 1, 256)
        self.settings = {**NEUTRAL, **settings}
        self._end: Callable[[], Any] = lambda: None
        by_url = isinstance(server, str) and server.startswith(("http://", "https://"))
        if not by_url and not (isinstance(server, (list, tuple)) and server):
            raise UsageError(f"server is {server!r} (it is a URL such as 'http://127.0.0.1:8080', or the command that starts one, a list)")
        try:
            if by_url:
                self.url = str(server).rstrip("/")
                self._look()
            else:
                self._start([str(one) for one in server], pair)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the server, if it was started here."""
        self._end()

    def __enter__(self) -> LlamaCppServer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def written(self, starts: list[int], length: int, rng: np.random.Generator) -> Iterable[list[int]]:
        seeds = rng.integers(ANY_SEED, size=len(starts)).tolist()
        with ThreadPoolExecutor(self.concurrent) as pool:
            return list(pool.map(lambda start, seed: self._text(start, length, seed)["tokens"], starts, seeds))

    def _start(self, command: list[str], pair: Any) -> None:
        """Again where another server was faster to take the port that was free."""
        if not self._started(command, pair) and not self._started(command, pair):
            raise InputError(f"{command[0]} ended twice, and another server has its port ({self.url}); start one yourself, and give its "
                             "URL")

    def _started(self, command: list[str], pair: Any) -> bool:
        """False where it has ended and another server answers in its place, even one of the same tables."""
        process, model = self._launched(command, pair)
        if self._serves(model):
            self._look()
            return True
        try:
            process.wait(min(self.timeout, ENDS))
        except subprocess.TimeoutExpired:
            raise InputError(f"{self.url} does not always name {model}, the model file that {command[0]} was started with (it is asked for "
                             "/props and /v1/models; another server may share its port); start one yourself, and give its URL") from None
        answers = self._healthy()
        self.close()
        if not answers:
            raise InputError(f"{command[0]} ended with status {process.returncode} when it had answered")
        return False

    def _serves(self, model: str) -> bool:
        """Whether who answers names that file, each time."""
        return all(any(model in self._page(page) for page in ("props", "v1/models")) for _ in range(NAMED))

    def _page(self, name: str) -> str:
        try:
            with self._open(f"{self.url}/{name}", timeout=self.timeout) as reply:
                return str(reply.read().decode(errors="replace"))
        except (OSError, HTTPException):
            return ""

    def _look(self) -> None:
        self._holds_p()
        self._drafts()

    def _launched(self, command: list[str], pair: Any) -> tuple[subprocess.Popen[bytes], str]:
        """With the name of its model file, that no other server's has."""
        folder = tempfile.TemporaryDirectory(prefix="draftgauge-")
        place = pathlib.Path(folder.name)
        model = place / f"{place.name}-p.gguf"
        table_gguf(pair.p, model)
        table_gguf(pair.q, place / "q.gguf")
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [*command, "--model", str(model), "--model-draft", str(place / "q.gguf"), "--host", "127.0.0.1",
                   "--port", str(port)]
        try:
            with open(place / "log", "wb") as log:
                # A session of its own, with which all that a wrapper starts is ended; and the variables as Python has them:
                # `import max` sets PYTHONEXECUTABLE behind it, by which a Python that it starts would leave its environment.
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                           env=dict(os.environ), start_new_session=True)
        except (OSError, ValueError) as problem:
            raise InputError(f"{command[0]} cannot be started ({getattr(problem, 'strerror', None) or problem})") from None
        self._end = weakref.finalize(self, _ended, process, folder)
        until = time.monotonic() + self.timeout
        while not self._healthy():
            if process.poll() is not None:
                last = (place / "log").read_text(errors="replace").strip().splitlines()[-1:]
                raise InputError(f"{command[0]} ended with status {process.returncode} before it answered (its last line: "
                                 f"{''.join(last)[:200]!r})")
            if time.monotonic() > until:
                raise InputError(f"{command[0]} did not answer within {self.timeout:g} s; give a longer timeout")
            time.sleep(.05)
        return process, model.name

    def _healthy(self) -> bool:
        """It says 503 while it loads."""
        try:
            with self._open(f"{self.url}/health", timeout=self.timeout):
                return True
        except (OSError, HTTPException):
            return False

    def _asked(self, **body: Any) -> dict[str, Any]:
        """The fields of its answer."""
        from urllib.error import HTTPError
        from urllib.request import Request

        request = Request(f"{self.url}/completion", json.dumps({**self.settings, **body}).encode(),
                          {"Content-Type": "application/json"})
        try:
            with self._open(request, timeout=self.timeout) as reply:
                text = reply.read().decode(errors="replace")
        except HTTPError as problem:
            said = problem.read().decode(errors="replace")[:200]
            raise InputError(f"{self.url} answered with HTTP status {problem.code}: {said}") from None
        except (OSError, HTTPException) as problem:
            reason = getattr(problem, "reason", problem)
            raise InputError(f"{self.url} gave no answer ({reason}); does the server run?") from None
        answer = read_json(f"{self.url} answered", text)
        if not isinstance(answer, dict):
            raise InputError(f"{self.url} answered with a JSON {type(answer).__name__} (an answer of llama-server is an object)")
        return answer

    def _text(self, start: int, length: int, seed: int) -> dict[str, Any]:
        """Of so many tokens."""
        answer = self._asked(prompt=[start], n_predict=length, seed=seed, return_tokens=True, response_fields=["tokens", "timings"])
        tokens = self._field(answer, "tokens", list)
        if len(tokens) != length:
            raise InputError(f"{self.url} wrote {len(tokens)} tokens where {length} were asked for")
        for token in tokens:
            if type(token) is not int or not 0 <= token < self.vocab:
                raise InputError(f"{self.url} wrote token {token!r} (the tables have 0 to {self.vocab - 1}); does it serve them?")
        return answer

    def _field(self, answer: Any, name: str, kind: type) -> Any:
        found = answer.get(name) if isinstance(answer, dict) else None
        if not isinstance(found, kind):
            raise InputError(f"{self.url} answered without {name!r}, or not as llama-server has it")
        return found

    def _holds_p(self) -> None:
        """Refuses a server whose own distribution is not p, after the samplers that it is asked for."""
        import numpy as np

        pairs = list(product(range(self.vocab), repeat=2))
        looked_at = np.random.default_rng(1).permutation(len(pairs))[:PAIRS]
        for prompt in [*product(range(self.vocab)), *(pairs[i] for i in sorted(looked_at))]:
            answer = self._asked(prompt=prompt, n_predict=1, n_probs=self.vocab, post_sampling_probs=True)
            listed = self._field(answer, "completion_probabilities", list)
            found, p = np.zeros(self.vocab), self.p[prompt[-1]]
            given = self._field(listed[0] if listed else None, "top_probs", list)
            for one in given:
                token, share = self._field(one, "id", int), self._field(one, "prob", (int, float))  # type: ignore[arg-type]
                if 0 <= token < self.vocab:
                    found[token] = share
            says = f"{self.url} gives after {list(prompt)}"
            if len(given) < (p > 0).sum():
                raise InputError(f"{says} {len(given)} probabilities, where p has {(p > 0).sum()}; do its samplers leave p as it is?")
            worst = int(abs(found - p).argmax())
            if not abs(found[worst] - p[worst]) <= ROUNDED:  # NaN too
                raise InputError(f"{says} token {worst} probability {found[worst]:.6g}, where p has {p[worst]:.6g}; does it serve these "
                                 "tables, and do its samplers leave p as it is?")

    def _drafts(self) -> None:
        """Refuses a server that does not draft: of it nothing would be seen."""
        answers = [self._text(i % self.vocab, LONG, i) for i in range(TRIED)]
        if not any(self._field(answer, "timings", dict).get("draft_n", 0) for answer in answers):
            raise InputError(f"{self.url} drafted nothing in {TRIED} texts (llama-server drafts with --model-draft and, in newer "
                             "versions, --spec-type draft-simple)")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
    return found


def _ended(process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
    """With all of its group: a wrapper may have ended before the server does."""
    until = time.monotonic() + 10
    _signalled(process, signal.SIGTERM)
    while _signalled(process, 0) and time.monotonic() < until:
        time.sleep(.01)
    _signalled(process, signal.SIGKILL)
    process.wait()
    folder.cleanup()


def _signalled(process: subprocess.Popen[bytes], number: int) -> bool:
    """Whether any of its group was there to have the signal."""
    process.poll()  # of the dead it is not
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True

"""llama.cpp's server is audited by its texts, and its answers are read with care: a stand-in that speaks as it does."""

import ctypes
import os
import pathlib
import re
import socket
import subprocess
import sys

import numpy as np
import pytest

import draftgauge as dg
import llama_stand_in
from draftgauge import adapters
from draftgauge.adapters import _server

# Who drafts argmax q, and tests it as if drawn from q, keeps it always: some hundred texts show it.
LAWS = dg.laws(p=[[.8, .2, 0], [.3, .6, .1], [.1, .1, .8]], q=[[.7, .3, 0], [.2, .5, .3], [.2, .2, .6]])


def command(how):
    return [sys.executable, str(pathlib.Path(llama_stand_in.__file__)), how]


def audited(server):
    return dg.audit(server, gamma=3, rounds=400)


def test_a_model_file_holds_its_table(tmp_path):
    pair = dg._core.verifier_pair(33, 1)
    adapters.table_gguf(pair.q, tmp_path / "q.gguf")
    assert np.allclose(llama_stand_in.table(tmp_path / "q.gguf"), pair.q, atol=1e-6)


def test_a_lossless_server_passes_and_a_lossy_one_is_found():
    with adapters.LlamaCppServer(command("right"), LAWS) as server:
        right = audited(server)
        assert right.method == "sampling" and right.lossless is None and right.p_value > 1e-6
        assert audited(server).p_value == right.p_value  # seeded by the audit
        by_url = adapters.LlamaCppServer(server.url + "/", LAWS)
        assert audited(by_url).p_value == right.p_value
        by_url.close()  # which ends nothing
        assert audited(server).p_value == right.p_value
    with pytest.raises(dg.VerifierError, match="gave no answer .*; does the server run?"):
        audited(server)
    with adapters.LlamaCppServer(command("greedy"), LAWS) as server:
        wrong = audited(server)
    assert wrong.lossless is False and wrong.p_value < 1e-6


def test_requests_at_once_show_a_server_that_mixes_up_their_states():
    with adapters.LlamaCppServer(command("threads"), LAWS, concurrent=4) as server:
        assert audited(server).p_value > 1e-6
    with adapters.LlamaCppServer(command("mixed"), LAWS) as server:  # one after another it is right
        assert audited(server).p_value > 1e-6
    with adapters.LlamaCppServer(command("mixed"), LAWS, concurrent=4) as server:
        wrong = audited(server)
    assert wrong.lossless is False and wrong.p_value < 1e-6


def test_a_server_is_started_with_the_variables_that_python_has():
    """`import max` sets PYTHONEXECUTABLE past os.environ: who starts Python with it is led out of its environment."""
    libc = ctypes.CDLL(None)
    assert "PYTHONEXECUTABLE" not in os.environ
    libc.setenv(b"PYTHONEXECUTABLE", b"/nonsense/bin/python3", 1)
    try:
        without = ["sh", "-c", '[ -z "${PYTHONEXECUTABLE+set}" ] && exec "$0" "$@"']
        with adapters.LlamaCppServer([*without, *command("right")], LAWS) as server:
            assert audited(server).p_value > 1e-6
    finally:
        libc.unsetenv(b"PYTHONEXECUTABLE")


@pytest.mark.parametrize("how, message", [
    ("500", 'answered with HTTP status 500: {"error": {"message": "no slot"}}'),
    ("text", "answered: no JSON (Expecting value: line 1 column 1 (char 0)): '<html>nginx</html>'"),
    ("twice", "answered: the key 'completion_probabilities' stands twice in one object: keep one"),
    ("digits", "answered: no JSON (Exceeds the limit (4300 digits) for integer string conversion"),
    ("array", "answered with a JSON list (an answer of llama-server is an object)"),
    ("unlisted", "answered without 'completion_probabilities', or not as llama-server has it"),
    ("empty", "answered without 'top_probs', or not as llama-server has it"),
    ("words", "answered without 'prob', or not as llama-server has it"),
    ("nan", "gives after [0] token 0 probability nan, where p has 0.8; does it serve these tables, and do its samplers leave p as it is?"),
    ("few", "gives after [0] 1 probabilities, where p has 2; do its samplers leave p as it is?"),
    ("longer", "gives after [0, 0] token 0 probability 0, where p has 0.8; does it serve these tables, "),
    ("untold", "answered without 'tokens', or not as llama-server has it"),
    ("short", "wrote 15 tokens where 16 were asked for"),
    ("stray", "wrote token 3 (the tables have 0 to 2); does it serve them?"),
    ("undrafted", "drafted nothing in 16 texts (llama-server drafts with --model-draft and, in newer versions, --spec-type draft-simple)"),
    ("nameless", "does not always name "),
    ("dies", "gave no answer (Remote end closed connection without response); does the server run?"),
    ("slow", "gave no answer (timed out); does the server run?"),
    ("fails", "ended with status 1 before it answered (its last line: 'error: no such flag')"),
])
def test_what_a_server_can_do_wrong(how, message, monkeypatch):
    monkeypatch.setattr(_server, "ENDS", .1)
    with pytest.raises(dg.InputError, match=re.escape(message)):
        adapters.LlamaCppServer(command(how), LAWS, timeout=2 if how == "slow" else 60)


def test_servers_that_are_none():
    with pytest.raises(dg.UsageError, match=r"server is 'llama-server' \(it is a URL such as 'http://127.0.0.1:8080', or the command "
                                            r"that starts one, a list\)"):
        adapters.LlamaCppServer("llama-server", LAWS)
    with pytest.raises(dg.UsageError, match=r"server is \[\] \("):
        adapters.LlamaCppServer([], LAWS)
    with pytest.raises(dg.InputError, match=r"./no-such-server cannot be started \(No such file or directory\)"):
        adapters.LlamaCppServer(["./no-such-server"], LAWS)
    with pytest.raises(dg.InputError, match="cannot be started \\(embedded null byte\\)"):
        adapters.LlamaCppServer(["llama\0server"], LAWS)
    with pytest.raises(dg.InputError, match=r"did not answer within 0.3 s; give a longer timeout"):
        adapters.LlamaCppServer([sys.executable, "-c", "import time; time.sleep(30)"], LAWS, timeout=.3)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(dg.InputError, match=rf"{url} gave no answer \(\[Errno 111\] Connection refused\); does the server run\?"):
            adapters.LlamaCppServer(url, LAWS)


@pytest.mark.parametrize("arguments, message", [
    ({"laws": ([.8, .2], [.5, .5])},
     "laws is of one context and no Markov pair (a model made of a table has a row for each token before)"),
    ({"beyond": -1}, "beyond -1 is out of range (0 to 1024)"),
    ({"timeout": 0}, "timeout 0 is out of range (0.001 to 1e+08)"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        adapters.LlamaCppServer(**{"server": command("right"), "laws": LAWS, **arguments})
    assert str(caught.value) == message


def test_no_server_is_left(tmp_path):
    """Neither by an error, nor where nobody closes it."""
    code = ("import sys\nimport draftgauge as dg\nfrom draftgauge import adapters\n"
            "laws = dg.laws(p=[[.8, .2], [.3, .7]], q=[[.1, .9], [.9, .1]])\n"
            f"server = adapters.LlamaCppServer({command('right')!r}, laws)\nprint(server.url)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    gone(done.stdout.strip())


def gone(url):
    with pytest.raises(dg.InputError, match="Connection refused"):
        adapters.LlamaCppServer(url, LAWS)


def test_a_server_behind_a_wrapper_is_ended():
    wrapped = ["bash", "-c", '"$@" & wait', "bash", *command("right")]
    with adapters.LlamaCppServer(wrapped, LAWS) as server:
        assert audited(server).lossless is None
    gone(server.url)


def test_a_server_is_ended_by_an_interrupt_while_it_starts(monkeypatch):
    urls = []

    def interrupted(self):
        if socket_answers(self.url):
            urls.append(self.url)
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(adapters.LlamaCppServer, "_healthy", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        adapters.LlamaCppServer(command("right"), LAWS)
    assert caught.tb  # whose frames hold the object, so that nothing but __init__ closes it
    gone(urls[0])


def socket_answers(url):
    with socket.socket() as asks:
        return asks.connect_ex(("127.0.0.1", int(url.rpartition(":")[2]))) == 0


def test_a_port_that_another_server_took(monkeypatch):
    with adapters.LlamaCppServer(command("right"), LAWS) as other:
        taken, free = int(other.url.rpartition(":")[2]), _server._free_port()
        ports = [taken, free, taken, taken]
        monkeypatch.setattr(_server, "_free_port", lambda: ports.pop(0))
        with adapters.LlamaCppServer(command("right"), LAWS) as server:
            assert server.url == f"http://127.0.0.1:{free}"
        with pytest.raises(dg.InputError) as caught:
            adapters.LlamaCppServer(command("right"), LAWS)
        assert str(caught.value) == (f"{sys.executable} ended twice, and another server has its port ({other.url}); start one yourself, "
                                     "and give its URL")
        assert audited(other).lossless is None  # it was let be


def test_another_server_of_the_same_tables_on_the_same_port(monkeypatch):
    monkeypatch.setattr(_server, "ENDS", .1)
    with adapters.LlamaCppServer(command("shares"), LAWS) as other:
        monkeypatch.setattr(_server, "_free_port", lambda: int(other.url.rpartition(":")[2]))
        with pytest.raises(dg.InputError) as caught:
            adapters.LlamaCppServer(command("shares"), LAWS)
        assert re.fullmatch(
            rf"{other.url} does not always name draftgauge-\w+-p.gguf, the model file that {sys.executable} was started with \(it is asked "
            r"for /props and /v1/models; another server may share its port\); start one yourself, and give its URL", str(caught.value))
        assert audited(other).lossless is None


def test_many_tokens_are_looked_at_in_a_bounded_number_of_requests(monkeypatch):
    asked = []
    answer = adapters.LlamaCppServer._asked

    def counted(self, **body):
        asked.append(tuple(body["prompt"]))
        return answer(self, **body)

    monkeypatch.setattr(adapters.LlamaCppServer, "_asked", counted)
    pair = dg._core.verifier_pair(20, 1)
    adapters.LlamaCppServer(command("right"), pair).close()
    pairs = [prompt for prompt in asked if len(prompt) == 2]
    assert len(set(pairs)) == len(pairs) == 256 and {(x,) for x in range(20)} <= set(asked)
    seen = asked.copy()
    asked.clear()
    adapters.LlamaCppServer(command("right"), pair).close()
    assert asked == seen  # the same pairs

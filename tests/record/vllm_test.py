"""Tests of record_vllm.py with a server that stands in for vLLM:  vllm_test.py ROOT"""
import contextlib
import http.server
import io
import json
import pathlib
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "data" / "record"))
import record_vllm  # noqa: E402
from errors import InputError, UsageError  # noqa: E402

WIDTH, END = 12, 11  # of a vocabulary, and the token that ends a text


class StandIn(http.server.BaseHTTPRequestHandler):
    """Answers like vLLM 0.18.1, as far as they are read; the model counts on from the prompt's last token."""

    asked: list = []  # path and body of each request
    served, words, ids, slow = ["toy"], "<{}>", True, 0

    def log_message(self, *_):
        pass

    def answer(self, body, status=200):
        with contextlib.suppress(ConnectionError):  # the one who asked may have gone
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

    def do_GET(self):
        time.sleep(self.slow)
        self.answer({"data": [{"id": name} for name in self.served]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body))
        if self.path == "/detokenize":
            self.answer({"prompt": "".join(self.words.format(token) for token in body["tokens"])})
            return
        prompt = body.get("prompt") or [len(message["content"]) % WIDTH for message in body["messages"]]
        if isinstance(prompt, str):
            prompt = [len(word) % WIDTH for word in prompt.split()]
        if max(prompt) >= WIDTH:
            self.answer({"error": {"message": f"Token id {max(prompt)} is out of vocabulary"}}, 400)
            return
        tokens = []
        while len(tokens) < body["max_tokens"] and (not tokens or tokens[-1] != END):
            tokens.append(((tokens or prompt)[-1] + 1) % WIDTH)
        choice = {"finish_reason": "stop" if tokens[-1] == END else "length"}
        if self.ids:
            choice |= {"token_ids": tokens, "prompt_token_ids": prompt}
        if "prompt_logprobs" in body:
            choice["prompt_logprobs"] = [None] + [{str(token): {"logprob": -1.5, "rank": 1}} for token in prompt[1:]]
        of_chat = {"prompt_token_ids": choice.pop("prompt_token_ids", None)} if "chat" in self.path else {}
        self.answer({"id": "cmpl-1", "choices": [choice], **of_chat})


class Vllm(unittest.TestCase):
    def setUp(self):
        StandIn.asked, StandIn.served, StandIn.words, StandIn.ids, StandIn.slow = [], ["toy"], "<{}>", True, 0
        self.server = http.server.HTTPServer(("127.0.0.1", 0), StandIn)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.prompts, self.texts = self.folder / "prompts.txt", self.folder / "texts.jsonl"
        self.prompts.write_text('# three\naa b\n{"messages": [{"role": "user", "content": "cccccccc"}]}\n'
                                '{"prompt_tokens": [3, 4]}\n')

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.scratch.cleanup()

    def run_with(self, *words):
        words = ["record_vllm.py", "--server", self.url, *map(str, words)]
        with unittest.mock.patch.object(sys, "argv", words), contextlib.redirect_stderr(io.StringIO()):
            record_vllm.main()

    def refused(self, kind, message, *words):
        with self.assertRaises(kind) as caught:
            self.run_with(*words)
        said = str(caught.exception).replace(str(self.folder) + "/", "").replace(self.url, "URL")
        self.assertRegex(said, message)

    def write(self, *words):
        self.run_with("--prompts", self.prompts, "--out", self.texts, "--max-tokens", 5, *words)
        return [json.loads(line) for line in self.texts.read_text().splitlines()]

    def score(self, *words):
        out = self.folder / "target.jsonl"
        self.run_with("--texts", self.texts, "--out", out, *words)
        return [json.loads(line) for line in out.read_text().splitlines()]

    def test_texts(self):
        texts = self.write("--seed", 7)
        self.assertEqual([(text["seq"], text["prompt_tokens"], text["tokens"], text["finish"]) for text in texts],
                         [(0, [2, 1], [2, 3, 4, 5, 6], "length"), (1, [8], [9, 10, 11], "stop"),
                          (2, [3, 4], [5, 6, 7, 8, 9], "length")])
        self.assertEqual(texts[1]["text"], "<9><10><11>")
        asked = [(path, body) for path, body in StandIn.asked if path != "/detokenize"]
        self.assertEqual([path for path, _ in asked],
                         ["/v1/completions", "/v1/chat/completions", "/v1/completions"])
        for number, (_, body) in enumerate(asked):
            self.assertEqual((body["model"], body["seed"], body["max_tokens"]), ("toy", 7 + number, 5))
            # What a model's own defaults would else set.
            self.assertEqual([body[key] for key in ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")],
                             [1, 1, -1, 0, 1])

    def test_scores(self):
        self.write()
        StandIn.asked = []
        scores = self.score("--listed", 3)
        self.assertEqual([(each["seq"], each["n_prompt"]) for each in scores], [(0, 2), (1, 1), (2, 2)])
        asked = [body for path, body in StandIn.asked if path == "/v1/completions"]
        self.assertEqual([body["prompt"] for body in asked],
                         [[2, 1, 2, 3, 4, 5, 6], [8, 9, 10, 11], [3, 4, 5, 6, 7, 8, 9]])
        self.assertTrue(all((body["prompt_logprobs"], body["max_tokens"], body["return_token_ids"]) == (3, 1, True)
                            for body in asked))
        choice = scores[1]["response"]["choices"][0]
        self.assertEqual((choice["prompt_token_ids"], len(choice["prompt_logprobs"])), ([8, 9, 10, 11], 4))

    def test_goes_on_where_it_was_stopped(self):
        whole = self.write()
        lines = self.texts.read_bytes().splitlines(keepends=True)
        for left, asked in ((b"", 3), (lines[0] + lines[1][:20], 2), (b"".join(lines), 0)):
            self.texts.write_bytes(left)
            StandIn.asked = []
            self.assertEqual(self.write(), whole)
            self.assertEqual(len([path for path, _ in StandIn.asked if path != "/detokenize"]), asked)

    def test_goes_on_with_nothing_else(self):
        self.write()
        out = self.folder / "target.jsonl"
        self.score()
        scored, words = out.read_bytes(), ("--texts", self.texts, "--out", out)
        other = (r" it is not of {} on these prompts or texts \(an earlier run's lines are gone on from\) "
                 r"name another --out$")
        StandIn.served = ["small"]
        self.refused(InputError, "^target.jsonl:1:" + other.format("small"), *words)
        StandIn.served = ["toy"]
        texts = self.texts.read_text().splitlines()
        self.texts.write_text("\n".join([texts[0], texts[2], texts[1]]) + "\n")
        self.refused(InputError, "^target.jsonl:2:" + other.format("toy"), *words)
        self.texts.write_text("\n".join(texts[:2]) + "\n")
        self.refused(InputError, "^target.jsonl:3:" + other.format("toy"), *words)
        self.assertEqual(out.read_bytes(), scored)
        for kept in ("a line\nprecious last line", "precious last line"):
            out.write_text(kept)
            self.refused(InputError, r"^target.jsonl:.* name another --out$", *words)
            self.assertEqual(out.read_text(), kept)

    def refused_prompts(self, lines, message):
        self.prompts.write_text(lines + "\n")
        self.refused(InputError, message, "--prompts", self.prompts, "--out", self.texts)

    def test_bad_files(self):
        either = "^give either --prompts, to have texts written, or --texts, to score them$"
        self.refused(UsageError, either, "--out", self.texts)
        self.refused(UsageError, either, "--prompts", self.prompts, "--texts", self.texts, "--out", self.texts)
        expected = r"text, or an object with one of 'prompt', 'messages' and 'prompt_tokens' was expected$"
        for line in ('{"prompt": 3}', '{"prompt_tokens": []}', '""', '{"question": "x"}'):
            self.refused_prompts(line, r"^prompts.txt:1: " + expected)
        self.refused_prompts("# none", r"^prompts.txt: it holds nothing \(a prompt or text a line was expected\)$")
        self.texts.write_text('{"prompt_tokens": [1]}\n')
        self.refused(InputError, r"^texts.jsonl:1: 'tokens' is no list of tokens$", "--texts", self.texts, "--out",
                     self.folder / "target.jsonl")

    def test_other_tokenizer(self):
        self.write()
        StandIn.words = "[{}]"
        message = (r"^text 0: toy reads its tokens as '\[2\]\[3\]\[4\]\[5\]\[6\]', the target wrote '<2><3><4><5>"
                   r"<6>' \(a draft's token is accepted by its id, so both models need one tokenizer\)$")
        self.refused(InputError, message, "--texts", self.texts, "--out", self.folder / "draft.jsonl")

    def test_servers(self):
        StandIn.served = ["big", "lora"]
        out = ("--prompts", self.prompts, "--out", self.texts)
        self.refused(UsageError, r"^URL serves big, lora: say which with --model$", *out)
        self.assertEqual(len(self.write("--model", "lora")), 3)
        self.assertTrue(all(body["model"] == "lora" for _, body in StandIn.asked))
        self.texts.unlink()
        StandIn.served, StandIn.ids = ["toy"], False
        self.refused(InputError, r"^URL returned no token ids \(they are what the other model scores\) serve with "
                     r"vLLM 0\.10\.2 or later$", *out)
        self.refused_prompts('{"prompt_tokens": [12]}', r"^URL/v1/completions: HTTP Error 400: Bad Request "
                             r"\(.*Token id 12 is out of vocabulary.*\)$")
        self.refused(InputError, r"^http://h:x/v1/models gives no answer \(nonnumeric port: 'x'\): vllm serve MODEL",
                     "--server", "http://h:x", *out)
        self.refused(UsageError, r"^--timeout 0 is out of range \(it is a number of seconds above 0\)$",
                     "--timeout", 0, *out)
        StandIn.slow = .5
        self.refused(InputError, r"^URL/v1/models gives no answer within 0.05 s \(--timeout\) the same command again "
                                 r"goes on where it was$", "--timeout", .05, *out)
        self.server.shutdown()
        self.server.server_close()
        message = r"^URL/v1/models gives no answer \(.*refused.*\): vllm serve MODEL starts one$"
        self.refused(InputError, message, *out)


if __name__ == "__main__":
    unittest.main()

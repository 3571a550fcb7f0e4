"""Answers as llama-server does, by the tables in its model files:  llama_stand_in.py HOW --model FILE --model-draft FILE …
HOW is "right", or what is wrong with it."""

import json
import os
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

import numpy as np

import draftgauge as dg
import verifiers


def table(path):
    """The rows of a file of draftgauge.adapters.table_gguf, by GGUF's specification."""
    data = open(path, "rb").read()
    at = 0

    def take(form):
        nonlocal at
        found = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return found[0]

    def string():
        nonlocal at
        size = take("Q")
        at += size
        return data[at - size:at].decode()

    def value(kind):
        if kind == 9:
            of, count = take("I"), take("Q")
            return [value(of) for _ in range(count)]
        return string() if kind == 8 else take({4: "I", 5: "i", 6: "f", 7: "?"}[kind])

    assert take("I") == 0x46554747 and take("I") == 3
    tensors, values = take("Q"), take("Q")
    known = {string(): value(take("I")) for _ in range(values)}
    places = {}
    for _ in range(tensors):
        name = string()
        places[name] = [take("Q") for _ in range(take("I"))], take("I"), take("Q")
    at += -at % 32

    def tensor(name):
        shape, kind, offset = places[name]
        assert kind == 0 and offset % 32 == 0
        return np.frombuffer(data, "<f4", int(np.prod(shape)), at + offset).reshape(shape[::-1])

    assert not tensor("blk.0.ffn_down.weight").any() and not tensor("blk.0.attn_output.weight").any()
    hidden = tensor("token_embd.weight").astype(float)
    hidden /= np.sqrt((hidden**2).mean(1, keepdims=True) + known["llama.attention.layer_norm_rms_epsilon"])
    logits = hidden * tensor("output_norm.weight") @ tensor("output.weight").T
    rows = np.exp(logits[:known["tokenizer.ggml.unknown_token_id"]])
    rows /= rows.sum(1, keepdims=True)
    size = len(rows)
    assert (rows[:, size:] == 0).all() and len(known["tokenizer.ggml.tokens"]) == len(logits)
    return rows[:, :size]


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        props = {} if self.server.how == "nameless" else {"model_path": self.server.model}
        self.send(200, props if self.path == "/props" else {"status": "ok"})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        how = self.server.how
        if how == "slow":
            time.sleep(30)
        if how == "500":
            return self.send(500, {"error": {"message": "no slot"}})
        if how == "text":
            return self.send(200, "<html>nginx</html>")
        if how == "twice":
            return self.send(200, '{"completion_probabilities": [], "completion_probabilities": []}')
        if how == "digits":
            return self.send(200, '{"tokens": ' + "1" * 5000 + "}")
        if how == "array":
            return self.send(200, [])
        if how == "dies" and "n_probs" not in asked:
            os._exit(3)
        self.send(200, self.probabilities(asked) if "n_probs" in asked else self.text(asked))

    def send(self, status, answer):
        data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def probabilities(self, asked):
        assert asked["samplers"] == ["temperature"] and asked["temperature"] == 1 and asked["n_predict"] == 1
        how, p = self.server.how, self.server.p[asked["prompt"][-1]]
        if how == "longer" and len(asked["prompt"]) > 1:  # it depends on more than the last token
            p = np.roll(p, 1)
        order = np.argsort(-p)[:1 if how == "few" else len(p)]
        listed = [{"id": int(x), "prob": float(p[x])} for x in order if p[x] > 0]
        if how == "words":
            listed[0]["prob"] = "much"
        if how == "nan":
            listed[0]["prob"] = float("nan")
        return {} if how == "unlisted" else {"completion_probabilities": [] if how == "empty" else [{"top_probs": listed}]}

    def text(self, asked):
        how, p, q = self.server.how, self.server.p, self.server.q
        rng = np.random.default_rng(asked["seed"])
        tokens, drafted = [int(verifiers.pick(rng, p[asked["prompt"][-1:]])[0])], 0
        self.server.busy += 1
        while len(tokens) < asked["n_predict"]:
            base = np.array(tokens[-1:])
            if how == "mixed":  # a pass of several requests takes one's last token for another's
                last, self.server.last = self.server.last, tokens[-1]
                time.sleep(.001)
                base = np.array([last]) if self.server.busy > 1 else base
            draft = verifiers.greedy_drafts if how == "greedy" else verifiers.sampled_drafts
            drafts, rows = draft(q, base, 2, rng)
            batch = dg.Batch(p[np.concatenate([base[:, None], drafts], axis=1)], rows, drafts, base, None, rng)
            tokens += [int(x) for x in verifiers.token(batch)[0] if x >= 0]
            drafted += how != "undrafted" and 2
        self.server.busy -= 1
        tokens = tokens[:asked["n_predict"] - (how == "short")]
        if how == "stray":
            tokens[-1] = len(p)
        return {"timings": {"draft_n": drafted} if drafted else {}, **({} if how == "untold" else {"tokens": tokens})}


def main(how, *arguments):
    given = dict(zip(arguments[::2], arguments[1::2]))
    if how == "fails":
        sys.exit("error: no such flag")
    HTTPServer.allow_reuse_port = how == "shares"  # as llama-server does
    server = (ThreadingHTTPServer if how in ("mixed", "threads") else HTTPServer)((given["--host"], int(given["--port"])), Handler)
    server.busy, server.last = 0, 0
    server.how, server.model, server.p, server.q = how, given["--model"], table(given["--model"]), table(given["--model-draft"])
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])

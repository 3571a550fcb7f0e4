#!/usr/bin/env python3
"""Records a target and its drafts with vLLM: the target's server writes texts, then each server scores them.

  vllm serve BIG
  record_vllm.py --prompts prompts.txt --out texts.jsonl
  record_vllm.py --texts texts.jsonl --out target.jsonl
  vllm serve SMALL                                          (afterwards, or beside it at another --server)
  record_vllm.py --texts texts.jsonl --out draft.jsonl

for  draftgauge measure target.jsonl draft.jsonl --recorded-temperature 1.  Texts are written at temperature 1 with
nothing cut and no penalties, whatever the model's generation_config.json says: vLLM scores prompts by the raw logits,
so that texts of no other law can be scored. Needs no package.
"""
import argparse
import hashlib
import http.client
import json
import pathlib
import urllib.error
import urllib.request

from errors import InputError, UsageError, run
from draftgauge.record.lines import Progress, is_tokens, lines_of, read_json

# A request without these gets the model's own defaults, which often cut (top_p .8, top_k 20) and penalise.
PLAIN = {"temperature": 1, "top_p": 1, "top_k": -1, "min_p": 0, "repetition_penalty": 1, "presence_penalty": 0,
         "frequency_penalty": 0}


class Server:
    """One of OpenAI's interface as vLLM gives it, with the model that it serves."""

    def __init__(self, url: str, model: str | None, timeout: float):
        """`timeout`: seconds that an answer may take."""
        self.url, self.timeout = url.rstrip("/"), timeout
        served = [str(each["id"]) for each in self._ask("/v1/models")["data"]]
        if model is None and len(served) != 1:
            raise UsageError(f"{self.url} serves {', '.join(served) or 'nothing'}: say which with --model")
        self.model = model or served[0]

    def write(self, prompt: str | list, limit: int, seed: int) -> dict:
        """What the model answers to a text, to tokens, or to messages; a text of its own for each seed."""
        request = {**PLAIN, "max_tokens": limit, "seed": seed, "return_token_ids": True}
        if isinstance(prompt, list) and isinstance(prompt[0], dict):
            answer = self._ask("/v1/chat/completions", {**request, "messages": prompt})
            prompt_tokens = answer.get("prompt_token_ids")
        else:
            answer = self._ask("/v1/completions", {**request, "prompt": prompt})
            prompt_tokens = answer["choices"][0].get("prompt_token_ids")
        tokens = answer["choices"][0].get("token_ids")
        if not prompt_tokens or not tokens:
            raise InputError(f"{self.url} returned no token ids (they are what the other model scores) serve with "
                             "vLLM 0.10.2 or later")
        return {"finish": answer["choices"][0]["finish_reason"], "prompt_tokens": prompt_tokens, "tokens": tokens,
                "text": self.text_of(tokens)}

    def score(self, tokens: list[int], listed: int) -> dict:
        """Its response with log-probabilities of all tokens but the first, and of the so many most likely."""
        return self._ask("/v1/completions", {"prompt": tokens, "max_tokens": 1, "prompt_logprobs": listed,
                                             "return_token_ids": True})

    def text_of(self, tokens: list[int]) -> str:
        return self._ask("/detokenize", {"tokens": tokens})["prompt"]

    def _ask(self, path: str, body: dict | None = None) -> dict:
        data = None if body is None else json.dumps({"model": self.model, **body}).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                text = answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            raise InputError(f"{self.url}{path}: {error} ({error.read().decode(errors='replace')[:400]})") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", error), TimeoutError):
                raise InputError(f"{self.url}{path} gives no answer within {self.timeout:g} s (--timeout) the same "
                                 "command again goes on where it was") from None
            raise InputError(f"{self.url}{path} gives no answer ({error}): vllm serve MODEL starts one") from None
        return read_json(f"{self.url}{path}", text)


def read_prompts(path: pathlib.Path) -> list[str | list]:
    """A line each, as the other recorders read them: text, or JSON."""
    prompts = []
    for where, line in lines_of(path):
        prompt = read_json(where, line) if line[0] in '{"' else line
        if isinstance(prompt, dict):
            prompt = next((prompt[key] for key in ("prompt", "messages", "prompt_tokens") if key in prompt), None)
        if not isinstance(prompt, (str, list)) or not prompt:
            raise InputError(f"{where}: text, or an object with one of 'prompt', 'messages' and 'prompt_tokens' was "
                             "expected")
        prompts.append(prompt)
    return prompts


def read_texts(path: pathlib.Path) -> list[dict]:
    texts = []
    for where, line in lines_of(path):
        text = read_json(where, line)
        for key in ("prompt_tokens", "tokens"):
            if not isinstance(text, dict) or not is_tokens(text.get(key), 1 << 31):
                raise InputError(f"{where}: {key!r} is no list of tokens")
        texts.append(text)
    return texts


def scored(server: Server, number: int, text: dict, listed: int) -> dict:
    """A line for measure. Throws InputError where the server's tokenizer is another one."""
    if text.get("text") is not None and (theirs := server.text_of(text["tokens"])) != text["text"]:
        raise InputError(f"text {number}: {server.model} reads its tokens as {theirs[:60]!r}, the target wrote "
                         f"{text['text'][:60]!r} (a draft's token is accepted by its id, so both models need one "
                         "tokenizer)")
    return {"n_prompt": len(text["prompt_tokens"]),
            "response": server.score(text["prompt_tokens"] + text["tokens"], listed)}


def found_lines(path: pathlib.Path, model: str, items: list) -> int:
    """How many lines an earlier run of the same model on the same items left; one that was torn is cut off. Throws
    InputError, and leaves the file as it is, where it holds anything else."""
    if not path.exists():
        return 0
    content = path.read_bytes()
    whole = content[:content.rfind(b"\n") + 1]
    lines = whole.splitlines()
    for number, line in enumerate(lines):
        try:
            found = read_json(f"{path}:{number + 1}", line.decode())
            same = number < len(items) and found["seq"] == number and found["model"] == model \
                and found["of"] == digest(items[number])
        except (ValueError, KeyError, TypeError):
            same = False
        if not same:
            raise InputError(f"{path}:{number + 1}: it is not of {model} on these prompts or texts (an earlier run's "
                             "lines are gone on from) name another --out")
    if not lines and content and not content.startswith(b'{"seq"'):
        raise InputError(f"{path}: it holds something else (an earlier run's lines are gone on from) name another "
                         "--out")
    with path.open("r+b") as file:
        file.truncate(len(whole))
    return len(lines)


def digest(item: str | list | dict) -> str:
    """Tells one prompt or text from another."""
    if isinstance(item, dict):
        item = [item["prompt_tokens"], item["tokens"]]
    return hashlib.sha256(json.dumps(item).encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://localhost:8000", metavar="URL", help="(default %(default)s)")
    parser.add_argument("--model", metavar="NAME", help="where the server has several")
    parser.add_argument("--prompts", type=pathlib.Path, metavar="FILE",
                        help='have texts written: a prompt a line, text or JSON: "text", {"prompt": "text"}, '
                             '{"messages": [...]}, {"prompt_tokens": [...]}')
    parser.add_argument("--texts", type=pathlib.Path, metavar="FILE", help="score the texts that the target wrote")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FILE",
                        help="the same command again goes on where it was stopped")
    parser.add_argument("--max-tokens", type=int, default=300, metavar="N", help="of each text (default 300)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="text i is drawn with S + i (default 1)")
    parser.add_argument("--listed", type=int, default=1, metavar="K",
                        help="the K most likely tokens are listed, too: 1 tells which is the most likely (default), more "
                             "bound beta closer; above 20 vllm serve needs --max-logprobs")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS",
                        help="what the server may take for one text (default %(default)s)")
    arguments = parser.parse_args()
    if not arguments.timeout > 0:
        raise UsageError(f"--timeout {arguments.timeout:g} is out of range (it is a number of seconds above 0)")
    if bool(arguments.texts) == bool(arguments.prompts):
        raise UsageError("give either --prompts, to have texts written, or --texts, to score them")
    items = read_texts(arguments.texts) if arguments.texts else read_prompts(arguments.prompts)
    if not items:
        raise InputError(f"{arguments.texts or arguments.prompts}: it holds nothing (a prompt or text a line was "
                         "expected)")
    server = Server(arguments.server, arguments.model, arguments.timeout)
    progress = Progress(len(items))
    done = found_lines(arguments.out, server.model, items)
    with arguments.out.open("a", encoding="utf-8") as file:
        for number, item in enumerate(items):
            if number < done:
                progress.found()
                continue
            if arguments.texts:
                line, length = scored(server, number, item, arguments.listed), len(item["tokens"])
            else:
                line = server.write(item, arguments.max_tokens, arguments.seed + number)
                length = len(line["tokens"])
            file.write(json.dumps({"seq": number, "model": server.model, "of": digest(item), **line}) + "\n")
            file.flush()
            progress.made(server.model, length)
    progress.end()


if __name__ == "__main__":
    run(main)

"""Records what a target and its drafts say of the target's text. Shared by record_llama.py and record_hf.py, which
bring the models.

A text is drawn from the target, or given; every draft is run over the same tokens ("teacher-forced"), so that row i
of each model is its law of tokens[i] given the prompt and tokens[:i]. From these two laws follow acceptance
probabilities and tokens per round for any rule and draft length, without another run of a model.

Passes: a model's rows depend on how many tokens a pass holds, since kernels change with it; for some quantised models
half of Σ |p − p'| is .05 on average. Verification runs γ + 1 tokens a pass, plain decoding one; `--target-pass` and
`--draft-pass` say which rows are recorded. A model recorded as its own draft with another pass shows how far they are
apart, which no rule of verification can undercut.
"""
import argparse
import dataclasses
import hashlib
import json
import math
import pathlib
import platform
import random
import re
from typing import Iterator, Protocol

import numpy

import laws
import parts
from errors import InputError, UsageError
from lines import Progress, is_tokens, lines_of, read_json


class Model(Protocol):
    """What a recorder brings. `begin` forgets what was fed before."""

    name: str
    width: int  # entries of a row, V
    context: int  # tokens that fit

    def identity(self) -> dict: ...  # file, SHA-256 and what else tells it from others
    def token_texts(self) -> list[bytes]: ...
    def encode(self, prompt, chat: bool) -> list[int]: ...  # a text, or messages
    def decode(self, tokens: list[int]) -> str: ...
    def ends(self, token: int) -> bool: ...  # whether a text ends with it
    def begin(self, tokens: list[int]) -> numpy.ndarray: ...  # the prompt's last row, [V]
    def feed(self, tokens: list[int]) -> numpy.ndarray: ...  # one pass over them, [n, V]


@dataclasses.dataclass
class Text:
    """What is known of a text before it is recorded: its prompt and, where it is given, its tokens."""

    prompt_tokens: list[int]
    prompt: str | None = None
    tokens: list[int] | None = None


# ---------------------------------------------------------------- arguments


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those that both recorders have."""
    what = parser.add_argument_group("what is recorded")
    what.add_argument("--target", required=True, metavar="MODEL")
    what.add_argument("--draft", required=True, action="append", metavar="[NAME=]MODEL",
                      help="may be given several times: all see the same texts")
    what.add_argument("--prompts", type=pathlib.Path, metavar="FILE",
                      help='a prompt a line: text, or JSON: "text", {"prompt": "text"}, {"messages": [...]}, '
                           '{"prompt_tokens": [...]}; empty lines and lines that begin with # are skipped')
    what.add_argument("--texts", type=pathlib.Path, metavar="FILE",
                      help='texts that are there already, as an engine wrote them: a line {"prompt_tokens": [...], '
                           '"tokens": [...]} each; nothing is drawn then')
    what.add_argument("--chat", action="store_true", help="put prompts into the target's chat template")
    what.add_argument("--first", type=int, metavar="N", help="only the first N prompts or texts")
    how = parser.add_argument_group("how texts are drawn")
    how.add_argument("--temperature", default="1", metavar="LIST", help="several are recorded in turn (default 1); 0 "
                     "takes the largest logit")
    how.add_argument("--top-k", type=int, default=0, metavar="K", help="cut both laws to the K likeliest tokens")
    how.add_argument("--top-p", type=float, default=1.0, metavar="P", help="then to the fewest that hold P of it")
    how.add_argument("--max-tokens", type=int, default=300, metavar="N", help="at most, for each text (default 300)")
    how.add_argument("--seed", type=int, default=1, metavar="S", help="each text has draws of its own, by S, "
                     "temperature and place in the file (default 1)")
    how.add_argument("--target-pass", type=int, default=1, metavar="N", help="rows of the target come from passes "
                     "of N tokens: gamma + 1 are those of verification (default 1: those that drew the text)")
    how.add_argument("--draft-pass", type=int, default=1, metavar="N", help="the same for drafts (default 1)")
    out = parser.add_argument_group("what is written")
    out.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER",
                     help="a folder of this recording alone; the same command again goes on where it was stopped")
    out.add_argument("--columns", default="all", metavar="LIST", help="columns of the .tsv (default all): seq,pos,"
                     "token," + ",".join(laws.FIGURES) + ",beta_t1")
    out.add_argument("--digits", type=int, default=9, metavar="N", help="of the figures (default 9)")
    out.add_argument("--rows", metavar="FIRST:COUNT", help="keep full rows at these positions of each text")
    out.add_argument("--rows-of", metavar="LIST", help="only of these texts, counted from 0")
    out.add_argument("--rows-dtype", choices=["f16", "f32"], default="f16", help="(default f16)")


@dataclasses.dataclass(frozen=True)
class Options:
    """Arguments, read and found sound."""

    temperatures: list[float]
    top_k: int
    top_p: float
    max_tokens: int
    seed: int
    target_pass: int
    draft_pass: int
    out: pathlib.Path
    columns: list[str] | None
    digits: int
    rows: range
    rows_of: list[int] | None
    rows_dtype: str

    def sampling(self, temperature: float) -> laws.Sampling:
        return laws.Sampling(temperature, self.top_k, self.top_p)

    def keeps(self, text: int) -> range:
        """Positions of it of which full rows are kept."""
        return self.rows if self.rows_of is None or text in self.rows_of else range(0)


def numbers(option: str, text: str, kind) -> list:
    try:
        values = [kind(item) for item in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} {text!r} is no list of numbers (numbers are separated by commas)") from None
    if len(set(values)) < len(values):
        raise UsageError(f"{option} {text!r} names a value twice (it would be recorded twice)")
    return values


def read_options(arguments: argparse.Namespace) -> Options:
    temperatures = numbers("--temperature", arguments.temperature, float)
    for temperature in temperatures:
        if not 0 <= temperature < math.inf:
            raise UsageError(f"--temperature {temperature:g} is outside [0, inf) (logits are divided by it)")
    if arguments.texts and len(temperatures) > 1:
        raise UsageError("--texts takes one --temperature (the one that the texts were written at)")
    if bool(arguments.texts) == bool(arguments.prompts):
        raise UsageError("give either --prompts, to draw texts, or --texts, to score texts that are there")
    if arguments.texts and arguments.chat:
        raise UsageError("--chat has nothing to do (--texts come with the tokens of their prompts)")
    for option, least in [("max_tokens", 1), ("target_pass", 1), ("draft_pass", 1), ("top_k", 0), ("seed", 0)]:
        if getattr(arguments, option) < least:
            raise UsageError(f"--{option.replace('_', '-')} {getattr(arguments, option)} is less than {least}")
    if arguments.first is not None and arguments.first < 1:
        raise UsageError(f"--first {arguments.first} leaves no text")
    if not 0 < arguments.top_p <= 1:
        raise UsageError(f"--top-p {arguments.top_p:g} is outside (0, 1] (it is a share of the probability)")
    if not 1 <= arguments.digits <= 17:
        raise UsageError(f"--digits {arguments.digits} is outside 1 to 17 (17 hold a double)")
    columns = None if arguments.columns == "all" else arguments.columns.split(",")
    for column in columns or []:
        if column not in parts.COLUMNS + ["beta_t1"]:
            raise UsageError(f"--columns: there is no {column!r} (there are {', '.join(parts.COLUMNS)}, beta_t1)")
    rows = range(0)
    if arguments.rows:
        found = re.fullmatch(r"(\d+):(\d+)", arguments.rows)
        if not found or int(found[2]) == 0:
            raise UsageError(f"--rows {arguments.rows!r} is not FIRST:COUNT (the first position is 0): 0:32")
        rows = range(int(found[1]), int(found[1]) + int(found[2]))
    elif arguments.rows_of:
        raise UsageError("--rows-of says of which texts, but not which positions: add --rows FIRST:COUNT")
    rows_of = numbers("--rows-of", arguments.rows_of, int) if arguments.rows_of else None
    return Options(temperatures, arguments.top_k, arguments.top_p, arguments.max_tokens, arguments.seed,
                   arguments.target_pass, arguments.draft_pass, arguments.out, columns, arguments.digits, rows,
                   rows_of, arguments.rows_dtype)


def read_drafts(words: list[str]) -> dict[str, str]:
    """Their models by name; without a name, that of the file or of the last folder."""
    drafts: dict[str, str] = {}
    for word in words:
        name, equals, model = word.partition("=")
        if not equals:
            name, model = pathlib.PurePath(word).stem, word
        if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name):
            raise UsageError(f"--draft: {name!r} cannot name files (letters, digits, '-', '_', '.'): NAME={model}")
        if name in drafts:
            raise UsageError(f"--draft: {name!r} names two drafts (their files would be one): NAME={model}")
        drafts[name] = model
    return drafts


def read_prompts(path: pathlib.Path, target: Model, chat: bool, first: int | None) -> list[Text]:
    texts = []
    for where, line in lines_of(path):
        prompt = read_json(where, line) if line[0] in '{"' else line
        if isinstance(prompt, dict):
            known = [key for key in ("prompt", "messages", "prompt_tokens") if key in prompt]
            if len(known) != 1:
                raise InputError(f"{where}: an object with one of 'prompt', 'messages' and 'prompt_tokens' was "
                                 "expected")
            if known == ["prompt_tokens"]:
                tokens = prompt["prompt_tokens"]
                if not is_tokens(tokens, target.width):
                    raise InputError(f"{where}: 'prompt_tokens' is no list of tokens of this vocabulary "
                                     f"(0 to {target.width - 1})")
                texts.append(Text(tokens))
                continue
            prompt = prompt[known[0]]
            if not isinstance(prompt, str if known == ["prompt"] else list):
                raise InputError(f"{where}: {known[0]!r} is of the wrong kind "
                                 f"({'a string' if known == ['prompt'] else 'a list of messages'} was expected)")
        tokens = target.encode(prompt, chat)
        if not tokens:
            raise InputError(f"{where}: a prompt of no tokens (a first law needs at least one to follow)")
        texts.append(Text(tokens, prompt if isinstance(prompt, str) else json.dumps(prompt)))
    if not texts:
        raise InputError(f"{path}: no prompts")
    return texts[:first]


def read_texts(path: pathlib.Path, target: Model, first: int | None) -> list[Text]:
    texts = []
    for where, line in lines_of(path):
        record = read_json(where, line)
        for key in ("prompt_tokens", "tokens"):
            if not isinstance(record, dict) or not is_tokens(record.get(key), target.width):
                raise InputError(f"{where}: {key!r} is no list of tokens of this vocabulary "
                                 f"(0 to {target.width - 1})")
        texts.append(Text(record["prompt_tokens"], record.get("prompt"), record["tokens"]))
    if not texts:
        raise InputError(f"{path}: no texts")
    return texts[:first]


def check_one_tokenizer(target: Model, draft: Model) -> None:
    ours, theirs = target.token_texts(), draft.token_texts()
    why = "a draft's token is accepted by its id, so both models need one tokenizer"
    if len(ours) != len(theirs):
        raise InputError(f"draft {draft.name}: {len(theirs)} tokens, but the target has {len(ours)} ({why})")
    for token, (our, their) in enumerate(zip(ours, theirs)):
        if our != their:
            shown = [text.decode(errors="backslashreplace") for text in (their, our)]
            raise InputError(f"draft {draft.name}: token {token} is {shown[0]!r}, in the target {shown[1]!r} ({why})")


# ---------------------------------------------------------------- recording


def generate(target: Model, prompt: list[int], sampling: laws.Sampling, draws: random.Random,
             limit: int) -> tuple[list[int], list[numpy.ndarray]]:
    """A text drawn from the target, and the rows [V] that its tokens were drawn from."""
    tokens, rows = [], [target.begin(prompt)]
    while True:
        tokens.append(sampling.draw(sampling.law(rows[-1]), draws.random()))
        if len(tokens) == limit or target.ends(tokens[-1]):
            return tokens, rows
        rows.append(target.feed(tokens[-1:])[0])


def score(model: Model, prompt: list[int], tokens: list[int], size: int) -> Iterator[numpy.ndarray]:
    """Rows [V] of the laws of tokens[0], tokens[1], …, the model run over them `size` tokens a pass."""
    yield model.begin(prompt)
    for at in range(0, len(tokens) - 1, size):
        yield from model.feed(tokens[at : min(at + size, len(tokens) - 1)])


def record_text(target: Model, drafts: list[Model], text: Text, number: int, temperature: float,
                options: Options) -> parts.Part:
    sampling = options.sampling(temperature)
    tokens, target_rows = text.tokens, None
    if tokens is None:
        draws = random.Random(f"{options.seed}/{temperature:g}/{number}")
        tokens, drawn_from = generate(target, text.prompt_tokens, sampling, draws, options.max_tokens)
        target_rows = drawn_from if options.target_pass == 1 else None
    if target_rows is None:
        target_rows = score(target, text.prompt_tokens, tokens, options.target_pass)
    keep = options.keeps(number)
    figures = [[] for _ in drafts]
    kept: list[list[numpy.ndarray]] = [[] for _ in range(1 + len(drafts))]
    of_drafts = [score(draft, text.prompt_tokens, tokens, options.draft_pass) for draft in drafts]
    for position, (token, *rows) in enumerate(zip(tokens, target_rows, *of_drafts)):
        try:
            p, *qs = [sampling.law(row) for row in rows]
        except ValueError as error:
            raise InputError(f"text {number}, position {position}: {error} (a model gave no law)") from None
        for of_draft, q in zip(figures, qs):
            of_draft.append(laws.compare(p, q, token, temperature))
        if position in keep:
            for rows_kept, row in zip(kept, rows):
                rows_kept.append(row.astype({"f16": numpy.float16, "f32": numpy.float32}[options.rows_dtype]))
    finish = "given" if text.tokens else "eog" if target.ends(tokens[-1]) else "length"
    about = {"seq": number, "temperature": temperature, "finish": finish, "prompt": text.prompt,
             "prompt_tokens": text.prompt_tokens, "tokens": tokens, "text": target.decode(tokens)}
    return parts.Part(about, [numpy.array(of_draft) for of_draft in figures],
                      [numpy.array(rows).reshape(-1, target.width) for rows in kept])


def record(target: Model, drafts: list[Model], texts: list[Text], options: Options, settings: dict) -> None:
    """Records what is not yet recorded, then writes all files of the recording; of a complete one it says so."""
    for draft in drafts:
        check_one_tokenizer(target, draft)
    for number, text in enumerate(texts):
        longest = len(text.prompt_tokens) + (len(text.tokens) if text.tokens else options.max_tokens)
        for model in [target, *drafts]:
            if longest > model.context:
                raise InputError(f"text {number} may take {longest} tokens with its prompt, but {model.name} holds "
                                 f"{model.context}: a shorter prompt, or a smaller --max-tokens")
    store = parts.Store(options.out, settings)
    if store.is_complete(options.columns, options.digits):
        print(f"{options.out} is complete: it holds {len(store.written['files'])} files of this very recording")
        return
    progress = Progress(len(texts) * len(options.temperatures))
    for temperature in options.temperatures:
        for number, text in enumerate(texts):
            if store.has(temperature, number):
                progress.found()
                continue
            part = record_text(target, drafts, text, number, temperature, options)
            store.add(temperature, number, part)
            progress.made(f"T={temperature:g}", len(part.about["tokens"]))
    progress.end()
    files = []
    for temperature in options.temperatures:
        for path in store.write_files(temperature, len(texts), [draft.name for draft in drafts], options.columns,
                                      options.digits):
            print(path)
            files.append(path)
    store.complete(files, options.columns, options.digits)


# ---------------------------------------------------------------- both programs


def sha256_of(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def settings_of(target: Model, drafts: list[Model], source: pathlib.Path, options: Options, chat: bool,
                texts: list[Text], tools: list[str]) -> dict:
    """All that decides what is recorded: a folder holds one recording, and the files name these as their origin."""
    cut = [f"top-k {options.top_k}"] * (options.top_k > 0) + [f"top-p {options.top_p:g}"] * (options.top_p < 1)
    return {
        "target": target.identity(),
        "drafts": {draft.name: draft.identity() for draft in drafts},
        "texts": "given" if texts[0].tokens else "drawn from the target",
        "source": {"file": source.name, "sha256": sha256_of(source), "used": len(texts), "chat template": chat},
        "temperatures": [f"{temperature:g}" for temperature in options.temperatures],
        "laws": ", ".join(cut) or "full vocabulary",
        **({"top-k": options.top_k} if options.top_k > 0 else {}),
        **({"top-p": options.top_p} if options.top_p < 1 else {}),
        "seed": options.seed,
        "max tokens": options.max_tokens,
        "tokens a pass": {"target": options.target_pass, "draft": options.draft_pass},
        "rows": [options.rows.start, len(options.rows), options.rows_of, options.rows_dtype],
        "tools": [*tools, f"numpy {numpy.__version__}", f"Python {platform.python_version()}", platform.machine()],
    }


def record_from(arguments: argparse.Namespace, options: Options, target: Model, drafts: list[Model],
                tools: list[str]) -> None:
    """The whole recording that the arguments ask for."""
    if arguments.texts:
        texts = read_texts(arguments.texts, target, arguments.first)
    else:
        texts = read_prompts(arguments.prompts, target, arguments.chat, arguments.first)
    source = arguments.texts or arguments.prompts
    record(target, drafts, texts, options, settings_of(target, drafts, source, options, arguments.chat, texts, tools))

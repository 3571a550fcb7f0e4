"""What a target and its drafts say of the target's text. Whoever records brings the models.

A text is drawn from the target, or given; every draft is run over the same tokens ("teacher-forced"), so that row i
of each model is its law of tokens[i] given the prompt and tokens[:i]. From these two laws follow acceptance
probabilities and tokens per round for any rule and draft length, without another run of a model.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pathlib
import platform
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy

from .._errors import InputError
from . import laws, parts
from .lines import is_tokens

Row = numpy.ndarray[Any, Any]
#: Told what is recorded, and of a text's tokens.
Told = Callable[[str, int], None]


class Model(Protocol):
    """What a recorder brings. `begin` forgets what was fed before."""

    @property
    def name(self) -> str: ...
    @property
    def width(self) -> int: ...  # entries of a row, V
    @property
    def context(self) -> int: ...  # tokens that fit

    def identity(self) -> dict[str, Any]: ...  # file, SHA-256 and what else tells it from others
    def token_texts(self) -> list[bytes] | None: ...  # None where it has no tokenizer
    def encode(self, prompt: str | list[Any], chat: bool) -> list[int]: ...  # a text, or messages
    def decode(self, tokens: list[int]) -> str | None: ...
    def ends(self, token: int) -> bool: ...  # whether a text ends with it
    def begin(self, tokens: list[int]) -> Row: ...  # the prompt's last row, [V]
    def feed(self, tokens: list[int]) -> Row: ...  # one pass over them, [n, V]


@dataclasses.dataclass
class Text:
    """What is known of a text before it is recorded: its prompt and, where it is given, its tokens."""

    prompt_tokens: list[int]
    prompt: str | None = None
    tokens: list[int] | None = None


@dataclasses.dataclass(frozen=True)
class Options:
    """How texts are drawn, and what is kept of them."""

    temperatures: list[float]
    top_k: int = 0
    top_p: float = 1.0
    max_tokens: int = 300
    seed: int = 1
    target_pass: int = 1
    draft_pass: int = 1
    rows: range = range(0)
    rows_of: list[int] | None = None
    rows_dtype: str = "f16"

    def sampling(self, temperature: float) -> laws.Sampling:
        return laws.Sampling(temperature, self.top_k, self.top_p)

    def cut(self) -> dict[str, float]:
        """What cuts the laws."""
        top_k: dict[str, float] = {"top-k": self.top_k} if self.top_k > 0 else {}
        return top_k | ({"top-p": self.top_p} if self.top_p < 1 else {})

    def keeps(self, text: int) -> range:
        """Positions of it of which full rows are kept."""
        return self.rows if self.rows_of is None or text in self.rows_of else range(0)


def text_of_prompt(where: str, prompt: Any, target: Model, chat: bool) -> Text:
    """Of a prompt: text, {"prompt": text}, {"messages": […]} or {"prompt_tokens": […]}."""
    if isinstance(prompt, Mapping):
        known = [key for key in ("prompt", "messages", "prompt_tokens") if key in prompt]
        if len(known) != 1:
            raise InputError(f"{where}: an object with one of 'prompt', 'messages' and 'prompt_tokens' was expected")
        if known == ["prompt_tokens"]:
            return Text(_tokens(where, prompt, "prompt_tokens", target))
        prompt = prompt[known[0]]
        if not isinstance(prompt, str if known == ["prompt"] else list):
            raise InputError(f"{where}: {known[0]!r} is of the wrong kind "
                             f"({'a string' if known == ['prompt'] else 'a list of messages'} was expected)")
    tokens = target.encode(prompt, chat)
    if not tokens:
        raise InputError(f"{where}: a prompt of no tokens (a first law needs at least one to follow)")
    return Text(tokens, prompt if isinstance(prompt, str) else json.dumps(prompt))


def text_given(where: str, record: Any, target: Model) -> Text:
    """Of a text that is there already: {"prompt_tokens": […], "tokens": […]}."""
    prompt_tokens, tokens = (_tokens(where, record, key, target) for key in ("prompt_tokens", "tokens"))
    return Text(prompt_tokens, record.get("prompt"), tokens)


def _tokens(where: str, record: Any, key: str, target: Model) -> list[int]:
    tokens = record.get(key) if isinstance(record, Mapping) else None
    if not is_tokens(tokens, target.width):
        raise InputError(f"{where}: {key!r} is no list of tokens of this vocabulary (0 to {target.width - 1})")
    return [int(token) for token in tokens or ()]


def check(target: Model, drafts: Sequence[Model], texts: Sequence[Text], options: Options) -> None:
    """Throws InputError for models of two tokenizers, and for texts that do not fit."""
    for draft in drafts:
        check_one_tokenizer(target, draft)
    for number, text in enumerate(texts):
        longest = len(text.prompt_tokens) + (len(text.tokens) if text.tokens else options.max_tokens)
        for model in [target, *drafts]:
            if longest > model.context:
                raise InputError(f"text {number} may take {longest} tokens with its prompt, but {model.name} holds "
                                 f"{model.context}: a shorter prompt, or fewer tokens of text at most")


def check_one_tokenizer(target: Model, draft: Model) -> None:
    ours, theirs = target.token_texts(), draft.token_texts()
    why = "a draft's token is accepted by its id, so both models need one tokenizer"
    if target.width != draft.width:
        raise InputError(f"draft {draft.name}: {draft.width} tokens, but the target has {target.width} ({why})")
    for token, (our, their) in enumerate(zip(ours or [], theirs or [])):
        if our != their:
            shown = [text.decode(errors="backslashreplace") for text in (their, our)]
            raise InputError(f"draft {draft.name}: token {token} is {shown[0]!r}, in the target {shown[1]!r} ({why})")


def generate(target: Model, prompt: list[int], law: Callable[[int, Row], laws.Law], sampling: laws.Sampling,
             draws: random.Random, limit: int) -> tuple[list[int], list[Row]]:
    """A text drawn from the target, and the rows [V] that its tokens were drawn from. law: of a position's row."""
    tokens: list[int] = []
    rows = [target.begin(prompt)]
    while True:
        tokens.append(sampling.draw(law(len(tokens), rows[-1]), draws.random()))
        if len(tokens) == limit or target.ends(tokens[-1]):
            return tokens, rows
        rows.append(target.feed(tokens[-1:])[0])


def score(model: Model, prompt: list[int], tokens: list[int], size: int) -> Iterator[Row]:
    """Rows [V] of the laws of tokens[0], tokens[1], …, the model run over them `size` tokens a pass."""
    yield model.begin(prompt)
    for at in range(0, len(tokens) - 1, size):
        yield from model.feed(tokens[at : min(at + size, len(tokens) - 1)])


def record_text(target: Model, drafts: Sequence[Model], text: Text, number: int, temperature: float,
                options: Options) -> parts.Part:
    sampling = options.sampling(temperature)

    def law(position: int, row: Row) -> laws.Law:
        try:
            return sampling.law(row)
        except ValueError as error:
            raise InputError(f"text {number}, position {position}: {error} (a model gave no law)") from None

    target_rows: Iterable[Row]
    if text.tokens is None:
        draws = random.Random(f"{options.seed}/{parts.shortest(temperature)}/{number}")
        tokens, target_rows = generate(target, text.prompt_tokens, law, sampling, draws, options.max_tokens)
    else:
        tokens = text.tokens
    if text.tokens is not None or options.target_pass > 1:
        target_rows = score(target, text.prompt_tokens, tokens, options.target_pass)
    figures: list[list[list[float]]] = [[] for _ in drafts]
    kept: list[list[Row]] = [[] for _ in range(1 + len(drafts))]
    of_drafts = [score(draft, text.prompt_tokens, tokens, options.draft_pass) for draft in drafts]
    for position, (token, *rows) in enumerate(zip(tokens, target_rows, *of_drafts)):
        p, *qs = [law(position, row) for row in rows]
        for of_draft, q in zip(figures, qs):
            of_draft.append(laws.compare(p, q, token, temperature))
        if position in options.keeps(number):
            for rows_kept, row in zip(kept, rows):
                rows_kept.append(row.astype({"f16": numpy.float16, "f32": numpy.float32}[options.rows_dtype]))
    finish = "given" if text.tokens else "eog" if target.ends(tokens[-1]) else "length"
    about = {"seq": number, "temperature": temperature, "finish": finish, "prompt": text.prompt,
             "prompt_tokens": text.prompt_tokens, "tokens": tokens, "text": target.decode(tokens)}
    return parts.Part(about, [numpy.array(of_draft) for of_draft in figures],
                      [numpy.array(rows).reshape(-1, target.width) for rows in kept])


def record(target: Model, drafts: Sequence[Model], texts: Sequence[Text], options: Options, store: parts.Store,
           told: Told = lambda label, tokens: None) -> None:
    """Adds to the store what it does not have. told(label, 0) is of a text that it has."""
    for temperature in options.temperatures:
        for number, text in enumerate(texts):
            label, tokens = f"T={parts.shortest(temperature)}", 0
            if not store.has(temperature, number):
                part = record_text(target, drafts, text, number, temperature, options)
                store.add(temperature, number, part)
                tokens = len(part.about["tokens"])
            told(label, tokens)


def sha256_of(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def settings_of(target: Model, drafts: Sequence[Model], source: dict[str, Any], options: Options, texts: Sequence[Text],
                tools: list[str]) -> dict[str, Any]:
    """All that decides what is recorded: a folder holds one recording, and the files name these as their origin."""
    return {
        "target": target.identity(),
        "drafts": {draft.name: draft.identity() for draft in drafts},
        "texts": "given" if texts[0].tokens else "drawn from the target",
        "source": source,
        "temperatures": [parts.shortest(temperature) for temperature in options.temperatures],
        "laws": ", ".join(f"{name} {parts.shortest(value)}" for name, value in options.cut().items()) or "full vocabulary",
        **options.cut(),
        "seed": options.seed,
        "max tokens": options.max_tokens,
        "tokens a pass": {"target": options.target_pass, "draft": options.draft_pass},
        "rows": [options.rows.start, len(options.rows), options.rows_of, options.rows_dtype],
        "tools": [*tools, f"numpy {numpy.__version__}", f"Python {platform.python_version()}", platform.machine()],
    }

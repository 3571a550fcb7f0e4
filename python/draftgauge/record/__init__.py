"""Recordings of models in memory: texts drawn from a target, both models' distributions along them.

    import draftgauge as dg
    made = dg.record.transformers("BIG", "SMALL", ["Once upon a time"], temperature=1)
    dg.measure(made, cost=.1)

The recorders of data/record are made of the modules here, which need NumPy alone: `texts` draws and scores, `laws` says what two
rows of logits say of each other, `parts` keeps a folder of it, `hugging_face` brings models of transformers.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from .._errors import InputError, UsageError

if TYPE_CHECKING:
    from .._recording import Recording
    from .hugging_face import HfModel
    from .texts import Options

__all__ = ["transformers"]

#: What messages call a recording that has no file.
NAME = "models in memory"
#: Digits that hold a double.
EXACT = 17


def transformers(target: Any, draft: Any, prompts: Sequence[Any] | None = None, *, texts: Sequence[Any] | None = None,
                 tokenizer: Any = None, temperature: float = 1, top_k: int = 0, top_p: float = 1, max_tokens: int = 300,
                 seed: int = 1, chat: bool = False, rows: bool | str = False, target_pass: int = 1, draft_pass: int = 1,
                 dtype: str = "float32", device: str = "cpu", out: str | os.PathLike[str] | None = None,
                 progress: Callable[[int], Any] | bool | None = None) -> Recording:
    """Draws texts from the target and scores them by both models: a Recording for `study`, `choose_gamma`, `choose_tree`.

    target, draft   causal language models of transformers in memory; or names of ones on the hub, folders or GGUF files
    prompts         texts, lists of tokens, or {"messages": […]}
    texts           instead: what is written already, {"prompt_tokens": […], "tokens": […]} each, as `written` of a recording has
                    them, for another draft over the same texts
    tokenizer       of models in memory, where prompts are texts
    temperature, top_k, top_p   how texts are drawn; both models' rows are taken at it
    rows            False: columns, for this temperature, and draft trees of the most likely tokens; True: full rows, for other
                    temperatures, rules and trees, too ("float16" or "float32", which True is)
    target_pass, draft_pass     tokens of a forward pass: γ + 1 are those of verification
    dtype, device   of models that are loaded
    out             a folder for the files of data/record's recorders; the same call again goes on where it was stopped
    progress        a function of the tokens written and scored, which may return False to stop; True prints them
    """
    from .._fields import choice, number, progress as progress_of, text, whole
    from . import texts as of_texts

    if (prompts is None) == (texts is None):
        raise UsageError("prompts and texts cannot be given together, nor none of them (texts are drawn, or are there already)")
    asked, given_as = (prompts, "prompts") if prompts is not None else (texts, "texts")
    if isinstance(asked, (str, bytes)) or not isinstance(asked, Sequence):
        raise UsageError(f"{given_as} is a {type(asked).__name__} (it is a list of them)")
    if not asked:
        raise UsageError(f"{given_as} is empty (there is nothing to record)")
    top_p = number("top_p", top_p, 0, 1)
    if top_p == 0:
        raise UsageError("top_p 0 is out of range (above 0 and up to 1)")
    kind = {False: None, True: "f32", "float32": "f32", "float16": "f16"}.get(rows, "")
    if kind == "":
        raise UsageError(f"rows is {rows!r} (known are False, True, 'float32', 'float16')")
    most = whole("max_tokens", max_tokens, 1, 1 << 30)
    temperature, top_k = number("temperature", temperature, 0), whole("top_k", top_k, 0)
    if kind and out is None and (top_k > 0 or top_p < 1) and temperature > 0:
        raise UsageError("rows and top_k, top_p need out (a recording in memory does not say how its text was cut, a file does)")
    options = of_texts.Options(
        [temperature], top_k, top_p, most, whole("seed", seed), whole("target_pass", target_pass, 1),
        whole("draft_pass", draft_pass, 1), range(1 << 30) if kind else range(0), None, kind or "f16")
    told = progress_of(progress)
    with ExitStack() as stack:
        loaded = {"dtype": choice("dtype", dtype, ("float32", "float16", "bfloat16")), "device": text("device", device)}
        models: list[HfModel] = []
        for name, one in (("target", target), ("draft", draft)):
            of = tokenizer or (models[0].tokenizer if models else None)
            models.append(stack.enter_context(_model(name, one, of, out is not None, **loaded)))
        if prompts is not None:
            found = [_text_of_prompt(f"prompts[{i}]", one, models[0], chat) for i, one in enumerate(prompts)]
        else:
            found = [of_texts.text_given(f"texts[{i}]", one, models[0]) for i, one in enumerate(asked)]
        of_texts.check(models[0], models[1:], found, options)
        if out is None:
            return _in_memory(models, found, options, told)
        written = json.dumps(asked, default=lambda one: one.tolist() if hasattr(one, "tolist") else str(one)).encode()
        source = {"arguments": given_as, "sha256": hashlib.sha256(written).hexdigest(), "used": len(found), "chat template": chat}
        return _in_folder(models, found, options, source, pathlib.Path(out), told)


def _text_of_prompt(where: str, prompt: Any, target: HfModel, chat: bool) -> Any:
    from .texts import text_of_prompt

    if not isinstance(prompt, (str, Mapping)):
        if not hasattr(prompt, "__len__"):
            raise InputError(f"{where} is a {type(prompt).__name__} (it is a text, a list of tokens, or {{\"messages\": […]}})")
        values = prompt.tolist() if hasattr(prompt, "tolist") else list(prompt)
        prompt = {"messages": values} if values and isinstance(values[0], Mapping) else {"prompt_tokens": values}
    return text_of_prompt(where, prompt, target, chat)


@contextmanager
def _model(name: str, given: Any, tokenizer: Any, told_apart: bool, dtype: str, device: str) -> Iterator[HfModel]:
    """Loaded, or as it is in memory, without its dropout meanwhile."""
    from .hugging_face import HfModel, load, packages

    if isinstance(given, (str, os.PathLike)):
        yield load(name, os.fspath(given), dtype, device)
        return
    if not callable(given) or not hasattr(getattr(given, "config", None), "vocab_size"):
        raise UsageError(f"{name} is a {type(given).__name__} (it is a causal language model of transformers, or the name, folder "
                         "or GGUF file of one)")
    torch, _ = packages()
    training = bool(getattr(given, "training", False))
    if training:
        given.eval()
    origin = {"model": type(given).__name__, "parameters": _digest(given)} if told_apart else {}
    try:
        yield HfModel(name, origin, given, tokenizer, torch)
    finally:
        if training:
            given.train()


def _digest(model: Any) -> str:
    """What tells a model in memory from others: its tensors' names, shapes and bytes."""
    from .hugging_face import packages

    torch, _ = packages()
    digest = hashlib.sha256()
    for name, one in model.state_dict().items():
        digest.update(f"{name} {one.dtype} {list(one.shape)}\n".encode())
        digest.update(one.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()


def _in_memory(models: list[HfModel], found: list[Any], options: Options, told: Any) -> Recording:
    from .. import _core
    from .._recording import Recording
    from . import parts, texts
    from .lines import lines_of, read_json

    (temperature,), made, done = options.temperatures, [], 0
    for number, text in enumerate(found):
        made.append(texts.record_text(models[0], models[1:], text, number, temperature, options))
        done += len(made[-1].about["tokens"])
        if told is not None and told(done) is False:
            break
    recording: Recording
    if options.rows:
        recording = Recording.from_arrays(p_logits=[part.rows[0] for part in made], q_logits=[part.rows[1] for part in made],
                                          tokens=[part.about["tokens"] for part in made], temperature=temperature, name=NAME)
    else:
        head = {"temperature": parts.shortest(temperature), **parts.truncation(dict(options.cut()), temperature)}
        table = parts.table(head, [(part.about, part.figures[0]) for part in made], temperature, None, EXACT)
        recording = Recording(_core.recording_of_text(NAME, table))
    recording.written = [part.about for part in made]
    return recording


def _in_folder(models: list[HfModel], found: list[Any], options: Options, source: dict[str, Any], out: pathlib.Path,
               told: Any) -> Recording:
    from .._recording import Recording
    from . import parts, texts
    from .lines import lines_of, read_json
    from .hugging_face import packages

    tools = [f"{one.__name__} {one.__version__}" for one in reversed(packages())]
    store = parts.Store(out, texts.settings_of(models[0], models[1:], source, options, found, tools))
    (temperature,), draft, done = options.temperatures, models[1].name, 0

    def tell(_: str, tokens: int) -> None:
        nonlocal done
        done += tokens
        if told is not None and tokens and told(done) is False:
            raise UsageError("progress returned False (the recording is not whole); the same call goes on where it was stopped")

    if not store.is_complete(None, EXACT):
        texts.record(models[0], models[1:], found, options, store, tell)
        for _ in store.write([temperature], len(found), [draft], None, EXACT):
            pass
    label = f"T{parts.shortest(temperature)}"
    recording = Recording.read(out / (f"{draft}_{label}_rows.safetensors" if options.rows else f"{draft}_{label}.tsv"))
    recording.written = [read_json(where, line) for where, line in lines_of(out / f"texts_{label}.jsonl")]
    return recording

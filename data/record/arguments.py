"""The command line of record_llama.py and record_hf.py, which bring the models.

Passes: a model's rows depend on how many tokens a pass holds, since kernels change with it; for some quantised models
half of Σ |p − p'| is .05 on average. Verification runs γ + 1 tokens a pass, plain decoding one; `--target-pass` and
`--draft-pass` say which rows are recorded. A model recorded as its own draft with another pass shows how far they are
apart, which no rule of verification can undercut.
"""
import argparse
import dataclasses
import math
import pathlib
import re

from errors import InputError, UsageError
from draftgauge.record import laws, parts, texts
from draftgauge.record.lines import Progress, lines_of, read_json


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
    how.add_argument("--top-k", type=int, default=0, metavar="K", help="cut both laws to the K most likely tokens")
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


def numbers(option: str, text: str, kind) -> list:
    try:
        values = [kind(item) for item in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} {text!r} is no list of numbers (numbers are separated by commas)") from None
    if len(set(values)) < len(values):
        raise UsageError(f"{option} {text!r} names a value twice (it would be recorded twice)")
    return values


@dataclasses.dataclass(frozen=True)
class Asked:
    """Arguments, read and found sound: how texts are drawn, and what is written of them where."""

    drawn: texts.Options
    out: pathlib.Path
    columns: list[str] | None
    digits: int


def read_options(arguments: argparse.Namespace) -> Asked:
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
    drawn = texts.Options(temperatures, arguments.top_k, arguments.top_p, arguments.max_tokens, arguments.seed,
                          arguments.target_pass, arguments.draft_pass, rows, rows_of, arguments.rows_dtype)
    return Asked(drawn, arguments.out, columns, arguments.digits)


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


def read_prompts(path: pathlib.Path, target: texts.Model, chat: bool, first: int | None) -> list[texts.Text]:
    found = [texts.text_of_prompt(where, read_json(where, line) if line[0] in '{"' else line, target, chat)
             for where, line in lines_of(path)]
    if not found:
        raise InputError(f"{path}: no prompts")
    return found[:first]


def read_texts(path: pathlib.Path, target: texts.Model, first: int | None) -> list[texts.Text]:
    found = [texts.text_given(where, read_json(where, line), target) for where, line in lines_of(path)]
    if not found:
        raise InputError(f"{path}: no texts")
    return found[:first]


def record_from(arguments: argparse.Namespace, asked: Asked, target: texts.Model, drafts: list[texts.Model],
                tools: list[str]) -> None:
    """The whole recording: what is not yet recorded, then all files; of a complete one it says so."""
    source, options = arguments.texts or arguments.prompts, asked.drawn
    if arguments.texts:
        found = read_texts(source, target, arguments.first)
    else:
        found = read_prompts(source, target, arguments.chat, arguments.first)
    texts.check(target, drafts, found, options)
    origin = {"file": source.name, "sha256": texts.sha256_of(source), "used": len(found), "chat template": arguments.chat}
    store = parts.Store(asked.out, texts.settings_of(target, drafts, origin, options, found, tools))
    if store.is_complete(asked.columns, asked.digits):
        print(f"{asked.out} is complete: it holds {len(store.written['files'])} files of this very recording")
        return
    progress = Progress(len(found) * len(options.temperatures))
    texts.record(target, drafts, found, options, store, progress.text)
    progress.end()
    for path in store.write(options.temperatures, len(found), [draft.name for draft in drafts], asked.columns, asked.digits):
        print(path)

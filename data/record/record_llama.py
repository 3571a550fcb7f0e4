#!/usr/bin/env python3
"""Records a target and its drafts with llama.cpp: any GGUF files of one tokenizer.

  record_llama.py --target big.gguf --draft small=small.gguf --prompts prompts.txt --temperature 1,0.6,0 --out FOLDER

writes FOLDER/small_T1.tsv (a line for each token of the target's text: log p, log q, acceptance probability, …),
FOLDER/texts_T1.jsonl and, with --rows, FOLDER/small_T1_rows.safetensors; likewise for each draft and temperature.
Needs numpy and llama-cpp-python (pip install llama-cpp-python; it compiles llama.cpp).
"""
import argparse
import ctypes
import pathlib

from errors import InputError, UsageError, printable, require_numpy, run

require_numpy()
import numpy  # noqa: E402

import arguments  # noqa: E402
from draftgauge.record.texts import sha256_of  # noqa: E402


def library():
    """The C interface of llama.cpp, silent but for its errors."""
    try:
        import llama_cpp
    except ImportError as error:
        raise InputError(f"llama-cpp-python is missing ({error}): pip install llama-cpp-python") from None
    keep_quiet(llama_cpp.llama_cpp)
    return llama_cpp.llama_cpp


def keep_quiet(llama) -> None:
    if not hasattr(keep_quiet, "callback"):
        # Level 4 is that of errors in ggml.h. Kept: llama.cpp calls it as long as the program runs.
        keep_quiet.callback = llama.llama_log_callback(
            lambda level, text, _: print(printable(text.decode(errors="replace")), end="") if level == 4 else None)
        llama.llama_log_set(keep_quiet.callback, None)


class LlamaModel:
    """texts.Model of a GGUF file. Passes of at most `largest_pass` tokens, prompts in passes of at most 512."""

    def __init__(self, path: pathlib.Path, context: int, threads: int, largest_pass: int, name: str = "target"):
        if not path.is_file():
            raise InputError(f"{path} is not there (a GGUF file was expected)")
        self.llama, self.path, self.name = library(), path, name
        self.model = self.llama.llama_model_load_from_file(bytes(path), self.llama.llama_model_default_params())
        if not self.model:
            raise InputError(f"{path} is no model that llama.cpp can load (its own message is above)")
        self.vocabulary = self.llama.llama_model_get_vocab(self.model)
        self.width = self.llama.llama_vocab_n_tokens(self.vocabulary)
        self.layers = self.llama.llama_model_n_layer(self.model)
        self.file_type = self.llama.llama_model_ftype(self.model)
        self.context = min(context, self.llama.llama_model_n_ctx_train(self.model))
        self.prompt_pass = max(512, largest_pass)
        parameters = self.llama.llama_context_default_params()
        parameters.n_ctx = self.context
        parameters.n_batch = parameters.n_ubatch = self.prompt_pass  # a pass is one graph, never cut in two
        parameters.n_threads = parameters.n_threads_batch = self.threads = threads
        self.state = self.llama.llama_init_from_model(self.model, parameters)
        if not self.state:
            raise InputError(f"{path}: no context of {self.context} tokens could be made (its own message is above)")
        self.batch = self.llama.llama_batch_init(self.prompt_pass, 0, 1)
        self.fed = 0

    def identity(self) -> dict:
        return {"file": self.path.name, "sha256": sha256_of(self.path), "threads": self.threads}

    def token_texts(self) -> list[bytes]:
        return [self.llama.llama_vocab_get_text(self.vocabulary, token) for token in range(self.width)]

    def encode(self, prompt, chat: bool) -> list[int]:
        templated = chat or not isinstance(prompt, str)
        if templated:
            prompt = self.chat_text([{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt)
        text = prompt.encode()
        tokens = (self.llama.llama_token * (len(text) + 2))()
        # A template writes its own special tokens, which other texts have no business to.
        count = self.llama.llama_tokenize(self.vocabulary, text, len(text), tokens, len(tokens), not templated,
                                          templated)
        return list(tokens[:count])

    def chat_text(self, messages: list) -> str:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        template = self.llama.llama_model_chat_template(self.model, None)
        if template is None:
            raise InputError(f"{self.path} has no chat template (--chat and messages need one): give prompts as text")
        first, last = (self.llama.llama_vocab_get_text(self.vocabulary, token).decode() if token >= 0 else ""
                       for token in (self.llama.llama_vocab_bos(self.vocabulary),
                                     self.llama.llama_vocab_eos(self.vocabulary)))
        return Jinja2ChatFormatter(template.decode(), bos_token=first, eos_token=last)(messages=messages).prompt

    def decode(self, tokens: list[int]) -> str:
        given = (self.llama.llama_token * len(tokens))(*tokens)
        size = 64
        while True:
            text = ctypes.create_string_buffer(size)
            length = self.llama.llama_detokenize(self.vocabulary, given, len(tokens), text, size, False, True)
            if length >= 0:
                return text.raw[:length].decode(errors="replace")
            size = -length

    def ends(self, token: int) -> bool:
        return self.llama.llama_vocab_is_eog(self.vocabulary, token)

    def begin(self, tokens: list[int]) -> numpy.ndarray:
        self.llama.llama_memory_clear(self.llama.llama_get_memory(self.state), True)
        self.fed = 0
        for at in range(0, len(tokens), self.prompt_pass):
            row = self._pass(tokens[at : at + self.prompt_pass], only_last=True)
        return row[0]

    def feed(self, tokens: list[int]) -> numpy.ndarray:
        return self._pass(tokens, only_last=False)

    def _pass(self, tokens: list[int], only_last: bool) -> numpy.ndarray:
        self.batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            self.batch.token[i] = token
            self.batch.pos[i] = self.fed + i
            self.batch.n_seq_id[i] = 1
            self.batch.seq_id[i][0] = 0
            self.batch.logits[i] = not only_last or i == len(tokens) - 1
        failed = self.llama.llama_decode(self.state, self.batch)
        if failed:
            raise InputError(f"{self.path}: llama.cpp could not run {len(tokens)} tokens after {self.fed} "
                             f"(llama_decode gave {failed})")
        self.fed += len(tokens)
        rows = 1 if only_last else len(tokens)
        logits = ctypes.cast(self.llama.llama_get_logits(self.state), ctypes.POINTER(ctypes.c_float))
        return numpy.ctypeslib.as_array(logits, (rows, self.width)).copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_options(parser)
    parser.add_argument("--threads", type=int, default=1, metavar="N",
                        help="of llama.cpp (default 1; on a busy machine several mostly wait for each other)")
    parser.add_argument("--context", type=int, default=2048, metavar="N", help="tokens that a text may take with its "
                        "prompt, less where the model was trained on less (default 2048)")
    given = parser.parse_args()
    asked, drafts = arguments.read_options(given), arguments.read_drafts(given.draft)
    if given.threads < 1 or given.context < 2:
        raise UsageError("--threads must be 1 or more, --context 2 or more")
    library()
    import llama_cpp

    target = LlamaModel(pathlib.Path(given.target), given.context, given.threads, asked.drawn.target_pass)
    models = [LlamaModel(pathlib.Path(path), given.context, given.threads, asked.drawn.draft_pass, name)
              for name, path in drafts.items()]
    arguments.record_from(given, asked, target, models, [f"llama-cpp-python {llama_cpp.__version__}"])


if __name__ == "__main__":
    run(main)

"""Tests of the recorders' programs and of models of transformers, by models that stand in:  programs_test.py ROOT"""
import contextlib
import csv
import io
import json
import sys
import types
import unittest
import unittest.mock

import numpy

from recorded import ROOT, Folder, columns_of, tensors_of  # first: it finds the others
import arguments
import record_hf
import record_llama
import toy
from draftgauge.record import hugging_face
from errors import InputError


class Tensor:
    """What a recorder asks of a tensor of torch, over an array."""

    def __init__(self, array):
        self.array = array

    def __getitem__(self, place):
        return Tensor(self.array[place])

    def float(self):
        return Tensor(self.array.astype(numpy.float32))

    def cpu(self):
        return self

    def numpy(self):
        return self.array


class RecordedModel:
    """A causal language model whose logits are recorded: row i after prompt and i tokens, with entries of padding
    beyond the vocabulary, as many models have. The cache holds how many tokens it has seen."""

    def __init__(self, rows, padding):
        self.rows = numpy.concatenate([rows, numpy.full((len(rows), padding), 1e4, rows.dtype)], axis=1)
        self.config = types.SimpleNamespace(vocab_size=self.rows.shape[1], max_position_embeddings=100)
        self.generation_config = types.SimpleNamespace(eos_token_id=[2, 7])
        self.device = "cpu"

    def __call__(self, input_ids, past_key_values, use_cache):
        assert use_cache and input_ids.array.shape[0] == 1
        seen = past_key_values or 0
        count = input_ids.array.shape[1]
        rows = self.rows[numpy.maximum(numpy.arange(seen, seen + count) - 1, 0)]  # the prompt has two tokens
        return types.SimpleNamespace(logits=Tensor(rows[None]), past_key_values=seen + count)


class Tokenizer:
    """A tokenizer of so many tokens."""

    def __init__(self, size):
        self.size, self.chat_template, self.eos_token_id = size, None, 2

    def __len__(self):
        return self.size

    def __call__(self, text, add_special_tokens=True):
        return types.SimpleNamespace(input_ids=[1] * add_special_tokens + [len(word) for word in text.split()])

    def convert_ids_to_tokens(self, tokens):
        return [f"<{token}>" for token in tokens]

    def decode(self, tokens):
        return " ".join(self.convert_ids_to_tokens(tokens))

    def apply_chat_template(self, messages, tokenize, add_generation_prompt):
        assert not tokenize and add_generation_prompt
        return " ".join(message["content"] for message in messages) + " :"


TORCH = types.SimpleNamespace(inference_mode=contextlib.nullcontext,
                              tensor=lambda values, device: Tensor(numpy.array(values)))


class HuggingFace(Folder):
    def test_recorded_logits(self):
        """Columns from logits that real models gave, through the path of tensors, against figures that another
        program computed of the same float16 rows."""
        _, tensors = tensors_of(ROOT / "data/smollm2_prune2_24.safetensors")
        with (ROOT / "data/smollm2_prune2_24.tsv").open() as file:
            wanted = list(csv.DictReader(file, delimiter="\t"))
        width = tensors["target_logits"].shape[1]
        target, draft = (hugging_face.HfModel(name, {}, RecordedModel(tensors[key], padding), Tokenizer(width), TORCH)
                         for name, key, padding in (("target", "target_logits", 64), ("d", "draft_logits", 0)))
        given = self.folder / "given.jsonl"
        given.write_text(json.dumps({"prompt_tokens": [1, 1], "tokens": tensors["tokens"].tolist()}) + "\n")
        for size in (1, 5):
            given_words = types.SimpleNamespace(
                texts=given, prompts=None, chat=False, first=None, temperature="1", top_k=0, top_p=1.0,
                max_tokens=300, seed=1, target_pass=size, draft_pass=size, out=self.folder / f"out{size}",
                columns="all", digits=9, rows="4:3", rows_of=None, rows_dtype="f16")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                arguments.record_from(given_words, arguments.read_options(given_words), target, [draft], ["a stand-in"])
            _, rows = columns_of(self.folder / f"out{size}/d_T1.tsv")
            self.assertEqual(len(rows), 24)
            for row, figures in zip(rows, wanted):
                self.assertEqual(row["token"], figures["token"])
                for ours, theirs in (("logp", "logp_f16"), ("logq", "logq_f16"), ("beta", "beta_f16")):
                    self.assertAlmostEqual(float(row[ours]), float(figures[theirs]), delta=1e-6, msg=ours)
            _, again = tensors_of(self.folder / f"out{size}/d_T1_rows.safetensors")
            for key in ("target_logits", "draft_logits", "tokens"):
                numpy.testing.assert_array_equal(again[key], tensors[key][4:7])

    def test_prompts_and_ends(self):
        model = hugging_face.HfModel("m", {}, RecordedModel(numpy.zeros((3, 9), "f4"), 7), Tokenizer(9), TORCH)
        self.assertEqual((model.width, model.context), (9, 100))
        self.assertEqual([token for token in range(9) if model.ends(token)], [2, 7])
        self.assertEqual(model.encode("a bb", False), [1, 1, 2])
        message = r"^m has no chat template \(chat and messages need one\): give prompts as text$"
        with self.assertRaisesRegex(InputError, message):
            model.encode("a bb", True)
        model.tokenizer.chat_template = "a template"
        self.assertEqual(model.encode("a bb", True), [1, 2, 1])
        self.assertEqual(model.encode([{"role": "user", "content": "ccc"}], False), [3, 1])


class Programs(Folder):
    """The programs themselves, their models replaced by toys: what they ask of models and write is the toy's recording."""

    def run_program(self, program, out, *patches, **options):
        words = [f"{program.__name__}.py", *self.words(out=out, **options)]
        said = io.StringIO()
        with contextlib.ExitStack() as stack:
            for patch in (unittest.mock.patch.object(sys, "argv", words), *patches):
                stack.enter_context(patch)
            stack.enter_context(contextlib.redirect_stdout(said))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            program.main()
        return said.getvalue()

    def same_columns(self, *outs):
        first, *others = ((self.folder / out / "a_T1.tsv").read_text().split("\nseq\t")[1] for out in outs)
        for other in others:
            self.assertEqual(first, other)

    def test_llama_and_hf(self):
        asked = {"--target-pass": 5, "--draft-pass": 3}
        self.record(out="toy", **asked)
        passes = []

        def gguf(path, context, threads, largest_pass, name="target"):
            passes.append((context, threads, largest_pass))
            return toy.Toy(name, int(str(path)))

        package = unittest.mock.patch.dict(sys.modules, {"llama_cpp": types.SimpleNamespace(__version__="0")})
        said = self.run_program(record_llama, "llama", package, unittest.mock.patch.object(record_llama, "library", lambda: None),
                                unittest.mock.patch.object(record_llama, "LlamaModel", gguf), **asked)
        self.assertEqual(passes, [(2048, 1, 5), (2048, 1, 3)])
        self.assertIn("llama/a_T1.tsv", said)
        versions = types.SimpleNamespace(__version__="1")
        self.run_program(record_hf, "hf", unittest.mock.patch.object(hugging_face, "packages", lambda: (versions, versions)),
                         unittest.mock.patch.object(hugging_face, "load", lambda name, word, dtype, device: toy.Toy(name, int(word))),
                         **asked)
        self.same_columns("toy", "llama", "hf")
        self.assertTrue(self.columns("a_T1.tsv", "hf")[0]["tools"].startswith("transformers 1, torch 1, "))


if __name__ == "__main__":
    unittest.main()

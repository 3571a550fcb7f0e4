"""Tests of what the recorders refuse, with models that stand in for real ones:  refusals_test.py ROOT"""
import math
import subprocess
import sys
import unittest
import unittest.mock

from recorded import ROOT, Folder  # first: it finds the others
import make_draft
import record_llama
import toy
from draftgauge.record import hugging_face
from draftgauge.record import texts as recorded_texts
from errors import InputError, UsageError


class Refusals(Folder):
    def refused(self, kind, message, *words, **options):
        with self.assertRaises(kind) as caught:
            self.record(*words, **options)
        self.assertEqual(str(caught.exception).replace(str(self.folder) + "/", ""), message)

    def test_silly_arguments(self):
        cases = [
            ("--temperature -1 is outside [0, inf) (logits are divided by it)", {"--temperature": -1}),
            ("--temperature nan is outside [0, inf) (logits are divided by it)", {"--temperature": "nan"}),
            ("--temperature 'hot' is no list of numbers (numbers are separated by commas)", {"--temperature": "hot"}),
            ("--temperature '1,1.0' names a value twice (it would be recorded twice)", {"--temperature": "1,1.0"}),
            ("--max-tokens 0 is less than 1", {"--max-tokens": 0}),
            ("--target-pass 0 is less than 1", {"--target-pass": 0}),
            ("--draft-pass -4 is less than 1", {"--draft-pass": -4}),
            ("--top-k -1 is less than 0", {"--top-k": -1}),
            ("--seed -1 is less than 0", {"--seed": -1}),
            ("--first 0 leaves no text", {"--first": 0}),
            ("--top-p 0 is outside (0, 1] (it is a share of the probability)", {"--top-p": 0}),
            ("--digits 18 is outside 1 to 17 (17 hold a double)", {"--digits": 18}),
            ("--columns: there is no 'alpha' (there are seq, pos, token, logp, logq, beta, entropy_p, kl_pq, "
             "argmax_q_hit, rank_q, argmax_q, p_dmax, q_dmax, argmax_p_hit, max_p, lower_q, beta_t1)",
             {"--columns": "beta,alpha"}),
            ("--rows '3' is not FIRST:COUNT (the first position is 0): 0:32", {"--rows": 3}),
            ("--rows '3:0' is not FIRST:COUNT (the first position is 0): 0:32", {"--rows": "3:0"}),
            ("--rows-of says of which texts, but not which positions: add --rows FIRST:COUNT", {"--rows-of": "1"}),
            ("give either --prompts, to draw texts, or --texts, to score texts that are there", {"--prompts": None}),
            ("give either --prompts, to draw texts, or --texts, to score texts that are there", {"--texts": "x"}),
            ("--texts takes one --temperature (the one that the texts were written at)",
             {"--texts": "x", "--prompts": None, "--temperature": "1,0"}),
            ("--draft: 'a/b' cannot name files (letters, digits, '-', '_', '.'): NAME=2", {"draft": "a/b=2"}),
        ]
        for message, options in cases:
            self.refused(UsageError, message, **options)
        self.refused(UsageError, "--draft: 'a' names two drafts (their files would be one): NAME=5", "--draft", "a=5")
        self.refused(UsageError, "--chat has nothing to do (--texts come with the tokens of their prompts)", "--chat",
                     **{"--texts": "x", "--prompts": None})

    def test_bad_prompts(self):
        cases = [
            ('{"prompt": }', "prompts.txt:1: no JSON (Expecting value: line 1 column 12 (char 11)): '{\"prompt\": }'"),
            ('{"prompt": "a", "prompt": "b"}', "prompts.txt:1: the key 'prompt' stands twice in one object: keep one"),
            ('{"prompt": ' + "[" * 100_000 + "]" * 100_000 + "}",
             "prompts.txt:1: its JSON is nested too deeply to be read"),
            ("{}", "prompts.txt:1: an object with one of 'prompt', 'messages' and 'prompt_tokens' was expected"),
            ('{"prompt": 3}', "prompts.txt:1: 'prompt' is of the wrong kind (a string was expected)"),
            ('{"messages": "x"}', "prompts.txt:1: 'messages' is of the wrong kind (a list of messages was expected)"),
            ('{"prompt_tokens": [12]}',
             "prompts.txt:1: 'prompt_tokens' is no list of tokens of this vocabulary (0 to 11)"),
            ('{"prompt_tokens": [true]}',
             "prompts.txt:1: 'prompt_tokens' is no list of tokens of this vocabulary (0 to 11)"),
            ('""', "prompts.txt:1: a prompt of no tokens (a first law needs at least one to follow)"),
            ("# nothing", "prompts.txt: no prompts"),
        ]
        for text, message in cases:
            self.prompts.write_text(text + "\n")
            self.refused(InputError, message)
        self.prompts.write_bytes(b"\xff\xfe\n")
        with self.assertRaisesRegex(InputError, r"prompts.txt cannot be read \('utf-8' codec can't decode byte 0xff"):
            self.record()

    def test_bad_texts(self):
        given = self.folder / "given.jsonl"
        for text, message in [
            ('{"prompt_tokens": [1]}', "given.jsonl:1: 'tokens' is no list of tokens of this vocabulary (0 to 11)"),
            ('{"tokens": [1]}', "given.jsonl:1: 'prompt_tokens' is no list of tokens of this vocabulary (0 to 11)"),
            ("[]", "given.jsonl:1: 'prompt_tokens' is no list of tokens of this vocabulary (0 to 11)"),
            ("", "given.jsonl: no texts"),
        ]:
            given.write_text(text + "\n")
            self.refused(InputError, message, **{"--prompts": None, "--texts": given})

    def test_other_tokenizers(self):
        target, draft = toy.Toy("target", 1), toy.Toy("d", 2)
        why = "(a draft's token is accepted by its id, so both models need one tokenizer)"
        draft.width = 11
        with self.assertRaises(InputError) as caught:
            recorded_texts.check_one_tokenizer(target, draft)
        self.assertEqual(str(caught.exception), f"draft d: 11 tokens, but the target has 12 {why}")
        draft.width = 12
        draft.texts = [*target.texts[:7], b"\xffx", *target.texts[8:]]
        with self.assertRaises(InputError) as caught:
            recorded_texts.check_one_tokenizer(target, draft)
        self.assertEqual(str(caught.exception), f"draft d: token 7 is '\\\\xffx', in the target '<7>' {why}")

    def test_what_does_not_fit(self):
        self.refused(InputError, "text 0 may take 1003 tokens with its prompt, but target holds 1000: a shorter "
                     "prompt, or fewer tokens of text at most", **{"--max-tokens": 1000})

    def test_no_law(self):
        row = toy.Toy.row
        for seed in (1, 2):  # the target's fails when its text is drawn
            with unittest.mock.patch.object(
                    toy.Toy, "row", lambda self, tokens: row(self, tokens) * (math.nan if self.seed == seed else 1)):
                self.refused(InputError,
                             "text 0, position 0: logits that are not a number, or infinite (a model gave no law)")

    def test_folder_of_another_recording(self):
        self.record()
        self.refused(InputError, "out holds another recording (it differs in: seed): give another folder, or "
                     "remove this one", **{"--seed": 2})
        self.stop_before_the_files(out="stopped")
        (self.folder / "stopped/parts/T1_0001.npz").write_bytes(b"")
        with self.assertRaisesRegex(InputError, r"T1_0001.npz cannot be read \(.*\): remove it, and run the same"):
            self.record(out="stopped")

    def test_missing_packages(self):
        with unittest.mock.patch.dict(sys.modules, {"torch": None}):
            with self.assertRaisesRegex(InputError, r"^torch or transformers is missing \(.*\): pip install torch "):
                hugging_face.packages()
        with unittest.mock.patch.dict(sys.modules, {"llama_cpp": None}):
            message = r"^llama-cpp-python is missing \(.*\): pip install llama-cpp-python$"
            with self.assertRaisesRegex(InputError, message):
                record_llama.library()

    def test_missing_numpy(self):
        """Every program says so in a line, whatever imports numpy first."""
        for program in ("record_llama", "record_hf", "make_draft"):
            code = (f"import sys; sys.path.insert(0, {str(ROOT / 'data/record')!r}); sys.modules['numpy'] = None; "
                    f"sys.argv = ['{program}.py']; import {program}")
            done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 3, msg=done.stderr)
            self.assertRegex(done.stderr, rf"^{program}\.py: numpy is missing \(.*\): pip install numpy\n$")

    def test_exit_status(self):
        command = [sys.executable, "-B", str(ROOT / "tests/record/toy.py"), "0"]
        for options, status in (({"--digits": 0}, 2), ({"--prompts": self.folder / "none"}, 3)):
            done = subprocess.run([*command, *self.words(**options)], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr[:8], done.stderr.count("\n")), (status, "toy.py: ", 1))

    def test_drafts_that_cannot_be(self):
        for words, message in [
            (["t.gguf", "o.gguf"], "neither --type nor --drop-layers is given (the draft would be its target)"),
            (["t.gguf", "o.gguf", "--type", "Q2_K"], "t.gguf is not there (it is the model to make a draft of)"),
        ]:
            with unittest.mock.patch.object(sys, "argv", ["make_draft.py", *words]):
                with self.assertRaises((UsageError, InputError)) as caught:
                    make_draft.main()
                self.assertEqual(str(caught.exception), message)
        for layers in ("1,1", "-1", "x", ""):
            with self.assertRaisesRegex(Exception, "is no list of layers"):
                make_draft.layer_list(layers)


if __name__ == "__main__":
    unittest.main()

"""Tests of the recorders with models that stand in for real ones:  recording_test.py ROOT"""
import contextlib
import io
import json
import math
import random
import signal
import struct
import subprocess
import sys
import time
import unittest
import unittest.mock

import numpy

from recorded import ROOT, Folder, columns_of, softmax, tensors_of, texts_of  # first: it finds the others
import columns_of_rows
import toy
from draftgauge.record import laws, lines
from errors import InputError


class Figures(unittest.TestCase):
    def test_against_sums_written_out(self):
        draws = random.Random(5)
        for temperature in (1.0, 0.6, 2.5):
            z, w = ([draws.gauss(0, 3) for _ in range(50)] for _ in range(2))
            p, q, token = softmax(z, temperature), softmax(w, temperature), draws.randrange(50)
            sampling = laws.Sampling(temperature)
            ours = [sampling.law(numpy.array(logits)) for logits in (z, w)]
            got = dict(zip(laws.FIGURES, laws.compare(*ours, token, temperature)))
            best = q.index(max(q))
            wanted = {"logp": math.log(p[token]), "logq": math.log(q[token]), "beta": math.fsum(map(min, p, q)),
                      "entropy_p": -math.fsum(a * math.log(a) for a in p),
                      "kl_pq": math.fsum(a * math.log(a / b) for a, b in zip(p, q)), "argmax_q_hit": best == token,
                      "rank_q": 1 + sum(b > q[token] for b in q), "argmax_q": best, "p_dmax": p[best],
                      "q_dmax": q[best], "argmax_p_hit": p.index(max(p)) == token, "max_p": max(p),
                      "lower_q": math.fsum(b for a, b in zip(p, q) if a / b < p[token] / q[token])}
            self.assertEqual(list(wanted), laws.FIGURES)
            for name, value in wanted.items():
                self.assertAlmostEqual(got[name], value, delta=1e-12, msg=name)

    def test_temperature_zero_is_agreement_of_the_most_likely(self):
        greedy = laws.Sampling(0.0)
        z, w = numpy.array([1.0, 3.0, 0.0]), numpy.array([2.0, 1.0, 0.0])
        p, q = softmax(z), softmax(w)
        for draft, agreement in ((w, 0), (z, 1)):
            figures = laws.compare(greedy.law(z), greedy.law(draft), 1, 0.0)
            self.assertEqual(figures[laws.FIGURES.index("beta")], agreement)
        figures = laws.compare(greedy.law(z), greedy.law(w), 1, 0.0)
        self.assertEqual(len(figures), len(laws.FIGURES) + 1)
        self.assertAlmostEqual(figures[-1], math.fsum(map(min, p, q)), delta=1e-12)
        self.assertAlmostEqual(figures[0], math.log(p[1]), delta=1e-12)
        self.assertEqual(greedy.draw(greedy.law(z), 0.999), 1)
        self.assertEqual(greedy.draw(greedy.law(numpy.array([1.0, 3.0, 3.0])), 0.999), 1)  # of equal ones the first

    def test_cutting(self):
        z = numpy.log(numpy.array([0.4, 0.1, 0.3, 0.2]))
        cases = [(dict(top_k=2), [4 / 7, 0, 3 / 7, 0]), (dict(top_p=0.7), [4 / 7, 0, 3 / 7, 0]),
                 (dict(top_p=0.71), [4 / 9, 0, 3 / 9, 2 / 9]), (dict(top_k=3, top_p=0.7), [4 / 7, 0, 3 / 7, 0]),
                 # of the three that are left, 0.78 is the first two's 7/9 and a little: all three stay
                 (dict(top_k=3, top_p=0.78), [4 / 9, 0, 3 / 9, 2 / 9]), (dict(top_k=9), [0.4, 0.1, 0.3, 0.2])]
        for options, wanted in cases:
            numpy.testing.assert_allclose(laws.Sampling(1.0, **options).law(z).p, wanted, atol=1e-12, err_msg=options)
        # Temperature first: at 1/2 the law is (16, 1, 9, 4)/30, of which 25/30 pass 0.8.
        numpy.testing.assert_allclose(laws.Sampling(0.5, top_p=0.8).law(z).p, [16 / 25, 0, 9 / 25, 0], atol=1e-12)
        p, q = laws.Sampling(1.0).law(z), laws.Sampling(1.0, top_k=1).law(z)
        figures = dict(zip(laws.FIGURES, laws.compare(p, q, 2, 1.0)))
        self.assertEqual((figures["logq"], figures["kl_pq"]), (-math.inf, math.inf))

    def test_draws_follow_the_law(self):
        """Pearson's statistic over 11 tokens (10 degrees of freedom) passes 35.6 by chance once in 10 000; a law off
        by 0.02 in one token of 0.1 adds about 160 on average."""
        law = laws.Sampling(1.0).law(numpy.log(numpy.array([0.1] * 9 + [0.05] * 2)))
        draws, count, drawn = random.Random(11), 40000, [0] * 11
        for _ in range(count):
            drawn[laws.Sampling(1.0).draw(law, draws.random())] += 1
        self.assertLess(sum((n - count * p) ** 2 / (count * p) for n, p in zip(drawn, law.p)), 35.6)

    def test_draws_never_take_what_is_cut(self):
        law = laws.Sampling(1.0, top_k=2).law(numpy.log(numpy.array([0.1, 0.4, 0.3, 0.2])))
        self.assertEqual([laws.Sampling(1.0).draw(law, u) for u in (0.0, math.nextafter(1, 0))], [1, 2])


class Recording(Folder):
    def test_columns_are_those_of_the_contexts(self):
        self.record("--draft", "b=3", **{"--temperature": "1,0.6,0"})
        for temperature, label in ((1.0, "T1"), (0.6, "T0.6"), (0.0, "T0")):
            texts = texts_of(self.folder / f"out/texts_{label}.jsonl")
            self.assertEqual([text["prompt_tokens"] for text in texts], [[1, 2, 3], [0], [1, 4, 4, 5], [3, 4]])
            for text in texts:
                ended = text["tokens"][-1] == toy.END
                self.assertEqual(text["finish"], "eog" if ended else "length")
                self.assertTrue(ended or len(text["tokens"]) == 30)
                self.assertNotIn(toy.END, text["tokens"][:-1])
            for name, seed in (("a", 2), ("b", 3)):
                head, rows = self.columns(f"{name}_{label}.tsv")
                self.assertEqual((head["temperature"], head["draft"]), (f"{temperature:g}", f"{name}, seed {seed}"))
                self.assertEqual((head["seed"], head["tools"].split(", ")[0]), ("1", "toy 1"))
                at = iter(rows)
                target, draft = toy.Toy("", 1), toy.Toy("", seed)
                for text in texts:
                    for position, token in enumerate(text["tokens"]):
                        row, context = next(at), text["prompt_tokens"] + text["tokens"][:position]
                        self.assertEqual([int(row[key]) for key in ("seq", "pos", "token")],
                                         [text["seq"], position, token])
                        p, q = (softmax(m.row(context), temperature or 1) for m in (target, draft))
                        self.assertAlmostEqual(float(row["logp"]), math.log(p[token]), delta=1e-7)
                        self.assertAlmostEqual(float(row["logq"]), math.log(q[token]), delta=1e-7)
                        overlap = math.fsum(map(min, p, q))
                        beta = row["beta_t1" if temperature == 0 else "beta"]
                        self.assertAlmostEqual(float(beta), overlap, delta=1e-7)
                        if temperature == 0:
                            self.assertEqual(token, p.index(max(p)))
                            self.assertEqual(int(row["beta"]), p.index(max(p)) == q.index(max(q)))
                self.assertIsNone(next(at, None))

    def test_seeds(self):
        def tokens(out, **options):
            self.record(out=out, **options)
            return [text["tokens"] for text in texts_of(self.folder / out / "texts_T1.jsonl")]

        first = tokens("x")
        self.assertEqual(first, tokens("y", draft="other=7"))  # the text is the target's alone
        self.assertNotEqual(first, tokens("z", **{"--seed": 2}))
        self.prompts.write_text('{"prompt_tokens": [5]}\n' * 2)
        same = tokens("w")
        self.assertNotEqual(same[0], same[1])  # texts of one prompt have draws of their own

    def test_passes(self):
        self.prompts.write_text('{"prompt_tokens": [1, 2, 3]}\n')
        self.record(out="plain", **{"--seed": 22})
        target, (draft,) = self.record(out="passes", **{"--seed": 22, "--target-pass": 5, "--draft-pass": 3})
        plain, passes = ((self.folder / out / "a_T1.tsv").read_text() for out in ("plain", "passes"))
        # A toy's rows do not depend on the pass.
        self.assertEqual(*(text.split("\nseq\t")[1] for text in (plain, passes)))
        self.assertEqual(self.columns("a_T1.tsv", "passes")[0]["tokens a pass"], "target 5, draft 3")
        tokens = texts_of(self.folder / "passes/texts_T1.jsonl")[0]["tokens"]
        self.assertGreater(len(tokens), 10)
        for model, size in ((target, 5), (draft, 3)):
            whole, rest = divmod(len(tokens) - 1, size)
            self.assertEqual(model.passes, [size] * whole + [rest] * (rest > 0))

    def test_given_texts(self):
        given = self.folder / "given.jsonl"
        given.write_text('{"prompt_tokens": [1], "tokens": [2, 3, 11, 4]}\n')
        self.record(**{"--prompts": None, "--texts": given, "--temperature": 0.6})
        head, rows = self.columns("a_T0.6.tsv")
        self.assertEqual((head["texts"], [row["token"] for row in rows]), ("given", ["2", "3", "11", "4"]))
        p = softmax(toy.Toy("", 1).row([1, 2, 3]), 0.6)
        self.assertAlmostEqual(float(rows[2]["logp"]), math.log(p[11]), delta=1e-7)
        self.assertEqual(texts_of(self.folder / "out/texts_T0.6.jsonl")[0]["finish"], "given")
        own = self.folder / "out/texts_T0.6.jsonl"
        self.record(out="again", **{"--prompts": None, "--texts": own})

    def test_chosen_columns_and_digits(self):
        self.record(**{"--columns": "token,beta,argmax_q,beta_t1", "--digits": 3, "--temperature": "1,0"})
        _, rows = self.columns("a_T1.tsv")
        self.assertEqual(list(rows[0]), ["token", "beta", "argmax_q"])
        self.assertTrue(all(len(row["beta"].lstrip("0.")) <= 3 for row in rows if "e" not in row["beta"]))
        self.assertEqual(list(self.columns("a_T0.tsv")[1][0]), ["token", "beta", "argmax_q", "beta_t1"])

    def test_full_rows(self):
        for kind, numpy_kind in (("f16", numpy.float16), ("f32", numpy.float32)):
            self.record("--draft", "b=3", out=kind, **{"--rows": "2:3", "--rows-of": "0,3", "--rows-dtype": kind})
            texts = texts_of(self.folder / kind / "texts_T1.jsonl")
            for name, seed in (("a", 2), ("b", 3)):
                metadata, tensors = tensors_of(self.folder / kind / f"{name}_T1_rows.safetensors")
                self.assertEqual((metadata["temperature"], metadata["draft"]), ("1", f"{name}, seed {seed}"))
                places = [(text, position) for text in (0, 3) for position in (2, 3, 4)
                          if position < len(texts[text]["tokens"])]
                self.assertEqual(list(zip(tensors["sequence"], tensors["position"])), places)
                self.assertEqual(list(tensors["tokens"]), [texts[text]["tokens"][at] for text, at in places])
                for i, (text, at) in enumerate(places):
                    context = texts[text]["prompt_tokens"] + texts[text]["tokens"][:at]
                    for key, model in (("target_logits", 1), ("draft_logits", seed)):
                        numpy.testing.assert_array_equal(tensors[key][i],
                                                         toy.Toy("", model).row(context).astype(numpy_kind))
        self.assertFalse(list((self.folder / "f16").glob("*.partial")))

    def test_columns_of_rows(self):
        """What is made of full rows is what the recorder wrote of them: f32 keeps a toy's logits."""
        self.record(**{"--temperature": "0.6,0", "--top-k": 9, "--rows": "0:30", "--rows-dtype": "f32"})
        for label in ("T0.6", "T0"):
            made = self.folder / f"{label}.tsv"
            made.write_text(columns_of_rows.columns_of(self.folder / f"out/a_{label}_rows.safetensors"))
            head, rows = columns_of(made)
            self.assertEqual((head["temperature"], head.get("top-k")), (label[1:], "9" if label == "T0.6" else None))
            recorded = self.columns(f"a_{label}.tsv")[1]
            self.assertEqual(len(rows), len(recorded))
            for row, before in zip(rows, recorded):
                self.assertEqual(list(row), list(before))
                for name, value in row.items():
                    self.assertAlmostEqual(float(value), float(before[name]), delta=1e-5, msg=name)

    def test_what_are_no_rows(self):
        path = self.folder / "x.safetensors"
        for content in (b"", b"0123456789", struct.pack("<Q", 2) + b"{}", struct.pack("<Q", 9) + b"{\"a\": 1}"):
            path.write_bytes(content)
            with self.assertRaisesRegex(InputError, "x.safetensors: these are no full rows that a recorder kept"):
                columns_of_rows.columns_of(path)

    def test_goes_on_where_it_was_stopped(self):
        """Killed again and again, it makes the files of a run that was left alone, and does no text twice."""
        self.prompts.write_text('{"prompt_tokens": [5]}\n' * 12)
        options = {"--temperature": "1,0", "--rows": "0:2", "--max-tokens": 8}
        self.record(out="whole", **options)
        command = [sys.executable, "-B", str(ROOT / "tests/record/toy.py"), "0.003", *self.words("killed", **options)]
        draws, kills, said = random.Random(3), 0, ""
        parts = self.folder / "killed" / "parts"
        while True:
            before = {path.name: path.stat().st_mtime_ns for path in parts.glob("*.npz")}
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                patience = draws.uniform(0, 0.15)  # after its first text, or else a slow start is all that is hit
                if kills < 6:
                    said += process.stderr.readline()
                    time.sleep(patience)
                    process.send_signal(signal.SIGKILL)
                said += process.stderr.read()
            if process.returncode != -signal.SIGKILL:
                break
            after = {path.name: path.stat().st_mtime_ns for path in parts.glob("*.npz")}
            if parts.exists() and '"written"' not in (parts.parent / "recording.json").read_text():
                self.assertEqual(before, {name: after.get(name) for name in before})
            kills += 1
        self.assertEqual(process.returncode, 0)
        self.assertGreater(kills, 2)
        self.assertLessEqual(said.count(": text "), 24)  # each text is said to be made once at most
        names = sorted(path.name for path in (self.folder / "whole").iterdir())
        self.assertEqual(names, sorted(path.name for path in (self.folder / "killed").iterdir()))
        self.assertNotIn("parts", names)
        for name in names:
            self.assertEqual(*((self.folder / out / name).read_bytes() for out in ("whole", "killed")), msg=name)

    def test_part_is_whole_or_not_there(self):
        def stops(file, **_):
            file.write(b"PK")
            raise OSError("no space left")

        with unittest.mock.patch.object(numpy, "savez", stops), self.assertRaisesRegex(OSError, "no space left"):
            self.record()
        self.assertEqual(list((self.folder / "out/parts").glob("*.npz")), [])

    def test_torn_part_is_made_again(self):
        self.record(out="whole")
        self.stop_before_the_files()
        (self.folder / "out/parts/T1_0002.npz").unlink()
        (self.folder / "out/parts/T1_0002.partial").write_bytes(b"PK\x03\x04torn")
        self.record()
        self.assertEqual(*((self.folder / out / "a_T1.tsv").read_bytes() for out in ("whole", "out")))

    def test_complete(self):
        """A complete recording keeps no parts, is not made again, and says where it would have to be."""
        self.record()
        self.assertFalse((self.folder / "out/parts").exists())
        self.assertEqual(json.loads((self.folder / "out/recording.json").read_text())["written"]["files"],
                         ["texts_T1.jsonl", "a_T1.tsv"])
        before = (self.folder / "out/a_T1.tsv").stat().st_mtime_ns
        (self.folder / "out/parts").mkdir()  # as a run leaves it that is stopped at the very end
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            target, _ = toy.main(self.words())
        self.assertEqual(said.getvalue().replace(str(self.folder), ""),
                         "/out is complete: it holds 2 files of this very recording\n")
        self.assertEqual(target.passes, [])
        self.assertEqual((self.folder / "out/a_T1.tsv").stat().st_mtime_ns, before)
        self.assertFalse((self.folder / "out/parts").exists())
        with self.assertRaisesRegex(InputError, r"out is complete, with other columns or digits \(what it was made "
                                    r"of is removed by then\): give another folder$"):
            self.record(**{"--digits": 3})
        (self.folder / "out/a_T1.tsv").unlink()
        with self.assertRaisesRegex(InputError, r"a_T1.tsv is gone \(it was written when the recording was complete\): "
                                    r"remove the folder, and record again$"):
            self.record()

    def test_truncation_is_written_for_programs(self):
        options = {"--temperature": "1,0", "--top-k": 5, "--top-p": 0.9, "--rows": "0:2"}
        self.record(**options)
        head, _ = self.columns("a_T1.tsv")
        self.assertEqual((head["laws"], head["top-k"], head["top-p"]), ("top-k 5, top-p 0.9", "5", "0.9"))
        metadata, _ = tensors_of(self.folder / "out/a_T1_rows.safetensors")
        self.assertEqual([metadata[key] for key in ("temperature_of_text", "top_k_of_text", "top_p_of_text")],
                         ["1", "5", "0.9"])
        metadata, _ = tensors_of(self.folder / "out/a_T0_rows.safetensors")  # the largest logit is never cut
        self.assertEqual([key for key in metadata if key.endswith("_of_text")], ["temperature_of_text"])
        self.assertNotIn("top-k", self.columns("a_T0.tsv")[0])
        self.record(out="whole", **{"--rows": "0:2"})
        metadata, _ = tensors_of(self.folder / "whole/a_T1_rows.safetensors")
        self.assertEqual([key for key in metadata if key.endswith("_of_text")], ["temperature_of_text"])
        self.assertNotIn("top-p", self.columns("a_T1.tsv", "whole")[0])

    def test_time_that_is_left(self):
        with unittest.mock.patch.object(time, "monotonic", lambda: clock[0]):
            clock, said = [0.0], io.StringIO()
            progress = lines.Progress(3)
            with contextlib.redirect_stderr(said):
                for now in (0.1, 100, 101):
                    clock[0] = now
                    progress.made("T=1", 50)
        self.assertEqual([line.split("tokens/s")[1] for line in said.getvalue().splitlines()],
                         [", 1 s left", ", 50 s left", ""])


if __name__ == "__main__":
    unittest.main()

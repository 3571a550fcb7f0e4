"""Tests of the recordings that are shipped:  shipped_test.py ROOT"""
import math
import re
import unittest

from recorded import ROOT, columns_of


class Shipped(unittest.TestCase):
    """The columns in data/smollm2, against each other and against the page that describes them."""

    def test_page(self):
        """Its table is that of the files: means, and 95 % intervals of a ratio of sums over texts, Student's t(27)."""
        page = (ROOT / "data/smollm2.md").read_text()
        rows = {(row[0], row[2]): row for row in re.findall(
            r"^\| (\w+) \| ([^|]*) \| ([\d.]+) \| ([\d ]+) \| ([\d.]+ ± [\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE)}
        self.assertEqual(len(rows), 9)
        for (draft, temperature), (_, _, _, tokens, alpha, overlap) in rows.items():
            head, columns = columns_of(ROOT / f"data/smollm2/{draft}_T{temperature}.tsv")
            self.assertEqual((head["temperature"], head["draft"].split(",")[0]), (temperature, draft))
            beta, count, ratio = {}, {}, []
            for row in columns:
                beta[row["seq"]] = beta.get(row["seq"], 0) + float(row["beta"])
                count[row["seq"]] = count.get(row["seq"], 0) + 1
                ratio.append(min(1, math.exp(float(row["logq"]) - float(row["logp"]))))
            if temperature == "0":
                ratio = [float(row["argmax_q_hit"]) for row in columns]
            n, total = len(count), sum(count.values())
            mean = sum(beta.values()) / total
            error = math.sqrt(n / (n - 1) * sum((beta[text] - mean * count[text]) ** 2 for text in count)) / total
            self.assertEqual(n, 28)
            self.assertEqual(tokens, f"{total:,}".replace(",", " "))
            self.assertEqual(alpha, f"{mean:.4f} ± {2.0518 * error:.4f}".replace("0.", "."))
            self.assertEqual(overlap, f"{sum(ratio) / total:.4f}".replace("0.", "."))

    def test_drafts_are_on_one_text(self):
        """And the text is one of p: Σ −log p − H(p) over its standard deviation is within 4 (by chance outside it once
        in 16 000; at 1.05 times the temperature it would be 9.5 at T = 1 and 3.6 at 0.6)."""
        for temperature in ("1", "0.6", "0"):
            texts = []
            for draft in ("prune2", "q2k", "prune8"):
                _, columns = columns_of(ROOT / f"data/smollm2/{draft}_T{temperature}.tsv")
                texts.append([[row[key] for key in ("seq", "pos", "token", "logp", "entropy_p", "max_p", "argmax_p_hit")]
                              for row in columns])
                for row in columns:
                    self.assertEqual(row["argmax_p_hit"] == "1", abs(math.exp(float(row["logp"])) - float(row["max_p"]))
                                     < 1e-6)
            self.assertEqual(texts[0], texts[1])
            self.assertEqual(texts[0], texts[2])
            if temperature != "0":
                drift = [-float(row[3]) - float(row[4]) for row in texts[0]]
                self.assertLess(abs(sum(drift)), 4 * math.sqrt(sum(d * d for d in drift)))
            else:
                self.assertTrue(all(row[6] == "1" for row in texts[0]))

    def test_size(self):
        """What a clone costs: all of data/ within 12 MB."""
        self.assertLess(sum(path.stat().st_size for path in (ROOT / "data").rglob("*") if path.is_file()), 12e6)


if __name__ == "__main__":
    unittest.main()

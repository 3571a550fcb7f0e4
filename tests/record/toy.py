"""A model of a few tokens for tests of the recorders, and a program that records it: toy.py SECONDS_A_PASS OPTIONS…

Its law depends on the last two tokens, so that a wrong context shows; --target and --draft take a number, its seed.
"""
import argparse
import pathlib
import sys
import time

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "data" / "record"))
import arguments  # noqa: E402
from errors import run  # noqa: E402

WIDTH = 12
END = 11  # the token that ends a text


class Toy:
    """draftgauge.record.texts.Model; `passes` are the lengths of what it was fed since `begin`."""

    def __init__(self, name: str, seed: int, seconds: float = 0, context: int = 1000):
        self.name, self.seed, self.seconds, self.context, self.width = name, seed, seconds, context, WIDTH
        self.tokens, self.passes, self.texts = [], [], [b"<%d>" % token for token in range(WIDTH)]

    def identity(self) -> dict:
        return {"seed": self.seed}

    def token_texts(self) -> list[bytes]:
        return self.texts

    def encode(self, prompt, chat: bool) -> list[int]:
        return [len(word) % WIDTH for word in prompt.split()] if isinstance(prompt, str) else [0]

    def decode(self, tokens: list[int]) -> str:
        return " ".join(map(str, tokens))

    def ends(self, token: int) -> bool:
        return token == END

    def row(self, tokens: list[int]) -> numpy.ndarray:
        return (2 * numpy.random.default_rng([self.seed, *([0, 0] + tokens)[-2:]]).normal(size=WIDTH)).astype("f4")

    def begin(self, tokens: list[int]) -> numpy.ndarray:
        time.sleep(self.seconds)
        self.tokens, self.passes = list(tokens), []
        return self.row(self.tokens)

    def feed(self, tokens: list[int]) -> numpy.ndarray:
        time.sleep(self.seconds)
        self.passes.append(len(tokens))
        before, self.tokens = self.tokens, self.tokens + tokens
        return numpy.array([self.row(before + tokens[: i + 1]) for i in range(len(tokens))])


def main(words: list[str], seconds: float = 0) -> tuple[Toy, list[Toy]]:
    """Records; returns the models that it ran."""
    parser = argparse.ArgumentParser()
    arguments.add_options(parser)
    given = parser.parse_args(words)
    asked, drafts = arguments.read_options(given), arguments.read_drafts(given.draft)
    target = Toy("target", int(given.target), seconds)
    models = [Toy(name, int(seed), seconds) for name, seed in drafts.items()]
    arguments.record_from(given, asked, target, models, ["toy 1"])
    return target, models


if __name__ == "__main__":
    run(lambda: main(sys.argv[2:], float(sys.argv[1])))

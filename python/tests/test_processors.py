"""Audits of engines whose targets remember the text: the right state passes, each wrong one is found at its planned size, and named."""

import numpy as np
import pytest

import draftgauge as dg
from draftgauge._history import ENGINES
from states import Engine

GRAMMAR = dg.processors.automaton([[1, None, None], [1, 2, None], [0, None, 0]])
CASES = {"penalties": dg.processors.penalties(frequency=.9), "grammar": GRAMMAR, "minimum length": dg.processors.min_length(2, 3)}


VOCAB = {"penalties": 2, "grammar": 3, "minimum length": 3}
#: Texts that an engine of NumPy writes in seconds.
FEW = 6_000


@pytest.mark.parametrize("gamma", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_a_right_state_passes(name, gamma):
    found = dg.audit(Engine(CASES[name]), gamma=gamma, vocab=VOCAB[name], processors=CASES[name], tv=.15)
    assert found.lossless is True and found.nearest is None
    assert found.verdict.startswith("lossless within TV 0.15: TV ≤ ")
    assert found.tokens_per_text == (5 if name == "minimum length" else 4)


@pytest.mark.parametrize("gamma", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_each_wrong_state_is_found_at_its_planned_size_and_named(name, gamma):
    planned = dg.plan(gamma, vocab=VOCAB[name], processors=CASES[name])
    shown = [fault for fault in planned.faults if fault.rounds is not None and fault.rounds < FEW]
    assert len(shown) >= 2
    for fault in shown:
        engine = Engine(CASES[name], fault.rule.removeprefix("faulty/"))
        found = dg.audit(engine, gamma=gamma, vocab=VOCAB[name], rounds=fault.rounds, processors=CASES[name])
        assert found.lossless is False, fault
        assert fault.rule in (found.nearest, *found.not_excluded), (fault, found.verdict)
        assert found.counterexample is not None and found.tv_at_least <= fault.tv + 1e-9


def test_with_more_texts_one_state_is_left():
    found = dg.audit(Engine(GRAMMAR, "state-of-rejected"), gamma=1, vocab=3, rounds=3_000, processors=GRAMMAR)
    assert found.nearest == "faulty/state-of-rejected" and found.not_excluded == []
    assert "it writes what faulty/state-of-rejected does (after a rejection the state has the drafts, not the token emitted)" in found.verdict


def test_every_wrong_state_is_in_the_plan_of_a_penalty():
    planned = {fault.rule.removeprefix("faulty/"): fault for fault in dg.plan(3, vocab=2, processors=CASES["penalties"]).faults}
    assert list(planned) == list(ENGINES)
    assert [name for name, fault in planned.items() if fault.rounds is None] == ["past-the-end"]  # such texts have no end


def test_two_tokens_hide_what_four_show():
    def rounds(tokens):
        return {fault.rule: fault.rounds for fault in dg.plan(1, vocab=2, processors=CASES["penalties"], tokens_per_text=tokens).faults}

    assert rounds(2)["faulty/state-last-only"] is None and rounds(4)["faulty/state-last-only"] is not None


def test_without_gamma_one_draft_and_three_are_played():
    asked = []

    class Watched(Engine):
        def __call__(self, b):
            asked.append(b.drafts.shape[1])
            return super().__call__(b)

    assert dg.audit(Watched(GRAMMAR), vocab=3, processors=GRAMMAR, tv=.2).lossless is True
    assert set(asked) == {1, 3}


def test_an_engine_that_drafts_for_itself_writes_whole_texts():
    laws = dg.laws(p=[[.5, .5], [.25, .75]], q=[[.5, .5], [.5, .5]])
    processors = CASES["penalties"]

    class Whole:
        drafts_itself, batch, laws = True, 512, dg.laws(p=[[.5, .5], [.25, .75]], q=[[.5, .5], [.5, .5]])

        def __init__(self, counted):
            self.counted = counted

        def __call__(self, b):
            texts = []
            for start in b.base.tolist():
                text = []
                for _ in range(b.p.shape[1]):
                    weights = processors(text if self.counted else [], laws.p[text[-1] if text else start])
                    text.append(int(b.rng.choice(2, p=weights / weights.sum())))
                texts.append(text)
            return np.array(texts)

    assert dg.audit(Whole(True), processors=processors, tv=.1).lossless is True
    lost = dg.audit(Whole(False), processors=processors, tv=.1)
    assert lost.lossless is False and "faulty/state-lost" in (lost.nearest, *lost.not_excluded)


@pytest.mark.parametrize("arguments, message", [
    ({"processors": 3}, "processors is a int (it is a function of a history and weights)"),
    ({"processors": GRAMMAR, "tree": "levels:2,1"}, "processors and tree cannot be given together (whole texts are judged, by what they "
                                                    "say); leave tree out"),
    ({"processors": GRAMMAR, "laws": "exact-alpha:vocab=4,alpha=.5"}, "laws is of one context and no Markov pair (a row of a wrong "
                                                                      "context would not be seen)"),
    ({"processors": lambda history, weights: weights[:1]}, "(it returns a weight from 0 on for each of 3 tokens)"),
    ({"processors": lambda history, weights: weights * 0}, "processors exclude all tokens after [] (one has to follow)"),
    ({"processors": lambda history, weights: 1 / 0}, "processors raised ZeroDivisionError"),
    ({"processors": dg.processors.min_length(5, 2)}, "processors.end is 5 (tokens are 0 to 2); give a larger vocab"),
])
def test_what_is_no_processor_is_refused(arguments, message):
    with pytest.raises(dg.Error) as caught:
        dg.audit(Engine(GRAMMAR), vocab=3, **arguments)
    assert message in str(caught.value)


def test_a_bad_automaton_is_refused():
    for next, message in [([], "next has states of different length"), ([[0, 1]], "next has no state 1 (states are 0 to 0)")]:
        with pytest.raises(dg.UsageError) as caught:
            dg.processors.automaton(next)
        assert message in str(caught.value)

"""A verifier that writes whole texts by models of its own has its laws, its batch and its rounds heard."""

import time

import numpy as np
import pytest

import draftgauge as dg
import verifiers
from draftgauge.adapters._whole import WholeTexts
from draftgauge.testing import assert_lossless

LAWS = dg.laws(p=[[.8, .2], [.3, .7]], q=[[.1, .9], [.9, .1]])


class Chain(WholeTexts):
    """Draws its texts from p, and drafts nothing."""

    asked = 0

    def written(self, starts, length, rng):
        self.asked = length
        tokens = [np.array(starts)]
        for _ in range(length):
            tokens.append(verifiers.pick(rng, self.laws.p[tokens[-1]]))
        return np.stack(tokens[1:], axis=1).tolist()


def test_its_laws_are_the_audits():
    chain = Chain(LAWS, 2)
    found = dg.audit(chain, gamma=2, tv=.05)
    assert found.lossless is True and found.vocab == 2 and found.rounds_per_text == 1
    assert dg.audit(chain, gamma=2, laws=LAWS, rounds_per_text=1, tv=.05).p_value == found.p_value
    assert assert_lossless(chain, gamma=2, tv=.05).lossless
    assert chain.asked == 3 + 2  # so that no judged round is short of drafts


@pytest.mark.parametrize("arguments, message", [
    ({"laws": "markov:vocab=2"}, "laws differ from those that the verifier's models were made of (what it writes is held against "
                                 "these); leave laws out"),
    ({"rounds_per_text": 2}, "rounds_per_text is 2 and the verifier drafts for itself (where its rounds end is not known); leave "
                             "rounds_per_text out"),
])
def test_what_is_not_its_own_is_refused(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.audit(Chain(LAWS, 2), gamma=2, **arguments)
    assert str(caught.value) == message


class Slow:
    """As an engine of a few hundred texts a second."""

    batch = 16

    def __init__(self):
        self.sizes = set()

    def __call__(self, b):
        time.sleep(.002 * len(b.ids))
        self.sizes.add(len(b.ids))
        return verifiers.token(b)


def test_a_slow_verifier_says_how_large_a_batch_it_takes():
    slow = Slow()
    assert dg.audit(slow, rounds=100, timeout=.15).rounds == 100
    assert dg.audit(slow, rounds=100, batch=8, timeout=.15).rounds == 100
    assert slow.sizes == {16, 8, 4}
    assert Chain.batch == 512

"""Recordings from arrays say what the program says of the same numbers in a file."""

import csv
import pathlib

import numpy as np
import pytest

import draftgauge as dg
from draftgauge import _core
from draftgauge._recording import _joined
from draftgauge.record import laws

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = "data/smollm2/prune2_T1.tsv"
ESTIMATORS = tuple(_core.estimators)


def columns():
    lines = [line for line in (ROOT / FILE).read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    number = {name: np.array([float(row[name]) for row in rows]) for name in ("logp", "logq")}
    return number["logp"], number["logq"], np.array([int(row["seq"]) for row in rows])


def same(ours, theirs):
    if theirs is None:
        assert ours is None
    elif theirs["low"] is None:
        assert ours._asdict() == theirs
    else:
        assert ours._asdict() == pytest.approx({name: theirs[name] for name in ("value", "low", "high", "confidence")},
                                               rel=1e-12)


def test_a_file_is_studied_as_the_program_does(program):
    theirs = program("measure", FILE, "--cost", .1, "--gamma", "1..16")
    ours = dg.study(ROOT / FILE, cost=.1)
    same(ours.alpha, theirs["alpha"])
    same(ours.mean_a, theirs["mean_a"])
    assert (ours.best_gamma, ours.best_speedup) == (theirs["best_gamma"], theirs["best_speedup"])
    assert (ours.texts, ours.tokens, ours.policy) == (theirs["texts"], theirs["tokens"], theirs["policy"])
    assert ours.choice.confidence_set == theirs["confidence_set"]
    for one, other in zip(ours.tokens_per_round, theirs["tokens_per_round"], strict=True):
        for name in (*ESTIMATORS, "speedup", "break_even_cost"):
            same(getattr(one, name), other[name])
    dependence = theirs["dependence"]
    assert str(ours.dependence) == dependence["sentence"] and len(ours.dependence.to_pandas()) == len(dependence["eq1_minus_replay"])
    for one, other in zip(ours.dependence.eq1_minus_replay, dependence["eq1_minus_replay"], strict=True):
        for name in ("difference", "relative", "runs", "starts", "ends"):
            same(getattr(one, name), other[name])
    for one, other in zip(ours.dependence.positions, dependence["positions"], strict=True):
        for name in ("survival", "geometric", "excess", "conditional"):
            same(getattr(one, name), other[name])
    for name in ("beta", "a"):
        rows = getattr(ours.dependence.autocorrelation, name)
        for one, other in zip(rows, dependence["autocorrelation"][name], strict=True):
            assert one.lag == other["lag"]
            same(one.correlation, other["correlation"])
        with pytest.warns(DeprecationWarning, match=f"is now autocorrelation.{name}$"):
            assert ours.dependence.autocorrelation[name] is rows


def test_columns_from_arrays_are_those_of_the_file():
    log_p, log_q, seq = columns()
    file = dg.study(ROOT / FILE, cost=.1)
    ours = dg.measure(log_p=log_p, log_q=log_q, seq=seq, temperature=1, cost=.1)
    assert (ours.texts, ours.tokens, ours.policy) == (file.texts, file.tokens, file.policy)
    for one, other in zip(ours.tokens_per_round, file.tokens_per_round):
        assert (one.replay, one.replay_block, one.speedup) == (other.replay, other.replay_block, other.speedup)


def test_ragged_texts_are_one_array_with_seq():
    log_p, log_q, seq = columns()
    cuts = np.flatnonzero(np.diff(seq)) + 1
    flat = dg.study(log_p=log_p, log_q=log_q, seq=seq)
    ragged = dg.study(log_p=np.split(log_p, cuts), log_q=[part.tolist() for part in np.split(log_q, cuts)])
    assert ragged.tokens_per_round == flat.tokens_per_round and ragged.texts == len(cuts) + 1


def rows_of(seed=3, texts=6, length=120, vocab=16):
    """Rows of logits, and a text that the target wrote."""
    random = np.random.default_rng(seed)
    p = random.normal(size=(texts, length, vocab)) * 2
    q = p + random.normal(size=p.shape)
    law = np.exp(p) / np.exp(p).sum(-1, keepdims=True)
    tokens = (law.cumsum(-1) < random.random((texts, length, 1))).sum(-1)
    return p, q, tokens


def test_rows_from_arrays_are_those_of_a_file(program, tmp_path):
    p, q, tokens = rows_of()
    np.savez(tmp_path / "rows.npz", p_logits=p, q_logits=q, tokens=tokens, temperature=np.array(1.0))
    theirs = program("measure", tmp_path / "rows.npz", "--cost", .1, "--gamma", "1..4")
    ours = dg.study(p_logits=p, q_logits=q, tokens=tokens, temperature=1, cost=.1, gamma=range(1, 5))
    assert ours.policy == "on-policy" and ours.usable and ours.texts == 6
    same(ours.alpha, theirs["alpha"])
    for one, other in zip(ours.tokens_per_round, theirs["tokens_per_round"], strict=True):
        for name in ESTIMATORS:
            same(getattr(one, name), other[name])


def test_rows_in_every_precision_and_form():
    p, q, tokens = rows_of()
    whole = dg.study(p_logits=p, q_logits=q, tokens=tokens, temperature=1)
    single = dg.study(p_logits=p.astype(np.float32), q_logits=q.astype(np.float32), tokens=tokens, temperature=1)
    half = dg.study(p_logits=list(p.astype(np.float16)), q_logits=list(q.astype(np.float16)), tokens=list(tokens),
                    temperature=1)
    strided = dg.study(p_logits=p.repeat(2, axis=2)[:, :, ::2], q_logits=np.asfortranarray(q), tokens=tokens,
                       temperature=1)
    assert strided.alpha == whole.alpha
    assert single.alpha.value == pytest.approx(whole.alpha.value, rel=1e-5)
    assert half.alpha.value == pytest.approx(whole.alpha.value, rel=1e-2)


def test_sampling_and_a_text_of_another_temperature():
    p, q, tokens = rows_of()
    greedy = dg.study(p_logits=p, q_logits=q, tokens=tokens, temperature=1, at=0)
    assert greedy.policy == "off-policy" and greedy.alpha.value != dg.study(p_logits=p, q_logits=q).alpha.value
    cut = dg.study(p_logits=p, q_logits=q, at=1, top_k=3)
    assert cut.alpha.value != greedy.alpha.value


@pytest.mark.parametrize("at", [1, .6])
@pytest.mark.parametrize("cut", [{}, {"top_k": 3}, {"top_p": .8}, {"top_k": 5, "top_p": .7}, {"top_k": 99, "top_p": .05}])
@pytest.mark.parametrize("digits", [8, 0], ids=["all differ", "equal logits"])
def test_what_is_recorded_is_cut_as_what_is_read(at, cut, digits):
    p, q, _ = (np.round(rows, digits) for rows in rows_of())
    sampling = laws.Sampling(at, **cut)
    beta = [laws.compare(sampling.law(ours), sampling.law(theirs), 0, at)[laws.FIGURES.index("beta")]
            for ours, theirs in zip(p.reshape(-1, 16), q.reshape(-1, 16))]
    assert dg.study(p_logits=p, q_logits=q, at=at, **cut).alpha.value == pytest.approx(np.mean(beta), abs=1e-12)


def test_a_text_that_the_target_did_not_write_is_rejected():
    p, q, tokens = rows_of()
    wrong = dg.study(p_logits=p, q_logits=q, tokens=(tokens + 1) % 16, temperature=1, cost=.1)
    assert not wrong.usable and wrong.best_gamma is None
    with pytest.raises(dg.InputError, match="the target did not write it"):
        dg.choose_gamma(p_logits=p, q_logits=q, tokens=(tokens + 1) % 16, temperature=1, cost=.1)


def test_choose_gamma_by_a_recording(program):
    theirs = program("gamma", FILE, "--cost", .1)
    ours = dg.choose_gamma(ROOT / FILE, cost=.1)
    assert (ours.best_gamma, ours.best_speedup) == (theirs["best_gamma"], theirs["best_speedup"])
    assert [row.gamma for row in ours.curve] == [row["gamma"] for row in theirs["curve"]]
    assert ours.best_gamma in ours.confidence_set and len(ours.to_pandas()) == len(ours.curve)


def test_choose_gamma_by_alpha(program):
    theirs = program("gamma", "--alpha", .8, "--cost", .1)
    ours = dg.choose_gamma(alpha=.8, cost=.1)
    assert (ours.best_gamma, ours.best_speedup) == (theirs["best_gamma"], theirs["best_speedup"])
    assert dg.choose_gamma(alpha=.8, cost=.1, verify_cost={8: 2}).best_gamma < ours.best_gamma


def test_choose_gamma_by_alpha_is_among_those_that_are_asked(program):
    theirs = program("gamma", "--alpha", .9, "--cost", .01, "--most", 4)
    ours = dg.choose_gamma(alpha=.9, cost=.01, gamma=range(1, 5))
    assert ours.best_gamma == theirs["best_gamma"] == 4 and ours.best_speedup == theirs["best_speedup"]
    assert [row.gamma for row in ours.curve] == [0, 1, 2, 3, 4]
    some = dg.choose_gamma(alpha=.9, cost=.01, gamma=[4, 2])
    assert [row.gamma for row in some.curve] == [0, 2, 4] and some.best_gamma == 4 and some.curve[1].mean_tokens == ours.curve[2].mean_tokens
    assert dg.choose_gamma(alpha=.1, cost=.5, gamma=[2, 4]).best_gamma == 0  # plain decoding
    assert dg.choose_gamma(alpha=1, gamma=np.array(3)).best_gamma == 3  # whose speed-up grows for ever
    with pytest.raises(dg.UsageError) as caught:
        dg.choose_gamma(alpha=.8, confidence=.9)
    assert str(caught.value) == "alpha and confidence cannot be given together (of alpha there is no text to study)"


def test_tokens_have_the_shape_of_the_places():
    p, q, tokens = (one.reshape(600, *one.shape[2:]) for one in rows_of(texts=20, length=30))
    batch = {"p_logits": p.reshape(20, 30, 16), "q_logits": q.reshape(20, 30, 16), "temperature": 1}
    wanted = dg.study(**batch, tokens=tokens.reshape(20, 30))
    assert wanted.texts == 20 and wanted.usable and wanted == dg.study(**batch, tokens=tokens)
    for wrong in (tokens.reshape(30, 20), tokens.reshape(20, 30, 1), tokens.reshape(1, 600)):
        with pytest.raises(dg.InputError) as caught:
            dg.study(**batch, tokens=wrong)
        assert str(caught.value) == (f"tokens has shape {list(wrong.shape)} and the recording 20 texts of {[30] * 8} places (each place has "
                                     "one)")
    with pytest.raises(dg.InputError, match=r"^seq has shape \[20, 30\] and the recording 600 places"):
        dg.study(p_logits=p, q_logits=q, tokens=tokens, seq=np.repeat(np.arange(20), 30).reshape(20, 30))


def test_a_batch_is_read_where_it_lies():
    for shape, dimensions in (((20, 30, 16), 2), ((600, 16), 2), ((20, 30), 1)):
        for dtype in (np.float64, np.float32, np.float16):
            given = np.zeros(shape, dtype)
            assert np.shares_memory(_joined("p_logits", given, dimensions)[0], given)


def test_results_show_themselves():
    found = dg.study(ROOT / FILE, cost=.1)
    assert "best_gamma" in found._repr_html_() and len(found.to_pandas()) == 16 and '"alpha"' in found.json()
    assert "tokens in" in repr(dg.Recording.read(ROOT / FILE))


LOGS = {"log_p": np.full(9, -1.), "log_q": np.full(9, -1.)}
ROWS = {"p_logits": np.zeros((3, 4)), "q_logits": np.zeros((3, 4))}
MASKED = np.ma.array(np.full(9, -1.), mask=[False] * 7 + [True] * 2)


@pytest.mark.parametrize("arguments, message", [
    ({"log_p": [-1, float("nan")], "log_q": [-1, -1]}, "log_p[1] is nan (it is the logarithm of a probability)"),
    ({"log_p": [-1, -1], "log_q": [-1, .5]}, "log_q[1] is 0.5 (it is the logarithm of a probability)"),
    ({"log_p": [-1, -1], "log_q": [-1]}, "log_q has 1 places and log_p has 2 places"),
    ({"log_p": [[-1], [-1]], "log_q": [[-1]]}, "log_q has 1 places and log_p has 2 texts of [1, 1] places"),
    ({"log_p": [], "log_q": []}, "log_p is empty"),
    ({"log_p": [-1., object], "log_q": [-1., -1.]}, "log_p[1] is <class 'object'> (it is the logarithm of a probability)"),
    ({**LOGS, "tokens": 5}, "tokens is 5 (it has a whole number for each place)"),
    ({**LOGS, "tokens": np.array(5)}, "tokens has shape [] and the recording 9 places (each place has one)"),
    ({**LOGS, "seq": 5}, "seq is 5 (it has a whole number for each place)"),
    ({"log_p": [[-1], [-1]], "log_q": [[-1], [-1]], "tokens": [[[1]], [1]]}, "tokens[0] has shape [1, 1] and the recording 2 texts of"),
    ({"log_p": np.zeros((2, 2, 2)), "log_q": [-1]}, "log_p has shape [2, 2, 2] (it is one number for each place of a text)"),
    ({"log_p": np.array(["a"]), "log_q": [-1]}, "log_p has dtype <U1"),
    ({**LOGS, "tokens": [1, 2]}, "tokens has 2 entries for 9 places (each has one)"),
    ({**LOGS, "tokens": np.full(9, .5)}, "tokens has dtype float64 (it has whole numbers)"),
    ({**LOGS, "seq": [1]}, "seq has 1 entries for 9 places"),
    ({**LOGS, "temperature": 0}, "a text of temperature 0 needs rows"),
    ({"p_logits": np.zeros((3, 4)), "q_logits": np.zeros((3, 5))},
     "p_logits has shape [3, 4] and q_logits has [3, 5] (both models' rows are of the same tokens)"),
    ({"p_logits": np.zeros((3, 4)), "q_logits": np.zeros((2, 4))}, "q_logits has 2 places and p_logits has 3 places"),
    ({"p_logits": np.zeros(3), "q_logits": np.zeros(3)}, "p_logits has shape [3] (it is a row of logits for each place"),
    ({"p_logits": [np.zeros((3, 4)), np.zeros((3, 5))], "q_logits": np.zeros((6, 4))},
     "p_logits[1] has rows of 5 tokens and p_logits[0] of 4"),
    ({**ROWS, "tokens": [0, 1, 7]}, "tokens[2] is 7 (rows have tokens 0 to 3)"),
    ({"p_logits": np.full((3, 4), np.nan), "q_logits": np.zeros((3, 4))}, "p_logits: row 0 of the target: column 0 is nan"),
    ({"p_logits": np.full((300, 4), .25), "q_logits": np.full((300, 4), .25)}, "p_logits"),
    ({**LOGS, "log_p": MASKED}, "log_p has 2 masked entries (a masked place has no number); give each text without them, as .compressed()"),
    ({"log_p": [np.full(2, -1.), MASKED], "log_q": [np.full(2, -1.), np.full(9, -1.)]}, "log_p[1] has 2 masked entries"),
    ({**LOGS, "log_q": [-1.] * 8 + [np.ma.masked]}, "log_q[8] has 1 masked entry"),
    ({**LOGS, "tokens": np.ma.masked_equal(np.arange(9), 3)}, "tokens has 1 masked entry"),
    ({**ROWS, "q_logits": np.ma.masked_less(np.zeros((3, 4)), 1)}, "q_logits has 12 masked entries"),
])
def test_bad_recordings(arguments, message):
    with pytest.raises(dg.InputError) as caught:
        dg.Recording.from_arrays(**arguments)
    assert message in str(caught.value)


def test_an_array_without_masked_entries_is_an_array():
    none = np.ma.array(np.full(9, -1.), mask=False)
    assert dg.study(log_p=none, log_q=LOGS["log_q"]) == dg.study(**LOGS)


@pytest.mark.parametrize("arguments, message", [
    ({}, "log_p, log_q or p_logits, q_logits are needed"),
    ({**LOGS, **ROWS}, "log_p, log_q or p_logits, q_logits are needed"),
    ({"log_p": [-1]}, "log_p and log_q belong together"),
    ({"p_logits": np.zeros((3, 4))}, "p_logits and q_logits belong together"),
    ({**LOGS, "at": 1}, "at, top_k, top_p and min_p need p_logits and q_logits"),
    ({**LOGS, "temperature": -1}, "temperature -1 is out of range"),
    ({"log_p": [[-1], [-1]], "log_q": [[-1], [-1]], "seq": [0, 1]}, "seq and a list of texts in log_p cannot be given"),
    ({**LOGS, "cost": -1}, "cost -1 is out of range"),
    ({**LOGS, "overhead": 1}, "verify_cost, overhead and extra_draft_passes need cost"),
    ({**LOGS, "cost": .1, "verify_cost": {1: 2}}, "verify_cost[1] is 2"),
    ({**LOGS, "gamma": []}, "gamma is empty"),
    ({**LOGS, "gamma": 0}, "gamma 0 is out of range (1 to 256)"),
    ({**LOGS, "resamples": 50}, "resamples is 50 (intervals of so few would be mostly chance); give 200 or more, or 0 for none"),
    ({**LOGS, "estimator": "guess"}, "estimator is 'guess' (known are iid, survival"),
    ({"recording": 3}, "recording is a int (it is a Recording or a file's path)"),
    ({"recording": FILE, **LOGS}, "recording and log_p, log_q cannot be given together"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.study(**arguments)
    assert message in str(caught.value)


def test_choose_gamma_of_one_of_two():
    with pytest.raises(dg.UsageError, match="alpha and a recording cannot be given together"):
        dg.choose_gamma(ROOT / FILE, alpha=.8)
    with pytest.raises(dg.UsageError, match="cost is needed"):
        dg.choose_gamma(ROOT / FILE)
    with pytest.raises(dg.UsageError, match="no file is named"):
        dg.Recording.read()


@pytest.mark.parametrize("call, message", [
    (lambda: dg.study(**LOGS, gama=3), "study() has no argument 'gama' (did you mean 'gamma'?)"),
    (lambda: dg.measure(**LOGS, p_logit=3), "measure() has no argument 'p_logit' (did you mean 'p_logits'?)"),
    (lambda: dg.choose_gamma(ROOT / FILE, cost=.1, xyz=3), "choose_gamma() has no argument 'xyz' (it takes recording, cost, "),
])
def test_unknown_arguments(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(message)


def test_measure_is_study_by_another_name():
    assert dg.measure.__name__ == "measure" and dg.measure(ROOT / FILE, cost=.1) == dg.study(ROOT / FILE, cost=.1)

"""Simulation, enumeration and theory say what the program says, number by number."""

import json
import math
import subprocess
import sys
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

import draftgauge as dg
import verifiers

SAME_OF_SIMULATION = ["id", "task", "source", "estimator", "range", "trials", "rounds", "tokens", "accepted_histogram",
                      "acceptance", "mean_accepted", "mean_tokens", "speedup", "operations", "memory_reads", "rounding",
                      "seed"]


@pytest.mark.parametrize("source, rule, gamma", [
    ("markov:vocab=4", "token", 3), ("exact-alpha:vocab=32,alpha=.8", "block", 5), ("zipf:vocab=50", "lenient", 2)])
def test_simulate_is_the_programs(program, source, rule, gamma):
    ours = dg.simulate(source, rule, gamma, rounds=20_000, seed=7, cost=.05, confidence=.9)
    theirs = program("simulate", source, "--rule", rule, "--gamma", gamma, "--rounds", 20_000, "--seed", 7, "--cost", .05,
                     "--confidence", .9)
    said = json.loads(ours.json())
    assert {name: said[name] for name in SAME_OF_SIMULATION} == {name: theirs[name] for name in SAME_OF_SIMULATION}
    assert ours.accepted.dtype == np.int64 and ours.accepted.sum() == ours.rounds


def test_simulate_counts_tokens(program):
    ours = dg.simulate("markov:vocab=4", gamma=2, rounds=2_000, positions=2, gram=2)
    theirs = program("simulate", "markov:vocab=4", "--gamma", 2, "--rounds", 2_000, "--positions", 2, "--gram", 2)
    assert [one.tolist() for one in ours.token_histogram] == theirs["token_histogram"]
    assert ours.gram_histogram.tolist() == theirs["gram_histogram"]


def test_simulate_trees_and_ranges(program):
    ours = dg.simulate("markov:vocab=4", "recursive", tree="levels:2,1", range=(5, 50))
    theirs = program("simulate", "markov:vocab=4", "--rule", "recursive", "--tree", "levels:2,1", "--range", "5..50")
    assert ours.range == (5, 50) and ours.accepted.tolist() == theirs["accepted_histogram"]


def test_exact_is_the_programs(program):
    ours = dg.exact(([Fraction(1, 3), "2/3"], ["2/3", Fraction(1, 3)]), "block", 2)
    theirs = program("exact", "--rule", "block", "--p", "1/3,2/3", "--q", "2/3,1/3", "--gamma", 2)
    said = json.loads(ours.json())
    for name in ("acceptance", "mean_accepted", "mean_tokens", "accepted_law", "tokens_law", "output_law", "target_law",
                 "tv_to_target", "kl_to_target", "paths", "lossless", "claims_lossless", "acceptance_float",
                 "mean_accepted_float", "accepted_by_rank", "accepted_bound", "accepted_bound_float", "acceptance_bound"):
        assert said[name] == theirs[name], name
    assert ours.mean_accepted == Fraction(11, 9) and ours.lossless
    assert ours.text_law == ours.target_text_law and sum(ours.text_law.values()) == 1


@pytest.mark.parametrize("rule, tree", [("recursive", "levels:2,1"), ("recursive-without", "kary:2,2"), ("traversal", "levels:2,1")])
def test_exact_trees_and_bounds_are_the_programs(program, rule, tree):
    ours = dg.exact(([.3, .4, .3], [.6, .3, .1]), rule, tree=tree)
    theirs = program("exact", "--rule", rule, "--tree", tree, "--p", ".3,.4,.3", "--q", ".6,.3,.1")
    said = json.loads(ours.json())
    for name in ("accepted_by_rank", "tree", "passed", "acceptance_bound"):
        assert said[name] == theirs[name], name
    assert ours.accepted_bound is None and "accepted_bound" not in theirs
    assert ours.acceptance <= ours.acceptance_bound and sum(one.accepted for one in ours.accepted_by_rank) == ours.mean_accepted
    assert {"depth", "rank", "accepted"} == set(ours.accepted_by_rank.to_pandas().columns)


def test_bounds_of_what_they_are_not_of():
    pair = ([.3, .4, .3], [.6, .3, .1])
    assert dg.exact(pair, "token", 2, drafter="top").accepted_bound is None
    markov = dg.exact("markov:vocab=3", "block", 2)
    assert markov.acceptance_bound is None and markov.mean_accepted <= markov.accepted_bound
    chain = dg.exact(pair, "token", 2)
    assert chain.tree is chain.passed is None and [one.rank for one in chain.accepted_by_rank] == [1, 1]


def test_exact_of_faulty_rules():
    found = dg.exact(([1, 0], [.5, .5]), "faulty/bonus-from-draft", 1)
    assert not found.lossless and found.claims_lossless is True and found.tv_to_target == Fraction(1, 4)


def test_theory_is_the_programs(program):
    theirs = program("theory", "--alpha", ".5,.8", "--gamma", "1..4", "--cost", .05, "--ops-cost", .1)
    ours = dg.theory([.5, .8], range(1, 5), cost=.05, ops_cost=.1)
    assert len(ours) == 8
    for one, other in zip(ours, theirs["rows"]):
        for name in ("alpha", "gamma", "mean_tokens", "variance_tokens", "speedup", "operations", "memory_reads",
                     "best_gamma", "best_speedup", "mean_accepted"):
            assert getattr(one, name) == other[name], name
        assert json.loads(one.json()) == other
        assert one.break_even.cost == other["break_even"]["cost"]


def test_theory_turned_round():
    assert dg.theory(from_tokens=3.68928, gamma=5).alpha == pytest.approx(.8)
    assert dg.theory(.8, 5) == dg.theory(.8, [5])[0]
    with pytest.raises(dg.UsageError, match="^from_tokens 9 is reached by no alpha from 0 to 1 at gamma = 2"):
        dg.theory(from_tokens=9, gamma=2)
    with pytest.raises(dg.UsageError, match="^one of alpha, from_tokens and from_speedup is needed"):
        dg.theory()


def test_verify_is_the_programs(program):
    theirs = program("verify", "markov:vocab=4", "--gamma", 2, "--rounds", "400k")["checks"]
    ours = dg.verify("markov:vocab=4", gamma=2, rounds=400_000)
    assert [(one.name, one.verdict, one.p_value, one.detectable) for one in ours.checks] == [
        (one["name"], one["verdict"], one["p_value"], one["detectable"]) for one in theirs]
    assert ours.holds is (True if all(one["verdict"] == "holds" for one in theirs) else None)


def test_verify_fails_a_faulty_rule():
    assert dg.verify(([1, 0], [.5, .5]), "faulty/bonus-from-draft", 1, rounds=100_000).holds is False


def test_tables():
    pandas = pytest.importorskip("pandas")
    rows = dg.theory(.8, range(1, 4))
    assert isinstance(rows.to_pandas(), pandas.DataFrame) and list(rows.to_pandas()["gamma"]) == [1, 2, 3]
    played = dg.simulate("markov:vocab=4", gamma=2, rounds=1_000)
    assert played.to_pandas()["rounds"].sum() == played.rounds
    assert "<table>" in rows._repr_html_() and "mean_tokens" in played._repr_html_()
    assert "mean_tokens" in rows.json() and dg.rules()[0].name == "token"
    assert list(rows[0].to_pandas()["speedup"]) == [rows[0].speedup]
    audited = dg.audit(verifiers.token, rounds=1_000)
    line = audited.to_pandas()
    assert len(line) == 1 and line["accepted_interval"][0] == audited.mean_accepted and "accepted_interval_low" in line
    assert "plan" not in line and list(audited.plan.faults[0].to_pandas()["rule"]) == [audited.plan.faults[0].rule]
    checks = dg.verify("markov:vocab=3", gamma=1, rounds=2_000)
    assert {"simulated", "simulated_low", "simulated_high"} <= set(checks.to_pandas().columns)


def test_progress_is_told_and_can_stop():
    told = []

    def stop(done):
        told.append(done)
        return False

    played = dg.simulate("exact-alpha:vocab=32,alpha=.8", rounds=1e12, progress=stop)
    assert len(told) == 1 and 0 < played.rounds < 1e12

    class Broken(Exception):
        pass

    def broken(_):
        raise Broken

    with pytest.raises(Broken):
        dg.simulate("exact-alpha:vocab=32,alpha=.8", rounds=1e12, progress=broken)


def test_progress_of_verify_is_told_of_all_and_stops_all():
    task = ("exact-alpha:vocab=32,alpha=.8",)
    told = []
    done = dg.verify(*task, rounds=4_000_000, threads=1, progress=told.append)
    assert told == sorted(told) and 8_000_000 <= told[-1] < 8_001_000 and done.holds  # of rounds, and then of texts

    told.clear()
    stopped = dg.verify(*task, rounds=1e12, progress=lambda done: told.append(done) or False)
    assert len(told) == 1 and stopped.holds is None
    assert {check.rounds for check in stopped.checks} < {*range(told[0] + 100)} and "fails" not in stopped.to_pandas().verdict.tolist()


def test_a_number_may_be_an_array_of_no_dimensions():
    assert dg.theory(np.array(.8), np.array(5)) == dg.theory(.8, 5)
    with pytest.raises(dg.UsageError) as caught:
        dg.theory(.8, [])
    assert str(caught.value) == "gamma is empty (alpha and gamma are numbers or lists of them, and an empty list asks nothing)"


def test_json_has_no_infinity():
    found = dg.Rows([dg.Counterexample(0, (1,), 3., 0., math.inf), dg.Counterexample(0, (1,), math.nan, 0., -math.inf)])
    assert json.loads(found.json(), parse_constant=lambda name: pytest.fail(name))[0] == {
        "start": 0, "tokens": [1], "observed": 3., "expected": 0., "z": None}
    assert json.loads(found[1].json(), parse_constant=lambda name: pytest.fail(name))["observed"] is None


def test_ctrl_c_ends_it():
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", "import signal, draftgauge as dg\n"
         "signal.setitimer(signal.ITIMER_REAL, .3)\n"
         "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
         "dg.simulate('exact-alpha:vocab=32,alpha=.8', rounds=10**13)"],
        capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt" in done.stderr and time.monotonic() - started < 20


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(.001):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    dg.simulate("exact-alpha:vocab=32,alpha=.8", rounds=3e8, threads=1)
    stop.set()
    thread.join()
    assert len(ticks) > 20


def test_import_is_light():
    heavy = subprocess.run([sys.executable, "-c", "import sys, draftgauge; print({'numpy', 'pandas'} & set(sys.modules))"],
                           capture_output=True, text=True, check=True)
    assert heavy.stdout == "set()\n"


def test_a_forked_child_can_simulate():
    import multiprocessing

    dg.simulate("markov:vocab=4", rounds=100_000)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        task = pool.apply_async(dg.simulate, ["markov:vocab=4"], {"rounds": 1000})
        assert task.get(timeout=60).rounds >= 1000


@pytest.mark.parametrize("arguments, message", [
    ({"rounds": 1.5}, "rounds is 1.5 (it is a whole number)"),
    ({"rounds": True}, "rounds is True (it is a whole number)"),
    ({"rounds": 0}, "rounds 0 is out of range (1 to "),
    ({"gamma": -1}, "gamma -1 is out of range (0 to "),
    ({"gamma": 10**6}, "gamma 1000000 is out of range (1 to 256 can be simulated)"),
    ({"seed": "x"}, "seed is 'x' (it is a whole number)"),
    ({"cost": math.nan}, "cost nan is out of range"),
    ({"cost": "x"}, "cost is 'x' (it is a number)"),
    ({"confidence": 1}, "confidence 1 is out of range (above 0 and below 1)"),
    ({"rule": "tokn"}, "there is no rule 'tokn' (known: token, "),
    ({"rule": print},
     "rule is a function (it is a name here); try_rule plays rules written in Python, and exact enumerates them"),
    ({"gamma": -1.5}, "gamma is -1.5 (it is a whole number); give one such as 1"),
    ({"rule": None}, "rule is None (it is a name)"),
    ({"start": 9}, "start 9 is not a context (0 to 3)"),
    ({"tree": "kary:2,2", "gamma": 2}, "tree and gamma, candidates cannot be given together"),
    ({"tree": "kary:2,2"}, "does not suit rule token (it verifies one draft per position)"),
    ({"range": (5, 5)}, "range 5..5"),
    ({"range": 5}, "range is 5 (it is the first and the one behind the last); give two such as (0, 1000)"),
    ({"range": (1,)}, "range is (1,) (it is the first and the one behind the last)"),
    ({"range": (0, 10, 20)}, "range is (0, 10, 20) (it is the first and the one behind the last)"),
    ({"range": (0, .5)}, "range[1] is 0.5 (it is a whole number)"),
    ({"threads": 0}, "threads 0 is out of range (1 to "),
    ({"progress": 3}, "progress is 3 (it is a function of the rounds done, or True)"),
    ({"drafter": "x"}, "there is no drafter 'x'"),
])
def test_bad_arguments(arguments, message):
    with pytest.raises(dg.UsageError) as caught:
        dg.simulate("markov:vocab=4", **arguments)
    assert message in str(caught.value) and "--" not in str(caught.value)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, dg.Error)


@pytest.mark.parametrize("call, message", [
    (lambda: dg.exact("markov:vocab=3", "block", gama=2), "exact() has no argument 'gama' (did you mean 'gamma'?)"),
    (lambda: dg.simulate("markov:vocab=3", round=2), "simulate() has no argument 'round' (did you mean 'rounds'?)"),
    (lambda: dg.choose_tree([.5], cost=.1, xyzzy=2), "choose_tree() has no argument 'xyzzy' (it takes accept, cost, laws, "),
    (lambda: dg.audit(print, gama=2), "audit() has no argument 'gama' (did you mean 'gamma'?)"),
])
def test_arguments_that_there_are_not(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


def test_a_hint_stands_behind_a_semicolon():
    with pytest.raises(dg.UsageError, match=r"\(a rule of one's own is tried on i.i.d. contexts or a Markov pair\); give p and q as rows$"):
        dg.exact(dg.laws(p=[[.5, .5]] * 3, q=[[.5, .5]] * 3, contexts="path"), lambda *_: None)

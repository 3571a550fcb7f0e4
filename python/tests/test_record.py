"""draftgauge.record, on small transformers models of random weights, beside what plain passes of them say."""

import copy
import json
import os
import pathlib
import socket
import subprocess
import sys

import numpy as np
import pytest

import draftgauge as dg

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOCAB = 24
PROMPTS = [[1, 2, 3], [4], [5, 6]] * 4


@pytest.fixture(scope="module")
def torch():
    pytest.importorskip("transformers", reason="NO TRANSFORMERS: recordings of models in memory are not tested")
    return pytest.importorskip("torch", reason="NO TORCH: recordings of models in memory are not tested")


@pytest.fixture(scope="module")
def models(torch):
    """A target, and a draft that is its weights with noise."""
    import transformers

    torch.manual_seed(5)
    config = transformers.LlamaConfig(vocab_size=VOCAB, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
                                      num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64, eos_token_id=0,
                                      attention_dropout=.5)
    target, draft = (transformers.LlamaForCausalLM(config) for _ in range(2))
    with torch.no_grad():
        for one in target.parameters():
            one.mul_(4)
        for ours, theirs in zip(draft.parameters(), target.parameters()):
            ours.copy_(theirs + .05 * torch.randn_like(theirs))
    return target.eval(), draft.eval()


@pytest.fixture(scope="module")
def tokenizer(torch):
    import tokenizers
    import transformers

    words = {"</s>": 0, **{f"w{i}": i for i in range(1, VOCAB)}}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="w1"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>", unk_token="w1")


def plain(torch, model, text):
    """Rows of logits [T, V] by one pass over all of it, without a cache."""
    tokens = text["prompt_tokens"] + text["tokens"]
    with torch.no_grad():
        rows = model(input_ids=torch.tensor([tokens]), use_cache=False).logits[0]
    return rows[len(text["prompt_tokens"]) - 1:-1].numpy()


def plain_study(torch, models, made, **sampling):
    p, q = ([plain(torch, model, text) for text in made.written] for model in models)
    return dg.study(p_logits=p, q_logits=q, tokens=[text["tokens"] for text in made.written], cost=.1, gamma=[1, 3], **sampling)


def near(found, expected):
    assert found.alpha.value == pytest.approx(expected.alpha.value, abs=2e-5)
    for one, other in zip(found.tokens_per_round, expected.tokens_per_round, strict=True):
        assert one.replay.value == pytest.approx(other.replay.value, abs=1e-4)


@pytest.mark.parametrize("temperature", [1, .6, 0])
@pytest.mark.parametrize("rows", [False, True, "float16"])
@pytest.mark.parametrize("size", [1, 4])
def test_a_recording_says_what_plain_passes_say(torch, models, temperature, rows, size):
    made = dg.record.transformers(*models, PROMPTS, temperature=temperature, max_tokens=12, rows=rows, target_pass=size, draft_pass=size)
    assert isinstance(made, dg.Recording) and made.texts == len(PROMPTS) == len(made.written)
    found = dg.measure(made, cost=.1, gamma=[1, 3])
    assert found.policy == "on-policy" and found.usable and 0 < found.alpha.value < 1
    for text in made.written:
        assert text["finish"] == ("eog" if text["tokens"][-1] == 0 else "length") and 0 not in text["tokens"][:-1]
        assert text["finish"] == "eog" or len(text["tokens"]) == 12
        if temperature == 0:
            assert text["tokens"] == plain(torch, models[0], text).argmax(-1).tolist()
    if rows != "float16":
        near(found, plain_study(torch, models, made, temperature=temperature))


def test_draws_follow_the_target(torch, models):
    law = torch.softmax(torch.from_numpy(plain(torch, models[0], {"prompt_tokens": [7], "tokens": [1]})[0]).double(), -1).numpy()
    made = dg.record.transformers(*models, [[7]] * 600, max_tokens=1)
    drawn = np.bincount([text["tokens"][0] for text in made.written], minlength=VOCAB)
    kept = law * 600 > 5
    assert ((drawn - 600 * law) ** 2 / (600 * law))[kept].sum() < 72  # of 23 degrees of freedom at most: missed with 1e-6
    assert made.written != dg.record.transformers(*models, [[7]] * 600, max_tokens=1, seed=2).written


def test_cut_sampling(torch, models):
    made = dg.record.transformers(*models, PROMPTS, max_tokens=12, temperature=.8, top_k=5, top_p=.9)
    found = dg.measure(made, gamma=[1, 3])
    law = dg.study(p_logits=[plain(torch, models[0], text) for text in made.written],
                   q_logits=[plain(torch, models[1], text) for text in made.written], at=.8, top_k=5, top_p=.9)
    assert found.alpha.value == pytest.approx(law.alpha.value, abs=2e-5)


def test_another_draft_over_the_same_texts(torch, models):
    first = dg.record.transformers(*models, PROMPTS, max_tokens=12)
    itself = dg.record.transformers(models[0], models[0], texts=first.written)
    assert [text["tokens"] for text in itself.written] == [text["tokens"] for text in first.written]
    assert {text["finish"] for text in itself.written} == {"given"}
    assert dg.measure(itself).alpha.value == pytest.approx(1, abs=1e-6)


def test_training_goes_on_after_it(torch, models):
    expected = dg.record.transformers(*models, PROMPTS, max_tokens=8).written
    models[0].train()
    try:
        assert dg.record.transformers(*models, PROMPTS, max_tokens=8).written == expected  # no dropout meanwhile
        assert models[0].training and not models[1].training
    finally:
        models[0].eval()


@pytest.mark.parametrize("rows", [False, True])
def test_a_folder_goes_on_where_it_was_stopped(torch, models, tmp_path, rows):
    arguments = {"temperature": 1, "max_tokens": 8, "rows": rows, "out": tmp_path / "made"}
    with pytest.raises(dg.UsageError, match="progress returned False .the recording is not whole.; the same call goes on"):
        dg.record.transformers(*models, PROMPTS, progress=lambda done: done < 20, **arguments)
    told = []
    made = dg.record.transformers(*models, PROMPTS, progress=told.append, **arguments)
    assert 0 < len(told) < len(PROMPTS)
    memory = dg.record.transformers(*models, PROMPTS, **{**arguments, "out": None})
    assert made.written == memory.written
    assert dg.study(made).alpha == pytest.approx(dg.study(memory).alpha)
    again = dg.record.transformers(*models, PROMPTS, progress=lambda done: pytest.fail("a model was run"), **arguments)
    assert again.written == made.written
    with pytest.raises(dg.InputError, match=r"made holds another recording \(it differs in: seed\): give another folder"):
        dg.record.transformers(*models, PROMPTS, seed=2, **arguments)
    with pytest.raises(dg.InputError, match=r"differs in: drafts"):
        dg.record.transformers(models[0], models[0], PROMPTS, **arguments)
    near = {**arguments, "temperature": .1234567}  # no other temperature's files
    kept = dg.record.transformers(*models, PROMPTS, **{**near, "out": tmp_path / "near"})
    assert kept.written == dg.record.transformers(*models, PROMPTS, **{**near, "out": None}).written
    assert (tmp_path / "near/texts_T0.1234567.jsonl").exists()
    with pytest.raises(dg.InputError, match=r"differs in: .*temperatures"):
        dg.record.transformers(*models, PROMPTS, **{**near, "temperature": .1234568, "out": tmp_path / "near"})


def test_two_models_whose_weights_have_one_sum_are_told_apart(torch, models):
    from draftgauge.record import _digest

    other = copy.deepcopy(models[0])
    with torch.no_grad():
        first = next(other.parameters())
        first[[0, 1]] = first[[1, 0]]
    assert _digest(other) != _digest(models[0]) == _digest(copy.deepcopy(models[0]))


def test_texts_of_tokens_of_numpy(models):
    given = [{"prompt_tokens": [1, 2], "tokens": [3, 4]}]
    of_numpy = [{key: list(np.array(tokens)) for key, tokens in one.items()} for one in given]
    assert dg.record.transformers(*models, texts=of_numpy).written == dg.record.transformers(*models, texts=given).written


def test_progress_ends_it_early(torch, models):
    assert dg.record.transformers(*models, PROMPTS, max_tokens=4, progress=lambda done: False).texts == 1


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_):
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_folder_of_weights_offline_and_the_recorder(torch, models, tokenizer, tmp_path, no_network):
    folders = []
    for name, model in zip(("big", "small"), models):
        folders.append(str(tmp_path / name))
        model.save_pretrained(folders[-1])
        tokenizer.save_pretrained(folders[-1])
    prompts = ["w1 w2 w3", "w4"] * 3
    made = dg.record.transformers(*folders, prompts, max_tokens=10)
    assert made.written == dg.record.transformers(*models, prompts, tokenizer=tokenizer, max_tokens=10).written
    assert made.written[0]["prompt_tokens"] == [1, 2, 3] and made.written[0]["text"] == tokenizer.decode(made.written[0]["tokens"])
    # data/record/record_hf.py makes the same of them, and columns that say the same.
    (tmp_path / "prompts.txt").write_text("\n".join(prompts) + "\n")
    done = subprocess.run([sys.executable, "-B", ROOT / "data/record/record_hf.py", "--target", folders[0], "--draft", folders[1],
                           "--prompts", tmp_path / "prompts.txt", "--max-tokens", "10", "--out", tmp_path / "out", "--digits", "17"],
                          capture_output=True, text=True, env=dict(os.environ))  # without what `import max` set behind Python
    assert done.returncode == 0, done.stderr
    theirs = [json.loads(line) for line in (tmp_path / "out/texts_T1.jsonl").read_text().splitlines()]
    assert theirs == made.written
    assert dg.study(made).alpha == pytest.approx(dg.study(tmp_path / "out/small_T1.tsv").alpha)


def test_chats(torch, models, tokenizer):
    import copy

    chatty = copy.deepcopy(tokenizer)
    chatty.chat_template = "{% for one in messages %}{{ one.content }} {% endfor %}w9"
    asked = {"tokenizer": chatty, "max_tokens": 3}
    for made in (dg.record.transformers(*models, ["w1 w2"], chat=True, **asked),
                 dg.record.transformers(*models, [{"messages": [{"role": "user", "content": "w1 w2"}]}], **asked),
                 dg.record.transformers(*models, [[{"role": "user", "content": "w1 w2"}]], **asked)):
        assert made.written[0]["prompt_tokens"] == [1, 2, 9]
    with pytest.raises(dg.InputError, match=r"target has no chat template \(chat and messages need one\): give prompts as text"):
        dg.record.transformers(*models, ["w1"], chat=True, tokenizer=tokenizer)


@pytest.mark.parametrize("change, error, message", [
    ({"prompts": None}, dg.UsageError, "prompts and texts cannot be given together, nor none of them"),
    ({"texts": []}, dg.UsageError, "prompts and texts cannot be given together, nor none of them"),
    ({"prompts": []}, dg.UsageError, "prompts is empty (there is nothing to record)"),
    ({"prompts": "w1"}, dg.UsageError, "prompts is a str (it is a list of them)"),
    ({"prompts": [3]}, dg.InputError, "prompts[0] is a int (it is a text, a list of tokens, or {\"messages\": […]})"),
    ({"prompts": [[1], [VOCAB]]}, dg.InputError, "prompts[1]: 'prompt_tokens' is no list of tokens of this vocabulary (0 to 23)"),
    ({"prompts": [[]]}, dg.InputError, "prompts[0]: 'prompt_tokens' is no list of tokens of this vocabulary"),
    ({"prompts": ["w1"]}, dg.InputError, "target has no tokenizer (a prompt of text needs one)"),
    ({"prompts": None, "texts": [{"tokens": [1]}]}, dg.InputError, "texts[0]: 'prompt_tokens' is no list of tokens"),
    ({"max_tokens": 64}, dg.InputError, "text 0 may take 67 tokens with its prompt, but target holds 64"),
    ({"max_tokens": 0}, dg.UsageError, "max_tokens 0 is out of range (1 to "),
    ({"temperature": -1}, dg.UsageError, "temperature -1 is out of range"),
    ({"top_p": 0}, dg.UsageError, "top_p 0 is out of range (above 0 and up to 1)"),
    ({"top_k": -1}, dg.UsageError, "top_k -1 is out of range"),
    ({"rows": "int8"}, dg.UsageError, "rows is 'int8' (known are False, True, 'float32', 'float16')"),
    ({"rows": True, "top_p": .9}, dg.UsageError, "rows and top_k, top_p need out"),
    ({"target_pass": 0}, dg.UsageError, "target_pass 0 is out of range (1 to "),
    ({"target": 3}, dg.UsageError, "target is a int (it is a causal language model of transformers, or the name, folder or GGUF file"),
    ({"draft": print}, dg.UsageError, "draft is a builtin_function_or_method (it is a causal"),
    ({"dtype": "int8"}, dg.UsageError, "dtype is 'int8' (known are float32, float16, bfloat16)"),
    ({"target": "no/such/folder"}, dg.InputError, "no/such/folder cannot be loaded ("),
])
def test_bad_arguments(torch, models, change, error, message, no_network):
    arguments = {"target": models[0], "draft": models[1], "prompts": PROMPTS, "max_tokens": 4, **change}
    with pytest.raises(error) as caught:
        dg.record.transformers(**arguments)
    assert message in str(caught.value) and "--" not in str(caught.value)


def test_models_that_do_not_go_together(torch, models):
    import transformers

    other = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=VOCAB + 1, n_embd=8, n_layer=1, n_head=1, n_positions=64))
    with pytest.raises(dg.InputError, match="draft draft: 25 tokens, but the target has 24 .a draft's token is accepted by its id"):
        dg.record.transformers(models[0], other, PROMPTS, max_tokens=4)
    assert dg.record.transformers(other, other, PROMPTS, max_tokens=4).texts == len(PROMPTS)


def test_a_model_that_gives_no_law(torch, models):
    import copy

    broken = copy.deepcopy(models[1])
    with torch.no_grad():
        broken.lm_head.weight[3] = float("nan")
    with pytest.raises(dg.InputError, match=r"text 0, position 0: logits that are not a number, or infinite \(a model gave no law\)"):
        dg.record.transformers(models[0], broken, PROMPTS, max_tokens=4)


def test_a_model_without_a_cache(torch, models):
    class Forgetful(type(models[0])):
        def forward(self, *arguments, **named):
            found = super().forward(*arguments, **named)
            found.past_key_values = None
            return found

    forgetful = Forgetful(models[0].config)
    with pytest.raises(dg.InputError, match="target keeps no cache of keys and values"):
        dg.record.transformers(forgetful, models[1], PROMPTS, max_tokens=4)


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(dg.InputError, match=r"torch or transformers is missing \(.*\): pip install torch transformers"):
        dg.record.transformers("a", "b", [[1]])

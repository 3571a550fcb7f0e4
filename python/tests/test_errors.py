"""What is raised and shown quotes files and servers, and a terminal prints it."""
import os

import draftgauge as dg
import pytest
from draftgauge.record.lines import read_json
from draftgauge.record.parts import Store


@pytest.mark.parametrize("kind", [dg.Error, dg.UsageError, dg.InputError, dg.VerifierError])
def test_no_message_is_obeyed_by_a_terminal(kind):
    assert str(kind("a\x1b[2J\x9b\u202e\x7f")) == "a\\x1b[2J\\x9b\\u202e\\x7f"
    assert str(kind("größer:\n\tx")) == "größer:\n\tx"
    assert str(kind("a\udcff\ud800")) == "a\\xff\\ud800"
    assert kind("x", 1).args == ("x", 1)


def test_no_name_is_obeyed_by_a_terminal():
    recording = dg.Recording.from_arrays([-1., -2.], [-1.5, -1.], name="a\x1b[2J")
    assert repr(recording) == "<draftgauge.Recording a\\x1b[2J: 2 tokens in 1 texts>"


@pytest.mark.parametrize("read", [dg.Recording.read, dg.counters, dg.study])
def test_a_file_whose_name_is_no_text_is_refused_by_name(read):
    with pytest.raises(dg.UsageError, match=r"^the file's name a\\xff.tsv is no UTF-8 \(names are text\); give it another name$"):
        read(os.fsdecode(b"a\xff.tsv"))


def test_a_key_that_stands_twice_is_refused(tmp_path):
    for text, key in [('{"a": 1, "a": 2}', "a"), ('[{"b": {"c": 1, "c": 1}}]', "c")]:
        with pytest.raises(dg.InputError, match=f"^x: the key '{key}' stands twice in one object: keep one$"):
            read_json("x", text)
    with pytest.raises(dg.InputError, match=r"^x: no JSON \(Exceeds the limit \(4300 digits\)"):
        read_json("x", "1" * 5000)
    (tmp_path / "recording.json").write_text('{"model": 1, "model": 2}')
    with pytest.raises(dg.InputError, match="recording.json: the key 'model' stands twice"):
        Store(tmp_path, {"model": 2})

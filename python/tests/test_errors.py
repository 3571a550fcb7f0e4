"""What is raised quotes files and servers, and a traceback prints it."""
import draftgauge as dg
import pytest


@pytest.mark.parametrize("kind", [dg.Error, dg.UsageError, dg.InputError, dg.VerifierError])
def test_no_message_is_obeyed_by_a_terminal(kind):
    assert str(kind("a\x1b[2J\x9b\u202e\x7f")) == "a\\x1b[2J\\x9b\\u202e\\x7f"
    assert str(kind("größer:\n\tx")) == "größer:\n\tx"
    assert kind("x", 1).args == ("x", 1)

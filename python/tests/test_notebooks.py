"""The notebooks of docs/notebooks run without a display, and print what stands in them."""

import pathlib

import pytest

import notebooks

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path):
    _, found = notebooks.printed(path)
    assert found and [text for _, text in found] == [notebooks.stored(cell) for cell, _ in found]

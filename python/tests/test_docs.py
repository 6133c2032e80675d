"""What documentation shows is what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import carom

MODULES = [name for _, name, _ in pkgutil.iter_modules(carom.__path__) if name not in ("_carom", "__main__")]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples_in_documentation(name):
    module = importlib.import_module(f"carom.{name}" if name else "carom")
    assert doctest.testmod(module).failed == 0


def test_everything_public_is_documented():
    for name in carom.__all__:
        thing = getattr(carom, name)
        assert not callable(thing) or thing.__doc__, name


@pytest.mark.parametrize("page", ["README.md", "docs/book/src/trees.md"])
def test_python_of_a_page_runs(page):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    text = (Path(__file__).resolve().parents[2] / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), {"carom": carom})

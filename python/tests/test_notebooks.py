"""The notebooks run from their beginning to their end."""

from __future__ import annotations

import os
from pathlib import Path

import nbclient
import nbformat
import pytest

import carom

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, monkeypatch, tmp_path):
    # The kernel has the package of the tests, wherever it comes from.
    places = [str(Path(carom.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))
    # What kernels and commands write stays here.
    for variable in ("IPYTHONDIR", "TMPDIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
